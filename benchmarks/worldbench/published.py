"""The paper's own numbers, read and checked against each other once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

from benchmarks.worldbench.agreement import Agreement
from benchmarks.worldbench.spec import FOLDER


@dataclass(frozen=True)
class PublishedModel:
    """One model: its total of 280, and on how many of the 73 items its frames showed the thing (None = not told)."""

    name: str
    total: Fraction
    frames_seen: int | None


@dataclass(frozen=True)
class Published:
    """What the paper prints. `agreement` is over all five worlds; `leaders` gives the best model of each test;
    `disagree_percent_range` the least and most over worlds."""

    citation: str
    models: tuple[PublishedModel, ...]
    agreement: Agreement
    leaders: Mapping[str, str]
    disagree_percent_range: tuple[int, int]
    season_shifts: tuple[float, ...]
    burst_shares: tuple[float, ...]


@cache
def load_published() -> Published:
    """The numbers that ship. Raises DataFileError naming file and place where they do not fit together."""
    return read_published(FOLDER / "published.toml")


def read_published(path: Path) -> Published:
    """The numbers in `path`; raises as `load_published`."""
    from benchmarks.worldbench.published_file import read

    return read(path)
