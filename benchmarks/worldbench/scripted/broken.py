"""A scripted generator that makes two mistakes and mends both, one after the other."""

from __future__ import annotations

import re

from benchmarks.worldbench.scripted.oracle import NOTHING_TO_MEND, Fixture
from embodied_eval.models.types import Reply, Request, ToolCall

SYNTAX_FAULT = "const unfinishedIsland = ;\n"
RUNTIME_FAULT = "raiseTheMissingMountains();\n"
_SCRIPT = re.compile(r"<script(?:\s+type=\"module\")?\s*>\n?")
_IMPORTS = re.compile(r"(?:\s*import\b[^;\n]*;?[^\S\n]*\n)+")


class BrokenThenFixed(Fixture):
    """First the fixture world with a parse error and a call of a function that is not there; then, told of each,
    takes it out again."""

    description = "writes the fixture world with two errors and mends them when told"

    def reply(self, request: Request) -> Reply:
        """See `ScriptedModel.reply`."""
        if not request.tools:
            return Reply(broken(self.fixture()))
        told = request.messages[0].text
        for fault in (SYNTAX_FAULT, RUNTIME_FAULT):
            if fault.strip() in told and _is_reported(fault, told):
                call = ToolCall("mend", "replace", {"old": fault, "new": ""})
                return Reply("", (call,))
        return Reply(NOTHING_TO_MEND)


def _is_reported(fault: str, told: str) -> bool:
    errors = told.split("\n\n")[1]
    return ("parse error" in errors) == (fault == SYNTAX_FAULT)


def broken(html: str) -> str:
    """`html` with both mistakes at the beginning of its last inline script."""
    at = [found.end() for found in _SCRIPT.finditer(html)][-1]
    imports = _IMPORTS.match(html, at)
    at = imports.end() if imports else at
    return html[:at] + SYNTAX_FAULT + RUNTIME_FAULT + html[at:]
