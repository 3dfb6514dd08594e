"""Points, agreement and margins over a run's worlds.

A world's score is exact; a metric is the mean over the worlds that count, its interval over worlds only. One world
gives no interval. While a world is unjudged in part there is no value, only the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from benchmarks.worldbench.agreement import Agreement, agreement, pooled
from benchmarks.worldbench.evidence import BIOMES, Half
from benchmarks.worldbench.grade.margins import margins
from benchmarks.worldbench.spec import TESTS, Spec, load_spec
from benchmarks.worldbench.spread import Judged, spread
from benchmarks.worldbench.totals import MAXIMUM, Totals, totals
from benchmarks.worldbench.verdicts import halves_of, judged_totals
from embodied_eval.benchmark import EpisodeResult, Results
from embodied_eval.records import Metric
from embodied_eval.stats import bootstrap_mean

ONE_WORLD = "one world, judged once: no interval"
SHARES = {
    "agree": "channels_agree",
    "both": "found_by_both",
    "code_only": "found_in_code_only",
    "frames_only": "found_in_frames_only",
    "neither": "found_by_neither",
    "code": "code_judge",
    "frames": "frames_judge",
}


@dataclass(frozen=True)
class WorldScore:
    """One judged world: the episode, its halves, what they add up to, and code against frames. `judgings`: the totals
    of its single judgings where its judge was asked more than once."""

    episode: EpisodeResult
    halves: tuple[Half, ...]
    totals: Totals
    agreement: Agreement
    judgings: tuple[Fraction, ...] = ()

    def judged(self, world: Hashable, judging: str) -> list[Judged]:
        """Its totals as those of `world`, by the names of their judgings; empty where there is none."""
        totals = self.judgings or ((self.totals.total,) if self.totals.total is not None else ())
        return [Judged(world, (judging, number), total) for number, total in enumerate(totals, 1)]


def world_scores(results: Results, spec: Spec | None = None) -> tuple[WorldScore, ...]:
    """The worlds that count and have verdicts, in the order of the episodes."""
    spec = spec or load_spec()
    made = []
    for episode in _counted(results.episodes):
        if episode.verdicts:
            halves = halves_of(episode.verdicts)
            several = judged_totals(episode.verdicts)
            made.append(WorldScore(episode, halves, totals(halves, spec), agreement(halves, spec), several))
    return tuple(made)


def metrics_of(results: Results) -> list[Metric]:
    """By condition: `score` and `wc001`..`wc005` in points (the latter also by region), the shares of required
    items by channel in percent with Wilson intervals, the spreads in points, how many values lie near a threshold.
    With one condition its name is left out."""
    spec = load_spec()
    scored = world_scores(results, spec)
    conditions = list(dict.fromkeys(episode.condition.name for episode in results.episodes))
    made: list[Metric] = []
    for condition in conditions:
        episodes = [item for item in results.episodes if item.condition.name == condition]
        mine = [score for score in scored if score.episode.condition.name == condition]
        label = condition if len(conditions) > 1 else ""
        made += _metrics(episodes, mine, spec, label, results.judge)
    return made


def _counted(episodes: Sequence[EpisodeResult]) -> list[EpisodeResult]:
    return [item for item in episodes if item.outcome is not None and item.outcome.counts]


def _metrics(
    episodes: Sequence[EpisodeResult], scores: Sequence[WorldScore], spec: Spec, condition: str, judge: str
) -> list[Metric]:
    points = _Points(episodes, scores, condition, judge)
    made = [points.mean("score", _total)]
    for test in TESTS:
        made.append(points.mean(test.lower(), partial(_of_test, test)))
        if any(test in score.totals.biomes for score in scores):
            made += [points.mean(test.lower(), partial(_of_biome, test, biome), biome) for biome in BIOMES]
    return [
        *made,
        *points.spreads(),
        *_shares(scores, condition, judge),
        _near(scores, spec, condition, judge),
    ]


def _total(points: Totals) -> Fraction | None:
    return points.total


def _of_test(test: str, points: Totals) -> Fraction | None:
    return points.tests[test]


def _of_biome(test: str, biome: str, points: Totals) -> Fraction | None:
    return points.biomes[test][biome]


@dataclass(frozen=True)
class _Points:
    episodes: Sequence[EpisodeResult]
    scores: Sequence[WorldScore]
    condition: str
    judge: str

    def mean(self, name: str, of: Callable[[Totals], Fraction | None], group: str = "") -> Metric:
        """The mean over the worlds, with an interval by resampling them."""
        found = [of(score.totals) for score in self.scores]
        known = [points for points in found if points is not None]
        reason = self._unsupported(len(known))
        value = low = high = None
        if not reason:
            # The sum is exact, so that equal worlds give exactly their score.
            value = float(sum(known, Fraction(0)) / len(known))
            estimate = bootstrap_mean([float(points) for points in known])
            low, high = estimate.low, estimate.high
            reason = self._excluded() or (ONE_WORLD if len(known) == 1 else "")
        return Metric(
            name,
            value,
            len(known),
            low,
            high,
            "points",
            len(self.episodes),
            group,
            self.condition,
            self.judge,
            reason,
        )

    def spreads(self) -> list[Metric]:
        """The standard deviation over worlds, and over repeated judging of a world (`--votes N`): two numbers, never
        one."""
        known = [one for score in self.scores for one in score.judged(score.episode.episode_key, self.judge)]
        found, missing = spread(known), self._unsupported(len({one.world for one in known}))
        over_worlds = None if missing else found.over_worlds
        reason = missing or found.worlds_reason
        return [
            self._spread("spread_worlds", over_worlds, found.worlds, reason),
            self._spread("spread_judging", found.over_judging, found.repeated, found.judging_reason),
        ]

    def _spread(self, name: str, value: float | None, n: int, reason: str) -> Metric:
        size = len(self.episodes)
        return Metric(
            name,
            value,
            n,
            None,
            None,
            "points",
            size,
            "",
            self.condition,
            self.judge,
            reason or "no interval",
        )

    def _unsupported(self, known: int) -> str:
        counted = _counted(self.episodes)
        unfinished = sum(item.outcome is None for item in self.episodes)
        if unfinished:
            return f"{unfinished} of {len(self.episodes)} worlds are not finished"
        if not counted:
            return f"all {len(self.episodes)} worlds are excluded"
        if known < len(counted):
            items = sum(len(score.totals.unjudged) for score in self.scores)
            return f"{len(counted) - known} of {len(counted)} worlds are unjudged ({items} items)"
        return ""

    def _excluded(self) -> str:
        left_out = len(self.episodes) - len(_counted(self.episodes))
        return f"{left_out} of {len(self.episodes)} worlds are excluded" if left_out else ""


def _shares(scores: Sequence[WorldScore], condition: str, judge: str) -> list[Metric]:
    table = pooled(score.agreement for score in scores)
    size = table.items + table.unjudged
    reason = f"{table.unjudged} of {size} items are unjudged" if table.unjudged else ""
    made = []
    for count, name in SHARES.items():
        share = table.share(count)
        value, low, high = (None if x is None else 100 * x for x in (share.value, share.low, share.high))
        told = reason or share.reason
        made.append(Metric(name, value, table.items, low, high, "%", size, "", condition, judge, told))
    return made


def _near(scores: Sequence[WorldScore], spec: Spec, condition: str, judge: str) -> Metric:
    found = [margin for score in scores for margin in margins(score.halves, spec.thresholds)]
    value = float(sum(margin.near for margin in found)) if found else None
    reason = "a count" if found else "nothing was measured"
    return Metric(
        "near_thresholds", value, len(found), None, None, "values", len(found), "", condition, judge, reason
    )


def maximum(name: str) -> int:
    """The most points that the metric `name` (`score`, `wc001` ...) can reach."""
    if name == "score":
        return int(MAXIMUM)
    worth = sum(item.points for item in load_spec().of(test=name.upper()) if not item.forbidden)
    return int(worth)
