"""Judges' names: policy, model and votes in one string."""

from __future__ import annotations

import pytest

from embodied_eval.errors import ConfigError, UnknownName
from embodied_eval.judges.names import JudgeName, parse_judge, with_votes


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("truth", ("truth", "", 1)),
        ("openai/gpt-4o", ("openai/gpt-4o", "", 1)),
        ("openai/gpt-4o#3", ("openai/gpt-4o", "", 3)),
        ("human-lenient:openai/gpt-4o", ("openai/gpt-4o", "human-lenient", 1)),
        ("human-lenient:openai/gpt-4o#5", ("openai/gpt-4o", "human-lenient", 5)),
        ("ollama/llama3:8b", ("ollama/llama3:8b", "", 1)),
        ("vertex_ai/claude@2024#7", ("vertex_ai/claude@2024", "", 7)),
    ],
)
def test_a_name_comes_apart_and_together_again(name: str, parts: tuple[str, str, int]) -> None:
    found = parse_judge(name)
    assert (found.model, found.policy, found.votes) == parts
    assert str(found) == name and parse_judge(str(found)) == found


@pytest.mark.parametrize("name", ["openai/x#1", "openai/x#2", "openai/x#0", "openai/x#101"])
def test_votes_that_cannot_decide_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="odd"):
        parse_judge(name)


def test_an_unknown_policy_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(UnknownName, match="policy") as caught:
        parse_judge("human-lenjent:openai/x")
    assert "human-lenient" in caught.value.hint


def test_votes_are_for_models() -> None:
    assert with_votes(["truth", "openai/x"], 3) == ("truth", "openai/x#3")
    assert with_votes(["human-lenient:openai/x"], 3) == ("human-lenient:openai/x#3",)
    assert with_votes(["openai/x#3"], 3) == ("openai/x#3",)
    assert with_votes(["truth", "openai/x#3"], 1) == ("truth", "openai/x#3")
    with pytest.raises(ConfigError, match="need a judge model"):
        with_votes(["truth"], 3)
    with pytest.raises(ConfigError, match="names 5 votes"):
        with_votes(["openai/x#5"], 3)
    with pytest.raises(ConfigError, match="odd"):
        with_votes(["openai/x"], 2)


def test_one_vote_is_not_written() -> None:
    assert str(JudgeName("openai/x", "human-lenient")) == "human-lenient:openai/x"
