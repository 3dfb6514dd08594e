"""Several anomalies in one scene: which tasks anchor them, and the tasks that a condition plays for them.

`data/compositions.toml` holds for each anchor two configurations of additions, drawn and checked by
`python -m benchmarks.worldaudit.make_compositions`. Protocol: spec of the benchmark, section 7.2.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from benchmarks.worldaudit.options import Options
from embodied_eval.errors import SchemaMismatch
from embodied_eval.records import Json, Task

if TYPE_CHECKING:
    from embodied_eval.worlds.model import World, WorldObject

SCHEMA = "embodied-eval/compositions/1"
RAISE_M = 0.6
FACTOR = 3.0
LABELS = "ABC"
VIEW_M = 2.4
NEIGHBOURS = 5
CHANGES: Mapping[str, Mapping[str, Json]] = {
    "G1": {"kind": "offset", "by_m": [0.0, 0.0, RAISE_M]},
    "G3": {"kind": "scale", "by": FACTOR},
    "C1": {"kind": "collision", "on": False},
}
"""What may be added, by sub-category."""
_RUBRICS = {
    "G1": (
        "The {label} hangs more than half a metre above the place where it belongs, with nothing under it.",
        "It rests where it belongs.",
        "Names the {label} and says that it floats or lacks support.",
    ),
    "G3": (
        "The {label} is three times as large as it should be.",
        "It has a natural size.",
        "Names the {label} and says that it is far too large.",
    ),
    "C1": (
        "The {label} does not stop anybody: one can walk right into and through it.",
        "It is solid and stops a walker.",
        "Names the {label} and says that one can pass through it or that it is not solid.",
    ),
}
_KEPT = ("subcategory", "watch", "target", "rubric", "match", "effects", "solution")


@dataclass(frozen=True)
class Addition:
    """One anomaly more: `subcategory` G1, G3 or C1 of the world's object `object`. `stand` is, for C1, the
    floor point from which the oracle walks into it."""

    object: str
    subcategory: str
    stand: tuple[float, float] = field(default=(0.0, 0.0), compare=False)

    @property
    def effect(self) -> dict[str, Json]:
        """The effect that plants it."""
        change = dict(CHANGES[self.subcategory])
        return {"trigger": {"kind": "always"}, "change": change, "target": self.object, "once": False}


@cache
def compositions() -> Mapping[str, Mapping[int, tuple[Addition, ...]]]:
    """B and C of each configuration, by anchor. Raises SchemaMismatch for a file of another schema."""
    text = files("benchmarks.worldaudit").joinpath("data", "compositions.toml").read_text("utf-8")
    data = tomllib.loads(text)
    if data.get("schema") != SCHEMA:
        raise SchemaMismatch(
            f"compositions.toml has schema {data.get('schema')!r}; this version reads {SCHEMA!r}."
        )
    made: dict[str, dict[int, tuple[Addition, ...]]] = {}
    for row in data.get("composition", ()):
        additions = tuple(
            Addition(one["object"], one["subcategory"], tuple(one.get("stand", (0.0, 0.0))))
            for one in row["add"]
        )
        made.setdefault(row["anchor"], {})[row["configuration"]] = additions
    return made


def variants_of(task: Task, options: Options) -> tuple[Task, ...]:
    """What is played for `task`: itself, or with several anomalies one task a configuration, named
    `<id>_ab1`, `<id>_abc2` ...; () for a task that is no anchor where anchors are asked for."""
    if options.anomalies == "A":
        return () if options.anchors_only and task.id not in compositions() else (task,)
    found = compositions().get(task.id)
    if not found:
        return ()
    from embodied_eval.worlds.bundled import load_world

    world, count = load_world(task.world), len(options.anomalies) - 1
    return tuple(
        compose(task, world, additions[:count], f"{task.id}_{options.anomalies.lower()}{number}")
        for number, additions in sorted(found.items())
    )


def compose(task: Task, world: World, additions: Sequence[Addition], task_id: str) -> Task:
    """`task` as the anchor A with `additions` as B, C: its effects as they are, then theirs."""
    anchor = {key: task.private[key] for key in _KEPT if key in task.private}
    targets = [anchor, *(target_of(world, one) for one in additions)]
    labelled = [{"label": label, **target} for label, target in zip(LABELS, targets, strict=False)]
    private = {
        **task.private,
        "effects": [effect for target in targets for effect in target["effects"]],
        "watch": list(dict.fromkeys(name for target in targets for name in target["watch"])),
        "targets": labelled,
    }
    return replace(task, id=task_id, private=private)


def target_of(world: World, addition: Addition) -> dict[str, Json]:
    """An addition in the form of a single-anomaly task's private half."""
    item = world.object(addition.object)
    anomaly, expected, conditions = (text.format(label=item.label) for text in _RUBRICS[addition.subcategory])
    return {
        "subcategory": addition.subcategory,
        "watch": [item.name],
        "target": {
            "object": item.name,
            "label": item.label,
            "synonyms": list(item.synonyms),
            "region": item.region,
            "surroundings": _neighbours(world, item),
        },
        "rubric": {"anomaly": anomaly, "expected": expected, "conditions": conditions},
        "effects": [addition.effect],
        "solution": _solution(item, addition),
    }


def _solution(item: WorldObject, addition: Addition) -> dict[str, Json]:
    """How the oracle shows it."""
    from embodied_eval.worlds.geometry import joint_bounds, world_solids

    low, high = joint_bounds(world_solids(item, meshes=None))
    x, y, z = (float(value) for value in (low + high) / 2.0)
    if addition.subcategory == "C1":
        deep_m = math.dist(addition.stand, (x, y))
        steps: list[dict[str, Json]] = [
            {"do": "go", "to": list(addition.stand)},
            {"do": "face", "object": item.name, "mark": "before"},
            {"do": "push", "object": item.name, "metres": round(max(0.5, deep_m), 2), "mark": "inside"},
        ]
        return {"say": "walk_through", "category": "collision", "cite": ["before", "inside"], "steps": steps}
    raised = addition.subcategory == "G1"
    shown = z + RAISE_M if raised else item.position[2] + (z - item.position[2]) * FACTOR
    at = [round(x, 3), round(y, 3), round(shown, 3)]
    step = {"do": "view", "object": item.name, "at": at, "from_m": VIEW_M, "mark": "seen"}
    say = "floating" if raised else "oversized"
    return {"say": say, "category": "geometry", "cite": ["seen"], "steps": [step]}


def _neighbours(world: World, item: WorldObject) -> list[str]:
    """Labels of the nearest other things in its region."""
    others = [
        other
        for other in world.objects
        if other.region == item.region and other.label != item.label and other.supports != "fixed"
    ]
    others.sort(key=lambda other: _gap(item, other))
    return list(dict.fromkeys(other.label for other in others))[:NEIGHBOURS]


def _gap(one: WorldObject, two: WorldObject) -> float:
    return sum((a - b) ** 2 for a, b in zip(one.position, two.position, strict=True))
