"""A loaded driver of boxes with planted effects, and what they reported."""

from __future__ import annotations

from typing import Any

from embodied_eval.drivers.base import TICK_S, ObjectState
from embodied_eval.records import Json, Pose
from embodied_eval.worlds.effects import EffectsEngine, parse_effects
from embodied_eval.worlds.model import Light, World, WorldObject
from tests.testing_driver import PlaneDriver
from tests.testing_world import box, plane_world

HIDE = {"kind": "hide"}


class Stage:
    """A loaded driver with planted effects and what they reported."""

    def __init__(
        self,
        effects: list[dict[str, Json]],
        *objects: WorldObject,
        at: Pose | None = None,
        lights: tuple[Light, ...] = (),
        driver: PlaneDriver | None = None,
    ) -> None:
        self.world: World = plane_world(*objects, lights=lights, spawn=at)
        self.driver = driver or PlaneDriver()
        self.driver.load(self.world)
        self.log: list[tuple[str, float, dict[str, Json]]] = []
        self.engine = EffectsEngine(
            self.driver, self.world, parse_effects(effects), lambda *event: self.log.append(event)
        )
        self.driver.attach(self.engine)
        self.engine.plant()

    def fired(self, effect: int = 0) -> list[tuple[float, bool]]:
        """(time, active) of each trigger event of one effect."""
        return [
            (round(t_s, 6), data["active"])
            for kind, t_s, data in self.log
            if kind == "trigger" and data["effect"] == effect
        ]

    def __getitem__(self, name: str) -> ObjectState:
        return self.driver.objects()[name]


def effect(trigger: dict[str, Json], change: dict[str, Json] = HIDE, **more: Any) -> dict[str, Json]:
    return {"trigger": trigger, "change": change, "target": "crate_1", **more}


CRATE = box("crate_1", (6.0, 0.0, 0.0))
BALL = box("ball_1", (2.0, 0.0, 0.0), (0.4, 0.4, 0.4), dynamic=True)
WALK_TICK_M = 0.11


def walked(distance_m: float) -> float:
    """Simulated time after whole walking ticks."""
    return round(distance_m / WALK_TICK_M * TICK_S, 9)
