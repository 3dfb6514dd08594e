"""Models without tool calling: what counts as a call in plain text, and that the steps are the same."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchmarks.worldaudit import protocol, tools
from benchmarks.worldaudit.audit import MAX_IDLE_TURNS, UNREAD_REPLIES
from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.protocol import JsonProtocol
from embodied_eval.benchmark import Trajectory
from embodied_eval.models.types import Image, Reply
from tests.benchmarks.worldaudit.kit import BUG, OBSERVE, Plane, Table, boxes, calls, plane_task, script

JSON: dict[str, Any] = {"tool_protocol": "json"}


def said(tool: str, arguments: Any = None, **more: Any) -> str:
    return json.dumps({"tool": tool, "arguments": {} if arguments is None else arguments, **more})


def read(text: str) -> tuple[list[tuple[str, Any, str]], str, str]:
    turn = JsonProtocol(tools.offered(Options())).read(Reply(text=text))
    return [(call.name, call.arguments, call.error) for call in turn.calls], turn.note, turn.problem


def play(table: Table, *turns: Any, **options: Any) -> tuple[Trajectory, Any]:
    model = script(*turns)
    made = table.play(Plane(boxes(), model), plane_task(), "scripted/script", options={**JSON, **options})
    return made, model


@pytest.mark.parametrize(
    ("text", "arguments", "note"),
    [
        ('{"tool": "turn", "arguments": {"degrees": 45}}', {"degrees": 45}, ""),
        ('```json\n{"tool": "turn", "arguments": {"degrees": 45}}\n```', {"degrees": 45}, ""),
        ('```\n{"tool": "turn", "arguments": {"degrees": 45}}```', {"degrees": 45}, ""),
        ('I see a {odd} wall. {"tool": "turn"}', {}, protocol.SURROUNDED),
        ('{"tool": "turn"} and then on.', {}, protocol.SURROUNDED),
        ('{"thought": "{\\"tool\\": 1}", "tool": "turn", "arguments": {}}', {}, ""),
        ('{"tool": "turn"}{"tool": "move"}', {}, protocol.SEVERAL),
        ('{"a": {"b": [1, "}"]}} {"tool": "turn"}', {}, protocol.SURROUNDED),
    ],
)
def test_a_call_is_found_in_the_text(text: str, arguments: Any, note: str) -> None:
    assert read(text) == ([("turn", arguments, "")], note, "")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I would turn left now.",
        '{"tool": "turn", "arguments": {"degrees": 45}',
        '{"name": "turn", "arguments": {}}',
        '{"tool": 3}',
        '["turn", 45]',
        "{" * 5000,
        '{"tool": "turn", "arguments": {"degrees": NaN}}',
        "{" + '"a": [' * 100 + "]" * 100 + "}",
    ],
)
def test_what_holds_no_call_is_told_how_to_write_one(text: str) -> None:
    found, _, problem = read(text)
    assert found == [] and '{"tool": "observe", "arguments": {}}' in problem


def test_arguments_of_another_form_are_an_error_of_the_call() -> None:
    ((name, arguments, error),), _, _ = read('{"tool": "turn", "arguments": [45]}')
    assert (name, arguments, error) == ("turn", {}, "The arguments must be a JSON object.")


def test_the_tools_are_told_in_the_prompt_and_none_is_offered(table: Table) -> None:
    _, model = play(table, said("observe"), memory_tools=False)
    first = model.requests[0]
    assert first.tools == () and first.messages[0].role == "system"
    lines = first.messages[0].text.splitlines()
    listed = [json.loads(line) for line in lines if '"description":' in line]
    offered = tools.offered(Options(icl=False, memory_tools=False))
    assert [(row["tool"], row["arguments"]) for row in listed] == [(t.name, t.parameters) for t in offered]


def test_answers_come_back_as_messages_with_their_pictures(table: Table) -> None:
    _, model = play(table, said("observe"), f"Now. {said('turn', {'degrees': 9})}", said("list_bugs"))
    roles = [message.role for message in model.requests[-1].messages]
    assert roles == ["system", "user", *["assistant", "user"] * 3]
    shown = model.requests[2].messages[-1]
    assert [part.ref for part in shown.parts if isinstance(part, Image)] == ["a1"]
    assert "Image a1:" in shown.text and shown.text.endswith(protocol.SURROUNDED)
    assert not any(message.tool_calls for message in model.requests[-1].messages)


def test_the_steps_are_those_of_native_calling(table: Table) -> None:
    made = [
        OBSERVE,
        ("turn", {"degrees": 30}),
        ("move", {"direction": "forward", "distance_m": 9}),
        ("flag_bug", {**BUG, "evidence": ["a1"]}),
        ("inspect", {"refs": ["a0"], "region": [0, 0, 0.5, 0.5]}),
        ("done", {"summary": "s"}),
    ]
    spoken, _ = play(table, *(said(*one) for one in made))
    model = script(*calls(*made))
    native = table.play(Plane(boxes(), model), plane_task(), "scripted/script")
    assert spoken.steps == native.steps and spoken.outcome == native.outcome


def test_scripted_models_that_call_natively_play_too(table: Table) -> None:
    made = table.play(
        Plane(boxes(), script()), plane_task(), "scripted/shotgun", options={**JSON, "icl": True}
    )
    assert made.outcome.status == "completed" and made.steps[0].action == "read_example"
    assert len(made.outcome.answer["findings"]) == 15


def test_a_model_that_never_learns_is_given_up(table: Table) -> None:
    made, model = play(table, said("observe"), *["I turn."] * 50)
    assert made.outcome.status == "completed" and made.outcome.reason == "The model stopped calling tools."
    assert len(model.requests) == 1 + MAX_IDLE_TURNS * UNREAD_REPLIES


def test_a_call_after_a_repair_ends_the_streak(table: Table) -> None:
    turns = [said("observe")]
    for _ in range(6):
        turns += ["Hm."] * (MAX_IDLE_TURNS * UNREAD_REPLIES - 1) + [said("list_bugs")]
    made, _ = play(table, *turns, said("done", {"summary": "x"}))
    assert made.outcome.answer["summary"] == "x"


def test_nothing_but_talk_is_no_valid_reply(table: Table) -> None:
    made, _ = play(table, *["Hello."] * 9)
    assert (made.outcome.status, made.steps) == ("invalid_reply", ())
