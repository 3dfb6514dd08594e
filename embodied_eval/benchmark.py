"""The plugin contract: five verbs and a few optional hooks.

A benchmark is a class found by the entry point group `embodied_eval.benchmarks`. The four built-in ones
use nothing that is not public here, in `records`, `errors`, `models.types`, `drivers.base`, `worlds` and `judges.base`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from embodied_eval.exhibits import Cell as Cell
from embodied_eval.exhibits import Entry as Entry
from embodied_eval.exhibits import Excerpt as Excerpt
from embodied_eval.exhibits import Gallery as Gallery
from embodied_eval.exhibits import Gauge as Gauge
from embodied_eval.exhibits import Page as Page
from embodied_eval.exhibits import Part as Part
from embodied_eval.exhibits import Picture as Picture
from embodied_eval.exhibits import RowGroup as RowGroup
from embodied_eval.exhibits import Sheet as Sheet
from embodied_eval.exhibits import Table as Table
from embodied_eval.handles import DriverHandle as DriverHandle
from embodied_eval.handles import EffectsHandle as EffectsHandle
from embodied_eval.handles import Episode as Episode
from embodied_eval.handles import ModelHandle as ModelHandle
from embodied_eval.records import Condition, Json, Metric, Outcome, Pose, Task, Verdict
from embodied_eval.trajectory import EpisodeResult as EpisodeResult
from embodied_eval.trajectory import Results as Results
from embodied_eval.trajectory import Trajectory as Trajectory

if TYPE_CHECKING:
    from pydantic import BaseModel

    from embodied_eval.judges.base import Judge
    from embodied_eval.models.types import ScriptedModel
    from embodied_eval.worlds.model import World


@dataclass(frozen=True)
class Headline:
    """A benchmark's one number: the metric's name, its unit and which way is better."""

    metric: str
    unit: str = "%"
    higher_is_better: bool = True


@dataclass(frozen=True)
class TableSpec:
    """One of a benchmark's own store tables: column name -> DuckDB type. Raise `version` on any change.
    A `private` table's rows go to the private spool and are left out of public exports."""

    columns: Mapping[str, str]
    version: int = 1
    private: bool = False


@dataclass(frozen=True)
class Need:
    """Something a benchmark needs on this machine: an extra of ours, and why."""

    extra: str
    why: str


@dataclass(frozen=True)
class Check:
    """One line of `doctor`: `status` "ok", "missing", "broken" or "untested"; `fix` the command that mends it."""

    name: str
    status: Literal["ok", "missing", "broken", "untested"]
    detail: str
    fix: str = ""


@dataclass(frozen=True)
class Expected:
    """An upper estimate of one episode's model calls and tokens; None = unknown. `typical` is what an
    ordinary episode uses, where the benchmark can tell."""

    calls: int | None
    tokens_in: int | None
    tokens_out: int | None
    typical: Expected | None = None

    @property
    def tokens(self) -> int | None:
        """Both directions together."""
        if self.tokens_in is None or self.tokens_out is None:
            return None
        return self.tokens_in + self.tokens_out


@dataclass(frozen=True)
class Certificate:
    """What `certify` found for one task: each named check "passed", "failed" or "skipped". `notes` are lines that
    `verify` prints below, such as what was measured."""

    task_id: str
    checks: Mapping[str, Literal["passed", "failed", "skipped"]]
    reason: str = ""
    notes: tuple[str, ...] = ()

    @property
    def certified(self) -> bool:
        """Whether some check passed and none failed."""
        return "passed" in self.checks.values() and "failed" not in self.checks.values()


@dataclass(frozen=True)
class Offer:
    """What can be played: tasks, conditions (the first is the default), and the driver unless one is named."""

    tasks: Sequence[Task]
    conditions: Sequence[Condition]
    driver: str


@dataclass(frozen=True)
class Source:
    """The episode that others play back: of the same task, driver and seed, under `condition` with `options` (all
    others as the condition has them), by `model`. It is recorded before the first of them is played, once for
    all. `run`: the id of the run that holds it already, by whatever model ("" = found, or recorded)."""

    condition: str
    options: Mapping[str, Json]
    model: str
    run: str = ""


PlayOnce = Callable[..., Awaitable[Trajectory]]
"""`await play(task, model, condition="", options={})` plays one episode outside any run and returns its
trajectory. `task` may be an altered copy."""


class Benchmark(ABC):
    """A benchmark. Class attributes: `name`, `version` (raised by hand whenever results could change),
    `title`, `headline` (None where no single number is honest), `default_judge`, `default_driver` ("" = it
    plays in no simulator), `defaults` (configuration keys of a run that hold unless somebody sets them)."""

    name: str
    version: int = 1
    title: str = ""
    description: str = ""
    headline: Headline | None = None
    default_judge: str = "truth"
    default_driver: str = ""
    defaults: Mapping[str, Json] = {}

    # -- the five verbs -------------------------------------------------------------------------

    @abstractmethod
    def tasks(self) -> Sequence[Task]:
        """Every task, in a fixed order, ids unique. Cheap: reads data, builds no world."""

    @abstractmethod
    def conditions(self) -> Sequence[Condition]:
        """The named protocol settings; the first is the default."""

    @abstractmethod
    async def play(self, episode: Episode) -> Outcome:
        """Run one episode, recording as it goes. Errors of model and simulator propagate as they are."""

    async def judge(self, trajectory: Trajectory, judge: Judge) -> Sequence[Verdict]:
        """Itemised verdicts from what is stored. The default asks `judge`, which calls `truth` or `rubric`."""
        return await judge.verdicts(self, trajectory)

    @abstractmethod
    def summarize(self, results: Results) -> Sequence[Metric]:
        """Metrics with n, interval and denominator; never a bare mean."""

    # -- what judges call -----------------------------------------------------------------------

    def truth(self, trajectory: Trajectory) -> Sequence[Verdict]:
        """Verdicts by rule from the task's private half (judge `truth`). Default: not offered."""
        from embodied_eval.errors import ConfigError

        raise ConfigError(f"{self.name} has no ground-truth judge; name a model with --judge-model.")

    def rules(self, trajectory: Trajectory) -> Sequence[Verdict]:
        """Verdicts by an analysis of what is stored, the private half left aside (judge `rule`). Default: not
        offered."""
        from embodied_eval.errors import ConfigError

        raise ConfigError(f"{self.name} has no rule-based judge; name another with --judge-model.")

    def rubric(self, trajectory: Trajectory) -> Sequence[RubricItem]:
        """What a judge model is asked about this trajectory (judge = a model). Default: not offered."""
        from embodied_eval.errors import ConfigError

        raise ConfigError(f"{self.name} has no rubric for judge models; use --judge-model truth.")

    # -- optional hooks -------------------------------------------------------------------------

    def scripted(self) -> Mapping[str, type[ScriptedModel]]:
        """Models written in Python, by NAME of `scripted/NAME`."""
        return {}

    def needs(self) -> Sequence[Need]:
        """The extras it cannot run without."""
        return ()

    def options(self) -> type[BaseModel] | None:
        """A pydantic model of the keys that `--set` accepts, each with a description and a default."""
        return None

    def world(self, task: Task, options: Any) -> World | None:
        """The world `task` plays in, None where it plays in none."""
        if not task.world:
            return None
        if task.world.startswith("ue:"):
            from embodied_eval.drivers.unrealcv.pack_world import game_world

            return game_world(task.world)
        from embodied_eval.worlds.bundled import load_world

        return load_world(task.world)

    def offer(self, world: str, data: str = "") -> Offer:
        """What is played in the world that `--world` names ("" = each task in its own): here every task, moved
        there. `data` is the folder of official data that `--data` names; raises ConfigError here, since a benchmark
        that reads one overrides this."""
        if data:
            from embodied_eval.errors import ConfigError

            raise ConfigError(f"{self.name} reads no official data.", hint="Leave --data out.")
        tasks = self.tasks()
        if world:
            tasks = [replace(task, world=world) for task in tasks]
        return Offer(tasks, self.conditions(), self.default_driver)

    def image_size(self, options: Any) -> tuple[int, int]:
        """(width, height) in pixels of what `Episode.observe` captures."""
        return (960, 540)

    def variants(self, task: Task, options: Any) -> Sequence[Task]:
        """What is played for `task` under `options`: the task itself, altered copies of it, or () where it is
        not played under them. A copy that differs from the task must have an id of its own. Cheap where the
        task is returned as it is."""
        return (task,)

    def start(self, task: Task, options: Any) -> str | Pose:
        """Where the agent starts, given both halves of the task: a spawn's name ("" = the first) or a pose."""
        return str(task.public.get("spawn", ""))

    def source(self, task: Task, options: Any) -> Source | None:
        """The recorded episode that an episode of `task` under `options` plays back: its driver is then that
        recording, whose time passes whatever is commanded. None where it is played in the simulator."""
        return None

    def effects(self, task: Task) -> Sequence[Mapping[str, Json]]:
        """The planted effects, as data; taken from `task.private["effects"]` unless overridden."""
        return tuple(task.private.get("effects", ()))

    def watch(self, task: Task) -> Sequence[str]:
        """Names of the objects whose visibility is stored for each frame (the truth's targets)."""
        return tuple(task.private.get("watch", ()))

    def prompts(self) -> Mapping[str, str]:
        """Prompt templates, by name: hashed into the episode's identity."""
        return {}

    def expect(self, task: Task, options: Any) -> Expected:
        """The most calls and tokens one episode may use, for `--dry-run`. Default: unknown."""
        return Expected(None, None, None)

    async def certify(self, task: Task, play: PlayOnce) -> Certificate:
        """Prove one task sound; run by `verify`."""
        return Certificate(task.id, {}, "this benchmark has no certificates")

    def pages(self, results: Sequence[Results]) -> Sequence[Page]:
        """Report pages over several runs of this benchmark, as data."""
        return ()

    def episode_pages(self, trajectory: Trajectory, result: EpisodeResult) -> Sequence[Page]:
        """What the report shows of one finished episode beyond its replay. In the public edition `trajectory` and
        `result` are without the truth, and verdicts without reasons and evidence."""
        return ()

    def cause(self, result: EpisodeResult) -> str:
        """Why a judged episode failed, in a few words that the report groups by; "" = go by how it ended and by
        its verdicts' reasons. In the public edition the task's private half and the reasons are empty."""
        return ""

    def checks(self) -> Sequence[Check]:
        """Lines for `doctor`."""
        return ()

    def tables(self) -> Mapping[str, TableSpec]:
        """Its own store tables, filled by `Episode.row`."""
        return {}

    def roles(self) -> Mapping[str, str]:
        """Further model roles with their default model ("" = the agent's)."""
        return {}


@dataclass(frozen=True)
class RubricItem:
    """One question to a judge model: `rubric` is trusted text of ours, `answer` what the model under test
    wrote (untrusted), `frames` the cited images' refs."""

    item: str
    rubric: str
    answer: str
    frames: tuple[str, ...] = ()
    max: float = 1.0
