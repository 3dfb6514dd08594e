"""What is wrong with a file before it runs: its shape, read by us, and its scripts, parsed by the browser."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

from embodied_eval.records import Json

if TYPE_CHECKING:
    from embodied_eval.drivers.browser.session import PageSession

FaultKind = Literal[
    "structure", "syntax_error", "exception", "rejection", "console", "init", "refused", "load"
]
MOST_BYTES = 2 * 1024 * 1024
"""A larger file is no page that the sandbox opens (`worldbench.md` 6.3)."""
_DOCTYPE = re.compile(r"^[ \t]*<!doctype\s+html", re.IGNORECASE | re.MULTILINE)
_ROOT = re.compile(r"^[ \t]*<html[\s>]", re.IGNORECASE | re.MULTILINE)
_ANY_ROOT = re.compile(r"<html[\s>]|<body[\s>]|<script[\s>]|<canvas[\s>]", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*```[\w-]*[ \t]*\r?$", re.MULTILINE)
_VERSION = re.compile(r"(?:/three@|/three\.js/|npm/three@)(r?\d[\w.]*)")
SCRIPT_TYPES = frozenset({"", "module", "text/javascript", "application/javascript", "text/ecmascript"})


@dataclass(frozen=True)
class Fault:
    """An error of a file. `line` and `column` count from 1 in the file, 0 = not known."""

    kind: FaultKind
    text: str
    line: int = 0
    column: int = 0

    def to_json(self) -> dict[str, Json]:
        """As a JSON object."""
        return {"kind": self.kind, "text": self.text, "line": self.line, "column": self.column}


def structure_faults(html: str) -> tuple[Fault, ...]:
    """What keeps a text from being one HTML document: no document at all, no closing tag, two of them glued
    together, code fences, too many bytes. Such damage is mended by writing the file anew."""
    found = []
    if not _ANY_ROOT.search(html):
        found.append(Fault("structure", "The text holds no HTML document."))
    elif "</html" not in html.lower():
        found.append(Fault("structure", "The document is not closed: it was cut off, or its end is missing."))
    for pattern, what in ((_DOCTYPE, "doctype"), (_ROOT, "html root")):
        places = [match.start() for match in pattern.finditer(html)]
        if len(places) > 1:
            line = html.count("\n", 0, places[1]) + 1
            found.append(Fault("structure", f"A second {what} begins here: two documents in one file.", line))
            break
    fence = _FENCE.search(html)
    if fence:
        line = html.count("\n", 0, fence.start()) + 1
        found.append(Fault("structure", "A code fence stands in the file.", line))
    size = len(html.encode("utf-8", "replace"))
    if size > MOST_BYTES:
        found.append(Fault("structure", f"The file has {size} bytes; at most {MOST_BYTES} are opened."))
    return tuple(found)


def script_faults(session: PageSession, html: str) -> tuple[Fault, ...]:
    """Syntax errors of the inline scripts of `html`, parsed and not run in the open page of `session`, which must
    be one of ours. `line` is the script's first one: the parser does not tell more without running it."""
    rows = session.evaluate(_parser(), html)
    made = []
    for row in rows:
        at = html.find(row["text"]) if row["text"] else -1
        line = html.count("\n", 0, at) + 1 if at >= 0 else 0
        made.append(Fault("syntax_error", str(row["error"])[:500], line))
    return tuple(made)


@cache
def _parser() -> str:
    return files("benchmarks.worldbench").joinpath("source_check.js").read_text("utf-8")


@dataclass(frozen=True)
class SourceFacts:
    """What a file says of itself: lines of its inline scripts, and the three.js versions it asks for."""

    script_lines: int
    three_asked: tuple[str, ...]


def source_facts(html: str) -> SourceFacts:
    """Facts for the world's row."""
    reader = _Scripts()
    reader.feed(html)
    reader.close()
    asked = dict.fromkeys(match.group(1).rstrip(".") for match in _VERSION.finditer(html))
    return SourceFacts(sum(text.strip("\n").count("\n") + 1 for text in reader.texts), tuple(asked))


class _Scripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.texts: list[str] = []
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        kind = (given.get("type") or "").strip().lower()
        self._open = tag == "script" and "src" not in given and kind in SCRIPT_TYPES

    def handle_endtag(self, tag: str) -> None:
        self._open = False

    def handle_data(self, data: str) -> None:
        if self._open and data.strip():
            self.texts.append(data)
