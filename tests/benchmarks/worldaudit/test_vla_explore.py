"""Explorations: what is recorded, tick by tick and frame by frame, and what is done for a policy that is stuck."""

from __future__ import annotations

import json
import sys

import pytest

from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.vla.explore import view_size
from benchmarks.worldaudit.vla.reflexes import Reflexes
from embodied_eval.policies import POOL
from embodied_eval.policies.base import STILL, Act
from tests.benchmarks.worldaudit.kit import Table, boxes, plane_task
from tests.benchmarks.worldaudit.vla_kit import SECONDS, explored

WALK = Act(frozenset({"KeyW"}))


def test_an_exploration_is_an_ordinary_trajectory(table: Table) -> None:
    made = explored(table, boxes())
    assert made.outcome.status == "completed" and made.outcome.answer["ticks"] == SECONDS * 20
    assert list(made.frames) == [f"a{n}" for n in range(SECONDS * 2 + 1)]
    assert [frame.t_s for frame in made.frames.values()] == [n / 2 for n in range(SECONDS * 2 + 1)]
    assert [step.action for step in made.steps] == ["observe"] + ["explore"] * SECONDS * 2
    assert all(frame.pose == step.pose for step in made.steps for frame in step.frames)
    ticks = made.rows["ticks"]
    assert [row["tick"] for row in ticks] == list(range(1, SECONDS * 20 + 1))
    assert ticks[-1]["t_s"] == SECONDS and ticks[0]["keys"] == "KeyW"
    path_m = sum(row["moved_m"] for row in ticks)
    assert made.outcome.answer["path_m"] == pytest.approx(path_m, abs=1e-3) and path_m > 0.5
    assert sum(step.moved_m for step in made.steps) == pytest.approx(path_m, abs=1e-4)
    assert "forward held 0.50 s" in made.steps[1].result


def test_the_same_seed_explores_the_same_and_another_one_does_not(table: Table) -> None:
    one, two, other = (explored(table, boxes(), options={"explore_s": 5}, seed=seed) for seed in (0, 0, 1))
    assert one.rows["ticks"] == two.rows["ticks"] != other.rows["ticks"]


def test_a_policy_that_is_stuck_is_turned_to_alternate_sides() -> None:
    reflexes = Reflexes(recovery=True, nudge=True)
    sides = []
    for _ in range(2):
        for _ in range(40):
            assert reflexes.next() is None and not reflexes.note(WALK, 0.0)
        acts = [reflexes.next() for _ in range(22)]
        assert all(act is not None and act[1] == "recovery" for act in acts)
        assert [act[0].keys for act in acts if act][:10] == [frozenset({"KeyS"})] * 10
        sides.append({act[0].dx for act in acts[10:] if act})
    assert sides == [{105.0}, {-105.0}] and reflexes.next() is None and reflexes.recoveries == 2


def test_moving_on_is_not_being_stuck() -> None:
    reflexes = Reflexes(recovery=True, nudge=True)
    for tick in range(200):
        reflexes.note(WALK, 0.0 if tick % 39 else 0.11)
    assert reflexes.recoveries == 0


def test_an_idle_policy_looks_round_and_every_second_time_walks_and_starts_afresh() -> None:
    reflexes = Reflexes(recovery=True, nudge=True)
    resets, walks = [], []
    for _ in range(4):
        resets.append([reflexes.note(STILL, 0.0) for _ in range(40)][-1])
        taken = []
        while (forced := reflexes.next()) is not None:
            assert forced[1] == "nudge"
            taken.append(forced[0])
        walks.append(sum(act == WALK for act in taken))
        assert any(act.dx for act in taken)
    assert resets == [False, True, False, True] and walks == [0, 10, 0, 10]


def test_both_can_be_switched_off() -> None:
    reflexes = Reflexes(recovery=False, nudge=False)
    for _ in range(100):
        assert not reflexes.note(WALK, 0.0) and reflexes.next() is None
    for _ in range(100):
        assert not reflexes.note(STILL, 0.0) and reflexes.next() is None


@pytest.mark.parametrize(("nudge", "moves"), [(True, True), (False, False)])
def test_what_the_nudge_does_is_recorded_tick_by_tick(table: Table, nudge: bool, moves: bool) -> None:
    made = explored(table, boxes(), options={"policy": "still", "explore_s": 8, "idle_nudge": nudge})
    rows = made.rows["ticks"]
    nudged = [row["tick"] for row in rows if row["nudge"]]
    assert bool(nudged) is moves and (made.outcome.answer["nudges"] > 1) is moves
    if moves:
        # 40 idle ticks, 24 of looking round, 40 idle, 34 of looking round and walking.
        assert nudged == [*range(41, 65), *range(105, 139)]
        assert made.outcome.answer["path_m"] == pytest.approx(10 * 0.11)


def test_walking_into_a_wall_is_recovered_from(table: Table) -> None:
    command = json.dumps([sys.executable, "-c", WALKER])
    made = explored(table, boxes(), options={"policy": f"command:{command}", "explore_s": 6})
    POOL.close()
    assert made.outcome.answer["recoveries"] == 1
    rows = made.rows["ticks"]
    recovery = [row for row in rows if row["recovery"]]
    assert [row["keys"] for row in recovery] == ["KeyS"] * 10 + [""] * 12
    first = recovery[0]["tick"]
    assert all(row["blocked"] for row in rows[first - 40 : first - 1])
    assert any(step.blocked for step in made.steps)
    # While it recovers, the policy is not asked.
    assert sum(row["dy"] == 1.0 for row in rows) == len(rows) - len(recovery)


WALKER = """
import json, sys
print("#READY", flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message.get("cmd") == "quit": break
    if "img" in message: print("#ACT " + json.dumps({"keys": ["KeyW"], "buttons": [], "dx": 0, "dy": 1}), flush=True)
"""


def test_a_policy_that_dies_is_no_failure_of_any_model(table: Table) -> None:
    command = json.dumps([sys.executable, "-c", "print('#READY', flush=True)"])
    made = explored(table, boxes(), options={"policy": f"command:{command}"})
    assert made.outcome.status == "simulator_error" and "ended" in made.outcome.reason


def test_the_world_is_planted_and_watched_while_a_policy_explores(table: Table) -> None:
    effect = {
        "trigger": {"kind": "after", "t_s": 1.0},
        "change": {"kind": "offset", "by_m": [0.0, 0.0, 0.5]},
        "target": "wall",
        "once": True,
    }
    task = plane_task(watch=["wall"], effects=[effect], target={"label": "wall", "object": "wall"})
    made = explored(table, boxes(), task=task)
    fired = [event for event in made.events if event.kind == "trigger"]
    assert [event.t_s for event in fired] == [pytest.approx(1.0, abs=0.06)] and all(e.private for e in fired)
    assert {row.ref for row in made.visibility} == set(made.frames)


def test_the_policys_view_is_as_wide_as_the_frames() -> None:
    assert view_size(Options()) == (342, 192)
    assert view_size(Options(width=640, height=640)) == (192, 192)
