"""One completion, its continuations, and how the pieces become one file."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.worldbench.generate import generate, is_truncated, joined, without_fence
from benchmarks.worldbench.prompts import CONTINUE, generation_prompt
from embodied_eval.models.types import Reply
from tests.benchmarks.worldbench.writing_kit import GOOD, Says


def written(*replies: Reply | str, continuations: int = 3) -> tuple[Says, str, list[int], bool]:
    model = Says(*replies)
    answer = asyncio.run(generate(model, continuations))
    return model, answer.html, [part.overlap for part in answer.parts], answer.truncated


def test_a_complete_answer_is_one_call_with_the_prompt_alone() -> None:
    model, html, overlaps, truncated = written(GOOD)
    assert (html, overlaps, truncated) == (GOOD, [0], False)
    assert [message.text for message in model.asked[0]] == [generation_prompt()]
    assert model.offered == [()] and model.images == 0


def test_a_truncated_answer_is_continued_and_joined_on_the_overlap() -> None:
    half, most = len(GOOD) // 2, len(GOOD) - 30
    first, second, third = GOOD[:half], GOOD[half - 40 : most], GOOD[most:]
    model, html, overlaps, truncated = written(
        Reply(first, finish="length"), Reply(second, finish="length"), third
    )
    assert html == GOOD and not truncated
    assert overlaps == [0, 40, 0]
    assert [message.role for message in model.asked[2]] == ["user", "assistant", "user", "assistant", "user"]
    assert model.asked[2][-1].text == CONTINUE and model.asked[2][1].text == first


def test_at_most_so_many_continuations() -> None:
    model, html, overlaps, truncated = written(*[Reply("<html>" + "x" * 300, finish="length")] * 4)
    assert truncated and len(model.asked) == 4 and len(overlaps) == 4
    assert html.startswith("<html>")


def test_an_end_without_the_closing_tag_is_truncated_and_prose_is_not() -> None:
    assert is_truncated("<html><body>", "stop")
    assert not is_truncated("<html></html>" + " " * 100, "stop")
    assert is_truncated("<html></html>" + "x" * 200, "stop")
    assert is_truncated("anything", "length")
    assert not is_truncated("I would rather not.", "stop")


def test_an_empty_answer_is_not_continued() -> None:
    model, html, _, truncated = written(Reply("", finish="length"))
    assert (html, truncated, len(model.asked)) == ("", True, 1)


@pytest.mark.parametrize("opening", ["```html\n", "```\n", "\n```HTML \r\n"])
@pytest.mark.parametrize("closing", ["\n```", "\n```\n\n", ""])
def test_one_outer_fence_is_stripped(opening: str, closing: str) -> None:
    text = "<html>\n`code`\n</html>"
    assert without_fence(opening + text + closing) == text


def test_a_fence_that_a_continuation_opens_is_dropped() -> None:
    _, html, _, _ = written(Reply("```html\n<html><b>", finish="length"), "```html\n</b></html>\n```")
    assert html == "<html><b></b></html>"


@given(st.text(min_size=30, max_size=600), st.data())
def test_joining_gives_back_what_was_cut(text: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(text)))
    repeated = data.draw(st.integers(0, min(cut, 400)))
    whole, overlap = joined(text[:cut], text[cut - repeated :])
    assert whole.startswith(text[:cut]) and whole.endswith(text[cut - repeated + overlap :])
    # A longer repetition by chance apart, what was repeated is found, and nothing else is lost.
    if overlap == repeated:
        assert whole == text


def test_a_bracket_is_no_overlap_and_400_characters_are_the_longest() -> None:
    assert joined("a {\n}", "}\nb") == ("a {\n}}\nb", 0)
    end = "".join(chr(0x4E00 + number) for number in range(500))
    assert joined("x" + end[:401], end[1:401] + "!")[1] == 400
    assert joined("x" + end[:401], end[:401] + "!")[1] == 0
