"""Metrics over worlds, spreads that stay apart, and ties."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from benchmarks.worldbench.evidence import CodeClaim, Evidence
from benchmarks.worldbench.grade import grade
from benchmarks.worldbench.published import load_published
from benchmarks.worldbench.spec import load_spec
from benchmarks.worldbench.spread import Judged, ranking, spread, tie_below
from benchmarks.worldbench.summary import maximum, metrics_of, world_scores
from benchmarks.worldbench.verdicts import verdicts_of
from embodied_eval.benchmark import EpisodeResult, Results
from embodied_eval.records import Condition, Metric, Outcome, Task
from tests.benchmarks.worldbench.perfect import perfect_evidence, without

SPEC = load_spec()
PERFECT = perfect_evidence(SPEC)


def world(number: int, evidence: Evidence | None, *, status: str = "completed") -> EpisodeResult:
    verdicts = verdicts_of(grade(evidence, SPEC), SPEC) if evidence else ()
    return EpisodeResult(
        episode_key=f"e{number}",
        task=Task("island", {}),
        condition=Condition("default", {}),
        model="m",
        repeat=number,
        privileged=False,
        outcome=Outcome(status),  # type: ignore[arg-type]
        verdicts=verdicts,
    )


def metrics(*worlds: EpisodeResult) -> dict[tuple[str, str], Metric]:
    made = metrics_of(Results("worldbench", "r", "m", "truth", worlds))
    return {(metric.name, metric.group): metric for metric in made}


def test_one_world_has_a_score_and_no_interval() -> None:
    made = metrics(world(0, PERFECT))
    score = made["score", ""]
    assert (score.value, score.low, score.high, score.n, score.unit) == (280.0, None, None, 1, "points")
    assert score.reason == "one world, judged once: no interval"
    assert made["spread_worlds", ""].value is None and made["spread_worlds", ""].reason == "1 world only"
    assert made["spread_judging", ""].value is None and made["spread_judging", ""].reason == "judged once"
    assert [made[f"wc00{i}", ""].value for i in range(1, 6)] == [40, 20, 100, 100, 20]
    assert made["wc003", "swamp"].value == 10 and made["wc002", "swamp"].value == 2


def test_several_worlds_have_an_interval_over_worlds_only() -> None:
    worlds = [world(i, e) for i, e in enumerate((PERFECT, without(PERFECT, "C.mountains.1"), Evidence(True)))]
    made = metrics(*worlds)
    score = made["score", ""]
    assert score.value == pytest.approx((280 + 280 - 10 / 6) / 3) and score.n == 3
    assert score.low == 0 and score.high == 280 and not score.reason
    over = made["spread_worlds", ""]
    assert over.value is not None and over.value > 100 and made["spread_judging", ""].value is None


def test_equal_worlds_have_exactly_their_score() -> None:
    score = metrics(*(world(i, without(PERFECT, "C.delta.1")) for i in range(3)))["score", ""]
    assert score.value == score.low == score.high == float(280 - Fraction(10, 11))


def test_an_unjudged_item_leaves_no_score_but_the_other_tests() -> None:
    broken = replace(PERFECT, code={**PERFECT.code, "P.swamp.1": CodeClaim("P.swamp.1", error="down")})
    made = metrics(world(0, PERFECT), world(1, broken))
    score = made["score", ""]
    assert score.value is None and score.reason == "1 of 2 worlds are unjudged (1 items)"
    assert made["wc004", ""].value is None and made["wc003", ""].value == 100
    assert made["wc004", "swamp"].value is None and made["wc004", "delta"].value == 10


def test_a_world_without_verdicts_is_unjudged() -> None:
    made = metrics(world(0, PERFECT), world(1, None))
    assert made["score", ""].value is None
    assert made["score", ""].reason == "1 of 2 worlds are unjudged (0 items)"


def test_a_failure_that_is_not_the_models_is_left_out_and_told() -> None:
    made = metrics(world(0, PERFECT), world(1, None, status="simulator_error"))
    score = made["score", ""]
    assert (score.value, score.n, score.denominator) == (280.0, 1, 2)
    assert score.reason == "1 of 2 worlds are excluded"
    assert (
        metrics(world(0, None, status="simulator_error"))["score", ""].reason == "all 1 worlds are excluded"
    )


def test_shares_of_the_channels() -> None:
    evidence = replace(
        PERFECT, frames={k: f for k, f in PERFECT.frames.items() if not k.startswith("C.delta.")}
    )
    made = metrics(world(0, evidence), world(1, PERFECT))
    only = made["found_in_code_only", ""]
    assert only.value == pytest.approx(100 * 11 / 146) and (only.n, only.denominator) == (146, 146)
    assert only.low is not None and only.high is not None and only.low < only.value < only.high  # type: ignore[operator]
    assert made["found_by_both", ""].value == pytest.approx(100 * 135 / 146)
    assert made["found_in_frames_only", ""].value == made["found_by_neither", ""].value == 0
    assert made["code_judge", ""].value == 100 and made["channels_agree", ""].value == pytest.approx(
        100 * 135 / 146
    )


def test_values_near_a_threshold_are_counted() -> None:
    near = replace(PERFECT, clock=replace(PERFECT.clock, season_shift=(0.0, 0.016, 0.0, 0.0)))
    assert metrics(world(0, PERFECT))["near_thresholds", ""].value == 0
    assert metrics(world(0, near))["near_thresholds", ""].value == 1
    empty = metrics(world(0, Evidence(True)))["near_thresholds", ""]
    assert (empty.value, empty.reason) == (None, "nothing was measured")


def test_conditions_are_never_mixed() -> None:
    other = replace(world(1, Evidence(True)), condition=Condition("strict", {}))
    made = metrics_of(Results("worldbench", "r", "m", "truth", (world(0, PERFECT), other)))
    scores = {metric.condition: metric.value for metric in made if metric.name == "score"}
    assert scores == {"default": 280.0, "strict": 0.0}


def test_a_worlds_own_score_is_exact() -> None:
    (score,) = world_scores(
        Results("worldbench", "r", "m", "truth", (world(0, without(PERFECT, "C.delta.1")),))
    )
    assert score.totals.total == 280 - Fraction(10, 11)
    assert (score.agreement.both, score.agreement.neither) == (72, 1)


def test_maxima() -> None:
    assert [maximum(name) for name in ("score", "wc001", "wc005")] == [280, 40, 20]


def test_the_two_spreads_stay_apart() -> None:
    judged = [Judged("a", i, total) for i, total in enumerate((200.0, 204.0))]
    judged += [Judged("b", i, total) for i, total in enumerate((150.0, 150.0, 153.0))] + [
        Judged("c", 0, 100.0)
    ]
    found = spread(judged)
    assert found.over_judging == pytest.approx(((8 + 6) / 3) ** 0.5)
    assert found.over_worlds == pytest.approx(51.0, abs=0.1) and (found.worlds, found.repeated) == (3, 2)
    one = spread([Judged("a", 0, 200.0)])
    assert (one.over_worlds, one.over_judging) == (None, None)
    assert (one.worlds_reason, one.judging_reason) == ("1 world only", "judged once")


def test_the_papers_neighbours() -> None:
    published = load_published()
    ranks = ranking({model.name: model.total for model in reversed(published.models)}, SPEC.thresholds)
    assert [rank.name for rank in ranks] == [model.name for model in published.models]
    assert [rank.gap for rank in ranks[1:]] == [11.06, 8.37, 3.58, 38.78]
    assert [rank.name for rank in ranks if rank.tie] == ["grok-4-7"]
    assert ranks[0].tie_below == 5.0


def test_ties_go_by_twice_the_judges_spread_where_it_is_known() -> None:
    assert tie_below(None, SPEC.thresholds) == 5.0 and tie_below(4.2, SPEC.thresholds) == 8.4
    totals = {"a": 200.0, "b": 191.7, "c": 183.0, "d": 183.0}
    assert [rank.tie for rank in ranking(totals, SPEC.thresholds, 4.2)] == [False, True, False, True]
    assert [rank.tie for rank in ranking(totals, SPEC.thresholds, 0.0)] == [False, False, False, True]
