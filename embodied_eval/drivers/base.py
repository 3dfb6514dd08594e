"""The driver contract: what every simulator offers, in one set of units.

Metres, degrees, seconds; right-handed, z up; yaw counter-clockwise seen from above (0 looks along +x),
pitch positive up; a pose is the feet point, the eye is `eye_height_m` above it; `fov_deg` is horizontal.
Each driver converts at its own edge and nowhere else. Only simulated time exists: seconds since `load`;
it stands still between calls.

A driver is a plain synchronous object, created, used and closed in one thread. `interrupt` alone may be
called from another one.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from embodied_eval.errors import CapabilityMissing, UnknownObject
from embodied_eval.records import Pose, VisibilityRow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from embodied_eval.worlds.model import World, WorldObject

TICK_S = 0.05
WALK_M_S = 2.2
TURN_DEG_S = 90.0
PITCH_LIMIT_DEG = 80.0
REACH_M = 2.5

MODALITIES = frozenset({"rgb", "depth", "normals", "mask"})
# The name of the material that every world has: the magenta and black checker of a missing texture.
MISSING_MATERIAL = "missing"
Vec3 = tuple[float, float, float]


@dataclass(frozen=True)
class Command:
    """What the agent wants during one tick.

    `forward` and `strafe` (right positive) are fractions of walking speed in -1..1; `yaw_deg` (counter-
    clockwise positive) and `pitch_deg` (up positive) are changes during this tick.
    """

    forward: float = 0.0
    strafe: float = 0.0
    yaw_deg: float = 0.0
    pitch_deg: float = 0.0
    jump: bool = False
    interact: bool = False


@dataclass(frozen=True)
class TickState:
    """The world after a tick. `moved_m` is the horizontal distance really moved in this tick, `blocked`
    whether something stopped or shortened the wanted motion, `contacts` pairs of object names (the agent
    is "agent"), sorted, `interacted` the object operated in this tick."""

    t_s: float
    pose: Pose
    moved_m: float
    blocked: bool
    contacts: tuple[tuple[str, str], ...] = ()
    interacted: str | None = None


@dataclass(frozen=True)
class Frame:
    """One capture. Only the asked-for arrays are set, all registered to the pixel.

    `rgb` uint8 (H, W, 3); `depth` float32 (H, W) metres, planar along the view axis, inf for sky; `mask`
    int32 (H, W), -1 background, otherwise an object id; `normals` float32 (H, W, 3), world frame.
    """

    t_s: float
    pose: Pose
    rgb: NDArray[np.uint8] | None = None
    depth: NDArray[np.float32] | None = None
    normals: NDArray[np.float32] | None = None
    mask: NDArray[np.int32] | None = None


@dataclass(frozen=True)
class ObjectState:
    """An object as it is now. `bounds` = (min, max) corners in metres; `state` its device's state
    ("open", "closed", "on", "off", "" for none); `color` a tint over its materials or None; `material` the
    material that is shown in place of all its own, or None; `shadow_offset_m` how far (world axes) its
    sun shadow's caster stands from the object itself."""

    id: int
    name: str
    position: Vec3
    rotation_deg: Vec3
    scale: Vec3
    visible: bool
    collides: bool
    casts_shadow: bool
    color: Vec3 | None
    state: str
    bounds: tuple[Vec3, Vec3]
    velocity_m_s: Vec3 = (0.0, 0.0, 0.0)
    material: str | None = None
    shadow_offset_m: Vec3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class ObjectPatch:
    """What to change on an object; None leaves as it is. `rotation_deg` is (roll, pitch, yaw) applied
    about x, then y, then z of the fixed frame; `velocity_m_s` and `spin_deg_s` act on movable bodies only;
    `clear_color` removes a tint. `material` shows all of the object in one of the world's materials or in
    `MISSING_MATERIAL` (capability `materials`; `UnknownName` for any other), under a tint if it has one;
    `clear_material` gives it back its own. `shadow_offset_m` (world axes, capability `shadows`) lets the
    sun's shadow fall as if the object stood that much elsewhere, and nothing else about it."""

    position: Vec3 | None = None
    rotation_deg: Vec3 | None = None
    scale: Vec3 | None = None
    visible: bool | None = None
    collides: bool | None = None
    casts_shadow: bool | None = None
    color: Vec3 | None = None
    clear_color: bool = False
    material: str | None = None
    clear_material: bool = False
    shadow_offset_m: Vec3 | None = None
    state: str | None = None
    velocity_m_s: Vec3 | None = None
    spin_deg_s: Vec3 | None = None


@dataclass(frozen=True)
class LightPatch:
    """What to change on a light; None leaves as it is."""

    on: bool | None = None
    intensity: float | None = None
    color: Vec3 | None = None


@dataclass(frozen=True)
class RayHit:
    """The first thing on a ray: its object's name, distance in metres, point."""

    object: str
    distance_m: float
    point: Vec3


@dataclass(frozen=True)
class Motion:
    """The sum of the ticks of one `move`, `turn`, `look`, `advance` or `interact`."""

    pose: Pose
    t_s: float
    elapsed_s: float
    moved_m: float
    blocked: bool
    contacts: tuple[tuple[str, str], ...]
    interacted: str | None = None


class Listener(Protocol):
    """What may watch a driver: the effects engine, a recorder. Called in the driver's thread."""

    def on_tick(self, state: TickState) -> None:
        """After every tick."""

    def before_capture(self, state: TickState) -> None:
        """Once before each capture, with the state of the last tick."""


class Driver(ABC):
    """One simulator under control.

    Class attributes: `name` (as in `--driver`), `capabilities` (of `CAPABILITIES`), `takes_address` (whether it is
    made with the `address` of a running simulator, "" = it starts its own), `call_deadline_s` (after how long one
    call, a load above all, is given up). Every method may raise
    a `SimulatorError`; `UnknownObject` for a name that is not loaded.
    """

    name: str = ""
    takes_address: bool = False
    call_deadline_s: float = 120.0
    capabilities: frozenset[str] = frozenset()
    eye_height_m: float = 1.6
    fov_deg: float = 90.0

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    # -- what a driver implements -------------------------------------------------------------

    @abstractmethod
    def load(self, world: World, *, seed: int = 0, spawn: str = "") -> TickState:
        """Load `world` at simulated time 0, the agent at `spawn` ("" = the world's first)."""

    @abstractmethod
    def tick(self, command: Command, dt_s: float = TICK_S) -> TickState:
        """Let `dt_s` simulated seconds pass under `command`. Implementations call no listener."""

    @abstractmethod
    def state(self) -> TickState:
        """The state after the last tick, load or teleport; nothing passes."""

    @abstractmethod
    def teleport(self, pose: Pose) -> TickState:
        """Put the agent at `pose` at once; no time passes."""

    @abstractmethod
    def render(self, modalities: Collection[str], size: tuple[int, int]) -> Frame:
        """The view now: `modalities` of `MODALITIES`, `size` (width, height) in pixels."""

    @abstractmethod
    def objects(self) -> dict[str, ObjectState]:
        """Every object of the world, by name."""

    @abstractmethod
    def set_object(self, name: str, patch: ObjectPatch) -> ObjectState:
        """Apply `patch` and return the state read back."""

    @abstractmethod
    def set_light(self, name: str, patch: LightPatch) -> None:
        """Change a light or the sun."""

    @abstractmethod
    def spawn(self, item: WorldObject) -> ObjectState:
        """Add an object; its id is new and never reused."""

    @abstractmethod
    def destroy(self, name: str) -> None:
        """Remove an object that `spawn` added."""

    @abstractmethod
    def interrupt(self) -> None:
        """Make a stuck call of the driver's own thread end; callable from any thread."""

    @abstractmethod
    def close(self) -> None:
        """Free the simulator; the driver is of no further use. Safe to call twice."""

    def object(self, name: str) -> ObjectState:
        """The object called `name` as it is now. Raises `UnknownObject`."""
        states = self.objects()
        if name not in states:
            raise UnknownObject(f"There is no object {name!r} in this world.", command="object")
        return states[name]

    def renderer(self) -> str:
        """The name of what draws the pictures, recorded with the run."""
        return ""

    def raycast(self, origin: Vec3, direction: Vec3, max_m: float) -> RayHit | None:
        """The first visible object hit from `origin` along `direction` within `max_m`, solid or not;
        capability `raycast`."""
        raise CapabilityMissing(f"Driver {self.name!r} cannot cast rays.", command="raycast")

    def visibility(
        self, ref: str, names: Collection[str], twin: Mapping[str, ObjectState], size: tuple[int, int]
    ) -> tuple[VisibilityRow, ...]:
        """How each of `names` shows from the present pose in an image of `size`, and how it would in the
        clean twin: the same world with the objects in `twin` put back to those states, and objects whose
        name is in `names` but that were spawned (and are not in `twin`) absent. Capability `visibility`."""
        raise CapabilityMissing(f"Driver {self.name!r} has no masks.", command="visibility")

    # -- what the core gives every driver -----------------------------------------------------

    def attach(self, listener: Listener) -> None:
        """Have `listener` called after every tick and before every capture, in order of attachment."""
        self._listeners.append(listener)

    def detach_all(self) -> None:
        """Forget every listener."""
        self._listeners.clear()

    def step(self, command: Command, dt_s: float = TICK_S) -> TickState:
        """One tick with its listeners: what every motion is made of, and a VLA's own step."""
        state = self.tick(command, dt_s)
        for listener in self._listeners:
            listener.on_tick(state)
        return state

    def capture(self, modalities: Collection[str] = ("rgb",), size: tuple[int, int] = (960, 540)) -> Frame:
        """The view now, after triggers were evaluated once more."""
        unknown = set(modalities) - MODALITIES
        if unknown:
            raise CapabilityMissing(
                f"No modality {sorted(unknown)}; legal: {sorted(MODALITIES)}.", command="capture"
            )
        state = self.state()
        for listener in self._listeners:
            listener.before_capture(state)
        return self.render(modalities, size)

    def move(self, distance_m: float, *, on_tick: OnTick | None = None) -> Motion:
        """Walk `distance_m` along the yaw (negative = backwards) at `WALK_M_S`; obstacles shorten it."""
        sign = 1.0 if distance_m >= 0 else -1.0
        left = abs(distance_m)
        commands = []
        while left > 1e-9:
            part = min(left, WALK_M_S * TICK_S)
            commands.append(Command(forward=sign * part / (WALK_M_S * TICK_S)))
            left -= part
        return self._run(commands, on_tick)

    def turn(self, degrees: float, *, on_tick: OnTick | None = None) -> Motion:
        """Turn by `degrees` (counter-clockwise positive) at `TURN_DEG_S`."""
        return self._run([Command(yaw_deg=part) for part in _parts(degrees)], on_tick)

    def look(self, degrees: float, *, on_tick: OnTick | None = None) -> Motion:
        """Pitch by `degrees` (up positive), ending within +-`PITCH_LIMIT_DEG`."""
        return self._run([Command(pitch_deg=part) for part in _parts(degrees)], on_tick)

    def advance(self, seconds: float, *, on_tick: OnTick | None = None) -> Motion:
        """Stand still while `seconds` of simulated time pass (rounded to whole ticks)."""
        return self._run([Command()] * max(1, round(seconds / TICK_S)), on_tick)

    def interact(self, *, on_tick: OnTick | None = None) -> Motion:
        """Operate what is under the crosshair within `REACH_M`; lasts one tick."""
        return self._run([Command(interact=True)], on_tick)

    def _run(self, commands: list[Command], on_tick: OnTick | None) -> Motion:
        start = state = self.state()
        moved, blocked, interacted = 0.0, False, None
        contacts: set[tuple[str, str]] = set()
        for command in commands:
            state = self.step(command)
            moved += state.moved_m
            blocked = blocked or state.blocked
            interacted = state.interacted or interacted
            contacts.update(state.contacts)
            if on_tick is not None:
                on_tick(state)
        return Motion(
            state.pose,
            state.t_s,
            state.t_s - start.t_s,
            moved,
            blocked,
            tuple(sorted(contacts)),
            interacted,
        )


OnTick = Callable[[TickState], None]

CAPABILITIES = frozenset(
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
        "jump",
        "depth",
        "normals",
        "mask",
    }
)


def _parts(degrees: float) -> list[float]:
    step = TURN_DEG_S * TICK_S
    count = max(1, math.ceil(abs(degrees) / step - 1e-9))
    return [degrees / count] * count


def eye(pose: Pose, eye_height_m: float) -> Vec3:
    """The camera's position for `pose`."""
    return (pose.x, pose.y, pose.z + eye_height_m)


def view_direction(pose: Pose) -> Vec3:
    """Unit vector along which `pose` looks."""
    yaw, pitch = math.radians(pose.yaw_deg), math.radians(pose.pitch_deg)
    return (math.cos(pitch) * math.cos(yaw), math.cos(pitch) * math.sin(yaw), math.sin(pitch))


def turned(pose: Pose, yaw_deg: float = 0.0, pitch_deg: float = 0.0) -> Pose:
    """`pose` turned by the given changes: yaw wrapped to (-180, 180], pitch clamped."""
    yaw = 180.0 - (180.0 - (pose.yaw_deg + yaw_deg)) % 360.0
    pitch = max(-PITCH_LIMIT_DEG, min(PITCH_LIMIT_DEG, pose.pitch_deg + pitch_deg))
    return replace(pose, yaw_deg=yaw, pitch_deg=pitch)
