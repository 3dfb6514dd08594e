"""Whether episodes support a value yet, and estimates in percent: what every metric here goes by."""

from __future__ import annotations

from collections.abc import Sequence

from embodied_eval.benchmark import EpisodeResult
from embodied_eval.stats import Estimate


def counted_of(episodes: Sequence[EpisodeResult]) -> list[EpisodeResult]:
    """Those that ended by the model's own doing."""
    return [item for item in episodes if item.outcome is not None and item.outcome.counts]


def unsupported(episodes: Sequence[EpisodeResult]) -> str:
    """Why no value can be given of `episodes`: some are unjudged or unfinished, or all are excluded; else ""."""
    counted = counted_of(episodes)
    unjudged = sum(not item.judged for item in counted)
    unfinished = sum(item.outcome is None for item in episodes)
    if unjudged:
        return f"{unjudged} of {len(episodes)} episodes are unjudged"
    if unfinished:
        return f"{unfinished} of {len(episodes)} episodes are not finished"
    return "" if counted else f"all {len(episodes)} episodes are excluded"


def excluded_note(episodes: Sequence[EpisodeResult]) -> str:
    """What is told beside a value that does not rest on the whole denominator."""
    excluded = sum(item.outcome is not None and not item.outcome.counts for item in episodes)
    return f"{excluded} of {len(episodes)} episodes are excluded" if excluded else ""


def percent(estimate: Estimate) -> tuple[float | None, float | None, float | None]:
    """Value, low and high of a share, in percent."""
    value, low, high = (
        None if x is None else 100.0 * x for x in (estimate.value, estimate.low, estimate.high)
    )
    return value, low, high
