"""The driver contract over a server of ours: each call is one command of the `extension`, floats come back exactly.

What cannot have changed since it was read is not asked for again, and what was asked for after the last tick is asked
for together with the next one: a step is one exchange.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from embodied_eval import errors
from embodied_eval.drivers.base import (
    CAPABILITIES,
    TICK_S,
    Command,
    Driver,
    Frame,
    LightPatch,
    ObjectPatch,
    ObjectState,
    RayHit,
    TickState,
    Vec3,
)
from embodied_eval.drivers.unrealcv import extension, formats
from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.errors import (
    CommandFailed,
    EmbodiedEvalError,
    FrameTimeout,
    SimulatorError,
    StepTimeout,
    UnknownName,
    UnknownObject,
)
from embodied_eval.records import Pose, VisibilityRow
from embodied_eval.worlds.model import World, WorldObject


class ExactRoad(Driver):
    """The world of one of our servers, over a connection that somebody else opened and closes.

    `commands` are the templates that the server lists. Errors of the driver behind it arrive as the classes they
    were there; everything that a `Client` call raises passes.
    """

    name = "unrealcv"

    def __init__(self, client: Client, commands: Collection[str]) -> None:
        super().__init__()
        self._client, self._commands = client, frozenset(commands)
        self._about: extension.About | None = None
        self._state: TickState | None = None
        self._known: dict[str, ObjectState] = {}
        self._all_known = False
        self._asked_for: set[str] = set()

    @staticmethod
    def offered_by(commands: Collection[str]) -> bool:
        """Whether a server that lists `commands` speaks the extension."""
        return extension.REPLIES.keys() <= set(commands)

    def load(self, world: World, *, seed: int = 0, spawn: str = "") -> TickState:
        wanted = extension.LoadRequest(world.name, world.sha256, seed, spawn)
        self._forget()
        self._asked_for.clear()
        try:
            state = self._ask(extension.LOAD, wanted, self._client.deadlines.level_s)
        except UnknownName:
            if any(spawn == one.name for one in world.spawns) or not spawn:
                self._ask(extension.WORLD, world.to_json(), self._client.deadlines.level_s)
            state = self._ask(extension.LOAD, wanted, self._client.deadlines.level_s)
        about: extension.About = self._ask(extension.ABOUT)
        if about.sha256 != world.sha256:
            raise SimulatorError(
                f"The server loaded {about.world!r} ({about.sha256[:12]}), not {world.name!r}.",
                command="load",
            )
        self._about = about
        self.capabilities = CAPABILITIES & frozenset(about.capabilities)
        self.eye_height_m, self.fov_deg = about.eye_height_m, about.fov_deg
        return self._came(state)

    def tick(self, command: Command, dt_s: float = TICK_S) -> TickState:
        self._forget()
        names, self._asked_for = sorted(self._asked_for), set()
        if not names:
            return self._came(self._ask(extension.TICK, extension.TickRequest(command, dt_s)))
        commands = [
            extension.request(extension.TICK, extension.TickRequest(command, dt_s)),
            *(extension.request(extension.OBJECT, extension.Named(name)) for name in names),
        ]
        bodies = self._client.batch(commands, deadline_s=self._client.deadlines.text_s)
        state = self._came(extension.unpack_reply(TickState, self._read(extension.TICK, bodies[0])))
        for name, body in zip(names, bodies[1:], strict=True):
            # One that is gone by now is an error only for who asks for it again.
            if not formats.is_error(body):
                self._known[name] = extension.unpack_reply(ObjectState, body.decode())
        return state

    def state(self) -> TickState:
        if self._state is None:
            self._came(self._ask(extension.STATE))
        assert self._state is not None
        return self._state

    def teleport(self, pose: Pose) -> TickState:
        return self._came(self._ask(extension.TELEPORT, pose))

    def render(self, modalities: Collection[str], size: tuple[int, int]) -> Frame:
        wanted = extension.FrameRequest(tuple(sorted(modalities)), size)
        command = extension.request(extension.FRAME, wanted)
        body = self._client.view(command, deadline_s=self._client.deadlines.image_s)
        if formats.is_error(body):
            self._read(extension.FRAME, body)
        return extension.unpack_frame(body)

    def objects(self) -> dict[str, ObjectState]:
        if not self._all_known:
            self._known, self._all_known = self._ask(extension.OBJECTS), True
        return dict(self._known)

    def object(self, name: str) -> ObjectState:
        self._asked_for.add(name)
        if name not in self._known:
            if self._all_known:
                raise UnknownObject(f"There is no object {name!r} in this world.", command="object")
            self._known[name] = self._ask(extension.OBJECT, extension.Named(name))
        return self._known[name]

    def set_object(self, name: str, patch: ObjectPatch) -> ObjectState:
        self._known.pop(name, None)
        known, self._all_known = self._all_known, False
        self._known[name] = self._ask(extension.SET_OBJECT, extension.ObjectRequest(name, patch))
        self._all_known = known
        return self._known[name]

    def set_light(self, name: str, patch: LightPatch) -> None:
        self._ask(extension.SET_LIGHT, extension.LightRequest(name, patch))

    def spawn(self, item: WorldObject) -> ObjectState:
        self._forget()
        state: ObjectState = self._ask(extension.SPAWN, extension.SpawnRequest(item))
        return state

    def destroy(self, name: str) -> None:
        self._forget()
        self._ask(extension.DESTROY, extension.Named(name))

    def raycast(self, origin: Vec3, direction: Vec3, max_m: float) -> RayHit | None:
        hit: RayHit | None = self._ask(extension.RAYCAST, extension.RayRequest(origin, direction, max_m))
        return hit

    def visibility(
        self, ref: str, names: Collection[str], twin: Mapping[str, ObjectState], size: tuple[int, int]
    ) -> tuple[VisibilityRow, ...]:
        wanted = extension.VisibilityRequest(ref, tuple(names), dict(twin), size)
        return tuple(self._ask(extension.VISIBILITY, wanted, self._client.deadlines.image_s))

    def renderer(self) -> str:
        if extension.RENDERER in self._commands:
            return self._client.text(extension.RENDERER, deadline_s=self._client.deadlines.image_s)
        return f"{self._about.driver} over UnrealCV" if self._about else ""

    def interrupt(self) -> None:
        self._client.interrupt()

    def close(self) -> None:
        self._state = None
        self._forget()

    def _forget(self) -> None:
        self._known, self._all_known = {}, False

    def _came(self, state: TickState) -> TickState:
        self._state = state
        return state

    def _ask(self, template: str, value: Any = None, deadline_s: float | None = None) -> Any:
        command = extension.request(template, value)
        try:
            body = self._client.view(command, deadline_s=deadline_s or self._client.deadlines.text_s)
        except FrameTimeout as late:
            raise StepTimeout(
                late.message, endpoint=late.endpoint, command=template, waited_s=late.waited_s, hint=late.hint
            ) from None
        except SimulatorError as error:
            # Not the whole command: its word may be a world.
            error.command = template
            raise
        return extension.unpack_reply(extension.REPLIES[template], self._read(template, body))

    def _read(self, template: str, body: bytes | memoryview) -> str:
        try:
            return self._client.read_text(template, body)
        except CommandFailed as error:
            raise _as_there(error, bytes(body).decode(errors="replace")) from None


def _as_there(error: CommandFailed, words: str) -> EmbodiedEvalError:
    """The error that the server's driver raised, from `error KIND: message`; `error` itself for other words."""
    kind, colon, message = words.removeprefix("error").strip().partition(":")
    found = getattr(errors, kind, None) if colon and kind.isidentifier() else None
    if not (isinstance(found, type) and issubclass(found, EmbodiedEvalError)):
        return error
    # Its own arguments are not known here, only what it says.
    made = found.__new__(found)
    EmbodiedEvalError.__init__(made, message.strip())
    if isinstance(made, SimulatorError):
        made.endpoint, made.command, made.waited_s = error.endpoint, error.command, error.waited_s
    return made
