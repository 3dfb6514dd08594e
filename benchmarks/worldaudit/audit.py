"""The VLM-only loop: one model that sees, thinks and acts through tool calls."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.worldaudit import prompts, tools
from benchmarks.worldaudit.context import Conversation
from benchmarks.worldaudit.digest import digest_of
from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.protocol import Turn, protocol_of
from benchmarks.worldaudit.session import Session
from embodied_eval.benchmark import Episode
from embodied_eval.errors import DataFileError, InvalidReply, ModelRefused
from embodied_eval.models.types import Message, user
from embodied_eval.records import Outcome

MAX_IDLE_TURNS = 3
"""So many turns in a row without a tool call end the episode ..."""
MAX_NUDGES = 20
"""... as do so many in all, ..."""
LAST_CALLS = 5
"""... and so many tool calls that only say again that all are used up."""
UNREAD_REPLIES = 2
"""So many replies in a row in which no call can be read are one idle turn (protocol `json`)."""


@dataclass
class Idleness:
    """Turns without a tool call, in a row and in all."""

    row: int = 0
    total: int = 0
    unread: int = 0

    @property
    def over(self) -> bool:
        """Whether the model is given up."""
        return self.row >= MAX_IDLE_TURNS or self.total >= MAX_NUDGES

    def after(self, turn: Turn) -> str:
        """What to tell the model after a turn without a call."""
        self.unread += 1
        if turn.problem and self.unread % UNREAD_REPLIES:
            return turn.problem
        self.row, self.total = self.row + 1, self.total + 1
        return f"{turn.problem}\n{prompts.NUDGE}" if turn.problem else prompts.NUDGE

    def end(self) -> None:
        """A tool was called."""
        self.row = self.unread = 0


async def audit(episode: Episode) -> Outcome:
    """Play one episode to its end: `done`, all tool calls spent, or a model that stopped calling tools.

    A model that refuses or gives no valid reply ends the episode too; what it had reported stands. Every
    other error of model and simulator propagates.
    """
    options: Options = episode.options
    if episode.world is None:
        raise DataFileError(f"Task {episode.task.id} names no world.")
    session = Session(episode, options, episode.world)
    most_calls = options.max_tool_calls + LAST_CALLS
    protocol = protocol_of(options.tool_protocol, tools.offered(options))
    opening = protocol.opening(prompts.opening(episode.task, options))
    talk = Conversation(opening, options, protocol.offered)
    idle = Idleness()
    while not session.finished and session.calls < most_calls and not idle.over:
        try:
            reply = await episode.model.complete(talk.messages, tools=protocol.offered)
        except ModelRefused as error:
            return Outcome("refused", session.answer(), error.message)
        except InvalidReply as error:
            return Outcome("invalid_reply", session.answer(), error.message)
        turn = protocol.read(reply)
        acted = session.actions
        if turn.calls:
            idle.end()
            answers: list[Message] = []
            for call in turn.calls[: most_calls - session.calls]:
                parts = await session.call(call)
                answers.append(protocol.answer(call, parts, "" if answers else turn.note))
        else:
            answers = [user(idle.after(turn))]
        talk.add(protocol.said(reply), answers, session.actions - acted)
        talk.fit(lambda tokens: digest_of(session, tokens))
    return _outcome(session, stopped=idle.over)


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
