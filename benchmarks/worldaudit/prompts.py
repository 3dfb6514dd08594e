"""What the agent is told. Our own words; hashed into the episode's identity."""

from __future__ import annotations

from typing import Any

from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.taxonomy import SUBCATEGORIES
from embodied_eval.models.types import Message, system, user
from embodied_eval.records import Task

SYSTEM = """You inspect interactive 3D worlds for faults before they are released.

You are inside one world, at eye height, and see it only through pictures. One thing in it was made wrong on
purpose; everything else is as its makers meant it. Look around, walk, operate things, wait, come back: find what
is wrong, test it, and report it with pictures that show it.

How to work
- Call tools only; plain text reaches nobody. Call `observe` first: it opens the world.
- The world stands still while you think. Time passes only while you act.
- You may spend {budget} actions (move, turn, look, interact, wait). All other tools are free.
- Angles to the right and downwards are positive. Positions are metres: x ahead and y to the right for heading 0.
- Every picture has a name: a0 is the first view, a7 the view after action 7{film}.
- Some faults show at once. Others need a second look from another side, from near and far, after a while, after
  looking away, or by touching: a move that falls short hints at something in the way that you cannot see.
- File what you find with `flag_bug`: name the object as a person would, say what is wrong with it, say when or
  from where, and give the names of the pictures that show it. One fault in one report. End with `done`.
{memory}"""

FILM = ", a7.f2 the second picture\n  taken while action 7 lasted"

MEMORY = """- `inspect` shows earlier pictures again, whole or a part enlarged; `history` lists your actions;
  `write_notes` keeps a remark.
"""

HINTS = {
    "code": "The fault is of this kind: {name}.",
    "definition": "The fault is of this kind: {name} - {definition}",
}

NUDGE = (
    "Nothing happened: only tool calls have an effect. Call a tool now; call `done` when you have reported "
    "what you found."
)


def opening(task: Task, options: Options) -> list[Message]:
    """The first messages of an episode."""
    lines = [str(task.public["instruction"])]
    if options.scene_description:
        lines.append(f"The place: {task.public['scene_description']}")
    if options.type_hint != "none":
        kind = SUBCATEGORIES[task.public["subcategory"]]
        lines.append(HINTS[options.type_hint].format(name=kind.name, definition=kind.definition))
    memory = MEMORY if options.memory_tools else ""
    film = FILM if options.obs != "final" else ""
    text = SYSTEM.format(budget=options.budget, film=film, memory=memory)
    return [system(text), user("\n\n".join(lines))]


def templates() -> dict[str, Any]:
    """Everything above, by name: what the prompt hash is over."""
    return {"system": SYSTEM, "film": FILM, "memory": MEMORY, "hints": str(HINTS), "nudge": NUDGE}
