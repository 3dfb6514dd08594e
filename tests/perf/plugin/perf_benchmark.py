"""A benchmark that does nothing but be recorded: frames of 34 KiB and a model that answers at once."""

from __future__ import annotations

import os
import random
from collections.abc import Mapping, Sequence

from embodied_eval.benchmark import Benchmark, Episode, Results, Trajectory
from embodied_eval.models.types import Image, Message, Reply, Request, ScriptedModel, system, user
from embodied_eval.records import Condition, Metric, Outcome, Step, Task, Verdict

FRAME_BYTES = 34 * 1024


class Instant(ScriptedModel):
    """Answers in no time."""

    control = "positive"

    def reply(self, request: Request) -> Reply:
        return Reply(text="I go on. " * 20, tokens_in=1000, tokens_out=50, cost_usd=0.0)


class Steps(Benchmark):
    """PERF_EPISODES episodes of PERF_STEPS steps; with PERF_SAME=1 every frame is the same."""

    name = "perf-steps"

    def tasks(self) -> Sequence[Task]:
        return [Task(f"steps/{n}", {"n": n}) for n in range(int(os.environ.get("PERF_EPISODES", "40")))]

    def conditions(self) -> Sequence[Condition]:
        return (Condition("plain"),)

    async def play(self, episode: Episode) -> Outcome:
        picture = random.Random(0).randbytes(FRAME_BYTES)
        head: list[Message] = [system("Go on. " * 50)]
        turns: list[Message] = []
        for index in range(int(os.environ.get("PERF_STEPS", "50"))):
            stamp = 0 if os.environ.get("PERF_SAME") else (episode.task.public["n"] + 1) * 1_000_000 + index
            data = stamp.to_bytes(8, "big") + picture
            frame = episode.store_frame(f"a{index}", data, "image/jpeg", (640, 360))
            turns.append(user("What do you do?", Image(data, ref=frame.ref)))
            reply = await episode.model.complete([*head, *turns])
            turns.append(reply.as_message())
            episode.event("contact", {"a": "agent", "b": "wall"})
            await episode.step(Step(0, "move", {"metres": 0.5}, "You moved. " * 10))
        return Outcome("completed")

    def truth(self, trajectory: Trajectory) -> Sequence[Verdict]:
        return (Verdict("done", 1.0, 1.0, True),)

    def summarize(self, results: Results) -> Sequence[Metric]:
        n = len(results.episodes)
        return (Metric("success_rate", 100.0, n, None, None, "%", n),)

    def scripted(self) -> Mapping[str, type[ScriptedModel]]:
        return {"instant": Instant}
