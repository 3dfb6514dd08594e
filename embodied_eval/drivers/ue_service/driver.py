"""The `ue-service` driver: a task of the official benchmark in its own UE game, through its loopback HTTP service."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Collection
from typing import TYPE_CHECKING, NoReturn

from embodied_eval.drivers.base import (
    TICK_S,
    Command,
    Driver,
    Frame,
    LightPatch,
    Motion,
    ObjectPatch,
    ObjectState,
    OnTick,
    TickState,
)
from embodied_eval.drivers.page.driver import fitted
from embodied_eval.drivers.ue_service.actions import (
    DONE,
    INTERACT,
    Action,
    flag_action,
    idle_action,
    look_action,
    move_action,
    turn_action,
)
from embodied_eval.drivers.ue_service.answers import CLOCK_EPSILON_S, Observation, observation_of, pixels
from embodied_eval.drivers.ue_service.http import LIMITS, Limits, Service, place_of
from embodied_eval.drivers.whole.actions import check_fresh, fell_short, played, waited, walked_m
from embodied_eval.drivers.whole.film import Shot
from embodied_eval.errors import (
    CapabilityMissing,
    CommandFailed,
    ProtocolError,
    SimulatorCrashed,
    SimulatorError,
    StaleFrame,
    UnknownName,
)
from embodied_eval.records import Json, Pose
from embodied_eval.worlds.ue_service import Played, played_in

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from embodied_eval.worlds.model import World, WorldObject

EDGE = "edge of the play area"
EDGE_M = 0.03
ANEW = "One process of the service plays one episode: start it anew."
log = logging.getLogger("embodied_eval")


class UeServiceDriver(Driver):
    """A game of somebody else's that is moved in whole actions, each with the pictures that were taken meanwhile.

    What happens in an action (speed, obstacles, time) is the game's say; it stands still between them, which is
    checked. Distances and angles are sent in whole centimetres and degrees. Whoever stands at the edge of the play
    area touches a thing of that name. The first failure loses the episode: nothing is sent to it any more, and the
    error is not retriable, since one process of the service plays one episode.

    Where the eye is and how wide it sees is not told: `eye_height_m` and `fov_deg` are the contract's defaults.
    """

    name = "ue-service"
    takes_address = True
    call_deadline_s = 260.0
    capabilities = frozenset({"interact", "official-ue"})

    def __init__(self, address: str = "", *, remote: bool = False, limits: Limits = LIMITS) -> None:
        """`address` as `place_of` takes it. Raises `ConfigError` for another machine's, unless `remote`."""
        super().__init__()
        self.place, self._limits = place_of(address, remote=remote), limits
        self._service = Service(self.place, limits)
        self._closed = self._loaded = False
        self._lost = ""
        self._episode_id = ""

    def load(self, world: World, *, seed: int = 0, spawn: str = "") -> TickState:
        """See `Driver.load`. The service takes `seed`, but leaves what its game begins with to chance.

        Raises `CommandFailed` where it plays another task or build, or will not begin one more episode.
        """
        if self._closed:
            raise SimulatorError("This driver is closed.", command="load", hint="Create a new one.")
        asked = played_in(world.name)
        try:
            world.spawn(spawn)
        except KeyError:
            raise UnknownName("spawn", spawn, [item.name for item in world.spawns]) from None
        self._loaded, self._lost = False, ""
        self._service = Service(self.place, self._limits)
        self.health = self._service.ask("/health")
        self._check_health(asked)
        self._begin(asked, seed)
        return self._state

    def _check_health(self, asked: Played) -> None:
        task_id, build = self.health.get("task_id"), self.health.get("build_sha256")
        if isinstance(task_id, str) and task_id and task_id.upper() != asked.task_id.upper():
            raise self._unfit(
                f"The UE service plays task {task_id[:64]}, not {asked.task_id}.",
                f"Start it with that task, or play the one it has: --tasks {task_id[:64]}.",
            )
        if asked.build_sha256 and isinstance(build, str) and build.lower() != asked.build_sha256:
            raise self._unfit(
                f"The UE service runs build {build[:64]}, not {asked.build_sha256}.",
                "Start the build that the profiles name, or leave unreal-profiles.json out.",
            )
        if self.health.get("action_in_progress") is True:
            raise self._unfit("An action is going on in the UE service: somebody else uses it.", ANEW)
        if self.health.get("episode_started") is True and not self._episode_id:
            raise self._unfit("The UE service has begun an episode that is not ours.", ANEW)

    def _unfit(self, message: str, hint: str) -> CommandFailed:
        return CommandFailed(message, endpoint=str(self.place), command="/health", hint=hint)

    def _begin(self, asked: Played, seed: int) -> None:
        body: dict[str, Json] = {"request_id": _request_id(), "task_id": asked.task_id, "seed": seed}
        if self._episode_id:
            body["episode_id"] = self._episode_id
        reply = self._ask("/reset", body)
        task_id, episode_id = reply.get("task_id"), reply.get("episode_id")
        if not isinstance(episode_id, str) or not episode_id:
            self._lose(self._wrong("it began an episode without an id", "/reset"))
        if isinstance(task_id, str) and task_id.upper() != asked.task_id.upper():
            self._lose(self._wrong(f"it began task {task_id[:64]}, not {asked.task_id}", "/reset"))
        self._episode_id = episode_id
        first = self._read(reply, "/reset")
        again = self._read(self._ask("/observe", {"episode_id": episode_id}), "/observe")
        if abs(again.t_s - first.t_s) > CLOCK_EPSILON_S:
            self._lose(self._wrong("the world went on between two requests", "/observe"))
        self._task, self._began_s = asked.task_id, first.t_s
        self.observation, self._png = first, first.last
        self._picture: NDArray[np.uint8] | None = None
        self._state = TickState(0.0, first.pose, 0.0, False, _edge(first))
        self._loaded = True

    def move(self, distance_m: float, *, on_tick: OnTick | None = None) -> Motion:
        """See `Driver.move`; to the centimetre, 20 m at most."""
        return self._act(move_action(distance_m), on_tick, wanted_m=abs(distance_m))

    def turn(self, degrees: float, *, on_tick: OnTick | None = None) -> Motion:
        """See `Driver.turn`; to the whole degree."""
        return self._act(turn_action(degrees), on_tick)

    def look(self, degrees: float, *, on_tick: OnTick | None = None) -> Motion:
        """See `Driver.look`; to the whole degree."""
        return self._act(look_action(degrees), on_tick)

    def advance(self, seconds: float, *, on_tick: OnTick | None = None) -> Motion:
        """See `Driver.advance`; 10 s at most."""
        return self._act(idle_action(seconds), on_tick, waits_s=seconds)

    def interact(self, *, on_tick: OnTick | None = None) -> Motion:
        """See `Driver.interact`; with the reach that the game has."""
        return self._act(dict(INTERACT), on_tick)

    def flag(self, text: str) -> Motion:
        """Tell the service of a fault. Nothing passes; its own ledger is no part of ours."""
        return self._act(flag_action(text), None)

    def done(self) -> Motion:
        """Tell the service that the episode is over."""
        return self._act(dict(DONE), None)

    def _act(
        self, action: Action, on_tick: OnTick | None, *, wanted_m: float = 0.0, waits_s: float | None = None
    ) -> Motion:
        self._ready(str(action["name"]))
        before, start = self.observation, self._state
        body: dict[str, Json] = {
            "episode_id": self._episode_id,
            "request_id": _request_id(),
            "action": action,
        }
        after = self._read(self._ask("/step", body), "/step")
        elapsed = after.t_s - before.t_s
        self._check(before, after, action, elapsed, waits_s)
        moved = walked_m(before.pose, after.pose) if after.moved_m is None else abs(after.moved_m)
        operated = after.operated if action["name"] == "interact" else None
        t_s = round(after.t_s - self._began_s, 9)
        end = TickState(t_s, after.pose, moved, fell_short(wanted_m, moved), _edge(after), operated)
        film = tuple(Shot(max(0.0, shot.t_s - before.t_s), shot.data) for shot in after.film)
        self.observation = after

        def tell(state: TickState, data: bytes) -> None:
            self._state, self._png, self._picture = state, data, None
            for listener in self._listeners:
                listener.on_tick(state)
            if on_tick is not None:
                on_tick(state)

        return played(start, end, film, after.last, tell)

    def _check(
        self, before: Observation, after: Observation, action: Action, elapsed: float, waits_s: float | None
    ) -> None:
        """Lose the episode over what cannot be after an action."""
        endpoint = str(self.place)
        if elapsed < -CLOCK_EPSILON_S or (after.film and after.film[0].t_s < before.t_s - CLOCK_EPSILON_S):
            self._lose(self._wrong("its clock runs backwards", "/step"))
        if waits_s is not None and not waited(waits_s, elapsed):
            self._lose(self._wrong(f"to wait {waits_s:g} s took {elapsed:g} s", "/step"))
        if action["name"] in ("flag", "done"):
            return
        if after.id and after.id == before.id:
            told = (
                f"The UE service answered {action['name']} with the observation before it, {after.id[:64]}."
            )
            self._lose(StaleFrame(told, endpoint=endpoint, command="/step"))
        pictures = (before.last, after.last)
        try:
            check_fresh(
                before.pose, after.pose, pictures, lambda png: pixels(png, endpoint), endpoint, "/step"
            )
        except SimulatorError as error:
            self._lose(error)

    def _ask(self, path: str, body: dict[str, Json]) -> dict[str, Json]:
        try:
            return self._service.ask(path, body)
        except SimulatorError as error:
            self._lose(error)

    def _read(self, reply: dict[str, Json], path: str) -> Observation:
        try:
            return observation_of(reply, str(self.place), path)
        except SimulatorError as error:
            self._lose(error)

    def _lose(self, error: SimulatorError) -> NoReturn:
        """Raise `error`, with which the episode is lost: it can neither go on nor be begun again."""
        self._lost = self._lost or error.message
        error.retriable = False
        error.hint = f"{error.hint} {'' if ANEW in error.hint else ANEW}".strip()
        raise error

    def _wrong(self, what: str, command: str) -> ProtocolError:
        return ProtocolError(
            f"The UE service cannot be trusted: {what}.", endpoint=str(self.place), command=command
        )

    def tick(self, command: Command, dt_s: float = TICK_S) -> TickState:
        raise CapabilityMissing(
            "The UE service takes whole actions, no single ticks.",
            command="tick",
            hint="Use move, turn, look, advance, interact.",
        )

    def state(self) -> TickState:
        self._ready("state")
        return self._state

    def render(self, modalities: Collection[str], size: tuple[int, int]) -> Frame:
        """See `Driver.render`; the picture that the service took at this moment, scaled where `size` is another."""
        self._ready("render")
        if set(modalities) - {"rgb"}:
            raise CapabilityMissing(
                f"The UE service gives pictures only, not {sorted(set(modalities) - {'rgb'})}.",
                command="capture",
            )
        if self._picture is None:
            self._picture = pixels(self._png, str(self.place))
        rgb = fitted(self._picture, size) if "rgb" in modalities else None
        return Frame(self._state.t_s, self._state.pose, rgb=rgb)

    def renderer(self) -> str:
        self._ready("renderer")
        build = str(self.health.get("build_sha256") or "unknown")[:64]
        seeded = "seeded" if self.health.get("startup_rng_seeded") is True else "not seeded: not reproducible"
        return f"official UE service; task {self._task}; build {build}; what it begins with is {seeded}"

    def objects(self) -> dict[str, ObjectState]:
        """Nothing: what is in the game is not told to whoever plays in it."""
        self._ready("objects")
        return {}

    def teleport(self, pose: Pose) -> TickState:
        raise _foreign("teleport")

    def set_object(self, name: str, patch: ObjectPatch) -> ObjectState:
        raise _foreign("set_object")

    def set_light(self, name: str, patch: LightPatch) -> None:
        raise _foreign("set_light")

    def spawn(self, item: WorldObject) -> ObjectState:
        raise _foreign("spawn")

    def destroy(self, name: str) -> None:
        raise _foreign("destroy")

    def interrupt(self) -> None:
        self._service.interrupt()

    def close(self) -> None:
        self._closed, self._loaded = True, False

    def _ready(self, command: str) -> None:
        if not self._loaded:
            what = "This driver is closed." if self._closed else "No world is loaded."
            raise SimulatorError(what, command=command, hint="Call load first.")
        if self._lost:
            error = SimulatorCrashed(
                f"The episode is lost since: {self._lost}", endpoint=str(self.place), command=command
            )
            self._lose(error)


def _request_id() -> str:
    return secrets.token_hex(16)


def _edge(seen: Observation) -> tuple[tuple[str, str], ...]:
    near = seen.clearance_m is not None and seen.clearance_m < EDGE_M
    return (("agent", EDGE),) if near else ()


def _foreign(command: str) -> CapabilityMissing:
    return CapabilityMissing("Nothing can be changed in the official game.", command=command)
