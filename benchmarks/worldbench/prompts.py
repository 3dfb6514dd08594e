"""What the model under test is told: the prompt of the world, and the words of continuing and mending it.

The prompt is data (`prompt/v1.md`). Changing it makes a new version, whose results stand in no table with the old.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from embodied_eval.records import Json

VERSION = "v1"
COLD: Mapping[str, Json] = {"temperature": 0}
"""Sampling of every role but the writer's: who looks, patches or judges ought to say the same twice."""

CONTINUE = (
    "Your answer was cut off. Go on exactly where it stopped, in the middle of a line or word if need be. Repeat "
    "nothing, say nothing else, use no code fences, and end with the closing html tag."
)

REPAIR = """A browser that loaded your HTML file reported errors. Mend them; change nothing else.

{errors}

{excerpts}

Call `replace` with a piece of the file that occurs exactly once in it, copied to the letter without the line
numbers, and with what shall stand there instead. You have {calls} calls. When you are done, answer in one short
sentence."""

REWRITE = """Your HTML file cannot be used as it is:

{errors}

It stands between the two lines {fence}.

{fence}
{html}
{fence}

Answer with the whole mended file, from the doctype to the closing html tag: exactly one document, no words before or
after it, no code fences. Change nothing that works."""

REPLACE_TOOL = "Replace one piece of the file. `old` must occur exactly once in it."


def generation_prompt() -> str:
    """The prompt that every model gets."""
    return _read(f"prompt/{VERSION}.md")


@cache
def _read(name: str) -> str:
    return files("benchmarks.worldbench").joinpath(name).read_text("utf-8")


def prompt_sha256() -> str:
    """SHA-256 (hex) of the generation prompt's UTF-8 bytes."""
    return hashlib.sha256(generation_prompt().encode()).hexdigest()


def templates() -> Mapping[str, str]:
    """Every text of ours that the model under test may get, by name."""
    return {
        f"generate/{VERSION}": generation_prompt(),
        "continue": CONTINUE,
        "repair": REPAIR,
        "rewrite": REWRITE,
        "replace": REPLACE_TOOL,
    }
