"""The code of a page: the text of its script elements, and where each character stands in the HTML file."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from benchmarks.worldbench.evidence import Span
from benchmarks.worldbench.source.tokens import Tokens, tokenize

_TAG = re.compile(r"<!--|<(/?)([a-zA-Z][^\s/>]*)")
_ATTRIBUTE = re.compile(
    r"""\s*/?\s*([^\s"'>/=][^\s>/=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']*)))?|\s*["'/=]"""
)
_RAW = frozenset({"style", "title", "textarea", "xmp", "iframe", "noembed", "noframes", "noscript"})
_SCRIPT_TYPES = frozenset(
    {
        "",
        "module",
        "text/javascript",
        "application/javascript",
        "text/ecmascript",
        "application/ecmascript",
        "application/x-javascript",
        "text/jsx",
    }
)


@dataclass(frozen=True)
class Script:
    """An inline script: characters [start, end) of the source are those from `html_start` on in the file. `kind`
    is "classic", "module" or "shader" (text that a page hands to the graphics card)."""

    start: int
    end: int
    html_start: int
    kind: str


class Squeezed:
    """A text without its whitespace (and without `left_out`), which remembers where each character stood."""

    def __init__(self, text: str, left_out: tuple[tuple[int, int], ...] = ()) -> None:
        self._places: list[int] = []
        self._begins: list[int] = []
        pieces: list[str] = []
        length, at = 0, 0
        for start, end in (*left_out, (len(text), len(text))):
            for match in re.compile(r"\S+").finditer(text, at, max(at, start)):
                self._places.append(match.start())
                self._begins.append(length)
                pieces.append(match.group())
                length += match.end() - match.start()
            at = max(at, end)
        self.text = "".join(pieces)

    def place(self, index: int) -> int:
        """Where character `index` of the squeezed text stands in the whole one."""
        run = bisect_right(self._begins, index) - 1
        return self._places[run] + index - self._begins[run]

    def index(self, place: int) -> int:
        """How many characters are kept before `place` of the whole text."""
        run = bisect_right(self._places, place) - 1
        if run < 0:
            return 0
        end = self._begins[run + 1] if run + 1 < len(self._begins) else len(self.text)
        return min(self._begins[run] + place - self._places[run], end)


@dataclass(frozen=True)
class Source:
    """All inline scripts of a page, in order, each ended by a newline. `html` is the file with line ends as
    "\\n", as the browser's coverage counts it."""

    html: str
    text: str
    scripts: tuple[Script, ...]

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines of the file; line n is `lines[n - 1]`."""
        return tuple(self.html.split("\n"))

    @cached_property
    def tokens(self) -> Tokens:
        """The scripts cut into tokens."""
        return tokenize(self.text, tuple((one.start, one.end) for one in self.scripts))

    @cached_property
    def full(self) -> Squeezed:
        """The text without whitespace."""
        return Squeezed(self.text)

    @cached_property
    def code(self) -> Squeezed:
        """The text without whitespace and comments."""
        return Squeezed(self.text, self.tokens.comments)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.html))]

    def code_length(self, start: int, end: int) -> int:
        """How many characters of [start, end) are neither space nor comment."""
        return max(0, self.code.index(end) - self.code.index(start))

    def html_place(self, place: int) -> int:
        """Where character `place` of the source stands in the file."""
        which = max(0, bisect_right([one.start for one in self.scripts], place) - 1)
        if not self.scripts:
            return 0
        one = self.scripts[which]
        return one.html_start + min(place, one.end) - one.start

    def place(self, html_place: int) -> int | None:
        """Where character `html_place` of the file stands in the source; None outside the scripts."""
        for one in self.scripts:
            if one.html_start <= html_place <= one.html_start + one.end - one.start:
                return one.start + html_place - one.html_start
        return None

    def line(self, place: int) -> int:
        """The file's line, from 1, of character `place` of the source."""
        return bisect_right(self._line_starts, self.html_place(place))

    def span(self, start: int, end: int) -> Span:
        """Characters [start, end) of the source with the file lines that they cover."""
        return Span(start, end, self.line(start), self.line(max(start, end - 1)))

    def of_lines(self, first: int, last: int) -> tuple[Span, ...]:
        """The parts of the scripts in the file's lines `first` to `last`, both from 1 and included."""
        starts = self._line_starts
        if first > len(starts) or last < first:
            return ()
        low = starts[max(first, 1) - 1]
        high = starts[last] - 1 if last < len(starts) else len(self.html)
        found = []
        for one in self.scripts:
            start = max(low, one.html_start)
            end = min(high, one.html_start + one.end - one.start)
            if start < end:
                found.append(self.span(one.start + start - one.html_start, one.start + end - one.html_start))
        return tuple(found)


def from_html(html: str) -> Source:
    """The source of a page. Script elements that the browser runs and shader scripts count; import maps, JSON,
    scripts with an address of their own, comments and templates do not. Never raises on a broken page."""
    html = html.replace("\r\n", "\n").replace("\r", "\n")
    scripts: list[Script] = []
    pieces: list[str] = []
    length, at, templates = 0, 0, 0
    while (tag := _TAG.search(html, at)) is not None:
        if tag.group() == "<!--":
            at = _after(html, "-->", tag.end())
            continue
        name, closing = tag.group(2).lower(), bool(tag.group(1))
        attributes, at = _attributes(html, tag.end())
        if name == "template":
            templates = max(0, templates + (-1 if closing else 1))
        elif closing:
            continue
        elif name in _RAW:
            at = _end_tag(html, name, at)
        elif name == "script":
            end = _end_tag(html, name, at)
            kind = _kind(attributes)
            if kind and not templates and "src" not in attributes:
                scripts.append(Script(length, length + end - at, at, kind))
                pieces.append(html[at:end] + "\n")
                length += end - at + 1
            at = end
    return Source(html, "".join(pieces), tuple(scripts))


def _kind(attributes: dict[str, str]) -> str:
    declared = attributes.get("type", "").strip().lower()
    if declared.startswith("x-shader"):
        return "shader"
    if declared not in _SCRIPT_TYPES:
        return ""
    return "module" if declared == "module" else "classic"


def _attributes(html: str, at: int) -> tuple[dict[str, str], int]:
    """The attributes of a tag from `at` on, and where its text begins."""
    found: dict[str, str] = {}
    while at < len(html):
        match = _ATTRIBUTE.match(html, at)
        if match is None:
            return found, _after(html, ">", at)
        at = match.end()
        if match.group(1):
            value = next((one for one in match.groups()[1:] if one is not None), "")
            found.setdefault(match.group(1).lower(), value)
    return found, at


def _after(html: str, mark: str, at: int) -> int:
    end = html.find(mark, at)
    return len(html) if end < 0 else end + len(mark)


def _end_tag(html: str, name: str, at: int) -> int:
    match = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(html, at)
    return len(html) if match is None else match.start()
