"""What the agent is told. Our own words; hashed into the episode's identity."""

from __future__ import annotations

from typing import Any

from benchmarks.worldaudit import protocol
from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.taxonomy import SUBCATEGORIES
from embodied_eval.models.types import Message, system, user
from embodied_eval.records import Task

SYSTEM = """You inspect interactive 3D worlds for faults before they are released.

You are inside one world, at eye height, and see it only through pictures. {count} Look around, walk, operate
things, wait, come back: find what is wrong, test it, and report it with pictures that show it.

How to work
- Call tools only; plain text reaches nobody. {first}
- The world stands still while you think. Time passes only while you act.
- You may spend {budget} actions (move, turn, look, interact, wait). All other tools are free.
- Angles to the right and downwards are positive.{positions}
- Every picture has a name: a0 is the first view, a7 the view after action 7{film}. Only the latest pictures
  stay in this conversation{again}.
- Some faults show at once. Others need a second look from another side, from near and far, after a while, after
  looking away, or by touching: a move that falls short hints at something in the way that you cannot see.
- File what you find with `flag_bug`: name the object as a person would, say what is wrong with it, say when or
  from where, and give the names of the pictures that show it. One fault in one report. End with `done`.
{memory}"""

COUNTS = {
    "A": "One thing in it was made wrong on purpose; everything else is as its makers meant it.",
    "AB": "Two things in it were made wrong on purpose; everything else is as its makers meant it.",
    "ABC": "Three things in it were made wrong on purpose; everything else is as its makers meant it.",
    "open": "Nobody knows whether anything is wrong with it: it may hold several faults or none.",
    "untold": "It holds something that was made wrong on purpose, in one place or in several; everything else "
    "is as its makers meant it.",
}

FIRST = {
    "observe": "Call `observe` first: it opens the world.",
    "example": "Call `read_example` first, then `observe`: it opens the world.",
}

POSITIONS = " Positions are metres: x ahead and y to the right for heading 0."
FILM = ", a7.f2 the second picture\n  taken while action 7 lasted"
AGAIN = "; `inspect` shows earlier ones again"

MEMORY = """- `inspect` shows earlier pictures again, whole or a part enlarged; `history` lists your actions;
  `write_notes` keeps a remark.
"""

SUBJECTS = {
    "A": "The fault is of this kind: ",
    "AB": "One of the faults is of this kind: ",
    "ABC": "One of the faults is of this kind: ",
    "untold": "A fault that it holds is of this kind: ",
}
HINTS = {"code": "{name}.", "definition": "{name} - {definition}"}
EXAMPLE = {
    "none": "`read_example` shows a case like this one that somebody solved, in another place.",
    "told": "`read_example` shows a solved case of the same kind (code {code}), in another place.",
}

NUDGE = (
    "Nothing happened: only tool calls have an effect. Call a tool now; call `done` when you have reported "
    "what you found."
)


def opening(task: Task, options: Options) -> list[Message]:
    """The first messages of an episode."""
    counted = options.anomalies if options.tell_count else "untold"
    lines = [str(task.public["instruction"])]
    about = options.about or str(task.public["scene_description"])
    if options.scene_description and about:
        lines.append(f"The place: {about}")
    kind = SUBCATEGORIES.get(str(task.public.get("subcategory", "")))
    if kind is not None and options.type_hint != "none":
        hint = HINTS[options.type_hint].format(name=kind.name, definition=kind.definition)
        lines.append(SUBJECTS[counted] + hint)
    if kind is not None and options.icl:
        lines.append(EXAMPLE["none" if options.type_hint == "none" else "told"].format(code=kind.code))
    text = SYSTEM.format(
        count=COUNTS[counted if kind is not None else "open"],
        first=FIRST["example" if options.icl else "observe"],
        budget=options.budget,
        positions=POSITIONS if options.proprio else "",
        film=FILM if options.obs != "final" else "",
        again=AGAIN if options.memory_tools else "",
        memory=MEMORY if options.memory_tools else "",
    )
    return [system(text), user("\n\n".join(lines))]


def templates() -> dict[str, Any]:
    """Everything above and the words of the JSON protocol, by name: what the prompt hash is over."""
    return {
        "system": SYSTEM,
        "count": str(COUNTS),
        "first": str(FIRST),
        "positions": POSITIONS,
        "film": FILM,
        "again": AGAIN,
        "memory": MEMORY,
        "hints": str((SUBJECTS, HINTS)),
        "example": str(EXAMPLE),
        "nudge": NUDGE,
        "json": protocol.JSON,
    }
