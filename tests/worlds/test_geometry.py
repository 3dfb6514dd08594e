"""Rotations, solids and bounds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embodied_eval.worlds.geometry import (
    Solid,
    axis_rotation,
    joint_bounds,
    matrix_of,
    object_extent,
    part_pose,
    quaternion,
    rotation_angles,
    rotation_matrix,
    solids,
    world_solids,
)
from embodied_eval.worlds.model import Interaction, Primitive, WorldObject
from tests.worlds.small import door, solid

ANGLE = st.floats(-180, 180)
SIZE = st.floats(0.05, 2.0)
SHAPES = st.sampled_from(["box", "ellipsoid", "cylinder", "capsule", "cone"])


@settings(deadline=None)
@given(ANGLE, st.floats(-89, 89), ANGLE)
def test_angles_and_matrix_round_trip(roll: float, pitch: float, yaw: float) -> None:
    matrix = rotation_matrix((roll, pitch, yaw))
    again = rotation_matrix(rotation_angles(matrix))
    assert np.allclose(matrix, again, atol=1e-9)
    assert np.allclose(matrix @ matrix.T, np.eye(3), atol=1e-12)


@settings(deadline=None)
@given(ANGLE, ANGLE, ANGLE)
def test_quaternion_and_matrix_round_trip(roll: float, pitch: float, yaw: float) -> None:
    matrix = rotation_matrix((roll, pitch, yaw))
    found = quaternion(matrix)
    assert found[0] >= 0.0
    assert np.linalg.norm(found) == pytest.approx(1.0)
    assert np.allclose(matrix_of(found), matrix, atol=1e-9)


def test_order_of_the_angles_is_roll_then_pitch_then_yaw_about_fixed_axes() -> None:
    by_hand = axis_rotation((0, 0, 1), 30.0) @ axis_rotation((0, 1, 0), 20.0) @ axis_rotation((1, 0, 0), 10.0)
    assert np.allclose(rotation_matrix((10.0, 20.0, 30.0)), by_hand)
    # Yaw is counter-clockwise from above: +x turns to +y.
    assert np.array_equal(rotation_matrix((0.0, 0.0, 90.0)) @ (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


@settings(max_examples=60, deadline=None)
@given(SHAPES, SIZE, SIZE, SIZE, st.floats(0.0, 1.5), ANGLE, ANGLE, ANGLE)
def test_bounds_enclose_the_solid_and_are_tight(
    shape: str, x: float, y: float, z: float, taper: float, roll: float, pitch: float, yaw: float
) -> None:
    part = Solid(
        shape,  # type: ignore[arg-type]
        (x, y, z),
        taper,
        np.array([1.0, -2.0, 0.5]),
        rotation_matrix((roll, pitch, yaw)),
        Primitive("box", (x, y, z)),
    )
    low, high = part.bounds()
    inner, outer = part.vertices(48), part.vertices(48, outer=True)
    assert (inner >= low - 1e-9).all() and (inner <= high + 1e-9).all()
    # The hull of points on a round surface falls short of it by less than 1 - cos(7.5 degrees).
    slack = 0.01 * np.linalg.norm((x, y, z)) + 1e-9
    assert np.allclose(inner.min(axis=0), low, atol=slack)
    assert np.allclose(inner.max(axis=0), high, atol=slack)
    assert (outer.min(axis=0) <= low + 1e-9).all() and (outer.max(axis=0) >= high - 1e-9).all()


@pytest.mark.parametrize(
    ("shape", "taper", "wanted"),
    [
        ("box", 0.0, 0.4 * 0.4 * 1.0),
        ("ellipsoid", 0.0, math.pi / 6 * 0.4 * 0.4 * 1.0),
        ("cylinder", 0.0, math.pi * 0.2**2),
        ("cone", 0.0, math.pi * 0.2**2 / 3),
        ("cone", 1.0, math.pi * 0.2**2),
        ("capsule", 0.0, math.pi * 0.2**2 * 0.6 + 4 / 3 * math.pi * 0.2**3),
    ],
)
def test_volumes(shape: str, taper: float, wanted: float) -> None:
    size = (0.4, 0.4, 1.0)
    part = Solid(shape, size, taper, np.zeros(3), np.eye(3), Primitive("box", size))  # type: ignore[arg-type]
    assert part.volume() == pytest.approx(wanted)


def test_a_hinge_keeps_its_pivot_and_swings_the_leaf() -> None:
    item = door()
    assert item.interaction is not None
    rotation, offset = part_pose(item.interaction, -90.0, (1.0, 1.0, 1.0))
    assert np.allclose(rotation @ item.interaction.pivot + offset, item.interaction.pivot)
    _, high = joint_bounds(solids(item, amount=-90.0))
    assert high[0] == pytest.approx(0.9, abs=0.02)
    assert high[1] == pytest.approx(-0.39, abs=1e-9)
    assert object_extent(door(initial="open"))[0] < 0.2


def test_a_slide_goes_along_its_axis() -> None:
    slide = Interaction("slide", "drawer", (2.0, 0.0, 0.0), travel=0.4, states=("closed", "open"))
    rotation, offset = part_pose(slide, 0.4, (1.0, 1.0, 1.0))
    assert np.array_equal(rotation, np.eye(3))
    assert np.allclose(offset, (0.4, 0.0, 0.0))


def test_scale_is_about_the_origin_and_follows_quarter_turns() -> None:
    lying = WorldObject(
        "rod",
        "rod",
        "rod",
        (Primitive("cylinder", (0.1, 0.1, 1.0), (0.0, 0.0, 0.05), (0.0, 90.0, 0.0)),),
        scale=(2.0, 3.0, 4.0),
    )
    low, high = joint_bounds(world_solids(lying))
    assert np.allclose(high - low, (2.0, 0.3, 0.4))
    tall = solid("box", (0.5, 0.5, 1.0), (1.0, 1.0, 0.0), scale=(1.0, 1.0, 3.0))
    low, high = joint_bounds(world_solids(tall))
    assert low[2] == 0.0 and high[2] == pytest.approx(3.0)
