"""Depth, masks and normals against an exact ray caster and against MuJoCo's own renderer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embodied_eval.drivers.render import Entity
from embodied_eval.drivers.render.instances import rotation_matrix
from embodied_eval.worlds.model import Primitive
from tests.drivers.render.kit import SIZE, ball, box, cast_ball, cast_box, put, rays, renderer

pytestmark = pytest.mark.gl
VIEWS = [((-3.0, 0.4, 1.5), 5.0, -20.0), ((2.5, 2.5, 2.0), -130.0, -30.0), ((0.5, -3.0, 0.7), 95.0, 3.0)]


def _solids(seed: int) -> list[tuple[str, np.ndarray, tuple[float, float, float], np.ndarray]]:
    rng = np.random.default_rng(seed)
    solids = []
    for index in range(24):
        position = np.array([*rng.uniform(-2.0, 2.0, 2), rng.uniform(0.2, 1.8)])
        rotation = tuple(rng.uniform(-180, 180, 3))
        size = rng.uniform(0.15, 0.7, 3)
        solids.append(("box" if index % 2 else "ball", position, rotation, size))
    return solids


@pytest.mark.parametrize("view", VIEWS)
def test_boxes_and_spheres_are_where_exact_rays_find_them(view: Any) -> None:
    eye, yaw, pitch = view
    drawn = renderer()
    directions = rays(yaw, pitch, SIZE, 90.0)
    depth = np.full(SIZE[::-1], np.inf)
    mask = np.full(SIZE[::-1], -1)
    normals = np.zeros((*SIZE[::-1], 3))
    for index, (kind, position, rotation, size) in enumerate(_solids(3)):
        if kind == "box":
            put(drawn, f"o{index}", index, box(tuple(size)), position=tuple(position), rotation_deg=rotation)
            there, facing = cast_box(np.array(eye), directions, position, rotation_matrix(rotation), size)
        else:
            put(drawn, f"o{index}", index, ball(size[0]), position=tuple(position), rotation_deg=rotation)
            there, facing = cast_ball(np.array(eye), directions, position, size[0] / 2)
        nearer = there < depth
        depth[nearer], mask[nearer], normals[nearer] = there[nearer], index, facing[nearer]
    frame = drawn.render(eye, yaw, pitch, SIZE, ("depth", "mask", "normals"))
    drawn.close()

    assert frame["depth"].dtype == np.float32 and frame["depth"].shape == SIZE[::-1]
    assert frame["mask"].dtype == np.int32
    assert frame["normals"].dtype == np.float32
    assert (mask >= 0).sum() > 5000
    # Outlines differ by pixels that a tessellated or rounded edge just misses.
    assert (frame["mask"] == mask).mean() > 0.995
    same = (frame["mask"] == mask) & (mask >= 0)
    of_box = same & (mask % 2 == 1)
    of_ball = same & (mask % 2 == 0)
    assert np.quantile(np.abs(frame["depth"][of_box] - depth[of_box]), 0.99) < 1e-5
    assert np.quantile(np.abs(frame["depth"][of_ball] - depth[of_ball]), 0.95) < 0.01
    cosine = (frame["normals"] * normals).sum(-1)
    assert np.quantile(cosine[of_box], 0.01) > 0.9999
    assert np.quantile(cosine[of_ball], 0.05) > 0.995
    sky = frame["mask"] < 0
    assert np.isposinf(frame["depth"][sky]).all() and np.isfinite(frame["depth"][~sky]).all()
    assert not frame["normals"][sky].any()


GEOMS = {
    "box": ("box", lambda s: s / 2),
    "ellipsoid": ("ellipsoid", lambda s: s / 2),
    "cylinder": ("cylinder", lambda s: np.array([s[0] / 2, s[2] / 2])),
    "capsule": ("capsule", lambda s: np.array([s[0] / 2, (s[2] - s[0]) / 2])),
}


# In a process of its own: MuJoCo chooses its GL library at its first import, which here may be long past.
THEIRS = """
import sys
import mujoco
import numpy as np
model = mujoco.MjModel.from_xml_string(sys.stdin.read())
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
drawn = mujoco.Renderer(model, int(sys.argv[2]), int(sys.argv[1]))
drawn.update_scene(data, "eye")
drawn.enable_depth_rendering()
depth = drawn.render()
drawn.disable_depth_rendering()
drawn.enable_segmentation_rendering()
mask = drawn.render()[..., 0]
np.savez(sys.argv[3], depth=depth, mask=mask, axes=data.cam_xmat[0].reshape(3, 3))
drawn.close()
"""


def test_agrees_with_the_renderer_of_mujoco(tmp_path: Path) -> None:
    mujoco = pytest.importorskip("mujoco")
    rng = np.random.default_rng(8)
    drawn = renderer()
    geoms = ['<geom type="box" size="3 3 0.05" pos="0 0 -0.05"/>']
    put(drawn, "floor", 0, box((6.0, 6.0, 0.1)), position=(0.0, 0.0, -0.05))
    for index in range(1, 41):
        shape = list(GEOMS)[index % 4]
        position = np.array([*rng.uniform(-2.2, 2.2, 2), rng.uniform(0.1, 1.5)])
        angles = tuple(rng.uniform(-180, 180, 3))
        wide = rng.uniform(0.15, 0.4)
        size = np.array([wide, wide, rng.uniform(0.45, 0.8)])
        kind, half = GEOMS[shape]
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, rotation_matrix(angles).ravel())
        numbers = " ".join(map(repr, map(float, half(size))))
        place = " ".join(map(repr, map(float, position)))
        turn = " ".join(map(repr, map(float, quat)))
        geoms.append(f'<geom type="{kind}" size="{numbers}" pos="{place}" quat="{turn}"/>')
        primitive = Primitive(shape, tuple(size))  # type: ignore[arg-type]
        put(drawn, f"o{index}", index, primitive, position=tuple(position), rotation_deg=angles)

    fovy = np.degrees(2 * np.arctan(SIZE[1] / SIZE[0]))
    xml = f"""<mujoco><visual><quality shadowsize="0" numslices="64" numstacks="32"/>
        <map znear="0.005" zfar="10"/></visual><worldbody>{"".join(geoms)}
        <camera name="eye" pos="-2.6 -2.4 1.7" xyaxes="0.6 -0.8 0 0.24 0.18 0.954" fovy="{fovy}"/>
        </worldbody></mujoco>"""
    saved = tmp_path / "theirs.npz"
    subprocess.run(
        [sys.executable, "-c", THEIRS, str(SIZE[0]), str(SIZE[1]), str(saved)],
        input=xml,
        text=True,
        check=True,
        env={**os.environ, "MUJOCO_GL": "egl"},
    )
    with np.load(saved, allow_pickle=False) as theirs:
        depth, mask, axes = theirs["depth"], theirs["mask"], theirs["axes"]
    forward = -axes[:, 2]
    yaw, pitch = np.degrees(np.arctan2(forward[1], forward[0])), np.degrees(np.arcsin(forward[2]))
    frame = drawn.render((-2.6, -2.4, 1.7), yaw, pitch, SIZE, ("depth", "mask"))
    drawn.close()

    assert len(np.unique(mask)) > 20
    same = frame["mask"] == mask
    assert same.mean() > 0.99
    solid = same & (mask >= 0)
    assert np.quantile(np.abs(frame["depth"] - depth)[solid], 0.95) < 0.01
    assert np.median(np.abs(frame["depth"] - depth)[solid]) < 1e-3


@pytest.mark.parametrize("shape", ["cylinder", "capsule", "cone", "ellipsoid"])
@pytest.mark.parametrize("distance_m", [0.6, 2.0, 8.0])
def test_outlines_keep_their_size_at_every_level_of_detail(shape: Any, distance_m: float) -> None:
    drawn = renderer()
    put(drawn, "o", 7, Primitive(shape, (0.3, 0.3, 0.3)), position=(distance_m, 0.0, 0.0))
    size = (640, 360)
    mask = drawn.ids((0.0, 0.0, 0.0), 0.0, 0.0, size)
    drawn.close()
    seen = (mask == 7).any(axis=0).sum()
    # The widest outline: tangent lines for round solids from the side, the base for a cone.
    radius = 0.15
    if shape == "cone":
        assert seen > 0.9 * 320 * 2 * radius / distance_m
        return
    expected = 2 * 320 * np.tan(np.arcsin(radius / distance_m))
    assert abs(seen - expected) <= max(1.5, 0.01 * expected)


def test_an_object_scale_stretches_positions_and_sizes() -> None:
    drawn = renderer()
    put(drawn, "o", 1, box((0.2, 0.2, 0.2), position=(0.0, 0.4, 0.0)), position=(3.0, 0.0, 0.0))
    put(drawn, "turned", 2, box((0.2, 0.4, 0.2), rotation_deg=(0.0, 0.0, 90.0)), position=(3.0, -1.0, 0.0))
    drawn.update("o", scale=(1.0, 2.0, 3.0))
    drawn.update("turned", scale=(1.0, 2.0, 1.0))
    frame = drawn.render((0.0, 0.0, 0.0), 0.0, 0.0, (960, 540), ("mask", "depth"))
    drawn.close()
    px_per_m = 480 / 2.9
    rows, columns = np.nonzero(frame["mask"] == 1)
    assert abs((columns.max() + columns.min() + 1) / 2 - (480 - 0.8 * px_per_m)) < 8
    assert abs(rows.max() - rows.min() + 1 - 0.6 * px_per_m) < 2
    rows, columns = np.nonzero(frame["mask"] == 2)
    front = frame["depth"][frame["mask"] == 2].min()
    assert abs(front - 2.8) < 1e-3
    assert abs(rows.max() - rows.min() + 1 - 0.2 * 480 / 2.8) < 2


def test_a_skewed_part_keeps_right_normals() -> None:
    drawn = renderer()
    primitive = box((0.6, 0.6, 0.6), rotation_deg=(0.0, 0.0, 45.0))
    drawn.add(Entity("o", 1, (primitive,)))
    drawn.update("o", position=(2.0, 0.0, 0.0), scale=(1.0, 2.0, 1.0))
    frame = drawn.render((0.0, 0.0, 0.0), 0.0, 0.0, SIZE, ("normals", "mask"))
    drawn.close()
    seen = np.unique(np.round(frame["normals"][frame["mask"] == 1], 3), axis=0)
    wanted = np.array([-2.0, 1.0, 0.0]) / np.sqrt(5.0)
    assert any(np.allclose(row, wanted, atol=2e-3) for row in seen)
    assert any(np.allclose(row, wanted * [1, -1, 1], atol=2e-3) for row in seen)
