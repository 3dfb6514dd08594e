"""What holds for every bundled world: clean, the same in every process, named without a hint, described, furnished."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from embodied_eval.records import canonical_json
from embodied_eval.worlds.bundled import BUNDLED, load_world
from embodied_eval.worlds.checks import clean_report
from embodied_eval.worlds.files import read_world, write_world
from embodied_eval.worlds.library import KINDS
from embodied_eval.worlds.model import World


@dataclass(frozen=True)
class Limits:
    """What one world must hold: its sub-scenes, how still it rests, how rich and how large it is."""

    places: tuple[str, ...]
    primitives: tuple[int, int]
    kinds: int
    furniture: int = 20
    move_m: float = 0.005
    turn_deg: float = 0.1
    overlap_m: float = 0.005


LIMITS = {
    "indoor": Limits(("living_room", "kitchen_dining", "bedroom_suite"), (0, 1599), 60, move_m=0.001),
    "subway": Limits(("concourse", "platform", "trackside"), (0, 1299), 60),
    "house": Limits(
        ("hall", "study", "upstairs", "utility_room"), (900, 1400), 80, turn_deg=0.2, overlap_m=0.004
    ),
    "cottage": Limits(
        ("front_garden", "kitchen_garden", "pond", "cottage_rooms"), (1000, 1599), 70, furniture=15
    ),
}


@pytest.fixture(params=BUNDLED)
def world(request: pytest.FixtureRequest) -> World:
    return load_world(request.param)


def test_each_has_its_limits() -> None:
    assert set(LIMITS) == set(BUNDLED)


def test_it_is_clean(world: World) -> None:
    report, limits = clean_report(world), LIMITS[world.name]
    assert not report.problems, report.problems
    assert report.largest_move_m < limits.move_m and report.largest_turn_deg < limits.turn_deg
    assert report.deepest_overlap_m < limits.overlap_m


def test_it_is_built_the_same_in_every_process(world: World) -> None:
    code = f"from embodied_eval.worlds.bundled import load_world; print(load_world({world.name!r}).sha256)"
    # Another hash seed, so that no order can come from a set.
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONHASHSEED": "7"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == world.sha256


def test_it_survives_its_file_form(world: World, tmp_path: Path) -> None:
    assert canonical_json(json.loads(world.canonical())) == world.canonical()
    path = tmp_path / "world.json"
    write_world(world, path)
    assert load_world(str(path)).sha256 == world.sha256
    assert read_world(path).objects == world.objects


def test_names_are_unique_neutral_ids(world: World) -> None:
    names = [item.name for item in world.objects]
    assert len(set(names)) == len(names)
    for item in world.objects:
        assert re.fullmatch(rf"{item.kind}_[1-9]\d*", item.name)
        assert item.kind in KINDS and item.label and item.synonyms
    lights = {light.name for light in world.lights}
    assert len(lights) == len(world.lights) <= 16
    switched = {n for item in world.objects if item.interaction for n in item.interaction.lights}
    assert switched == lights


def test_each_place_is_described_furnished_and_has_starts(world: World) -> None:
    limits = LIMITS[world.name]
    assert tuple(region.name for region in world.regions) == limits.places
    furniture = Counter(item.region for item in world.objects if item.supports != "fixed")
    for place in limits.places:
        region = world.region(place)
        assert region.title and len(region.description) > 80
        assert furniture[place] >= limits.furniture
        spawns = [spawn for spawn in world.spawns if spawn.region == place]
        assert len(spawns) >= 2 and world.spawn(place) in spawns
        for spawn in spawns:
            low, high = region.bounds.low, region.bounds.high
            assert all(a <= v <= b for a, v, b in zip(low, spawn.position, high, strict=True))
    assert len({item.kind for item in world.objects}) >= limits.kinds
    fewest, most = limits.primitives
    assert fewest <= sum(len(item.primitives) for item in world.objects) <= most
