"""The pieces of a file that its errors speak of, with line numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchmarks.worldbench.source_check import Fault

AROUND_LINES = 40
BINDING_LINES = 12
MOST_BINDINGS = 3
"""Windows of the repair round (`worldbench.md` 2.2)."""
LONG_LINE_CHARS = 600
"""Of a longer line (minified worlds have one) only the part around the column is shown (ours)."""
COLUMN_CHARS = 1500
WHOLE_CHARS = 60_000
"""As much of a file is shown when no error has a place in it (ours)."""
_WORDS = """await break case catch class const continue delete do else export extends false finally for function if
import in instanceof let new null of return static super switch this throw true try typeof undefined var void while
yield Math Array Object Number String Map Set THREE console document window"""
KEYWORDS = frozenset(_WORDS.split())
_NAME = re.compile(r"(?<![\w$.])[A-Za-z_$][\w$]*")


def excerpts(html: str, faults: Sequence[Fault]) -> str:
    """The file around every error that has a place, and around what the names on that line are bound to; without
    any place the beginning of the whole file."""
    lines = html.split("\n")
    wanted: dict[int, int] = {}
    shown: list[tuple[int, int]] = []
    for fault in faults:
        if not 0 < fault.line <= len(lines):
            continue
        wanted.setdefault(fault.line, fault.column)
        shown.append((fault.line - AROUND_LINES, fault.line + AROUND_LINES))
    for line in list(wanted):
        for place in bindings(lines, line, shown):
            shown.append((place - BINDING_LINES, place + BINDING_LINES))
    if not shown:
        return _whole(lines)
    return "\n\n".join(_window(lines, first, last, wanted) for first, last in merged(shown, len(lines)))


def bindings(lines: Sequence[str], line: int, shown: Sequence[tuple[int, int]]) -> list[int]:
    """Lines, not within `shown`, where up to three of the names on `line` are declared or first assigned."""
    text = lines[line - 1]
    if len(text) > LONG_LINE_CHARS:
        return []
    found: list[int] = []
    for name in dict.fromkeys(_NAME.findall(text)):
        if name in KEYWORDS or len(found) == MOST_BINDINGS:
            continue
        place = _binding(lines, name)
        if place and not any(first <= place <= last for first, last in shown):
            found.append(place)
    return found


def _binding(lines: Sequence[str], name: str) -> int:
    word = re.escape(name)
    declared = re.compile(rf"\b(?:const|let|var|function\*?|class)\s+{word}(?![\w$])|[,{{]\s*{word}\s*=(?!=)")
    assigned = re.compile(rf"(?<![\w$.]){word}\s*=(?![=>])")
    for pattern in (declared, assigned):
        for number, text in enumerate(lines, 1):
            if len(text) <= LONG_LINE_CHARS and pattern.search(text):
                return number
    return 0


def merged(windows: Sequence[tuple[int, int]], count: int) -> list[tuple[int, int]]:
    """`windows` (first, last) within lines 1..`count`, overlapping and touching ones joined, in order."""
    made: list[tuple[int, int]] = []
    for first, last in sorted((max(1, first), min(count, last)) for first, last in windows):
        if made and first <= made[-1][1] + 1:
            made[-1] = (made[-1][0], max(made[-1][1], last))
        else:
            made.append((first, last))
    return made


def _window(lines: Sequence[str], first: int, last: int, wanted: dict[int, int]) -> str:
    return "\n".join(
        f"{number:5d}| {_shortened(lines[number - 1], wanted.get(number, 1))}"
        for number in range(first, last + 1)
    )


def _shortened(text: str, column: int) -> str:
    if len(text) <= LONG_LINE_CHARS:
        return text
    if column <= 1:
        return f"{text[:LONG_LINE_CHARS]} [... {len(text) - LONG_LINE_CHARS} more characters]"
    first = max(0, column - 1 - COLUMN_CHARS)
    last = min(len(text), column - 1 + COLUMN_CHARS)
    return f"[characters {first + 1} to {last} of {len(text)}] {text[first:last]}"


def _whole(lines: Sequence[str]) -> str:
    made, left = [], WHOLE_CHARS
    for number, text in enumerate(lines, 1):
        row = f"{number:5d}| {text}"
        if len(row) > left:
            made.append(f"[the file goes on to line {len(lines)}]")
            break
        made.append(row)
        left -= len(row) + 1
    return "\n".join(made)
