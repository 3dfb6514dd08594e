"""The gateway: every question to a model goes through it, scripted or paid.

From the outside in: accounting, schema repair, cassette, cache, retries, limiter, budget, deadline, back end.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from embodied_eval.errors import (
    ConfigError,
    ModelError,
    ModelRefused,
    ModelTimeout,
    ModelUnavailable,
    RateLimited,
)
from embodied_eval.models.accounting import Tally
from embodied_eval.models.budget import Budget, Reservation
from embodied_eval.models.guard import without_userinfo
from embodied_eval.models.limiter import MOST, AdaptiveLimiter, Ending, Limiter, OnWait, Sleep
from embodied_eval.models.prices import Price, TokenBound, given_prices, output_tokens
from embodied_eval.models.retry import Retry
from embodied_eval.models.scripted import ScriptedBackend, is_scripted
from embodied_eval.models.types import Reply, Request, Role, ScriptedModel
from embodied_eval.records import Json, ModelCall

if TYPE_CHECKING:
    from embodied_eval.models.bound import BoundModel
    from embodied_eval.models.cache import ReplyCache
    from embodied_eval.models.cassette import Recorder
    from embodied_eval.models.replay import Replayer
    from embodied_eval.models.video import VideoRequest, VideoResult

REFUSED = frozenset({"refusal", "content_filter"})


class Backend(Protocol):
    """Something that can be asked. Raises `ModelError` by cause and never retries by itself."""

    async def complete(self, request: Request) -> Reply:
        """One request. A refusal is a reply whose `finish` is "refusal" or "content_filter"."""

    def price(self, model: str) -> Price | None:
        """What `model` costs, None where that is not known."""

    async def close(self) -> None:
        """Close its connections."""


def endpoint(api_base: str | None) -> str:
    """The API base that is asked, without its user part: `api_base`, else the environment's; "" for the
    providers' own."""
    found = api_base or os.environ.get("OPENAI_BASE_URL") or os.environ.get("OPENAI_API_BASE") or ""
    return without_userinfo(found)


class Gateway:
    """Asks models for a run: one per process.

    `tries` is for one request, all causes together; `timeout_s` for one try, to its last byte. `limiter` is
    shared by all gateways that are given the same; without it this one has its own, of at most `concurrency`
    calls to a model at once. `api_base` None = the provider's own or the environment's. `prices` = {model:
    [dollars per million tokens in, out]} overrides LiteLLM's table. `cache` answers what was asked before.
    `cassette` records every call, or answers every call without asking anybody. None of these sees scripted
    models. `on_wait(seconds, why)` is told of every wait. `backend` replaces LiteLLM, which is imported at
    the first request to a model that is not scripted. `clock` and `sleep` are for tests.
    """

    def __init__(
        self,
        *,
        budget: Budget | None = None,
        tries: int = 3,
        timeout_s: float = 120.0,
        concurrency: int = MOST,
        limiter: Limiter | None = None,
        api_base: str | None = None,
        prices: Mapping[str, Json] | None = None,
        cache: ReplyCache | None = None,
        cassette: Recorder | Replayer | None = None,
        on_wait: OnWait | None = None,
        backend: Backend | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        if tries < 1 or not timeout_s > 0:
            raise ConfigError(
                f"{tries} tries of {timeout_s} s are not possible.", hint="Both must be positive."
            )
        self.budget = budget or Budget()
        self.timeout_s, self.api_base = timeout_s, api_base
        self.clock, self.sleep = clock, sleep
        self.limiter = limiter or AdaptiveLimiter(concurrency, clock=clock, sleep=sleep)
        self.cache, self.cassette = cache, cassette
        self._on_wait = on_wait
        self._retry = Retry(tries)
        self._given, self._given_video = given_prices(prices)
        self._backend = backend

    def bind(
        self,
        *,
        models: Mapping[Role, str] | Mapping[str, str],
        sampling: Mapping[str, Json],
        scripted: Mapping[str, ScriptedModel],
        record: Callable[[ModelCall], None],
        rng: random.Random | None = None,
        episode: str = "",
        repeat: int = 0,
    ) -> BoundModel:
        """The models of one attempt at an episode, by role.

        `models` names them, `scripted` holds the instances behind `scripted/NAME`; `record` gets each
        call's record, failed ones too. `rng` is for the jitter of waits alone, never the episode's own.
        `episode` is its key, under which a cassette keeps its calls; `repeat` keeps the cached replies of
        repeats (and of a judge's votes) apart.
        """
        from embodied_eval.models.bound import BoundModel

        backend = ScriptedBackend(scripted)
        return BoundModel(
            self, models, sampling, backend, record, rng or random.Random(), episode=episode, repeat=repeat
        )

    async def ask(
        self,
        request: Request,
        *,
        tally: Tally,
        scripted: ScriptedBackend,
        bound: TokenBound,
        known_messages: int,
        rng: random.Random,
    ) -> Reply:
        """`request` answered, after as many tries as it takes; `tally` counts them and what they used.

        A reply with neither text nor tool calls is asked for once more, except of a scripted model, and
        then returned as it is. Raises ModelError, BudgetReached, ConfigError.
        """
        backend: Backend = scripted if is_scripted(request.model) else self._remote()
        price = self._given.get(request.model) or backend.price(request.model)
        if self.budget.usd is not None and price is None:
            raise self._no_price(request.model)
        failures, asked_again = 0, is_scripted(request.model)
        while True:
            tally.tries += 1
            try:
                reply = await self._try(backend, request, price, tally, bound, known_messages)
            except ModelError as error:
                failures += 1
                await self._before_next_try(error, failures, request.model, rng)
                continue
            if asked_again or reply.text or reply.tool_calls or reply.parsed is not None:
                return reply
            if reply.finish == "length":
                return reply
            asked_again = True

    async def generate_video(self, request: VideoRequest) -> VideoResult:
        """A generated video, downloaded and checked. Raises TransferError and other ModelErrors."""
        from embodied_eval.models.replay import Replayer
        from embodied_eval.models.video import VideoClient

        if isinstance(self.cassette, Replayer):
            raise ConfigError("Cassettes hold no generated videos.", hint="Run it without --replay.")
        price = self._remote_video_price(request.model)
        client = VideoClient(self.api_base, retry=self._retry, clock=self.clock, sleep=self.sleep)
        permit = await self.limiter.acquire(request.model, self._on_wait)
        ending: Ending = "other"
        try:
            usd = None if price is None else price * request.seconds
            if self.budget.usd is not None and usd is None:
                raise self._no_price(request.model)
            reservation = await self.budget.reserve(0, usd)
            try:
                result = await client.generate(request)
            except BaseException as error:
                ending = _ending(error)
                self.budget.settle(reservation, 0, None if client.submitted else 0.0)
                raise
            ending = "clean"
            self.budget.settle(reservation, 0, usd)
            return replace(result, cost_usd=usd)
        finally:
            self.limiter.release(permit, ending)

    async def close(self) -> None:
        """Close the connections of the back end."""
        if self._backend is not None:
            await self._backend.close()

    def _remote(self) -> Backend:
        if self._backend is None:
            from embodied_eval.models.litellm_backend import LiteLLMBackend

            self._backend = LiteLLMBackend(self.api_base)
        return self._backend

    def _remote_video_price(self, model: str) -> float | None:
        if model in self._given_video:
            return self._given_video[model]
        look_up = getattr(self._remote(), "video_usd_per_second", None)
        return None if look_up is None else look_up(model)

    async def _try(
        self,
        backend: Backend,
        request: Request,
        price: Price | None,
        tally: Tally,
        bound: TokenBound,
        known_messages: int,
    ) -> Reply:
        # A scripted model answers at once, in this thread: there is nothing to limit.
        limited = not is_scripted(request.model)
        permit = await self.limiter.acquire(request.model, self._on_wait) if limited else None
        ending: Ending = "other"
        try:
            reservation = await self._reserve(request, price, bound, known_messages)
            try:
                reply = await self._in_time(backend, request)
                ending = "clean"
            except (ModelTimeout, asyncio.CancelledError) as error:
                # The provider may have worked, and billed, to the end.
                ending = _ending(error)
                self.budget.forfeit(reservation)
                raise
            except BaseException as error:
                ending = _ending(error)
                self.budget.settle(reservation, 0, 0.0)
                raise
        finally:
            if permit is not None:
                self.limiter.release(permit, ending)
        if request.model in self._given:
            reply = replace(reply, cost_usd=_cost(self._given[request.model], reply))
        self.budget.settle(reservation, _tokens(reply), reply.cost_usd)
        tally.add(reply)
        bound.settle(request, reply)
        if reply.finish in REFUSED:
            said = reply.text[:300] or "its content filter stopped the reply"
            raise ModelRefused(f"{request.model} declined to answer: {said}", model=request.model)
        return reply

    async def _in_time(self, backend: Backend, request: Request) -> Reply:
        try:
            async with asyncio.timeout(request.timeout_s):
                return await backend.complete(request)
        except TimeoutError as error:
            raise ModelTimeout(
                f"{request.model} gave no complete reply within {request.timeout_s:g} s.", model=request.model
            ) from error

    async def _reserve(
        self, request: Request, price: Price | None, bound: TokenBound, known_messages: int
    ) -> Reservation:
        if is_scripted(request.model) or not self.budget.limited:
            return await self.budget.reserve(0, 0.0 if price else None)
        tokens_in, tokens_out = bound.tokens_in(request, known_messages), output_tokens(request, price)
        usd = None if price is None else price.usd(tokens_in, tokens_out)
        return await self.budget.reserve(tokens_in + tokens_out, usd)

    async def _before_next_try(
        self, error: ModelError, failures: int, model: str, rng: random.Random
    ) -> None:
        wait_s = self._retry.wait_s(failures, error, rng)
        if wait_s is None:
            asked = error.retry_after_s if isinstance(error, RateLimited) else None
            if asked is not None and asked > self._retry.longest_s:
                error.hint = f"It asks to wait {asked:.0f} s; resume the run after that."
            elif failures > 1:
                error.message += f" (tried {failures} times)"
            raise error
        if isinstance(error, RateLimited):
            self.limiter.pause(model, wait_s)
        else:
            if self._on_wait is not None:
                self._on_wait(wait_s, f"{error.kind} of {model}, trying again")
            await self.sleep(wait_s)

    @staticmethod
    def _no_price(model: str) -> ConfigError:
        return ConfigError(
            f"The budget is in dollars, but the price of {model} is not known.",
            hint=f'Set a budget in tokens instead, or give the price: prices = {{"{model}" = [IN, OUT]}} in '
            "dollars per million tokens (for a video model one number, dollars per second).",
        )


def _ending(error: BaseException) -> Ending:
    if isinstance(error, RateLimited):
        return "refused"
    return "failed" if isinstance(error, ModelTimeout | ModelUnavailable) else "other"


def _tokens(reply: Reply) -> int | None:
    if reply.tokens_in is None or reply.tokens_out is None:
        return None
    return reply.tokens_in + reply.tokens_out


def _cost(price: Price, reply: Reply) -> float | None:
    if reply.tokens_in is None or reply.tokens_out is None:
        return None
    return price.usd(reply.tokens_in, reply.tokens_out)
