"""Totals: every world with its five tests, and the models side by side with spreads and ties."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from benchmarks.worldbench.pages.lines import Line, points_cell
from benchmarks.worldbench.published import Published
from benchmarks.worldbench.spec import TESTS, Spec
from benchmarks.worldbench.spread import Judged, Rank, Spread, ranking, spread, tie_below
from benchmarks.worldbench.summary import maximum
from benchmarks.worldbench.totals import MAXIMUM, shown
from embodied_eval.benchmark import Cell, RowGroup, Table


def points_tables(lines: Sequence[Line], judge: str, known: Published, spec: Spec) -> tuple[Table, ...]:
    """Worlds, then models."""
    return (_worlds(lines, judge), _models(lines, judge, known, spec))


def _worlds(lines: Sequence[Line], judge: str) -> Table:
    columns = [f"{name} ({maximum(test.lower())})" for test, name in TESTS.items()]
    rows = []
    for line in lines:
        totals = line.score.totals if line.score else None
        reason = line.state
        cells = [
            points_cell(totals.tests[test] if totals else None, maximum(test.lower()), reason)
            for test in TESTS
        ]
        total = points_cell(totals.total if totals else None, MAXIMUM, reason)
        rows.append((Cell(line.name, note=line.state), total, *cells))
    return Table(
        "Worlds",
        ("world", f"total ({MAXIMUM})", *columns),
        tuple(rows),
        f"Judge {judge}. Points are exact fractions; where two decimals do not hold them the fraction stands below. A "
        "world with an unjudged item has no total.",
    )


def _models(lines: Sequence[Line], judge: str, known: Published, spec: Spec) -> Table:
    by_maker: dict[str, list[Judged]] = {}
    single: dict[str, list[Judged]] = {}
    for line in lines:
        found, judgings = by_maker.setdefault(line.maker, []), single.setdefault(line.maker, [])
        if line.score:
            judgings += line.score.judged(line.sha256, line.run)
            if line.score.totals.total is not None:
                found.append(Judged(line.sha256, line.run, line.score.totals.total))
    spreads = {maker: spread(judged) for maker, judged in single.items()}
    over_judging = spread([one for judged in single.values() for one in judged]).over_judging
    means = {maker: _mean(judged) for maker, judged in by_maker.items() if judged}
    ranks = ranking(means, spec.thresholds, over_judging)
    least = tie_below(over_judging, spec.thresholds)
    rows = [_row(rank, spreads[rank.name], len({j.world for j in by_maker[rank.name]})) for rank in ranks]
    rows += [
        (maker, 0, Cell(None, note="no total"), None, None, None, "")
        for maker, judged in by_maker.items()
        if not judged
    ]
    basis = (
        "twice the spread over judging"
        if over_judging is not None
        else "a few points, as no world was judged twice"
    )
    return Table(
        "Models by total",
        (
            "model",
            "worlds",
            "mean total",
            "spread over worlds",
            "spread over judging",
            "gap to the one above",
            "order",
        ),
        tuple(rows),
        f"Judge {judge}. Spreads are standard deviations in points, kept apart: worlds of one model differ, and so do "
        f"judgings of one world. A gap below {least:.2f} points ({basis}) is a tie.",
        (_published(known, spec),),
    )


def _mean(judged: Sequence[Judged]) -> Fraction:
    """Mean over worlds of the mean over their judgings."""
    by_world: dict[object, list[Fraction]] = {}
    for one in judged:
        by_world.setdefault(one.world, []).append(Fraction(one.total))
    means = [sum(values, Fraction(0)) / len(values) for values in by_world.values()]
    return sum(means, Fraction(0)) / len(means)


def _row(rank: Rank, found: Spread, worlds: int) -> tuple[object, ...]:
    total = Fraction(rank.total)
    return (
        rank.name,
        worlds,
        points_cell(total, MAXIMUM),
        _deviation(found.over_worlds, found.worlds_reason),
        _deviation(found.over_judging, found.judging_reason),
        "" if rank.gap is None else f"{rank.gap:.2f}",
        "" if rank.gap is None else "tie" if rank.tie else "below",
    )


def _deviation(value: float | None, reason: str) -> Cell:
    return Cell("none", note=reason) if value is None else Cell(f"{value:.2f}")


def _published(known: Published, spec: Spec) -> RowGroup:
    ranks = ranking({model.name: model.total for model in known.models}, spec.thresholds)
    leads = {
        name: ", ".join(TESTS[test] for test, best in known.leaders.items() if best == name)
        for name in known.leaders.values()
    }
    rows = tuple(
        (
            Cell(rank.name, note=f"leads {leads[rank.name]}" if rank.name in leads else ""),
            1,
            Cell(shown(Fraction(rank.total)), share=float(rank.total / MAXIMUM)),
            Cell("none", note="1 world only"),
            Cell("none", note="not published"),
            "" if rank.gap is None else f"{rank.gap:.2f}",
            "" if rank.gap is None else "tie" if rank.tie else "below",
        )
        for rank in ranks
    )
    return RowGroup(
        f"Published: {known.citation}",
        rows,
        "Other items, other weights, other judges: not comparable one to one.",
        apart=True,
    )
