"""The in-context examples: complete, apart from what is scored, rendered as the recipe says, and read first."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Picture

from benchmarks.worldaudit import make_examples, tools
from benchmarks.worldaudit.example import FOOT, SIZE_PX, example_of, recipes
from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.suite import bundled_tasks
from benchmarks.worldaudit.taxonomy import SUBCATEGORIES
from benchmarks.worldaudit.tools import CATEGORIES
from embodied_eval.errors import DataFileError
from embodied_eval.worlds.bundled import load_world
from embodied_eval.worlds.effects import parse_effects
from embodied_eval.worlds.effects.fit import check_fit
from tests.benchmarks.worldaudit.kit import OBSERVE, Plane, Table, act, boxes, calls, plane_task, script

READ: tuple[str, Any] = ("read_example", {})
ICL = {"icl": True}


def test_there_is_one_of_each_kind_with_one_to_three_pictures() -> None:
    assert list(recipes()) == list(SUBCATEGORIES)
    for code in SUBCATEGORIES:
        example = example_of(code)
        assert 1 <= len(example.pictures) <= 3 and example.category in CATEGORIES
        assert [picture.image.ref for picture in example.pictures] == [
            f"ex{n}" for n in range(1, len(example.pictures) + 1)
        ]
        for picture in example.pictures:
            assert len(picture.image.data) < 40_000 and picture.caption.endswith(".")
            with Picture.open(io.BytesIO(picture.image.data)) as opened:
                assert (opened.format, opened.size) == ("JPEG", SIZE_PX)
    with pytest.raises(DataFileError, match="no example for S1"):
        example_of("S1")


def test_folders_hold_nothing_else() -> None:
    for code in SUBCATEGORIES:
        folder = make_examples.FOLDER / code
        names = [f"{n}.jpg" for n in range(1, len(example_of(code).pictures) + 1)]
        assert sorted(path.name for path in folder.iterdir()) == names
    assert {path.name for path in Path(make_examples.FOLDER).iterdir()} == {*SUBCATEGORIES, "examples.toml"}


@pytest.mark.parametrize("code", SUBCATEGORIES)
def test_none_shows_what_a_scored_task_asks_for(code: str) -> None:
    """Not the same change of the same object, and nothing added at the same place."""
    row = recipes()[code]
    effects = parse_effects(row["effects"], where=code)
    check_fit(load_world(row["world"]), effects)
    mine = {(row["world"], effect.get("target"), effect["change"]["kind"]) for effect in row["effects"]}
    places = {_place(effect) for effect in row["effects"]} - {None}
    for task in bundled_tasks():
        for effect in task.private["effects"]:
            scored = (task.world, effect.get("target"), effect["change"]["kind"])
            if effect.get("target"):
                assert scored not in mine, f"the example {code} gives {task.id} away"
            assert _place(effect) not in places


def _place(effect: Any) -> Any:
    place = effect["change"].get("position_m") or effect["change"].get("center_m")
    return tuple(place) if place else None


def test_the_pictures_differ_where_the_example_says_so() -> None:
    """Before and after from the same place are two pictures."""
    for code in SUBCATEGORIES:
        data = [picture.image.data for picture in example_of(code).pictures]
        assert len(set(data)) == len(data)


@pytest.mark.full
@pytest.mark.gl
def test_they_are_rendered_as_they_are_shipped() -> None:
    import numpy as np

    from embodied_eval.drivers.mujoco.driver import MujocoDriver

    driver = MujocoDriver()
    try:
        for code in SUBCATEGORIES:
            made = make_examples.render(code, driver)
            for data, picture in zip(made, example_of(code).pictures, strict=True):
                one, two = (
                    np.asarray(Picture.open(io.BytesIO(item)).convert("RGB"), dtype=float)
                    for item in (data, picture.image.data)
                )
                assert float(np.abs(one - two).mean()) < 3.0, f"{code} {picture.image.ref} is out of date"
    finally:
        driver.close()


def test_the_world_opens_only_after_it_was_read(table: Table) -> None:
    model = script(*calls(OBSERVE, ("turn", {"degrees": 5}), READ, OBSERVE, READ, ("turn", {"degrees": 5})))
    made = table.play(Plane(boxes(), model), plane_task(), "scripted/script", options=ICL)
    told = [step.result for step in made.steps]
    assert told[0] == "Read the example first: call `read_example`."
    assert told[1] == "The world is not open yet: call `observe` first."
    assert told[3].startswith("action 0: the world is open.") and told[2] == told[4]
    assert [step.counts for step in made.steps[:6]] == [False] * 5 + [True]
    answer = model.requests[3].messages[-1]
    assert [part.ref for part in answer.parts if hasattr(part, "ref")] == ["ex1", "ex2"]
    # Its pictures are stored once, under names that nobody can cite.
    assert [ref for ref in made.frames if ref.startswith("ex")] == ["ex#1", "ex#2"]
    assert made.read_frame(made.frames["ex#1"].sha256) == example_of("G1").pictures[0].image.data


def test_only_the_assigned_code_is_accepted(table: Table) -> None:
    codes = ["G1", "geometry.unsupported", " g1 ", "C1", "collision.missing", ""]
    made = act(*calls(*[("read_example", {"code": code}) for code in codes]), table=table, options=ICL)
    told = [step.result.startswith("A solved case") for step in made.steps[: len(codes)]]
    assert told == [True, True, True, False, False, False]
    assert made.steps[3].result == "The example for this inspection has the code G1; there is no other."
    extra = act(*calls(("read_example", {"kind": "G1"})), table=table, options=ICL)
    assert "read_example.kind is not allowed" in extra.steps[0].result


def test_its_pictures_can_be_neither_inspected_nor_cited(table: Table) -> None:
    bug = {"description": "x", "category": "other", "status": "suspect", "evidence": ["ex1"]}
    turns = calls(
        READ, OBSERVE, ("flag_bug", bug), ("inspect", {"refs": ["ex1"]}), ("inspect", {"refs": ["ex#1"]})
    )
    made = act(*turns, table=table, options=ICL)
    assert [step.result for step in made.steps[2:4]] == ["There is no picture ex1; the last one is a0."] * 2
    assert made.steps[4].result.startswith("There is no picture ex#1")
    assert FOOT in made.steps[0].result


@pytest.mark.parametrize("code", SUBCATEGORIES)
def test_what_the_hint_leaves_out_the_example_does_not_tell(code: str) -> None:
    kind, example = SUBCATEGORIES[code], example_of(code)

    def text(**given: Any) -> str:
        return "\n".join(part.text for part in example.parts(**given) if hasattr(part, "text"))

    full, named = text(kind=kind, defined=True), text(kind=kind, defined=False)
    untold = text(kind=None, defined=False)
    assert kind.definition in full and kind.name in named and kind.definition not in named
    for word in (kind.code, kind.name, kind.definition, f"category {example.category}", kind.family):
        assert word not in untold
    assert example.report in untold


def test_without_a_hint_no_code_can_be_tried(table: Table) -> None:
    options = {**ICL, "type_hint": "none"}
    made = act(
        *calls(("read_example", {"code": "G1"}), ("read_example", {"code": "C1"}), READ),
        table=table,
        options=options,
    )
    assert made.steps[0].result == made.steps[1].result.replace("C1", "G1")
    assert "read_example.code is not allowed" in made.steps[0].result
    assert made.steps[2].result.startswith("A solved case")
    assert tools.READ_EXAMPLE not in tools.offered(Options(type_hint="none"))


def test_an_episode_that_ends_with_the_example_is_judged(table: Table) -> None:
    from benchmarks.worldaudit.exposure import exposure_verdicts
    from benchmarks.worldaudit.joint import joint_truth

    task = plane_task(target={"object": "wall", "label": "wall"}, watch=["wall"])
    made = table.play(Plane(boxes(), script([READ])), task, "scripted/script", options=ICL)
    assert made.outcome.status == "completed" and list(made.frames) == ["ex#1", "ex#2"]
    verdicts = joint_truth(made)
    assert [verdict.passed for verdict in verdicts] == [False, False]
    assert not any(verdict.passed for verdict in exposure_verdicts(made, verdicts))
