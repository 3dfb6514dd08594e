"""WorldAudit as a plugin: can an agent find the planted anomaly in a 3D world, with evidence?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.worldaudit.official import TAG
from embodied_eval.benchmark import (
    Benchmark,
    Certificate,
    Episode,
    EpisodeResult,
    Expected,
    Headline,
    Need,
    Offer,
    Page,
    PlayOnce,
    Results,
    RubricItem,
    TableSpec,
    Trajectory,
)
from embodied_eval.errors import ConfigError, DataFileError, JudgeError
from embodied_eval.records import Condition, Metric, Outcome, Pose, Task, Verdict

if TYPE_CHECKING:
    from pydantic import BaseModel

    from embodied_eval.benchmark import Source
    from embodied_eval.judges.base import Judge
    from embodied_eval.models.types import ScriptedModel
    from embodied_eval.worlds.model import World


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

    def offer(self, world: str, data: str = "") -> Offer:
        """See `Benchmark.offer`: in a page of the user's own, one open audit; with `data`, the tasks of
        the user's own file or the official ones."""
        if data.endswith(".toml"):
            from benchmarks.worldaudit.suite import own_offer

            return own_offer(self, Path(data), world)
        if data:
            from benchmarks.worldaudit.official.tasks import read_official

            if world:
                raise ConfigError(
                    "Official tasks are played in their own worlds.", hint="Leave --world or --data out."
                )
            official = read_official(data)
            return Offer(official.tasks, self.conditions(), official.driver)
        if not world.startswith("page:"):
            return super().offer(world)
        from benchmarks.worldaudit.open_audit import open_offer

        return open_offer(world)

    def world(self, task: Task, options: Any) -> World | None:
        """See `Benchmark.world`."""
        if TAG not in task.tags:
            return super().world(task, options)
        from benchmarks.worldaudit.official.tasks import world_of

        return world_of(task)

    def options(self) -> type[BaseModel]:
        """See `Benchmark.options`."""
        from benchmarks.worldaudit.options import Options

        return Options

    def needs(self) -> Sequence[Need]:
        """See `Benchmark.needs`."""
        return (Need("mujoco", "the embedded worlds: physics and pictures"),)

    def variants(self, task: Task, options: Any) -> Sequence[Task]:
        """See `Benchmark.variants`: with several anomalies, the anchors' compositions."""
        from benchmarks.worldaudit.open_audit import check_open, is_open
        from benchmarks.worldaudit.several import variants_of
        from benchmarks.worldaudit.vla.judge import check_arm

        if is_open(task):
            check_open(options)
            check_arm(options)
            return (task,)
        if TAG in task.tags:
            from benchmarks.worldaudit.official.tasks import check_official

            check_official(options)
            return (task,)
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

    def source(self, task: Task, options: Any) -> Source | None:
        """See `Benchmark.source`: in the explore-then-audit arm, the policy's exploration."""
        from benchmarks.worldaudit.vla.source import source_of

        return source_of(options)

    def image_size(self, options: Any) -> tuple[int, int]:
        """See `Benchmark.image_size`."""
        return (options.width, options.height)

    def prompts(self) -> Mapping[str, str]:
        """See `Benchmark.prompts`."""
        from benchmarks.worldaudit.prompts import templates
        from benchmarks.worldaudit.vla import prompts as vla

        return {**templates(), **vla.templates()}

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
            "ticks": TableSpec(
                {
                    "tick": "BIGINT",
                    "t_s": "DOUBLE",
                    **dict.fromkeys(("x", "y", "z", "yaw_deg", "pitch_deg", "moved_m"), "DOUBLE"),
                    "blocked": "BOOLEAN",
                    "keys": "VARCHAR",
                    "buttons": "VARCHAR",
                    "dx": "DOUBLE",
                    "dy": "DOUBLE",
                    "recovery": "BOOLEAN",
                    "nudge": "BOOLEAN",
                }
            ),
        }

    def scripted(self) -> Mapping[str, type[ScriptedModel]]:
        """See `Benchmark.scripted`."""
        from benchmarks.worldaudit.vla.scripted import Explorer, Null, Oracle, Random, Shotgun

        return {
            "oracle": Oracle,
            "explorer": Explorer,
            "random": Random,
            "null": Null,
            "shotgun": Shotgun,
        }

    async def play(self, episode: Episode) -> Outcome:
        """See `Benchmark.play`."""
        from benchmarks.worldaudit.vla import play_arm

        return await play_arm(episode)

    def truth(self, trajectory: Trajectory) -> Sequence[Verdict]:
        """See `Benchmark.truth`; official tasks have a rubric alone."""
        if TAG in trajectory.task.tags:
            raise JudgeError(
                f"Official task {trajectory.task.id} can only be judged by its rubric.",
                hint="Name a model: embodied-eval judge RUN --judge-model MODEL",
            )
        from benchmarks.worldaudit.joint import joint_truth
        from benchmarks.worldaudit.vla.judge import withheld

        return withheld(trajectory, joint_truth(trajectory))

    def rubric(self, trajectory: Trajectory) -> Sequence[RubricItem]:
        """See `Benchmark.rubric`."""
        from benchmarks.worldaudit.rubrics import rubric_items

        return rubric_items(trajectory)

    async def judge(self, trajectory: Trajectory, judge: Judge) -> Sequence[Verdict]:
        """See `Benchmark.judge`: whatever the judge says, and what the trace shows of exposure beside it."""
        from benchmarks.worldaudit.exposure import exposure_verdicts
        from benchmarks.worldaudit.open_audit import is_open, open_verdicts
        from benchmarks.worldaudit.vla.judge import explored_verdicts, is_exploration

        if is_open(trajectory.task):
            return open_verdicts(trajectory)
        if is_exploration(trajectory.condition):
            return explored_verdicts(trajectory, measured=TAG not in trajectory.task.tags)
        verdicts = await judge.verdicts(self, trajectory)
        if TAG in trajectory.task.tags:
            return verdicts
        return (*verdicts, *exposure_verdicts(trajectory, verdicts))

    def summarize(self, results: Results) -> Sequence[Metric]:
        """See `Benchmark.summarize`: success and evidence, over all, by family and by sub-category."""
        from benchmarks.worldaudit.vla.judge import metrics_of_arms

        return metrics_of_arms(results)

    def expect(self, task: Task, options: Any) -> Expected:
        """See `Benchmark.expect`."""
        from benchmarks.worldaudit.conditions import expected

        return expected(options)

    async def certify(self, task: Task, play: PlayOnce) -> Certificate:
        """See `Benchmark.certify`."""
        from benchmarks.worldaudit.certificate import certify

        return await certify(task, play)

    def pages(self, results: Sequence[Results]) -> Sequence[Page]:
        """See `Benchmark.pages`: the paper's tables over these runs, the published numbers beside them."""
        from benchmarks.worldaudit.pages import pages

        return pages(results)

    def cause(self, result: EpisodeResult) -> str:
        """See `Benchmark.cause`: the first link of the chain that broke, as the judging stored it."""
        from benchmarks.worldaudit.pages import cause

        return cause(result)
