"""WorldAudit as a plugin: can an agent find the planted anomaly in a 3D world, with evidence?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from embodied_eval.benchmark import (
    Benchmark,
    Certificate,
    Episode,
    EpisodeResult,
    Expected,
    Headline,
    Need,
    Page,
    PlayOnce,
    Results,
    RubricItem,
    TableSpec,
    Trajectory,
)
from embodied_eval.errors import DataFileError
from embodied_eval.records import Condition, Json, Metric, Outcome, Pose, Task, Verdict

if TYPE_CHECKING:
    from pydantic import BaseModel

    from embodied_eval.judges.base import Judge
    from embodied_eval.models.types import ScriptedModel

CERTIFY_OPTIONS: dict[str, Json] = {"width": 480, "height": 270}
"""Frames of certificates: verdicts rest on shares of the picture, which do not depend on its size."""
PLAYED_CHECKS = (
    "oracle_identified",
    "oracle_evidenced",
    "within_budget",
    "twin_played",
    "shows",
    "twin_refuted",
    "null_fails",
    "shotgun_fails",
)
"""What `certify` finds by playing the task."""


class WorldAudit(Benchmark):
    """One anomaly is planted in a clean world; the agent explores within a budget and reports it."""

    name = "worldaudit"
    version = 1
    title = "WorldAudit"
    description = "Find the planted anomaly in a 3D world, and show it."
    headline = Headline("success_rate")
    default_judge = "truth"
    default_driver = "mujoco"

    def tasks(self) -> Sequence[Task]:
        """See `Benchmark.tasks`."""
        from benchmarks.worldaudit.suite import bundled_tasks

        return bundled_tasks()

    def conditions(self) -> Sequence[Condition]:
        """See `Benchmark.conditions`."""
        from benchmarks.worldaudit.conditions import CONDITIONS

        return CONDITIONS

    def options(self) -> type[BaseModel]:
        """See `Benchmark.options`."""
        from benchmarks.worldaudit.options import Options

        return Options

    def needs(self) -> Sequence[Need]:
        """See `Benchmark.needs`."""
        return (Need("mujoco", "the embedded worlds: physics and pictures"),)

    def variants(self, task: Task, options: Any) -> Sequence[Task]:
        """See `Benchmark.variants`: with several anomalies, the anchors' compositions."""
        from benchmarks.worldaudit.several import variants_of

        return variants_of(task, options)

    def start(self, task: Task, options: Any) -> str | Pose:
        """See `Benchmark.start`: the task's spawn and yaw, or the near start."""
        if options.start == "default" and "yaw_deg" not in task.public:
            return str(task.public["spawn"])
        from benchmarks.worldaudit.starts import start_of

        world = self.world(task, options)
        if world is None:
            raise DataFileError(f"Task {task.id} names no world.")
        return start_of(task, world, options.start)

    def image_size(self, options: Any) -> tuple[int, int]:
        """See `Benchmark.image_size`."""
        return (options.width, options.height)

    def prompts(self) -> Mapping[str, str]:
        """See `Benchmark.prompts`."""
        from benchmarks.worldaudit.prompts import templates

        return templates()

    def tables(self) -> Mapping[str, TableSpec]:
        """See `Benchmark.tables`."""
        return {
            "findings": TableSpec(
                {
                    "id": "VARCHAR",
                    "operation": "VARCHAR",
                    "action": "BIGINT",
                    "t_s": "DOUBLE",
                    "description": "VARCHAR",
                    "category": "VARCHAR",
                    "status": "VARCHAR",
                    "evidence": "VARCHAR",
                }
            ),
            "notes": TableSpec({"action": "BIGINT", "t_s": "DOUBLE", "text": "VARCHAR"}),
        }

    def scripted(self) -> Mapping[str, type[ScriptedModel]]:
        """See `Benchmark.scripted`."""
        from benchmarks.worldaudit.scripted.baselines import Null, Random, Shotgun
        from benchmarks.worldaudit.scripted.explorer import Explorer
        from benchmarks.worldaudit.scripted.oracle import Oracle

        return {
            "oracle": Oracle,
            "explorer": Explorer,
            "random": Random,
            "null": Null,
            "shotgun": Shotgun,
        }

    async def play(self, episode: Episode) -> Outcome:
        """See `Benchmark.play`."""
        from benchmarks.worldaudit.audit import audit

        return await audit(episode)

    def truth(self, trajectory: Trajectory) -> Sequence[Verdict]:
        """See `Benchmark.truth`."""
        from benchmarks.worldaudit.joint import joint_truth

        return joint_truth(trajectory)

    def rubric(self, trajectory: Trajectory) -> Sequence[RubricItem]:
        """See `Benchmark.rubric`."""
        from benchmarks.worldaudit.rubrics import rubric_items

        return rubric_items(trajectory)

    async def judge(self, trajectory: Trajectory, judge: Judge) -> Sequence[Verdict]:
        """See `Benchmark.judge`: whatever the judge says, and what the trace shows of exposure beside it."""
        from benchmarks.worldaudit.exposure import exposure_verdicts

        verdicts = await judge.verdicts(self, trajectory)
        return (*verdicts, *exposure_verdicts(trajectory, verdicts))

    def summarize(self, results: Results) -> Sequence[Metric]:
        """See `Benchmark.summarize`: success and evidence, over all, by family and by sub-category."""
        from benchmarks.worldaudit.summary import metrics_of

        return metrics_of(results)

    def expect(self, task: Task, options: Any) -> Expected:
        """See `Benchmark.expect`."""
        from benchmarks.worldaudit.conditions import expected

        return expected(options)

    async def certify(self, task: Task, play: PlayOnce) -> Certificate:
        """See `Benchmark.certify`: the world is clean and the effects fit it; the oracle passes with evidence
        within the budget; on the clean twin its report is not borne out and its pictures differ; null and
        shotgun fail."""
        from benchmarks.worldaudit.tools import ENVIRONMENT

        checks: dict[str, Any] = {}
        reasons: list[str] = []

        def note(name: str, passed: bool, why: str) -> None:
            checks[name] = "passed" if passed else "failed"
            if not passed:
                reasons.append(f"{name}: {why}")

        problems = _world_problems(task.world)
        note("clean_world", not problems, "; ".join(problems[:3]))
        misfit = _misfit(task)
        note("effects_fit", not misfit, misfit)
        if misfit:
            return Certificate(
                task.id, {**dict.fromkeys(PLAYED_CHECKS, "skipped"), **checks}, "; ".join(reasons)
            )
        shown = await play(task, "scripted/oracle", options=CERTIFY_OPTIONS)
        verdicts = {verdict.item: verdict for verdict in self.truth(shown)}
        note("oracle_identified", _passed(verdicts, "identified"), _why(verdicts, "identified", shown))
        note("oracle_evidenced", _passed(verdicts, "evidenced"), _why(verdicts, "evidenced", shown))
        spent = [step for step in shown.steps if step.action in ENVIRONMENT and not step.counts]
        note("within_budget", not spent, f"the oracle is refused: {spent[0].result if spent else ''}")
        twin = await play(_clean_twin(task), "scripted/oracle", options=CERTIFY_OPTIONS)
        note("twin_played", twin.outcome.status == "completed", _why({}, "", twin))
        note("shows", _traces(shown) != _traces(twin), "the oracle's path sees no difference to the twin")
        on_twin = {verdict.item: verdict for verdict in self.truth(twin)}
        note("twin_refuted", not _passed(on_twin, "evidenced"), "the same report is evidenced on the twin")
        for name in ("null", "shotgun"):
            other = await play(task, f"scripted/{name}", options=CERTIFY_OPTIONS)
            got = {verdict.item: verdict for verdict in self.truth(other)}
            note(f"{name}_fails", not _passed(got, "identified"), f"{name} is given credit")
        return Certificate(task.id, checks, "; ".join(reasons))

    def pages(self, results: Sequence[Results]) -> Sequence[Page]:
        """See `Benchmark.pages`: the paper's tables over these runs, the published numbers beside them."""
        from benchmarks.worldaudit.pages import pages

        return pages(results)

    def cause(self, result: EpisodeResult) -> str:
        """See `Benchmark.cause`: the first link of the chain that broke, as the judging stored it."""
        from benchmarks.worldaudit.pages import cause

        return cause(result)


def _passed(verdicts: Mapping[str, Verdict], item: str) -> bool:
    return item in verdicts and bool(verdicts[item].passed)


def _why(verdicts: Mapping[str, Verdict], item: str, trajectory: Trajectory) -> str:
    if item in verdicts:
        return verdicts[item].reason
    return f"no verdict; the episode ended as {trajectory.outcome.status}: {trajectory.outcome.reason}"


def _misfit(task: Task) -> str:
    """Why the task's effects cannot be planted in its world, "" if they can."""
    from embodied_eval.worlds.bundled import load_world
    from embodied_eval.worlds.effects import parse_effects
    from embodied_eval.worlds.effects.fit import check_fit

    try:
        check_fit(load_world(task.world), parse_effects(task.private["effects"], where=task.id))
    except DataFileError as error:
        return str(error)
    return ""


def _clean_twin(task: Task) -> Task:
    """`task` with nothing planted; what the effects would have added cannot be watched."""
    from embodied_eval.worlds.bundled import load_world

    names = {item.name for item in load_world(task.world).objects}
    watch = [name for name in task.private["watch"] if name in names]
    return replace(task, private={**task.private, "effects": [], "watch": watch})


def _traces(trajectory: Trajectory) -> tuple[Any, ...]:
    """What a path observed: pictures, motion, contacts."""
    return (
        [frame.sha256 for frame in trajectory.frames.values()],
        [(step.moved_m, step.blocked) for step in trajectory.steps],
    )


def _world_problems(world: str) -> list[str]:
    from embodied_eval.worlds.bundled import load_world
    from embodied_eval.worlds.checks import clean_report

    if world not in _CLEAN:
        _CLEAN[world] = [str(problem) for problem in clean_report(load_world(world)).problems]
    return _CLEAN[world]


_CLEAN: dict[str, list[str]] = {}
