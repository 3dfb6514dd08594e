"""Several anomalies: what stands beside the anchors, that it may, and that each of them can be found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.worldaudit import make_compositions
from benchmarks.worldaudit.composing import problems
from benchmarks.worldaudit.joint import joint_truth, targets_of
from benchmarks.worldaudit.make_compositions import ANCHORS, CONFIGURATIONS, draw, text_of
from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.plugin import WorldAudit
from benchmarks.worldaudit.scripted.oracle import paraphrases
from benchmarks.worldaudit.several import CHANGES, Addition, compose, compositions, variants_of
from benchmarks.worldaudit.suite import TASK_ID, bundled_tasks
from embodied_eval.benchmark import Trajectory
from embodied_eval.records import Condition, Outcome, Task
from embodied_eval.worlds.bundled import load_world
from embodied_eval.worlds.effects import parse_effects
from embodied_eval.worlds.effects.fit import check_fit
from tests.benchmarks.worldaudit.kit import Table, indoor

TASKS = {task.id: task for task in bundled_tasks()}
PLUGIN = WorldAudit()
ALL = [(anchor, number) for anchor, found in compositions().items() for number in found]


def variant(anchor: str, number: int, anomalies: str = "ABC") -> Task:
    made = variants_of(TASKS[anchor], Options(anomalies=anomalies))  # type: ignore[arg-type]
    return made[number - 1]


def check(anchor: str, number: int) -> None:
    task, additions = TASKS[anchor], compositions()[anchor][number]
    assert problems(load_world(task.world), task, additions) == []


def test_three_anchors_a_scene_with_two_configurations_each() -> None:
    assert len(compositions()) >= 6 and set(compositions()) == set(ANCHORS)
    assert all(sorted(found) == list(CONFIGURATIONS) for found in compositions().values())
    scenes = [TASKS[anchor].scene for anchor in compositions()]
    assert {scenes.count(scene) for scene in scenes} == {3}
    assert len({TASKS[anchor].private["subcategory"] for anchor in compositions()}) == len(compositions())


@pytest.mark.parametrize(("anchor", "number"), ALL)
def test_what_is_added_is_of_another_kind_and_elsewhere(anchor: str, number: int) -> None:
    task, additions = TASKS[anchor], compositions()[anchor][number]
    world = load_world(task.world)
    assert len(additions) == 2
    codes = {task.private["subcategory"], *(one.subcategory for one in additions)}
    names = {*task.private["watch"], *(one.object for one in additions)}
    assert len(codes) == 3 and len(names) == len(task.private["watch"]) + 2
    for one in additions:
        assert one.subcategory in CHANGES and world.object(one.object).region == task.public["scene"]
    others = {a for other, row in compositions()[anchor].items() if other != number for a in row}
    assert not others & set(additions)


def test_they_pass_every_check() -> None:
    """A sample; all of them in the full run."""
    check(*ALL[0])


@pytest.mark.full
@pytest.mark.parametrize(("anchor", "number"), ALL)
def test_all_pass_every_check(anchor: str, number: int) -> None:
    check(anchor, number)


def test_the_checks_tell_what_is_wrong() -> None:
    task, world = indoor(14), load_world("indoor")  # the television is turned round

    def told(*additions: tuple[str, str], of: Task = task) -> str:
        return "; ".join(problems(world, of, [Addition(*one) for one in additions]))

    assert "repeat" in told(("ottoman_1", "G1"), ("ottoman_1", "G3"))
    assert told(("ottoman_1", "G1"), ("cat_1", "G1")) == "objects or sub-categories repeat"
    for unfit in (("tv_1", "G1"), ("toy_ball_1", "G1"), ("sofa_1", "G1"), ("dining_chair_1", "C1")):
        assert "is not fit for" in told(unfit)
    assert "reaches into" in told(("ottoman_1", "G3"))
    near = replace(task, private={**task.private, "effects": [Addition("book_stack_1", "G1").effect]})
    assert "candle_1 is too near A" in told(("candle_1", "G1"), of=near)
    heard = replace(
        task,
        private={
            **task.private,
            "effects": [{**task.private["effects"][0], "trigger": {"kind": "contact", "with": "cat_1"}}],
        },
    )
    assert told(("cat_1", "G1"), of=heard) == "A is set off by cat_1"


@pytest.mark.full
def test_drawing_again_gives_the_same_file() -> None:
    drawn: list[Any] = []
    for anchor in ANCHORS:
        taken: list[Addition] = []
        for number in CONFIGURATIONS:
            taken += draw(TASKS[anchor], number, taken)
            drawn.append((anchor, number, taken[-2:]))
    assert text_of(drawn) == Path(make_compositions.FILE).read_text("utf-8")


@pytest.mark.parametrize("anomalies", ["AB", "ABC"])
def test_what_is_played_holds_a_as_it_was_and_the_rest(anomalies: str) -> None:
    for anchor in compositions():
        task = TASKS[anchor]
        made = PLUGIN.variants(task, Options(anomalies=anomalies))  # type: ignore[arg-type]
        assert [one.id for one in made] == [f"{anchor}_{anomalies.lower()}{n}" for n in CONFIGURATIONS]
        for one in made:
            assert TASK_ID.fullmatch(one.id) and one.public == task.public and one.tags == task.tags
            targets = targets_of(one)
            assert [target.label for target in targets] == list(anomalies)
            assert targets[0].private["effects"] == task.private["effects"]
            assert targets[0].private["target"] == task.private["target"]
            assert one.private["effects"] == [e for target in targets for e in target.private["effects"]]
            assert set(one.private["watch"]) == {n for target in targets for n in target.private["watch"]}
            assert PLUGIN.effects(one) == tuple(one.private["effects"])
            check_fit(load_world(one.world), parse_effects(one.private["effects"], where=one.id))


def test_ab_is_part_of_abc() -> None:
    for anchor, number in ALL:
        two, three = variant(anchor, number, "AB"), variant(anchor, number)
        assert three.private["targets"][:2] == two.private["targets"]


def test_a_task_that_anchors_nothing_is_not_played_with_several() -> None:
    for task in TASKS.values():
        anchors = task.id in compositions()
        assert variants_of(task, Options()) == (task,)
        assert variants_of(task, Options(anchors_only=True)) == ((task,) if anchors else ())
        assert len(variants_of(task, Options(anomalies="AB"))) == (2 if anchors else 0)


@pytest.mark.parametrize(("anchor", "number"), ALL)
def test_the_judge_matches_each_report_to_its_target(anchor: str, number: int) -> None:
    task = variant(anchor, number)
    words = []
    for target in targets_of(task):
        solution = target.private["solution"]
        text = paraphrases()[solution["say"]][0]
        words.append(text.format(label=target.private["target"]["label"], **solution.get("with", {})))
    made = judged(task, words)
    assert [made[f"identified:{label}"] for label in "ABC"] == [True] * 3 and made["identified"]
    one = judged(task, words[1:2])
    assert [one[f"identified:{label}"] for label in "ABC"] == [False, True, False] and not one["identified"]


def judged(task: Task, reports: list[str]) -> dict[str, bool | None]:
    findings = [
        {"id": f"b{n}", "description": text, "status": "confirmed", "evidence": []}
        for n, text in enumerate(reports, 1)
    ]
    made = Trajectory(
        episode_key="0" * 32,
        task=task,
        condition=Condition("multi-abc"),
        model="m",
        repeat=0,
        outcome=Outcome("completed", {"findings": findings, "summary": ""}),
        steps=(),
        calls=(),
        events=(),
        visibility=(),
        frames={},
        rows={},
        read_frame=lambda sha256: b"",
    )
    return {verdict.item: verdict.passed for verdict in joint_truth(made)}


def found_by_the_oracle(table: Table, anchor: str, number: int) -> None:
    task = variant(anchor, number)
    made = table.play(PLUGIN, task, "scripted/oracle", options={"obs": "final", "width": 320, "height": 180})
    verdicts = {verdict.item: verdict for verdict in joint_truth(made)}
    told = {item: verdict.reason for item, verdict in verdicts.items() if not verdict.passed}
    assert made.outcome.status == "completed" and told == {}
    assert set(verdicts) == {"identified", "evidenced", *(f"identified:{label}" for label in "ABC")}
    assert sum(step.counts for step in made.steps) <= Options().budget
    inside = {event.data["object"] for event in made.events if event.kind == "inside"}
    assert {one.object for one in compositions()[anchor][number] if one.subcategory == "C1"} <= inside


@pytest.mark.gl
def test_all_three_can_be_found_and_shown(mujoco_table: Table) -> None:
    found_by_the_oracle(mujoco_table, "indoor/14", 2)


@pytest.mark.full
@pytest.mark.gl
@pytest.mark.parametrize(("anchor", "number"), ALL)
def test_all_of_each_composition_can_be_found(mujoco_table: Table, anchor: str, number: int) -> None:
    found_by_the_oracle(mujoco_table, anchor, number)


def test_a_composition_is_made_of_any_additions() -> None:
    task, world = indoor(11), load_world("indoor")
    made = compose(task, world, [Addition("cat_1", "G3")], "x/1")
    target = made.private["targets"][1]
    assert target["target"]["label"] == "cat" and target["solution"]["say"] == "oversized"
    assert "cat" in target["rubric"]["anomaly"] and len(target["target"]["surroundings"]) == 5
