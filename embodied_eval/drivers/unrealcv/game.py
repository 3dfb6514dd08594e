"""The game that commands act on: one driver with its world, its actors, its cameras, and its time."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from embodied_eval.drivers.base import Command, Driver, ObjectState, TickState, Vec3
from embodied_eval.drivers.body import HEIGHT_M, RADIUS_M
from embodied_eval.drivers.unrealcv import formats
from embodied_eval.drivers.unrealcv.cast import Actor, Cast
from embodied_eval.drivers.unrealcv.commands.registry import Refusal
from embodied_eval.drivers.unrealcv.sensors import Camera
from embodied_eval.errors import UnknownName
from embodied_eval.records import Pose
from embodied_eval.worlds.bundled import BUNDLED, load_world
from embodied_eval.worlds.model import World

if TYPE_CHECKING:
    from embodied_eval.drivers.unrealcv.commands.registry import Registry
    from embodied_eval.worlds.geometry import Array

Mode = Literal["compat", "strict", "linux-handover"]
FRAME_S = 1.0 / 30.0
CENTRE_M = HEIGHT_M / 2.0
KEPT_WORLDS = 4
KEYS: dict[str, Command] = {
    "w": Command(forward=1.0),
    "up": Command(forward=1.0),
    "s": Command(forward=-1.0),
    "down": Command(forward=-1.0),
    "a": Command(strafe=-1.0),
    "d": Command(strafe=1.0),
    "left": Command(yaw_deg=3.0),
    "right": Command(yaw_deg=-3.0),
    "spacebar": Command(jump=True),
    "e": Command(interact=True),
}


class Game:
    """Everything a command can ask for or change. Used in the driver's thread only.

    `paused`: no time passes between ticks; otherwise `frame_s` x `time_scale` simulated seconds pass after each
    tick in which the server answered something, and none while nobody asks. The player's origin, which `moveto`
    and locations mean, is the middle of the capsule, `CENTRE_M` above the feet.
    """

    default_frame_s = FRAME_S

    def __init__(
        self, driver: Driver, world: World, commands: Registry, *, size: tuple[int, int], mode: Mode
    ) -> None:
        self.driver, self.commands, self.size, self.mode = driver, commands, size, mode
        self.port = 0
        self.connected: Callable[[], bool] = lambda: True
        self._worlds: dict[str, World] = {world.sha256: world}
        self._level: World | None = None
        self.load(world)
        self.folder = Path(tempfile.mkdtemp(prefix="embodied-eval-unrealcv-"))

    @property
    def strict(self) -> bool:
        """Whether the server keeps to what the public one does."""
        return self.mode != "compat"

    def load(self, world: World, *, seed: int = 0, spawn: str = "") -> TickState:
        """Load a world: actors, cameras and settings begin anew."""
        state = self.driver.load(world, seed=seed, spawn=spawn)
        self.world = world
        self.cast = Cast(world)
        self.cameras = [Camera("PlayerCamera", self.size, self.driver.fov_deg)]
        self.paused = False
        self.time_scale, self.frame_s = 1.0, FRAME_S
        self.viewmode = "lit"
        self.input_enabled = True
        self._keys: dict[str, float] = {}
        self._corners: dict[str, tuple[object, list[Array]]] = {}
        self._followed = state.pose
        return state

    def keep(self, world: World) -> None:
        """Remember a world that a client sent; the oldest of more than `KEPT_WORLDS` is forgotten."""
        self._worlds.pop(world.sha256, None)
        self._worlds[world.sha256] = world
        while len(self._worlds) > KEPT_WORLDS:
            del self._worlds[next(sha for sha in self._worlds if sha != self.world.sha256)]

    def known_world(self, name: str, sha256: str = "") -> World:
        """The bundled, first or sent world called `name`, with that hash if one is given. Raises `UnknownName`."""
        for world in reversed(self._worlds.values()):
            if world.name == name and sha256 in ("", world.sha256):
                return world
        # Only names: a client must not have the server read files.
        if name in BUNDLED:
            world = load_world(name)
            if sha256 in ("", world.sha256):
                return world
        raise UnknownName("world", name, {*BUNDLED, *(item.name for item in self._worlds.values())})

    def open_level(self, name: str) -> None:
        """Have the world called `name` loaded once the present tick's replies are sent."""
        self._level = self.known_world(name)

    def end_tick(self) -> None:
        """What happens after a tick's replies: a level loads, or time passes."""
        if self._level is not None:
            level, self._level = self._level, None
            self.load(level)
        elif not self.paused:
            self.driver.tick(self._keyed(), self.frame_s * self.time_scale)
            self._followed = self.driver.state().pose

    def press(self, key: str, seconds: float) -> None:
        """Hold a key for so many simulated seconds. Raises `Refusal` for one without a meaning."""
        if key.lower() not in KEYS:
            raise Refusal(f"Key {key[:40]} does nothing here; known: {' '.join(KEYS)}")
        self._keys[key.lower()] = self.driver.state().t_s + seconds

    def _keyed(self) -> Command:
        now = self.driver.state().t_s
        self._keys = {key: until for key, until in self._keys.items() if until > now + 1e-9}
        held = [KEYS[key] for key in self._keys] if self.input_enabled else []
        return Command(
            forward=sum(command.forward for command in held),
            strafe=sum(command.strafe for command in held),
            yaw_deg=sum(command.yaw_deg for command in held),
            jump=any(command.jump for command in held),
            interact=any(command.interact for command in held),
        )

    def camera(self, text: str) -> Camera:
        """The camera of that number as it stands now; the player's follows the player. Raises `Refusal`."""
        if not text or len(text) > 6 or int(text) >= len(self.cameras):
            raise Refusal("Invalid sensor id")
        number = int(text)
        if number == 0:
            pose = self.driver.state().pose
            # The public server's camera 0 takes the player's direction in a tick of the game, not while paused.
            seen = self._followed if self.strict and self.paused else pose
            self.cameras[0].eye_m = (pose.x, pose.y, pose.z + self.driver.eye_height_m)
            self.cameras[0].rotation = formats.view_to_unreal(seen.yaw_deg, seen.pitch_deg)
        return self.cameras[number]

    def pawn_origin(self) -> Vec3:
        """Where the player is, metres."""
        pose = self.driver.state().pose
        return (pose.x, pose.y, pose.z + CENTRE_M)

    def pawn_box(self) -> tuple[Vec3, Vec3]:
        """The player's bounds, metres."""
        pose = self.driver.state().pose
        low = (pose.x - RADIUS_M, pose.y - RADIUS_M, pose.z)
        return low, (pose.x + RADIUS_M, pose.y + RADIUS_M, pose.z + HEIGHT_M)

    def put_pawn(self, origin: Vec3) -> None:
        """Move the player at once, through everything."""
        x, y, z = origin
        self._teleport(replace(self.driver.state().pose, x=x, y=y, z=z - CENTRE_M))

    def turn_pawn(self, rotation: Vec3) -> None:
        """Turn the player to UnrealCV's (pitch, yaw, roll); a player has no roll and can't look straight up."""
        yaw, pitch = formats.view_from_unreal(rotation)
        self._teleport(replace(self.driver.state().pose, yaw_deg=yaw, pitch_deg=pitch))

    def _teleport(self, pose: Pose) -> None:
        followed = self._followed
        self.driver.teleport(pose)
        self._followed = replace(pose, yaw_deg=followed.yaw_deg, pitch_deg=followed.pitch_deg)

    def sweep_pawn(self, origin: Vec3) -> None:
        """Move the player straight towards `origin`, up to the first thing in the way."""
        import numpy as np

        from embodied_eval.drivers.unrealcv.sweep import swept

        pose = self.driver.state().pose
        feet = np.array([pose.x, pose.y, pose.z])
        motion = np.array([origin[0], origin[1], origin[2] - CENTRE_M]) - feet
        x, y, z = (float(value) for value in feet + motion * swept(self._obstacles(), feet, motion))
        self._teleport(replace(pose, x=x, y=y, z=z))

    def _obstacles(self) -> list[Array]:
        """The corners of every solid that stops bodies."""
        states = self.driver.objects()
        found: list[Array] = []
        for actor in self.cast.actors.values():
            state = states.get(actor.target) if actor.kind == "object" else None
            if state is not None and state.collides:
                found.extend(self.corners(actor, state))
        return found

    def corners(self, actor: Actor, state: ObjectState, *, drawn: bool = False) -> list[Array]:
        """The corners (n, 3), metres, of each of an object's solids that collide, or with `drawn` of all. A
        device that moves counts as wholly in its state."""
        from embodied_eval.worlds.geometry import rest_amount, rotation_matrix, solids, vec3

        mark = (state.position, state.rotation_deg, state.scale, state.state, drawn)
        kept = self._corners.get(actor.target)
        item = actor.item
        if kept is not None and kept[0] == mark:
            return kept[1]
        if item is None:
            return []
        import numpy as np

        amount = rest_amount(item.interaction, state.state) if item.interaction else None
        turned, place = rotation_matrix(vec3(state.rotation_deg)), np.array(state.position)
        made = [
            solid.moved(turned, place).vertices()
            for solid in solids(item, amount=amount, scale=state.scale, meshes=self.world.meshes)
            if drawn or solid.primitive.collides
        ]
        self._corners[actor.target] = (mark, made)
        return made
