"""Why episodes failed: the table of causes, and the cause by which the report's gallery groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from benchmarks.worldaudit.causes import CAUSES
from benchmarks.worldaudit.pages.lines import Line, grouped
from embodied_eval.benchmark import EpisodeResult, Table

SHOWN, NOT_COUNTED, UNTOLD = "found", "no verdict", "cause not stored"


def cause(result: EpisodeResult) -> str:
    """The cause stored with the judging; "" where there is none, or how the episode ended says more."""
    if result.outcome is None or result.outcome.status in {"invalid_reply", "refused"}:
        return ""
    stored = result.verdict("cause")
    return stored.reason if stored is not None else ""


def failure_table(lines: Sequence[Line], judge: str) -> Table | None:
    """One row a run and condition, its episodes by the first link of the chain that broke; None where no
    cause is stored (or shown, as in the public edition)."""
    counts = [(line, Counter(map(_place, line.episodes))) for line in lines]
    used = {name for _, found in counts for name in found}
    if not used & set(CAUSES):
        return None
    names = [SHOWN, *(name for name in CAUSES), *(name for name in (UNTOLD, NOT_COUNTED) if name in used)]
    rows, groups = grouped((line, (line.head, *(found[name] for name in names))) for line, found in counts)
    return Table(
        "Where the chain broke",
        ("model", *names),
        rows,
        f"Judge {judge}. Episodes by the first step that failed: reaching the place, setting the anomaly off, seeing "
        "what it takes to tell, reporting, naming the object, naming what is wrong, citing pictures that show it. "
        "Each row adds up to all its episodes.",
        groups,
    )


def _place(result: EpisodeResult) -> str:
    if result.outcome is None or not result.outcome.counts or not result.judged:
        return NOT_COUNTED
    stored = result.verdict("cause")
    if stored is not None and stored.reason:
        return stored.reason
    identified = result.verdict("identified")
    evidenced = result.verdict("evidenced")
    full = identified is not None and identified.passed and (evidenced is None or evidenced.passed)
    return SHOWN if full else UNTOLD
