"""One `ModelCall` record for each `complete`: what was said, how often it was tried, what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from embodied_eval.errors import EmbodiedEvalError
from embodied_eval.models.guard import Guard
from embodied_eval.models.types import Message, Reply, Text
from embodied_eval.records import Json, ModelCall


def common_prefix(before: Sequence[Message], now: Sequence[Message]) -> int:
    """How many messages at the beginning of `now` equal those of `before`."""
    count = 0
    for old, new in zip(before, now, strict=False):
        if old is not new and old != new:
            break
        count += 1
    return count


def message_json(message: Message) -> dict[str, Json]:
    """A message as it is recorded: images by hash, `parts` and calls left out where there are none."""
    made: dict[str, Json] = {"role": message.role}
    if message.parts:
        made["parts"] = [
            {"type": "text", "text": part.text}
            if isinstance(part, Text)
            else {"type": "image", "sha256": part.sha256, "media_type": part.media_type, "ref": part.ref}
            for part in message.parts
        ]
    if message.tool_calls:
        made["tool_calls"] = _calls_json(message)
    if message.tool_call_id:
        made["tool_call_id"] = message.tool_call_id
    return made


def reply_json(reply: Reply) -> dict[str, Json]:
    """A reply as it is recorded."""
    made: dict[str, Json] = {"text": reply.text, "finish": reply.finish}
    if reply.tool_calls:
        made["tool_calls"] = _calls_json(reply)
    if reply.parsed is not None:
        made["parsed"] = reply.parsed
    return made


def _calls_json(said: Message | Reply) -> list[dict[str, Json]]:
    made = []
    for call in said.tool_calls:
        row: dict[str, Json] = {"id": call.id, "name": call.name, "arguments": dict(call.arguments)}
        if call.error:
            row |= {"raw": call.raw, "error": call.error}
        made.append(row)
    return made


@dataclass
class Tally:
    """Running sums over the requests of one `complete`. A sum is None once one of its terms is unknown.

    `hits` replies came from the cache; what they had cost when they were made is in the `saved` sums alone.
    """

    tries: int = 0
    tokens_in: int | None = 0
    tokens_out: int | None = 0
    cost_usd: float | None = 0.0
    hits: int = 0
    saved_in: int | None = 0
    saved_out: int | None = 0
    saved_usd: float | None = 0.0

    def add(self, reply: Reply) -> None:
        """Count the usage of `reply`."""
        self.tokens_in = _plus(self.tokens_in, reply.tokens_in)
        self.tokens_out = _plus(self.tokens_out, reply.tokens_out)
        self.cost_usd = _plus(self.cost_usd, reply.cost_usd)

    def hit(self, reply: Reply) -> None:
        """Count `reply` as one from the cache."""
        self.hits += 1
        self.saved_in = _plus(self.saved_in, reply.tokens_in)
        self.saved_out = _plus(self.saved_out, reply.tokens_out)
        self.saved_usd = _plus(self.saved_usd, reply.cost_usd)

    def merge(self, other: Tally) -> None:
        """Count all that `other` has counted."""
        self.tries += other.tries
        self.hits += other.hits
        for name in ("tokens_in", "tokens_out", "cost_usd", "saved_in", "saved_out", "saved_usd"):
            setattr(self, name, _plus(getattr(self, name), getattr(other, name)))

    @property
    def cached(self) -> dict[str, Json] | None:
        """What the replies from the cache had used, None where there was none."""
        if not self.hits:
            return None
        return {
            "hits": self.hits,
            "tokens_in": self.saved_in,
            "tokens_out": self.saved_out,
            "cost_usd": self.saved_usd,
        }


_Number = TypeVar("_Number", int, float)


def _plus(total: _Number | None, term: _Number | None) -> _Number | None:
    return None if total is None or term is None else total + term


class Ledger:
    """Makes the records of one episode: numbers the calls, remembers each role's last conversation.

    What a failed try may have been billed is not in a record's tokens and cost; `tries` tells of it.
    """

    def __init__(self, guard: Guard) -> None:
        self._guard, self._calls = guard, 0
        self._last: dict[str, tuple[Message, ...]] = {}

    def known(self, role: str, messages: Sequence[Message]) -> int:
        """How many of `messages` were in the last call of `role`."""
        return common_prefix(self._last.get(role, ()), messages)

    def record(
        self,
        role: str,
        model: str,
        messages: Sequence[Message],
        reply: Reply | None,
        tally: Tally,
        wall_s: float,
        error: BaseException | None,
    ) -> ModelCall:
        """The record of one `complete`, whose requests are summed in `tally`. Holds no credentials."""
        known = self.known(role, messages)
        self._last[role] = tuple(messages)
        clean, cached = self._guard.json, tally.cached
        note: dict[str, Json] = {"cached": cached} if cached else {}
        made = ModelCall(
            index=self._calls,
            role=role,
            model=model,
            known_messages=known,
            messages=tuple(clean(message_json(message)) for message in messages[known:]),
            reply=None if reply is None else clean(reply_json(reply) | note),
            tokens_in=tally.tokens_in,
            tokens_out=tally.tokens_out,
            cost_usd=tally.cost_usd,
            tries=tally.tries,
            wall_s=wall_s,
            finish="" if reply is None else reply.finish,
            cached=tally.hits > 0 and not tally.tries,
            error="" if error is None else self._guard.error(_text(error)),
            error_kind="" if error is None else type(error).__name__,
        )
        self._calls += 1
        return made


def _text(error: BaseException) -> str:
    return error.message if isinstance(error, EmbodiedEvalError) else str(error) or type(error).__name__
