"""The two verdicts: which findings and frames are read, what they say, and what is an error."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from benchmarks.worldaudit.truth import MOST_FINDINGS, MOST_FRAMES, truth
from embodied_eval.errors import JudgeError
from embodied_eval.records import Outcome
from tests.benchmarks.worldaudit.trajectories import HIDDEN, SHOWN, finding, trajectory, trigger

GOOD = "The vase is floating in the air."
WRONG = "The sofa is floating in the air."
PIXELS = {"a3": (SHOWN, SHOWN), "a4": (HIDDEN, HIDDEN)}
ALWAYS = (trigger(0.0, True),)


def passed(findings: list[dict[str, Any]], code: str = "G1") -> tuple[bool | None, bool | None]:
    identified, evidenced = truth(trajectory(code, findings, pixels=PIXELS, events=ALWAYS))
    assert (identified.item, evidenced.item) == ("identified", "evidenced")
    return identified.passed, evidenced.passed


def test_a_right_finding_with_a_frame_that_shows_it_passes_both() -> None:
    identified, evidenced = truth(trajectory("G1", [finding(GOOD, ["a3"])], pixels=PIXELS, events=ALWAYS))
    assert (identified.score, identified.max, evidenced.score) == (1.0, 1.0, 1.0)
    assert evidenced.evidence == ("a3",)
    assert "0.05%" in evidenced.reason


def test_evidence_counts_only_for_the_finding_that_identifies() -> None:
    assert passed([finding(GOOD, ["a4"])]) == (True, False)
    assert passed([finding(WRONG, ["a3"])]) == (False, False)
    assert passed([finding(GOOD, ["a4"]), finding(WRONG, ["a3"])]) == (True, False)
    assert passed([finding(GOOD, ["a4"]), finding(GOOD, ["a3"])]) == (True, True)


def test_wrong_findings_cost_nothing_but_only_the_first_five_are_read() -> None:
    wrong = [finding(WRONG, []) for _ in range(MOST_FINDINGS)]
    assert passed([*wrong[:-1], finding(GOOD, ["a3"])]) == (True, True)
    assert passed([*wrong, finding(GOOD, ["a3"])]) == (False, False)


def test_retracted_findings_do_not_count_and_take_no_place() -> None:
    retracted = [finding(GOOD, ["a3"], status="retracted") for _ in range(MOST_FINDINGS)]
    assert passed(retracted) == (False, False)
    assert passed([*retracted, finding(GOOD, ["a3"], status="suspect")]) == (True, True)


def test_only_the_first_five_cited_frames_are_read() -> None:
    others = ["a4", "a5", "a6", "a7", "a8"]
    assert len(others) == MOST_FRAMES
    assert passed([finding(GOOD, [*others, "a3"])]) == (True, False)


def test_no_finding_is_a_plain_failure() -> None:
    identified, evidenced = truth(trajectory("G1", []))
    assert (identified.passed, identified.score, identified.error) == (False, 0.0, "")
    assert identified.reason == "no finding stands"
    assert evidenced.passed is False


@pytest.mark.parametrize("findings", ["text", [{"id": "b1"}], [17]])
def test_a_malformed_answer_is_an_error_and_never_a_zero(findings: Any) -> None:
    made = trajectory("G1", [])
    with pytest.raises(JudgeError):
        truth(replace(made, outcome=Outcome("completed", {"findings": findings})))


def test_a_task_without_its_truth_is_an_error() -> None:
    made = trajectory("G1", [finding(GOOD, ["a3"])])
    with pytest.raises(JudgeError, match="t/1"):
        truth(replace(made, task=made.task.without_truth()))


def test_the_tasks_own_phrases_and_conditions_count() -> None:
    made = trajectory("G1", [finding("The vase plays the part of a balloon.", ["a3"])], pixels=PIXELS)
    assert truth(made)[0].passed is False
    private = {**made.task.private, "match": {"phrases": ["part of balloon"]}}
    assert truth(replace(made, task=replace(made.task, private=private)))[0].passed is True
    private["match"] = {"phrases": ["part of balloon"], "require": [["red", "blue"]]}
    assert truth(replace(made, task=replace(made.task, private=private)))[0].passed is False


def test_the_bundled_world_lends_its_names() -> None:
    """A finding that names another object of the task's world counts for none; the object's own synonyms do."""
    target = {"object": "kettle_1", "label": "kettle", "synonyms": [], "region": "kitchen_dining"}
    for text, right in (
        ("The water boiler is floating.", True),
        ("The kettle and the range hood are floating.", False),
        ("The frying pan is floating.", False),
    ):
        made = trajectory("G1", [finding(text, ["a3"])], target=target)
        made = replace(made, task=replace(made.task, world="indoor"))
        assert truth(made)[0].passed is right, text
