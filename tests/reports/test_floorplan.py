"""The floor plan: hulls, the cut through the walls, what is left out, and the part that is shown."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embodied_eval.worlds.bundled import load_world
from embodied_eval.worlds.model import Primitive, WorldObject
from reports.floorplan import Outline, convex_hull, outlines, plan_of, svg_xy
from tests.reports.synthetic_world import world

_points = st.lists(
    st.tuples(st.floats(-50, 50, allow_nan=False), st.floats(-50, 50, allow_nan=False)), max_size=40
)


def _named() -> dict[str, Outline]:
    return {outline.name: outline for outline in outlines(world())}


def _corners(path: str) -> list[list[tuple[int, int]]]:
    return [
        [(int(x), int(y)) for x, y in re.findall(r"(-?\d+) (-?\d+)", ring)]
        for ring in path.split("Z")
        if ring
    ]


@given(_points)
def test_hull_holds_all_points_and_turns_left(points: list[tuple[float, float]]) -> None:
    hull = convex_hull(points)
    if len(hull) < 3:
        return
    for i, corner in enumerate(hull):
        before = hull[i - 1]
        for x, y in points:
            left = (corner[0] - before[0]) * (y - before[1]) - (corner[1] - before[1]) * (x - before[0])
            assert left >= -0.05
    assert set(hull) <= {(round(x, 4), round(y, 4)) for x, y in points}


def test_walls_are_cut_so_that_doorway_and_window_are_gaps() -> None:
    rings = _corners(_named()["wall_mid"].path)
    assert len(rings) == 2, "the lintel above the doorway is not drawn"
    gap = sorted(y for ring in rings for _, y in ring)
    assert gap == [-400, -400, -240, -240, -150, -150, 0, 0]
    south = _corners(_named()["wall_s"].path)
    assert sorted(x for ring in south for x, _ in ring) == [0, 0, 500, 500, 600, 600, 800, 800]


def test_what_is_drawn_and_in_which_order() -> None:
    drawn = outlines(world())
    roles = {outline.name: outline.role for outline in drawn}
    assert "ceiling_1" not in roles
    assert roles["floor_1"] == "floor" and roles["rug_1"] == "cover" and roles["lamp_1"] == "overhead"
    order = [outline.name for outline in drawn]
    assert order[0] == "floor_1" and order.index("table_1") < order.index("vase_1") < order.index("wall_n")


def test_legs_under_a_table_top_are_not_drawn() -> None:
    (ring,) = _corners(_named()["table_1"].path)
    assert len(ring) == 4
    side = math.dist(ring[0], ring[1]), math.dist(ring[1], ring[2])
    assert sorted(side) == pytest.approx([80, 140], abs=1.5)


def test_rotation_scale_and_invisible_things() -> None:
    item = WorldObject(
        "post",
        "post",
        "post",
        (Primitive("box", (1, 0.2, 0.2), (1, 0, 0.1)),),
        (2, 1, 0),
        (0, 0, 90),
        (2, 1, 1),
    )
    shown = outlines(replace(world(), objects=(item, replace(item, name="ghost", visible=False))))
    assert [outline.name for outline in shown] == ["post"]
    assert shown[0].box == pytest.approx((1.9, 2, 2.1, 4), abs=0.01)


@pytest.mark.parametrize("shape", ["ellipsoid", "cylinder", "capsule", "cone"])
def test_round_shapes_are_round_from_above(shape: str) -> None:
    item = WorldObject("x", "x", "x", (Primitive(shape, (0.6, 0.6, 1.0), (0, 0, 0.5)),))  # type: ignore[arg-type]
    ((ring,),) = [_corners(outline.path) for outline in outlines(replace(world(), objects=(item,)))]
    assert all(math.hypot(x, y) == pytest.approx(30, abs=1.1) for x, y in ring)


def test_a_lying_capsule_is_as_long_as_it_is() -> None:
    lying = Primitive("capsule", (0.2, 0.2, 1.0), (0, 0, 0.1), (90, 0, 0))
    shown = outlines(replace(world(), objects=(WorldObject("x", "x", "x", (lying,)),)))
    assert shown[0].box == pytest.approx((-0.1, -0.5, 0.1, 0.5), abs=0.01)


def test_plan_shows_the_regions_that_were_visited() -> None:
    drawn, regions = outlines(world()), [region.bounds for region in world().regions]
    plan = plan_of(drawn, regions, [(1.0, 1.0), (2.0, 3.0)])
    assert plan is not None and plan.view == (-50, -450, 600, 500)
    assert "bed_1" not in {outline.name for outline in plan.outlines}
    both = plan_of(drawn, regions, [(1.0, 1.0), (6.0, 3.0)])
    assert both is not None and "bed_1" in {outline.name for outline in both.outlines}
    assert plan_of(drawn, regions, []) is None
    alone = plan_of((), [], [(10.0, 10.0)])
    assert alone is not None and alone.view[2:] == (300, 300)
    assert svg_xy(1.234, -2) == (123, 200)


def test_the_bundled_world_can_be_drawn() -> None:
    indoor = load_world("indoor")
    drawn = outlines(indoor)
    walls = [outline for outline in drawn if outline.role == "wall"]
    assert len(drawn) > 100 and walls
    low, high = indoor.bounds.low, indoor.bounds.high
    assert all(wall.box[0] > low[0] - 0.5 and wall.box[3] < high[1] + 0.5 for wall in walls)
    assert "ceiling" not in {outline.label for outline in drawn}
