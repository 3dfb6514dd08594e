"""A baseline without privilege: it goes round, comes back, compares its own pictures, pushes on, and reports
what changed, what stopped it and what did not.

It knows what any model is told: the prompt, the answers of the tools and the pictures in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from benchmarks.worldaudit.scripted.baselines import Turns
from benchmarks.worldaudit.taxonomy import SUBCATEGORIES
from embodied_eval.models.types import Message, Reply, Request

if TYPE_CHECKING:
    from benchmarks.worldaudit.scripted.explorer_body import Script

UNPLANTED = "Nobody knows whether anything is wrong with it"


class Explorer(Turns):
    """Looks round from several places twice each, or pushes on wherever the floor looks free: which of it
    depends on the kind of fault that it is told of."""

    description = "no privilege: looks round, comes back, compares its own pictures, tests what stops it"

    def __init__(self, rng: Any, private: Any = None) -> None:
        super().__init__(rng, private)
        self._script: Script | None = None

    def reply(self, request: Request) -> Reply:
        """See `ScriptedModel.reply`."""
        if self._script is None:
            from benchmarks.worldaudit.scripted.explorer_plans import audit_world, inspect_world

            told = described(request.messages)
            tools = [tool.name for tool in request.tools]
            code = hinted(request.messages)
            if unplanted(request.messages):
                self._script = audit_world(tools, told)
            else:
                self._script = inspect_world(tools, told, code, self.rng)
            name, arguments = next(self._script)
        else:
            try:
                name, arguments = self._script.send(request.messages[-1])
            except StopIteration:
                name, arguments = "done", {"summary": "That is all."}
        return self._call(name, **arguments)


def hinted(messages: Sequence[Message]) -> str:
    """The code of the kind of fault that the messages name, "" where they name none or several."""
    text = "\n".join(message.text for message in messages)
    named = [code for code, kind in SUBCATEGORIES.items() if kind.name in text or kind.definition in text]
    return named[0] if len(named) == 1 else ""


def unplanted(messages: Sequence[Message]) -> bool:
    """Whether the messages say that nobody knows of a fault."""
    return any(UNPLANTED in message.text for message in messages)


def described(messages: Sequence[Message]) -> str:
    """What the messages say of the place, "" if nothing."""
    lines = [line for message in messages for line in message.text.splitlines()]
    return "\n".join(line for line in lines if line.startswith("The place:"))
