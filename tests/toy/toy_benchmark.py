"""A whole benchmark in fifty lines: sums. It is a third party's plugin as far as the core can tell."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping, Sequence

from embodied_eval.benchmark import Benchmark, Episode, Headline, Results, RubricItem, TableSpec, Trajectory
from embodied_eval.models.types import Reply, Request, ScriptedModel, user
from embodied_eval.records import Condition, Metric, Outcome, Step, Task, Verdict
from embodied_eval.stats import wilson


class Adder(ScriptedModel):
    control = "positive"

    def reply(self, request: Request) -> Reply:
        words = request.messages[-1].text.split()
        if os.environ.get("TOY_DIE_AT", "never") in words:
            os.kill(os.getpid(), signal.SIGKILL)
        if os.environ.get("TOY_STOP_AT", "never") in words:
            os.kill(os.getpid(), signal.SIGINT)
        numbers = [int(word) for word in request.messages[-1].text.split() if word.isdigit()]
        return Reply(text=str(sum(numbers)), tokens_in=5, tokens_out=1, cost_usd=0.0)


class Null(ScriptedModel):
    control = "negative"

    def reply(self, request: Request) -> Reply:
        return Reply(text="I do not know", tokens_in=5, tokens_out=4, cost_usd=0.0)


class Sums(Benchmark):
    name = "toy-sums"
    title = "Sums"
    headline = Headline("success_rate")

    def tasks(self) -> Sequence[Task]:
        return [
            Task(
                f"sum/{n:03d}",
                {"question": f"What is {n} + {n * n} ?"},
                {"answer": n + n * n},
                scene=f"s{n % 5}",
            )
            for n in range(50)
        ]

    def conditions(self) -> Sequence[Condition]:
        return (Condition("plain"), Condition("polite", {"please": True}))

    async def play(self, episode: Episode) -> Outcome:
        await episode.step(Step(0, "read", {}, "the question was read"))
        reply = await episode.model.complete([user(str(episode.task.public["question"]))])
        episode.store_frame("a0", f"picture of {reply.text}".encode(), "image/png", (1, 1))
        episode.row("remarks", {"text": reply.text})
        await episode.step(Step(0, "answer", {"text": reply.text}, "noted"))
        return Outcome("completed", {"text": reply.text})

    def truth(self, trajectory: Trajectory) -> Sequence[Verdict]:
        right = trajectory.outcome.answer.get("text") == str(trajectory.task.private["answer"])
        return (Verdict("right", float(right), 1.0, right, evidence=("a0",)),)

    def rubric(self, trajectory: Trajectory) -> Sequence[RubricItem]:
        said = str(trajectory.outcome.answer.get("text", ""))
        return (RubricItem("right", f"The sum is {trajectory.task.private['answer']}.", said),)

    def summarize(self, results: Results) -> Sequence[Metric]:
        judged = [episode for episode in results.episodes if episode.judged]
        passed = sum(bool(episode.verdicts[0].passed) for episode in judged)
        share = wilson(passed, len(judged))
        value, low, high = (None if x is None else 100 * x for x in (share.value, share.low, share.high))
        return (
            Metric(
                "success_rate", value, share.n, low, high, "%", len(results.episodes), reason=share.reason
            ),
        )

    def scripted(self) -> Mapping[str, type[ScriptedModel]]:
        return {"adder": Adder, "null": Null}

    def tables(self) -> Mapping[str, TableSpec]:
        return {"remarks": TableSpec({"text": "VARCHAR"})}
