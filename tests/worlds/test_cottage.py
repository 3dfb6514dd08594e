"""The bundled world `cottage`: clean, deterministic, walkable over its steps, ramp and bridge, rich enough, silent."""

from __future__ import annotations

import math

import pytest

from embodied_eval.drivers.base import Command
from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.records import Pose
from embodied_eval.worlds.bundled import load_world
from embodied_eval.worlds.bundled.cottage.building import FLOOR_M
from embodied_eval.worlds.bundled.cottage.grounds import BRIDGE_X, GATE_X, POND_Y, RAISED_M, TERRACE_M
from embodied_eval.worlds.geometry import Array, joint_bounds, world_solids
from embodied_eval.worlds.library.garden_water import DECK_M, POND_DEPTH_M
from embodied_eval.worlds.model import Vec3, World
from embodied_eval.worlds.navigation import NavGrid

PLACES = ("front_garden", "kitchen_garden", "pond", "cottage_rooms")


@pytest.fixture(scope="module")
def cottage() -> World:
    return load_world("cottage")


@pytest.fixture(scope="module")
def grid(cottage: World) -> NavGrid:
    return NavGrid(cottage)


def spots(world: World) -> dict[str, Vec3]:
    places: dict[str, Vec3] = {spawn.name: spawn.position for spawn in world.spawns}
    return places | {point.name: point.position for point in world.points_of_interest}


def test_every_place_is_walkable_with_room_to_spare(cottage: World) -> None:
    roomy = NavGrid(cottage, clearance_m=0.08)
    start = cottage.spawn("front_garden").position
    for name, position in spots(cottage).items():
        assert roomy.path(start[:2], position[:2]) is not None, name
    # At least 4 m of open ground outdoors, and the way from the gate to the door.
    assert roomy.line_clear((GATE_X, 1.6), (11.1, 6.0))
    assert roomy.line_clear((22.5, 10.0), (18.6, 10.2))
    assert roomy.line_clear((11.9, 9.0), (11.55, 13.2))
    assert roomy.line_clear((BRIDGE_X, 3.0), (BRIDGE_X, 9.5))


def test_the_ground_has_its_levels(grid: NavGrid) -> None:
    def height(x: float, y: float) -> float:
        return float(grid.ground[grid.cell(x, y)])

    assert height(12.3, 6.5) == pytest.approx(0.0, abs=0.005)
    assert height(12.2, 11.3) == pytest.approx(TERRACE_M)
    assert height(4.4, 11.0) == pytest.approx(RAISED_M, abs=0.005)
    assert height(11.75, 13.6) == pytest.approx(FLOOR_M)
    assert height(BRIDGE_X, POND_Y) == pytest.approx(DECK_M - POND_DEPTH_M, abs=0.02)
    assert height(20.3, 6.6) == pytest.approx(-POND_DEPTH_M)


@pytest.mark.parametrize(
    ("start", "goal"),
    [
        ("front_garden", "kitchen_garden"),
        ("on_terrace", "kitchen_garden_2"),
        ("pond_2", "north_of_bridge"),
        ("front_garden_3", "by_bed"),
        ("pond", "on_jetty"),
    ],
)
def test_the_agent_arrives_where_paths_lead_over_steps_ramp_and_bridge(
    cottage: World, grid: NavGrid, start: str, goal: str
) -> None:
    places = spots(cottage)
    driver = MujocoDriver()
    driver.load(cottage)
    arrived = _walk(driver, grid, places[start], places[goal])
    driver.close()
    assert math.dist((arrived.x, arrived.y), places[goal][:2]) < 0.12
    assert arrived.z == pytest.approx(float(grid.ground[grid.cell(*places[goal][:2])]), abs=0.03)


def test_one_wades_in_and_out_of_the_pond(cottage: World, grid: NavGrid) -> None:
    driver = MujocoDriver()
    driver.load(cottage)
    inside = _walk(driver, grid, (18.6, 9.6, 0.0), (19.6, 6.9, -POND_DEPTH_M))
    assert inside.z == pytest.approx(-POND_DEPTH_M, abs=0.01)
    out = _walk(driver, grid, (inside.x, inside.y, inside.z), (17.2, 7.4, 0.0))
    assert out.z == pytest.approx(0.0, abs=0.01)
    driver.close()


def _walk(driver: MujocoDriver, grid: NavGrid, start: Vec3, goal: Vec3) -> Pose:
    path = grid.path(start[:2], goal[:2])
    assert path is not None
    pose = driver.teleport(Pose(start[0], start[1], float(grid.ground[grid.cell(*start[:2])]))).pose
    for x, y in path[1:]:
        for _ in range(400):
            if math.hypot(x - pose.x, y - pose.y) < 0.08:
                break
            bearing = math.degrees(math.atan2(y - pose.y, x - pose.x))
            turn = (bearing - pose.yaw_deg + 180.0) % 360.0 - 180.0
            forward = 1.0 if abs(turn) < 40.0 else 0.0
            pose = driver.tick(Command(forward=forward, yaw_deg=max(-20.0, min(20.0, turn)))).pose
    return pose


def test_the_gate_opens_and_lets_one_out(cottage: World) -> None:
    driver = MujocoDriver()
    driver.load(cottage)
    driver.teleport(Pose(GATE_X, 1.3, 0.0, yaw_deg=-90.0, pitch_deg=-35.0))
    driver.tick(Command(interact=True))
    for _ in range(40):
        driver.tick(Command())
    assert driver.object("garden_gate_1").state == "open"
    driver.teleport(Pose(GATE_X, 1.0, 0.0, yaw_deg=-90.0))
    for _ in range(30):
        pose = driver.tick(Command(forward=1.0)).pose
    assert pose.y < -1.0
    driver.close()


def test_it_offers_a_target_for_every_sort_of_anomaly(cottage: World) -> None:
    kinds = {place: {item.kind for item in cottage.objects if item.region == place} for place in PLACES}
    assert kinds["front_garden"] >= {"garden_gate", "well", "apple_tree", "garden_bench", "flower_bed", "hen"}
    assert kinds["kitchen_garden"] >= {"garden_shed", "beehive", "vegetable_bed", "woodpile", "wheelbarrow"}
    assert kinds["pond"] >= {"footbridge", "jetty", "rowing_boat", "reeds", "garden_swing", "washing_line"}
    assert kinds["cottage_rooms"] >= {"fireplace", "dining_table", "single_bed", "wardrobe", "stove", "door"}
    operated = {item.interaction.kind for item in cottage.objects if item.interaction}
    assert operated >= {"hinge", "toggle", "spin"}
    for place in ("front_garden", "kitchen_garden", "pond"):
        assert any(item.dynamic for item in cottage.objects if item.region == place)


def test_the_sun_is_low_and_the_cottage_throws_a_shadow(cottage: World) -> None:
    x, y, z = cottage.sun.direction
    assert math.hypot(x, y) > 1.4 * abs(z) > 0.0
    roof = cottage.object("gable_roof_1")
    assert roof.casts_shadow
    low, high = _bounds(cottage, "gable_roof_1")
    assert low[2] > 2.2 and high[2] > 4.5
    assert not any(item.casts_shadow for item in cottage.objects if item.kind in ("ground", "hill"))


def _bounds(world: World, name: str) -> tuple[Array, Array]:
    return joint_bounds(world_solids(world.object(name)))
