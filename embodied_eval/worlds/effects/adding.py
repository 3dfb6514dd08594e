"""Changes that put new objects into the world and take them out again. All formulas are ours."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace

from embodied_eval.drivers.base import ObjectState, Vec3
from embodied_eval.worlds.effects.standing import Change, Standing, plus
from embodied_eval.worlds.effects.values import Factor, Factors
from embodied_eval.worlds.model import Primitive, World, WorldObject


@dataclass(frozen=True, kw_only=True)
class Adding(Change):
    """A change that puts new objects into the world."""

    needs = frozenset({"spawn"})
    on_target = False

    @property
    def count(self) -> int:
        """How many objects it adds."""
        return 1

    @abstractmethod
    def items(
        self, names: Sequence[str], world: World, target: tuple[WorldObject, ObjectState] | None
    ) -> tuple[WorldObject, ...]:
        """The objects to add, called `names`; `target` is the target object and its clean state."""


@dataclass(frozen=True, kw_only=True)
class Blocker(Adding):
    """An invisible box that stops the agent: `size_m` along the world axes around `center_m`."""

    kind = "blocker"
    needs = frozenset({"spawn", "collision"})
    center_m: Vec3
    size_m: Factors

    def items(
        self, names: Sequence[str], world: World, target: tuple[WorldObject, ObjectState] | None
    ) -> tuple[WorldObject, ...]:
        x, y, z = self.center_m
        box = Primitive(
            "box",
            self.size_m,
            position=(0.0, 0.0, self.size_m[2] / 2),
            material=next(iter(world.materials)),
        )
        return (
            WorldObject(
                name=names[0],
                kind="block",
                label="block",
                primitives=(box,),
                position=(x, y, z - self.size_m[2] / 2),
                visible=False,
                casts_shadow=False,
                supports="fixed",
            ),
        )


@dataclass(frozen=True, kw_only=True)
class Duplicate(Adding):
    """Copies of the target, one at each of `offsets_m` from it (world axes, metres)."""

    kind = "duplicate"
    on_target = True
    offsets_m: tuple[Vec3, ...]

    @property
    def count(self) -> int:
        return len(self.offsets_m)

    def items(
        self, names: Sequence[str], world: World, target: tuple[WorldObject, ObjectState] | None
    ) -> tuple[WorldObject, ...]:
        assert target is not None  # `on_target`: the engine checked it
        item, state = target
        # A copied lamp must not switch the original's light.
        device = replace(item.interaction, lights=()) if item.interaction else None
        return tuple(
            replace(
                item,
                name=name,
                position=plus(state.position, offset),
                rotation_deg=state.rotation_deg,
                scale=state.scale,
                interaction=device,
            )
            for name, offset in zip(names, self.offsets_m, strict=True)
        )


@dataclass(frozen=True, kw_only=True)
class Spawn(Adding):
    """An object of the library: `item` at `position_m`, turned by `yaw_deg`."""

    kind = "spawn"
    item: str
    position_m: Vec3
    yaw_deg: float = 0.0

    def items(
        self, names: Sequence[str], world: World, target: tuple[WorldObject, ObjectState] | None
    ) -> tuple[WorldObject, ...]:
        from embodied_eval.worlds.library import make

        return (make(self.item, names[0], self.position_m, self.yaw_deg),)


@dataclass(frozen=True, kw_only=True)
class Replace(Standing, Adding):
    """Put the library's `item` in the target's place: at its floor point, turned as it is and by `yaw_deg`
    more, `scale` times as large. The target itself is invisible and lets everything through meanwhile."""

    kind = "replace"
    fields = ("visible", "collides")
    needs = frozenset({"spawn", "collision"})
    on_target = True
    item: str
    yaw_deg: float = 0.0
    scale: Factor | Factors = 1.0

    def over(self, state: ObjectState) -> ObjectState:
        return replace(state, visible=False, collides=False)

    def items(
        self, names: Sequence[str], world: World, target: tuple[WorldObject, ObjectState] | None
    ) -> tuple[WorldObject, ...]:
        from embodied_eval.worlds.library import make

        assert target is not None  # `on_target`: the engine checked it
        item, state = target
        made = make(
            self.item,
            names[0],
            state.position,
            state.rotation_deg[2] + self.yaw_deg,
            region=item.region,
            supports=item.supports,
            # A movable target still rests on things: it must not push its own replacement away.
            joined=(*item.joined, item.name),
            casts_shadow=item.casts_shadow,
        )
        x, y, z = self.scale if isinstance(self.scale, tuple) else (self.scale, self.scale, self.scale)
        return (replace(made, scale=(x, y, z)),)
