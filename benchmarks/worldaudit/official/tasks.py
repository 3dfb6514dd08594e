"""The official tasks as tasks of ours, from the folder that `--data` names.

What an agent may read goes to a task's public half; rubric, map and page to the private one. Where a task cannot be
played, `needs` says so.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path, PurePosixPath

from benchmarks.worldaudit.official import TAG
from benchmarks.worldaudit.official.excluded import alias, excluded
from benchmarks.worldaudit.official.runtime import BROWSER, UNREAL, Runtime, read_runtime
from benchmarks.worldaudit.official.table import Row, find_table, read_table
from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.taxonomy import SUBCATEGORIES
from embodied_eval.errors import ConfigError, DataFileError
from embodied_eval.records import Json, Task
from embodied_eval.worlds.bundled import load_world
from embodied_eval.worlds.model import World
from embodied_eval.worlds.ue_service import PREFIX, service_world

UNREAL_NEED, PAGE_NEED, RUNTIME_NEED = "official-ue", "official-page", "official-runtime"
"""What drivers bring for the one and the other engine, and what none brings: the runtime folder."""
ENVIRONMENTS: Mapping[str, str] = {
    "S": "subway",
    "H": "indoor",
    "U": "urban",
    "A": "ancient",
    "I": "industrial",
    "R": "rural",
    "MV": "medieval",
    "JS_SP": "sponza",
    "JS_CT": "cottage",
    "JS_AF": "airfield",
    "JS_HS": "house",
    "JS_WT": "reef",
    "JS_WL": "wilderness",
}
"""By the letters that an id begins with."""
UNTYPED = {"JS_WT16": "S2", "JS_WT17": "S2"}
"""Tasks that may come without a sub-category; the official tables count them so."""
CONDITIONS = "nothing beyond what is said above"
SHOWN = 8
log = logging.getLogger("embodied_eval")


@dataclass(frozen=True)
class Official:
    """What a folder offers: its tasks, and the driver that plays those of them that can be played at once."""

    tasks: tuple[Task, ...]
    driver: str


def read_official(data: str) -> Official:
    """What the folder `data` offers; what was left out or cannot be played is told once.

    Raises DataFileError for a folder that is none or whose files cannot be read.
    """
    folder = Path(data).expanduser()
    if not folder.is_dir():
        raise DataFileError(f"--data {data} is no folder.")
    return _read(folder, _stamp(folder))


@lru_cache(maxsize=4)
def _read(folder: Path, stamp: tuple[object, ...]) -> Official:
    left_out = excluded(folder)
    rows = read_table(find_table(folder))
    scored = [row for row in rows if alias(row.task_id) not in left_out]
    if len(scored) < len(rows):
        names = [row.task_id for row in rows if alias(row.task_id) in left_out]
        log.warning("Left out, since the examples were made from them: %s", ", ".join(names))
    tasks = tasks_of(scored, read_runtime(folder))
    pages = any(PAGE_NEED in task.needs and RUNTIME_NEED not in task.needs for task in tasks)
    return Official(tuple(tasks), "page-env" if pages else "ue-service")


def tasks_of(rows: Sequence[Row], runtime: Runtime) -> list[Task]:
    """A task for each row, in order; those whose page is missing are told of."""
    scenes = _scenes(rows)
    made: list[Task] = []
    missing: dict[str, list[str]] = {}
    for row in rows:
        task, why = _task(row, scenes[row.task_id], runtime)
        made.append(task)
        if why:
            missing.setdefault(re.sub(re.escape(row.task_id), "ID", why, flags=re.IGNORECASE), []).append(
                row.task_id
            )
    for why, names in missing.items():
        shown = ", ".join(names[:SHOWN]) + (" ..." if len(names) > SHOWN else "")
        log.warning("%d official tasks cannot be played (%s): %s", len(names), shown, why)
    return made


def _task(row: Row, scene: str, runtime: Runtime) -> tuple[Task, str]:
    """The task, and why it cannot be played, if so."""
    environment, kind = environment_of(row), _code(row)
    private: dict[str, Json] = {
        "subcategory": kind,
        "rubric": {
            "anomaly": row.rubric.anomaly,
            "expected": row.rubric.expected,
            "conditions": CONDITIONS,
        },
        "map": row.map,
        "effects": [],
        "watch": [],
    }
    why = ""
    if row.engine == "unreal":
        world, needs = runtime.service(row.task_id), [UNREAL_NEED]
    else:
        page = runtime.page(row.task_id)
        world, needs, why = page.world, [PAGE_NEED], page.missing
        private["page_entry"] = page.entry
    public = {
        "environment": environment,
        "scene": scene,
        "spawn": "start",
        "subcategory": kind,
        "instruction": row.input.instruction,
        "scene_description": row.input.scene_description,
    }
    task = Task(
        id=row.task_id,
        public=public,
        private=private,
        engine=row.engine,
        scene=f"{environment}/{scene}",
        world=world,
        tags=(kind, SUBCATEGORIES[kind].family, TAG),
        needs=tuple([*needs, RUNTIME_NEED] if why else needs),
    )
    return task, why


def world_of(task: Task) -> World | None:
    """The world of an official task; None where it has none. A page may ask for all of its suite's folder."""
    if task.world.startswith(PREFIX):
        return service_world(task.world)
    if not task.world:
        return None
    world = load_world(task.world)
    entry = PurePosixPath(str(task.private.get("page_entry", "")))
    if world.page is None or len(entry.parts) < 2:
        return world
    folder = Path(world.page.folder).parents[len(entry.parts) - 2]
    return replace(world, page=replace(world.page, entry=str(entry), folder=str(folder)))


def check_official(options: Options) -> None:
    """Raise ConfigError for settings that need what the table does not hold."""
    if options.start != "default" or options.anomalies != "A" or options.anchors_only:
        raise ConfigError(
            "Official tasks are played from their own start and with their own anomaly alone.",
            hint="Leave out --set start=..., anomalies=... and anchors_only=..., and conditions that set them.",
        )


def environment_of(row: Row) -> str:
    """The environment's name by the id's letters, else as the row has it."""
    found = re.match(r"(JS_[A-Z]+|[A-Z]+)\d", row.task_id.upper())
    return ENVIRONMENTS.get(found[1] if found else "", row.environment.strip().lower())


def _code(row: Row) -> str:
    told = (row.subcategory or UNTYPED.get(row.task_id.upper(), "")).strip()
    for kind in SUBCATEGORIES.values():
        if told.upper() == kind.code or told.lower() == kind.name:
            return kind.code
    raise DataFileError(
        f"Task {row.task_id} has the sub-category {told!r}.", hint=f"Legal: {', '.join(SUBCATEGORIES)}."
    )


def _scenes(rows: Sequence[Row]) -> dict[str, str]:
    """By task id, a name for its sub-scene: tasks of one environment with the same description share one."""
    found: dict[str, dict[str, str]] = {}
    made = {}
    for row in rows:
        names = found.setdefault(environment_of(row), {})
        made[row.task_id] = names.setdefault(row.input.scene_description, f"scene-{len(names) + 1}")
    return made


def _stamp(folder: Path) -> tuple[object, ...]:
    """What changes when the folder's files do."""
    made: list[object] = []
    for place in (folder, folder / "data", folder / "icl", folder / "runtime"):
        for file in (*place.glob("tasks.*"), *place.glob("*.json"), place / UNREAL, place / BROWSER):
            if file.exists():
                seen = file.stat()
                made.append((str(file), seen.st_mtime_ns, seen.st_size))
    return tuple(made)
