"""The loop: models that call nothing, the wrong thing, too much, or stop; how the episode ends then."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.worldaudit import prompts
from benchmarks.worldaudit.audit import LAST_CALLS, MAX_IDLE_TURNS, MAX_NUDGES
from benchmarks.worldaudit.options import Options
from embodied_eval.benchmark import Trajectory
from embodied_eval.models.types import Reply, Request, ScriptedModel
from tests.benchmarks.worldaudit.kit import Plane, Table, Turn, act, boxes, calls, plane_task, refused, script

OBSERVE: Turn = [("observe", {})]
BUG = ("flag_bug", {"description": "A box floats.", "category": "geometry", "status": "suspect"})


def ended(trajectory: Trajectory) -> tuple[str, str]:
    return trajectory.outcome.status, trajectory.outcome.reason


def test_a_model_that_never_calls_a_tool_is_nudged_and_then_given_up(table: Table) -> None:
    model = script(*["I would look around."] * 99)
    made = table.play(Plane(boxes(), model), plane_task(), "scripted/script")
    assert ended(made) == ("invalid_reply", "The model never called a tool.")
    assert made.outcome.answer == {"findings": [], "summary": "", "actions": 0} and made.outcome.counts
    assert len(model.requests) == MAX_IDLE_TURNS and made.steps == () and not made.frames
    last = model.requests[-1].messages
    assert [message.text for message in last if message.role == "user"][1:] == [prompts.NUDGE] * 2


def test_empty_replies_are_idle_turns_too(table: Table) -> None:
    made = act(OBSERVE, "", "", "", table=table)
    assert ended(made) == ("completed", "The model stopped calling tools.")


def test_a_model_that_stops_calling_keeps_what_it_reported(table: Table) -> None:
    made = act(OBSERVE, [BUG], "I am done.", "Really.", "Bye.", table=table)
    assert ended(made) == ("completed", "The model stopped calling tools.")
    assert [finding["id"] for finding in made.outcome.answer["findings"]] == ["b1"]


def test_a_call_ends_an_idle_streak_but_nudges_are_counted(table: Table) -> None:
    turns: list[Turn] = [OBSERVE]
    for _ in range(30):
        turns += ["Hm.", "Let me think.", [("list_bugs", {})]]
    model = script(*turns)
    made = table.play(Plane(boxes(), model), plane_task(), "scripted/script")
    assert ended(made) == ("completed", "The model stopped calling tools.")
    assert sum(request.messages[-1].text == prompts.NUDGE for request in model.requests) == MAX_NUDGES - 1


def test_unknown_tools_are_named_with_the_legal_ones(table: Table) -> None:
    made = act(OBSERVE, [("open_door", {"door": 1})], [("Move", {})], [("", {})], table=table)
    assert made.steps[1].result.startswith("There is no tool 'open_door'. The tools are: observe, move, turn")
    assert all(refused(step) for step in made.steps[1:4])
    assert made.outcome.status == "completed"


def test_a_model_that_knows_no_tool_never_opens_the_world(table: Table) -> None:
    made = act(*calls(*[("fly", {})] * 99), table=table, options={"max_tool_calls": 4})
    assert ended(made) == ("invalid_reply", "The model never opened the world.")
    assert len(made.steps) == 4 + LAST_CALLS


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"direction": 1, "distance_m": 1}, "move.direction is 1; legal:"),
        ({"direction": "forward", "distance_m": [1]}, "move.distance_m must be of type number, not array"),
        ({"direction": "forward", "distance_m": 9}, "move.distance_m is 9; at most 4.0"),
        (
            {"distance": 1},
            "move.direction is missing; move.distance_m is missing; move.distance is not allowed",
        ),
        ("The arguments are not valid JSON.", "The arguments of move could not be read:"),
    ],
)
def test_wrong_types_are_told_and_cost_nothing_but_the_call(table: Table, arguments: Any, told: str) -> None:
    made = act(OBSERVE, [("move", arguments)], [("turn", {"degrees": 5})], table=table)
    assert told in made.steps[1].result and refused(made.steps[1])
    assert made.steps[1].pose == made.steps[0].pose and "39 actions left" in made.steps[2].result


def test_several_calls_in_one_turn_are_answered_each_in_order(table: Table) -> None:
    turn = [("observe", {}), ("turn", {"degrees": 10}), ("fly", {}), ("turn", {"degrees": 20}), BUG]
    model = script(turn)
    made = table.play(Plane(boxes(), model), plane_task(), "scripted/script")
    assert [step.action for step in made.steps] == ["observe", "turn", "fly", "turn", "flag_bug", "done"]
    answers = [message for message in model.requests[1].messages if message.role == "tool"]
    assert [message.tool_call_id for message in answers] == [f"c1.{n}" for n in range(5)]
    assert "heading 30.0" in answers[3].text and made.outcome.answer["findings"][0]["action"] == 2


def test_a_model_that_uses_all_tool_calls_without_an_end_is_ended(table: Table) -> None:
    made = act(OBSERVE, *calls(*[("list_bugs", {})] * 99), table=table, options={"max_tool_calls": 6})
    assert ended(made) == ("budget_exhausted", "The model spent its tool calls without `done`.")
    assert len(made.steps) == 6 + LAST_CALLS and made.outcome.counts
    # A flood in one turn is cut at the same number.
    flood = act([("observe", {}), *[("list_bugs", {})] * 999], table=table, options={"max_tool_calls": 6})
    assert len(flood.steps) == 6 + LAST_CALLS and ended(flood) == ended(made)


def test_done_is_accepted_with_all_tool_calls_spent(table: Table) -> None:
    made = act(
        OBSERVE,
        [BUG],
        [("list_bugs", {})],
        [("done", {"summary": "s"})],
        table=table,
        options={"max_tool_calls": 2},
    )
    assert ended(made) == ("completed", "") and len(made.outcome.answer["findings"]) == 1


def test_an_error_in_the_model_is_no_result(table: Table) -> None:
    class Broken(ScriptedModel):
        def reply(self, request: Request) -> Reply:
            raise RuntimeError("out of ideas")

    made = table.play(Plane(boxes(), Broken), plane_task(), "scripted/script")
    assert made.outcome.status == "harness_error" and not made.outcome.counts
    assert "out of ideas" in made.outcome.reason


def test_the_prompt_says_what_the_options_let_it_say() -> None:
    task = plane_task()

    def told(**options: Any) -> str:
        return "\n".join(message.text for message in prompts.opening(task, Options(**options)))

    assert "40 actions" in told() and "7 actions" in told(budget=7)
    assert "An open floor with boxes." in told() and "An open floor" not in told(scene_description=False)
    assert "geometry.unsupported - An object hangs" in told()
    assert "geometry.unsupported." in told(type_hint="code") and "hangs" not in told(type_hint="code")
    assert "geometry" not in told(type_hint="none") and "An open floor with boxes." in told(type_hint="none")
    assert "`inspect`" in told() and "`inspect`" not in told(memory_tools=False)
    assert "a7.f2" in told() and "a7.f2" not in told(obs="final") and "{" not in told()
    for word in ("penal", "deduct", "minus"):
        assert word not in told()


def test_nothing_private_reaches_messages_results_or_public_files(table: Table) -> None:
    marker = "quince-7f3a"
    private = {
        "target": {"object": "wall", "label": marker, "synonyms": [marker]},
        "rubric": {"anomaly": marker, "expected": marker, "conditions": marker},
        "solution": {"say": marker, "steps": [marker]},
        "watch": ["wall"],
        "effects": [
            {"trigger": {"kind": "always"}, "change": {"kind": "hide"}, "target": "wall", "once": False}
        ],
    }
    model = script(
        OBSERVE, [("move", {"direction": "forward", "distance_m": 4.0})], [BUG], [("list_bugs", {})]
    )
    made = table.play(Plane(boxes(), model), plane_task(**private), "scripted/script")
    assert made.outcome.status == "completed" and made.visibility and made.events
    public = "".join(
        path.read_text("utf-8", "replace")
        for path in table.run.path.rglob("*")
        if path.is_file() and "private" not in path.relative_to(table.run.path).parts
    )
    shown = str(model.requests) + "".join(step.result for step in made.steps) + public
    assert "picture a0" in shown
    for secret in (marker, "always", '"hide"', "visibility", "twin_pixels"):
        assert secret not in shown, secret
