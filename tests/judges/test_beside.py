"""Verdicts with a max of 0 (votes, measures) stand beside the result and are no part of it."""

from __future__ import annotations

from embodied_eval.benchmark import EpisodeResult
from embodied_eval.cli.live import result_text
from embodied_eval.records import Condition, Outcome, Task, Verdict
from embodied_eval.store import Receipt
from reports.data import state_of, words_of
from reports.summary import cause_of

BESIDE = (
    Verdict("found#1", 0.0, 0.0, True, "yes"),
    Verdict("found#2", 0.0, 0.0, False, "no"),
    Verdict("seen", 0.0, 0.0, True, "in a3"),
)


def result(*verdicts: Verdict) -> EpisodeResult:
    return EpisodeResult(
        "k", Task("t/1", {}), Condition("c"), "m", 0, False, Outcome("completed"), (*verdicts, *BESIDE)
    )


def test_the_state_follows_from_what_can_score() -> None:
    passed, failed = Verdict("found", 1.0, 1.0, True), Verdict("found", 0.0, 1.0, False, "not there")
    assert state_of(result(passed)) == "pass" and state_of(result(failed)) == "fail"
    half = result(passed, Verdict("shown", 0.0, 1.0, False))
    assert state_of(half) == "partial" and words_of(half) == "found, not shown"
    assert cause_of(result(failed)) == "found: not there"
    assert state_of(result(Verdict("found", None, 1.0, None, error="JudgeError: late"))) == "errored"


def test_the_line_of_progress_names_what_can_score() -> None:
    receipt = Receipt(
        episode_key="k",
        attempt=0,
        status="completed",
        reason="",
        answer={},
        error_kind="",
        error="",
        steps=0,
        calls=0,
        tokens_in=0,
        tokens_out=0,
        cost_usd=0.0,
        wall_s=0.0,
        sim_s=0.0,
        finished_at="",
        privileged=False,
    )
    assert result_text(receipt, result(Verdict("found", 1.0, 1.0, True)).verdicts) == "found yes"
    many = [Verdict(f"item{number}", 0.5, 1.0, False) for number in range(5)]
    assert result_text(receipt, [*many, Verdict("penalty", -1.0, 0.0, False)]) == "1.5 of 5 points"
    down = Verdict("item5", None, 1.0, None, error="JudgeError: down")
    assert result_text(receipt, [*many, down]) == "1 of 6 verdicts failed (JudgeError: down)"
