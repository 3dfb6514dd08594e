"""The scripted model `explorer`: what it makes out in pictures, what it does, and that it knows no more than
any model."""

from __future__ import annotations

import ast
import io
import math
import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Encoder

import benchmarks.worldaudit.scripted as scripted
from benchmarks.worldaudit import prompts
from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.plugin import WorldAudit
from benchmarks.worldaudit.scripted.baselines import Null
from benchmarks.worldaudit.scripted.explorer import Explorer, described, hinted
from benchmarks.worldaudit.scripted.explorer_body import Stand, View
from benchmarks.worldaudit.scripted.explorer_camera import EYE_M, Camera
from benchmarks.worldaudit.scripted.explorer_floor import Floors, free_fan, looks_bare, parallax, stands_at
from benchmarks.worldaudit.scripted.explorer_names import Shape, nouns_of, ranked
from benchmarks.worldaudit.scripted.explorer_plans import guess
from benchmarks.worldaudit.scripted.explorer_pops import turned_away, unmatched
from benchmarks.worldaudit.scripted.explorer_vision import (
    Picture,
    body_at,
    changes,
    decode,
    placeholder,
    regions,
)
from benchmarks.worldaudit.taxonomy import SUBCATEGORIES
from benchmarks.worldaudit.truth import truth
from embodied_eval.benchmark import Trajectory
from embodied_eval.models.types import Reply, Request
from embodied_eval.records import Json
from embodied_eval.worlds.model import World
from tests.benchmarks.worldaudit.kit import Plane, Table, boxes, indoor, plane_task, refused
from tests.testing_world import box, plane_world

SIZE = (180, 320)
FLOOR = np.array([0.7, 0.6, 0.5], np.float32)
WALL = np.array([0.5, 0.6, 0.7], np.float32)
THING = np.array([0.2, 0.3, 0.6], np.float32)
HOUSE = "The place: a room of a house with a wardrobe, a desk, an office chair and a television."


def plain() -> Picture:
    """A grey picture with soft blotches."""
    noise = np.random.default_rng(3).normal(0.0, 0.01, (*SIZE, 3)).astype(np.float32)
    return np.full((*SIZE, 3), 0.55, np.float32) + noise


def painted(stand: Stand, *, wall_x: float = 6.0, thing: tuple[float, float] | None = None) -> View:
    """What an eye at `stand` sees: a tiled floor, a wall across at `wall_x`, and a block 1 m high and 0.8 m
    wide, striped, whose front is at x = `thing[0]`, middle at y = `thing[1]`."""
    camera = Camera(SIZE[1], SIZE[0], stand.gaze_deg)
    picture = np.zeros((*SIZE, 3), np.float32)
    for row in range(SIZE[0]):
        for column in range(SIZE[1]):
            ray = camera.ray(column + 0.5, row + 0.5)
            turn = math.radians(stand.heading_deg + ray.right_deg)
            ahead, right = math.cos(turn), math.sin(turn)
            far = (wall_x - stand.x) / ahead if ahead > 1e-3 else math.inf
            colour = WALL
            ground = EYE_M / -ray.slope if ray.slope < 0 else math.inf
            if ground < far:
                x, y = stand.x + ground * ahead, stand.y + ground * right
                tile = (math.floor(x / 0.3) + math.floor(y / 0.3)) % 2
                far, colour = ground, FLOOR * (0.92 if tile else 1.0)
            if thing is not None and ahead > 1e-3 and thing[0] > stand.x:
                front = (thing[0] - stand.x) / ahead
                y, z = stand.y + front * right, EYE_M + front * ray.slope
                if front < far and abs(y - thing[1]) < 0.4 and 0.0 <= z <= 1.0:
                    colour = THING * (1.0 if math.floor(z / 0.12) % 2 else 1.6)
            picture[row, column] = colour
    return View(f"x{stand.x}", stand, picture)


def known() -> Floors:
    floors = Floors()
    floors.learn(painted(Stand(0.0, 0.0, 0.0, 55.0)), Stand(0.5, 0.0, 0.0, 0.0))
    return floors


def encoded(picture: Picture, quality: int = 85) -> bytes:
    out = io.BytesIO()
    Encoder.fromarray((picture.clip(0, 1) * 255).astype(np.uint8)).save(out, "JPEG", quality=quality)
    return out.getvalue()


def test_a_change_is_found_where_it_is_and_what_jpeg_does_is_none() -> None:
    before, after = plain(), plain()
    after[60:100, 120:160] = (0.9, 0.2, 0.2)
    assert changes(decode(encoded(before)), decode(encoded(before, 75))) == []
    (found,) = changes(decode(encoded(before)), decode(encoded(after)))
    assert (found.x0, found.y0, found.x1, found.y1) == pytest.approx((120, 60, 160, 100), abs=3)
    assert found.share == pytest.approx(40 * 40 / (180 * 320), rel=0.15)
    assert not found.cut(SIZE[1], SIZE[0])


def test_a_shift_by_a_pixel_is_no_change() -> None:
    one = painted(Stand(0.0, 0.0, 0.0, 20.0), thing=(3.0, 0.0)).rgb
    assert changes(one, np.roll(one, 1, axis=1)) == []


def test_a_shadow_counts_only_where_nothing_else_changed() -> None:
    before, dark = plain(), plain()
    dark[100:140, 40:120] *= 0.7
    assert len(changes(before, dark)) == 1
    dark[20:60, 200:260] = (0.2, 0.5, 0.2)
    assert [region.y0 < 100 for region in changes(before, dark)] == [True]
    assert len(changes(before, dark, light=True)) == 2


def test_regions_join_what_is_close_and_leave_specks() -> None:
    mask = np.zeros(SIZE, bool)
    mask[40:60, 40:60] = mask[40:60, 66:80] = True
    mask[120, 10] = True
    assert len(regions(mask, join_px=12)) == 1
    assert len(regions(mask, join_px=0)) == 2


def test_the_magenta_of_a_missing_material_is_found_in_light_and_shade() -> None:
    picture = plain()
    picture[50:90, 100:140] = (0.9, 0.05, 0.8)
    picture[90:110, 100:140] = (0.4, 0.03, 0.36)
    picture[20:40, 250:300] = (0.8, 0.2, 0.2)
    (found,) = placeholder(decode(encoded(picture)))
    assert (found.x0, found.y0, found.x1, found.y1) == pytest.approx((100, 50, 140, 110), abs=4)
    assert placeholder(plain()) == []


def test_the_body_of_a_thing_is_what_has_its_colour() -> None:
    view = painted(Stand(0.0, 0.0, 0.0, 20.0), thing=(2.5, 0.0))
    view.rgb[(np.abs(view.rgb - THING * 1.6) < 1e-3).all(axis=2)] = THING
    region = body_at(view.rgb, 160, round(view.camera.floor_row(2.5)) - 5)
    shape = Shape.of((region.x0, region.y0, region.x1, region.y1), view.camera)
    assert EYE_M + 2.5 * shape.low == pytest.approx(0.0, abs=0.08)
    assert EYE_M + 2.5 * shape.high == pytest.approx(1.0, abs=0.08)
    assert 2.5 * 2 * math.tan(shape.across_rad / 2) == pytest.approx(0.8, abs=0.08)


@pytest.mark.parametrize("gaze_deg", [0.0, 20.0, 55.0])
def test_floor_points_are_seen_where_their_pixels_look(gaze_deg: float) -> None:
    camera = Camera(320, 180, gaze_deg)
    column, row, depth = camera.project(np.array([3.0]), np.array([0.7]))
    ray = camera.ray(float(column[0]), float(row[0]))
    assert depth[0] > 0
    assert ray.right_deg == pytest.approx(math.degrees(math.atan2(0.7, 3.0)))
    assert EYE_M / -ray.slope == pytest.approx(math.hypot(0.7, 3.0))
    assert camera.project(np.array([3.0]), np.array([0.0]))[1][0] == pytest.approx(camera.floor_row(3.0))


def test_the_floor_is_free_up_to_what_stands_on_it() -> None:
    stand, floors = Stand(0.0, 0.0, 0.0, 26.0), known()
    assert free_fan(painted(stand, wall_x=4.0), (0.0,), floors)[0] == pytest.approx(4.0, abs=0.3)
    view = painted(stand, thing=(2.2, 0.0))
    assert free_fan(view, (0.0,), floors)[0] == pytest.approx(2.2, abs=0.25)
    assert stands_at(view, 0.0, free_fan(view, (0.0,), floors)[0], floors)
    assert free_fan(view, (-35.0,), floors)[0] > 3.5


def test_a_wall_before_the_eyes_is_no_floor() -> None:
    view = painted(Stand(0.0, 0.0, 0.0, 20.0), wall_x=0.6)
    assert free_fan(view, (0.0, 10.0), known()) == [0.0, 0.0]


def test_parallax_tells_bare_floor_from_what_stands_there() -> None:
    stands = [Stand(x, 0.0, 0.0, 26.0) for x in (0.0, 0.6)]
    corner = Stand(2.2, 0.0, 0.0, 26.0)
    bare = parallax([painted(stand) for stand in stands], corner, 0.5, 0.6)
    blocked = [painted(stand, thing=(2.3, 0.2)) for stand in stands]
    there = parallax(blocked, corner, 0.5, 0.6)
    assert bare is not None and there is not None
    assert bare < 0.06 < there
    assert parallax([painted(stands[0])], corner, 0.5, 0.6) is None
    assert looks_bare([painted(stand) for stand in stands], corner, known())
    assert not looks_bare(blocked, Stand(2.4, 0.2, 0.0, 26.0), known())


def test_what_goes_as_one_walks_on_is_found_and_what_stays_is_not() -> None:
    far, near = Stand(0.0, 0.0, 0.0, 18.0), Stand(1.1, 0.0, 0.0, 18.0)
    there = (4.5, 0.3)
    assert unmatched(painted(far, thing=there), painted(near, thing=there), known()) == []
    (gone,) = unmatched(painted(far, thing=there), painted(near), known())
    camera = Camera(SIZE[1], SIZE[0], 18.0)
    assert gone.x0 < camera.width / 2 + camera.focal_px * 0.3 / 4.5 < gone.x1


def test_what_goes_as_one_turns_is_found_and_what_stays_is_not() -> None:
    first, second = Stand(0.0, 0.0, 0.0, 16.0), Stand(0.0, 0.0, 30.0, 16.0)
    there = (3.0, 0.8)
    assert turned_away([painted(first, thing=there), painted(second, thing=there)]) == []
    assert len(turned_away([painted(first, thing=there), painted(second)])) == 1


@pytest.mark.parametrize(
    ("name", "far_m", "width_m", "low_m", "high_m"),
    [
        ("wardrobe", 3.0, 1.5, 0.0, 2.0),
        ("television", 2.6, 1.2, 0.55, 1.25),
        ("wall clock", 3.0, 0.34, 1.7, 2.05),
        ("office chair", 2.5, 0.65, 0.0, 1.05),
    ],
)
def test_a_thing_of_usual_size_gets_its_name(
    name: str, far_m: float, width_m: float, low_m: float, high_m: float
) -> None:
    shape = Shape((low_m - EYE_M) / far_m, (high_m - EYE_M) / far_m, 2 * math.atan(width_m / 2 / far_m))
    names = [noun.name for _fit, noun in ranked(nouns_of(HOUSE), shape)]
    assert name in names[:2]


def test_what_the_description_names_weighs_more_than_what_is_strange_there() -> None:
    weights = {noun.name: noun.weight for noun in nouns_of(HOUSE)}
    assert weights["wardrobe"] > weights["wall clock"] > weights["ticket barrier"]
    assert len({noun.weight for noun in nouns_of("")}) == 1


@pytest.mark.parametrize("code", sorted(SUBCATEGORIES))
@pytest.mark.parametrize("icl", [True, False])
def test_it_takes_the_kind_and_the_place_from_the_prompt(code: str, icl: bool) -> None:
    task = plane_task()
    told = replace(task, public={**task.public, "subcategory": code})
    for hint in ("code", "definition"):
        assert hinted(prompts.opening(told, Options(type_hint=hint, icl=icl))) == code
    assert hinted(prompts.opening(told, Options(type_hint="none", icl=icl))) == ""
    assert described(prompts.opening(told, Options(icl=icl))) == "The place: An open floor with boxes."
    assert described(prompts.opening(told, Options(scene_description=False, icl=icl))) == ""


def test_it_looks_at_nothing_that_other_models_cannot_see() -> None:
    allowed = {
        "benchmarks.worldaudit.scripted",
        "benchmarks.worldaudit.taxonomy",
        "embodied_eval.models.types",
        "embodied_eval.records",
    }
    sources = sorted(Path(scripted.__path__[0]).glob("explorer*.py"))
    assert len(sources) > 5
    for source in sources:
        tree = ast.parse(source.read_text("utf-8"))
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                ours = name.startswith(("benchmarks", "embodied_eval", "tests"))
                assert not ours or any(
                    name == other or name.startswith(f"{other}.explorer") or name.endswith(".baselines")
                    for other in allowed
                ), f"{source.name} imports {name}"
            assert not (isinstance(node, ast.Attribute) and node.attr == "private"), source.name
    assert Explorer.privileged is False and Explorer.control == ""


def rooms() -> World:
    """A few blocks about the start, one of which can be walked through and one that moves."""
    return plane_world(
        box("wall", (3.5, 0.0, 0.0), (1.0, 6.0, 2.5)),
        box("ghost", (-3.0, 0.5, 0.0), (1.0, 2.0, 1.0), collides=False),
        box("crate", (0.0, 2.5, 0.0), (0.4, 0.4, 0.4), dynamic=True),
    )


def played(table: Table, code: str, options: Mapping[str, Json]) -> Trajectory:
    task = plane_task()
    told = replace(task, public={**task.public, "subcategory": code})
    return table.play(Plane(rooms(), Null), told, "scripted/explorer", options=options)


@pytest.mark.parametrize("code", ["G1", "C1", "C2", "C3", "V1", "V4", "T1"])
@pytest.mark.parametrize("budget", [1, 2, 3, 7])
def test_it_keeps_to_the_budget_and_to_what_is_allowed(table: Table, code: str, budget: int) -> None:
    made = played(table, code, {"budget": budget})
    assert made.outcome.status == "completed", made.outcome.reason
    assert sum(step.counts for step in made.steps) <= budget
    assert not any(refused(step) for step in made.steps), [step.result for step in made.steps]
    assert len(made.outcome.answer["findings"]) <= 3


@pytest.mark.parametrize(
    "options",
    [
        {"memory_tools": False},
        {"obs": "film"},
        {"obs": "final", "type_hint": "none"},
        {"proprio": False, "scene_description": False},
        {"icl": True},
        {"require_full_budget": True},
    ],
    ids=lambda options: "-".join(options),
)
def test_it_plays_under_every_switch(table: Table, options: dict[str, Json]) -> None:
    for code in ("T1", "C2"):
        made = played(table, code, {"budget": 6, **options})
        assert made.outcome.status == "completed", made.outcome.reason
        refusals = [step.result for step in made.steps if refused(step)]
        assert all("actions are left" in text for text in refusals), refusals
        if "require_full_budget" in options:
            assert sum(step.counts for step in made.steps) == 6


def test_the_same_seed_gives_the_same_inspection(table: Table) -> None:
    one, two = (played(table, "G1", {"budget": 5}) for _ in range(2))
    assert [(step.action, step.arguments, step.result) for step in one.steps] == [
        (step.action, step.arguments, step.result) for step in two.steps
    ]
    assert one.outcome == two.outcome
    told = nouns_of(HOUSE)
    assert len({guess(told, "G1", random.Random(seed)) for seed in range(9)}) > 1


def test_it_gets_no_truth_and_one_call_a_turn(table: Table) -> None:
    seen: list[tuple[object, int]] = []

    class Spy(Explorer):
        def reply(self, request: Request) -> Reply:
            reply = super().reply(request)
            seen.append((self.private, len(reply.tool_calls)))
            return reply

    table.play(Plane(boxes(), Spy), plane_task(), "scripted/script", options={"budget": 3})
    assert set(seen) == {(None, 1)}


SOLVED = [
    pytest.param(10, id="V4-the-magenta-dresser"),
    pytest.param(11, id="T1-the-clock-that-vanishes"),
    pytest.param(13, id="T3-the-wardrobe-that-opens"),
    pytest.param(5, id="C2-the-invisible-wall", marks=pytest.mark.full),
    pytest.param(6, id="C3-the-ball-that-flies-off", marks=pytest.mark.full),
]


@pytest.mark.gl
@pytest.mark.parametrize("number", SOLVED)
def test_it_finds_what_can_be_found_by_looking_again_and_by_pushing_on(
    mujoco_table: Table, number: int
) -> None:
    options = {"width": 480, "height": 270}
    made = mujoco_table.play(WorldAudit(), indoor(number), "scripted/explorer", options=options)
    got = {verdict.item: verdict for verdict in truth(made)}
    assert got["identified"].passed and got["evidenced"].passed, got["identified"].reason
    assert sum(step.counts for step in made.steps) <= Options().budget


@pytest.mark.gl
@pytest.mark.full
def test_where_nothing_invisible_stands_it_claims_nothing(mujoco_table: Table) -> None:
    task = indoor(5)
    clean = replace(task, private={**task.private, "effects": [], "watch": []})
    options = {"width": 480, "height": 270}
    made = mujoco_table.play(WorldAudit(), clean, "scripted/explorer", options=options)
    assert made.outcome.answer["findings"] == []
