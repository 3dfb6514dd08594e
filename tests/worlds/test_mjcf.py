"""A world as a MuJoCo model."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from embodied_eval.errors import DataFileError
from embodied_eval.worlds import mjcf
from embodied_eval.worlds.geometry import joint_bounds, world_solids
from embodied_eval.worlds.model import World
from tests.worlds.small import ball, crate, door, lamp, solid, wall, world


def compiled(place: World, *, release: bool = False) -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = mjcf.build(place, release=release).compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def test_one_body_a_part_and_joints_only_for_what_can_be_pushed() -> None:
    model, _ = compiled(world(door(), lamp(), crate("crate", (1, 1, 0), mass_kg=7.0)))
    names = {model.body(index).name for index in range(1, model.nbody)}
    assert names == {"floor/", "door/", "door/leaf", "lamp/", "crate/"}
    assert model.nv == 6
    assert model.body("crate/").mass[0] == pytest.approx(7.0)
    assert model.nmocap == 4


def test_mass_is_spread_by_volume_and_parts_of_a_movable_body_ride_along() -> None:
    item = replace(door(), dynamic=True, mass_kg=12.0)
    model, _ = compiled(world(item))
    assert model.body("door/").subtreemass[0] == pytest.approx(12.0)
    assert model.body("door/leaf").parentid[0] == model.body("door/").id
    assert model.nv == 6


@pytest.mark.parametrize("shape", ["box", "ellipsoid", "cylinder", "capsule", "cone"])
@pytest.mark.parametrize("size", [(0.4, 0.4, 1.0), (0.4, 0.6, 0.3)])
def test_every_shape_is_as_large_as_the_world_says(shape: str, size: tuple[float, float, float]) -> None:
    item = solid("it", size, (1.0, 2.0, 0.5), shape=shape, yaw_deg=30.0)  # type: ignore[arg-type]
    model, data = compiled(world(item, ground=False))
    low, high = joint_bounds(world_solids(item))
    # Feel from each side along the world axes for the surface.
    geom = np.zeros(1, dtype=np.int32)
    for axis in (0, 1):
        for sign, bound in ((1.0, low), (-1.0, high)):
            reach = []
            for height in np.linspace(low[2] + 1e-4, high[2] - 1e-4, 15):
                for across in np.linspace(low[1 - axis] + 1e-4, high[1 - axis] - 1e-4, 41):
                    start = np.zeros(3)
                    start[axis], start[1 - axis], start[2] = bound[axis] - sign, across, height
                    along = np.zeros(3)
                    along[axis] = sign
                    found = mujoco.mj_ray(model, data, start, along, None, 1, -1, geom)
                    if found >= 0:
                        reach.append(found)
            assert min(reach) == pytest.approx(1.0, abs=0.012)


def test_statics_never_collide_and_joined_things_may_overlap() -> None:
    table = solid("table", (1.0, 1.0, 0.7), (0.0, 0.0, 0.0))
    sunk = crate("sunk", (0.0, 0.0, 0.5))
    _, data = compiled(world(table, wall("wall", (1, 1, 1), (0.5, 0, 0)), ground=False))
    assert data.ncon == 0
    _, data = compiled(world(table, sunk, ground=False))
    assert data.ncon > 0
    _, data = compiled(world(table, replace(sunk, joined=("table",)), ground=False))
    assert data.ncon == 0


def test_released_spares_the_building_and_what_nothing_could_hold() -> None:
    rug = solid("rug", (1, 1, 0.01), (0, 0, 0), collides=False)
    tap = replace(solid("tap", (0.1, 0.1, 0.2), (1, 0, 0.7)), supports="table", joined=("table",))
    table = solid("table", (1, 1, 0.7), (1, 0, 0))
    falls = mjcf.released(world(rug, tap, table, wall("wall", (1, 1, 1), (3, 0, 0)), lamp()))
    assert falls == {"floor": False, "rug": False, "tap": False, "table": True, "wall": False, "lamp": True}


def test_what_no_solid_can_be_is_named() -> None:
    with pytest.raises(DataFileError, match="flat"):
        mjcf.build(world(solid("flat", (1.0, 1.0, 0.0), (0, 0, 0))))


def test_a_ball_comes_to_rest() -> None:
    model, data = compiled(world(ball("ball", (0, 0, 0))))
    data.qvel[0] = 1.0
    mujoco.mj_step(model, data, 1000)
    assert abs(data.qvel[0]) < 0.01
    assert 0.2 < data.qpos[0] < 2.0
