"""Votes: the majority of all askings, every vote kept, failures that are no votes."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence

import pytest

from embodied_eval.benchmark import RubricItem, Trajectory
from embodied_eval.errors import BudgetReached, EmbodiedEvalError, ModelAuthError, ModelBadRequest
from embodied_eval.judges.base import Judge, run_judge
from embodied_eval.judges.rubric import SCHEMA, RubricJudge
from embodied_eval.judges.votes import VotesJudge, majority
from embodied_eval.models.types import Reply, user
from embodied_eval.records import Verdict
from tests.judges.kit import Asks, gateway, judged, says, spoken, trajectory
from tests.models.tools import Answers

ITEM = RubricItem("found", "The vase floats.", "The vase hangs in the air.", ("a0",), max=2.0)
DOWN = ModelBadRequest("no such model", model="openai/j")


def votes(*answers: Reply | Exception, items: tuple[RubricItem, ...] = (ITEM,)) -> tuple[Verdict, ...]:
    judge = VotesJudge(RubricJudge(gateway(Answers(*answers)), "openai/j"), len(answers) // len(items))
    return judged(judge, Asks(*items))


def test_the_majority_decides_and_every_vote_is_kept() -> None:
    verdict, *single = votes(says(1, "yes"), says(0, "no"), says(1, "surely"))
    assert (verdict.item, verdict.score, verdict.max, verdict.passed) == ("found", 2.0, 2.0, True)
    assert verdict.reason == "2 of 3 votes: yes" and verdict.evidence == ("a0",)
    assert [(vote.item, vote.score, vote.max, vote.passed, vote.reason) for vote in single] == [
        ("found#1", 0.0, 0.0, True, "yes"),
        ("found#2", 0.0, 0.0, False, "no"),
        ("found#3", 0.0, 0.0, True, "surely"),
    ]
    assert {one.judge for one in (verdict, *single)} == {"openai/j#3"}


@pytest.mark.parametrize("given", list(itertools.product((0, 1), repeat=3)))
def test_every_outcome_of_three_sound_votes(given: tuple[int, ...]) -> None:
    verdict = votes(*(says(score) for score in given))[0]
    assert verdict.passed is (sum(given) >= 2) and not verdict.error


def test_an_asking_that_fails_is_no_vote() -> None:
    verdict, *single = votes(says(1, "yes"), DOWN, says(1))
    assert verdict.passed and not verdict.error
    assert "2 of 3 votes: yes; 1 failed: The judge openai/j gave no verdict" in verdict.reason
    assert [vote.item for vote in single] == ["found#1", "found#3"]


@pytest.mark.parametrize("answers", [(says(1), DOWN, DOWN), (says(1), DOWN, says(0))])
def test_without_a_majority_of_all_askings_there_is_no_verdict(
    answers: tuple[Reply | Exception, ...],
) -> None:
    verdict, *single = votes(*answers)
    assert (verdict.item, verdict.score, verdict.passed) == ("found", None, None)
    assert verdict.error.startswith("JudgeError: 2 of 3 votes must agree on 'found'")
    assert all(vote.passed is not None and not vote.error for vote in single)
    assert len(single) == sum(isinstance(answer, Reply) for answer in answers)


class Graded(Asks):
    """Judges in its own way: one item in parts of its points, and a note beside it."""

    async def judge(self, trajectory: Trajectory, judge: Judge) -> Sequence[Verdict]:
        async def own(voter: Judge) -> Sequence[Verdict]:
            asked = voter.asking(trajectory, "all of it")
            reply = await asked.complete([user(f"asking {voter.vote}")], schema=SCHEMA, role="judge")
            assert reply.parsed is not None
            told = str(reply.parsed["reason"])
            if told == "down":
                return [Verdict("part", None, 2.0, None, told, error="JudgeError: down")]
            return [
                Verdict("part", float(told), 2.0, float(told) >= 1.0, told),
                Verdict("total", 0.0, 0.0, None, told),
            ]

        return await judge.poll(own)


def graded(*told: str) -> tuple[Verdict, ...]:
    judge = VotesJudge(RubricJudge(gateway(Answers(*(says(1, one) for one in told))), "openai/j"), len(told))
    return judged(judge, Graded())


def test_parts_of_points_are_decided_by_the_median_of_those_that_agree() -> None:
    verdict = graded("1.5", "0.5", "1.25")[0]
    assert (verdict.item, verdict.score, verdict.passed) == ("part", 1.25, True)
    assert verdict.reason == "2 of 3 votes: 1.25"
    assert graded("0.25", "0.5", "0")[0].score == 0.25


def test_what_is_no_result_is_kept_from_each_asking_and_combined_by_nobody() -> None:
    verdicts = graded("2", "0", "2")
    assert [verdict.item for verdict in verdicts if verdict.max] == ["part"]
    notes = {verdict.item: verdict.reason for verdict in verdicts if verdict.item.startswith("total")}
    assert notes == {"total#1": "2", "total#2": "0", "total#3": "2"}


def test_an_errored_verdict_is_no_vote() -> None:
    verdict = graded("2", "down", "2")[0]
    assert (verdict.score, verdict.passed, verdict.error) == (2.0, True, "")
    assert verdict.reason == "2 of 3 votes: 2; 1 failed: down"
    verdict = graded("2", "down", "0")[0]
    assert verdict.score is None and "1 of 3 votes for, 1 against; 1 failed: down" in verdict.reason


def test_where_every_asking_fails_the_episode_is_unjudged() -> None:
    (verdict,) = votes(DOWN, DOWN, DOWN)
    assert verdict.item == "*" and "None of 3 askings" in verdict.error


@pytest.mark.parametrize("error", [ModelAuthError("no key", model="openai/j"), BudgetReached("spent")])
def test_what_stops_every_episode_stops_the_votes(error: EmbodiedEvalError) -> None:
    with pytest.raises(type(error)):
        votes(says(1), error, says(1))


def test_askings_know_nothing_of_each_other() -> None:
    backend = Answers(says(1, "FIRST REASON"))
    judged(VotesJudge(RubricJudge(gateway(backend), "openai/j"), 3), Asks(ITEM))
    texts = [spoken(request) for request in backend.requests]
    assert len(set(texts)) == 3  # each has its own delimiter
    assert not [text for text in texts if "FIRST REASON" in text]
    assert [len(request.messages) for request in backend.requests] == [2, 2, 2]


def test_several_items_are_voted_on_one_by_one() -> None:
    other = RubricItem("other", "R", "A")
    given = [says(1), says(0), says(1), says(1), says(0), says(0)]
    made = votes(*given, items=(ITEM, other))
    assert [(one.item, one.passed) for one in made[:2]] == [("found", True), ("other", False)]
    assert [one.item for one in made[2:]] == [f"{item}#{n}" for item in ("found", "other") for n in (1, 2, 3)]


def test_votes_are_part_of_the_judges_identity() -> None:
    rubric = RubricJudge(gateway(Answers(says(1))), "human-lenient:openai/j")
    three, five = VotesJudge(rubric, 3), VotesJudge(rubric, 5)
    assert three.identity != five.identity != rubric.identity
    assert three.identity["judge"] == "human-lenient:openai/j#3"
    assert three.identity["prompt"] == rubric.identity["prompt"]


def test_five_votes_with_two_lost_still_need_three_that_agree() -> None:
    yes, no = Verdict("x", 1.0, 1.0, True, "y"), Verdict("x", 0.0, 1.0, False, "n")
    assert majority({1: yes, 2: yes, 4: yes}, 5, "down").passed is True
    assert majority({1: no, 2: yes, 3: no, 4: no}, 5, "down").passed is False
    assert majority({1: yes, 2: yes, 4: no}, 5, "down").error


def test_calls_belong_to_the_episode_that_they_were_made_on() -> None:
    judge = RubricJudge(gateway(Answers(says(1))), "openai/j")

    async def both() -> None:
        await asyncio.gather(*(run_judge(judge, Asks(ITEM), trajectory(key)) for key in ("k1", "k2")))

    asyncio.run(both())
    taken = {key: judge.taken_calls(key) for key in ("k1", "k2")}
    assert {key: len(calls) for key, calls in taken.items()} == {"k1": 1, "k2": 1}
    assert judge.taken_calls("k1") == ()
