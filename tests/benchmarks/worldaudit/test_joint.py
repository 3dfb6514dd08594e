"""Several anomalies: the matching, the ground-truth verdicts, what the metrics make of them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from benchmarks.worldaudit.joint import (
    NO_REPORTS,
    best_matching,
    for_target,
    joint_metrics,
    joint_truth,
    targets_of,
)
from benchmarks.worldaudit.plugin import WorldAudit
from embodied_eval.benchmark import EpisodeResult, Results, Trajectory
from embodied_eval.errors import JudgeError
from embodied_eval.records import Condition, Metric, Outcome, Task, Verdict
from tests.benchmarks.worldaudit.trajectories import SHOWN, finding, trajectory, trigger

VASE = {"object": "vase_1", "label": "vase", "synonyms": ["flower vase"], "region": ""}
LAMP = {"object": "lamp_1", "label": "lamp", "synonyms": [], "region": ""}
SOFA = {"object": "sofa_1", "label": "sofa", "synonyms": ["couch"], "region": ""}
FLOATS = "The vase is floating in the air."
HUGE = "The lamp is far too large, three times its proper size."
THROUGH = "I walked right through the sofa, it has no collision."


def row(label: str, code: str, target: Mapping[str, Any], change: str) -> dict[str, Any]:
    """One labelled target."""
    return {
        "label": label,
        "subcategory": code,
        "watch": [target["object"]],
        "target": target,
        "rubric": {"anomaly": f"the {target['label']}", "expected": "not so", "conditions": "says so"},
        "effects": [{"change": {"kind": change}, "target": target["object"]}],
    }


ROWS = [
    row("A", "G1", VASE, "offset"),
    row("B", "G3", LAMP, "scale"),
    row("C", "C1", SOFA, "collision"),
]


def several(findings: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]] = ROWS) -> Trajectory:
    """A trajectory with `rows` planted, all effects active from the start."""
    events = [replace(trigger(0.0, True), data={"effect": n, "active": True}) for n in range(len(rows))]
    made = trajectory("G1", findings, pixels={"a3": (SHOWN, SHOWN)}, events=events)
    private = {"targets": list(rows), "effects": [effect for one in rows for effect in one["effects"]]}
    return replace(made, task=replace(made.task, private=private))


def passed(findings: Sequence[Mapping[str, Any]]) -> dict[str, bool | None]:
    return {verdict.item: verdict.passed for verdict in joint_truth(several(findings))}


def test_a_task_with_one_anomaly_is_judged_as_ever() -> None:
    made = trajectory(
        "G1", [finding(FLOATS, ["a3"])], pixels={"a3": (SHOWN, SHOWN)}, events=[trigger(0, True)]
    )
    assert [target.label for target in targets_of(made.task)] == ["A"]
    assert {verdict.item: verdict.passed for verdict in joint_truth(made)} == {
        "identified": True,
        "evidenced": True,
    }


def test_each_target_has_a_verdict_and_the_anchor_its_evidence() -> None:
    assert passed([finding(HUGE, []), finding(FLOATS, ["a3"])]) == {
        "identified": True,
        "evidenced": True,
        "identified:A": True,
        "identified:B": True,
        "identified:C": False,
    }
    assert passed([finding(THROUGH, [])]) == {
        "identified": False,
        "evidenced": False,
        "identified:A": False,
        "identified:B": False,
        "identified:C": True,
    }


def test_a_matched_target_names_its_finding() -> None:
    verdicts = {verdict.item: verdict for verdict in joint_truth(several([finding(HUGE, ["a1"], action=4)]))}
    assert verdicts["identified:B"].reason.startswith("b4 ")
    assert verdicts["identified:B"].evidence == ("a1",)
    assert verdicts["identified:C"].reason == "no finding is left that names it"


def test_one_finding_about_two_targets_counts_for_none() -> None:
    both = "The vase is floating and the lamp is far too large."
    assert passed([finding(both, ["a3"])])["identified:A"] is False


def test_two_reports_of_one_target_match_it_once() -> None:
    made = passed([finding(FLOATS, []), finding(FLOATS, [])])
    assert [made[f"identified:{label}"] for label in "ABC"] == [True, False, False]


def test_only_the_targets_own_triggers_make_its_anomaly_active() -> None:
    made = several([finding(FLOATS, ["a3"])])
    late = [replace(event, t_s=8.0) if event.data["effect"] == 0 else event for event in made.events]
    verdicts = {verdict.item: verdict.passed for verdict in joint_truth(replace(made, events=tuple(late)))}
    assert verdicts["identified"] is True and verdicts["evidenced"] is False
    assert [len(for_target(made, target).events) for target in targets_of(made.task)] == [1, 1, 1]


@pytest.mark.parametrize("labels", [["A", "A"], ["A", ""], ["A", 3], [None, "B"]])
def test_targets_without_labels_of_their_own_are_an_error(labels: list[Any]) -> None:
    rows = [{**one, "label": label} for one, label in zip(ROWS, labels, strict=False)]
    with pytest.raises(JudgeError, match="labels"):
        joint_truth(several([], rows))


def test_the_matching_is_a_largest_one_and_keeps_earlier_labels() -> None:
    assert best_matching({"A": [0], "B": [0]}) == {"A": 0}
    assert best_matching({"A": [0, 1], "B": [0]}) == {"A": 1, "B": 0}
    assert best_matching({"A": [], "B": [2]}) == {"B": 2}
    assert best_matching({"A": [0, 1], "B": [0, 2], "C": [0]}) == {"A": 1, "B": 2, "C": 0}
    rng = random.Random(7)
    for _ in range(200):
        options = {label: [n for n in range(4) if rng.random() < 0.4] for label in "ABCD"}
        found = best_matching(options)
        assert len(set(found.values())) == len(found)
        assert all(number in options[label] for label, number in found.items())
        most = max(
            sum(number in options[label] for label, number in zip("ABCD", order, strict=True))
            for order in permutations(range(4))
        )
        assert len(found) == most


def episode(
    number: int, hits: Sequence[bool] | None, reports: int, status: str = "completed"
) -> EpisodeResult:
    """A judged episode with three targets, `hits` of which are matched."""
    findings = [finding(f"report {n}", []) for n in range(reports)]
    verdicts = [Verdict("identified", float(hits[0]), 1.0, hits[0])] if hits else []
    verdicts += [
        Verdict(f"identified:{label}", float(hit), 1.0, hit)
        for label, hit in zip("ABC", hits or (), strict=False)
    ]
    return EpisodeResult(
        f"{number:032x}",
        Task(f"t/{number}", {}, {"targets": ROWS}, scene=f"s{number % 2}", tags=("G1", "Static physics")),
        Condition("multi-abc"),
        "openai/m",
        0,
        False,
        Outcome(status, {"findings": findings}),  # type: ignore[arg-type]
        tuple(verdicts),
    )


def metrics(*episodes: EpisodeResult) -> dict[str, Metric]:
    return {metric.name: metric for metric in joint_metrics(episodes, "truth")}


def test_success_recall_and_precision() -> None:
    made = metrics(
        episode(0, (True, True, True), 3), episode(1, (True, False, False), 4), episode(2, (False,) * 3, 1)
    )
    success = made["all_target_success"]
    assert (round(success.value or 0, 1), success.n, success.denominator) == (33.3, 3, 3)
    recall, precision = made["target_recall"], made["report_precision_known"]
    assert (round(recall.value or 0, 1), recall.denominator) == (44.4, 9)
    assert (precision.value, precision.denominator) == (50.0, 8)
    assert precision.low is not None and precision.low <= 50.0 <= (precision.high or 0)


def test_precision_without_reports_is_undefined_and_not_perfect() -> None:
    made = metrics(episode(0, (False,) * 3, 0), episode(1, (False,) * 3, 0))
    precision = made["report_precision_known"]
    assert (precision.value, precision.low, precision.n, precision.reason) == (None, None, 0, NO_REPORTS)
    assert made["target_recall"].value == 0.0


def test_retracted_reports_are_none() -> None:
    one = episode(0, (True, False, False), 1)
    assert one.outcome is not None
    findings = [*one.outcome.answer["findings"], finding("x", [], status="retracted")]
    one = replace(one, outcome=replace(one.outcome, answer={"findings": findings}))
    assert metrics(one)["report_precision_known"].value == 100.0


def test_excluded_episodes_count_for_nothing_and_unjudged_ones_forbid_a_value() -> None:
    made = metrics(episode(0, (True,) * 3, 3), episode(1, None, 0, status="simulator_error"))
    assert (made["all_target_success"].value, made["target_recall"].value) == (100.0, 100.0)
    open_one = metrics(episode(0, (True,) * 3, 3), episode(1, None, 2))
    assert {metric.value for metric in open_one.values()} == {None}
    assert open_one["target_recall"].reason == "1 of 2 episodes are unjudged"


def test_they_stand_beside_the_success_rate_and_only_where_there_are_several() -> None:
    results = Results("worldaudit", "r", "openai/m", "truth", (episode(0, (True, False, True), 2),))
    named = {metric.name: metric for metric in WorldAudit().summarize(results) if not metric.group}
    assert named["success_rate"].value == 100.0 and named["all_target_success"].value == 0.0
    single = replace(results.episodes[0], task=Task("t/9", {}, {"target": {}}, tags=("G1",)))
    assert joint_metrics([single], "truth") == []
