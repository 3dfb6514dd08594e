"""Pictures in UnrealCV's replies, both ways: bmp, png and npy; depth in metres; normals as colours.

Formats as the public server writes them: bmp with a 54-byte header, 32 bits a pixel, B G R A, top row first; png
as RGBA; npy as float32 (H, W) for depth. A colour picture's alpha means nothing and is dropped. Readers raise
`ProtocolError` for anything else.
"""

from __future__ import annotations

import io
import re
import struct
from typing import TYPE_CHECKING, Any, Literal

from embodied_eval.errors import ProtocolError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Format = Literal["bmp", "png", "npy"]
MAGICS: dict[str, bytes] = {"bmp": b"BM", "png": b"\x89PNG\r\n\x1a\n", "npy": b"\x93NUMPY"}
COLOUR_VIEWS = ("lit", "normal", "object_mask", "seg")
MAX_PIXELS = 2**26
"""No picture is larger (8192 x 8192): more would not fit into one reply (ours)."""
FAR = 65504.0
"""The largest depth that the server can store, a half-precision float's: as good as the sky."""
_ASKS = re.compile(r"vget /camera/\d+/(\w+) (bmp|png|npy)\s*")
_NPY = re.compile(
    rb"\{\s*'descr':\s*'<f4',\s*'fortran_order':\s*False,\s*'shape':\s*\((\d{1,6}),\s*(\d{1,6}),?\s*\),?\s*\}\s*"
)
_BMP = struct.Struct("<2sIHHIIiiHHIIiiII")


def asked(command: str) -> tuple[str, Format]:
    """The view and the format that a command asks for. Raises ValueError if it asks for no picture that is
    sent in the reply."""
    match = _ASKS.fullmatch(command)
    if match is None or (match[1] == "depth") != (match[2] == "npy"):
        raise ValueError(
            f"{command!r} asks for no picture. Legal: vget /camera/N/VIEW FORMAT with VIEW one of "
            f"{', '.join(COLOUR_VIEWS)} and FORMAT bmp or png, or depth npy."
        )
    return match[1], match[2]  # type: ignore[return-value]


def decode(body: memoryview | bytes, form: Format) -> NDArray[Any]:
    """The picture in `body`: uint8 (H, W, 3) RGB, or float32 (H, W) of an npy as it was sent."""
    if form == "npy":
        return decode_npy(body)
    return decode_bmp(body) if form == "bmp" else decode_png(body)


def decode_bmp(body: memoryview | bytes) -> NDArray[np.uint8]:
    """uint8 (H, W, 3) RGB of an uncompressed bmp with 32 bits a pixel, in memory of its own."""
    import numpy as np

    if len(body) < _BMP.size or bytes(body[:2]) != MAGICS["bmp"]:
        raise _other("a bmp", body)
    _, _, _, _, start, _, width, rows, _, bits, packing, *_ = _BMP.unpack_from(body)
    height = abs(rows)
    if bits != 32 or packing not in (0, 3) or width < 1 or height < 1 or start < _BMP.size:
        raise ProtocolError(f"A bmp of {width} x {rows}, {bits} bits, compression {packing} cannot be read.")
    if len(body) - start != width * height * 4:
        raise ProtocolError(f"A bmp of {width} x {height} pixels holds {len(body) - start} bytes of them.")
    pixels = np.frombuffer(body, np.uint8, offset=start).reshape(height, width, 4)
    if rows > 0:
        pixels = pixels[::-1]
    made = np.empty((height, width, 3), np.uint8)
    for channel in range(3):  # three strided copies are several times as fast as one with the axis reversed
        made[..., channel] = pixels[..., 2 - channel]
    return made


def encode_bmp(rgb: NDArray[np.uint8], alpha: int = 255) -> bytes:
    """A bmp of uint8 (H, W, 3) RGB, all of its pixels with that alpha."""
    import numpy as np

    height, width = rgb.shape[:2]
    size = width * height * 4
    made = np.empty(_BMP.size + size, np.uint8)
    head = (b"BM", len(made), 0, 0, _BMP.size, 40, width, -height, 1, 32, 0, size, 0, 0, 0, 0)
    _BMP.pack_into(made.data, 0, *head)
    pixels = made[_BMP.size :].reshape(height, width, 4)
    for channel in range(3):
        pixels[..., 2 - channel] = rgb[..., channel]
    pixels[..., 3] = alpha
    return made.tobytes()


def decode_png(body: memoryview | bytes) -> NDArray[np.uint8]:
    """uint8 (H, W, 3) RGB of a png with 8 bits a channel, RGB or RGBA, alpha dropped and not blended."""
    import numpy as np
    from PIL import Image

    if bytes(body[:8]) != MAGICS["png"]:
        raise _other("a png", body)
    try:
        with Image.open(io.BytesIO(body), formats=["PNG"]) as image:
            if image.width * image.height > MAX_PIXELS:
                raise ProtocolError(f"A png of {image.width} x {image.height} pixels is too large.")
            if image.mode not in ("RGB", "RGBA"):
                raise ProtocolError(f"A png of mode {image.mode} cannot be read; legal: RGB, RGBA.")
            return np.ascontiguousarray(np.asarray(image)[..., :3])
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise ProtocolError(f"A png of {len(body)} bytes cannot be read: {error}.") from error


def encode_png(rgb: NDArray[np.uint8], alpha: int = 255, level: int = 1) -> bytes:
    """An RGBA png of uint8 (H, W, 3) RGB, compressed with zlib's `level`."""
    import numpy as np
    from PIL import Image

    made = np.empty((*rgb.shape[:2], 4), np.uint8)
    made[..., :3], made[..., 3] = rgb, alpha
    out = io.BytesIO()
    Image.fromarray(made, "RGBA").save(out, "PNG", compress_level=level)
    return out.getvalue()


def decode_npy(body: memoryview | bytes) -> NDArray[np.float32]:
    """float32 (H, W), little endian, C order, of an npy file of version 1 or 2. Not copied: it holds `body`."""
    import numpy as np

    if bytes(body[:6]) != MAGICS["npy"] or len(body) < 12:
        raise _other("an npy", body)
    # numpy's own reader evaluates the header, and fails with whatever its text leads to.
    wide = body[6] == 2
    start = (12 if wide else 10) + struct.unpack_from("<I" if wide else "<H", body, 8)[0]
    match = _NPY.fullmatch(bytes(body[12 if wide else 10 : min(start, 4096)]))
    if body[6] not in (1, 2) or match is None:
        raise ProtocolError(
            f"An npy begins with {bytes(body[:80])!r}; float32 (H, W) in C order was expected."
        )
    height, width = int(match[1]), int(match[2])
    if min(height, width) < 1 or len(body) - start != height * width * 4:
        raise ProtocolError(f"An npy of {height} x {width} holds {len(body) - start} bytes of data.")
    return np.frombuffer(body, "<f4", offset=start).reshape(height, width)


def encode_npy(array: NDArray[Any]) -> bytes:
    """An npy file, version 1, of `array` (depth: float32 (H, W), in centimetres)."""
    import numpy as np

    out = io.BytesIO()
    np.lib.format.write_array(out, np.ascontiguousarray(array), version=(1, 0), allow_pickle=False)
    return out.getvalue()


def depth_to_metres(depth: NDArray[np.float32], metres_a_unit: float = 0.01) -> NDArray[np.float32]:
    """Depth as the core has it, float32 (H, W) metres, in memory of its own; from `FAR` units on it is inf."""
    import numpy as np

    made = np.multiply(depth, np.float32(metres_a_unit), dtype=np.float32)
    made[depth >= FAR] = np.inf
    return made


def depth_to_cm(depth_m: NDArray[np.float32]) -> NDArray[np.float32]:
    """Depth as the server sends it, float32 (H, W) centimetres; the sky is `FAR`."""
    import numpy as np

    made: NDArray[np.float32] = np.minimum(depth_m * np.float32(100.0), np.float32(FAR))
    return made


def normals_to_colour(normals: NDArray[np.float32]) -> NDArray[np.uint8]:
    """uint8 (H, W, 3): each component of the core's world normals, y turned round, from -1..1 to 0..255."""
    import numpy as np

    mirrored = normals * np.array([1.0, -1.0, 1.0], np.float32)
    made: NDArray[np.uint8] = np.rint((mirrored + 1.0) * 127.5).clip(0, 255).astype(np.uint8)
    return made


def normals_from_colour(rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    """float32 (H, W, 3) unit normals in the core's world axes; black, where nothing is, becomes 0 0 0."""
    import numpy as np

    made = rgb.astype(np.float32) / np.float32(127.5) - np.float32(1.0)
    made[..., 1] *= -1.0
    made /= np.maximum(np.linalg.norm(made, axis=-1, keepdims=True), np.float32(1e-6))
    made[~rgb.any(axis=-1)] = 0.0
    return made


def _other(what: str, body: memoryview | bytes) -> ProtocolError:
    return ProtocolError(f"{what.capitalize()} was expected, not {bytes(body[:24])!r}.")
