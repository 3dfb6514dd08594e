"""A driver for tests: boxes on an endless floor, no simulator, deterministic, pure Python.

The agent is a square of 0.6 m that slides along boxes; dynamic boxes roll off when it runs into them and
slow down. Every object is the box around its primitives. Pictures are ray-cast on a coarse grid.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from embodied_eval.drivers.base import (
    MISSING_MATERIAL,
    REACH_M,
    TICK_S,
    WALK_M_S,
    Command,
    Driver,
    Frame,
    LightPatch,
    ObjectPatch,
    ObjectState,
    RayHit,
    TickState,
    Vec3,
    eye,
    turned,
    view_direction,
)
from embodied_eval.errors import CapabilityMissing, SimulatorCrashed, UnknownName, UnknownObject
from embodied_eval.records import Pose, VisibilityRow
from embodied_eval.worlds.model import Bounds, World, WorldObject
from tests.testing_world import corners, ray_entry, rotated

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RADIUS_M, STEP_M, HEIGHT_M = 0.3, 0.3, 1.8
SPEED_KEPT = 0.9  # a rolling box keeps this share of its speed each tick
GRID = (64, 36)


@dataclass
class _Body:
    item: WorldObject
    state: ObjectState


class PlaneDriver(Driver):
    """See the module. `lacks` takes capabilities away; `deaf` names ObjectPatch fields that `set_object`
    ignores in silence, as a broken simulator would."""

    name = "plane"
    capabilities = frozenset(
        {
            "contacts",
            "interact",
            "push",
            "raycast",
            "visibility",
            "lights",
            "shadows",
            "materials",
            "collision",
            "spawn",
            "strafe",
            "depth",
            "mask",
        }
    )

    def __init__(self, *, lacks: Collection[str] = (), deaf: Collection[str] = ()) -> None:
        super().__init__()
        self.capabilities = type(self).capabilities - frozenset(lacks)
        self.deaf = frozenset(deaf)
        self.lights: dict[str, LightPatch] = {}
        self.closed = False
        self._interrupted = False
        self._bodies: dict[str, _Body] = {}
        self._materials: frozenset[str] = frozenset()
        self._next_id = 0
        self._now = TickState(0.0, Pose(0.0, 0.0, 0.0), 0.0, False)
        self._edge = Bounds((-50.0, -50.0, 0.0), (50.0, 50.0, 0.0))

    def load(self, world: World, *, seed: int = 0, spawn: str = "") -> TickState:
        start = world.spawn(spawn)
        self.eye_height_m, self.fov_deg, self._edge = world.eye_height_m, world.fov_deg, world.bounds
        self._bodies, self._next_id = {}, 0
        self._materials = frozenset({*world.materials, MISSING_MATERIAL})
        self.lights = {
            light.name: LightPatch(light.on, light.intensity, light.color) for light in world.lights
        }
        self.lights["sun"] = LightPatch(True, world.sun.intensity, world.sun.color)
        for item in world.objects:
            self.spawn(item)
        self._now = TickState(0.0, Pose(*start.position, start.yaw_deg), 0.0, False)
        return self._now

    def tick(self, command: Command, dt_s: float = TICK_S) -> TickState:
        if self._interrupted or self.closed:
            raise SimulatorCrashed("The test driver was interrupted or closed.", command="tick")
        pose = turned(self._now.pose, command.yaw_deg, command.pitch_deg)
        pose, moved_m, blocked, touched = self._walk(pose, command, dt_s)
        contacts = {("agent", name) for name in touched} | self._roll(dt_s)
        self._now = TickState(
            round(self._now.t_s + dt_s, 9),
            pose,
            moved_m,
            blocked,
            tuple(sorted((min(pair), max(pair)) for pair in contacts)),
            self._operate(pose) if command.interact else None,
        )
        return self._now

    def _walk(self, pose: Pose, command: Command, dt_s: float) -> tuple[Pose, float, bool, dict[str, None]]:
        yaw = math.radians(pose.yaw_deg)
        ahead, right = command.forward * WALK_M_S * dt_s, command.strafe * WALK_M_S * dt_s
        wanted = (
            ahead * math.cos(yaw) + right * math.sin(yaw),
            ahead * math.sin(yaw) - right * math.cos(yaw),
        )
        at = [pose.x, pose.y]
        touched: dict[str, None] = {}
        for axis in (0, 1):
            at[axis] = self._advance(at, axis, wanted[axis], pose.z, touched)
        moved_m = math.hypot(at[0] - pose.x, at[1] - pose.y)
        for name in touched:
            body = self._bodies[name]
            if body.item.dynamic:
                vx, vy = (1.2 * part / dt_s for part in wanted)
                body.state = replace(body.state, velocity_m_s=(vx, vy, body.state.velocity_m_s[2]))
        short = math.hypot(*wanted) - moved_m > 0.005
        return replace(pose, x=at[0], y=at[1]), moved_m, short, touched

    def _advance(self, at: list[float], axis: int, by: float, z: float, touched: dict[str, None]) -> float:
        low, high = self._edge.low[axis] + RADIUS_M, self._edge.high[axis] - RADIUS_M
        goal = max(low, min(high, at[axis] + by))
        other = 1 - axis
        for name, body in self._bodies.items():
            if by == 0.0 or not body.state.collides:
                continue
            near, far = body.state.bounds
            if not (near[2] < z + HEIGHT_M and far[2] > z + STEP_M):
                continue
            if not near[other] - RADIUS_M < at[other] < far[other] + RADIUS_M:
                continue
            face = near[axis] - RADIUS_M if by > 0 else far[axis] + RADIUS_M
            ahead = at[axis] <= face + 1e-9 if by > 0 else at[axis] >= face - 1e-9
            reached = goal >= face if by > 0 else goal <= face
            if ahead and reached:
                goal = face
                touched[name] = None
        return goal

    def _roll(self, dt_s: float) -> set[tuple[str, str]]:
        met: set[tuple[str, str]] = set()
        for name, body in self._bodies.items():
            vx, vy, vz = body.state.velocity_m_s
            if not body.item.dynamic or (abs(vx) < 1e-6 and abs(vy) < 1e-6 and abs(vz) < 1e-6):
                continue
            x, y, z = body.state.position
            moved = self._placed(body, (x + vx * dt_s, y + vy * dt_s, max(0.0, z + vz * dt_s)))
            hit = next((other for other in self._bodies if self._overlap(moved, other, name)), None)
            if hit is not None:
                met.add((name, hit))
                body.state = replace(body.state, velocity_m_s=(0.0, 0.0, 0.0))
                continue
            falling = vz - 9.81 * dt_s if moved.position[2] > 0 else 0.0
            kept = (vx * SPEED_KEPT, vy * SPEED_KEPT, falling)
            body.state = replace(moved, velocity_m_s=kept)
        return met

    def _overlap(self, state: ObjectState, other: str, name: str) -> bool:
        body = self._bodies[other].state
        if other == name or not body.collides or not state.collides:
            return False
        return all(
            state.bounds[0][i] < body.bounds[1][i] and state.bounds[1][i] > body.bounds[0][i]
            for i in range(3)
        )

    def _operate(self, pose: Pose) -> str | None:
        hit = self.raycast(eye(pose, self.eye_height_m), view_direction(pose), REACH_M)
        body = self._bodies[hit.object] if hit else None
        if body is None or body.item.interaction is None:
            return None
        resting, operated = body.item.interaction.states
        self._switch(body, operated if body.state.state == resting else resting)
        return body.item.name

    def _switch(self, body: _Body, state: str) -> None:
        body.state = replace(body.state, state=state)
        if body.item.interaction is not None:
            for light in body.item.interaction.lights:
                self.lights[light] = replace(self.lights[light], on=state == body.item.interaction.states[1])

    def state(self) -> TickState:
        return self._now

    def teleport(self, pose: Pose) -> TickState:
        self._now = TickState(self._now.t_s, pose, 0.0, False)
        return self._now

    def objects(self) -> dict[str, ObjectState]:
        return {name: body.state for name, body in self._bodies.items()}

    def set_object(self, name: str, patch: ObjectPatch) -> ObjectState:
        body = self._body(name)
        given = {item.name: getattr(patch, item.name) for item in fields(patch)}
        given = {key: value for key, value in given.items() if value is not None and key not in self.deaf}
        for field in ("color", "material"):
            if given.pop(f"clear_{field}", False):
                given[field] = None
        if given.get("material") is not None and given["material"] not in self._materials:
            raise UnknownName("material", given["material"], self._materials)
        given.pop("spin_deg_s", None)
        if not body.item.dynamic:
            given.pop("velocity_m_s", None)
        if "state" in given:
            self._switch(body, given.pop("state"))
        body.state = replace(body.state, **given)
        body.state = self._placed(body, body.state.position)
        return body.state

    def set_light(self, name: str, patch: LightPatch) -> None:
        if name not in self.lights:
            raise UnknownObject(f"No light {name!r}.", command="set_light")
        given = {item.name: getattr(patch, item.name) for item in fields(patch)}
        self.lights[name] = replace(
            self.lights[name], **{key: value for key, value in given.items() if value is not None}
        )

    def spawn(self, item: WorldObject) -> ObjectState:
        state = ObjectState(
            id=self._next_id,
            name=item.name,
            position=item.position,
            rotation_deg=item.rotation_deg,
            scale=item.scale,
            visible=item.visible,
            collides=item.collides,
            casts_shadow=item.casts_shadow,
            color=None,
            state=item.interaction.initial if item.interaction else "",
            bounds=((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        )
        self._next_id += 1
        body = _Body(item, state)
        body.state = self._placed(body, item.position)
        self._bodies[item.name] = body
        return body.state

    def destroy(self, name: str) -> None:
        self._body(name)
        del self._bodies[name]

    def interrupt(self) -> None:
        self._interrupted = True

    def close(self) -> None:
        self.closed = True

    def renderer(self) -> str:
        return "plane grid"

    def raycast(self, origin: Vec3, direction: Vec3, max_m: float) -> RayHit | None:
        if "raycast" not in self.capabilities:
            raise CapabilityMissing("This driver cannot cast rays.", command="raycast")
        best: tuple[float, str] | None = None
        for name, body in self._bodies.items():
            if not body.state.visible:
                continue
            distance_m = ray_entry(origin, direction, body.state.bounds)
            if distance_m is not None and distance_m <= max_m and (best is None or distance_m < best[0]):
                best = (distance_m, name)
        if best is None:
            return None
        x, y, z = (o + best[0] * d for o, d in zip(origin, direction, strict=True))
        return RayHit(best[1], best[0], (x, y, z))

    def render(self, modalities: Collection[str], size: tuple[int, int]) -> Frame:
        import numpy as np

        mask, depth = self._cast(self.objects().values(), size)
        shade = (np.stack([mask * 67 % 200 + 40, mask * 101 % 200 + 40, mask * 29 % 200 + 40], -1)).astype(
            np.uint8
        )
        shade[mask < 0] = (190, 210, 235)
        return Frame(
            self._now.t_s,
            self._now.pose,
            rgb=shade if "rgb" in modalities else None,
            depth=depth if "depth" in modalities else None,
            mask=mask if "mask" in modalities else None,
        )

    def visibility(
        self, ref: str, names: Collection[str], twin: Mapping[str, ObjectState], size: tuple[int, int]
    ) -> tuple[VisibilityRow, ...]:
        now = self.objects()
        clean = {
            name: twin.get(name, state)
            for name, state in now.items()
            if not (name in names and name.startswith("extra_") and name not in twin)
        }
        mask, _ = self._cast(now.values(), size)
        twin_mask, _ = self._cast(clean.values(), size)
        rows = []
        for name in names:
            state, other = self._body(name).state, clean.get(name)
            alone, _ = self._cast([state], size)
            twin_alone, _ = self._cast([other] if other else [], size)
            rows.append(
                VisibilityRow(
                    ref,
                    name,
                    int((mask == state.id).sum()),
                    int((alone == state.id).sum()),
                    _box_of(mask == state.id),
                    int((twin_mask == state.id).sum()),
                    int((twin_alone == state.id).sum()),
                    _box_of(twin_mask == state.id),
                    size[0] * size[1],
                )
            )
        return tuple(rows)

    def _cast(
        self, states: Iterable[ObjectState], size: tuple[int, int]
    ) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Ids and planar depths, cast on `GRID` and blown up to `size`."""
        import numpy as np

        width, height = GRID
        pose = self._now.pose
        half = math.tan(math.radians(self.fov_deg) / 2)
        u = (2 * (np.arange(width) + 0.5) / width - 1) * half
        v = (1 - 2 * (np.arange(height) + 0.5) / height) * half * size[1] / size[0]
        forward = np.array(view_direction(pose))
        yaw = math.radians(pose.yaw_deg)
        right = np.array([math.sin(yaw), -math.cos(yaw), 0.0])
        rays = forward + u[None, :, None] * right + v[:, None, None] * np.cross(right, forward)
        rays = np.where(np.abs(rays) < 1e-12, 1e-12, rays)
        origin = np.array(eye(pose, self.eye_height_m))
        mask = np.full((height, width), -1, np.int32)
        depth = np.full((height, width), np.inf, np.float32)
        for state in states:
            if not state.visible:
                continue
            first, second = ((np.array(corner) - origin) / rays for corner in state.bounds)
            near = np.minimum(first, second).max(-1)
            far = np.maximum(first, second).min(-1)
            hit = (near <= far) & (near > 0) & (near < depth)
            mask[hit], depth[hit] = state.id, near[hit].astype(np.float32)
        rows = np.arange(size[1]) * height // size[1]
        columns = np.arange(size[0]) * width // size[0]
        return mask[rows][:, columns], depth[rows][:, columns]

    def _body(self, name: str) -> _Body:
        if name not in self._bodies:
            raise UnknownObject(f"No object {name!r}.", command="object")
        return self._bodies[name]

    def _placed(self, body: _Body, position: Vec3) -> ObjectState:
        state = body.state
        points = [
            rotated(tuple(s * c for s, c in zip(state.scale, corner, strict=True)), state.rotation_deg)
            for part in body.item.primitives
            for corner in corners(part)
        ]
        low, high = (
            tuple(pick(point[i] for point in points) + position[i] for i in range(3)) for pick in (min, max)
        )
        return replace(
            state, position=position, bounds=((low[0], low[1], low[2]), (high[0], high[1], high[2]))
        )


def _box_of(shown: NDArray[np.bool_]) -> tuple[int, int, int, int] | None:
    import numpy as np

    rows, columns = np.nonzero(shown)
    if rows.size == 0:
        return None
    return (int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1)
