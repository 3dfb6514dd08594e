"""Which code of a page ran: the browser's precise coverage, block by block."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession


@dataclass(frozen=True)
class CoveredRange:
    """Characters [start, end) of a file ran `count` times."""

    start: int
    end: int
    count: int


@dataclass(frozen=True)
class CoveredFunction:
    """A function ("" = no name, or the script's own level). The first range is all of it; later ones are
    blocks inside it with another count."""

    name: str
    ranges: tuple[CoveredRange, ...]


@dataclass(frozen=True)
class ScriptCoverage:
    """A script: its own `text`, and where that begins in the file at `url` (0 unless it stands in HTML).
    Ranges count characters from the beginning of the file, with line ends as "\\n"."""

    url: str
    start: int
    text: str
    functions: tuple[CoveredFunction, ...]


class Coverage:
    """Precise coverage of one page; `begin` before its first script to miss nothing."""

    def __init__(self, cdp: CDPSession) -> None:
        self._cdp = cdp

    def begin(self) -> None:
        """Start counting calls and blocks."""
        self._cdp.send("Profiler.enable")
        self._cdp.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": True})

    def end(self) -> None:
        """Stop counting; the page runs at full speed again."""
        self._cdp.send("Profiler.stopPreciseCoverage")
        self._cdp.send("Profiler.disable")

    def take(self, page_url: str, page_text: str) -> tuple[ScriptCoverage, ...]:
        """What ran since the last time: every script with an address, in the order it was read.
        `page_text` is the HTML at `page_url`, in which inline scripts are found."""
        result = self._cdp.send("Profiler.takePreciseCoverage")["result"]
        parsed: dict[str, dict[str, Any]] = {}

        def on_parsed(event: dict[str, Any]) -> None:
            parsed[event["scriptId"]] = event

        self._cdp.on("Debugger.scriptParsed", on_parsed)
        self._cdp.send("Debugger.enable")
        try:
            wanted = [one for one in result if one["url"] and one["scriptId"] in parsed]
            texts = [
                self._cdp.send("Debugger.getScriptSource", {"scriptId": one["scriptId"]})["scriptSource"]
                for one in wanted
            ]
        finally:
            self._cdp.send("Debugger.disable")
            self._cdp.remove_listener("Debugger.scriptParsed", on_parsed)
        html = page_text.replace("\r\n", "\n")
        made = []
        for one, text in zip(wanted, texts, strict=True):
            start = 0
            if one["url"] == page_url:
                event = parsed[one["scriptId"]]
                start = _offset(html, event["startLine"], event["startColumn"])
            made.append(ScriptCoverage(one["url"], start, text, _functions(one["functions"], start, text)))
        return tuple(made)


def _functions(rows: list[dict[str, Any]], start: int, text: str) -> tuple[CoveredFunction, ...]:
    place = characters(text)
    return tuple(
        CoveredFunction(
            row["functionName"],
            tuple(
                CoveredRange(start + place(one["startOffset"]), start + place(one["endOffset"]), one["count"])
                for one in row["ranges"]
            ),
        )
        for row in rows
    )


def _offset(text: str, line: int, column: int) -> int:
    """The character at `line` and `column`, both from 0, the column in UTF-16 units."""
    start = 0
    for _ in range(line):
        start = text.index("\n", start) + 1
    end = text.find("\n", start)
    return start + characters(text[start : end if end >= 0 else None])(column)


def characters(text: str) -> Callable[[int], int]:
    """A function from offsets in UTF-16 units, as the browser counts, to those in characters of `text`."""
    # In units, the places behind each character that takes two.
    wide: list[int] = []
    for at, character in enumerate(text):
        if ord(character) > 0xFFFF:
            wide.append(at + len(wide) + 2)
    return lambda units: units - bisect_right(wide, units)
