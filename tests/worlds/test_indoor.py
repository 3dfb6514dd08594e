"""The bundled world `indoor`: clean, deterministic, rich enough, and silent about anomalies."""

from __future__ import annotations

import pytest

from embodied_eval.errors import UnknownName
from embodied_eval.worlds.build import CEILING_M
from embodied_eval.worlds.bundled import BUNDLED, load_world
from embodied_eval.worlds.model import World
from embodied_eval.worlds.navigation import NavGrid

ROOMS = ("living_room", "kitchen_dining", "bedroom_suite")


@pytest.fixture(scope="module")
def indoor() -> World:
    return load_world("indoor")


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
