"""The rule's frames channel on a scene made by hand: pixels decide what the scene graph proposes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.worldbench.capture.manifest import (
    BurstShots,
    Camera,
    Manifest,
    ObjectMotion,
    SceneItem,
    Shot,
    Vec3,
)
from benchmarks.worldbench.evidence import BIOMES
from benchmarks.worldbench.judges.rule_colors import told_by_color
from benchmarks.worldbench.judges.rule_frames import Frames, bursts_of, frame_claims
from benchmarks.worldbench.judges.rule_hunt import hunt
from benchmarks.worldbench.spec import load_spec

SPEC = load_spec()
SIZE = (160, 90)
Picture = NDArray[np.uint8]


def item(
    number: int, biome: str, name: str, color: str, box: tuple[Vec3, Vec3], opacity: float = 1.0
) -> SceneItem:
    return SceneItem(number, name, (name, biome), "Mesh", box, color, "#000000", opacity, 12, 1, 0.1)


def above(x: float) -> Camera:
    """Looks straight down on (x, 0, 0) from ten units above."""
    return Camera((x, 10.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0), 60.0, SIZE[0] / SIZE[1])


def painted(color: tuple[int, int, int]) -> Picture:
    picture = np.zeros((SIZE[1], SIZE[0], 3), dtype=np.uint8)
    picture[20:70, 40:120] = color
    return picture


def place(biome: str) -> float:
    return 30.0 * BIOMES.index(biome)


def box(biome: str, low: float = -1.0, high: float = 0.0) -> tuple[Vec3, Vec3]:
    x = place(biome)
    return (x - 3.0, low, -3.0), (x + 3.0, high, 3.0)


def scene() -> tuple[SceneItem, ...]:
    made = []
    for number, biome in enumerate(BIOMES):
        made.append(item(number, biome, "earth", "#7d6a55", box(biome)))
        made.append(item(100 + number, biome, f"filler {number}", "#7d6a55", box(biome)))
    made.append(item(200, "desert", "saguaro", "#4d8b3f", box("desert")))
    made.append(item(201, "highlands", "drizzle drop", "#ffffff", box("highlands")))
    made.append(item(202, "highlands", "light rain", "#ffffff", box("highlands")))
    made.append(item(203, "delta", "coral reef", "#ff7d6b", box("delta", 0.6, 0.8)))
    return tuple(made)


def shot(view: str, biome: str, at: str) -> Shot:
    return Shot(view, view, f"{view:0<64}", SIZE, biome, camera=above(place(at)), filled=0.3)


def manifest(**changes: object) -> Manifest:
    shots = tuple(shot(f"close:{biome}", biome, biome) for biome in BIOMES)
    whole = Manifest("0" * 64, True, "ready", shots=shots, scene=scene())
    return replace(whole, **changes)  # type: ignore[arg-type]


def frames_of(made: Manifest, color: tuple[int, int, int] = (77, 139, 63)) -> Frames:
    return Frames(made, lambda ref: painted(color), SPEC)


def test_a_thing_is_seen_where_pixels_have_its_colour() -> None:
    claims = frame_claims(frames_of(manifest()))
    assert claims["P.desert.4"].seen
    assert claims["P.desert.4"].refs == ("close:desert",)


@pytest.mark.parametrize("color", [(0, 0, 0), (40, 60, 200), (210, 60, 40)])
def test_a_name_without_its_pixels_is_not_seen(color: tuple[int, int, int]) -> None:
    claims = frame_claims(frames_of(manifest(), color))
    assert not claims["P.desert.4"].seen


def test_what_is_shrunk_or_sunk_is_not_seen() -> None:
    x = place("desert")
    for hidden in (
        ((x, 0.0, 0.0), (x + 0.0004, 0.0004, 0.0004)),
        ((x + 500.0, -500.0, 0.0), (x + 505.0, -495.0, 5.0)),
    ):
        things = tuple(replace(one, bounds=hidden) if one.id == 200 else one for one in scene())
        assert not frame_claims(frames_of(manifest(scene=things)))["P.desert.4"].seen


def test_the_blind_check_goes_by_what_a_frame_shows() -> None:
    shots = [shot(f"close:{biome}", biome, biome) for biome in BIOMES if biome not in ("swamp", "volcano")]
    shots += [shot("close:swamp", "swamp", "volcano"), shot("close:volcano", "volcano", "swamp")]
    confirmed = frames_of(manifest(shots=tuple(shots))).confirmed
    assert set(confirmed) == set(BIOMES) - {"swamp", "volcano"}


def moved(changed: tuple[str, ...], drift: Vec3) -> BurstShots:
    drops = ObjectMotion(201, "drizzle drop", ("highlands",), "Mesh", "#ffffff", changed, drift, 0.2, 0.3)
    return BurstShots("highlands", ("close:highlands",), near_share=0.2, camera_still=True, objects=(drops,))


@pytest.mark.parametrize(
    ("changed", "drift", "moves", "axis"),
    [
        (("instances",), (0.1, -2.0, 0.0), True, "falling"),
        (("instances",), (0.1, 2.0, 0.0), False, "rising"),
        (("material",), (0.0, 0.0, 0.0), False, "pulsing"),
        ((), (0.0, 0.0, 0.0), False, ""),
    ],
)
def test_motion_is_what_the_objects_parts_did(
    changed: tuple[str, ...], drift: Vec3, moves: bool, axis: str
) -> None:
    made = manifest(bursts=(moved(changed, drift),))
    claim = frame_claims(frames_of(made, (255, 255, 255)))["P.highlands.8"]
    assert (claim.seen, claim.moves, claim.axis) == (True, moves, axis)
    assert bursts_of(made)["highlands"].share == 0.2


def test_a_sea_without_bed_lies_over_the_void() -> None:
    sea = item(300, "delta", "open ocean water", "#1d5fb0", box("delta", 0.0, 0.6), 0.8)
    bed = item(301, "delta", "sea bed", "#b59a6a", box("delta", -2.0, -1.0))
    land = [one for one in scene() if "delta" not in one.parents or one.id == 203]
    for things, flagged in (((*land, sea, bed), False), ((*land, sea), True)):
        flags = {one.ref: one.flags for one in hunt(frames_of(manifest(scene=things), (29, 95, 176)))}
        assert ("sea_over_void" in flags["close:delta"]) is flagged
        assert "sea_over_void" not in flags["close:desert"]


@pytest.mark.parametrize(
    ("color", "region"),
    [
        ((240, 150, 185), "grove"),
        ((60, 205, 200), "delta"),
        ((222, 190, 130), "desert"),
        ((110, 180, 70), "grassland"),
        ((0, 0, 0), "none"),
    ],
)
def test_without_names_a_region_is_told_by_its_colours(color: tuple[int, int, int], region: str) -> None:
    assert told_by_color(painted(color)) == region
    plain = manifest(scene=())
    assert frames_of(plain, color).region("close:swamp") == region
