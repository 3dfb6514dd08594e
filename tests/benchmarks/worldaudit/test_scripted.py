"""The scripted models: what the oracle may do, what chance and noise must not earn, and repeatability."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.worldaudit import tools
from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.plugin import WorldAudit
from benchmarks.worldaudit.scripted.baselines import CLAIMS, Null, Random, Shotgun
from benchmarks.worldaudit.scripted.oracle import Oracle
from benchmarks.worldaudit.suite import bundled_tasks
from benchmarks.worldaudit.truth import truth
from embodied_eval.benchmark import Trajectory
from embodied_eval.errors import PluginError
from embodied_eval.models.scripted import ScriptedBackend
from embodied_eval.records import Task
from tests.benchmarks.worldaudit.kit import Plane, Table, boxes, indoor, plane_task, refused

TASKS = bundled_tasks()
PLUGIN = WorldAudit()


def verdicts(trajectory: Trajectory) -> dict[str, bool | None]:
    return {verdict.item: verdict.passed for verdict in truth(trajectory)}


def reasons(trajectory: Trajectory) -> str:
    told = "; ".join(verdict.reason for verdict in truth(trajectory))
    return f"{trajectory.outcome.status} {trajectory.outcome.reason}: {told}"


def sampled() -> list[Any]:
    """The tasks as parameters: one of each sub-category in every run, the last in its file order, the others
    in full runs."""
    chosen = {task.private["subcategory"]: task.id for task in TASKS}
    return [
        pytest.param(task, id=task.id, marks=[] if task.id in chosen.values() else [pytest.mark.full])
        for task in TASKS
    ]


@pytest.mark.gl
@pytest.mark.parametrize("task", sampled())
def test_the_oracle_passes_with_evidence_by_the_agents_own_means(mujoco_table: Table, task: Task) -> None:
    made = mujoco_table.play(PLUGIN, task, "scripted/oracle", options={"obs": "final"})
    assert verdicts(made) == {"identified": True, "evidenced": True}, reasons(made)
    assert {step.action for step in made.steps} <= {tool.name for tool in tools.offered(Options())}
    assert not any(refused(step) for step in made.steps), [step.result for step in made.steps]
    assert (
        sum(step.counts for step in made.steps) <= Options().budget / 2
    )  # half of it is enough for who knows
    assert len(made.outcome.answer["findings"]) == 1
    if task.private["subcategory"] in ("G1", "G2", "G3", "V4", "S2", "S3"):
        # Where one look is enough evidence, the first view must not be that look.
        finding = {**made.outcome.answer["findings"][0], "evidence": ["a0"]}
        again = replace(made, outcome=replace(made.outcome, answer={"findings": [finding]}))
        assert not verdicts(again)["evidenced"]


@pytest.mark.gl
@pytest.mark.parametrize(("model", "number"), [("oracle", 2), ("random", 6)])
def test_the_same_seed_gives_the_same_bytes(mujoco_table: Table, model: str, number: int) -> None:
    one, two = (
        mujoco_table.play(PLUGIN, indoor(number), f"scripted/{model}", options={"budget": 6})
        for _ in range(2)
    )
    assert [(s.action, s.arguments, s.result, s.t_s, s.pose) for s in one.steps] == [
        (s.action, s.arguments, s.result, s.t_s, s.pose) for s in two.steps
    ]
    assert {ref: frame.sha256 for ref, frame in one.frames.items()} == {
        ref: frame.sha256 for ref, frame in two.frames.items()
    }
    assert one.visibility == two.visibility and one.events == two.events and one.outcome == two.outcome


@pytest.mark.gl
@pytest.mark.parametrize("seed", range(5))
def test_random_passes_nothing(mujoco_table: Table, seed: int) -> None:
    options = {"budget": 8, "obs": "final"}
    made = mujoco_table.play(PLUGIN, TASKS[3 * seed], "scripted/random", options=options, seed=seed)
    assert made.outcome.status == "completed" and sum(step.counts for step in made.steps) == 8
    assert not any(refused(step) for step in made.steps)
    assert len(made.outcome.answer["findings"]) == 1
    assert verdicts(made) == {"identified": False, "evidenced": False}


def test_another_seed_is_another_walk(table: Table) -> None:
    walks = [
        table.play(Plane(boxes(), Null), plane_task(), "scripted/random", options={"budget": 5}, seed=seed)
        for seed in (0, 1)
    ]
    first, second = ([(step.action, step.arguments) for step in walk.steps] for walk in walks)
    assert first != second


@pytest.mark.parametrize("task", TASKS, ids=[task.id for task in TASKS])
@pytest.mark.parametrize("model", ["null", "shotgun"])
def test_nothing_and_everything_earn_no_credit(table: Table, model: str, task: Task) -> None:
    """Neither moves, so the judge's words are all that matters: played among the boxes."""
    private = {**task.private, "effects": [], "watch": []}
    told = Task(task.id, {**plane_task().public, **task.public, "spawn": "start"}, private, tags=task.tags)
    told = replace(told, public={key: value for key, value in told.public.items() if key != "yaw_deg"})
    made = table.play(Plane(boxes(), Null), told, f"scripted/{model}")
    assert made.outcome.status == "completed" and not any(step.counts for step in made.steps)
    # The words are those that the task is judged by in its own world.
    judged = replace(made, task=task)
    assert verdicts(judged) == {"identified": False, "evidenced": False}, reasons(judged)
    assert len(made.outcome.answer["findings"]) == (0 if model == "null" else len(CLAIMS))


@pytest.mark.parametrize("kind", [Null, Random, Shotgun])
def test_baselines_get_no_truth(table: Table, kind: Any) -> None:
    seen: list[Any] = []

    class Spy(kind):  # type: ignore[misc]
        def reply(self, request: Any) -> Any:
            seen.append(self.private)
            return super().reply(request)

    assert kind.privileged is False
    table.play(Plane(boxes(), Spy), plane_task(), "scripted/script", options={"budget": 3})
    assert seen and set(seen) == {None}


def test_only_the_oracle_is_privileged_and_only_it_may_be_given_the_truth() -> None:
    kinds = PLUGIN.scripted()
    assert {name for name, kind in kinds.items() if kind.privileged} == {"oracle"}
    assert [kinds[name].control for name in ("oracle", "null")] == ["positive", "negative"]
    with pytest.raises(PluginError, match="privileged"):
        ScriptedBackend({"null": Null(random.Random(0), {"target": {}})})
    ScriptedBackend({"oracle": Oracle(random.Random(0), {"target": {}})})
