"""The measured benchmark: an agent loop that costs nothing itself. Each step a model call with tools in a
growing conversation, a picture from the simulator's thread, an event and a recorded step."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import perf_frames
from pydantic import BaseModel, ConfigDict, Field

from embodied_eval.benchmark import Benchmark, Episode, Headline, Results, TableSpec, Trajectory
from embodied_eval.drivers.base import Driver
from embodied_eval.models.types import (
    Image,
    Message,
    Reply,
    Request,
    ScriptedModel,
    Tool,
    ToolCall,
    system,
    tool_result,
    user,
)
from embodied_eval.records import Condition, Metric, Outcome, Pose, Step, Task, Verdict
from embodied_eval.stats import wilson

EPISODES = 40
SYSTEM = "You walk through a place you see only in pictures. Call one tool at a time. " * 20
THOUGHT = "The way ahead is free and the lamp stands to the left, so I go on a little and look again. "
RESULT = "You moved 0.5 m. Position: 1.25 m ahead, 0.40 m to the right, heading 30 degrees. Nothing touched."


def _picture(number: int, _driver: Driver) -> bytes:
    return perf_frames.frame(number)


def _tool(name: str, about: str, **properties: str) -> Tool:
    fields = {key: {"type": kind, "description": f"The {key}."} for key, kind in properties.items()}
    return Tool(name, about, {"type": "object", "properties": fields, "required": list(fields)})


TOOLS = (
    _tool("move", "Walk so many metres.", distance_m="number"),
    _tool("turn", "Turn by so many degrees.", angle_deg="number"),
    _tool("look", "Tilt the head.", angle_deg="number"),
    _tool("interact", "Operate what is in front."),
    _tool("wait", "Let time pass.", seconds="number"),
    _tool("inspect", "See an earlier picture again.", picture="string", zoom="number"),
    _tool("write_notes", "Keep a remark.", text="string"),
    _tool("done", "End the walk.", report="string"),
)


class Options(BaseModel):
    """What can be set of a walk."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    steps: int = Field(50, ge=1, description="steps of an episode")
    same: bool = Field(False, description="every picture of the run is the same")


class Instant(ScriptedModel):
    """Goes on walking, in no time. With PERF_CALLS every call is written to that file, and call PERF_DIE_AT of
    the process kills it (0 = none)."""

    control = "positive"
    calls = 0

    def reply(self, request: Request) -> Reply:
        turn = len(request.messages)
        if "PERF_CALLS" in os.environ:
            self._log_call()
        call = ToolCall(f"call_{turn}", "move", {"distance_m": 0.5})
        return Reply(THOUGHT, (call,), finish="tool_calls", tokens_in=700 + 600 * turn, tokens_out=40)

    def _log_call(self) -> None:
        Instant.calls += 1
        with Path(os.environ["PERF_CALLS"]).open("a") as log:
            log.write(json.dumps({"at_s": time.monotonic(), "cpu_s": time.process_time()}) + "\n")
        if Instant.calls == int(os.environ["PERF_DIE_AT"]):
            os.kill(os.getpid(), signal.SIGKILL)


class Walk(Benchmark):
    """40 tasks; every episode walks all its steps and passes."""

    name = "perf-walk"
    title = "Walk"
    headline = Headline("success_rate")
    default_driver = "perf-plane"

    def tasks(self) -> Sequence[Task]:
        return [
            Task(f"walk/{n:03d}", {"number": n}, {"steps": "all"}, scene=f"s{n % 4}") for n in range(EPISODES)
        ]

    def conditions(self) -> Sequence[Condition]:
        return (Condition("plain"),)

    def options(self) -> type[BaseModel]:
        return Options

    def prompts(self) -> Mapping[str, str]:
        return {"system": SYSTEM}

    async def play(self, episode: Episode) -> Outcome:
        steps, first = episode.options.steps, episode.task.public["number"] * episode.options.steps
        messages: list[Message] = [system(SYSTEM), user("Walk to the far wall and say what you saw.")]
        for index in range(steps):
            reply = await episode.model.complete(messages, tools=TOOLS)
            number = 0 if episode.options.same else first + index
            data = await episode.driver.call(partial(_picture, number))
            ref, call = f"a{index}", reply.tool_calls[0]
            episode.store_frame(ref, data, "image/jpeg", perf_frames.SIZE_PX)
            episode.event("contact", {"a": "agent", "b": "wall"})
            if index % 10 == 0:
                episode.row("notes", {"action": index, "text": THOUGHT})
            pose = Pose(1.25 + index, 0.4, 0.0, 30.0)
            await episode.step(Step(0, call.name, call.arguments, RESULT, 0.5 * index, pose, 0.5))
            messages += (reply.as_message(), tool_result(call, RESULT, Image(data, "image/jpeg", ref)))
        return Outcome("completed", {"report": THOUGHT})

    def truth(self, trajectory: Trajectory) -> Sequence[Verdict]:
        moved_m = sum(step.moved_m for step in trajectory.steps)
        seen = trajectory.read_frame(trajectory.frames["a0"].sha256)
        walked = moved_m == 0.5 * len(trajectory.steps) and len(seen) == perf_frames.FRAME_BYTES
        return (Verdict("walked", float(walked), 1.0, walked, f"{moved_m} m", ("a0",)),)

    def summarize(self, results: Results) -> Sequence[Metric]:
        judged = [episode for episode in results.episodes if episode.judged]
        share = wilson(sum(bool(episode.verdicts[0].passed) for episode in judged), len(judged))
        value, low, high = (None if x is None else 100 * x for x in (share.value, share.low, share.high))
        return (Metric("success_rate", value, share.n, low, high, "%", len(results.episodes)),)

    def scripted(self) -> Mapping[str, type[ScriptedModel]]:
        return {"instant": Instant}

    def tables(self) -> Mapping[str, TableSpec]:
        return {"notes": TableSpec({"action": "BIGINT", "text": "VARCHAR"})}
