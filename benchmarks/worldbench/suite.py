"""What is played: the one island that a model is asked for, or files that somebody already has."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.worldbench.conditions import CONDITIONS
from embodied_eval.benchmark import Offer
from embodied_eval.errors import DataFileError
from embodied_eval.records import Task

DRIVER = "page"
ENGINE = "three.js"
SUITE = "worldbench@1.0"
PAGE_PREFIX = "page:"
SUFFIXES = (".html", ".htm")
GENERATED = Task(
    "island",
    {"instruction": "Write a floating island of ten regions in one HTML file."},
    {"fixture": {"seed": 1}},
    ENGINE,
    "island",
)
"""The bundled task. `fixture`: what the scripted generators write, the arguments of `fixtures.make_world`."""


def is_given(task: Task) -> bool:
    """Whether the world is there already and no model is asked for it."""
    return bool(task.world)


def given_offer(where: str) -> Offer:
    """One task for each HTML file at `where`, a file or a folder (not searched deeper).

    Raises DataFileError where there is none.
    """
    path = Path(where.removeprefix(PAGE_PREFIX))
    if path.is_dir():
        found = sorted(one for one in path.iterdir() if one.suffix.lower() in SUFFIXES and one.is_file())
        if not found:
            raise DataFileError(f"The folder {path} holds no HTML file.", hint="Name a folder of worlds.")
    elif path.is_file():
        found = [path]
    else:
        raise DataFileError(
            f"There is no file or folder {path}.", hint="Name an HTML file or a folder of them."
        )
    tasks: list[Task] = []
    for file in found:
        name = _name(file, [task.id for task in tasks])
        public = {"instruction": "Grade a world that is there already.", "file": file.name}
        tasks.append(Task(name, public, {}, ENGINE, name, f"{PAGE_PREFIX}{file.resolve()}", ("given",)))
    return Offer(tuple(tasks), CONDITIONS, DRIVER)


def _name(file: Path, taken: list[str]) -> str:
    slug = re.sub(r"[^a-z0-9]+", "-", file.stem.lower()).strip("-")[:60] or "world"
    name, number = f"given/{slug}", 1
    while name in taken:
        number += 1
        name = f"given/{slug}-{number}"
    return name
