"""What the auditor of a recording is told. Our own words; hashed into the episode's identity."""

from __future__ import annotations

from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.prompts import COUNTS, EXAMPLE, HINTS, POSITIONS, SUBJECTS
from benchmarks.worldaudit.taxonomy import SUBCATEGORIES
from embodied_eval.models.types import Message, system, user
from embodied_eval.records import Task

SYSTEM = """You audit recordings from interactive 3D worlds for faults before the worlds are released.

Somebody walked through one world without looking for anything in particular and recorded what was seen. {count}
You cannot act in the world. You see the recording once, all of it, and report what is wrong.

How to work
- Call tools only; plain text reaches nobody. {first}
- The recording is one picture each half second: a0 is the start, a1 the view after 0.5 s, a2 after 1 s, and so on.
  A line of text goes with each: its time{track}.{positions}
- Some faults show at once. Others show only in comparison: the same thing from another side, from near and far,
  before and after. A walker that does not come forward although nothing is to be seen in the way, or goes through
  something that looks solid, tells of a fault too.
- Then call `report` once: it ends the audit. In each report name the object as a person would, say what is wrong
  with it, say when or from where, and give the names of the pictures that show it. One fault in one report. Report
  nothing that the recording does not show.
"""
TRACK = ", where the camera was, the path so far, and for how long forward and back were held"
FIRST = {
    "observe": "Call `observe` first: it gives you the recording.",
    "example": "Call `read_example` first, then `observe`: it gives you the recording.",
}
INSTRUCTION = "Audit this recording. Find what was made wrong in the world on purpose and report it."
NUDGE = (
    "Nothing happened: only tool calls have an effect. Call `report` with what you found; it may be empty."
)


def opening(task: Task, options: Options) -> list[Message]:
    """The first messages of an audit."""
    counted = options.anomalies if options.tell_count else "untold"
    lines = [INSTRUCTION]
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
        count=COUNTS[counted],
        first=FIRST["example" if options.icl else "observe"],
        track=TRACK if options.proprio else "",
        positions=POSITIONS if options.proprio else "",
    )
    return [system(text), user("\n\n".join(lines))]


def templates() -> dict[str, str]:
    """Everything above, by name."""
    return {
        "vla_system": SYSTEM,
        "vla_track": TRACK,
        "vla_first": str(FIRST),
        "vla_instruction": INSTRUCTION,
        "vla_nudge": NUDGE,
    }
