"""The bundled world `house`: clean, deterministic, walkable over its stairs, rich enough, silent about anomalies."""

from __future__ import annotations

import math

import pytest

from embodied_eval.drivers.base import Command
from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.records import Pose
from embodied_eval.worlds.bundled import load_world
from embodied_eval.worlds.bundled.house.materials import MATERIALS
from embodied_eval.worlds.bundled.house.shell import HALL_M, STUDY_M, UPPER_M, UTILITY_M
from embodied_eval.worlds.library import COMMON, PALETTE
from embodied_eval.worlds.model import Vec3, World
from embodied_eval.worlds.navigation import NavGrid

PLACES = ("hall", "study", "upstairs", "utility_room")


@pytest.fixture(scope="module")
def house() -> World:
    return load_world("house")


@pytest.fixture(scope="module")
def grid(house: World) -> NavGrid:
    return NavGrid(house)


def places_of(world: World) -> dict[str, Vec3]:
    points = {point.name: point.position for point in world.points_of_interest}
    return points | {spawn.name: spawn.position for spawn in world.spawns}


def test_its_surfaces_are_its_own_and_the_palette_s(house: World) -> None:
    assert not set(MATERIALS) & set(PALETTE)
    assert {*COMMON, *MATERIALS} <= set(house.materials) <= {*PALETTE, *MATERIALS}
    used = {part.material for item in house.objects for part in item.primitives}
    assert set(MATERIALS) <= used


def test_no_walkable_floor_lies_above_another(house: World) -> None:
    boxes = []
    for item in house.objects:
        # The landing is a block on the floor of the hall.
        if item.kind == "floor" and item.label != "landing":
            (x, y, _), (sx, sy, _) = item.position, item.primitives[0].size
            boxes.append((x - sx / 2, x + sx / 2, y - sy / 2, y + sy / 2))
    assert len(boxes) == 5
    for index, (x0, x1, y0, y1) in enumerate(boxes):
        for a0, a1, b0, b1 in boxes[:index]:
            shared = (min(x1, a1) - max(x0, a0), min(y1, b1) - max(y0, b0))
            # Walls stand in between: floors meet below them.
            assert min(shared) <= 0.13, index


def test_every_place_is_walkable_with_room_to_spare(house: World) -> None:
    roomy = NavGrid(house, clearance_m=0.07)
    start = house.spawn("hall").position
    for name, position in places_of(house).items():
        assert roomy.path(start[:2], position[:2]) is not None, name
    heights = {round(position[2], 3) for position in places_of(house).values()}
    assert heights == {UTILITY_M, HALL_M, STUDY_M, UPPER_M}
    # Open floor to walk along in each place.
    assert roomy.line_clear((1.0, 5.2), (4.2, 5.2))
    assert roomy.line_clear((1.9, 10.3), (5.2, 10.3))
    assert roomy.line_clear((6.0, 7.4), (6.0, 5.0))
    assert roomy.line_clear((2.6, 2.2), (4.0, 2.2))


@pytest.mark.parametrize(
    ("start", "goal"),
    [
        ("hall", "upstairs"),
        ("upstairs_3", "utility_room_2"),
        ("hall_2", "by_fire"),
        ("study", "by_toy_chest"),
    ],
)
def test_the_agent_arrives_where_paths_lead_over_the_stairs(
    house: World, grid: NavGrid, start: str, goal: str
) -> None:
    places = places_of(house)
    driver = MujocoDriver()
    driver.load(house)
    path = grid.path(places[start][:2], places[goal][:2])
    assert path is not None
    pose = driver.teleport(Pose(*places[start])).pose
    for x, y in path[1:]:
        for _ in range(400):
            if math.hypot(x - pose.x, y - pose.y) < 0.08:
                break
            bearing = math.degrees(math.atan2(y - pose.y, x - pose.x))
            turn = (bearing - pose.yaw_deg + 180.0) % 360.0 - 180.0
            forward = 1.0 if abs(turn) < 40.0 else 0.0
            pose = driver.tick(Command(forward=forward, yaw_deg=max(-20.0, min(20.0, turn)))).pose
    driver.close()
    assert math.dist((pose.x, pose.y, pose.z), places[goal]) < 0.12


def test_it_offers_a_target_for_every_sort_of_anomaly(house: World) -> None:
    kinds = {place: {item.kind for item in house.objects if item.region == place} for place in PLACES}
    assert kinds["hall"] >= {
        "wooden_stairs",
        "banister",
        "coat_stand",
        "longcase_clock",
        "bicycle",
        "backpack",
    }
    assert kinds["study"] >= {"bookshelf", "desk", "piano", "marble_fireplace", "globe", "telescope"}
    assert kinds["upstairs"] >= {"bunk_bed", "play_tent", "toy_chest", "rocking_horse", "doll_house"}
    assert kinds["utility_room"] >= {"washing_machine", "tumble_dryer", "chest_freezer", "ironing_board"}
    operated = {item.interaction.kind for item in house.objects if item.interaction}
    assert operated == {"hinge", "slide", "toggle", "spin"}
    for place in ("hall", "upstairs", "utility_room"):
        assert any(item.dynamic for item in house.objects if item.region == place)


@pytest.mark.parametrize(
    ("name", "pose", "before", "after"),
    [
        ("toy_chest_1", Pose(10.3, 5.75, UPPER_M, yaw_deg=0.0, pitch_deg=-50.0), "closed", "open"),
        ("chest_freezer_1", Pose(1.2, 2.62, UTILITY_M, yaw_deg=180.0, pitch_deg=-42.0), "closed", "open"),
        ("marble_fireplace_1", Pose(5.3, 10.25, STUDY_M, yaw_deg=0.0, pitch_deg=-50.0), "on", "off"),
        ("filing_cabinet_1", Pose(0.9, 11.0, STUDY_M, yaw_deg=118.0, pitch_deg=-35.0), "closed", "open"),
    ],
)
def test_its_new_devices_can_be_operated(
    house: World, name: str, pose: Pose, before: str, after: str
) -> None:
    driver = MujocoDriver()
    driver.load(house)
    driver.teleport(pose)
    assert driver.object(name).state == before
    assert driver.tick(Command(interact=True)).interacted == name
    for _ in range(30):
        driver.tick(Command())
    assert driver.object(name).state == after
    driver.close()


def test_shadows_fall_inside_and_the_building_casts_none(house: World) -> None:
    assert not any(item.casts_shadow for item in house.objects if item.supports in ("fixed", "ceiling"))
    assert house.sun.direction[2] < -0.8
