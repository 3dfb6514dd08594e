"""The tools that act, one by one: parameters, limits, cost, answers, refusals."""

from __future__ import annotations

import re
from typing import Any

import pytest

from benchmarks.worldaudit import tools
from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.plugin import WorldAudit
from embodied_eval.records import Pose
from tests.benchmarks.worldaudit.kit import (
    BUG,
    OBSERVE,
    Seen,
    Table,
    act,
    calls,
    indoor,
    move,
    refused,
    script,
    size_of,
    steps_of,
)
from tests.testing_world import plane_world


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
    assert free.moved_m == pytest.approx(1.0) and not free.blocked
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


def test_without_proprioception_no_pose_is_told(table: Table) -> None:
    made = steps_of(table, ("turn", {"degrees": 30}), move(1.0), proprio=False)
    assert not any(re.search(r"heading|gaze|at x|moved", step.result) for step in made)
    assert "38 actions left" in made[1].result


def test_the_edge_of_the_area_is_told(table: Table) -> None:
    world = plane_world(spawn=Pose(47.0, 0.0, 0.0))
    made = act(*calls(OBSERVE, move(2.0), move(4.0), move(0.5, "back")), table=table, world=world)
    told = ["edge of the area" in step.result for step in made.steps[:4]]
    assert told == [False, False, True, False]


def test_schemas_are_closed_and_described() -> None:
    for tool in tools.offered(Options()):
        assert tool.description.endswith(".") and tool.parameters["additionalProperties"] is False
        assert set(tool.parameters["required"]) <= set(tool.parameters["properties"])
    assert [tool.name for tool in tools.offered(Options())] == [tool.name for tool in tools.TOOLS]
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
