"""The read-only tools with which an evidence agent searches a page's source: grep, read_lines, list_functions.

They work on a copy; the file itself is hashed before and after. Ten calls, and no call twice (the paper's budget).
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from benchmarks.worldbench.source.definitions import Definitions
from benchmarks.worldbench.source.grep import pattern
from benchmarks.worldbench.source.sourcemap import Source, from_html
from benchmarks.worldbench.source.statements import Syntax
from benchmarks.worldbench.source.units import Units, units
from embodied_eval.errors import DataFileError, UsageError

CALLS = 10
_MOST_HITS = 40
_MOST_LINES = 120
_MOST_FUNCTIONS = 200
_LINE_CHARACTERS = 240
_REPLY_CHARACTERS = 8_000


@dataclass(frozen=True)
class Reply:
    """What a tool answers. `refused`: it did nothing (a repeated call, a bad argument, no calls left); it counted as
    a call all the same, unless none was left. `left`: the calls still to be had."""

    text: str
    refused: bool
    left: int


class SourceTools:
    """The tools over one file; use as a context manager, which removes the copy and checks the file on leaving.

    Raises DataFileError where the file cannot be read, or has changed when the tools are closed.
    """

    def __init__(self, path: Path, calls: int = CALLS) -> None:
        self.path, self.left = path, calls
        self.sha256 = _sha256(path)
        self._folder = tempfile.TemporaryDirectory(prefix="worldbench-source-")
        copy = Path(self._folder.name) / "world.html"
        try:
            copy.write_bytes(path.read_bytes())
            copy.chmod(0o400)
            html = copy.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            self._folder.cleanup()
            raise DataFileError(f"{path} cannot be read: {error}.", hint="Check the file.") from error
        self.source: Source = from_html(html)
        self._units: Units = units(self.source)
        self._asked: set[str] = set()
        self.repeated = 0
        """How many calls were refused because they had been made before."""

    def __enter__(self) -> SourceTools:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Remove the copy and see that the file is as it was."""
        self._folder.cleanup()
        if _sha256(self.path) != self.sha256:
            raise DataFileError(
                f"{self.path} changed while its source was searched.", hint="Judge this world again."
            )

    def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        """Answer one call: grep(pattern), read_lines(first, last) or list_functions(). Numbers are file lines from 1,
        or statements where the page packs its code into long lines."""
        if self.left <= 0:
            return Reply("No calls are left. Answer from what you have read.", True, 0)
        self.left -= 1
        asked = json.dumps([name, dict(arguments)], sort_keys=True, default=str)
        if asked in self._asked:
            self.repeated += 1
            return Reply("This very call was made before; its answer stands above.", True, self.left)
        self._asked.add(asked)
        try:
            text = self._answer(name, arguments)
        except UsageError as error:
            return Reply(str(error), True, self.left)
        if len(text) > _REPLY_CHARACTERS:
            text = text[:_REPLY_CHARACTERS] + "\n(cut here)"
        return Reply(text, False, self.left)

    def _answer(self, name: str, arguments: Mapping[str, Any]) -> str:
        if name == "grep":
            return self._grep(str(arguments.get("pattern", "")))
        if name == "read_lines":
            return self._read_lines(_number(arguments, "first"), _number(arguments, "last"))
        if name == "list_functions":
            return self._list_functions()
        raise UsageError(
            f"There is no tool called {name[:40]!r}.", hint="Tools: grep, read_lines, list_functions."
        )

    def _grep(self, wanted: str) -> str:
        searched = pattern(wanted)
        rows: list[str] = []
        more = 0
        for number, (start, end) in zip(self._units.numbers, self._units.spans, strict=True):
            line = self.source.text[start:end]
            hit = searched.search(line)
            if hit is None:
                continue
            if len(rows) == _MOST_HITS:
                more += 1
            else:
                rows.append(f"{number}: {_window(line, hit)}")
        if not rows:
            return f"Nothing matches {wanted!r}."
        if more:
            rows.append(f"({more} more lines match)")
        return "\n".join(rows)

    def _read_lines(self, first: int, last: int) -> str:
        if last < first:
            raise UsageError(f"Line {last} is before line {first}.", hint="Give the first line first.")
        last = min(last, first + _MOST_LINES - 1)
        rows = [
            f"{number}: {self.source.text[start:end].rstrip()[:_REPLY_CHARACTERS]}"
            for number, (start, end) in zip(self._units.numbers, self._units.spans, strict=True)
            if first <= number <= last
        ]
        top = self._units.numbers[-1] if self._units.numbers else 0
        return "\n".join(rows) or f"No script code there; the last line is {top}."

    def _list_functions(self) -> str:
        syntax = Syntax(self.source.tokens)
        found = []
        for name, low, high in Definitions(syntax).functions:
            span = self.source.span(self.source.tokens.starts[low], self.source.tokens.end(high - 1))
            numbers = self._units.numbers_of(span)
            if numbers:
                found.append((numbers[0], numbers[-1], name))
        found.sort()
        rows = [f"{first}-{last}: {name[:80]}" for first, last, name in found[:_MOST_FUNCTIONS]]
        if len(found) > _MOST_FUNCTIONS:
            rows.append(f"({len(found) - _MOST_FUNCTIONS} more)")
        return "\n".join(rows) or "No named functions."


def _window(line: str, hit: tuple[int, int]) -> str:
    line_start = max(0, min(hit[0] - 60, len(line) - _LINE_CHARACTERS))
    shown = line[line_start : line_start + _LINE_CHARACTERS].strip()
    return (
        ("... " if line_start else "") + shown + (" ..." if line_start + _LINE_CHARACTERS < len(line) else "")
    )


def _number(arguments: Mapping[str, Any], name: str) -> int:
    value = arguments.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise UsageError(
            f"`{name}` must be a line number from 1, not {str(value)[:40]!r}.", hint="Give both."
        )
    return value


def _sha256(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise DataFileError(f"{path} cannot be read: {error}.", hint="Check the file.") from error
