"""The embedded simulator: physics and contacts by MuJoCo, pictures by our own renderer."""

from __future__ import annotations

import math
import threading
from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from embodied_eval.drivers.base import (
    CAPABILITIES,
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
from embodied_eval.drivers.character import TOUCH_M, Character
from embodied_eval.drivers.mujoco_scene import SIGHT, Scene, Thing, pair_of
from embodied_eval.drivers.mujoco_view import View, materials_of
from embodied_eval.errors import (
    CapabilityMissing,
    DataFileError,
    SimulatorError,
    StepTimeout,
    UnknownName,
    UnknownObject,
)
from embodied_eval.records import Pose, VisibilityRow
from embodied_eval.worlds.devices import Device, lights_on
from embodied_eval.worlds.geometry import Array, rotation_matrix, vec3
from embodied_eval.worlds.model import World, WorldObject

SUBSTEP_S = 0.01
VOID_M = 5.0
# A pair that was in contact this recently does not begin anew: resting bodies tremble.
_CONTACT_MEMORY_S = 0.5


class MujocoDriver(Driver):
    """A world in MuJoCo with a first-person capsule (radius 0.30 m, height 1.80 m).

    `contacts` of a tick are what the agent touches sideways and the pairs among movable bodies and the rest
    that began in it. Physics needs no display: the GL context comes with the first picture.
    """

    name = "mujoco"
    capabilities = CAPABILITIES

    def __init__(self) -> None:
        super().__init__()
        self._world: World | None = None
        self._view: View | None = None
        self._interrupted = threading.Event()
        self._closed = False

    def load(self, world: World, *, seed: int = 0, spawn: str = "") -> TickState:
        if self._closed:
            raise SimulatorError("This driver is closed.", command="load", hint="Create a new one.")
        _check(world)
        try:
            start = world.spawn(spawn)
        except KeyError:
            raise UnknownName("spawn", spawn, [item.name for item in world.spawns]) from None
        self._interrupted.clear()
        things = [Thing.of(item, number) for number, item in enumerate(world.objects)]
        self._scene = Scene(world.name, things)
        self._next_id = len(things)
        if self._world is not world:
            # Otherwise its pictures are kept: the shaders and the GL context are most of a load's time.
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
        self._character = Character(self._scene)
        self._resting = dict.fromkeys(self._scene.resting(), 0.0)
        return self.teleport(self._home)

    def teleport(self, pose: Pose) -> TickState:
        self._ready("teleport")
        self._character.place(np.array([pose.x, pose.y, pose.z], dtype=float))
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
        before = self._character.feet
        self._character.begin(float(np.hypot(wish[0], wish[1])))
        pairs: set[tuple[str, str]] = set()
        for index in range(count):
            self._ready("tick")
            self._advance_devices(dt_s / count)
            stood = self._character.feet.copy()
            self._character.advance(wish / count, dt_s / count, jump=command.jump and index == 0)
            self._scene.step(dt_s / count, self._character.feet - stood)
            pairs |= self._scene.touching()
        self._t_s = round(self._t_s + dt_s, 9)
        gone = (self._character.feet - before)[:2]
        wanted = float(np.hypot(wish[0], wish[1]))
        short = wanted - float(gone @ wish) / wanted if wanted > 1e-9 else 0.0
        self._state = TickState(
            self._t_s,
            self._pose_after(pose),
            float(np.hypot(gone[0], gone[1])),
            short > 0.005,
            self._contacts(pairs),
            interacted,
        )
        return self._state

    def _pose_after(self, pose: Pose) -> Pose:
        assert self._world is not None
        if self._character.feet[2] < self._world.bounds.low[2] - VOID_M:
            self._character.place(np.array([self._home.x, self._home.y, self._home.z]))
            return self._home
        # Rounded to a nanometre, and -0 to 0, for clean numbers in texts and files.
        x, y, z = (round(value, 9) + 0.0 for value in vec3(self._character.feet))
        return replace(pose, x=x, y=y, z=z)

    def _contacts(self, pairs: set[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        begun = {pair for pair in pairs if self._t_s - self._resting.get(pair, -1e9) > _CONTACT_MEMORY_S}
        self._resting.update(dict.fromkeys(pairs, self._t_s))
        agent = {pair_of("agent", name) for name in self._character.touched}
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

    def _advance_devices(self, dt_s: float) -> None:
        for thing in self._scene.things.values():
            if thing.device is not None and thing.device.moving:
                self._advance_device(thing, thing.device, dt_s)

    def _advance_device(self, thing: Thing, device: Device, dt_s: float) -> None:
        geoms = self._solid_part(thing)
        before, room = device.amount, self._character.overlaps(geoms)

        def fits(amount: float) -> bool:
            device.amount = amount
            self._scene.place(thing)
            # A part that is too near the agent already may still move away from it.
            if self._character.overlaps(geoms) >= min(TOUCH_M, room):
                return True
            device.amount = before
            self._scene.place(thing)
            return False

        device.advance(dt_s, fits)

    def _solid_part(self, thing: Thing) -> list[int]:
        part = thing.item.interaction.part if thing.item.interaction else ""
        return [geom for geom in self._scene.part_geoms(thing, part) if self._scene.solid[geom]]

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
            self._view = View(self._world)
            self._show_lights(self._view)
        self._view.sync(self._scene.things.values())
        return self._view

    def renderer(self) -> str:
        self._ready("renderer")
        return str(self._synced_view().renderer.name)

    def objects(self) -> dict[str, ObjectState]:
        self._ready("objects")
        return {name: thing.state() for name, thing in self._scene.things.items()}

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
        for field in ("visible", "collides", "casts_shadow", "color", "material"):
            if getattr(patch, field) is not None:
                setattr(thing, field, getattr(patch, field))
        if patch.clear_color:
            thing.color = None
        if patch.clear_material:
            thing.material = None
        if patch.shadow_offset_m is not None:
            thing.shadow_offset_m = vec3(patch.shadow_offset_m)
        if patch.scale is not None and vec3(patch.scale) != thing.scale:
            if min(patch.scale) <= 0.0:
                raise SimulatorError(f"Scale {patch.scale} of {name!r}; every factor must be above 0.")
            before, thing.scale = thing.scale, vec3(patch.scale)
            try:
                self._scene.rebuild()
            except DataFileError:
                thing.scale = before
                raise
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
        _check_materials(item, self._world)
        thing = Thing.of(item, self._next_id, spawned=True)
        self._next_id += 1
        self._scene.things[item.name] = thing
        try:
            self._scene.rebuild()
        except DataFileError:
            del self._scene.things[item.name]
            raise
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
        del self._scene.things[name]
        self._scene.rebuild()

    def raycast(self, origin: Vec3, direction: Vec3, max_m: float) -> RayHit | None:
        self._ready("raycast")
        start, along = np.array(origin, dtype=float), np.array(direction, dtype=float)
        length = float(np.linalg.norm(along))
        if length < 1e-9:
            raise SimulatorError("A ray needs a direction.", command="raycast")
        along /= length
        distance, thing = self._scene.ray(start, along, SIGHT)
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


def _check(world: World) -> None:
    names = [item.name for item in world.objects]
    twice = sorted({name for name in names if names.count(name) > 1} if len(set(names)) < len(names) else ())
    if twice or "agent" in names:
        raise DataFileError(f"World {world.name!r}: names not unique or reserved: {twice or ['agent']}.")
    if MISSING_MATERIAL in world.materials:
        raise DataFileError(f"World {world.name!r}: the material name {MISSING_MATERIAL!r} is reserved.")
    lights = {light.name for light in world.lights}
    for item in world.objects:
        _check_materials(item, world)
        missing = set(item.interaction.lights) - lights if item.interaction else set()
        if missing:
            raise DataFileError(
                f"Object {item.name!r} switches lights that are not there: {sorted(missing)}."
            )


def _check_materials(item: WorldObject, world: World) -> None:
    missing = {primitive.material for primitive in item.primitives} - set(materials_of(world))
    if missing:
        raise DataFileError(f"Object {item.name!r} uses materials that are not there: {sorted(missing)}.")
