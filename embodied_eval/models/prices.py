"""What models cost: prices given by the user come first, then the provider table's."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from embodied_eval.errors import ConfigError
from embodied_eval.models.types import Image, Message, Reply, Request, Text

IMAGE_TOKENS = 2_000
MESSAGE_TOKENS = 16
OUTPUT_TOKENS = 8_192


@dataclass(frozen=True)
class Price:
    """Dollars per million tokens in and out; `max_output_tokens` the longest reply (None = not known)."""

    in_usd_per_million: float
    out_usd_per_million: float
    max_output_tokens: int | None = None

    def usd(self, tokens_in: int, tokens_out: int) -> float:
        """The cost of so many tokens, in dollars."""
        return (tokens_in * self.in_usd_per_million + tokens_out * self.out_usd_per_million) / 1e6


FREE = Price(0.0, 0.0)


def given_prices(prices: Mapping[str, Any] | None) -> tuple[dict[str, Price], dict[str, float]]:
    """`{"model": [in_usd_per_million, out_usd_per_million]}` checked, and the models whose price is one
    number: dollars for a second of video. Raises ConfigError."""
    made: dict[str, Price] = {}
    videos: dict[str, float] = {}
    for model, pair in (prices or {}).items():
        if _is_price(pair):
            videos[model] = float(pair)
            continue
        numbers = list(pair) if isinstance(pair, Sequence) and not isinstance(pair, str) else []
        if len(numbers) != 2 or not all(_is_price(number) for number in numbers):
            raise ConfigError(
                f"The price of {model!r} is {pair!r}.",
                hint="Give two numbers, dollars per million tokens in and out, such as [2.5, 10]; for a video "
                "model one, dollars per second.",
            )
        made[model] = Price(float(numbers[0]), float(numbers[1]))
    return made, videos


def _is_price(value: Any) -> bool:
    return (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and math.isfinite(value)
        and value >= 0
    )


def tokens_at_most(messages: Sequence[Message]) -> int:
    """An upper bound of the tokens of `messages` (ours): a token is at least one byte of UTF-8; an image
    counts 2,000, above what the common providers charge for one of 960x576; 16 a message for its frame."""
    total = 0
    for message in messages:
        total += MESSAGE_TOKENS
        for part in message.parts:
            total += len(part.text.encode()) if isinstance(part, Text) else IMAGE_TOKENS
            if isinstance(part, Image):
                total += len(part.ref)
        for call in message.tool_calls:
            total += len(call.name) + len(call.raw or str(dict(call.arguments)).encode())
    return total


class TokenBound:
    """The largest number of tokens the next call of one conversation may use.

    Where the last call's real count is known and its messages are still the beginning of the conversation,
    only what was added since is bounded; the whole is bounded otherwise.
    """

    def __init__(self) -> None:
        self._count, self._tokens_in = 0, 0

    def tokens_in(self, request: Request, known_messages: int) -> int:
        """The bound for `request`, whose first `known_messages` are those of the last call."""
        if self._tokens_in and known_messages >= self._count:
            return self._tokens_in + tokens_at_most(request.messages[self._count :])
        tools = sum(
            len(tool.name) + len(tool.description) + len(str(tool.parameters)) for tool in request.tools
        )
        return tokens_at_most(request.messages) + tools + len(str(request.schema or ""))

    def settle(self, request: Request, reply: Reply) -> None:
        """Learn the real count of `request`."""
        self._count, self._tokens_in = len(request.messages), reply.tokens_in or 0


def output_tokens(request: Request, price: Price | None) -> int:
    """The longest reply `request` allows: what its sampling says, else what the model can, else 8,192."""
    for name in ("max_completion_tokens", "max_tokens"):
        limit = request.sampling.get(name)
        if isinstance(limit, int):
            return limit
    return (price.max_output_tokens if price else None) or OUTPUT_TOKENS
