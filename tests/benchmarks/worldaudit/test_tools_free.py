"""The tools that cost no action, one by one, and where budget and tool calls end."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.worldaudit import tools
from tests.benchmarks.worldaudit.kit import (
    BUG,
    OBSERVE,
    Seen,
    Table,
    act,
    calls,
    move,
    refused,
    size_of,
    steps_of,
)


def test_inspect_shows_earlier_pictures_again(table: Table) -> None:
    refs = ["a0", "a1.f1", "a1", "a2"]
    seen = Seen(
        table,
        ("wait", {"seconds": 1}),
        ("turn", {"degrees": 40}),
        ("inspect", {"refs": refs}),
        ("inspect", {"refs": []}),
        ("inspect", {"refs": [*refs, "a1.f2"]}),
        ("inspect", {"refs": ["a0", "a9", "a1#c1"]}),
        ("inspect", {"refs": "a0"}),
    )
    assert seen.images(3) == refs and seen.images(6) == []
    assert not any(step.counts for step in seen.steps[3:])
    assert [refused(step) for step in seen.steps[3:8]] == [False, True, True, True, True]
    assert seen.steps[6].result == "There is no picture a9, a1#c1; the last one is a2."


@pytest.mark.parametrize(
    ("region", "size"),
    [
        ([0.25, 0.25, 0.75, 0.75], (960, 544)),
        ([0.0, 0.0, 1.0, 1.0], (960, 544)),
        ([0.5, 0.0, 0.6, 1.0], (160, 960)),
        ([0.0, 0.9, 1.0, 1.0], (960, 64)),
        ([0.29, 0.29, 0.31, 0.31], (960, 480)),
    ],
)
def test_a_part_is_enlarged_to_960_pixels_in_multiples_of_32(
    table: Table, region: list[float], size: tuple[int, int]
) -> None:
    seen = Seen(table, ("inspect", {"refs": ["a0"], "region": region}))
    assert seen.images(1) == ["a0#c1"] and seen.steps[1].result == "Parts a0#c1:"
    assert size_of(seen.trajectory, "a0#c1") == size
    assert all(side % 32 == 0 and side <= 960 for side in size)


@pytest.mark.parametrize(
    "region",
    [
        [0.5, 0.5, 0.5, 0.9],
        [0.6, 0.1, 0.4, 0.9],
        [0.0, 0.0, 0.019, 1.0],
        [0, 0, 1],
        [0, 0, 1, 1.1],
        [-0.1, 0, 1, 1],
    ],
)
def test_a_region_that_is_none_is_refused(table: Table, region: list[float]) -> None:
    (step,) = steps_of(table, ("inspect", {"refs": ["a0"], "region": region}))
    assert refused(step) and not step.frames


def test_parts_are_numbered_can_be_cut_again_and_cited(table: Table) -> None:
    half = [0.0, 0.0, 0.5, 0.5]
    made = act(
        *calls(
            OBSERVE,
            ("turn", {"degrees": 5}),
            ("inspect", {"refs": ["a0", "a1"], "region": half}),
            ("inspect", {"refs": ["a0#c1"], "region": half}),
            ("flag_bug", {**BUG, "evidence": ["a0#c2", "a1#c1", "a1"]}),
        ),
        table=table,
    )
    assert [step.result for step in made.steps[2:5]] == [
        "Parts a0#c1, a1#c1:",
        "Parts a0#c2:",
        "Filed as b1.",
    ]
    assert made.outcome.answer["findings"][0]["evidence"] == ["a0#c2", "a1#c1", "a1"]


def test_pictures_wider_than_960_are_shown_again_at_960(table: Table) -> None:
    seen = Seen(table, ("inspect", {"refs": ["a0"]}), width=1280, height=720)
    assert seen.images(1) == ["a0#c1"] and size_of(seen.trajectory, "a0#c1") == (960, 544)


def test_history_tells_at_most_forty_actions_as_text(table: Table) -> None:
    spans = [(0, 39), (2, 2), (0, 40), (2, 1), (-1, 1), (0.5, 1), (7, 9)]
    asked = [("history", {"from_action": first, "to_action": last}) for first, last in spans]
    seen = Seen(table, ("turn", {"degrees": 10}), move(0.5), *asked)
    told = [step.result for step in seen.steps]
    assert told[3].splitlines() == told[:3] and told[4] == told[2]
    assert [refused(step) for step in seen.steps[3:9]] == [False, False, True, True, True, True]
    assert told[9] == "There are no such actions."
    assert seen.images(3) == [] and not any(step.counts for step in seen.steps[3:])


def test_notes_are_kept_in_order_and_stored(table: Table) -> None:
    made = act(
        *calls(
            OBSERVE,
            ("write_notes", {"text": "one"}),
            ("turn", {"degrees": 5}),
            ("write_notes", {"text": "two"}),
            ("write_notes", {"text": ""}),
            ("write_notes", {"text": "x" * 4001}),
            OBSERVE,
        ),
        table=table,
    )
    assert [refused(step) for step in made.steps[3:6]] == [False, True, True]
    assert "Notes:\n(action 0) one\n(action 1) two\n" in made.steps[6].result
    assert [(row["action"], row["text"]) for row in made.rows["notes"]] == [(0, "one"), (1, "two")]


def test_a_report_is_stamped_changed_and_finally_retracted(table: Table) -> None:
    made = act(
        *calls(
            OBSERVE,
            ("flag_bug", {**BUG, "evidence": ["a0"]}),
            ("wait", {"seconds": 1}),
            ("update_bug", {"id": "b1", "status": "confirmed", "description": "It hangs."}),
            ("update_bug", {"id": "b1", "evidence": ["a1", "a7"]}),
            ("update_bug", {"id": "b2", "status": "confirmed"}),
            ("list_bugs", {}),
            ("flag_bug", {**BUG, "category": "other"}),
            ("update_bug", {"id": "b1", "status": "retracted"}),
            ("update_bug", {"id": "b1", "status": "confirmed"}),
            ("list_bugs", {}),
        ),
        table=table,
    )
    told = [step.result for step in made.steps]
    assert told[3] == "b1 changed." and told[4].startswith("There is no picture a7")
    assert told[5] == "There is no report 'b2'. Reports: b1."
    assert told[6] == "b1 [confirmed, geometry, action 1] It hangs. (pictures: a0)"
    assert told[7] == "Filed as b2." and told[9] == "b1 was retracted; that is final."
    assert told[10].startswith("b1 [retracted, geometry, action 1] It hangs.")
    first, second = made.outcome.answer["findings"]
    assert (first["status"], first["action"], first["t_s"], first["evidence"]) == (
        "retracted",
        1,
        1.0,
        ["a0"],
    )
    assert second["evidence"] == [] and second["status"] == "suspect"
    assert [row["operation"] for row in made.rows["findings"]] == ["flag", "update", "flag", "update"]
    assert sum(step.counts for step in made.steps) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        {**BUG, "category": "physics"},
        {**BUG, "status": "retracted"},
        {**BUG, "evidence": ["a5"]},
        {**BUG, "evidence": "a0"},
        {**BUG, "evidence": ["a0"] * 21},
        {**BUG, "description": ""},
        {**BUG, "description": "x" * 2001},
        {key: value for key, value in BUG.items() if key != "status"},
    ],
)
def test_a_report_that_does_not_fit_is_refused(table: Table, arguments: Any) -> None:
    made = act(*calls(OBSERVE, ("flag_bug", arguments), ("list_bugs", {})), table=table)
    assert refused(made.steps[1]) and made.steps[2].result == "No reports yet."
    assert made.outcome.answer["findings"] == []


def test_at_the_end_of_the_budget_only_free_tools_are_answered(table: Table) -> None:
    made = act(
        *calls(OBSERVE, *[("turn", {"degrees": 9})] * 3, ("inspect", {"refs": ["a2"]}), ("flag_bug", BUG)),
        table=table,
        options={"budget": 2},
    )
    assert "0 actions left" in made.steps[2].result
    assert made.steps[3].result.startswith("You have spent all your actions.") and not made.steps[3].counts
    assert made.steps[3].t_s == made.steps[2].t_s and made.steps[5].result == "Filed as b1."
    assert sum(step.counts for step in made.steps) == 2 and made.outcome.status == "completed"


def test_done_needs_the_full_budget_only_where_that_is_asked(table: Table) -> None:
    done = ("done", {"summary": "all"})
    options = {"budget": 2, "require_full_budget": True}
    made = act(
        *calls(done, OBSERVE, ("turn", {"degrees": 9}), done, ("turn", {"degrees": 9}), done),
        table=table,
        options=options,
    )
    assert made.steps[0].result == "Not yet: 2 actions are left. Use them to look further."
    assert made.steps[3].result.startswith("Not yet: 1 actions are left.")
    assert made.steps[5].result == "The inspection is over." and made.outcome.answer["summary"] == "all"
    early = act(*calls(OBSERVE, done), table=table)
    assert [step.action for step in early.steps] == ["observe", "done"]


def test_refusals_count_as_tool_calls_and_after_the_last_only_done_is_answered(table: Table) -> None:
    made = act(
        *calls(OBSERVE, move(9.0), ("fly", {}), ("list_bugs", {}), ("turn", {"degrees": 5})),
        table=table,
        options={"max_tool_calls": 3, "require_full_budget": True},
    )
    assert [step.action for step in made.steps] == ["observe", "move", "fly", "list_bugs", "turn", "done"]
    cap = "You have used all your tool calls. Only `done` is answered now."
    assert [step.result == cap for step in made.steps] == [False, False, False, True, True, False]
    assert not any(step.counts for step in made.steps) and made.outcome.status == "completed"


def test_without_memory_tools_they_do_not_exist(table: Table) -> None:
    seen = Seen(
        table,
        ("inspect", {"refs": ["a0"]}),
        ("history", {"from_action": 0, "to_action": 0}),
        ("write_notes", {"text": "x"}),
        memory_tools=False,
    )
    assert all(step.result.startswith("There is no tool") and not step.counts for step in seen.steps[1:4])
    request = seen.model.requests[0]
    assert {tool.name for tool in request.tools}.isdisjoint(tools.MEMORY) and len(request.tools) == 10
    assert not any(f"`{name}`" in message.text for message in request.messages for name in tools.MEMORY)


def test_nothing_is_done_after_the_end(table: Table) -> None:
    made = act(
        [OBSERVE, ("done", {"summary": "x"}), ("turn", {"degrees": 9}), ("flag_bug", BUG)], table=table
    )
    assert [step.result for step in made.steps[2:]] == ["The inspection is over; nothing was done."] * 2
    assert made.outcome.answer == {"findings": [], "summary": "x", "actions": 0} and not made.steps[2].counts
