"""Blind identification: every close view in one shuffled request that never tells what a view was meant to show."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.worldbench.capture.manifest import Manifest
from benchmarks.worldbench.evidence import BIOMES
from embodied_eval.models.types import Image
from embodied_eval.records import Json

NONE = "none"
IMAGE_WIDTH = 896
OPTIONS = (*BIOMES, NONE)
QUESTION = """Each picture shows part of a block island from close by. For each picture, tell which one of these
regions it mainly shows, or "none" if it shows none of them clearly: {options}. Answer for each picture by its name.
Several pictures may show the same region. Go by what is to be seen alone."""


@dataclass(frozen=True)
class BlindRequest:
    """What is asked: `names` (neutral) and the frames' `refs` and biomes in the same, shuffled order. Only `names`,
    `question`, `options` and the pictures may be shown to whoever answers."""

    names: tuple[str, ...]
    refs: tuple[str, ...]
    biomes: tuple[str, ...]
    hashes: tuple[str, ...]
    options: tuple[str, ...] = OPTIONS

    @property
    def question(self) -> str:
        """The text that goes with the pictures."""
        return QUESTION.format(options=", ".join(self.options))

    @property
    def schema(self) -> dict[str, Json]:
        """The form of an answer: one option for each name."""
        one: dict[str, Json] = {"type": "string", "enum": list(self.options)}
        return {
            "type": "object",
            "additionalProperties": False,
            "required": list(self.names),
            "properties": {name: dict(one) for name in self.names},
        }

    def images(self, read_frame: Callable[[str], bytes], width: int = IMAGE_WIDTH) -> tuple[Image, ...]:
        """The pictures under their neutral names, at most `width` pixels wide; `read_frame` gives a frame's bytes by
        its hash."""
        return tuple(
            Image(_shrunk(read_frame(sha256), width), "image/jpeg", name)
            for name, sha256 in zip(self.names, self.hashes, strict=True)
        )

    def confirmed(self, reply: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
        """The frames' refs by biome whose answer is that biome; all others are dropped."""
        found: dict[str, tuple[str, ...]] = {}
        for name, ref, biome in zip(self.names, self.refs, self.biomes, strict=True):
            if reply.get(name) == biome:
                found[biome] = (*found.get(biome, ()), ref)
        return found


def identify_request(manifest: Manifest) -> BlindRequest:
    """The request for a manifest's close views, shuffled by the world's hash."""
    shots = list(manifest.close())
    random.Random(f"{manifest.world_sha256}/identify").shuffle(shots)
    return BlindRequest(
        tuple(f"frame_{number:02d}" for number in range(1, len(shots) + 1)),
        tuple(shot.ref for shot in shots),
        tuple(shot.biome for shot in shots),
        tuple(shot.sha256 for shot in shots),
    )


def _shrunk(data: bytes, width: int) -> bytes:
    import io

    import numpy as np
    from PIL import Image as Picture

    from benchmarks.worldbench.capture.album import small

    with Picture.open(io.BytesIO(data)) as picture:
        rgb = np.asarray(picture.convert("RGB"), dtype=np.uint8)
    return small(rgb, width)[0]
