"""One completion, continued where it was cut off, joined to one file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.worldbench.prompts import CONTINUE, generation_prompt
from embodied_eval.models.types import Message, Role, user

if TYPE_CHECKING:
    from embodied_eval.benchmark import ModelHandle

ROLE: Role = "agent"
TAIL_CHARS = 200
"""The closing tag stands in the last so many characters of a complete answer."""
LONGEST_OVERLAP_CHARS = 400
SHORTEST_OVERLAP_CHARS = 8
"""A shorter repetition (`}`, an indent) is more likely chance than a repeated end (ours)."""
_OPENING_FENCE = re.compile(r"\s*```[\w-]*[ \t]*\r?\n")
_CLOSING_FENCE = re.compile(r"\r?\n[ \t]*```\s*\Z")
_BEGUN = re.compile(r"<!doctype\s|<html[\s>]|<head[\s>]|<script[\s>]", re.IGNORECASE)


@dataclass(frozen=True)
class Part:
    """One turn of an answer: why it ended, its length, and how much of it repeated the end of what was there."""

    finish: str
    chars: int
    overlap: int


@dataclass(frozen=True)
class Answer:
    """A whole answer: the file (one outer code fence stripped), its turns, and whether it is still cut off."""

    html: str
    parts: tuple[Part, ...]
    truncated: bool


async def generate(model: ModelHandle, continuations: int) -> Answer:
    """The world as the model under test writes it, in one completion and at most `continuations` more turns."""
    return await ask_for_file(model, (user(generation_prompt()),), continuations)


async def ask_for_file(model: ModelHandle, messages: Sequence[Message], continuations: int) -> Answer:
    """The file that answers `messages`. Raises `ModelError` as the gateway does."""
    said = list(messages)
    text = ""
    parts: list[Part] = []
    while True:
        reply = await model.complete(tuple(said), role=ROLE)
        if parts:
            text, overlap = joined(text, _without_opening(reply.text))
        else:
            text, overlap = reply.text, 0
        parts.append(Part(reply.finish, len(reply.text), overlap))
        truncated = is_truncated(text, reply.finish)
        if not truncated or not reply.text or len(parts) > continuations:
            return Answer(without_fence(text), tuple(parts), truncated)
        said += [reply.as_message(), user(CONTINUE)]


def is_truncated(text: str, finish: str) -> bool:
    """Whether an answer was cut off: the model's limit ended it, or a document was begun and not closed
    (`worldbench.md` 2.2)."""
    if finish == "length":
        return True
    return bool(_BEGUN.search(text)) and "</html" not in text[-TAIL_CHARS:].lower()


def joined(before: str, after: str) -> tuple[str, int]:
    """`before` and `after` as one text, and how many characters at the start of `after` repeated the end of
    `before`: the longest such piece of at most `LONGEST_OVERLAP_CHARS` (`worldbench.md` 2.2)."""
    for length in range(min(LONGEST_OVERLAP_CHARS, len(before), len(after)), SHORTEST_OVERLAP_CHARS - 1, -1):
        if before.endswith(after[:length]) and len(after[:length].strip()) >= SHORTEST_OVERLAP_CHARS:
            return before + after[length:], length
    return before + after, 0


def without_fence(text: str) -> str:
    """`text` without one code fence around it."""
    return _CLOSING_FENCE.sub("", _without_opening(text), count=1)


def _without_opening(text: str) -> str:
    found = _OPENING_FENCE.match(text)
    return text[found.end() :] if found else text
