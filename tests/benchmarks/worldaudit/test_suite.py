"""The task files: what a faulty one is told, and what every bundled task must keep."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from benchmarks.worldaudit.certificate import PLAYED_CHECKS
from benchmarks.worldaudit.plugin import WorldAudit
from benchmarks.worldaudit.scripted.oracle import Oracle, paraphrases
from benchmarks.worldaudit.suite import bundled_tasks, read_tasks
from benchmarks.worldaudit.taxonomy import FAMILIES, SUBCATEGORIES
from benchmarks.worldaudit.tools import CATEGORIES, TOOLS
from benchmarks.worldaudit.truth import truth
from embodied_eval.benchmark import Trajectory
from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.errors import DataFileError, SchemaMismatch
from embodied_eval.records import Outcome, Task
from embodied_eval.worlds.bundled import load_world
from embodied_eval.worlds.effects import parse_effects, required_capabilities
from embodied_eval.worlds.effects.changes import CHANGES
from embodied_eval.worlds.effects.fit import added_names, check_fit
from embodied_eval.worlds.effects.triggers import TRIGGERS

TEXT = files("benchmarks.worldaudit").joinpath("tasks/indoor.toml").read_text("utf-8")
TASKS = bundled_tasks()
IDS = [task.id for task in TASKS]
WORLDS = sorted({task.world for task in TASKS})


def edited(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (edited('spawn = "living_room"\n', ""), "indoor.toml, task 1: the key 'spawn' is missing"),
        (edited('id = "indoor/02"\n', ""), "indoor.toml, task 2: the key 'id' is missing"),
        (edited('watch = ["ottoman_1"]', 'watch = "ottoman_1"'), "task 1: watch must be a list"),
        (edited('watch = ["ottoman_1"]', 'watches = ["ottoman_1"]'), "the key 'watch' is missing"),
        (edited("[task.target]", "colour = 1\n[task.target]"), "there is no key 'colour'; legal:"),
        (edited('scene = "living_room"', 'scene = "attic"'), "task 1 (indoor/01): there is no scene 'attic'"),
        (edited('"G1"', '"G9"'), "task 1 (indoor/01): 'G9' is no sub-category; legal: G1, G2"),
        (edited('id = "indoor/02"', 'id = "indoor/01"'), "task 2: the id 'indoor/01' is used twice"),
        (edited('id = "indoor/01"', 'id = "Indoor 1"'), "the id must fit"),
        (edited('label = "ottoman"\n', ""), "target: the key 'label' is missing"),
        (edited('expected = "It stands on the floor."\n', ""), "rubric: the key 'expected' is missing"),
        (edited('say = "floating"\n', ""), "solution: the key 'say' is missing"),
        (edited('cite = ["seen"]', 'cite = ["later"]'), "no step is marked 'later', which is cited"),
        (edited('{ do = "view", object', "{ object"), "solution, step 1: a step is a table with `do`"),
        (edited('world = "indoor"\n', ""), "indoor.toml: the key 'world' is missing"),
        (
            edited('[scenes.living_room]\ndescription = "', '[scenes.living_room]\ntext = "'),
            "scene 'living_room'",
        ),
        ('schema = "embodied-eval/tasks/1"\nscenes = 3\n', "the key 'environment' is missing"),
        (edited("[[task]]", "[[task]"), "indoor.toml is not valid TOML"),
        (TEXT[:3000] + '\n"', "indoor.toml is not valid TOML"),
    ],
)
def test_a_faulty_file_is_told_with_its_name_and_the_place(text: str, told: str) -> None:
    with pytest.raises(DataFileError) as caught:
        read_tasks(text, "indoor.toml")
    assert told in str(caught.value) and str(caught.value).startswith("indoor.toml")


@pytest.mark.parametrize("schema", ['"embodied-eval/tasks/2"', "1"])
def test_a_file_of_another_schema_is_told_with_both(schema: str) -> None:
    with pytest.raises(SchemaMismatch, match=r"indoor\.toml has schema .*reads 'embodied-eval/tasks/1'"):
        read_tasks(edited('"embodied-eval/tasks/1"', schema), "indoor.toml")


def test_ids_are_unique_over_files() -> None:
    with pytest.raises(DataFileError, match=r"more\.toml, task 1: the id 'indoor/01' is used twice"):
        read_tasks(TEXT, "more.toml", taken=["indoor/01"])


def test_each_sub_category_has_its_tasks_and_the_families_their_tags() -> None:
    counts = Counter(task.private["subcategory"] for task in TASKS)
    assert set(counts) == set(SUBCATEGORIES) and min(counts.values()) >= 3 and len(TASKS) >= 42
    for task in TASKS:
        code = task.public["subcategory"]
        assert task.tags == (code, SUBCATEGORIES[code].family) and task.tags[1] in FAMILIES
    assert {task.scene for task in TASKS} == {
        f"{name}/{region.name}" for name in WORLDS for region in load_world(name).regions
    }


def test_the_whole_range_of_triggers_and_changes_is_used() -> None:
    effects = [effect for task in TASKS for effect in task.private["effects"]]
    assert {effect["trigger"]["kind"] for effect in effects} == set(TRIGGERS)
    unused = set(CHANGES) - {effect["change"]["kind"] for effect in effects}
    assert unused <= {"show", "duplicate", "light"}


def test_ids_tell_nothing() -> None:
    """A world and a running number."""
    for world in WORLDS:
        mine = [task.id for task in TASKS if task.world == world]
        assert mine == [f"{world}/{n:02d}" for n in range(1, len(mine) + 1)]


SENSES = (
    {"embedded", "stuck_in"},
    {"launched", "leapt"},
    {"one_sided", "vanishes_when_faced"},
    {"no_shadow", "no_shadow_around"},
    {"bad_material", "checkered", "wrong_material"},
    {"moved", "moves_to_and_fro"},
    {"wrong_era", "wrong_era_station"},
)
"""The oracle's keys that say the same of a thing: a report of one may be credited for the other."""


def sense_of(task: Task) -> frozenset[str]:
    say = task.private["solution"]["say"]
    return next((frozenset(keys) for keys in SENSES if say in keys), frozenset({say}))


def names_of(task: Task) -> tuple[str, ...]:
    target = task.private["target"]
    return (target["label"], *target["synonyms"])


def called(task: Task) -> set[str]:
    """What its object may be called, in the task and, shared with things of the same name, in its world."""
    names = set(names_of(task))
    for item in objects_of(task.world).values():
        if names & {item.label, *item.synonyms}:
            names |= {item.label, *item.synonyms}
    return names


@cache
def objects_of(world: str) -> Mapping[str, Any]:
    return {item.name: item for item in load_world(world).objects}


@pytest.mark.parametrize("task", TASKS, ids=IDS)
class TestEveryTask:
    """What holds for each bundled task by itself."""

    def test_its_effects_parse_and_fit_the_world_and_the_driver(self, task: Task) -> None:
        world = load_world(task.world)
        effects = parse_effects(task.private["effects"], where=task.id)
        check_fit(world, effects)
        assert effects and required_capabilities(effects) <= MujocoDriver.capabilities
        there = {*objects_of(task.world), *(name for names in added_names(world, effects) for name in names)}
        assert set(task.private["watch"]) <= there and task.private["target"]["object"] in there
        assert task.private["target"]["object"] in task.private["watch"]

    def test_its_start_and_places_exist(self, task: Task) -> None:
        world = load_world(task.world)
        assert task.public["spawn"] in {spawn.name for spawn in world.spawns}
        regions = {region.name for region in world.regions}
        assert {task.public["scene"], task.private["target"]["region"]} <= regions
        assert world.spawn(task.public["spawn"]).region == task.public["scene"]

    def test_its_solution_can_be_followed(self, task: Task) -> None:
        solution = task.private["solution"]
        assert solution["category"] in CATEGORIES and solution["say"] in paraphrases()
        assert 1 <= len(solution["cite"]) <= 5
        for step in solution["steps"]:
            assert hasattr(Oracle, f"_do_{step['do']}")
            assert "object" not in step or step["object"] in objects_of(task.world)

    def test_the_judge_knows_its_words(self, task: Task) -> None:
        """Each of the oracle's sentences, with each name of the object, is credited."""
        target, solution = task.private["target"], task.private["solution"]
        for words in paraphrases()[solution["say"]]:
            for name in (target["label"], *target["synonyms"]):
                text = words.format(label=name, **solution.get("with", {}))
                assert identified(task, text), text

    def test_the_judge_credits_no_other_object_and_no_other_fault(self, task: Task) -> None:
        target, solution = task.private["target"], task.private["solution"]
        for other in TASKS:
            label, theirs = other.private["target"]["label"], other.private["solution"]
            with_ = {**theirs.get("with", {}), **solution.get("with", {})}
            same_thing = any(label.endswith(name) for name in called(task))
            if task.private["subcategory"] != "C2" and not same_thing:  # an unseen obstacle has no name
                wrong_object = paraphrases()[solution["say"]][0].format(label=label, **with_)
                assert not identified(task, wrong_object), wrong_object
            if sense_of(other) != sense_of(task):
                wrong_fault = paraphrases()[theirs["say"]][0].format(label=target["label"], **with_)
                assert not identified(task, wrong_fault), wrong_fault

    def test_its_public_half_tells_no_truth(self, task: Task) -> None:
        told = " ".join(map(str, task.public.values()))
        same_scene = [dict(other.public) for other in TASKS if other.scene == task.scene]
        for key in ("instruction", "scene_description", "environment"):
            assert len({public[key] for public in same_scene}) == 1
        private = task.private
        secrets = [*private["rubric"].values(), *private["watch"], private["solution"]["say"]]
        secrets += [effect["change"]["kind"] for effect in private["effects"]]
        secrets += [effect["trigger"]["kind"] for effect in private["effects"]]
        for secret in secrets:
            assert not re.search(rf"\b{re.escape(secret)}\b", told), secret
        assert task.without_truth().private == {}


@pytest.mark.parametrize("world", WORLDS)
def test_object_names_tell_nothing(world: str) -> None:
    """A name is a kind and a number: nobody who sees one learns that it is a target."""
    for name in objects_of(world):
        assert re.fullmatch(r"[a-z][a-z_]*_\d+", name), name


def test_listing_tasks_loads_neither_world_nor_simulator() -> None:
    import subprocess
    import sys

    code = (
        "import sys; from benchmarks.worldaudit.plugin import WorldAudit; n = len(WorldAudit().tasks());"
        "print(n, sorted({'numpy', 'mujoco', 'moderngl', 'duckdb', 'pydantic', 'PIL'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"{len(TASKS)} []"


def test_every_condition_fits_the_options() -> None:
    plugin = WorldAudit()
    for condition in plugin.conditions():
        options: Callable[..., Any] = plugin.options()
        assert options(**condition.settings).budget >= 20


def identified(task: Task, description: str) -> bool:
    """Whether the judge credits a report of these words."""
    finding = {"id": "b1", "description": description, "status": "confirmed", "evidence": []}
    made = Trajectory(
        episode_key="0" * 32,
        task=task,
        condition=WorldAudit().conditions()[0],
        model="scripted/oracle",
        repeat=0,
        outcome=Outcome("completed", {"findings": [finding], "summary": ""}),
        steps=(),
        calls=(),
        events=(),
        visibility=(),
        frames={},
        rows={},
        read_frame=lambda sha256: b"",
    )
    return bool(truth(made)[0].passed)


def test_the_page_names_everything() -> None:
    page = (Path(__file__).parents[3] / "docs" / "worldaudit.md").read_text("utf-8")
    plugin = WorldAudit()
    names = [tool.name for tool in TOOLS] + list(plugin.options().model_fields)
    names += [condition.name for condition in plugin.conditions()]
    names += [f"scripted/{name}" for name in plugin.scripted()]
    names += ["clean_world", "effects_fit", *PLAYED_CHECKS]
    names += [name.removeprefix("_do_") for name in vars(Oracle) if name.startswith("_do_")]
    assert [name for name in names if f"`{name}`" not in page] == []
    assert [code for code in SUBCATEGORIES if code not in page] == []
