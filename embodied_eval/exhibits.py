"""What a benchmark shows in the report, as data: tables, galleries, sheets, pages. The core escapes and lays it out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from embodied_eval.records import Json


@dataclass(frozen=True)
class Cell:
    """A cell that says more than its value: an interval from `low` to `high`, in the value's own unit, which the
    core draws on an axis common to the column, and a `note` set small below.

    Units with a form of their own: "%" (axis 0 to 100), "pp" (a difference in percentage points, signed, axis
    around 0), "s", "$", "x" (a ratio). A value that is not supported is None, with the reason as `note`.
    `share` (0..1), how much of what could be had this is, is drawn as a filled bar.
    """

    value: str | int | float | None
    low: float | None = None
    high: float | None = None
    unit: str = ""
    note: str = ""
    share: float | None = None


@dataclass(frozen=True)
class RowGroup:
    """Rows of a table under a heading of their own, with an optional `note`. `apart`: they come from elsewhere
    (published numbers, say) and are set off so that nobody reads them as the table's own."""

    title: str
    rows: tuple[tuple[Json | Cell, ...], ...]
    note: str = ""
    apart: bool = False


@dataclass(frozen=True)
class Table:
    """A table for the report, as data: the core escapes and lays it out. Cells are str, int, float, None or
    `Cell`; the first one of a row is its head. `groups` follow after `rows`."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Json | Cell, ...], ...]
    caption: str = ""
    groups: tuple[RowGroup, ...] = ()


@dataclass(frozen=True)
class Picture:
    """A stored frame of an episode, by its ref, with what is to be said of it. `marked` ones are outlined. On a page
    over several runs `run_id` says whose episode it is: two runs may hold the same."""

    episode_key: str
    ref: str
    caption: str = ""
    marked: bool = False
    run_id: str = ""


@dataclass(frozen=True)
class Gallery:
    """Something found, with the pictures that show it. `facts` are short (name, value) pairs set beside."""

    title: str
    text: str
    pictures: tuple[Picture, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Excerpt:
    """Lines of a file, the first of which has the number `first_line`; `marked` are the (first, last) numbers of
    those that matter, the others stand around them."""

    first_line: int
    lines: tuple[str, ...]
    marked: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Gauge:
    """A measured value against the threshold that decided, drawn on a common axis; `words` says both."""

    value: float
    threshold: float
    words: str


@dataclass(frozen=True)
class Part:
    """One side of an `Entry`: how it came out (`state`), for how many points (`score`, in words), why, and what
    that rests on."""

    name: str
    state: Literal["pass", "partial", "fail", "errored", "unscored"]
    score: str = ""
    reason: str = ""
    pictures: tuple[Picture, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()
    gauge: Gauge | None = None


@dataclass(frozen=True)
class Entry:
    """One thing that was judged, by its id and in words, side by side in its parts."""

    name: str
    text: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Sheet:
    """Entries under a heading that unfolds, or is `opened` at once. `score` stands beside the heading, `share` (0..1)
    of it as a bar."""

    title: str
    score: str
    share: float | None
    entries: tuple[Entry, ...]
    opened: bool = False


@dataclass(frozen=True)
class Page:
    """A benchmark's page in the report. `galleries` come before `tables`, `sheets` after them."""

    title: str
    intro: str
    tables: tuple[Table, ...] = ()
    galleries: tuple[Gallery, ...] = ()
    sheets: tuple[Sheet, ...] = ()
