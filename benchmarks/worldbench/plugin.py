"""WorldBench as a plugin: a model writes a voxel island in one HTML file; code and frames are graded item by item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

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
    TableSpec,
    Trajectory,
)
from embodied_eval.errors import ConfigError
from embodied_eval.records import Condition, Json, Metric, Outcome, Task, Verdict

if TYPE_CHECKING:
    from pydantic import BaseModel

    from embodied_eval.judges.base import Judge
    from embodied_eval.models.types import ScriptedModel


class WorldBench(Benchmark):
    """A floating voxel island with ten biomes, out of 280 points; half of each item is for its code, half for its
    frames."""

    name = "worldbench"
    version = 1
    title = "WorldBench"
    description = "Write a voxel world in one HTML file; code and running world are graded item by item."
    headline = Headline("score", "points")
    default_judge = "rule"
    default_driver = "page"
    # A world is one long completion at temperature 1, as in the paper; some take many minutes.
    defaults: Mapping[str, Json] = {"temperature": 1.0, "timeout_s": 1800.0}

    def tasks(self) -> Sequence[Task]:
        """See `Benchmark.tasks`: the island that a model is asked for."""
        from benchmarks.worldbench.suite import GENERATED

        return (GENERATED,)

    def conditions(self) -> Sequence[Condition]:
        """See `Benchmark.conditions`."""
        from benchmarks.worldbench.conditions import CONDITIONS

        return CONDITIONS

    def offer(self, world: str, data: str = "") -> Offer:
        """See `Benchmark.offer`: with `world`, the HTML files there are graded and no model is asked for one."""
        if world and data:
            raise ConfigError("WorldBench reads no official data.", hint="Leave --data out.")
        if not world:
            return super().offer(world, data)
        from benchmarks.worldbench.suite import given_offer

        return given_offer(world)

    def options(self) -> type[BaseModel]:
        """See `Benchmark.options`."""
        from benchmarks.worldbench.options import Options

        return Options

    def needs(self) -> Sequence[Need]:
        """See `Benchmark.needs`."""
        return (Need("web", "the sealed browser that worlds run in"),)

    def image_size(self, options: Any) -> tuple[int, int]:
        """See `Benchmark.image_size`."""
        return (options.width, options.height)

    def prompts(self) -> Mapping[str, str]:
        """See `Benchmark.prompts`."""
        from benchmarks.worldbench.prompts import templates
        from benchmarks.worldbench.seams import capture_prompts

        return {**templates(), **capture_prompts()}

    def tables(self) -> Mapping[str, TableSpec]:
        """See `Benchmark.tables`."""
        from benchmarks.worldbench.store_tables import TABLES

        return TABLES

    def scripted(self) -> Mapping[str, type[ScriptedModel]]:
        """See `Benchmark.scripted`."""
        from benchmarks.worldbench.scripted import BrokenThenFixed, Null, Oracle, Reference, Truncated

        return {
            "oracle": Oracle,
            "reference": Reference,
            "null": Null,
            "truncated": Truncated,
            "broken-then-fixed": BrokenThenFixed,
        }

    async def play(self, episode: Episode) -> Outcome:
        """See `Benchmark.play`."""
        from benchmarks.worldbench.play import play

        return await play(episode)

    def truth(self, trajectory: Trajectory) -> Sequence[Verdict]:
        """See `Benchmark.truth`: for fixture worlds."""
        from benchmarks.worldbench.judging import offline_verdicts
        from benchmarks.worldbench.seams import truth_evidence

        return offline_verdicts(trajectory, truth_evidence)

    def rules(self, trajectory: Trajectory) -> Sequence[Verdict]:
        """See `Benchmark.rules`: our own analysis of source, scene and pixels, not comparable with the paper's."""
        from benchmarks.worldbench.judging import offline_verdicts
        from benchmarks.worldbench.seams import rule_evidence

        return offline_verdicts(trajectory, rule_evidence)

    async def judge(self, trajectory: Trajectory, judge: Judge) -> Sequence[Verdict]:
        """See `Benchmark.judge`: every judge only brings evidence; the grading is the same."""
        from benchmarks.worldbench.judging import OFFLINE, model_verdicts
        from benchmarks.worldbench.verdicts import is_half

        if judge.name in OFFLINE:
            return await judge.verdicts(self, trajectory)
        return await judge.poll(lambda voter: model_verdicts(trajectory, voter), is_half)

    def summarize(self, results: Results) -> Sequence[Metric]:
        """See `Benchmark.summarize`."""
        from benchmarks.worldbench.seams import metrics_of

        return metrics_of(results)

    def expect(self, task: Task, options: Any) -> Expected:
        """See `Benchmark.expect`."""
        from benchmarks.worldbench.conditions import expected
        from benchmarks.worldbench.suite import is_given

        return expected(options, generates=not is_given(task))

    async def certify(self, task: Task, play: PlayOnce) -> Certificate:
        """See `Benchmark.certify`: the judge is proved on fixture worlds."""
        from benchmarks.worldbench.seams import certificate_of

        return await certificate_of(task, play)

    def pages(self, results: Sequence[Results]) -> Sequence[Page]:
        """See `Benchmark.pages`."""
        from benchmarks.worldbench.seams import pages_of

        return pages_of(results)

    def episode_pages(self, trajectory: Trajectory, result: EpisodeResult) -> Sequence[Page]:
        """See `Benchmark.episode_pages`: every item with its quote and its frames."""
        from benchmarks.worldbench.seams import episode_pages_of

        return episode_pages_of(trajectory, result)

    def cause(self, result: EpisodeResult) -> str:
        """See `Benchmark.cause`: how the world's load ended, where it did not run."""
        outcome = result.outcome
        if outcome is None or outcome.answer.get("loaded", True):
            return ""
        return f"the world does not load: {str(outcome.answer.get('outcome', '')).replace('_', ' ')}"
