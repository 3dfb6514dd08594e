"""Scripted generators that write the task's fixture world, whole or in pieces, and one that writes nothing."""

from __future__ import annotations

from benchmarks.worldbench.seams import fixture_html
from embodied_eval.errors import PluginError
from embodied_eval.models.types import Reply, Request, ScriptedModel

PIECES = 3
REPEATED_CHARS = 120
EMPTY_PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title></title></head>
<body></body>
</html>
"""
NOTHING_TO_MEND = "I have nothing to change."


class Fixture(ScriptedModel):
    """Knows the file that the task's private half names."""

    privileged = True

    def fixture(self) -> str:
        """The fixture's file."""
        if self.private is None or "fixture" not in self.private:
            raise PluginError(
                "The task names no fixture world.", hint="Play the task `island` of worldbench."
            )
        return fixture_html(self.private["fixture"])


class Reference(Fixture):
    """Writes the fixture world in one go; called as a report's reference world is."""

    description = "the same as oracle"

    def reply(self, request: Request) -> Reply:
        """See `ScriptedModel.reply`."""
        if request.tools:
            return Reply(NOTHING_TO_MEND)
        return Reply(self.fixture())


class Oracle(Reference):
    """The same as the positive control."""

    control = "positive"
    description = "writes the fixture world that has everything"


class Truncated(Fixture):
    """Is cut off twice; each continuation repeats a little of what it said."""

    description = "writes the fixture world in three pieces, cut off by its length"

    def reply(self, request: Request) -> Reply:
        """See `ScriptedModel.reply`."""
        if request.tools:
            return Reply(NOTHING_TO_MEND)
        text = self.fixture()
        turn = sum(message.role == "assistant" for message in request.messages)
        size = -(-len(text) // PIECES)
        first = max(0, turn * size - (REPEATED_CHARS if turn else 0))
        last = min(len(text), (turn + 1) * size)
        return Reply(text[first:last], finish="stop" if last == len(text) else "length")


class Null(ScriptedModel):
    """Writes an empty page and mends nothing."""

    control = "negative"
    description = "writes an empty page"

    def reply(self, request: Request) -> Reply:
        """See `ScriptedModel.reply`."""
        return Reply(NOTHING_TO_MEND if request.tools else EMPTY_PAGE)
