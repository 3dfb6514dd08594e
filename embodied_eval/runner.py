"""The runner contract: where the episodes of a run execute. Found by `embodied_eval.runners`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from embodied_eval.benchmark import Check
from embodied_eval.config import Resolved, RunConfig
from embodied_eval.plan import Planned, plan_run
from embodied_eval.plugins import load_benchmark

if TYPE_CHECKING:
    from embodied_eval.execute import Player
    from embodied_eval.models.cache import ReplyCache
    from embodied_eval.models.cassette import Recorder
    from embodied_eval.models.gateway import Gateway
    from embodied_eval.models.replay import Replayer
    from embodied_eval.records import Json
    from embodied_eval.store import Receipt, RunDir, Store

CACHE_FOLDER = "cache"


@dataclass(frozen=True)
class Work:
    """What is left to do of a run, in plain data: any process that sees the store can do a part of it."""

    store_root: str
    run_id: str
    benchmark: str
    model: str
    config: dict[str, Json]
    options: dict[str, Json]
    keys: tuple[str, ...]

    def open(self) -> tuple[Store, RunDir]:
        """The store and the run."""
        from embodied_eval.store import Store

        store = Store.open(Path(self.store_root), create=False)
        return store, store.run(self.run_id)

    def resolved(self) -> Resolved:
        """The configuration again."""
        return Resolved(config=RunConfig(**self.config), options=self.options, sources={})

    def planned(self) -> list[Planned]:
        """The episodes of `keys`, in that order, planned again from the same configuration."""
        made = plan_run(load_benchmark(self.benchmark), self.resolved(), self.model)
        by_key = {item.hex: item for item in made}
        return [by_key[key] for key in self.keys]

    def player(self, run: RunDir, gateway: Gateway) -> Player:
        """What plays this work's episodes in this process."""
        from embodied_eval.execute import Player

        config = self.resolved().config
        return Player(load_benchmark(self.benchmark), run, gateway, self.model, config.model_for)


OnReceipt = Callable[[str, "Receipt"], Awaitable[None]]
"""`await on_receipt(episode_key, receipt)`, in the calling process's event loop."""


class Runner(ABC):
    """Plays every episode of some work. Episodes' errors end up in receipts; what would befall every
    episode (no budget left, a part missing, a full disk, the user's stop) propagates."""

    name: str = ""

    def check(self) -> Check:
        """A line for `doctor`: whether episodes can execute this way here, found out by trying."""
        return Check(self.name, "ok", "needs nothing but this process")

    @abstractmethod
    async def run(
        self,
        work: Work,
        *,
        gateway: Gateway,
        on_receipt: OnReceipt,
        on_step: Callable[[], None],
    ) -> None:
        """Play `work`. Returns when all episodes have receipts; cancellation stops it cleanly.

        `gateway` is the run's own, with its budget: a runner in this process asks through it and leaves it
        open; one whose episodes play elsewhere makes others there.
        """


def make_gateway(
    config: RunConfig,
    on_wait: Callable[[float, str], None] | None = None,
    spent: tuple[int, float] = (0, 0.0),
    store_root: Path | None = None,
) -> Gateway:
    """The gateway a run's configuration asks for. `spent` tokens and dollars are taken off its budget;
    cached replies are in the store at `store_root`, without which there are none. All gateways of this
    process that ask the same servers share one limiter.
    """
    from embodied_eval.models.budget import Budget, Reservation
    from embodied_eval.models.gateway import Gateway, endpoint
    from embodied_eval.models.limiter import limiter_of

    budget = Budget(usd=config.budget_usd, tokens=config.budget_tokens)
    budget.settle(Reservation(), *spent)
    return Gateway(
        budget=budget,
        tries=config.tries,
        timeout_s=config.timeout_s,
        limiter=limiter_of(endpoint(config.api_base), config.model_concurrency),
        api_base=config.api_base or None,
        prices=config.prices or None,
        cache=_cache(config, store_root),
        cassette=_cassette(config),
        on_wait=on_wait,
    )


def _cache(config: RunConfig, store_root: Path | None) -> ReplyCache | None:
    if store_root is None or config.cache == "off":
        return None
    from embodied_eval.models.cache import ReplyCache
    from embodied_eval.models.gateway import endpoint

    return ReplyCache(
        store_root / CACHE_FOLDER,
        endpoint=endpoint(config.api_base),
        read_only=config.cache == "read-only",
    )


def _cassette(config: RunConfig) -> Recorder | Replayer | None:
    if config.replay:
        from embodied_eval.models.replay import Replayer

        return Replayer(Path(config.replay))
    if config.record:
        from embodied_eval.models.cassette import Recorder

        return Recorder(Path(config.record))
    return None
