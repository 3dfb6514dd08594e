"""A task of the official UE service as a world: its id is all that is known of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from embodied_eval.errors import DataFileError
from embodied_eval.worlds.model import Bounds, Sky, Spawn, Sun, World

PREFIX = "ue-service:"
REACH_M = 1e5
"""Nothing is known of how far a game's world reaches: its bounds are this far away."""
FORM = re.compile(r"ue-service:([\w-]{1,64})(?:#sha256=([0-9a-f]{64}))?")


@dataclass(frozen=True)
class Played:
    """What a world of the service stands for: the task's id, and the hash that the build must have ("" = any)."""

    task_id: str
    build_sha256: str


def service_world(name: str) -> World:
    """The world called `name`, `ue-service:TASK` or `ue-service:TASK#sha256=BUILD`.

    Raises `DataFileError` for another form.
    """
    played_in(name)
    return World(
        name=name,
        version=1,
        description="A task of the official UE service.",
        materials={},
        objects=(),
        lights=(),
        sun=Sun(),
        sky=Sky(),
        bounds=Bounds((-REACH_M, -REACH_M, -REACH_M), (REACH_M, REACH_M, REACH_M)),
        regions=(),
        spawns=(Spawn("start", (0.0, 0.0, 0.0), 0.0),),
    )


def played_in(name: str) -> Played:
    """What the world called `name` stands for. Raises `DataFileError` for a world that is none of the service's."""
    found = FORM.fullmatch(name)
    if found is None:
        raise DataFileError(
            f"World {name[:100]!r} is no task of the official UE service.",
            hint="Name the official data with --data DIR, or load the world with another driver.",
        )
    return Played(found[1], found[2] or "")
