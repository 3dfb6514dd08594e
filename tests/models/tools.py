"""Parts that the gateway's tests share: a clock that is turned by hand, a back end that answers in turn."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from embodied_eval.benchmark import ModelHandle
from embodied_eval.models.bound import BoundModel
from embodied_eval.models.gateway import Gateway
from embodied_eval.models.prices import Price
from embodied_eval.models.types import Reply, Request, ScriptedModel, Tool
from embodied_eval.records import ModelCall

MOVE = Tool(
    "move",
    "Walk.",
    {
        "type": "object",
        "properties": {"direction": {"enum": ["forward", "back"]}, "distance_m": {"type": "number"}},
        "required": ["direction", "distance_m"],
    },
)


@dataclass
class Clock:
    """Monotonic seconds that pass only in `sleep`."""

    now: float = 100.0
    slept: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


class Answers:
    """A back end that gives `answers` in turn, the last one for ever; errors are raised, functions called."""

    def __init__(
        self, *answers: Reply | Exception | Callable[[Request], Any], price: Price | None = None
    ) -> None:
        self.answers, self.known_price = list(answers), price
        self.requests: list[Request] = []
        self.closed = False

    async def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Reply):
            return answer
        made: Reply = await answer(request)
        return made

    def price(self, model: str) -> Price | None:
        return self.known_price

    async def close(self) -> None:
        self.closed = True


def bind(
    gateway: Gateway,
    calls: list[ModelCall],
    model: str = "openai/x",
    scripted: Mapping[str, ScriptedModel] | None = None,
    **sampling: Any,
) -> BoundModel:
    """The agent and the judge both played by `model`, recording into `calls`."""
    bound: BoundModel = gateway.bind(
        models={"agent": model, "judge": model},
        sampling=sampling,
        scripted=scripted or {},
        record=calls.append,
        rng=random.Random(7),
    )
    handle: ModelHandle = bound
    assert handle is bound
    return bound


class Turns(ScriptedModel):
    """A scripted model that gives prepared replies in turn, the last one for ever."""

    def __init__(self, *replies: Reply) -> None:
        super().__init__(random.Random(0))
        self.replies: Sequence[Reply] = replies
        self.asked = 0

    def reply(self, request: Request) -> Reply:
        self.asked += 1
        return self.replies[min(self.asked, len(self.replies)) - 1]
