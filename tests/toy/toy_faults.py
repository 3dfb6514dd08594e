"""A benchmark whose tasks each go wrong in a way of their own; `sound/*` do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from embodied_eval.benchmark import Benchmark, Episode, Headline, Results, Trajectory
from embodied_eval.models.types import Reply, Request, ScriptedModel, user
from embodied_eval.records import Condition, Metric, Outcome, Step, Task, Verdict
from embodied_eval.stats import wilson
from embodied_eval.worlds.model import World

FAULTS = (
    "raises",
    "no-outcome",
    "no-status",
    "no-json",
    "no-world",
    "no-model",
    "no-verdict",
    "schema",
    "big",
)
BIG_BYTES = 3_000_000
SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer"}},
    "required": ["n"],
    "additionalProperties": False,
}


class Yes(ScriptedModel):
    control = "positive"

    def reply(self, request: Request) -> Reply:
        if "no-model" in request.messages[-1].text:
            raise LookupError("the script has no such line")
        return Reply(text="yes")


class Faults(Benchmark):
    name = "toy-faults"
    title = "Faults"
    headline = Headline("success_rate")

    def tasks(self) -> Sequence[Task]:
        ids = ["sound/1", *(f"fault/{name}" for name in FAULTS), "sound/2"]
        return [Task(task_id, {"fault": task_id.partition("/")[2]}, {"answer": "yes"}) for task_id in ids]

    def conditions(self) -> Sequence[Condition]:
        return (Condition("plain"),)

    def prompts(self) -> Mapping[str, str]:
        return {"ask": "{fault}"}

    def image_size(self, options: Any) -> tuple[int, int]:
        return (64, 36)

    def watch(self, task: Task) -> Sequence[str]:
        # Asked while an episode is made ready, not while a run is planned.
        if task.public["fault"] == "no-world":
            raise FileNotFoundError("the building burnt down")
        return ()

    def world(self, task: Task, options: Any) -> World | None:
        return None

    async def play(self, episode: Episode) -> Outcome:
        fault = str(episode.task.public["fault"])
        await episode.step(Step(0, "ask", {}, "x" * BIG_BYTES if fault == "big" else ""))
        reply = await episode.model.complete([user(fault)], schema=SCHEMA if fault == "schema" else None)
        if fault == "raises":
            raise KeyError("a bug of the plugin's")
        if fault == "no-outcome":
            return None  # type: ignore[return-value]
        if fault == "no-status":
            return Outcome("excellent")  # type: ignore[arg-type]
        answer: dict[str, Any] = (
            {"text": reply.text, "bytes": b"?"} if fault == "no-json" else {"text": reply.text}
        )
        return Outcome("completed", answer)

    def truth(self, trajectory: Trajectory) -> Sequence[Verdict]:
        if trajectory.task.id == "fault/no-verdict":
            raise ZeroDivisionError("a bug of the judge's")
        right = trajectory.outcome.answer.get("text") == trajectory.task.private["answer"]
        return (Verdict("right", float(right), 1.0, right),)

    def summarize(self, results: Results) -> Sequence[Metric]:
        judged = [episode for episode in results.episodes if episode.judged]
        share = wilson(sum(bool(episode.verdicts[0].passed) for episode in judged), len(judged))
        value, low, high = (None if x is None else 100 * x for x in (share.value, share.low, share.high))
        return (
            Metric(
                "success_rate", value, share.n, low, high, "%", len(results.episodes), reason=share.reason
            ),
        )

    def scripted(self) -> Mapping[str, type[ScriptedModel]]:
        return {"yes": Yes}
