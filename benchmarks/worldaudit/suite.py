"""The task files: `tasks/*.toml`, schema `embodied-eval/tasks/1`, read and checked once.

What effects may say, and whether they fit the world, is checked where they are planted and by `verify`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from benchmarks.worldaudit.taxonomy import SUBCATEGORIES
from embodied_eval.benchmark import Benchmark, Offer
from embodied_eval.errors import DataFileError, SchemaMismatch
from embodied_eval.records import Task

SCHEMA = "embodied-eval/tasks/1"
INSTRUCTION = (
    "Inspect this world. Find what was made wrong in it on purpose, make sure of it, and report it with the "
    "pictures that show it."
)
TASK_ID = re.compile(r"[a-z0-9][a-z0-9/_-]{0,95}")
HEAD: dict[str, type] = {
    "schema": str,
    "environment": str,
    "engine": str,
    "world": str,
    "scenes": dict,
    "task": list,
}
REQUIRED: dict[str, type] = {
    "id": str,
    "scene": str,
    "spawn": str,
    "subcategory": str,
    "watch": list,
    "target": dict,
    "rubric": dict,
    "effects": list,
}
OPTIONAL: dict[str, type] = {"solution": dict, "yaw_deg": float, "near": list, "match": dict, "needs": list}
RUBRIC: dict[str, type] = {"anomaly": str, "expected": str, "conditions": str}
SOLUTION: dict[str, type] = {"say": str, "category": str, "cite": list, "steps": list}
PRIVATE = ("subcategory", "watch", "target", "rubric", "solution", "effects", "match", "near")


@cache
def bundled_tasks() -> tuple[Task, ...]:
    """Every bundled task, file by file in alphabetical order."""
    folder = files("benchmarks.worldaudit").joinpath("tasks")
    names = sorted(item.name for item in folder.iterdir() if item.name.endswith(".toml"))
    made: list[Task] = []
    for name in names:
        made += read_tasks(folder.joinpath(name).read_text("utf-8"), name, taken=[task.id for task in made])
    return tuple(made)


def own_offer(benchmark: Benchmark, path: Path, world: str) -> Offer:
    """What a user's own task file offers: on the driver `unrealcv` where its worlds are games."""
    tasks = own_tasks(path)
    if world:
        tasks = tuple(replace(task, world=world) for task in tasks)
    games = any(task.world.startswith("ue:") for task in tasks)
    return Offer(tasks, benchmark.conditions(), "unrealcv" if games else benchmark.default_driver)


def own_tasks(path: Path) -> tuple[Task, ...]:
    """The tasks of a user's own file, their world found from its folder where it is a file or in a pack. Raises
    DataFileError or SchemaMismatch."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataFileError(f"The task file {path} cannot be read: {error}.") from error
    return tuple(replace(task, world=_found(task.world, path.parent)) for task in read_tasks(text, str(path)))


def _found(world: str, folder: Path) -> str:
    prefix = next((one for one in ("ue:", "page:") if world.startswith(one)), "")
    where = world.removeprefix(prefix)
    if (prefix or where.endswith(".json")) and "://" not in where and not Path(where).is_absolute():
        return f"{prefix}{folder / where}"
    return world


def read_tasks(text: str, where: str, *, taken: Iterable[str] = ()) -> list[Task]:
    """The tasks of one file, none of whose ids may be in `taken`.

    Raises DataFileError or SchemaMismatch, naming the file `where` and the place in it.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataFileError(f"{where} is not valid TOML: {error}.") from error
    if data.get("schema") != SCHEMA:
        raise SchemaMismatch(f"{where} has schema {data.get('schema')!r}; this version reads {SCHEMA!r}.")
    _check(data, where, HEAD)
    for name, scene in data["scenes"].items():
        _check(scene, f"{where}, scene {name!r}", {"description": str})
    made: list[Task] = []
    ids = set(taken)
    for number, row in enumerate(data["task"], 1):
        task = _task(row, data, f"{where}, task {number}")
        if task.id in ids:
            raise DataFileError(f"{where}, task {number}: the id {task.id!r} is used twice.")
        ids.add(task.id)
        made.append(task)
    return made


def _task(row: Mapping[str, Any], data: Mapping[str, Any], where: str) -> Task:
    _check(row, where, REQUIRED, OPTIONAL)
    where = f"{where} ({row['id']})"
    if not TASK_ID.fullmatch(row["id"]):
        raise DataFileError(f"{where}: the id must fit {TASK_ID.pattern}.")
    scene, kind = row["scene"], row["subcategory"]
    if scene not in data["scenes"]:
        raise DataFileError(f"{where}: there is no scene {scene!r}; legal: {', '.join(data['scenes'])}.")
    if kind not in SUBCATEGORIES:
        raise DataFileError(f"{where}: {kind!r} is no sub-category; legal: {', '.join(SUBCATEGORIES)}.")
    if "label" not in row["target"]:
        raise DataFileError(f"{where}, target: the key 'label' is missing.")
    _check(row["rubric"], f"{where}, rubric", RUBRIC)
    if "solution" in row:
        _check_solution(row["solution"], f"{where}, solution")
    public = {
        "environment": data["environment"],
        "scene": scene,
        "spawn": row["spawn"],
        "subcategory": kind,
        "instruction": INSTRUCTION,
        "scene_description": data["scenes"][scene]["description"],
    }
    if "yaw_deg" in row:
        public["yaw_deg"] = float(row["yaw_deg"])
    return Task(
        id=row["id"],
        public=public,
        private={"world": data["world"], **{key: row[key] for key in PRIVATE if key in row}},
        engine=data["engine"],
        scene=f"{data['environment']}/{scene}",
        world=data["world"],
        tags=(kind, SUBCATEGORIES[kind].family),
        needs=tuple(row.get("needs", ())),
    )


def _check_solution(solution: Mapping[str, Any], where: str) -> None:
    _check(solution, where, SOLUTION, {"with": dict})
    for number, step in enumerate(solution["steps"], 1):
        if not isinstance(step, Mapping) or not isinstance(step.get("do"), str):
            raise DataFileError(f"{where}, step {number}: a step is a table with `do`, not {step!r}.")
    marks = {step["mark"] for step in solution["steps"] if "mark" in step}
    for name in solution["cite"]:
        if name not in marks:
            raise DataFileError(f"{where}: no step is marked {name!r}, which is cited.")


def _check(
    table: Any, where: str, required: Mapping[str, type], optional: Mapping[str, type] | None = None
) -> None:
    """Every required key there and of its type, and with `optional` given, no key beyond both."""
    if not isinstance(table, Mapping):
        raise DataFileError(f"{where} must be a table, not {table!r}.")
    for key in required:
        if key not in table:
            raise DataFileError(f"{where}: the key {key!r} is missing.")
    legal = {**required, **(optional or {})}
    for key, value in table.items():
        if key not in legal:
            if optional is None:
                continue
            raise DataFileError(f"{where}: there is no key {key!r}; legal: {', '.join(legal)}.")
        wanted = (int, float) if legal[key] is float else legal[key]
        if not isinstance(value, wanted):
            raise DataFileError(f"{where}: {key} must be a {legal[key].__name__}, not {value!r}.")
