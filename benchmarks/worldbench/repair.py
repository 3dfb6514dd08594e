"""The repair loop: at most five rounds in which the model sees the errors of its file, and nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from benchmarks.worldbench.excerpts import excerpts
from benchmarks.worldbench.generate import ROLE, ask_for_file
from benchmarks.worldbench.load_check import Checked, encoded
from benchmarks.worldbench.prompts import REPAIR, REPLACE_TOOL, REWRITE
from benchmarks.worldbench.source_check import MOST_BYTES, Fault, structure_faults
from embodied_eval.errors import InvalidReply, ModelRefused
from embodied_eval.models.types import Message, Tool, ToolCall, tool_result, user
from embodied_eval.records import Json

if TYPE_CHECKING:
    from embodied_eval.benchmark import ModelHandle

CALLS_A_ROUND = 4
OLD_SHOWN_CHARS = 200
REPLACE = Tool(
    "replace",
    REPLACE_TOOL,
    {
        "type": "object",
        "properties": {"old": {"type": "string"}, "new": {"type": "string"}},
        "required": ["old", "new"],
        "additionalProperties": False,
    },
)


@dataclass(frozen=True)
class Edit:
    """One asked-for change: what was to be replaced (shortened), how many characters came for it, and why it was
    refused ("" = applied)."""

    old: str
    chars: int
    refused: str = ""

    def to_json(self) -> dict[str, Json]:
        """As a JSON object."""
        return {"old": self.old, "chars": self.chars, "refused": self.refused}


@dataclass(frozen=True)
class Round:
    """One round: errors before, edits, errors after, and the file's hash after it. `ended` says why the model
    stopped early ("" = it did not)."""

    number: int
    mode: Literal["replace", "rewrite"]
    before: tuple[Fault, ...]
    edits: tuple[Edit, ...]
    after: tuple[Fault, ...]
    sha256: str
    ended: str = ""

    @property
    def applied(self) -> int:
        """How many edits were made."""
        return sum(not edit.refused for edit in self.edits)


@dataclass(frozen=True)
class Repaired:
    """The last file, whether clean or not, and how it got there."""

    html: str
    checked: Checked
    rounds: tuple[Round, ...]


Check = Callable[[str], Awaitable[Checked]]


async def repair(model: ModelHandle, html: str, check: Check, rounds: int, continuations: int) -> Repaired:
    """Mend `html` until `check` finds nothing, at most `rounds` times.

    Damage to the document itself, and a round that changed nothing, let the model write the whole file anew;
    otherwise it replaces pieces. A model that declines ends the loop with the file as it is.
    """
    checked = await check(html)
    made: list[Round] = []
    changed = True
    while len(made) < rounds and not checked.clean:
        damaged = any(fault.kind == "structure" for fault in checked.faults)
        mode: Literal["replace", "rewrite"] = "rewrite" if damaged or not changed else "replace"
        ended = ""
        desk = _Desk(html)
        try:
            if mode == "rewrite":
                await _rewrite(model, desk, checked.faults, continuations)
            else:
                await _replace(model, desk, checked.faults)
        except (ModelRefused, InvalidReply) as error:
            ended = error.message
        changed, html = desk.html != html, desk.html
        before = checked.faults
        if changed:
            checked = await check(html)
        sha256 = hashlib.sha256(encoded(html)).hexdigest()
        made.append(Round(len(made) + 1, mode, before, tuple(desk.edits), checked.faults, sha256, ended))
        if ended:
            break
    return Repaired(html, checked, tuple(made))


@dataclass
class _Desk:
    """The file of a round, as it is being changed."""

    html: str
    edits: list[Edit] = field(default_factory=list)

    def replace(self, old: str, new: str) -> str:
        """Replace the one occurrence of `old`; "" or why not."""
        refused = refusal(self.html, old, new)
        if not refused:
            self.html = self.html.replace(old, new, 1)
        self.edits.append(Edit(old[:OLD_SHOWN_CHARS], len(new), refused))
        return refused

    def refuse(self, what: str, why: str) -> str:
        self.edits.append(Edit(what[:OLD_SHOWN_CHARS], 0, why))
        return why


def refusal(html: str, old: str, new: str) -> str:
    """Why `old` may not be replaced by `new` in `html`, "" if it may: it must occur exactly once."""
    if not old:
        return "`old` is empty."
    count = html.count(old)
    if count != 1:
        return f"`old` occurs {count} times in the file; it must occur exactly once."
    if old == new:
        return "`old` and `new` are the same."
    if len(encoded(html)) + len(encoded(new)) - len(encoded(old)) > MOST_BYTES:
        return f"The file would be larger than {MOST_BYTES} bytes."
    return ""


async def _replace(model: ModelHandle, desk: _Desk, faults: Sequence[Fault]) -> None:
    text = REPAIR.format(errors=listed(faults), excerpts=excerpts(desk.html, faults), calls=CALLS_A_ROUND)
    said: list[Message] = [user(text)]
    while len(desk.edits) < CALLS_A_ROUND:
        reply = await model.complete(tuple(said), tools=(REPLACE,), role=ROLE)
        if not reply.tool_calls:
            return
        said.append(reply.as_message())
        answers = [_carry_out(desk, call) for call in reply.tool_calls]
        # A turn that went through ends the round: whether it helped, the next load tells.
        if not any(answers):
            return
        said += [
            tool_result(call, answer or "Replaced.")
            for call, answer in zip(reply.tool_calls, answers, strict=True)
        ]


def _carry_out(desk: _Desk, call: ToolCall) -> str:
    """Do what `call` asks; "" or why it was refused."""
    if len(desk.edits) >= CALLS_A_ROUND:
        return "No calls are left in this round."
    if call.name != REPLACE.name:
        return desk.refuse(call.name, f"There is no tool {call.name!r}.")
    if call.error:
        return desk.refuse(call.raw, f"The arguments are not valid: {call.error}")
    old, new = call.arguments.get("old"), call.arguments.get("new")
    if not isinstance(old, str) or not isinstance(new, str):
        return desk.refuse(str(call.arguments), "`old` and `new` must be strings.")
    return desk.replace(old, new)


async def _rewrite(model: ModelHandle, desk: _Desk, faults: Sequence[Fault], continuations: int) -> None:
    fence = f"=== {hashlib.sha256(encoded(desk.html)).hexdigest()[:24]} ==="
    text = REWRITE.format(errors=listed(faults), fence=fence, html=desk.html)
    answer = await ask_for_file(model, (user(text),), continuations)
    found = structure_faults(answer.html)
    if not answer.html.strip() or any("no HTML document" in fault.text for fault in found):
        desk.refuse("", "The answer holds no HTML document.")
        return
    desk.html = answer.html
    desk.edits.append(Edit("", len(answer.html)))


def listed(faults: Sequence[Fault]) -> str:
    """Errors as a list for the model, with line and column where they are known."""
    return "\n".join(f"- {_named(fault)}{fault.text}{_place(fault)}" for fault in faults)


def _named(fault: Fault) -> str:
    names = {
        "syntax_error": "parse error: ",
        "exception": "uncaught error: ",
        "rejection": "unhandled rejection: ",
        "console": "console error: ",
    }
    return names.get(fault.kind, "")


def _place(fault: Fault) -> str:
    if not fault.line:
        return ""
    return f" (line {fault.line}, column {fault.column})" if fault.column else f" (line {fault.line})"
