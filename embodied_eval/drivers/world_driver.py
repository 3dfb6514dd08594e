"""The driver contract over worlds that we simulate ourselves: objects, devices, lamps and pictures are kept in
Python; where bodies are and what they touch is asked of a `Scene`, pictures of a `Renderer`."""

from __future__ import annotations

import math
import threading
from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from embodied_eval.drivers.base import (
    CAPABILITIES,
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
from embodied_eval.drivers.things import Thing, check_item, check_world, pair_of
from embodied_eval.drivers.view import Renderer, View, materials_of
from embodied_eval.errors import (
    CapabilityMissing,
    SimulatorError,
    StepTimeout,
    UnknownName,
    UnknownObject,
)
from embodied_eval.records import Pose, VisibilityRow
from embodied_eval.worlds.devices import lights_on
from embodied_eval.worlds.geometry import Array, rotation_matrix, vec3
from embodied_eval.worlds.model import World, WorldObject

SUBSTEP_S = 0.01
VOID_M = 5.0
# A pair that was in contact this recently does not begin anew: resting bodies tremble.
_CONTACT_MEMORY_S = 0.5


@dataclass(frozen=True)
class Passed:
    """What happened in a tick: names of the things that the agent touched sideways, and sorted pairs of names
    of the things that were in contact."""

    touched: Collection[str] = ()
    pairs: Collection[tuple[str, str]] = field(default_factory=set)


class Scene(Protocol):
    """The bodies of a loaded world, and the agent's. `things` by name; `feet` (3,) where the agent stands."""

    things: dict[str, Thing]
    feet: Array

    def stand(self, feet: Array) -> None:
        """Put the agent at `feet` at once, at rest."""

    def add(self, thing: Thing) -> None:
        """Take in a new thing. Raises DataFileError for a size that no solid can have, nothing changed."""

    def remove(self, name: str) -> None:
        """Forget a thing."""

    def resize(self, thing: Thing, scale: Vec3) -> None:
        """Give a thing another scale. Raises DataFileError, the scale being as before."""

    def flag(self, thing: Thing) -> None:
        """Bring bodies up to `thing.visible` and `thing.collides`."""

    def place(self, thing: Thing) -> None:
        """Put a thing where its fields say, at once."""

    def set_velocity(self, thing: Thing, linear_m_s: Vec3 | None, spin_deg_s: Vec3 | None) -> None:
        """Set a movable body's velocity and spin, both in the world frame; None leaves as it is."""

    def sight(self, origin: Array, direction: Array) -> tuple[float, Thing | None]:
        """Metres along the unit vector to the first visible thing, solid or not; -1 and None for nothing."""

    def resting(self) -> Collection[tuple[str, str]]:
        """Pairs that touch within the next 0.2 s if nobody does anything; nothing passes."""

    def tick(self, wish_m: Array, dt_s: float, count: int, jump: bool, ready: Callable[[], None]) -> Passed:
        """Let `dt_s` pass in `count` sub-steps: devices, then the agent, who wants to go `wish_m` (2,) in all,
        then bodies. Things are brought up to date. `ready` raises once the driver was interrupted."""


class WorldDriver(Driver):
    """A world with a first-person body (radius 0.30 m, height 1.80 m).

    `contacts` of a tick are what the agent touches sideways and the pairs among movable bodies and the rest
    that began in it. Pictures come from a `View` that is made with the first one and kept while the same
    world is loaded again.
    """

    capabilities = CAPABILITIES

    def __init__(self) -> None:
        super().__init__()
        self._world: World | None = None
        self._view: View | None = None
        self._interrupted = threading.Event()
        self._closed = False

    @abstractmethod
    def _open(self, world: World, things: Sequence[Thing]) -> Scene:
        """The scene of those things; `self._world` is still the world loaded before."""

    @abstractmethod
    def _renderer(self, world: World) -> Renderer:
        """A renderer of that world with nothing in it."""

    def load(self, world: World, *, seed: int = 0, spawn: str = "") -> TickState:
        if self._closed:
            raise SimulatorError("This driver is closed.", command="load", hint="Create a new one.")
        check_world(world, materials_of(world))
        try:
            start = world.spawn(spawn)
        except KeyError:
            raise UnknownName("spawn", spawn, [item.name for item in world.spawns]) from None
        self._interrupted.clear()
        things = [Thing.of(item, number, meshes=world.meshes) for number, item in enumerate(world.objects)]
        self._scene = self._open(world, things)
        self._next_id = len(things)
        if self._world is not world:
            # Otherwise its pictures are kept: shaders and contexts are most of a load's time.
            self._close_view()
        self._world = world
        self.eye_height_m, self.fov_deg = world.eye_height_m, world.fov_deg
        self._lights = {
            light.name: LightPatch(light.on, light.intensity, light.color) for light in world.lights
        }
        self._lights["sun"] = LightPatch(True, world.sun.intensity, world.sun.color)
        self._switched: dict[str, bool] = {}
        if self._view is not None:
            self._view.reset()
            self._show_lights(self._view)
        self._switch_lights()
        self._home = Pose(*start.position, yaw_deg=start.yaw_deg)
        self._t_s = 0.0
        self._resting = dict.fromkeys(self._scene.resting(), 0.0)
        return self.teleport(self._home)

    def teleport(self, pose: Pose) -> TickState:
        self._ready("teleport")
        self._scene.stand(np.array([pose.x, pose.y, pose.z], dtype=float))
        self._state = TickState(self._t_s, turned(pose), 0.0, False)
        return self._state

    def state(self) -> TickState:
        self._ready("state")
        return self._state

    def tick(self, command: Command, dt_s: float = TICK_S) -> TickState:
        self._ready("tick")
        if not dt_s > 0.0:
            raise SimulatorError(f"A tick of {dt_s} s; it must be above 0.", command="tick")
        pose = turned(self._state.pose, command.yaw_deg, command.pitch_deg)
        interacted = self._operate(pose) if command.interact else None
        count = max(1, math.ceil(dt_s / SUBSTEP_S - 1e-9))
        wish = _wish(command, pose.yaw_deg) * dt_s
        before = self._scene.feet
        passed = self._scene.tick(wish, dt_s, count, command.jump, lambda: self._ready("tick"))
        self._t_s = round(self._t_s + dt_s, 9)
        gone = (self._scene.feet - before)[:2]
        wanted = float(np.hypot(wish[0], wish[1]))
        short = wanted - float(gone @ wish) / wanted if wanted > 1e-9 else 0.0
        self._state = TickState(
            self._t_s,
            self._pose_after(pose),
            float(np.hypot(gone[0], gone[1])),
            short > 0.005,
            self._contacts(passed),
            interacted,
        )
        return self._state

    def _pose_after(self, pose: Pose) -> Pose:
        assert self._world is not None
        if self._scene.feet[2] < self._world.bounds.low[2] - VOID_M:
            self._scene.stand(np.array([self._home.x, self._home.y, self._home.z]))
            return self._home
        # Rounded to a nanometre, and -0 to 0, for clean numbers in texts and files.
        x, y, z = (round(value, 9) + 0.0 for value in vec3(self._scene.feet))
        return replace(pose, x=x, y=y, z=z)

    def _contacts(self, passed: Passed) -> tuple[tuple[str, str], ...]:
        pairs = passed.pairs
        begun = {pair for pair in pairs if self._t_s - self._resting.get(pair, -1e9) > _CONTACT_MEMORY_S}
        self._resting.update(dict.fromkeys(pairs, self._t_s))
        agent = {pair_of("agent", name) for name in passed.touched}
        return tuple(sorted(begun | agent))

    def _operate(self, pose: Pose) -> str | None:
        hit = self.raycast(eye(pose, self.eye_height_m), view_direction(pose), REACH_M)
        thing = self._scene.things[hit.object] if hit else None
        if thing is None or thing.device is None:
            return None
        thing.device.operate()
        thing.stamp += 1
        self._switch_lights()
        return thing.item.name

    def _switch_lights(self) -> None:
        """Have lamps follow their devices, where those changed."""
        devices = [thing.device for thing in self._scene.things.values() if thing.device]
        wanted = lights_on(devices)
        for name, on in wanted.items():
            if self._switched.get(name) != on:
                self.set_light(name, LightPatch(on=on))
        self._switched = wanted

    def render(self, modalities: Collection[str], size: tuple[int, int]) -> Frame:
        self._ready("render")
        view = self._synced_view()
        return Frame(self._t_s, self._state.pose, **view.render(self._state.pose, modalities, size))

    def visibility(
        self, ref: str, names: Collection[str], twin: Mapping[str, ObjectState], size: tuple[int, int]
    ) -> tuple[VisibilityRow, ...]:
        self._ready("visibility")
        things = self._scene.things
        return self._synced_view().visibility(ref, names, things, twin, self._state.pose, size)

    def _show_lights(self, view: View) -> None:
        for name, patch in self._lights.items():
            view.light(name, patch)

    def _synced_view(self) -> View:
        assert self._world is not None
        if self._view is None:
            self._view = View(self._world, self._renderer(self._world))
            self._show_lights(self._view)
        self._view.sync(self._scene.things.values())
        return self._view

    def renderer(self) -> str:
        self._ready("renderer")
        return self._synced_view().renderer.name

    def objects(self) -> dict[str, ObjectState]:
        self._ready("objects")
        return {name: thing.state() for name, thing in self._scene.things.items()}

    def object(self, name: str) -> ObjectState:
        self._ready("object")
        return self._thing(name).state()

    def set_object(self, name: str, patch: ObjectPatch) -> ObjectState:
        self._ready("set_object")
        thing = self._thing(name)
        assert self._world is not None
        if patch.material is not None and patch.material not in materials_of(self._world):
            raise UnknownName("material", patch.material, materials_of(self._world))
        if patch.state is not None:
            if thing.device is None:
                raise CapabilityMissing(f"Object {name!r} has no device.", command="set_object")
            thing.device.put(patch.state)
            self._switch_lights()
        if patch.position is not None or patch.rotation_deg is not None:
            thing.position = vec3(patch.position or thing.position)
            if patch.rotation_deg is not None:
                thing.angles_deg = vec3(patch.rotation_deg)
                thing.rotation = rotation_matrix(thing.angles_deg)
            if thing.free:
                self._scene.set_velocity(thing, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        for which in ("visible", "collides", "casts_shadow", "color", "material"):
            if getattr(patch, which) is not None:
                setattr(thing, which, getattr(patch, which))
        if patch.clear_color:
            thing.color = None
        if patch.clear_material:
            thing.material = None
        if patch.shadow_offset_m is not None:
            thing.shadow_offset_m = vec3(patch.shadow_offset_m)
        if patch.scale is not None and vec3(patch.scale) != thing.scale:
            if min(patch.scale) <= 0.0:
                raise SimulatorError(
                    f"Scale {patch.scale} of {name!r}; every factor must be above 0.",
                    command="set_object",
                )
            self._scene.resize(thing, vec3(patch.scale))
        self._scene.flag(thing)
        self._scene.place(thing)
        if thing.free:
            self._scene.set_velocity(thing, patch.velocity_m_s, patch.spin_deg_s)
        return thing.state()

    def set_light(self, name: str, patch: LightPatch) -> None:
        self._ready("set_light")
        if name not in self._lights:
            raise UnknownObject(
                f"There is no light {name!r}.",
                command="set_light",
                hint=f"Lights: {', '.join(self._lights)}.",
            )
        was = self._lights[name]
        self._lights[name] = LightPatch(
            was.on if patch.on is None else patch.on,
            was.intensity if patch.intensity is None else patch.intensity,
            patch.color or was.color,
        )
        if self._view is not None:
            self._view.light(name, patch)

    def spawn(self, item: WorldObject) -> ObjectState:
        self._ready("spawn")
        if item.name in self._scene.things or item.name == "agent":
            raise SimulatorError(f"There is an object {item.name!r} already.", command="spawn")
        assert self._world is not None
        check_item(item, materials_of(self._world))
        thing = Thing.of(item, self._next_id, spawned=True, meshes=self._world.meshes)
        self._next_id += 1
        self._scene.add(thing)
        return thing.state()

    def destroy(self, name: str) -> None:
        self._ready("destroy")
        thing = self._thing(name)
        if not thing.spawned:
            raise SimulatorError(
                f"{name!r} belongs to the world; only spawned objects can be removed.",
                command="destroy",
                hint="Hide it and switch its collision off instead.",
            )
        self._scene.remove(name)

    def raycast(self, origin: Vec3, direction: Vec3, max_m: float) -> RayHit | None:
        self._ready("raycast")
        start, along = np.array(origin, dtype=float), np.array(direction, dtype=float)
        length = float(np.linalg.norm(along))
        if length < 1e-9:
            raise SimulatorError("A ray needs a direction.", command="raycast")
        along /= length
        distance, thing = self._scene.sight(start, along)
        if thing is None or distance > max_m:
            return None
        return RayHit(thing.item.name, distance, vec3(start + distance * along))

    def interrupt(self) -> None:
        self._interrupted.set()

    def close(self) -> None:
        self._close_view()
        self._world, self._closed = None, True

    def _close_view(self) -> None:
        if self._view is not None:
            self._view.close()
            self._view = None

    def _ready(self, command: str) -> None:
        if self._interrupted.is_set():
            raise StepTimeout("The driver was interrupted.", command=command, hint="Load a world again.")
        if self._world is None:
            what = "This driver is closed." if self._closed else "No world is loaded."
            raise SimulatorError(what, command=command, hint="Call load first.")

    def _thing(self, name: str) -> Thing:
        try:
            return self._scene.things[name]
        except KeyError:
            near = UnknownName("object", name, self._scene.things)
            raise UnknownObject(near.message, hint=near.hint) from None


def _wish(command: Command, yaw_deg: float) -> Array:
    """Wanted velocity (2,) in m/s; walking askew is no faster than straight."""
    yaw = math.radians(yaw_deg)
    ahead, right = np.array([math.cos(yaw), math.sin(yaw)]), np.array([math.sin(yaw), -math.cos(yaw)])
    wish: Array = command.forward * ahead + command.strafe * right
    return WALK_M_S * wish / max(1.0, float(np.hypot(wish[0], wish[1])))
