"""Audits of recordings: one pass, no environment tool, and no credit for what was never exposed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from benchmarks.worldaudit.exposure import exposed
from benchmarks.worldaudit.vla.pictures import MOST_BYTES, small
from embodied_eval.benchmark import Trajectory
from embodied_eval.models.types import Image
from embodied_eval.records import Json, Task, Verdict
from embodied_eval.worlds.model import World
from tests.benchmarks.worldaudit.kit import Plane, Table, boxes, images_after, plane_task, script
from tests.benchmarks.worldaudit.vla_kit import SECONDS, WATCH, audited, explored, reporting
from tests.testing_world import box, plane_world

FLOATS = "The crate floats in the air with nothing under it."
LIFT = {"kind": "offset", "by_m": [0.0, 0.0, 0.8]}
STILL: dict[str, Json] = {"policy": "still", "idle_nudge": False}


def crate_world(x: float) -> World:
    """A crate on the floor, `x` metres ahead of the start."""
    return plane_world(box("crate", (x, 0.0, 0.0), (1.0, 1.0, 1.0), label="crate"))


def crate_task(trigger: Json | None = None, code: str = "G1", change: Json | None = None) -> Task:
    effect = {
        "trigger": trigger or {"kind": "always"},
        "change": change or LIFT,
        "target": "crate",
        "once": False,
    }
    task = plane_task(
        subcategory=code,
        watch=["crate"],
        effects=[effect],
        target={"label": "crate", "object": "crate", "place": [3.0, 0.0, 1.3]},
        rubric={"anomaly": "", "expected": "", "conditions": ""},
    )
    return task


def audit(
    table: Table, world: World, task: Task, *turns: Any, **options: Json
) -> tuple[Trajectory, Trajectory]:
    """The recording of a policy that stands still, and its audit."""
    given = {**STILL, **options}
    recording = explored(table, world, task=task, options=given)
    made, _ = audited(table, world, *turns, task=task, options=given)
    return recording, made


def verdict(trajectory: Trajectory, item: str = "identified") -> Verdict:
    benchmark = Plane(boxes(), script())
    return next(one for one in benchmark.truth(trajectory) if one.item == item)


def test_an_audit_sees_every_frame_once_with_its_line_and_reports(table: Table) -> None:
    explored(table, boxes())
    made, model = audited(table, boxes(), *WATCH, reporting("The wall floats.", "a1", "a99"))
    last = SECONDS * 2
    refs = [f"a{n}" for n in range(last + 1)]
    assert images_after(model, 1) == refs
    told = model.requests[2].messages[-1].text
    assert f"a{last}: {SECONDS:.1f} s, at x" in told and "path" in told
    assert [tool.name for tool in model.requests[0].tools] == ["read_example", "observe", "report"]
    assert made.outcome.status == "completed"
    (finding,) = made.outcome.answer["findings"]
    assert finding["evidence"] == ["a1"] and finding["action"] == last
    assert made.outcome.answer["tool_calls"] == 3 and made.outcome.answer["actions"] == 0
    assert made.rows["findings"][0]["evidence"] == "a1"


def test_an_audit_holds_what_the_recording_held_to_the_byte(table: Table) -> None:
    effect = {"trigger": {"kind": "after", "t_s": 1.0}, "change": LIFT, "target": "wall", "once": True}
    task = plane_task(watch=["wall"], effects=[effect], target={"label": "wall", "object": "wall"})
    recording = explored(table, boxes(), task=task)
    made, _ = audited(table, boxes(), *WATCH, reporting("The wall floats.", "a6"), task=task)
    frames = {ref: frame for ref, frame in made.frames.items() if "#" not in ref}
    assert frames == dict(recording.frames)
    assert made.visibility == recording.visibility and made.visibility
    told = [(event.kind, event.t_s, event.data, event.private) for event in recording.events]
    assert [(event.kind, event.t_s, event.data, event.private) for event in made.events] == told and told
    watched = [step for step in made.steps if step.action == "watch"]
    assert [(step.moved_m, step.blocked, step.pose) for step in watched] == [
        (step.moved_m, step.blocked, step.pose) for step in recording.steps
    ]


def test_two_models_audit_one_exploration(table: Table) -> None:
    options: dict[str, Json] = {"explore_s": 2, "policy": "frontier"}
    explored(table, boxes(), options=options)
    before = len(table.store.runs())
    seen = []
    for name in ("scripted/script", "scripted/null", "scripted/shotgun"):
        made, _ = audited(table, boxes(), *WATCH, options=options, model=name)
        seen.append([frame.sha256 for ref, frame in made.frames.items() if "#" not in ref])
    assert seen[0] == seen[1] == seen[2] and len(seen[0]) == 5
    assert len(table.store.runs()) == before + 3


def test_ablations_share_the_exploration_and_other_settings_do_not(table: Table) -> None:
    from benchmarks.worldaudit.conditions import CONDITIONS
    from benchmarks.worldaudit.options import Options
    from benchmarks.worldaudit.vla.source import source_of

    settings = {one.name: one.settings for one in CONDITIONS if one.name.startswith("vla-vlm")}
    sources = {name: source_of(Options(**given)) for name, given in settings.items()}
    same = {name for name, source in sources.items() if source == sources["vla-vlm"]}
    assert same == {"vla-vlm", "vla-vlm-no-icl", "vla-vlm-no-icl-no-type"}
    assert source_of(Options()) is None and len(sources) == 6
    seconds = {name: source.options["explore_s"] for name, source in sources.items() if source}
    assert seconds["vla-vlm"] == seconds["vla-vlm-near"] == 60
    assert (seconds["vla-vlm-budget-half"], seconds["vla-vlm-budget-1.5"]) == (30, 90)


def test_what_is_exposed_and_rightly_told_is_credited(table: Table) -> None:
    recording, made = audit(table, crate_world(3.0), crate_task(), *WATCH, reporting(FLOATS, "a0"))
    shown = exposed(recording)
    assert shown is not None and shown.ref == "a0"
    assert verdict(made).passed and verdict(made, "evidenced").passed


@pytest.mark.parametrize(
    ("world", "task", "words"),
    [
        (crate_world(-4.0), crate_task(), FLOATS),
        (crate_world(3.0), crate_task({"kind": "after", "t_s": 60.0}), FLOATS),
        (
            crate_world(3.0),
            crate_task(code="C1", change={"kind": "collision", "on": False}),
            "One can walk straight through the crate, it is not solid.",
        ),
    ],
    ids=["out of sight", "not triggered", "never touched"],
)
def test_nothing_is_credited_that_the_recording_never_exposed(
    table: Table, world: World, task: Task, words: str
) -> None:
    recording, made = audit(table, world, task, *WATCH, reporting(words, "a0", "a1"))
    shown = exposed(recording)
    assert shown is not None and shown.ref is None
    found = verdict(made)
    assert found.passed is False and found.score == 0.0 and "never exposed" in found.reason
    assert not verdict(made, "evidenced").passed
    # Live, the same words would have been credited: only the recording is why they are not.
    live = table.play(
        Plane(world, script([("observe", {})], [("flag_bug", _flag(words))])),
        task,
        "scripted/script",
    )
    assert verdict(live).passed


def _flag(words: str) -> dict[str, Json]:
    return {"description": words, "category": "other", "status": "confirmed", "evidence": ["a0"]}


def test_an_exploration_alone_has_exposure_and_no_success(table: Table) -> None:
    import asyncio

    from embodied_eval.judges.base import TruthJudge

    task = crate_task()
    recording = explored(table, crate_world(3.0), task=task, options=STILL)
    benchmark = Plane(crate_world(3.0), script())
    items = {one.item: one for one in asyncio.run(benchmark.judge(recording, TruthJudge()))}
    assert items["exposed"].passed and "identified" not in items and items["frames"].score == 7.0


@pytest.mark.parametrize(
    ("turns", "status", "told"),
    [
        (["I see.", "I see.", "I see."], "invalid_reply", "never called"),
        ([*WATCH, "Well.", "Well.", "Well."], "invalid_reply", "without `report`"),
        ([[("observe", {})]] * 12, "budget_exhausted", "spent"),
    ],
)
def test_models_that_do_not_report(table: Table, turns: Sequence[Any], status: str, told: str) -> None:
    explored(table, boxes())
    made, _ = audited(table, boxes(), *turns)
    assert made.outcome.status == status and told in made.outcome.reason


def test_what_an_audit_refuses(table: Table) -> None:
    explored(table, boxes())
    made, _ = audited(
        table,
        boxes(),
        [("observe", {})],
        [("read_example", {"code": "T3"})],
        [("report", {"bugs": [], "summary": ""})],
        [("read_example", {})],
        [("move", {"direction": "forward", "distance_m": 1.0})],
        [("observe", {})],
        [("observe", {})],
        [("report", {"bugs": [{"description": "x"}], "summary": ""})],
        [("report", "no JSON")],
        [("report", {"bugs": [], "summary": "Nothing."})],
    )
    told = [step.result for step in made.steps if step.action != "watch"]
    wanted = (
        "Read the example first",
        "has the code G1",
        "call `observe` first",
        "A solved case",
        "There is no tool",
        "The recording: 7",
        "You have the recording",
        "Not done",
        "could not be read",
        "The audit is over",
    )
    assert [want in text for want, text in zip(wanted, told, strict=True)] == [True] * len(wanted), told
    assert made.outcome.status == "completed"


def test_by_json_and_without_positions(table: Table) -> None:
    explored(table, boxes())
    turns = [
        '{"tool": "observe", "arguments": {}}',
        '{"tool": "report", "arguments": {"bugs": [], "summary": "x"}}',
    ]
    options: dict[str, Json] = {"tool_protocol": "json", "icl": False, "proprio": False}
    made, model = audited(table, boxes(), *turns, options=options)
    assert made.outcome.status == "completed"
    assert "at x" not in model.requests[-1].messages[-1].text
    assert "cannot act" in model.requests[0].messages[0].text


def test_an_audit_without_its_recording_is_excluded(table: Table) -> None:
    made, _ = audited(table, boxes(), *WATCH, seed=77)
    assert made.outcome.status == "simulator_error"
    assert "no recording of task plane/01" in made.outcome.reason


def test_pictures_are_made_so_small_that_all_fit() -> None:
    import io

    import numpy as np
    from PIL import Image as Picture

    noise = np.random.default_rng(0).integers(0, 255, (540, 960, 3), np.uint8)
    out = io.BytesIO()
    Picture.fromarray(noise).save(out, "JPEG", quality=85)
    whole = Image(out.getvalue(), "image/jpeg", "a1")
    (one, size), *_ = small([whole] * 2, 960)
    assert size == (480, 256) and one.ref == "a1#small"
    many = small([whole] * 200, 960)
    assert sum(len(image.data) for image, _ in many) <= MOST_BYTES and len({size for _, size in many}) == 1
    assert many[0][1][0] < 480
    assert small([one], 480) == [(one, (0, 0))]
