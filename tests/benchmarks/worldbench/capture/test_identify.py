"""The blind request: shuffled by the world, neutral names, nothing in it tells what a frame was meant to show."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
from PIL import Image

from benchmarks.worldbench.capture.album import png
from benchmarks.worldbench.capture.identify import NONE, identify_request
from benchmarks.worldbench.capture.manifest import Manifest, Shot
from benchmarks.worldbench.evidence import BIOMES

SHOTS = tuple(
    Shot(f"close:{biome}", f"close:{biome}", f"{n:064x}", (1280, 720), biome)
    for n, biome in enumerate(BIOMES)
)
MANIFEST = Manifest("ab" * 32, True, "ready", shots=SHOTS)


def test_the_order_comes_from_the_world_alone() -> None:
    request = identify_request(MANIFEST)
    assert request == identify_request(MANIFEST)
    assert sorted(request.refs) == sorted(shot.ref for shot in SHOTS)
    assert request.refs != tuple(shot.ref for shot in SHOTS)
    assert request.refs != identify_request(replace(MANIFEST, world_sha256="cd" * 32)).refs


def test_nothing_shown_names_a_biome_but_the_options() -> None:
    request = identify_request(MANIFEST)
    rgb = np.zeros((720, 1280, 3), dtype=np.uint8)
    pictures = request.images(lambda _: png(rgb))
    listed = ", ".join(request.options)
    assert request.question.count(listed) == 1
    rest = request.question.replace(listed, "")
    shown = [rest, *(picture.ref for picture in pictures), *request.names]
    shown += [picture.data.decode("latin-1").lower() for picture in pictures]
    assert not [biome for biome in BIOMES if any(biome in text for text in shown)]
    assert request.names == tuple(f"frame_{n:02d}" for n in range(1, 11))
    with Image.open(io.BytesIO(pictures[0].data)) as picture:
        assert picture.size == (896, 504)
    assert set(request.options) == {*BIOMES, NONE}


def test_a_frame_is_confirmed_only_by_its_own_biome() -> None:
    request = identify_request(MANIFEST)
    reply = dict(zip(request.names, request.biomes, strict=True))
    swamp = request.names[request.biomes.index("swamp")]
    assert request.confirmed(reply)["swamp"] == ("close:swamp",)
    confirmed = request.confirmed({**reply, swamp: "volcano"})
    assert "swamp" not in confirmed
    assert confirmed["volcano"] == ("close:volcano",)
    assert request.confirmed({}) == {}
