"""The VLM-only loop: one model that sees, thinks and acts through tool calls."""

from __future__ import annotations

from benchmarks.worldaudit import prompts, tools
from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.session import Session
from embodied_eval.benchmark import Episode
from embodied_eval.errors import DataFileError
from embodied_eval.models.types import Message, tool_result, user
from embodied_eval.records import Outcome

MAX_IDLE_TURNS = 3


async def audit(episode: Episode) -> Outcome:
    """Play one episode to its end: `done`, all tool calls spent, or a model that stopped calling tools."""
    options: Options = episode.options
    if episode.world is None:
        raise DataFileError(f"Task {episode.task.id} names no world.")
    session = Session(episode, options, episode.world)
    messages: list[Message] = prompts.opening(episode.task, options)
    offered = tools.offered(options)
    idle = turns = 0
    while not session.finished:
        if idle >= MAX_IDLE_TURNS or turns >= options.max_tool_calls + MAX_IDLE_TURNS:
            break
        turns += 1
        reply = await episode.model.complete(messages, tools=offered)
        messages.append(reply.as_message())
        if not reply.tool_calls:
            idle += 1
            messages.append(user(prompts.NUDGE))
            continue
        idle = 0
        for call in reply.tool_calls:
            messages.append(tool_result(call, *await session.call(call)))
    if session.finished:
        return Outcome("completed", session.answer())
    if session.calls == 0:
        return Outcome("invalid_reply", session.answer(), "The model never called a tool.")
    if idle >= MAX_IDLE_TURNS:
        return Outcome("completed", session.answer(), "The model stopped calling tools.")
    return Outcome("budget_exhausted", session.answer(), "The model spent its tool calls without `done`.")
