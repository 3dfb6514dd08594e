"""Pictures, depth and normals in replies."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from embodied_eval.drivers.unrealcv import images
from embodied_eval.errors import ProtocolError


def noise(height: int = 5, width: int = 7) -> NDArray[np.uint8]:
    return np.random.default_rng(1).integers(0, 256, (height, width, 3), np.uint8)


@pytest.mark.parametrize("alpha", [0, 128, 255])
def test_colours_survive_whatever_alpha_says(alpha: int) -> None:
    rgb = noise()
    assert (images.decode_bmp(images.encode_bmp(rgb, alpha)) == rgb).all()
    assert (images.decode_png(images.encode_png(rgb, alpha)) == rgb).all()


def test_a_bmp_is_laid_out_as_the_public_server_does_it() -> None:
    body = images.encode_bmp(np.array([[[1, 2, 3], [4, 5, 6]]], np.uint8), alpha=9)
    assert len(body) == 54 + 8 and body[:2] == b"BM"
    assert struct.unpack_from("<II", body, 10) == (54, 40)
    assert struct.unpack_from("<iiHH", body, 18) == (2, -1, 1, 32)
    assert body[54:] == bytes([3, 2, 1, 9, 6, 5, 4, 9])


def test_other_programs_read_and_write_the_same() -> None:
    rgb = noise()
    for body in (images.encode_bmp(rgb), images.encode_png(rgb)):
        assert (np.asarray(Image.open(io.BytesIO(body)).convert("RGB")) == rgb).all()
    out = io.BytesIO()
    Image.fromarray(np.dstack([rgb, np.full(rgb.shape[:2], 255, np.uint8)])).save(out, "BMP")
    assert struct.unpack_from("<i", out.getvalue(), 22)[0] > 0  # bottom row first
    assert (images.decode_bmp(out.getvalue()) == rgb).all()


def test_the_published_decoder_reads_ours() -> None:
    decoder = pytest.importorskip("unrealcv.api").MsgDecoder()
    rgb = noise()
    assert (decoder.decode_bmp(images.encode_bmp(rgb)) == rgb[..., ::-1]).all()
    assert (decoder.decode_png(images.encode_png(rgb)) == rgb[..., ::-1]).all()
    depth = np.linspace(0, 900, 35, dtype=np.float32).reshape(5, 7)
    assert (np.squeeze(decoder.decode_npy(images.encode_npy(depth))) == depth).all()


def test_depth_is_in_metres_and_far_is_the_sky() -> None:
    depth_m = np.array([[0.1, 2.5], [655.0, np.inf]], np.float32)
    body = images.encode_npy(images.depth_to_cm(depth_m))
    assert body[:8] == b"\x93NUMPY\x01\x00"
    found = images.depth_to_metres(images.decode_npy(body))
    assert found.dtype == np.float32 and np.allclose(found, depth_m)
    assert images.depth_to_metres(np.full((1, 1), np.inf, np.float32))[0, 0] == np.inf
    assert images.depth_to_metres(np.full((1, 1), 3.0, np.float32), 1.0)[0, 0] == 3.0


def test_normals_come_back_in_the_cores_axes() -> None:
    normals = np.array([[[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.6, -0.8, 0]]], np.float32)
    colour = images.normals_to_colour(normals)
    assert colour[0, 1].tolist() == [128, 0, 128]  # +y here is -Y there
    assert np.abs(images.normals_from_colour(colour) - normals).max() < 0.01
    assert (images.normals_from_colour(np.zeros((1, 1, 3), np.uint8)) == 0).all()


def test_a_decoded_picture_owns_its_memory() -> None:
    for body, decode in (
        (images.encode_bmp(noise()), images.decode_bmp),
        (images.encode_png(noise()), images.decode_png),
    ):
        memory = bytearray(body)
        found = decode(memoryview(memory))
        memory[:] = bytes(len(memory))
        assert (found == noise()).all()


@pytest.mark.parametrize(
    ("command", "asked"),
    [
        ("vget /camera/0/lit png", ("lit", "png")),
        ("vget /camera/12/object_mask bmp ", ("object_mask", "bmp")),
        ("vget /camera/1/depth npy", ("depth", "npy")),
    ],
)
def test_what_a_command_asks_for(command: str, asked: tuple[str, str]) -> None:
    assert images.asked(command) == asked


@pytest.mark.parametrize(
    "command",
    [
        "vget /camera/0/lit a.png",
        "vget /camera/0/lit",
        "vget /camera/0/depth png",
        "vget /camera/0/lit npy",
        "vget /x",
    ],
)
def test_commands_that_ask_for_no_picture_in_the_reply(command: str) -> None:
    with pytest.raises(ValueError, match="asks for no picture"):
        images.asked(command)


BMP, PNG = images.encode_bmp(noise()), images.encode_png(noise())
NPY = images.encode_npy(np.zeros((2, 3), np.float32))


def patched(body: bytes, at: int, value: bytes) -> bytes:
    return body[:at] + value + body[at + len(value) :]


@pytest.mark.parametrize(
    ("form", "body"),
    [
        ("bmp", b""),
        ("bmp", b"BM"),
        ("bmp", BMP[:-1]),
        ("bmp", BMP + b"\0"),
        ("bmp", PNG),
        ("bmp", patched(BMP, 28, b"\x18")),
        ("bmp", patched(BMP, 18, b"\0\0\0\0")),
        ("bmp", patched(BMP, 10, b"\xff\xff\xff\xff")),
        ("bmp", patched(BMP, 18, b"\xff\xff\xff\x7f\xff\xff\xff\x7f")),
        ("png", b""),
        ("png", BMP),
        ("png", PNG[:40]),
        ("png", patched(PNG, 45, b"\0\0\0\0")),
        ("npy", b""),
        ("npy", NPY[:7]),
        ("npy", NPY[:-4]),
        ("npy", NPY + b"\0"),
        ("npy", images.encode_npy(np.zeros((2, 3), np.float64))),
        ("npy", images.encode_npy(np.zeros(3, np.float32))),
        ("npy", images.encode_npy(np.zeros((2, 3, 4), np.uint8))),
        ("npy", images.encode_npy(np.zeros((0, 3), np.float32))),
        ("npy", patched(NPY, 6, b"\x07")),
        ("npy", patched(NPY, 10, b"__import__('os')")),
    ],
)
def test_broken_pictures_are_protocol_errors(form: images.Format, body: bytes) -> None:
    with pytest.raises(ProtocolError):
        images.decode(body, form)


def test_a_png_too_large_is_refused_before_it_is_decoded() -> None:
    header = b"IHDR" + struct.pack(">IIBBBBB", 8192, 8193, 8, 6, 0, 0, 0)
    chunk = struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    with pytest.raises(ProtocolError, match="too large"):
        images.decode_png(patched(PNG, 8, chunk))
