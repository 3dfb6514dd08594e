"""The judge contract, handled once: identity, errors apart from zeros, votes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from embodied_eval.errors import (
    BudgetReached,
    ConfigError,
    EmbodiedEvalError,
    MissingPart,
    ModelAuthError,
    UnknownModel,
    UsageError,
)
from embodied_eval.records import Json, ModelCall, Verdict

if TYPE_CHECKING:
    from embodied_eval.benchmark import Benchmark, ModelHandle, Trajectory


Counts = Callable[[Verdict], bool]


def scores(verdict: Verdict) -> bool:
    """Whether a verdict is part of the result, and no note beside it."""
    return verdict.max > 0


class Judge(ABC):
    """Takes stored evidence, returns itemised verdicts. `name` is what tables print ("truth", "rule" or a
    model's name); `version` is raised whenever the same evidence could get another verdict; `vote` tells the
    askings of one model apart."""

    name: str = ""
    version: str = "1"
    vote: int = 1

    @abstractmethod
    async def verdicts(self, benchmark: Benchmark, trajectory: Trajectory) -> Sequence[Verdict]:
        """Every item's verdict. May raise; `run_judge` turns an error into an errored verdict."""

    def asking(
        self, trajectory: Trajectory, about: str, *, sampling: Mapping[str, Json] | None = None
    ) -> ModelHandle:
        """The model behind this judge, role "judge", for a benchmark that asks it in its own way: several questions,
        tools, pictures that no rubric item holds. `about` tells the questions of one episode apart. Raises
        ConfigError for a judge that asks no model."""
        raise ConfigError(
            f"The judge {self.name!r} has no model to be asked in the benchmark's own way.",
            hint="Name a model: --judge-model openai/...",
        )

    async def poll(
        self, ask: Callable[[Judge], Awaitable[Sequence[Verdict]]], counts: Counts = scores
    ) -> Sequence[Verdict]:
        """The verdicts of `ask(judge)`, for a benchmark that judges in its own way: a judge of several votes has it
        asked once for each and combines the verdicts that `counts`."""
        return await ask(self)

    def taken_calls(self, episode_key: str) -> tuple[ModelCall, ...]:
        """The model calls on one episode since they were last taken, in order; () for a judge that asks none. Several
        episodes may be judged at the same time."""
        return ()

    @property
    def identity(self) -> dict[str, str]:
        """What, beside the episode's key and the rubric, a verdict depends on."""
        return {"judge": self.name, "version": self.version}


class TruthJudge(Judge):
    """The benchmark's own rules over the task's private half; needs no model."""

    name = "truth"

    async def verdicts(self, benchmark: Benchmark, trajectory: Trajectory) -> Sequence[Verdict]:
        """See `Judge.verdicts`."""
        return benchmark.truth(trajectory)


class RuleJudge(Judge):
    """The benchmark's own analysis of what is stored, without any model and without the task's private half; the
    benchmark says how far it may be compared with a model's verdicts."""

    name = "rule"

    async def verdicts(self, benchmark: Benchmark, trajectory: Trajectory) -> Sequence[Verdict]:
        """See `Judge.verdicts`."""
        return benchmark.rules(trajectory)


async def run_judge(judge: Judge, benchmark: Benchmark, trajectory: Trajectory) -> tuple[Verdict, ...]:
    """The stamped verdicts of `judge` on `trajectory`.

    An `EmbodiedEvalError` becomes one verdict of item "*" with `error` set and neither score nor passed:
    the episode is unjudged, never scored 0. What would befall every further episode too (no key, no
    package, no budget left, wrong settings) is raised.
    """
    try:
        made = await benchmark.judge(trajectory, judge)
    except (UsageError, MissingPart, ModelAuthError, UnknownModel, BudgetReached):
        raise
    except EmbodiedEvalError as error:
        made = (Verdict("*", None, 1.0, None, reason=error.message, error=f"{error.kind}: {error}"),)
    return tuple(replace(verdict, judge=judge.name, judge_version=judge.version) for verdict in made)
