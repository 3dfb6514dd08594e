"""The paradigm tables: what an episode costs under each arm and condition, and the two arms pair by pair."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from benchmarks.worldaudit.pages.lines import VLA_VLM, VLM, Line, Row, grouped
from benchmarks.worldaudit.pages.pairing import base_of, difference, pairs_of, ratio
from benchmarks.worldaudit.pages.published import Published
from benchmarks.worldaudit.support import counted_of
from embodied_eval.benchmark import Cell, EpisodeResult, Table
from embodied_eval.stats import bootstrap_mean


def tokens_of(episode: EpisodeResult) -> float | None:
    """Tokens in both directions; None where they are unknown."""
    if episode.tokens_in is None or episode.tokens_out is None:
        return None
    return float(episode.tokens_in + episode.tokens_out)


def actions_of(episode: EpisodeResult) -> float | None:
    """Environment actions, as the answer tells them; None where it does not."""
    number = episode.outcome.answer.get("actions") if episode.outcome else None
    return float(number) if isinstance(number, int) else None


def tool_calls_of(episode: EpisodeResult) -> float:
    """Tool calls: the steps, unless the answer tells that some of those were a recording's."""
    number = episode.outcome.answer.get("tool_calls") if episode.outcome else None
    return float(number if isinstance(number, int) else episode.steps)


QUANTITIES: Mapping[str, tuple[Callable[[EpisodeResult], float | None], str]] = {
    "actions": (actions_of, ""),
    "tool calls": (tool_calls_of, ""),
    "model calls": (lambda episode: float(episode.calls), ""),
    "tokens": (tokens_of, ""),
    "cost": (lambda episode: episode.cost_usd, "$"),
    "wall time": (lambda episode: episode.wall_s, "s"),
    "simulated time": (lambda episode: episode.sim_s, "s"),
}
"""What an episode uses: how to read it, and its unit."""


def usage_table(lines: Sequence[Line], judge: str) -> Table:
    """Success and means an episode, one row a run and condition."""
    shown = {name: kind for name, kind in QUANTITIES.items() if name != "actions" or _any_actions(lines)}
    rows, groups = grouped(
        (line, (line.head, line.cell("success_rate"), *(_mean(line, *kind) for kind in shown.values())))
        for line in lines
    )
    return Table(
        "Success and what an episode takes",
        ("model", "success", *shown),
        rows,
        f"Judge {judge}. Means over the episodes that ended by the model's own doing, with a 95 % bootstrap interval "
        "over whole scenes. A tool call may be free; an action is one of the budget. Wall time is of this machine and "
        "at this concurrency.",
        groups,
    )


def arms_table(lines: Sequence[Line], judge: str, known: Published) -> Table | None:
    """`vla-vlm` against `vlm` over the same tasks, one row a model that has both; None if none has."""
    rows: list[tuple[Line, Row]] = []
    for line in lines:
        base = base_of(line, lines, VLM) if line.name == VLA_VLM else None
        if base is None:
            continue
        found = pairs_of(base, line)
        points, _ = difference(found)
        ratios = (ratio(found, read) for name, (read, _) in QUANTITIES.items() if name != "actions")
        rows.append((line, (line.model, points, *ratios, len(found.pairs))))
    if not rows:
        return None
    ranked, groups = grouped(rows)
    low, high = known.speed_up
    return Table(
        "vla-vlm against vlm, paired by task",
        ("model", "difference in success", *(name for name in QUANTITIES if name != "actions"), "pairs"),
        ranked,
        f"Judge {judge}. Success in percentage points; the rest as a ratio, vla-vlm over vlm, of the sums over the "
        f"paired episodes. Intervals: 95 % bootstrap over whole scenes. Published ({known.citation}, another harness): "
        f"vla-vlm is {low} to {high} times faster, and finds less.",
        groups,
    )


def _mean(line: Line, read: Callable[[EpisodeResult], float | None], unit: str) -> Cell:
    counted = counted_of(line.episodes)
    values = [read(episode) for episode in counted]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return Cell(None, note=f"unknown in {len(values) - len(known)} of {len(values)}")
    if known and min(known) == max(known):
        return Cell(known[0], unit=unit, note="each")
    estimate = bootstrap_mean(known, [episode.task.scene for episode in counted])
    return Cell(estimate.value, estimate.low, estimate.high, unit, estimate.reason)


def _any_actions(lines: Sequence[Line]) -> bool:
    return any(actions_of(episode) is not None for line in lines for episode in line.episodes)
