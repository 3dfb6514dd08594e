"""A benchmark's table as laid out: texts, bars on a common axis a column, which columns hold plain numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from embodied_eval.benchmark import Cell, RowGroup, Table
from embodied_eval.records import Json

from .figures import Bar, bar_of, interval_text, metric_text, number, scale_of

Row = Sequence[Json | Cell]


@dataclass(frozen=True)
class Measured:
    """A number of a table with its interval and unit."""

    value: float
    low: float | None
    high: float | None
    unit: str


@dataclass(frozen=True)
class CellView:
    """One cell: its text, the bar and the words of its interval, its note, which may stand `beside` a number, and
    how much (percent) of a filled bar it takes."""

    text: str
    bar: Bar | None = None
    interval: str = ""
    note: str = ""
    beside: bool = False
    percent: float | None = None


@dataclass(frozen=True)
class GroupView:
    """Rows under a heading (none where `title` is ""), set off where they are `apart`."""

    title: str
    note: str
    apart: bool
    rows: tuple[tuple[CellView, ...], ...]


@dataclass(frozen=True)
class TableView:
    """A table to be written: `numeric` says of each column whether it is set flush right."""

    title: str
    caption: str
    columns: tuple[str, ...]
    numeric: tuple[bool, ...]
    groups: tuple[GroupView, ...]


def laid_out(table: Table) -> TableView:
    """`table` with its texts made and its intervals placed."""
    groups = (RowGroup("", table.rows), *table.groups) if table.rows else table.groups
    rows = [row for group in groups for row in group.rows]
    width = max([len(table.columns), *map(len, rows)])
    columns = [[row[at] for row in rows if at < len(row)] for at in range(width)]
    scales = [scale_of(_drawn(column)) for column in columns]
    return TableView(
        table.title,
        table.caption,
        table.columns,
        tuple(map(_numeric, columns)),
        tuple(
            GroupView(
                group.title,
                group.note,
                group.apart,
                tuple(tuple(map(_view, row, scales[: len(row)])) for row in group.rows),
            )
            for group in groups
        ),
    )


def _view(cell: Json | Cell, scale: tuple[float, float]) -> CellView:
    if not isinstance(cell, Cell):
        return CellView(number(cell))
    measured = _measured(cell)
    percent = None if cell.share is None else percent_of(cell.share)
    if measured is None:
        return CellView(number(cell.value), note=cell.note, percent=percent)
    plain = not cell.unit and abs(measured.value) < 10_000
    text = number(cell.value) if plain else metric_text(measured.value, measured.unit)
    interval = interval_text(measured)
    if plain and measured.low is not None and measured.high is not None:
        interval = f"{number(measured.low)} to {number(measured.high)}"
    bar = bar_of(measured, scale) if _has_interval(cell) else None
    return CellView(text, bar, interval, cell.note, percent is None, percent)


def percent_of(share: float) -> float:
    """A share (0..1) as the length of a bar in percent."""
    return round(100 * min(1.0, max(0.0, share)), 1)


def _measured(cell: Json | Cell) -> Measured | None:
    if not isinstance(cell, Cell) or isinstance(cell.value, (str, bool)) or cell.value is None:
        return None
    return Measured(float(cell.value), cell.low, cell.high, cell.unit)


def _has_interval(cell: Json | Cell) -> bool:
    return isinstance(cell, Cell) and cell.low is not None and cell.high is not None


def _drawn(column: Row) -> list[Measured]:
    """What shares the column's axis: its numbers that have an interval."""
    found = (_measured(cell) for cell in column if _has_interval(cell))
    return [measured for measured in found if measured is not None]


def _numeric(column: Row) -> bool:
    """Whether a column holds plain numbers: no intervals, and no shares, which line up with those that have one."""
    values = [cell.value if isinstance(cell, Cell) else cell for cell in column]
    known = [value for value in values if value is not None]
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in known)
    shares = any(isinstance(cell, Cell) and cell.unit in {"%", "pp"} for cell in column)
    return bool(known) and numbers and not shares and not any(map(_has_interval, column))
