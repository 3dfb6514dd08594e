"""The task files: `tasks/*.toml`, schema `embodied-eval/tasks/1`, read and checked once."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from benchmarks.worldaudit.taxonomy import SUBCATEGORIES
from embodied_eval.errors import DataFileError, SchemaMismatch
from embodied_eval.records import Task

SCHEMA = "embodied-eval/tasks/1"
INSTRUCTION = (
    "Inspect this world. Exactly one thing in it was made wrong on purpose. Find it, make sure of it, and report "
    "it with the pictures that show it."
)
REQUIRED = ("id", "scene", "spawn", "subcategory", "watch", "target", "rubric", "solution", "effects")


@cache
def bundled_tasks() -> tuple[Task, ...]:
    """Every bundled task, file by file in alphabetical order."""
    folder = files("benchmarks.worldaudit").joinpath("tasks")
    names = sorted(item.name for item in folder.iterdir() if item.name.endswith(".toml"))
    made: list[Task] = []
    for name in names:
        made += read_tasks(folder.joinpath(name).read_text("utf-8"), name)
    ids = [task.id for task in made]
    for task_id in ids:
        if ids.count(task_id) > 1:
            raise DataFileError(f"The task id {task_id!r} is used twice in {folder}.")
    return tuple(made)


def read_tasks(text: str, where: str) -> list[Task]:
    """The tasks of one file. Raises DataFileError or SchemaMismatch naming the file and the place."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataFileError(f"{where} is not valid TOML: {error}.") from error
    if data.get("schema") != SCHEMA:
        raise SchemaMismatch(f"{where} has schema {data.get('schema')!r}; this version reads {SCHEMA!r}.")
    return [_task(row, data, f"{where}, task {number}") for number, row in enumerate(data["task"], 1)]


def _task(row: Mapping[str, Any], data: Mapping[str, Any], where: str) -> Task:
    missing = [key for key in REQUIRED if key not in row]
    if missing:
        raise DataFileError(f"{where} lacks {', '.join(missing)}.")
    scene, kind = row["scene"], row["subcategory"]
    if scene not in data["scenes"]:
        raise DataFileError(f"{where}: there is no scene {scene!r} among {', '.join(data['scenes'])}.")
    if kind not in SUBCATEGORIES:
        raise DataFileError(f"{where}: {kind!r} is no sub-category; legal: {', '.join(SUBCATEGORIES)}.")
    world = data["world"]
    return Task(
        id=row["id"],
        public={
            "environment": data["environment"],
            "scene": scene,
            "spawn": row["spawn"],
            "subcategory": kind,
            "instruction": INSTRUCTION,
            "scene_description": data["scenes"][scene]["description"],
        },
        private={
            "world": world,
            **{
                key: row[key]
                for key in ("subcategory", "watch", "target", "rubric", "solution", "effects", "match")
                if key in row
            },
        },
        engine=data["engine"],
        scene=f"{data['environment']}/{scene}",
        world=world,
        tags=(kind, SUBCATEGORIES[kind].family),
        needs=tuple(row.get("needs", ())),
    )
