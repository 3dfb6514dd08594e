"""Explorations and audits in the world of boxes, on the test driver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.worldaudit.vla.naming import policy_label
from embodied_eval.benchmark import Trajectory
from embodied_eval.records import Json, Task
from embodied_eval.worlds.model import World
from tests.benchmarks.worldaudit.kit import Plane, Script, Table, plane_task, script

SECONDS = 3
REPORT = {"bugs": [], "summary": "Nothing."}
WATCH = ([("read_example", {})], [("observe", {})])


def settings(**options: Json) -> dict[str, Json]:
    return {"explore_s": SECONDS, **options}


def explored(
    table: Table,
    world: World,
    *,
    task: Task | None = None,
    options: Mapping[str, Json] | None = None,
    **config: Any,
) -> Trajectory:
    """What a policy recorded of `task` in `world`."""
    given = settings(**(options or {}))
    label = policy_label(str(given.get("policy", "random-walk")))
    return table.play(
        Plane(world, script()),
        task or plane_task(),
        label,
        condition="vla-explore",
        options=given,
        config=config,
    )


def audited(
    table: Table,
    world: World,
    *turns: Any,
    task: Task | None = None,
    condition: str = "vla-vlm",
    options: Mapping[str, Json] | None = None,
    model: str = "scripted/script",
    **config: Any,
) -> tuple[Trajectory, type[Script]]:
    """An audit of what `explored` recorded, by a model that says `turns`."""
    kind = script(*turns)
    made = table.play(
        Plane(world, kind),
        task or plane_task(),
        model,
        condition=condition,
        options=settings(**(options or {})),
        config=config,
    )
    return made, kind


def reporting(description: str, *evidence: str) -> list[tuple[str, Any]]:
    """A turn that reports one thing."""
    bug = {
        "description": description,
        "category": "geometry",
        "status": "confirmed",
        "evidence": list(evidence),
    }
    return [("report", {"bugs": [bug], "summary": "One."})]
