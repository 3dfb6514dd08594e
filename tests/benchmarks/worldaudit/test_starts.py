"""Starts near the anomaly: a third of the way there, facing as before, and told to nobody."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from benchmarks.worldaudit import make_near
from benchmarks.worldaudit.exposure import focus_of
from benchmarks.worldaudit.plugin import WorldAudit
from benchmarks.worldaudit.starts import NEAR_SHARE, grid_of, near_point, start_of
from benchmarks.worldaudit.suite import bundled_tasks, read_tasks
from embodied_eval.errors import DataFileError
from embodied_eval.records import Task
from embodied_eval.worlds.bundled import load_world
from tests.benchmarks.worldaudit.kit import OBSERVE, Plane, Table, boxes, plane_task, script

TASKS = bundled_tasks()
PLUGIN = WorldAudit()


@pytest.mark.parametrize("task", TASKS, ids=[task.id for task in TASKS])
def test_each_near_start_is_a_third_of_the_way_there(task: Task) -> None:
    world, near = load_world(task.world), task.private["near"]
    point = near_point(task, world)
    assert math.dist(point, near) < 0.3
    grid, spawn = grid_of(world), world.spawn(task.public["spawn"]).position
    assert grid.free(near[0], near[1])
    focus = focus_of(task)
    assert focus is not None
    goal = grid.nearest_free(focus[0], focus[1], reachable_from=spawn[:2])
    assert goal is not None
    route = grid.path(spawn[:2], goal)
    assert route is not None
    whole = sum(math.dist(a, b) for a, b in pairwise(route))
    first = grid.distance(spawn[:2], (near[0], near[1]))
    assert first == pytest.approx(NEAR_SHARE * whole, abs=0.35)


@pytest.mark.parametrize("task", TASKS[::5], ids=[task.id for task in TASKS[::5]])
def test_the_heading_stays(task: Task) -> None:
    world = load_world(task.world)
    near, usual = start_of(task, world, "near"), start_of(task, world, "default")
    assert near.yaw_deg == usual.yaw_deg and near.pitch_deg == usual.pitch_deg == 0.0
    options = PLUGIN.options()
    assert PLUGIN.start(task, options(start="near")) == near
    given = PLUGIN.start(task, options())
    assert given == usual or given == task.public["spawn"]


def test_the_place_is_private() -> None:
    for task in TASKS:
        assert "near" not in task.public and "near" not in str(task.without_truth())


def test_an_episode_starts_there(table: Table) -> None:
    task = plane_task(near=[1.5, -0.75, 0.0])
    for start, place in (("default", "x 0.00, y 0.00"), ("near", "x 1.50, y 0.75")):
        made = table.play(
            Plane(boxes(), script([OBSERVE])), task, "scripted/script", options={"start": start}
        )
        assert f"You are at {place}, height 0.00 m, heading 0.0" in made.steps[0].result
    with pytest.raises(DataFileError, match="has no near start"):
        start_of(plane_task(), boxes(), "near")


def test_a_task_file_is_written_and_rewritten() -> None:
    path = make_near.FOLDER / "indoor.toml"
    text = path.read_text("utf-8")
    made = make_near.with_near(text, "indoor/03", (1.25, 2.0, 0.0))
    tasks = {task.id: task for task in read_tasks(made, path.name)}
    before = {task.id: task for task in read_tasks(text, path.name)}
    assert tasks["indoor/03"].private["near"] == [1.25, 2, 0]
    assert {key: task for key, task in tasks.items() if key != "indoor/03"} == {
        key: task for key, task in before.items() if key != "indoor/03"
    }
    near = before["indoor/03"].private["near"]
    again = make_near.with_near(made, "indoor/03", near)
    assert read_tasks(again, path.name) == list(before.values())


def test_a_task_without_way_to_its_anomaly_is_told() -> None:
    task = next(one for one in TASKS if one.world == "indoor")
    nowhere = Task(task.id, task.public, {**task.private, "target": {"object": "nothing"}, "effects": []})
    with pytest.raises(DataFileError, match="no way leads"):
        near_point(nowhere, load_world("indoor"))
