"""The plugin: what is offered, its settings, its tables, and whole episodes in the real browser."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.worldbench.capture.manifest import (
    EVENT,
    BurstShots,
    Manifest,
    ObjectMotion,
    Shot,
    Turn,
    Visit,
    from_json,
)
from benchmarks.worldbench.conditions import CONDITIONS
from benchmarks.worldbench.evidence import Clock, Look
from benchmarks.worldbench.options import Options
from benchmarks.worldbench.plugin import WorldBench
from benchmarks.worldbench.store_tables import capture_rows
from embodied_eval.benchmark import EpisodeResult, Trajectory
from embodied_eval.config import merged_options, resolve
from embodied_eval.errors import DataFileError
from embodied_eval.judges.base import Judge, RuleJudge, TruthJudge
from embodied_eval.pipeline import Rehearsal
from embodied_eval.plan import plan_run
from embodied_eval.records import Condition, Outcome, Verdict
from embodied_eval.store.tables import plugin_tables
from tests.benchmarks.worldbench.writing_kit import GOOD, HEAD

BENCH = WorldBench()
QUICK = {"width": 320, "height": 180, "masks": False, "coverage": False, "cpu_s": 10}


class Nobody(Judge):
    """A judge model that must not be asked."""

    name = "openai/nobody"

    async def verdicts(self, benchmark: object, trajectory: Trajectory) -> Sequence[Verdict]:
        raise AssertionError("asked")


def test_the_island_is_the_one_task_and_its_truth_is_private() -> None:
    (task,) = BENCH.tasks()
    assert task.id == "island" and task.world == ""
    assert "fixture" in task.private and "fixture" not in task.public
    assert BENCH.offer("").driver == "page" and BENCH.default_judge == "rule"
    assert BENCH.headline is not None and (BENCH.headline.metric, BENCH.headline.unit) == ("score", "points")


def test_a_file_is_one_task_and_a_folder_is_one_for_each_file(tmp_path: Path) -> None:
    for name in ("Kimi K3.html", "kimi-k3.htm", "b.html", "notes.txt"):
        (tmp_path / name).write_text(GOOD)
    one = BENCH.offer(str(tmp_path / "b.html"))
    assert [(task.id, task.private) for task in one.tasks] == [("given/b", {})]
    many = BENCH.offer(f"page:{tmp_path}")
    assert [task.id for task in many.tasks] == ["given/kimi-k3", "given/b", "given/kimi-k3-2"]
    world = BENCH.world(many.tasks[0], Options())
    assert world is not None and world.page is not None and world.page.entry == "Kimi K3.html"
    (tmp_path / "empty").mkdir()
    for wrong in (tmp_path / "empty", tmp_path / "none.html"):
        with pytest.raises(DataFileError):
            BENCH.offer(str(wrong))


def test_repeats_are_worlds_of_their_own_and_a_given_world_goes_by_its_content(tmp_path: Path) -> None:
    generated = resolve(BENCH, command_line={"repeats": 3}, options={}, environ={}, folder=tmp_path)
    assert len({item.hex for item in plan_run(BENCH, generated, "scripted/null")}) == 3
    keys = []
    for text in (GOOD, GOOD, GOOD.replace("0x44aa33", "0x44aa34")):
        (tmp_path / "w.html").write_text(text)
        given = resolve(
            BENCH, command_line={"world": str(tmp_path / "w.html")}, options={}, environ={}, folder=tmp_path
        )
        (item,) = plan_run(BENCH, given, "somebody/model")
        keys.append(item.hex)
    assert keys[0] == keys[1] != keys[2]


@pytest.mark.parametrize("condition", CONDITIONS, ids=lambda one: one.name)
def test_every_condition_is_a_setting_of_the_options(condition: Condition) -> None:
    options = merged_options(BENCH, condition, {})
    expected = BENCH.expect(BENCH.tasks()[0], options)
    assert expected.typical is not None and expected.tokens is not None
    assert (expected.typical.calls or 0) < (expected.calls or 0)


def test_a_given_world_asks_nobody(tmp_path: Path) -> None:
    (tmp_path / "w.html").write_text(GOOD)
    (task,) = BENCH.offer(str(tmp_path)).tasks
    assert BENCH.expect(task, Options()).calls == 0


def test_the_papers_configuration_is_the_papers_protocol(tmp_path: Path) -> None:
    found = resolve(BENCH, command_line={}, options={}, config_name="paper", environ={}, folder=tmp_path)
    assert found.config.temperature == 1.0 and found.config.condition == ("agents",)
    options = merged_options(BENCH, BENCH.conditions()[3], found.options)
    assert (options.repair_rounds, options.navigator, options.navigator_calls) == (5, "model", 8)


def test_its_tables_are_legal_and_it_has_one_control_of_each_kind() -> None:
    declared = {
        name: {"columns": dict(spec.columns), "version": spec.version, "private": spec.private}
        for name, spec in BENCH.tables().items()
    }
    assert set(plugin_tables(BENCH.name, declared)) == set(BENCH.tables())
    controls = Counter(kind.control for kind in BENCH.scripted().values())
    assert controls["positive"] == controls["negative"] == 1
    assert set(BENCH.scripted()) == {"oracle", "reference", "null", "truncated", "broken-then-fixed"}
    assert [need.extra for need in BENCH.needs()] == ["web"]


def unloaded(outcome: Outcome) -> Trajectory:
    """An episode of which nothing but its end is stored."""
    condition = Condition("standard", Options().model_dump(mode="json"))
    return Trajectory(
        "0" * 32, BENCH.tasks()[0], condition, "m", 0, outcome, (), (), (), (), {}, {}, lambda _: b""
    )


@pytest.mark.parametrize("judge", [TruthJudge(), RuleJudge(), Nobody()], ids=lambda one: one.name)
@pytest.mark.parametrize("status", ["completed", "refused"])
def test_a_world_that_does_not_load_is_0_of_280_whoever_judges(judge: Judge, status: str) -> None:
    answer = {"loaded": False, "outcome": "syntax_error"} if status == "completed" else {}
    trajectory = unloaded(Outcome(status, answer))  # type: ignore[arg-type]
    verdicts = asyncio.run(BENCH.judge(trajectory, judge))
    assert sum(verdict.max for verdict in verdicts) == pytest.approx(280)
    assert not any(verdict.error for verdict in verdicts)
    assert sum(verdict.score or 0.0 for verdict in verdicts) == 0


def test_the_cause_of_a_failure_is_how_its_load_ended() -> None:
    outcome = Outcome("completed", {"loaded": False, "outcome": "syntax_error"})
    result = EpisodeResult("k", BENCH.tasks()[0], BENCH.conditions()[0], "m", 0, False, outcome)
    assert BENCH.cause(result) == "the world does not load: syntax error"


def test_what_a_capture_measured_fits_its_tables() -> None:
    look = Look("t0", 40.0, 60.0, (0.3, 0.4))
    moved = ObjectMotion(3, "rain", ("jungle",), "Points", "#88aaff", ("place",), (0.0, -1.0, 0.0), 0.1, 0.05)
    manifest = Manifest(
        "0" * 64,
        True,
        "ready",
        shots=(Shot("t0", "time:0", "1" * 64, (320, 180)),),
        clock=Clock("sweep", times=(look, None, look, None), seasons=(look,) * 4, day=2, night=0),
        visits=(Visit("jungle", "found", "", (Turn("click", {"ref": "e1"}, "clicked", "v1"),), "c1"),),
        bursts=(BurstShots("jungle", near_share=0.3, objects=(moved,)),),
    )
    rows = list(capture_rows(manifest))
    assert Counter(table for table, _ in rows) == {
        "shots": 1,
        "visits": 1,
        "turns": 1,
        "bursts": 1,
        "motions": 1,
        "looks": 6,
    }
    declared = {name: {"columns": dict(spec.columns)} for name, spec in BENCH.tables().items()}
    tables = plugin_tables(BENCH.name, declared)
    for table, row in rows:
        tables[table].check(row)
    days = [row["place"] for table, row in rows if table == "looks" and row.get("day")]
    assert days == [2]


@pytest.mark.browser
@pytest.mark.gl
def test_worlds_that_do_not_load_are_completed_and_score_nothing(tmp_path: Path) -> None:
    (tmp_path / "list.html").write_text(f"{HEAD}<p>mountains forest jungle swamp</p></body></html>")
    (words,) = BENCH.offer(str(tmp_path)).tasks

    async def work() -> tuple[Trajectory, Trajectory]:
        async with Rehearsal(BENCH) as play:
            return (
                await play(words, "somebody/model", options=QUICK),
                await play(BENCH.tasks()[0], "scripted/null", options=QUICK),
            )

    for trajectory in asyncio.run(work()):
        assert trajectory.outcome.status == "completed" and trajectory.frames == {}
        assert trajectory.outcome.reason.startswith("The world does not load: no canvas")
        assert all(verdict.score == 0 for verdict in asyncio.run(BENCH.judge(trajectory, RuleJudge())))
        generated = trajectory.task.id == "island"
        assert bool(trajectory.calls) is generated
        assert len(trajectory.rows["repairs"] if generated else trajectory.rows["worlds"]) == (
            5 if generated else 1
        )
        sent = [json.dumps(one) for call in trajectory.calls for one in call.messages]
        assert not any('"image"' in one or "score" in one for one in sent)


@pytest.mark.browser
@pytest.mark.gl
@pytest.mark.full
def test_a_whole_episode_without_any_model(tmp_path: Path) -> None:
    (tmp_path / "cube.html").write_text(GOOD)
    (cube,) = BENCH.offer(str(tmp_path)).tasks

    async def work() -> Trajectory:
        async with Rehearsal(BENCH) as play:
            made: Trajectory = await play(cube, "somebody/model", options=QUICK)
            assert all(made.read_frame(one.sha256) for one in made.frames.values())
            return made

    captured = asyncio.run(work())
    assert captured.outcome.status == "completed" and captured.outcome.answer["loaded"] is True
    assert captured.calls == ()
    (row,) = captured.rows["worlds"]
    assert (row["html"], row["source"], row["three_served"]) == (GOOD, "given", "r128")
    assert row["bytes"] == len(GOOD) and row["script_lines"] == 16 and row["clean"] is True
    (event,) = [event for event in captured.events if event.kind == EVENT]
    manifest = from_json(event.data)
    assert manifest.world_sha256 == row["sha256"] == captured.outcome.answer["sha256"]
    assert {shot.ref for shot in manifest.shots} == {str(row["ref"]) for row in captured.rows["shots"]}
