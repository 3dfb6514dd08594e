"""The bundled world `indoor`: clean, deterministic, rich enough, and silent about anomalies."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from embodied_eval.errors import UnknownName
from embodied_eval.records import canonical_json
from embodied_eval.worlds.build import CEILING_M
from embodied_eval.worlds.bundled import BUNDLED, load_world
from embodied_eval.worlds.checks import clean_report
from embodied_eval.worlds.files import read_world, write_world
from embodied_eval.worlds.library import KINDS
from embodied_eval.worlds.model import World
from embodied_eval.worlds.navigation import NavGrid

ROOMS = ("living_room", "kitchen_dining", "bedroom_suite")


@pytest.fixture(scope="module")
def indoor() -> World:
    return load_world("indoor")


def test_it_is_clean(indoor: World) -> None:
    report = clean_report(indoor)
    assert not report.problems, report.problems
    assert report.largest_move_m < 0.001 and report.largest_turn_deg < 0.1


def test_it_is_built_the_same_in_every_process(indoor: World) -> None:
    code = "from embodied_eval.worlds.bundled import load_world; print(load_world('indoor').sha256)"
    # Another hash seed, so that no order can come from a set.
    hashes = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert hashes == {indoor.sha256}


def test_it_survives_its_file_form(indoor: World, tmp_path: Path) -> None:
    assert canonical_json(json.loads(indoor.canonical())) == indoor.canonical()
    path = tmp_path / "indoor.json"
    write_world(indoor, path)
    assert load_world(str(path)).sha256 == indoor.sha256
    assert read_world(path).objects == indoor.objects


def test_names_are_unique_neutral_ids(indoor: World) -> None:
    names = [item.name for item in indoor.objects]
    assert len(set(names)) == len(names)
    for item in indoor.objects:
        assert re.fullmatch(rf"{item.kind}_[1-9]\d*", item.name)
        assert item.kind in KINDS and item.label and item.synonyms
    lights = {light.name for light in indoor.lights}
    assert len(lights) == len(indoor.lights) <= 16
    switched = {n for item in indoor.objects if item.interaction for n in item.interaction.lights}
    assert switched == lights


def test_each_room_is_described_furnished_and_has_starts(indoor: World) -> None:
    assert tuple(region.name for region in indoor.regions) == ROOMS
    furniture = Counter(
        item.region for item in indoor.objects if item.supports != "fixed" and item.region in ROOMS
    )
    for room in ROOMS:
        region = indoor.region(room)
        assert region.title and len(region.description) > 80
        assert furniture[room] >= 20
        spawns = [spawn for spawn in indoor.spawns if spawn.region == room]
        assert len(spawns) >= 2 and indoor.spawn(room) in spawns
        for spawn in spawns:
            assert all(
                low <= value <= high
                for low, value, high in zip(
                    region.bounds.low, spawn.position, region.bounds.high, strict=True
                )
            )
    assert sum(len(item.primitives) for item in indoor.objects) < 1600


def test_the_rooms_are_walkable_with_room_to_spare(indoor: World) -> None:
    grid = NavGrid(indoor, clearance_m=0.1)
    start = indoor.spawn("living_room").position
    places = {spawn.name: spawn.position for spawn in indoor.spawns}
    places |= {point.name: point.position for point in indoor.points_of_interest}
    for name, position in places.items():
        assert grid.path(start[:2], position[:2]) is not None, name
    # At least 2 m of open kitchen floor between the opening and the island.
    assert grid.line_clear((4.0, 5.6), (4.0, 8.6))


def test_it_offers_a_target_for_every_sort_of_anomaly(indoor: World) -> None:
    kinds = {room: {item.kind for item in indoor.objects if item.region == room} for room in ROOMS}
    assert kinds["living_room"] >= {
        "sofa",
        "armchair",
        "tv",
        "floor_lamp",
        "bookshelf",
        "toy_ball",
        "vase",
        "painting",
    }
    assert kinds["kitchen_dining"] >= {
        "kettle",
        "kitchen_island",
        "dining_table",
        "dining_chair",
        "fridge",
        "wall_clock",
    }
    assert kinds["bedroom_suite"] >= {
        "double_bed",
        "wardrobe",
        "dresser",
        "desk_fan",
        "bathtub",
        "toilet",
        "washbasin",
    }
    assert any(item.dynamic for item in indoor.objects if item.kind == "toy_ball")
    operated = {item.interaction.kind for item in indoor.objects if item.interaction}
    assert operated == {"hinge", "slide", "toggle", "spin"}


def test_the_sun_reaches_the_floor(indoor: World) -> None:
    assert not any(item.casts_shadow for item in indoor.objects if item.supports in ("fixed", "ceiling"))
    assert indoor.bounds.high[2] == CEILING_M
    assert indoor.sun.direction[2] < 0.0


def test_unknown_worlds_are_refused() -> None:
    assert {"indoor", "subway", "house", "cottage"} <= set(BUNDLED)
    assert load_world("indoor") is load_world("indoor")
    with pytest.raises(UnknownName, match="'outdoor'"):
        load_world("outdoor")
