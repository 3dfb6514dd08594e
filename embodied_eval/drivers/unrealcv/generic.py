"""The driver contract over UnrealCV's generic commands alone: any game with the plugin.

The game is paused from the load on, so it changes only by what is sent; time is the driver's own count. The
pawn walks by swept steps, pictures come from a camera of our own at its eye, ids and visibility from masks.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from embodied_eval.drivers.base import (
    TICK_S,
    Command,
    Driver,
    Frame,
    LightPatch,
    ObjectPatch,
    ObjectState,
    TickState,
    eye,
    turned,
)
from embodied_eval.drivers.unrealcv import formats, images
from embodied_eval.drivers.unrealcv.actors import Actors, collision_command
from embodied_eval.drivers.unrealcv.asking import tried, works
from embodied_eval.drivers.unrealcv.cameras import Camera, View
from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.drivers.unrealcv.connect import on_this_machine
from embodied_eval.drivers.unrealcv.lights import Lights
from embodied_eval.drivers.unrealcv.masks import Masks
from embodied_eval.drivers.unrealcv.motion import SUBSTEP_M, Pawn, Walked, wish
from embodied_eval.errors import (
    CapabilityMissing,
    CommandFailed,
    LoadTimeout,
    SimulatorError,
    UnknownName,
)
from embodied_eval.records import Pose, VisibilityRow
from embodied_eval.worlds.model import World, WorldObject

VOID_M = 5.0
# Terminal speed of a fall: deeper than a step settles, it goes so fast (ours).
FALL_M_S = 10.0
_PROBE_PX = (64, 48)
_PICTURES = {"rgb": "lit", "depth": "depth", "normals": "normal", "mask": "object_mask"}
log = logging.getLogger("embodied_eval")


class GenericRoad(Driver):
    """A game over a connection that somebody else opened and closes. `actors` maps object names to actors; `anew`
    has the level opened again by the first load, whatever state it is in.

    `capabilities` is what the game was found to have at `load`: `strafe` always; `depth`, `normals`, `mask` and
    `visibility` where it gives such pictures; `collision`, `spawn` (boxes only) and `lights` where the command
    for it works. It never casts rays, interacts, jumps or tells contacts.
    """

    name = "unrealcv"

    _state: TickState
    _world: World

    def __init__(self, client: Client, actors: Mapping[str, str], *, anew: bool = False) -> None:
        super().__init__()
        self._client, self._mapping, self._anew = client, dict(actors), anew
        self._actors: Actors | None = None
        self._masks: Masks | None = None
        self._lights: Lights | None = None
        self._camera: Camera | None = None
        self._version = client.text("vget /unrealcv/version").strip()

    def load(self, world: World, *, seed: int = 0, spawn: str = "") -> TickState:
        try:
            start = world.spawn(spawn)
        except KeyError:
            raise UnknownName("spawn", spawn, [item.name for item in world.spawns]) from None
        self._client.text("vset /action/game/pause")
        if self._client.text("vget /action/game/is_paused").strip() != "true":
            # On older servers the same command ends a pause.
            self._client.text("vset /action/game/pause")
        self._undo()
        self._open_level(world.name)
        self._world = world
        self.eye_height_m, self.fov_deg = world.eye_height_m, world.fov_deg
        self._t_s, self._falling = 0.0, False
        if self._camera is None:
            self._camera = Camera(self._client, self._picture_format())
        self._actors = Actors(self._client, world, self._mapping)
        if self._actors.missing:
            log.info("%s has no actor for %s.", self._client.endpoint, ", ".join(self._actors.missing[:20]))
        self._pawn = Pawn(self._client, self._actors.kinds, world.eye_height_m)
        self._home = Pose(*start.position, yaw_deg=start.yaw_deg)
        state = self.teleport(self._home)
        self._lights = Lights(self._client, world, self._actors.unseen)
        self.capabilities = self._found_capabilities()
        return state

    def tick(self, command: Command, dt_s: float = TICK_S) -> TickState:
        if not dt_s > 0.0:
            raise SimulatorError(f"A tick of {dt_s} s; it must be above 0.", command="tick")
        if command.jump or command.interact:
            raise CapabilityMissing("Generic commands can neither jump nor interact.", command="tick")
        pose = turned(self._state.pose, command.yaw_deg, command.pitch_deg)
        before = (pose.x, pose.y, pose.z)
        wanted = wish(command, pose.yaw_deg, dt_s)
        walked = self._walk(before, wanted, dt_s)
        self._falling = walked.falling
        self._t_s = round(self._t_s + dt_s, 9)
        x, y, z = walked.feet
        moved = math.dist((x, y), before[:2])
        if z < self._world.bounds.low[2] - VOID_M:
            pose, self._falling = self._home, False
            self._pawn.stand((pose.x, pose.y, pose.z))
        else:
            pose = replace(pose, x=round(x, 6) + 0.0, y=round(y, 6) + 0.0, z=round(z, 6) + 0.0)
        self._state = TickState(self._t_s, pose, moved, walked.blocked)
        return self._state

    def state(self) -> TickState:
        return self._state

    def teleport(self, pose: Pose) -> TickState:
        low, high = self._world.bounds.low, self._world.bounds.high
        at = (pose.x, pose.y, pose.z)
        if any(not a - VOID_M <= value <= b + VOID_M for a, value, b in zip(low, at, high, strict=True)):
            raise SimulatorError(
                f"{at} is outside of the world; the game may remove a pawn there.", command="teleport"
            )
        self._pawn.stand(at)
        self._falling = False
        self._state = TickState(self._t_s, turned(pose), 0.0, False)
        return self._state

    def render(self, modalities: Collection[str], size: tuple[int, int]) -> Frame:
        camera, view = self._at_eye(size)
        wanted = sorted(modalities)
        missing = [name for name in wanted if name not in self.capabilities and name != "rgb"]
        if missing:
            raise CapabilityMissing(f"This game gives no {', '.join(missing)}.", command="render")
        bodies = camera.shoot(view, [_PICTURES[name] for name in wanted])
        arrays: dict[str, Any] = {}
        for name, body in zip(wanted, bodies, strict=True):
            if name == "mask":
                assert self._masks is not None
                arrays[name] = self._masks.ids(body)
                continue
            picture = self._client.read_image(camera.ask(_PICTURES[name]), body)
            if name == "rgb":
                camera.check_fresh(view, body, bool((picture == picture[0, 0]).all()))
            arrays[name] = images.normals_from_colour(picture) if name == "normals" else picture
        return Frame(self._t_s, self._state.pose, **arrays)

    def objects(self) -> dict[str, ObjectState]:
        return {name: actor.state for name, actor in self._loaded().by_name.items()}

    def object(self, name: str) -> ObjectState:
        return self._loaded().of(name).state

    def set_object(self, name: str, patch: ObjectPatch) -> ObjectState:
        """As the contract says. An object in view that is hidden must be gone from the mask."""
        actors = self._loaded()
        if patch.collides is not None and "collision" not in self.capabilities:
            raise CapabilityMissing("This game does not let collision be switched.", command="set_object")
        watched = patch.visible is False and self._masks is not None and actors.of(name).state.visible
        state = actors.change(name, patch)
        if watched and self._masks is not None and self._masks.pixels(name, self._at_eye(_PROBE_PX)[1]):
            raise CommandFailed(
                f"The game answered ok, but {name!r} is still to be seen.",
                command=f"vset /object/{name}/hide",
            )
        return state

    def set_light(self, name: str, patch: LightPatch) -> None:
        assert self._lights is not None
        self._lights.change(name, patch)

    def spawn(self, item: WorldObject) -> ObjectState:
        if "spawn" not in self.capabilities:
            raise CapabilityMissing("This game adds no objects.", command="spawn")
        state = self._loaded().spawn(item)
        if self._masks is not None:
            self._masks.added(item.name)
        return state

    def destroy(self, name: str) -> None:
        self._loaded().destroy(name)
        if self._masks is not None:
            self._masks.removed()

    def visibility(
        self, ref: str, names: Collection[str], twin: Mapping[str, ObjectState], size: tuple[int, int]
    ) -> tuple[VisibilityRow, ...]:
        if self._masks is None:
            raise CapabilityMissing("This game gives no masks.", command="visibility")
        return self._masks.rows(ref, names, twin, self._at_eye(size)[1])

    def renderer(self) -> str:
        return f"UnrealCV {self._version}"

    def interrupt(self) -> None:
        self._client.interrupt()

    def close(self) -> None:
        """Leave the game as it was found, but paused no more."""
        self._undo()
        self._client.text("vset /action/game/resume")

    def _loaded(self) -> Actors:
        if self._actors is None:
            raise SimulatorError("No world is loaded.", command="objects", hint="Call `load` first.")
        return self._actors

    def _at_eye(self, size: tuple[int, int]) -> tuple[Camera, View]:
        assert self._camera is not None
        pose = self._state.pose
        where = eye(pose, self.eye_height_m)
        return self._camera, View(where, pose.yaw_deg, pose.pitch_deg, size, self.fov_deg)

    def _walk(self, feet: tuple[float, float, float], wanted: tuple[float, float], dt_s: float) -> Walked:
        if self._falling:
            return self._pawn.fall(feet, FALL_M_S * dt_s)
        length = math.hypot(*wanted)
        if length == 0.0:
            return Walked(feet, False, False)
        count = math.ceil(length / SUBSTEP_M - 1e-9)
        for _ in range(count):
            walked = self._pawn.walk(feet, wanted[0] / count, wanted[1] / count)
            if walked.blocked or walked.falling:
                return walked
            feet = walked.feet
        return walked

    def _undo(self) -> None:
        if self._lights is not None:
            self._lights.restore()
        if self._actors is not None:
            self._actors.restore()

    def _open_level(self, name: str) -> None:
        if self._client.text("vget /level/name").strip() == name and not self._anew:
            return
        self._actors = self._masks = self._lights = None
        # A camera of ours belongs to the level: once there are fewer again, the level is another one.
        self._camera = None
        marked = len(Camera(self._client).others) + 1
        deadline_s = self._client.deadlines.level_s
        self._client.text(f"vset /action/game/level {name}", deadline_s=deadline_s)
        began = time.monotonic()
        while not self._is_open(name, marked):
            waited_s = time.monotonic() - began
            if waited_s > deadline_s:
                raise LoadTimeout(
                    f"The game does not show the level {name!r}.",
                    endpoint=self._client.endpoint,
                    command="vset /action/game/level",
                    waited_s=waited_s,
                    hint="The world's name must be that of one of the game's levels.",
                )
            time.sleep(0.05)
        self._anew = False
        self._client.text("vset /action/game/pause")

    def _is_open(self, name: str, marked: int) -> bool:
        level, cameras = tried(self._client, ["vget /level/name", "vget /cameras"])
        if level is None or cameras is None:
            return False
        return level.strip() == name and 0 < len(formats.parse_names(cameras)) < marked

    def _picture_format(self) -> str:
        host = self._client.address.rpartition("://")[2].rpartition(":")[0].strip("[]")
        local = self._client.address.startswith("unix://") or on_this_machine(host)
        return "bmp" if local else "png"

    def _found_capabilities(self) -> frozenset[str]:
        """What works, tried out on the game."""
        assert self._camera is not None and self._lights is not None
        found = {"strafe"}
        camera, view = self._at_eye(_PROBE_PX)
        for name, picture in (("depth", "depth"), ("normals", "normal")):
            try:
                self._client.read_image(camera.ask(picture), camera.shoot(view, [picture])[0])
            except CommandFailed:
                continue
            found.add(name)
        try:
            self._masks = Masks(self._client, self._loaded(), camera, view)
            found |= {"mask", "visibility"}
        except (CommandFailed, CapabilityMissing) as error:
            self._masks = None
            log.warning("%s: no masks, so no visibility. %s", self._client.endpoint, error)
        if self._lights.names:
            found.add("lights")
        cube = self._probe_cube()
        return frozenset(found | cube)

    def _probe_cube(self) -> set[str]:
        """Whether cubes can be made, and whether an actor's collision can be switched."""
        probe = "embodied_eval_probe"
        if probe in self._loaded().kinds or not works(self._client, f"vset /objects/spawn_cube {probe}"):
            return set()
        switched = works(self._client, collision_command(probe, False))
        self._client.text(f"vset /object/{probe}/destroy")
        return {"spawn", "collision"} if switched else {"spawn"}
