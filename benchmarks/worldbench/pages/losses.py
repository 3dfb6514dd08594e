"""Why points were lost, by reason, and which measurements lie near their threshold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from benchmarks.worldbench.grade.margins import margins
from benchmarks.worldbench.pages.lines import Line
from benchmarks.worldbench.pages.words import CHANNELS
from benchmarks.worldbench.spec import Spec
from benchmarks.worldbench.totals import shown
from embodied_eval.benchmark import Table

MOST_ROWS = 30
_FIGURE = re.compile(r"\d+(?:\.\d+)?")


def losses_table(lines: Sequence[Line], judge: str) -> Table | None:
    """One row a channel and reason (figures in it left out), the most points first; None where nothing was lost or
    reasons are not told (the public edition)."""
    found: dict[tuple[str, str], list[tuple[str, Fraction]]] = {}
    for line in lines:
        for half in line.score.halves if line.score else ():
            lost = half.of - half.earned
            if lost > 0 and half.reason and not half.error:
                reason = _FIGURE.sub("#", half.reason)
                found.setdefault((half.channel, reason), []).append((half.item, lost))
    if not found:
        return None
    ranked = sorted(found.items(), key=lambda entry: (-sum(lost for _, lost in entry[1]), entry[0]))
    rows = tuple(
        (
            reason,
            CHANNELS[channel],
            len(items),
            shown(sum((lost for _, lost in items), Fraction(0))),
            ", ".join(list(dict.fromkeys(item for item, _ in items))[:5])
            + (" ..." if len(items) > 5 else ""),
        )
        for (channel, reason), items in ranked[:MOST_ROWS]
    )
    left = f" {len(ranked) - MOST_ROWS} rarer reasons are left out." if len(ranked) > MOST_ROWS else ""
    return Table(
        "Reasons",
        ("reason", "channel", "halves", "points", "items"),
        rows,
        f"Judge {judge}, all worlds together; # stands for a figure.{left}",
    )


def margins_table(lines: Sequence[Line], judge: str, spec: Spec) -> Table | None:
    """The measured values that lie near their threshold; None where nothing was measured."""
    found = [
        (line, one) for line in lines if line.score for one in margins(line.score.halves, spec.thresholds)
    ]
    if not found:
        return None
    rows = tuple(
        (
            one.item,
            spec.items[one.item].text,
            line.name,
            f"{one.measured:.4g}",
            f"{one.threshold:.4g}",
            f"{one.ratio:.2f}",
            "above" if one.measured >= one.threshold else "below",
        )
        for line, one in found
        if one.near
    )
    return Table(
        "Measurements near their threshold",
        ("item", "what", "world", "measured", "threshold", "ratio", "lies"),
        rows,
        f"Judge {judge}. {len(rows)} of {len(found)} measured values lie within {spec.thresholds.near:.0%} of their "
        "threshold, on either side: another machine might have decided otherwise. All values stand with their items on "
        "the worlds' own pages. Luma and differences run from 0 to 255, shares and chromaticity from 0 to 1.",
    )
