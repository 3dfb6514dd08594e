"""A benchmark in a simulator: which crate moves when nobody looks? Everything private holds TOY_MARKER."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from embodied_eval.benchmark import (
    Benchmark,
    Episode,
    Headline,
    Results,
    RubricItem,
    TableSpec,
    Trajectory,
)
from embodied_eval.models.types import Reply, Request, ScriptedModel, user
from embodied_eval.records import Condition, Metric, Outcome, Step, Task, Verdict
from embodied_eval.stats import wilson
from embodied_eval.worlds.model import World
from tests.testing_world import box, plane_world

CRATES = 4
TURNS = 4


class Walker(ScriptedModel):
    """Walks about at random and guesses. `requests` and `given` are what its instances got."""

    requests: ClassVar[list[Request]] = []
    given: ClassVar[list[Mapping[str, Any] | None]] = []

    def __init__(self, rng: Any, private: Mapping[str, Any] | None = None) -> None:
        super().__init__(rng, private)
        self.given.append(private)

    def reply(self, request: Request) -> Reply:
        self.requests.append(request)
        turn = sum(message.role == "assistant" for message in request.messages)
        moves = (f"move {self.rng.uniform(0.2, 1.0):.2f}", f"turn {self.rng.choice((-90, -45, 45, 90))}")
        return Reply(text=self.rng.choice(moves) if turn < TURNS - 1 else self.answer())

    def answer(self) -> str:
        return f"answer crate_{self.rng.randrange(CRATES)}"


class Oracle(Walker):
    """Sees the truth, and answers with it."""

    control, privileged = "positive", True
    requests: ClassVar[list[Request]] = []
    given: ClassVar[list[Mapping[str, Any] | None]] = []

    def answer(self) -> str:
        assert self.private is not None
        return f"answer {self.private['target']}"


class Null(ScriptedModel):
    control = "negative"

    def reply(self, request: Request) -> Reply:
        return Reply(text="answer nothing")


class Rooms(Benchmark):
    name = "toy-rooms"
    title = "Crates"
    headline = Headline("success_rate")
    default_driver = "toy-plane"

    def tasks(self) -> Sequence[Task]:
        return [self._task(number, os.environ.get("TOY_MARKER", "unmarked")) for number in range(6)]

    def _task(self, number: int, marker: str) -> Task:
        target = f"crate_{number % CRATES}"
        change = {"kind": "offset", "by_m": [0.0, 0.5, 0.0]}
        return Task(
            f"room/{number}",
            {"question": "Which crate is wrong?", "place": f"place {number}"},
            {
                "target": target,
                "effects": [
                    {"trigger": {"kind": "always"}, "change": change, "target": target},
                    {
                        "trigger": {"kind": "distance", "enter_m": 9.0, "exit_m": 9.5, "object": target},
                        "change": {"kind": "duplicate", "offsets_m": [[0.0, 0.0, 2.0]]},
                        "target": target,
                    },
                ],
                "watch": [target, f"{marker}-object"],
                "rubric": f"{marker}: {target} stands half a metre off.",
                "solution": [f"{marker} step one", {"note": marker}],
                "certificate": {marker: marker},
                "seed_of_the_truth": f"{marker}-{number}",
            },
            scene=f"s{number % 3}",
            world="plane",
        )

    def world(self, task: Task, options: Any) -> World | None:
        crates = [box(f"crate_{n}", (3.0 + n, -3.0 + 2 * n, 0.0)) for n in range(CRATES)]
        return plane_world(*crates)

    def image_size(self, options: Any) -> tuple[int, int]:
        return (64, 36)

    def conditions(self) -> Sequence[Condition]:
        return (Condition("plain"), Condition("brief", {"turns": 2}))

    async def play(self, episode: Episode) -> Outcome:
        assert episode.world is not None and not episode.task.private
        await episode.driver.load(episode.world, effects=episode.effects)
        image = await episode.observe("a0")
        messages = [user(str(episode.task.public["question"]), image)]
        said = ""
        for turn in range(1, int(episode.condition.settings.get("turns", TURNS)) + 1):
            reply = await episode.model.complete(messages)
            verb, _, said = reply.text.partition(" ")
            if verb == "answer":
                break
            amount = float(said)
            motion, images = await episode.act(
                lambda driver, verb=verb, amount=amount: (driver.move if verb == "move" else driver.turn)(
                    amount
                ),
                ref=f"a{turn}",
                every_s=0.2,
                at_most=2,
            )
            told = f"You went {motion.moved_m:.2f} m."
            await episode.step(
                Step(
                    0,
                    verb,
                    {"amount": amount},
                    told,
                    motion.t_s,
                    motion.pose,
                    motion.moved_m,
                    motion.blocked,
                )
            )
            messages = [*messages, reply.as_message(), user(told, *images)]
        episode.event("answered", {"text": said})
        episode.row("guesses", {"text": said})
        await episode.step(Step(0, "answer", {"text": said}, "noted"))
        return Outcome("completed", {"text": said})

    def truth(self, trajectory: Trajectory) -> Sequence[Verdict]:
        right = trajectory.outcome.answer.get("text") == trajectory.task.private["target"]
        return (Verdict("right", float(right), 1.0, right, str(trajectory.task.private["rubric"])),)

    def rubric(self, trajectory: Trajectory) -> Sequence[RubricItem]:
        said = str(trajectory.outcome.answer.get("text", ""))
        return (RubricItem("right", str(trajectory.task.private["rubric"]), said, ("a0",)),)

    def summarize(self, results: Results) -> Sequence[Metric]:
        made = []
        for condition in dict.fromkeys(episode.condition.name for episode in results.episodes):
            mine = [episode for episode in results.episodes if episode.condition.name == condition]
            judged = [episode for episode in mine if episode.judged]
            share = wilson(sum(bool(episode.verdicts[0].passed) for episode in judged), len(judged))
            value, low, high = (None if x is None else 100 * x for x in (share.value, share.low, share.high))
            label = condition if len({episode.condition.name for episode in results.episodes}) > 1 else ""
            made.append(
                Metric(
                    "success_rate",
                    value,
                    share.n,
                    low,
                    high,
                    "%",
                    len(mine),
                    condition=label,
                    reason=share.reason,
                )
            )
        return made

    def scripted(self) -> Mapping[str, type[ScriptedModel]]:
        return {"walker": Walker, "oracle": Oracle, "null": Null}

    def tables(self) -> Mapping[str, TableSpec]:
        return {"guesses": TableSpec({"text": "VARCHAR"})}
