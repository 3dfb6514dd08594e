"""The agent's tools, one by one: parameters, limits, cost, answers, refusals."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from PIL import Image as Picture

from benchmarks.worldaudit import tools
from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.plugin import WorldAudit
from embodied_eval.benchmark import Trajectory
from embodied_eval.records import Pose, Step
from tests.benchmarks.worldaudit.kit import (
    Plane,
    Table,
    act,
    boxes,
    calls,
    images_after,
    indoor,
    plane_task,
    refused,
    script,
)
from tests.testing_world import plane_world

OBSERVE = ("observe", {})
BUG = {"description": "A box floats.", "category": "geometry", "status": "suspect"}


def move(distance_m: float, direction: str = "forward") -> tuple[str, Any]:
    return "move", {"direction": direction, "distance_m": distance_m}


def steps_of(table: Table, *made: tuple[str, Any], **options: Any) -> list[Step]:
    """The steps of an episode that opens the world, makes these calls one a turn, and is done."""
    return list(act(*calls(OBSERVE, *made), table=table, options=options).steps)[1:-1]


def size_of(trajectory: Trajectory, ref: str) -> tuple[int, int]:
    with Picture.open(io.BytesIO(trajectory.read_frame(trajectory.frames[ref].sha256))) as picture:
        assert picture.size == (trajectory.frames[ref].width, trajectory.frames[ref].height)
        return picture.size


class Seen:
    """An episode in the world of boxes, and which images each answer carried."""

    def __init__(self, table: Table, *made: tuple[str, Any], **options: Any) -> None:
        self.model = script(*calls(OBSERVE, *made))
        self.trajectory = table.play(
            Plane(boxes(), self.model), plane_task(), "scripted/script", options=options
        )
        self.steps = self.trajectory.steps

    def images(self, call: int) -> list[str]:
        """The refs of the images in the answer to the call number `call`, `observe` being 0."""
        return images_after(self.model, call)


def test_observe_opens_the_world_and_then_tells_where_things_stand(table: Table) -> None:
    seen = Seen(
        table, ("turn", {"degrees": 10}), ("write_notes", {"text": "a wall"}), ("flag_bug", BUG), OBSERVE
    )
    first, turned, _, _, again, _ = seen.steps
    assert "picture a0" in first.result and "40 actions left" in first.result and not first.counts
    assert seen.images(0) == ["a0"]
    assert not again.counts and again.t_s == turned.t_s
    assert "The last view is a1; 39 actions left." in again.result
    assert (
        "(action 1) a wall" in again.result
        and "b1 [suspect, geometry, action 1] A box floats." in again.result
    )
    assert seen.images(4) == ["a1"] and list(seen.trajectory.frames) == ["a0", "a1"]


def test_nothing_but_observe_and_done_is_answered_before_the_world_is_open(table: Table) -> None:
    made = act(*calls(move(1.0), ("inspect", {"refs": ["a0"]}), ("flag_bug", BUG)), table=table)
    assert [step.result for step in made.steps[:3]] == [
        "The world is not open yet: call `observe` first."
    ] * 3
    assert not any(step.counts for step in made.steps)
    assert made.outcome.status == "completed" and made.outcome.answer["findings"] == []


@pytest.mark.parametrize(
    ("name", "arguments", "good"),
    [
        ("move", {"direction": "forward", "distance_m": 0.3}, True),
        ("move", {"direction": "back", "distance_m": 4}, True),
        ("move", {"direction": "forward", "distance_m": 0.29}, False),
        ("move", {"direction": "forward", "distance_m": 4.01}, False),
        ("move", {"direction": "left", "distance_m": 1}, False),
        ("move", {"direction": "forward"}, False),
        ("move", {"distance_m": 1}, False),
        ("move", {"direction": "forward", "distance_m": "1"}, False),
        ("move", {"direction": "forward", "distance_m": True}, False),
        ("move", {"direction": "forward", "distance_m": 1, "fast": True}, False),
        ("turn", {"degrees": -180}, True),
        ("turn", {"degrees": 180.0}, True),
        ("turn", {"degrees": 180.5}, False),
        ("turn", {"degrees": -181}, False),
        ("turn", {}, False),
        ("look", {"degrees": 90}, True),
        ("look", {"degrees": -90}, True),
        ("look", {"degrees": 91}, False),
        ("look", {"degrees": -90.5}, False),
        ("interact", {}, True),
        ("interact", {"object": "lamp"}, False),
        ("wait", {"seconds": 0.5}, True),
        ("wait", {"seconds": 5}, True),
        ("wait", {"seconds": 0.4}, False),
        ("wait", {"seconds": 5.1}, False),
        ("wait", {"seconds": None}, False),
    ],
)
def test_an_action_at_and_beyond_its_limits(table: Table, name: str, arguments: Any, good: bool) -> None:
    first, after = steps_of(table, (name, arguments), ("list_bugs", {}))
    assert first.counts is good and refused(first) is not good
    assert ("39 actions left" in first.result) is good
    if not good:
        assert first.t_s == 0.0 and not first.frames
    assert not after.counts


def test_right_and_down_are_positive_for_the_agent_and_negative_inside(table: Table) -> None:
    turned, down, up, walked = steps_of(
        table, ("turn", {"degrees": 30}), ("look", {"degrees": 20}), ("look", {"degrees": -50}), move(2.0)
    )
    assert turned.pose is not None and turned.pose.yaw_deg == pytest.approx(-30)
    assert "heading 30.0" in turned.result
    assert down.pose is not None and down.pose.pitch_deg == pytest.approx(-20) and "gaze 20.0" in down.result
    assert up.pose is not None and up.pose.pitch_deg == pytest.approx(30) and "gaze -30.0" in up.result
    # Heading 30 degrees to the right of +x: ahead and to the right.
    assert walked.pose is not None and walked.pose.y == pytest.approx(-1.0, abs=0.01)
    assert "at x 1.73, y 1.00, height 0.00 m" in walked.result and walked.moved_m == pytest.approx(2.0)


def test_the_gaze_is_clamped_and_a_full_turn_comes_back(table: Table) -> None:
    first, _, _, last = steps_of(
        table,
        ("look", {"degrees": 90}),
        ("turn", {"degrees": 180}),
        ("turn", {"degrees": 180}),
        ("look", {"degrees": -90}),
    )
    assert "gaze 80.0" in first.result
    assert "gaze -10.0" in last.result and "heading 0.0" in last.result and "-0.0" not in last.result


def test_a_blocked_move_stops_early_and_costs_an_action_all_the_same(table: Table) -> None:
    free, blocked, again = steps_of(table, move(1.0), move(4.0), move(0.3))
    assert (free.moved_m, free.blocked) == (pytest.approx(1.0), False)
    assert blocked.counts and blocked.blocked and blocked.moved_m == pytest.approx(1.7, abs=0.01)
    assert "moved 1.70 m" in blocked.result and "38 actions left" in blocked.result
    assert (
        again.counts and again.moved_m == pytest.approx(0.0, abs=0.01) and "37 actions left" in again.result
    )
    assert not any("in the way" in step.result for step in (free, blocked, again))
    (_, told) = steps_of(table, move(1.0), move(4.0), blocked_hint=True)
    assert "Something was in the way." in told.result


def test_interact_operates_what_is_in_the_middle_within_reach(table: Table) -> None:
    made = steps_of(
        table,
        ("interact", {}),
        ("turn", {"degrees": -90}),
        ("interact", {}),
        ("interact", {}),
        ("turn", {"degrees": 180}),
        ("interact", {}),
    )
    told = "nothing to operate in reach there."
    assert [told in step.result for step in made] == [True, False, False, False, False, True]
    assert "operated." in made[2].result and "operated." in made[3].result
    assert all(step.counts for step in made) and made[2].t_s - made[1].t_s == pytest.approx(0.05)


def test_wait_lets_the_world_run(table: Table) -> None:
    short, long = steps_of(table, ("wait", {"seconds": 0.5}), ("wait", {"seconds": 5}))
    assert "0.50 s passed, time 0.50 s" in short.result
    assert long.t_s == pytest.approx(5.5) and "5.00 s passed" in long.result


def test_one_picture_each_half_second_and_at_most_eight(table: Table) -> None:
    seen = Seen(table, ("wait", {"seconds": 5}), ("wait", {"seconds": 1.2}))
    refs = "pictures a1.f1, a1.f2, a1.f3, a1.f4, a1.f5, a1.f6, a1.f7, a1.f8, a1;"
    assert refs in seen.steps[1].result and "pictures a2.f1, a2.f2, a2;" in seen.steps[2].result
    frames = seen.trajectory.frames
    assert [round(frames[f"a1.f{n}"].t_s, 2) for n in (1, 2, 8)] == [0.5, 1.0, 4.0]
    assert seen.images(1) == ["a1"]


def test_film_sends_the_pictures_along_small_and_final_takes_none(table: Table) -> None:
    wait = ("wait", {"seconds": 1})
    film = Seen(table, wait, obs="film", width=640, height=360)
    assert film.images(1) == ["a1.f1#small", "a1.f2#small", "a1"]
    assert size_of(film.trajectory, "a1.f1#small") == (480, 256) and size_of(film.trajectory, "a1") == (
        640,
        360,
    )
    final = Seen(table, wait, obs="final")
    assert list(final.trajectory.frames) == ["a0", "a1"] and final.images(1) == ["a1"]
    tiny = Seen(table, wait, obs="film")
    assert tiny.images(1) == ["a1.f1", "a1.f2", "a1"] == list(tiny.trajectory.frames)[1:]


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


def test_without_proprioception_no_pose_is_told(table: Table) -> None:
    made = steps_of(table, ("turn", {"degrees": 30}), move(1.0), proprio=False)
    assert not any(re.search(r"heading|gaze|at x|moved", step.result) for step in made)
    assert "38 actions left" in made[1].result


def test_the_edge_of_the_area_is_told(table: Table) -> None:
    world = plane_world(spawn=Pose(47.0, 0.0, 0.0))
    made = act(*calls(OBSERVE, move(2.0), move(4.0), move(0.5, "back")), table=table, world=world)
    told = ["edge of the area" in step.result for step in made.steps[:4]]
    assert told == [False, False, True, False]


def test_nothing_is_done_after_the_end(table: Table) -> None:
    made = act(
        [OBSERVE, ("done", {"summary": "x"}), ("turn", {"degrees": 9}), ("flag_bug", BUG)], table=table
    )
    assert [step.result for step in made.steps[2:]] == ["The inspection is over; nothing was done."] * 2
    assert made.outcome.answer == {"findings": [], "summary": "x"} and not made.steps[2].counts


def test_schemas_are_closed_and_described() -> None:
    for tool in tools.offered(Options()):
        assert tool.description.endswith(".") and tool.parameters["additionalProperties"] is False
        assert set(tool.parameters["required"]) <= set(tool.parameters["properties"])
    assert [tool.name for tool in tools.offered(Options())] == list(tools.BY_NAME)
    costly = {tool.name for tool in tools.TOOLS if "Costs 1 action." in tool.description}
    assert costly == set(tools.ENVIRONMENT)


@pytest.mark.gl
def test_in_the_real_simulator(mujoco_table: Table) -> None:
    """The wall stops, the door opens, the pictures are those of the renderer, visibility is stored."""

    class Real(WorldAudit):
        def scripted(self) -> Any:
            return {"script": model}

    model = script(
        *calls(
            OBSERVE,
            ("turn", {"degrees": 60}),
            ("look", {"degrees": 10}),
            move(4.0),
            move(0.3, "back"),
            ("interact", {}),
            ("wait", {"seconds": 0.5}),
            ("inspect", {"refs": ["a3.f1"], "region": [0.4, 0.4, 0.6, 0.6]}),
        )
    )
    made = mujoco_table.play(Real(), indoor(1), "scripted/script")
    assert (
        made.outcome.status == "completed"
        and [step.counts for step in made.steps[:9]] == [False] + [True] * 6 + [False] * 2
    )
    assert "heading 120.0" in made.steps[1].result and "gaze 10.0" in made.steps[2].result
    walked = made.steps[3]
    assert walked.blocked and 0.5 < walked.moved_m < 4.0 and f"moved {walked.moved_m:.2f} m" in walked.result
    assert made.steps[6].t_s - made.steps[5].t_s == pytest.approx(0.5)
    assert {row.ref for row in made.visibility} == {ref for ref in made.frames if "#" not in ref}
    assert size_of(made, "a0") == (160, 90) and size_of(made, "a3.f1#c1")[0] == 960
    assert len({frame.sha256 for frame in made.frames.values()}) > 5
