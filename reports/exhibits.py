"""A benchmark's pages as shown: pictures found, excerpts numbered, gauges drawn, sheets counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from embodied_eval.benchmark import Entry, Excerpt, Gauge, Page, Part, Picture, Sheet, Table

from .data import MARKS, State
from .replay import FrameView
from .tables import percent_of

GAUGE_WIDTH = 120.0
_STATES: tuple[State, ...] = ("pass", "partial", "fail", "errored")

Find = Callable[[Picture], tuple[str, FrameView | None]]
"""The page that a picture leads to ("" = none) and its frame."""


@dataclass(frozen=True)
class PictureView:
    """A picture: its words, where it leads, the frame if the episode has it."""

    caption: str
    href: str
    frame: FrameView | None
    marked: bool


@dataclass(frozen=True)
class LineView:
    """One numbered line of an excerpt."""

    number: int
    text: str
    marked: bool


@dataclass(frozen=True)
class ExcerptView:
    """An excerpt's lines."""

    lines: tuple[LineView, ...]


@dataclass(frozen=True)
class GaugeView:
    """A gauge in coordinates on `GAUGE_WIDTH`; `over` says that the value reaches the threshold."""

    value: float
    threshold: float
    over: bool
    words: str


@dataclass(frozen=True)
class PartView:
    """See `Part`; `mark` is the sign of its state."""

    name: str
    state: State
    mark: str
    score: str
    reason: str
    pictures: tuple[PictureView, ...]
    excerpts: tuple[ExcerptView, ...]
    gauge: GaugeView | None


@dataclass(frozen=True)
class EntryView:
    """See `Entry`."""

    name: str
    text: str
    parts: tuple[PartView, ...]


@dataclass(frozen=True)
class SheetView:
    """See `Sheet`; `tally` counts its parts by state: state, sign, number."""

    title: str
    score: str
    percent: float | None
    tally: tuple[tuple[State, str, int], ...]
    entries: tuple[EntryView, ...]
    opened: bool


@dataclass(frozen=True)
class GalleryView:
    """See `Gallery`."""

    title: str
    text: str
    pictures: tuple[PictureView, ...]
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class PageView:
    """See `Page`."""

    title: str
    intro: str
    tables: tuple[Table, ...]
    galleries: tuple[GalleryView, ...]
    sheets: tuple[SheetView, ...]


def shown_pages(pages: Sequence[Page], find: Find) -> list[PageView]:
    """`pages` with their pictures found."""
    return [_page(page, find) for page in pages]


def _page(page: Page, find: Find) -> PageView:
    galleries = tuple(
        GalleryView(one.title, one.text, _pictures(one.pictures, find), one.facts) for one in page.galleries
    )
    return PageView(
        page.title, page.intro, page.tables, galleries, tuple(_sheet(one, find) for one in page.sheets)
    )


def _pictures(pictures: Sequence[Picture], find: Find) -> tuple[PictureView, ...]:
    made = []
    for picture in pictures:
        href, frame = find(picture)
        made.append(PictureView(picture.caption, href, frame, picture.marked))
    return tuple(made)


def _sheet(sheet: Sheet, find: Find) -> SheetView:
    counted: Counter[str] = Counter(part.state for entry in sheet.entries for part in entry.parts)
    return SheetView(
        sheet.title,
        sheet.score,
        None if sheet.share is None else percent_of(sheet.share),
        tuple((state, MARKS[state][0], counted[state]) for state in _STATES if counted[state]),
        tuple(_entry(entry, find) for entry in sheet.entries),
        sheet.opened,
    )


def _entry(entry: Entry, find: Find) -> EntryView:
    return EntryView(entry.name, entry.text, tuple(_part(part, find) for part in entry.parts))


def _part(part: Part, find: Find) -> PartView:
    return PartView(
        part.name,
        part.state,
        MARKS[part.state][0],
        part.score,
        part.reason,
        _pictures(part.pictures, find),
        tuple(map(_excerpt, part.excerpts)),
        _gauge(part.gauge) if part.gauge else None,
    )


def _excerpt(excerpt: Excerpt) -> ExcerptView:
    numbered = enumerate(excerpt.lines, excerpt.first_line)
    return ExcerptView(
        tuple(
            LineView(number, text, any(first <= number <= last for first, last in excerpt.marked))
            for number, text in numbered
        )
    )


def _gauge(gauge: Gauge) -> GaugeView:
    # The threshold stands at a third, so that three times as much fills the axis.
    scale = GAUGE_WIDTH / (3 * gauge.threshold) if gauge.threshold > 0 else 0.0
    value = min(GAUGE_WIDTH, max(0.0, gauge.value * scale))
    at = min(GAUGE_WIDTH, gauge.threshold * scale)
    return GaugeView(round(value, 1), round(at, 1), gauge.value >= gauge.threshold, gauge.words)
