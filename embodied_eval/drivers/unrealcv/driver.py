"""The driver `unrealcv`: a running game with the UnrealCV plugin, or a server of our own over the same protocol."""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

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
from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.drivers.unrealcv.connect import DEADLINES, Deadlines
from embodied_eval.drivers.unrealcv.exact import ExactRoad
from embodied_eval.drivers.unrealcv.generic import GenericRoad
from embodied_eval.drivers.unrealcv.own_server import OwnServer
from embodied_eval.errors import CommandFailed, SimulatorCrashed, SimulatorError, StepTimeout
from embodied_eval.records import Pose, VisibilityRow
from embodied_eval.worlds.model import Game, World, WorldObject

if TYPE_CHECKING:
    from embodied_eval.drivers.unrealcv.launcher import GameLauncher

# A server of ours draws in software and may share its processor: it hangs only when it is silent this long.
PATIENT = Deadlines(text_s=60.0, image_s=110.0, level_s=110.0)
log = logging.getLogger("embodied_eval")


class UnrealcvDriver(Driver):
    """The driver contract over UnrealCV.

    With `address` (see `connect`) it uses what runs there and leaves it running; without, it starts what the world
    needs and ends it with itself: the game of a world that has one, else a server of ours with `behind` as its
    simulator. `adopted` is a client that is connected already,
    the launcher's say, and is closed with the driver. `actors` gives a game's actor for each object of the world whose
    name is another one.

    A server that lists the `extension` is driven by it, exactly. Any other is driven by generic commands, and what
    it can do is asked at `load`: `capabilities` of the instance, `offered`, tells it then.
    """

    name = "unrealcv"
    takes_address = True
    capabilities = CAPABILITIES
    # A load may start a server first.
    call_deadline_s = 240.0

    def __init__(
        self,
        address: str = "",
        *,
        behind: str = "mujoco",
        actors: Mapping[str, str] | None = None,
        deadlines: Deadlines | None = None,
        adopted: Client | None = None,
    ) -> None:
        super().__init__()
        self._address, self._behind = address, behind
        self._actors = dict(actors or {})
        self._deadlines = deadlines
        self._server: OwnServer | None = None
        self._launcher: GameLauncher | None = None
        self._playing: Game | None = None
        self._client = adopted
        self._road: Driver | None = None
        self._interrupted = threading.Event()
        self._loaded = self._closed = False

    @property
    def offered(self) -> frozenset[str]:
        """What the loaded simulator can do, of `CAPABILITIES`; before the first load what ours can."""
        return self.capabilities

    def load(self, world: World, *, seed: int = 0, spawn: str = "") -> TickState:
        if self._closed:
            raise SimulatorError("This driver is closed.", command="load", hint="Create a new one.")
        self._interrupted.clear()
        self._loaded = False
        client = self._connected(world)
        if self._road is None:
            self._road = self._found_road(client)
        road = self._road
        state = road.load(world, seed=seed, spawn=spawn)
        self._loaded = True
        self.capabilities = road.capabilities
        self.eye_height_m, self.fov_deg = road.eye_height_m, road.fov_deg
        return state

    def tick(self, command: Command, dt_s: float = TICK_S) -> TickState:
        return self._at("tick").tick(command, dt_s)

    def state(self) -> TickState:
        return self._at("state").state()

    def teleport(self, pose: Pose) -> TickState:
        return self._at("teleport").teleport(pose)

    def render(self, modalities: Collection[str], size: tuple[int, int]) -> Frame:
        return self._at("render").render(modalities, size)

    def objects(self) -> dict[str, ObjectState]:
        return self._at("objects").objects()

    def object(self, name: str) -> ObjectState:
        return self._at("object").object(name)

    def set_object(self, name: str, patch: ObjectPatch) -> ObjectState:
        return self._at("set_object").set_object(name, patch)

    def set_light(self, name: str, patch: LightPatch) -> None:
        self._at("set_light").set_light(name, patch)

    def spawn(self, item: WorldObject) -> ObjectState:
        return self._at("spawn").spawn(item)

    def destroy(self, name: str) -> None:
        self._at("destroy").destroy(name)

    def raycast(self, origin: Vec3, direction: Vec3, max_m: float) -> RayHit | None:
        return self._at("raycast").raycast(origin, direction, max_m)

    def visibility(
        self, ref: str, names: Collection[str], twin: Mapping[str, ObjectState], size: tuple[int, int]
    ) -> tuple[VisibilityRow, ...]:
        return self._at("visibility").visibility(ref, names, twin, size)

    def renderer(self) -> str:
        return self._at("renderer").renderer()

    def interrupt(self) -> None:
        self._interrupted.set()
        server, client, launcher = self._server, self._client, self._launcher
        if client is not None:
            client.interrupt()
        if launcher is not None:
            for game in launcher.games:
                game.abandon()
        if server is not None:
            server.kill()

    def close(self) -> None:
        self._closed = True
        road, self._road = self._road, None
        client, self._client = self._client, None
        server, self._server = self._server, None
        try:
            if road is not None and client is not None and not client.broken:
                road.close()
        finally:
            if client is not None:
                client.close()
            if server is not None:
                server.close()
            self._end_game()

    def _end_game(self) -> None:
        launcher, self._launcher, self._playing = self._launcher, None, None
        if launcher is not None:
            launcher.close()

    def _launched(self, game: Game) -> Client:
        """The connection to the world's own game, started where it is not the one that runs. The launcher's client is
        its own: it connects anew and tells what the game's log says."""
        from embodied_eval.drivers.unrealcv.launcher import GameLauncher
        from embodied_eval.drivers.unrealcv.packs import read_pack

        if self._playing != game:
            self._end_game()
            self._road = None
            self._launcher = GameLauncher(read_pack(game.pack).spec(game.map)).__enter__()
            self._playing = game
        assert self._launcher is not None
        client = self._launcher.game().client
        if client is not self._client:
            self._client, self._road = client, None
        return client

    def _connected(self, world: World) -> Client:
        """The connection, made or made anew where there is none that works."""
        if world.game is not None:
            from embodied_eval.drivers.unrealcv.packs import read_pack

            self._actors = dict(read_pack(world.game.pack).map_of(world.game.map).actors)
            if not self._address:
                return self._launched(world.game)
        if self._client is not None and not self._client.broken:
            return self._client
        # What was known of the simulator before is worth nothing on another connection: a road begins by reading.
        self._road = None
        if self._address or (self._client is not None and self._server is None):
            if self._client is None:
                self._client = Client(self._address, self._deadlines or DEADLINES)
            else:
                self._client.reconnect()
            return self._client
        if self._server is not None:
            self._server.close()
            self._server = self._client = None
        self._server = OwnServer(_served(world), self._behind)
        if self._interrupted.is_set():
            self._server.kill()
        self._client = Client(f"tcp://{self._server.ready()}", self._deadlines or PATIENT)
        return self._client

    def _found_road(self, client: Client) -> Driver:
        try:
            commands = frozenset(client.text("vget /unrealcv/commands").splitlines())
        except CommandFailed:
            commands = frozenset()  # the public server does not list them
        if ExactRoad.offered_by(commands):
            if self._deadlines is None:
                client.deadlines = replace(PATIENT, connect_s=client.deadlines.connect_s)
            return ExactRoad(client, commands)
        log.info("%s lists no extension: it is driven by generic commands.", client.endpoint)
        # On a second connection nobody knows what the first one's end left behind in the level.
        return GenericRoad(client, self._actors, anew=client.reconnects > 0)

    def _at(self, command: str) -> Driver:
        if self._interrupted.is_set():
            raise StepTimeout("The driver was interrupted.", command=command, hint="Load a world again.")
        if self._road is None or not self._loaded:
            raise SimulatorError("No world is loaded.", command=command, hint="Call `load` first.")
        if self._client is None or self._client.broken:
            raise SimulatorCrashed(
                "The connection broke; what the simulator is doing now is unknown.",
                command=command,
                hint="Load a world again.",
            )
        return self._road


def _served(world: World) -> str:
    """What a server of ours is started with: that world if it is a bundled one, any bundled one otherwise, and the
    world itself is sent."""
    from embodied_eval.worlds.bundled import BUNDLED

    return world.name if world.name in BUNDLED else BUNDLED[0]
