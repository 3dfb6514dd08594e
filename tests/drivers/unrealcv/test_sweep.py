"""The capsule's sweep, against shapes whose distance is known."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embodied_eval.drivers.body import RADIUS_M, SKIN_M
from embodied_eval.drivers.unrealcv.sweep import SLACK_M, nearest_to_origin, swept
from embodied_eval.worlds.geometry import Array

number = st.floats(-5.0, 5.0)
length = st.floats(0.01, 3.0)


def box(center: tuple[float, float, float], half: tuple[float, float, float]) -> Array:
    corners = [np.array(center) + np.array(half) * np.array(signs) for signs in product((-1, 1), repeat=3)]
    return np.array(corners)


@settings(max_examples=60, deadline=None)
@given(st.tuples(number, number, number), st.tuples(length, length, length))
def test_the_nearest_point_of_a_box(
    center: tuple[float, float, float], half: tuple[float, float, float]
) -> None:
    low, high = np.array(center) - half, np.array(center) + half
    assert np.linalg.norm(nearest_to_origin(box(center, half))) == pytest.approx(
        np.linalg.norm(np.clip(0.0, low, high)), abs=1e-6
    )


def test_it_stops_a_skin_before_a_wall_and_slides_along_floors() -> None:
    solids = [box((0.0, 0.0, -0.1), (9.0, 9.0, 0.1)), box((2.0, 0.0, 1.0), (0.1, 3.0, 1.0))]
    feet = np.zeros(3)
    ahead = np.array([3.0, 0.0, 0.0])
    assert swept(solids, feet, ahead) * 3.0 == pytest.approx(1.9 - RADIUS_M - SKIN_M)
    touching = np.array([1.9 - RADIUS_M - SKIN_M, 0.0, 0.0])
    assert swept(solids, touching, ahead) == 0.0
    for free in ((0.0, 2.0, 0.0), (-2.0, 0.0, 0.0), (0.0, 0.0, 2.0)):
        assert swept(solids, touching, np.array(free)) == 1.0
    assert swept(solids, np.array([0.0, 0.0, 0.5]), np.array([0.0, 0.0, -1.0])) == pytest.approx(0.5 - SKIN_M)
    assert swept(solids, feet, np.zeros(3)) == 1.0


@settings(max_examples=60, deadline=None)
@given(st.tuples(number, number), st.floats(-180.0, 180.0), length)
def test_it_never_ends_inside_a_post(at: tuple[float, float], course_deg: float, distance: float) -> None:
    post = box((at[0], at[1], 1.0), (0.2, 0.2, 1.0))

    def gap(feet: Array) -> float:
        aside = np.clip(feet[:2], post.min(axis=0)[:2], post.max(axis=0)[:2]) - feet[:2]
        return float(np.linalg.norm(aside)) - RADIUS_M

    start = np.zeros(3)
    if gap(start) < SKIN_M:
        return
    course = np.radians(course_deg)
    motion = distance * np.array([np.cos(course), np.sin(course), 0.0])
    share = swept([post], start, motion)
    assert gap(start + share * motion) >= -SLACK_M - 1e-6
    # It was stopped by the post only if a little more would have touched it.
    assert share == 1.0 or gap(start + share * motion) < 0.05


def test_an_axis_inside_a_solid_is_stuck() -> None:
    assert swept([box((0.0, 0.0, 1.0), (1.0, 1.0, 1.0))], np.zeros(3), np.array([1.0, 0.0, 0.0])) == 0.0
