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
"""So many turns in a row without a tool call end the episode ..."""
MAX_NUDGES = 20
"""... as do so many in all, ..."""
LAST_CALLS = 5
"""... and so many tool calls that only say again that all are used up."""


async def audit(episode: Episode) -> Outcome:
    """Play one episode to its end: `done`, all tool calls spent, or a model that stopped calling tools."""
    options: Options = episode.options
    if episode.world is None:
        raise DataFileError(f"Task {episode.task.id} names no world.")
    session = Session(episode, options, episode.world)
    most_calls = options.max_tool_calls + LAST_CALLS
    messages: list[Message] = prompts.opening(episode.task, options)
    offered = tools.offered(options)
    idle = nudges = 0
    while not session.finished and session.calls < most_calls:
        reply = await episode.model.complete(messages, tools=offered)
        messages.append(reply.as_message())
        if not reply.tool_calls:
            idle, nudges = idle + 1, nudges + 1
            if idle == MAX_IDLE_TURNS or nudges == MAX_NUDGES:
                break
            messages.append(user(prompts.NUDGE))
            continue
        idle = 0
        for call in reply.tool_calls[: most_calls - session.calls]:
            messages.append(tool_result(call, *await session.call(call)))
    return _outcome(session, stopped=idle > 0)


def _outcome(session: Session, *, stopped: bool) -> Outcome:
    answer = session.answer()
    if session.finished:
        return Outcome("completed", answer)
    if session.calls == 0:
        return Outcome("invalid_reply", answer, "The model never called a tool.")
    if session.pose is None:
        return Outcome("invalid_reply", answer, "The model never opened the world.")
    if stopped:
        return Outcome("completed", answer, "The model stopped calling tools.")
    return Outcome("budget_exhausted", answer, "The model spent its tool calls without `done`.")
