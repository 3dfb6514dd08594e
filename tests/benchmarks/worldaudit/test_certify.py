"""Certificates: sound tasks get them, and each way of being unsound is told."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.worldaudit import certificate as certificates
from benchmarks.worldaudit.certificate import PLAYED_CHECKS
from benchmarks.worldaudit.plugin import WorldAudit
from embodied_eval.benchmark import Certificate
from embodied_eval.pipeline import Rehearsal
from embodied_eval.records import Task
from tests.benchmarks.worldaudit.kit import SMALL, indoor
from tests.conftest import Command

pytestmark = pytest.mark.gl

CHECKS = {"clean_world", "effects_fit", *PLAYED_CHECKS}


def certified(*tasks: Task) -> list[Certificate]:
    """The certificates of `tasks`."""
    benchmark = WorldAudit()

    async def work() -> list[Certificate]:
        async with Rehearsal(benchmark) as play:
            return [await benchmark.certify(task, play) for task in tasks]

    return asyncio.run(work())


def altered(number: int, **private: Any) -> Task:
    """`indoor/NUMBER` with another private half."""
    task = indoor(number)
    return replace(task, private={**task.private, **private})


def failed(certificate: Certificate) -> set[str]:
    return {name for name, state in certificate.checks.items() if state == "failed"}


def test_verify_certifies_and_says_so_in_json(command: Command) -> None:
    """Three tasks: one by touch, one that comes about later, one that adds a thing to the world."""
    tasks = ("indoor/05", "indoor/11", "indoor/15")
    assert (
        command("verify", "worldaudit", *(a for t in tasks for a in ("--tasks", t)), "--json", store=False)
        == 0
    )
    document = command.json
    assert document["schema"] == "embodied-eval/verify/1"
    assert [row["task_id"] for row in document["tasks"]] == list(tasks)
    for row in document["tasks"]:
        assert row["certified"] and row["reason"] == ""
        # What is there from the start has no time before it.
        late = "passed" if row["task_id"] == "indoor/11" else "skipped"
        assert row["checks"] == dict.fromkeys(CHECKS, "passed") | {"late_fails": late}


def test_unsound_tasks_are_refused_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificates, "CERTIFY_OPTIONS", SMALL)
    nothing_planted = altered(2, effects=[])
    wrong_object = altered(
        2, target={**indoor(2).private["target"], "object": "double_bed_1"}, watch=["double_bed_1"]
    )
    solution = indoor(2).private["solution"]
    elsewhere = altered(2, solution={**solution, "steps": [{"do": "turn", "degrees": 10, "mark": "seen"}]})
    wrong_words = altered(2, solution={**solution, "say": "no_shadow"})
    made = certified(nothing_planted, wrong_object, elsewhere, wrong_words)
    assert not any(certificate.certified for certificate in made)
    one, two, three, four = made
    assert failed(one) == {"oracle_evidenced", "shows"}
    assert "no cited frame shows the object while the anomaly is there" in one.reason
    assert "oracle_evidenced" in failed(two) and "oracle_identified" not in failed(two)
    assert "oracle_evidenced" in failed(three) and "oracle_identified" not in failed(three)
    assert failed(four) >= {"oracle_identified", "oracle_evidenced"}
    assert all(set(certificate.checks) == CHECKS for certificate in made)


def test_a_task_that_cannot_be_played_is_refused_with_the_cause() -> None:
    solution = indoor(2).private["solution"]
    no_way = altered(
        2,
        solution={
            **solution,
            "steps": [{"do": "view", "object": "ceiling_1", "from_m": 60.0, "mark": "seen"}],
        },
    )
    no_object = altered(2, effects=[{**indoor(2).private["effects"][0], "target": "armchair_99"}])
    one, two = certified(no_way, no_object)
    assert not one.certified and "No floor point shows 'ceiling_1'" in one.reason
    assert not two.certified and set(two.checks) == CHECKS
    assert two.checks["effects_fit"] == "failed" and two.checks["shows"] == "skipped"
    assert "there is no object 'armchair_99'" in two.reason


def test_a_task_beyond_the_budget_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificates, "CERTIFY_OPTIONS", {**SMALL, "budget": 2})
    (made,) = certified(indoor(2))
    assert "within_budget" in failed(made)
    assert "within_budget: the oracle is refused: You have spent all your actions." in made.reason


def test_reports_that_must_earn_nothing_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task whose own words are too wide credits a vague report: it gets no certificate."""
    monkeypatch.setattr(certificates, "CERTIFY_OPTIONS", SMALL)
    (made,) = certified(altered(2, match={"phrases": ["odd"]}))
    assert "vague_fails" in failed(made) and "The armchair is odd." in made.reason
    tried = certificates._false_reports(indoor(2))
    assert len(tried["wrong_anomaly_fails"]) == 14 and len(tried["neighbour_fails"]) >= 15


def test_determinism_is_shown_by_playing_twice(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (
        command("verify", "worldaudit", "--determinism", "--tasks", "indoor/03", "--json", store=False) == 0
    )
    assert command.json["tasks"][0]["checks"] == {"deterministic": "passed"}


@pytest.mark.full
def test_all_bundled_tasks_are_certified(command: Command) -> None:
    assert command("verify", "worldaudit", "--json", store=False) == 0
    rows = command.json["tasks"]
    assert len(rows) >= 42 and all(row["certified"] for row in rows), rows
