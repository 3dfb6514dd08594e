"""Long conversations: which pictures stay, when they are compacted, and what must never get lost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest

from benchmarks.worldaudit.context import (
    IMAGE_TOKENS,
    LAST_ACTIONS,
    Conversation,
    tokens_of,
    without_pictures,
)
from benchmarks.worldaudit.options import Options
from embodied_eval.models.types import Image, Message, Request, Text, ToolCall, system, tool_result, user
from tests.benchmarks.worldaudit.kit import OBSERVE, Plane, Table, Turn, boxes, calls, plane_task, script


def picture(name: str) -> Image:
    return Image(name.encode(), "image/jpeg", name)


def exchange(number: int, images: int = 1, words: int = 10) -> tuple[Message, list[Message], int]:
    """A turn of the model that spends one action, and its answer."""
    call = ToolCall(f"c{number}", "turn", {"degrees": number})
    said = Message("assistant", (Text("because " * words),), (call,))
    pictures = [picture(f"a{number}.f{n}") for n in range(1, images)] + [picture(f"a{number}")]
    return said, [tool_result(call, f"action {number}", *pictures)], 1


def conversation(**options: Any) -> Conversation:
    return Conversation([system("Inspect."), user("This world.")], Options(**options))


def shown(messages: Sequence[Message]) -> list[str]:
    return [part.ref for message in messages for part in message.parts if isinstance(part, Image)]


def test_the_estimate_counts_text_calls_and_pictures() -> None:
    assert tokens_of(user("x" * 400)) == 8 + 100
    assert tokens_of(user("ü" * 200)) == 8 + 100
    assert tokens_of(user("", picture("a0"), picture("a1"))) == 8 + 2 * IMAGE_TOKENS
    called = Message("assistant", (), (ToolCall("1", "turn", {"degrees": 5}),))
    assert tokens_of(called) == 8 + 5  # turn{"degrees": 5} has 18 bytes


def test_the_newest_pictures_stay_and_the_older_ones_are_named() -> None:
    talk = conversation(keep_images=4)
    for number in range(1, 20):
        talk.add(*exchange(number))
        talk.fit(lambda tokens: "")
        refs = shown(talk.messages)
        assert min(4, number) <= len(refs) <= 6
        assert refs == [f"a{n}" for n in range(number - len(refs) + 1, number + 1)]
    told = [message.text for message in talk.messages if message.role == "tool"]
    assert told[0] == "action 1\n(No longer shown here: a1; `inspect` shows them again.)"
    assert len(told) == 19 and told[-1] == "action 19"


def test_messages_at_the_beginning_stay_the_same_for_a_while() -> None:
    """What changes each time could not be cached by a provider."""
    talk, changed = conversation(keep_images=12), 0
    before: list[Message] = []
    for number in range(1, 61):
        talk.add(*exchange(number))
        talk.fit(lambda tokens: "")
        changed += talk.messages[: len(before)] != before
        before = talk.messages
    assert changed == 6  # at 19 pictures, then with every seventh


def test_several_pictures_of_one_answer_go_oldest_first() -> None:
    message = user(Text("Image a1.f1:"), picture("a1.f1"), Text("Image a1:"), picture("a1"), "rest")
    cut = without_pictures(message, 1, inspectable=False)
    assert cut.text == "(No longer shown here: a1.f1.)\nImage a1:\nrest" and shown([cut]) == ["a1"]
    gone = without_pictures(message, 2, inspectable=True)
    assert gone.text == "(No longer shown here: a1.f1, a1; `inspect` shows them again.)\nrest"
    example = without_pictures(user("x", picture("ex1")), 1, inspectable=True)
    assert example.text.endswith("(No longer shown here: ex1; `read_example` shows it again.)")


def test_a_long_conversation_is_compacted_to_digest_and_last_actions() -> None:
    talk = conversation(context_tokens=16_000, keep_images=3)
    asked: list[int] = []

    def tell(tokens: int) -> str:
        asked.append(tokens)
        return "digest"

    for number in range(1, 40):
        talk.add(*exchange(number, words=400))
        talk.fit(tell)
        assert talk.tokens <= 16_000
    assert talk.compactions == len(asked) > 1
    assert set(asked) == {(16_000 - talk.fixed_tokens) // 3}
    assert talk.messages[:3] == [*talk.opening, user("digest")]


def test_the_last_actions_are_kept_as_they_were() -> None:
    talk = conversation(context_tokens=16_000, keep_images=1)
    number = 0
    while not talk.compactions:
        number += 1
        talk.add(*exchange(number, words=500))
        talk.fit(lambda tokens: "digest")
    said = [message for message in talk.messages if message.role == "assistant"]
    assert [message.tool_calls[0].arguments["degrees"] for message in said] == list(
        range(number - LAST_ACTIONS + 1, number + 1)
    )
    answered = {message.tool_call_id for message in talk.messages if message.role == "tool"}
    assert answered == {message.tool_calls[0].id for message in said}


def test_one_turn_that_is_too_long_by_itself_stays() -> None:
    talk = conversation(context_tokens=16_000)
    talk.add(*exchange(1, words=9_000))
    talk.fit(lambda tokens: pytest.fail("there is nothing to compact"))
    talk.add(*exchange(2, words=9_000))
    talk.fit(lambda tokens: "digest")
    assert [message.role for message in talk.messages] == ["system", "user", "user", "assistant", "tool"]


def long_turns() -> list[Turn]:
    """400 calls: reports, notes, changes, looks back, and for the most part turns."""
    made: list[tuple[str, Any]] = [OBSERVE]
    for number in range(1, 400):
        if number % 40 == 5:
            text = f"Thing {number} is wrong because " + "of the way it stands " * 12
            bug = {"description": text, "category": "other", "status": "suspect", "evidence": ["a0"]}
            made.append(("flag_bug", bug))
        elif number % 40 == 25:
            made.append(("update_bug", {"id": f"b{number // 40 + 1}", "status": "confirmed"}))
        elif number % 40 == 15:
            made.append(("write_notes", {"text": f"Note {number}: " + "look again there " * 20}))
        elif number % 40 == 35:
            made.append(("inspect", {"refs": ["a0", "a1"]}))
        else:
            made.append(("turn", {"degrees": number % 90 + 1}))
    return calls(*made)


def estimated(request: Request, options: Options) -> int:
    return Conversation(request.messages, options, request.tools).fixed_tokens


def test_four_hundred_turns_stay_within_bounds_and_lose_no_report(table: Table) -> None:
    options = {"budget": 400, "context_tokens": 16_000, "keep_images": 4, "obs": "final"}
    model = script(*long_turns())
    made = table.play(Plane(boxes(), model), plane_task(), "scripted/script", options=options)
    assert made.outcome.status == "completed" and len(model.requests) == 401
    sizes = [estimated(request, Options(**options)) for request in model.requests]
    assert max(sizes) <= 16_000 and max(sizes[200:]) > 10_000
    digests = 0
    for number, request in enumerate(model.requests):
        assert len(shown(request.messages)) <= 4 + 2
        text = "\n".join(message.text for message in request.messages)
        digests += "The conversation so far was shortened." in text
        flagged = [step for step in made.steps[:number] if step.action == "flag_bug"]
        for filed, step in enumerate(flagged, 1):
            assert f"Filed as b{filed}." in text or f"b{filed} [" in text
            assert str(step.arguments["description"]) in text or _said(request, step.arguments)
    assert digests > 250
    last = "\n".join(message.text for message in model.requests[-1].messages)
    assert "b1 [confirmed, other, action 22]" in last and "Note 375: look again there" in last
    index = [int(found) for found in re.findall(r"^a(\d+) turn\(", last, re.MULTILINE)]
    assert index == list(range(index[0], index[-1] + 1)) and len(index) > 20


def _said(request: Request, arguments: Any) -> bool:
    return any(call.arguments == arguments for message in request.messages for call in message.tool_calls)


def test_the_same_turns_give_the_same_conversations(table: Table) -> None:
    options = {"budget": 60, "context_tokens": 16_000, "keep_images": 4}
    turns = long_turns()[:60]
    one, two = script(*turns), script(*turns)
    for model in (one, two):
        table.play(Plane(boxes(), model), plane_task(), "scripted/script", options=options)
    assert [request.messages for request in one.requests] == [request.messages for request in two.requests]


def test_reports_too_long_together_are_cut_but_all_named(table: Table) -> None:
    bugs = [
        ("flag_bug", {"description": f"Thing {n}: " + "w" * 1900, "category": "other", "status": "suspect"})
        for n in range(40)
    ]
    model = script(*calls(OBSERVE, *bugs))
    options = {"context_tokens": 16_000}
    made = table.play(Plane(boxes(), model), plane_task(), "scripted/script", options=options)
    assert len(made.outcome.answer["findings"]) == 40
    assert max(estimated(request, Options(**options)) for request in model.requests) <= 16_000
    told = "\n".join(message.text for message in model.requests[-1].messages)
    assert "[... cut, `list_bugs` has all]" in told
    everything = str(model.requests[-1].messages)
    assert all(f"Thing {n}: ww" in everything for n in range(40))


def test_without_memory_tools_the_digest_names_none(table: Table) -> None:
    options = {"budget": 400, "context_tokens": 16_000, "memory_tools": False}
    turns = calls(OBSERVE, *[("turn", {"degrees": 3})] * 60)
    model = script(*turns)
    table.play(Plane(boxes(), model), plane_task(), "scripted/script", options=options)
    told = "\n".join(message.text for request in model.requests for message in request.messages)
    assert "No longer shown here: a0" in told or "was shortened" in told
    assert not any(name in told for name in ("inspect`", "history", "write_notes"))
