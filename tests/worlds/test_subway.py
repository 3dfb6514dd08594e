"""The bundled world `subway`: clean, deterministic, walkable over its stairs, rich enough, silent about anomalies."""

from __future__ import annotations

import math

import pytest

from embodied_eval.drivers.base import Command
from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.records import Pose
from embodied_eval.worlds.bundled import load_world
from embodied_eval.worlds.bundled.subway.station import HALL_M, PLATFORM_M, TRACK_M
from embodied_eval.worlds.model import Vec3, World
from embodied_eval.worlds.navigation import NavGrid

PLACES = ("concourse", "platform", "trackside")


@pytest.fixture(scope="module")
def subway() -> World:
    return load_world("subway")


@pytest.fixture(scope="module")
def grid(subway: World) -> NavGrid:
    return NavGrid(subway)


def test_no_walkable_floor_lies_above_another(subway: World) -> None:
    floors = [
        item
        for item in subway.objects
        if item.kind == "floor" and item.primitives[0].material != "concrete_light"
    ]
    boxes = [
        (
            item.position[0] - item.primitives[0].size[0] / 2,
            item.position[0] + item.primitives[0].size[0] / 2,
            item.position[1] - item.primitives[0].size[1] / 2,
            item.position[1] + item.primitives[0].size[1] / 2,
        )
        for item in floors
    ]
    for index, (x0, x1, y0, y1) in enumerate(boxes):
        for a0, a1, b0, b1 in boxes[:index]:
            shared = (min(x1, a1) - max(x0, a0), min(y1, b1) - max(y0, b0))
            assert min(shared) <= 1e-6, floors[index].name


def test_every_place_is_walkable_with_room_to_spare(subway: World) -> None:
    roomy = NavGrid(subway, clearance_m=0.08)
    start = subway.spawn("concourse").position
    places: dict[str, Vec3] = {spawn.name: spawn.position for spawn in subway.spawns}
    places |= {point.name: point.position for point in subway.points_of_interest}
    for name, position in places.items():
        assert roomy.path(start[:2], position[:2]) is not None, name
    assert {round(position[2], 3) for position in places.values()} == {HALL_M, PLATFORM_M, TRACK_M}
    # At least 4 m of open floor in each place.
    assert roomy.line_clear((12.2, 13.4), (16.2, 13.4))
    assert roomy.line_clear((16.6, 5.0), (21.0, 5.0))
    assert roomy.line_clear((2.4, 2.0), (7.4, 2.0))


@pytest.mark.parametrize(
    ("start", "goal"),
    [
        ("concourse", "platform"),
        ("platform", "trackside_2"),
        ("by_train_front", "by_way_up"),
        ("platform_2", "in_train"),
        ("concourse_3", "stairs_head"),
    ],
)
def test_the_agent_arrives_where_paths_lead_over_stairs_and_into_the_train(
    subway: World, grid: NavGrid, start: str, goal: str
) -> None:
    places: dict[str, Vec3] = {spawn.name: spawn.position for spawn in subway.spawns}
    places |= {point.name: point.position for point in subway.points_of_interest}
    driver = MujocoDriver()
    driver.load(subway)
    arrived = _walk(driver, grid, places[start], places[goal])
    driver.close()
    assert math.dist((arrived.x, arrived.y, arrived.z), places[goal]) < 0.12


def test_both_escalators_are_walkable(subway: World, grid: NavGrid) -> None:
    driver = MujocoDriver()
    driver.load(subway)
    up = _walk(driver, grid, (22.0, 15.3, PLATFORM_M), (15.6, 15.3, HALL_M))
    down = _walk(driver, grid, (15.6, 11.2, HALL_M), (22.0, 11.2, PLATFORM_M))
    driver.close()
    assert up.z == pytest.approx(HALL_M, abs=0.01) and down.z == pytest.approx(PLATFORM_M, abs=0.01)


def _walk(driver: MujocoDriver, grid: NavGrid, start: Vec3, goal: Vec3) -> Pose:
    path = grid.path(start[:2], goal[:2])
    assert path is not None
    pose = driver.teleport(Pose(*start)).pose
    for x, y in path[1:]:
        for _ in range(400):
            if math.hypot(x - pose.x, y - pose.y) < 0.08:
                break
            bearing = math.degrees(math.atan2(y - pose.y, x - pose.x))
            turn = (bearing - pose.yaw_deg + 180.0) % 360.0 - 180.0
            forward = 1.0 if abs(turn) < 40.0 else 0.0
            pose = driver.tick(Command(forward=forward, yaw_deg=max(-20.0, min(20.0, turn)))).pose
    return pose


def test_it_offers_a_target_for_every_sort_of_anomaly(subway: World) -> None:
    kinds = {place: {item.kind for item in subway.objects if item.region == place} for place in PLACES}
    assert kinds["concourse"] >= {"ticket_machine", "ticket_barrier", "kiosk", "photo_booth", "trolley_case"}
    assert kinds["platform"] >= {
        "train_car",
        "train_door",
        "departure_board",
        "vending_machine",
        "help_point",
    }
    assert kinds["trackside"] >= {"signal_lamp", "electric_cabinet", "oil_drum", "rail_trolley", "tunnel_fan"}
    operated = {item.interaction.kind for item in subway.objects if item.interaction}
    assert operated == {"hinge", "slide", "toggle", "spin"}
    for place in PLACES:
        assert any(item.dynamic for item in subway.objects if item.region == place)
    states = {item.interaction.states for item in subway.objects if item.interaction}
    assert states == {("off", "on"), ("closed", "open"), ("red", "green")}


def test_shadows_reach_the_floors_and_the_building_casts_none(subway: World) -> None:
    assert not any(item.casts_shadow for item in subway.objects if item.supports in ("fixed", "ceiling"))
    assert subway.sun.direction[2] < -0.8


def test_the_signal_shows_one_lens_at_a_time(subway: World) -> None:
    driver = MujocoDriver()
    driver.load(subway)
    driver.teleport(Pose(2.4, 3.5, TRACK_M, yaw_deg=180.0, pitch_deg=14.0))
    assert driver.object("signal_lamp_1").state == "red"
    driver.tick(Command(interact=True))
    for _ in range(12):
        driver.tick(Command())
    assert driver.object("signal_lamp_1").state == "green"
    driver.close()
