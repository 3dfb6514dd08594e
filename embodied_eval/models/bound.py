"""The models of one episode, by role: what `Episode.model` is."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from embodied_eval.errors import ConfigError, InvalidReply, ModelError
from embodied_eval.models.accounting import Ledger, Tally
from embodied_eval.models.cassette import RecordingTape
from embodied_eval.models.guard import Guard
from embodied_eval.models.litellm_backend import check_sampling
from embodied_eval.models.prices import TokenBound
from embodied_eval.models.schema import check_schema, parse_reply, repair_text, validate
from embodied_eval.models.scripted import ScriptedBackend, is_scripted
from embodied_eval.models.types import Message, Reply, Request, Role, Tool, user
from embodied_eval.models.wire import with_unique_ids
from embodied_eval.records import Json, ModelCall

if TYPE_CHECKING:
    from embodied_eval.models.gateway import Gateway
    from embodied_eval.models.replay import ReplayingTape


class BoundModel:
    """Implements `benchmark.ModelHandle`; made by `Gateway.bind`, whose arguments it keeps."""

    def __init__(
        self,
        gateway: Gateway,
        models: Mapping[Role, str] | Mapping[str, str],
        sampling: Mapping[str, Json],
        scripted: ScriptedBackend,
        record: Callable[[ModelCall], None],
        rng: random.Random,
        *,
        episode: str = "",
        repeat: int = 0,
    ) -> None:
        if not all(is_scripted(model) for model in models.values()):
            check_sampling(sampling)
        self._gateway, self._models, self._sampling = (
            gateway,
            {str(key): name for key, name in models.items()},
            dict(sampling),
        )
        self._scripted, self._record, self._rng = scripted, record, rng
        self._ledger = Ledger(Guard())
        self._bounds: dict[str, TokenBound] = {}
        self._episode, self._repeat = episode, repeat
        self._tapes: dict[str, RecordingTape | ReplayingTape] = {}
        self._asked: Counter[str] = Counter()

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Tool] = (),
        schema: Mapping[str, Json] | None = None,
        role: Role = "agent",
        sampling: Mapping[str, Json] | None = None,
    ) -> Reply:
        """See `benchmark.ModelHandle.complete`.

        With `schema` the reply's `parsed` is valid under it, after at most one repair turn; a reply that
        calls tools is returned without. Raises InvalidReply where it is not valid even then, ConfigError
        for a schema outside the supported subset or a role without a model.
        """
        if schema is not None:
            check_schema(schema)
        model = self._models.get(role)
        if model is None:
            raise ConfigError(
                f"No model plays the role {role!r}.", hint=f"Name one: --model-for {role}=NAME."
            )
        used = self._sampling if sampling is None else dict(sampling)
        if sampling is not None and not is_scripted(model):
            check_sampling(used)
        tally, started = Tally(), self._gateway.clock()
        exchange = _Exchange(
            Request(role, model, tuple(messages), tools, schema, used, self._gateway.timeout_s)
        )
        error: BaseException | None = None
        try:
            return await self._structured(exchange, tally)
        except BaseException as caught:
            error = caught
            raise
        finally:
            wall_s = self._gateway.clock() - started
            said = exchange.request.messages
            self._record(self._ledger.record(role, model, said, exchange.reply, tally, wall_s, error))

    async def _structured(self, exchange: _Exchange, tally: Tally) -> Reply:
        reply = await self._ask(exchange, tally)
        schema = exchange.request.schema
        if schema is None or reply.tool_calls:
            return reply
        errors = exchange.read(schema)
        if errors:
            said = (reply.as_message(),) if reply.text else ()
            repair = (*said, user(repair_text(errors, schema)))
            exchange.request = replace(exchange.request, messages=(*exchange.request.messages, *repair))
            await self._ask(exchange, tally)
            errors = exchange.read(schema)
        if errors:
            raise InvalidReply(
                f"{exchange.request.model} gave no valid answer, also after a repair turn: {'; '.join(errors)}",
                model=exchange.request.model,
            )
        assert exchange.reply is not None
        return exchange.reply

    async def _ask(self, exchange: _Exchange, tally: Tally) -> Reply:
        request, used = exchange.request, Tally()
        try:
            reply = await self._through_cassette(request, used)
        finally:
            tally.merge(used)
        if reply.tool_calls:
            reply = replace(reply, tool_calls=with_unique_ids(reply.tool_calls, request.messages))
        exchange.reply = reply
        return reply

    async def _through_cassette(self, request: Request, tally: Tally) -> Reply:
        cassette = self._gateway.cassette
        if cassette is None or is_scripted(request.model):
            return await self._through_cache(request, tally)
        tape = self._tapes.get(request.role)
        if tape is None:
            tape = cassette.tape(self._episode, request.role, request.model)
            self._tapes[request.role] = tape
        if isinstance(tape, RecordingTape):
            tape.before(request)
            try:
                reply = await self._through_cache(request, tally)
            except ModelError as error:
                tape.after(request, tally, error=error)
                raise
            tape.after(request, tally, reply=reply)
            return reply
        return tape.answer(request, tally)

    async def _through_cache(self, request: Request, tally: Tally) -> Reply:
        cache = self._gateway.cache
        if cache is None or is_scripted(request.model):
            return await self._through_gateway(request, tally)
        key = cache.key(request, self._repeat)
        nth = self._asked[key]
        self._asked[key] += 1
        known = cache.get(key, nth)
        if known is not None:
            tally.hit(known)
            self._bound(request).settle(request, known)
            return known
        reply = await self._through_gateway(request, tally)
        cache.put(key, nth, request, reply)
        return reply

    async def _through_gateway(self, request: Request, tally: Tally) -> Reply:
        return await self._gateway.ask(
            request,
            tally=tally,
            scripted=self._scripted,
            bound=self._bound(request),
            known_messages=self._ledger.known(request.role, request.messages),
            rng=self._rng,
        )

    def _bound(self, request: Request) -> TokenBound:
        return self._bounds.setdefault(request.role, TokenBound())


class _Exchange:
    """The request of one `complete` as it stands, repair turn included, and the last reply to it."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.reply: Reply | None = None

    def read(self, schema: Mapping[str, Json]) -> list[str]:
        """Parse the reply into `parsed` where it is valid under `schema`; otherwise what is wrong with it."""
        reply = self.reply
        assert reply is not None
        value, problem = (reply.parsed, "") if reply.parsed is not None else parse_reply(reply.text)
        errors = [problem] if problem else validate(value, schema)
        self.reply = replace(reply, parsed=None if errors else value)
        return errors
