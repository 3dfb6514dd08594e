"""Parts that the judges' tests share: a benchmark of rubric items, a trajectory, a judge over a back end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

from embodied_eval.benchmark import Benchmark, Episode, Results, RubricItem, Trajectory
from embodied_eval.judges.base import Judge, run_judge
from embodied_eval.models.gateway import Backend, Gateway
from embodied_eval.models.types import Message, Reply, Request
from embodied_eval.records import Condition, FrameRef, Metric, Outcome, Task, Verdict

FRAMES = {
    ref: FrameRef(ref, f"{number:064x}", "image/png", 1, 1, 1, float(number))
    for number, ref in enumerate(("a0", "a1"))
}


class Asks(Benchmark):
    """Has a rubric of `items` and nothing to play."""

    name = "asks"

    def __init__(self, *items: RubricItem) -> None:
        self.items = items

    def tasks(self) -> Sequence[Task]:
        return ()

    def conditions(self) -> Sequence[Condition]:
        return ()

    async def play(self, episode: Episode) -> Outcome:
        raise AssertionError("nothing is played")

    def rubric(self, trajectory: Trajectory) -> Sequence[RubricItem]:
        return self.items

    def summarize(self, results: Results) -> Sequence[Metric]:
        return ()


def trajectory(key: str = "k1", model: str = "openai/the-agent") -> Trajectory:
    """A finished episode with two pictures."""
    return Trajectory(
        episode_key=key,
        task=Task("t/1", {}, {"secret": "SOLUTION"}),
        condition=Condition("plain"),
        model=model,
        repeat=0,
        outcome=Outcome("completed", {}),
        steps=(),
        calls=(),
        events=(),
        visibility=(),
        frames=FRAMES,
        rows={},
        read_frame=lambda sha256: f"picture {int(sha256, 16)}".encode(),
    )


def says(score: int, reason: str = "so it is") -> Reply:
    """A judge's reply."""
    return Reply(json.dumps({"reason": reason, "score": score}))


def gateway(backend: Backend) -> Gateway:
    """One that never waits."""

    async def sleep(seconds: float) -> None:
        await asyncio.sleep(0)

    return Gateway(backend=backend, sleep=sleep)


def judged(judge: Judge, benchmark: Benchmark, what: Trajectory | None = None) -> tuple[Verdict, ...]:
    """The stamped verdicts."""
    return asyncio.run(run_judge(judge, benchmark, what or trajectory()))


def spoken(request: Request) -> str:
    """All the words of a request."""
    return "\n".join(message.text for message in request.messages)


def asked(request: Request) -> tuple[Message, Message]:
    """The system and the user message of a first asking."""
    first, second = request.messages
    return first, second
