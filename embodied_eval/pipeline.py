"""The three stages of a run - play, judge, summarise - each resumable by itself."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from embodied_eval.benchmark import Benchmark, Trajectory
from embodied_eval.config import Resolved, resolve
from embodied_eval.errors import (
    ConfigError,
    DataFileError,
    EmbodiedEvalError,
    MissingPart,
    ModelAuthError,
    UnknownModel,
    UnknownName,
    UsageError,
)
from embodied_eval.judges.base import Judge
from embodied_eval.judging import check_judge, check_offered, judge_one, judge_run, make_judge, summarise
from embodied_eval.models.types import ROLES
from embodied_eval.plan import Planned, check_model, driver_of, first_difference, manifest, plan_run
from embodied_eval.plugins import available, check_address, check_own_packages, load
from embodied_eval.recordings import missing_sources
from embodied_eval.records import COUNTED, Json, Task, Verdict
from embodied_eval.results import counts, results_of, trajectory_of
from embodied_eval.runner import Runner, Work, make_gateway

if TYPE_CHECKING:
    from embodied_eval.store import Receipt, RunDir, Store

log = logging.getLogger("embodied_eval")


class Progress(Protocol):
    """What a run tells while it lasts. Every method is called in the run's own event loop."""

    def begin(self, run_id: str, model: str, total: int, done: int) -> None:
        """A run starts, `done` of its `total` episodes being there already."""

    def step(self) -> None:
        """One step was recorded somewhere."""

    def episode(self, item: Planned, receipt: Receipt, verdicts: Sequence[Verdict]) -> None:
        """An episode ended and was judged."""

    def wait(self, seconds: float, why: str) -> None:
        """A model call waits."""

    def end(self) -> None:
        """The run ended, in whatever way."""


class Silent:
    """A `Progress` that tells nothing."""

    def begin(self, run_id: str, model: str, total: int, done: int) -> None:
        """See `Progress.begin`."""

    def step(self) -> None:
        """See `Progress.step`."""

    def episode(self, item: Planned, receipt: Receipt, verdicts: Sequence[Verdict]) -> None:
        """See `Progress.episode`."""

    def wait(self, seconds: float, why: str) -> None:
        """See `Progress.wait`."""

    def end(self) -> None:
        """See `Progress.end`."""


@dataclass(frozen=True)
class Reuse:
    """What `--dry-run --explain` says of one episode: `reuse` a finished one of `run_id`, or `run` it, and
    the first field in which its key differs from that run's episode of the same task."""

    item: Planned
    reuse: bool
    run_id: str
    differs: str


def check_names(
    benchmark: Benchmark, resolved: Resolved, models: Sequence[str], judges: Sequence[str]
) -> None:
    """Raise for anything in the settings that does not exist, before a store is made or a model asked;
    PluginError if one of our packages is shadowed."""
    check_own_packages()
    if resolved.config.runner not in available("runners"):
        raise UnknownName("runner", resolved.config.runner, available("runners"))
    driver = driver_of(benchmark, resolved.config)
    if driver:
        check_address(driver, resolved.config.driver_address)
        if resolved.config.driver_address and resolved.config.concurrency > 1:
            raise ConfigError(
                "One running simulator serves one episode at a time.",
                hint="Leave --concurrency out, or --driver-address, so that each worker starts its own.",
            )
    for judge in judges:
        check_judge(judge)
        check_offered(benchmark, judge)
    for role, name in resolved.config.model_for.items():
        if role not in ROLES:
            raise UnknownName("model role", role, ROLES)
        check_model(benchmark, name)
    for model in models:
        plan_run(benchmark, resolved, model)
    if resolved.config.replay and not Path(resolved.config.replay).is_dir():
        raise DataFileError(
            f"There is no cassette at {resolved.config.replay}.", hint="Record one: --record DIR."
        )


def find_resumable(store: Store, planned: Sequence[Planned], model: str) -> RunDir | None:
    """The newest run that shares an episode with `planned`.

    Raises ConfigError if that run holds episodes which `planned` does not: it was planned differently.
    """
    mine = {item.hex for item in planned}
    for run in store.runs():
        if run.manifest["model"] != model or run.manifest["benchmark"] != planned[0].key.benchmark:
            continue
        theirs = {row["episode_key"] for row in run.manifest["plan"]}
        if not theirs & mine:
            continue
        if theirs - mine:
            raise ConfigError(
                f"Run {run.id} was planned with {len(theirs - mine)} episode(s) that these settings leave out.",
                hint="Repeat the command that began it, or drop --resume to start a new run.",
            )
        return run
    return None


def explain_reuse(store: Store, planned: Sequence[Planned], model: str) -> list[Reuse]:
    """For each planned episode whether `--resume` would reuse it, and if not, what changed."""
    benchmark = planned[0].key.benchmark
    runs = [
        run
        for run in store.runs()
        if run.manifest["model"] == model and run.manifest["benchmark"] == benchmark
    ]
    made = []
    receipts = {run.id: run.receipts() for run in runs}
    for item in planned:
        fields = _fields(item)
        reuse, where, differs = False, "", "no earlier run of this benchmark and model"
        for run in runs:
            same = [row for row in run.manifest["plan"] if (row["task_id"], row["repeat"]) == _place(item)]
            exact = any(row["episode_key"] == item.hex for row in same)
            receipt = receipts[run.id].get(item.hex)
            if exact and receipt is not None and receipt.status in COUNTED:
                reuse, where, differs = True, run.id, ""
                break
            if exact and not where:
                where, differs = run.id, "not finished" if receipt is None else f"ended as {receipt.status}"
            elif same and not where:
                where, differs = run.id, first_difference(fields, same[0]["key_fields"])
        made.append(Reuse(item, reuse, where, differs))
    return made


async def run_model(
    benchmark: Benchmark,
    resolved: Resolved,
    model: str,
    judge_names: Sequence[str],
    store: Store,
    *,
    resume: bool = False,
    progress: Progress | None = None,
) -> RunDir:
    """Play, judge and summarise one model's run; returns it. Whatever stops it leaves it resumable."""
    progress = progress or Silent()
    planned = plan_run(benchmark, resolved, model)
    for prior in missing_sources(benchmark, resolved, planned, store):
        await run_model(benchmark, prior.resolved, prior.model, ("truth",), store, progress=progress)
    run = find_resumable(store, planned, model) if resume else None
    if run is None:
        public, private = manifest(benchmark, resolved, model, judge_names[0], planned)
        run = store.create_run(public, private)
    elif len(run.manifest["plan"]) != len(planned):
        public, private = manifest(benchmark, resolved, model, judge_names[0], planned)
        run.replace_plan(public, private)
    receipts = run.receipts()
    done = {key for key, receipt in receipts.items() if receipt.status in COUNTED}
    todo = [item for item in planned if item.hex not in done]
    by_key = {item.hex: item for item in planned}
    config = resolved.config
    gateway = make_gateway(config, progress.wait, spent_so_far(run), store.root)
    judges = [make_judge(name, gateway) for name in judge_names]
    judged: set[str] = set()
    progress.begin(run.id, model, len(planned), len(planned) - len(todo))

    async def on_receipt(key: str, receipt: Receipt) -> None:
        verdicts: tuple[Verdict, ...] = ()
        if receipt.status in COUNTED:
            for judge in reversed(judges):
                verdicts = await judge_one(store, run, key, benchmark, judge)
            judged.add(key)
        progress.episode(by_key[key], receipt, verdicts)

    runner: Runner = load("runners", config.runner)()
    work = Work(
        str(store.root),
        run.id,
        benchmark.name,
        model,
        config.model_dump(mode="json"),
        dict(resolved.options),
        tuple(item.hex for item in todo),
    )
    try:
        try:
            if todo:
                await runner.run(work, gateway=gateway, on_receipt=on_receipt, on_step=progress.step)
            for judge in judges:
                await judge_run(store, run, benchmark, judge, only_missing=True, leave_out=judged)
        finally:
            progress.end()
            await gateway.close()
    except (UsageError, MissingPart, ModelAuthError, UnknownModel):
        # Refused at its very first call: a run with nothing in it would only make RUN ambiguous.
        if run.receipts():
            keep_what_is_done(store, run, benchmark, judges)
        else:
            run.discard()
        raise
    except BaseException:
        keep_what_is_done(store, run, benchmark, judges)
        raise
    ingest(store, run)
    return run


def spent_so_far(run: RunDir) -> tuple[int, float]:
    """Tokens and dollars that every attempt of `run` has used, unfinished ones too; a figure that a provider
    did not tell counts as nothing."""
    tokens, usd = 0, 0.0
    for key, numbers in run.attempts().items():
        for number in numbers:
            receipt = run.receipt(key, number)
            for used in run.episode(key, number).calls if receipt is None else (receipt,):
                tokens += (used.tokens_in or 0) + (used.tokens_out or 0)
                usd += used.cost_usd or 0.0
    return tokens, usd


def keep_what_is_done(store: Store, run: RunDir, benchmark: Benchmark, judges: Sequence[Judge]) -> None:
    """Summarise and load what a run that was stopped has finished; no model is asked any more. What fails
    here is logged only: the user must hear of what stopped the run."""
    left = [partial(summarise, store, run, benchmark, judge) for judge in judges]
    for step in (*left, partial(ingest, store, run)):
        try:
            step()
        except EmbodiedEvalError as error:
            log.warning("What is finished could not be summarised and loaded: %s", error)


def ingest(store: Store, run: RunDir) -> None:
    """Load what the run's spools hold into the database."""
    from embodied_eval.store import Collector

    Collector(store).ingest(run)


def exit_code(store: Store, run: RunDir, judge: str | None = None) -> int:
    """0 done, 3 some episode is excluded, 4 some episode is unjudged."""
    found = counts(results_of(store, run, judge))
    if found["unjudged"]:
        return 4
    return 3 if found["excluded"] or found["finished"] < found["planned"] else 0


class Rehearsal:
    """Plays single episodes outside any run, in a temporary store: what `certify` is handed.

    Use as an async context manager; calling it is a `benchmark.PlayOnce`. `driver` "" is the benchmark's own;
    `address` that of a running simulator. `played` is told how many episodes have ended.
    """

    def __init__(
        self,
        benchmark: Benchmark,
        *,
        driver: str = "",
        address: str = "",
        played: Callable[[int], None] = lambda _: None,
    ) -> None:
        from embodied_eval.execute import Threads
        from embodied_eval.store import Store

        self._benchmark, self._driver = benchmark, driver
        self._played, self._count = played, 0
        self._folder = tempfile.TemporaryDirectory(prefix="embodied-eval-")
        self._store = Store.open(Path(self._folder.name))
        self._threads = Threads(address)

    async def __aenter__(self) -> Rehearsal:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._threads.close()
        self._folder.cleanup()

    async def __call__(
        self, task: Task, model: str, *, condition: str = "", options: Mapping[str, Json] | None = None
    ) -> Trajectory:
        """Play `task` (it need not be one of the benchmark's: altered copies are played too), not judged."""
        from embodied_eval.execute import Player

        resolved = resolve(
            self._benchmark,
            command_line={
                "condition": (condition,) if condition else (),
                **({"driver": self._driver} if self._driver else {}),
            },
            options=dict(options or {}),
            environ={},
            folder=Path(self._folder.name),
        )
        planned = plan_run(self._benchmark, resolved, model, tasks=(task,))
        public, private = manifest(self._benchmark, resolved, model, "truth", planned)
        run = self._store.create_run(public, private)
        gateway = make_gateway(resolved.config)
        try:
            await Player(self._benchmark, run, gateway, model, {}).play(planned[0], self._threads)
        finally:
            await gateway.close()
        self._count += 1
        self._played(self._count)
        return trajectory_of(self._store, run, planned[0].hex, self._benchmark)


def _fields(item: Planned) -> dict[str, Json]:
    return asdict(item.key)


def _place(item: Planned) -> tuple[str, int]:
    return (item.task.id, item.repeat)
