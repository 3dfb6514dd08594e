"""A live episode: the simulator in its own thread, the recorder, and the watch over the truth."""

from __future__ import annotations

import asyncio
import contextlib
import io
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from embodied_eval.benchmark import EffectsHandle, ModelHandle
from embodied_eval.drivers.base import Driver, Frame, Listener, Motion, TickState
from embodied_eval.errors import PluginError, SimulatorCrashed, SimulatorError, UnknownObject
from embodied_eval.models.types import Image
from embodied_eval.records import (
    Condition,
    Event,
    FrameRef,
    Json,
    Pose,
    Step,
    Task,
    VisibilityRow,
)

if TYPE_CHECKING:
    from embodied_eval.driver_thread import DriverThread
    from embodied_eval.store import EpisodeWriter, FrameStore
    from embodied_eval.worlds.effects import EffectsEngine
    from embodied_eval.worlds.model import World

T = TypeVar("T")
JPEG_QUALITY = 85
INSIDE_MARGIN_M = 0.05
"""How far outside an object's bounds the capsule's axis still counts as inside it: thin walls are passed
within one tick."""


class PlantedEffects:
    """The planted effects of an episode: opaque to `play`, read by `LiveEpisode.load` alone."""

    __slots__ = ("__specs", "__watch")

    def __init__(self, specs: Sequence[Mapping[str, Json]], watch: Sequence[str]) -> None:
        self.__specs, self.__watch = tuple(specs), tuple(watch)

    def __repr__(self) -> str:
        return "PlantedEffects(...)"

    @staticmethod
    def _open(
        handle: EffectsHandle | None,
    ) -> tuple[tuple[Mapping[str, Json], ...], tuple[str, ...]]:
        if handle is None:
            return (), ()
        if not isinstance(handle, PlantedEffects):
            raise PluginError("`driver.load` takes `episode.effects` and no other effects.")
        return handle.__specs, handle.__watch


@dataclass
class Watch:
    """A driver's listener: contacts with and entries into watched objects, and film while an action lasts."""

    driver: Driver
    names: Callable[[], Collection[str]]
    on_event: Callable[[str, float, dict[str, Json]], None]
    film: Callable[[TickState], None] | None = None
    _touching: set[str] = field(default_factory=set)
    _inside: set[str] = field(default_factory=set)

    def on_tick(self, state: TickState) -> None:
        """See `Listener.on_tick`."""
        names = self.names()
        if names:
            touched = {a if b == "agent" else b for a, b in state.contacts if "agent" in (a, b)} & set(names)
            for name in sorted(touched - self._touching):
                self.on_event("contact", state.t_s, {"a": "agent", "b": name})
            self._touching = touched
            inside = {name for name in names if self._within(name, state.pose)}
            for name in sorted(inside - self._inside):
                self.on_event("inside", state.t_s, {"object": name})
            self._inside = inside
        if self.film is not None:
            self.film(state)

    def before_capture(self, state: TickState) -> None:
        """See `Listener.before_capture`; nothing to do."""

    def _within(self, name: str, pose: Pose) -> bool:
        try:
            low, high = self.driver.object(name).bounds
        except UnknownObject:
            # Not there yet, or taken out again: a copy before its trigger fires.
            return False
        return (
            low[0] - INSIDE_MARGIN_M <= pose.x <= high[0] + INSIDE_MARGIN_M
            and low[1] - INSIDE_MARGIN_M <= pose.y <= high[1] + INSIDE_MARGIN_M
            and low[2] < pose.z + 1.0
            and high[2] > pose.z + 0.1
        )


@dataclass(frozen=True)
class Veil:
    """A listener behind `LiveEpisode._veiled`."""

    listener: Listener
    veiled: Callable[[], contextlib.AbstractContextManager[None]]

    def on_tick(self, state: TickState) -> None:
        """See `Listener.on_tick`."""
        with self.veiled():
            self.listener.on_tick(state)

    def before_capture(self, state: TickState) -> None:
        """See `Listener.before_capture`."""
        with self.veiled():
            self.listener.before_capture(state)


@dataclass
class Totals:
    """What an episode has used so far; None = at least one call did not say."""

    steps: int = 0
    calls: int = 0
    tokens_in: int | None = 0
    tokens_out: int | None = 0
    cost_usd: float | None = 0.0


class LiveEpisode:
    """Implements `benchmark.Episode`. Everything it is told goes to the episode's spool."""

    def __init__(
        self,
        *,
        task: Task,
        condition: Condition,
        options: Any,
        world: World | None,
        effects: PlantedEffects,
        thread: DriverThread | None,
        writer: EpisodeWriter,
        frames: FrameStore,
        seed: int,
        key_hex: str,
        image_size: tuple[int, int],
        private_tables: Collection[str] = (),
        start: str | Pose = "",
        on_step: Callable[[], None] = lambda: None,
    ) -> None:
        self.task, self.condition, self.options = task.without_truth(), condition, options
        self.world, self.effects, self.seed, self.start = world, effects, seed, start
        self.rng = random.Random(f"{key_hex}/episode")
        self.image_size, self._private_tables = image_size, frozenset(private_tables)
        self._on_step = on_step
        self.model: ModelHandle
        self.totals = Totals()
        self.renderer = ""
        self._thread, self._writer, self._frames = thread, writer, frames
        self._engine: EffectsEngine | None = None
        self._watch: Watch | None = None
        self._names: tuple[str, ...] = ()
        self._step_index = 0
        self._t_s = 0.0
        self._pending: list[FrameRef] = []
        self._rows: list[VisibilityRow] = []

    @property
    def driver(self) -> LiveEpisode:
        """The simulator's handle: this object itself implements `DriverHandle`."""
        return self

    @property
    def sim_s(self) -> float:
        """Simulated seconds since load."""
        return self._t_s

    async def load(
        self, world: World, *, effects: EffectsHandle | None = None, spawn: str | Pose = ""
    ) -> Pose:
        """See `DriverHandle.load`."""
        specs, watch = PlantedEffects._open(effects)

        def work(driver: Driver) -> TickState:
            driver.detach_all()
            state = driver.load(world, seed=self.seed, spawn=spawn if isinstance(spawn, str) else "")
            if isinstance(spawn, Pose):
                state = driver.teleport(spawn)
            from embodied_eval.worlds.effects import EffectsEngine, parse_effects

            self._names = tuple(watch)
            self._watch = Watch(driver, self._watched, self._driver_event)
            with self._veiled():
                engine = EffectsEngine(driver, world, parse_effects(specs), self._driver_event)
                engine.plant()
            self._engine = engine
            driver.attach(Veil(engine, self._veiled))
            driver.attach(Veil(self._watch, self._veiled))
            return state

        state = await self._simulator().run(work)
        self._t_s = state.t_s
        return state.pose

    async def call(self, function: Callable[[Driver], T]) -> T:
        """See `DriverHandle.call`."""
        return await self._simulator().run(function)

    async def observe(self, ref: str) -> Image:
        """See `Episode.observe`."""
        image = await self._simulator().run(lambda driver: self._shoot(driver, ref))
        self._flush_rows()
        return image

    async def act(
        self,
        motion: Callable[[Driver], Motion],
        *,
        ref: str,
        every_s: float | None = None,
        at_most: int = 8,
    ) -> tuple[Motion, list[Image]]:
        """See `Episode.act`."""

        def work(driver: Driver) -> tuple[Motion, list[Image]]:
            images: list[Image] = []
            start = driver.state().t_s

            def film(state: TickState) -> None:
                due = start + (len(images) + 1) * (every_s or 0.0)
                if every_s and len(images) < at_most and state.t_s >= due - 1e-9:
                    images.append(self._shoot(driver, f"{ref}.f{len(images) + 1}"))

            assert self._watch is not None
            self._watch.film = film
            try:
                done = motion(driver)
            finally:
                self._watch.film = None
            images.append(self._shoot(driver, ref))
            return done, images

        done, images = await self._simulator().run(work)
        self._t_s = done.t_s
        self._flush_rows()
        return done, images

    def store_frame(self, ref: str, data: bytes, media_type: str, size: tuple[int, int]) -> FrameRef:
        """See `Episode.store_frame`."""
        sha256 = self._frames.put(data, media_type)
        made = FrameRef(ref, sha256, media_type, size[0], size[1], len(data), self._t_s)
        self._pending.append(made)
        return made

    async def step(self, step: Step) -> None:
        """See `Episode.step`. Frames stored since the last step belong to this one."""
        step = replace(step, index=self._step_index, frames=(*step.frames, *self._pending))
        self._pending.clear()
        self._writer.step(step)
        self._step_index += 1
        self.totals.steps += 1
        self._on_step()
        # Neither a scripted model nor a replay ever waits: without this, Ctrl-C and other episodes would.
        await asyncio.sleep(0)

    def event(self, kind: str, data: Mapping[str, Json], *, private: bool = False) -> None:
        """See `Episode.event`."""
        self._writer.event(Event(kind, self._t_s, self._step_index, data, private))

    def row(self, table: str, row: Mapping[str, Json]) -> None:
        """See `Episode.row`."""
        self._writer.row(table, row, private=table in self._private_tables)

    @contextlib.contextmanager
    def _veiled(self) -> Iterator[None]:
        """Errors in here may name what was planted: their text goes to the private spool alone."""
        try:
            yield
        except SimulatorError as error:
            self._driver_event("effects_failed", self._t_s, {"kind": error.kind, "message": str(error)})
            told = "The planted effects or their watch failed; the episode's private spool says how."
            raise type(error)(told, command="effects") from error

    def _simulator(self) -> DriverThread:
        if self._thread is None:
            raise SimulatorCrashed("This benchmark declares no driver, so its episodes have none.")
        return self._thread

    def _watched(self) -> tuple[str, ...]:
        spawned = self._engine.spawned() if self._engine is not None else ()
        return tuple(dict.fromkeys((*self._names, *spawned))) if self._names or spawned else ()

    def _driver_event(self, kind: str, t_s: float, data: dict[str, Json]) -> None:
        self._writer.event(Event(kind, t_s, self._step_index, data, private=True))

    def _shoot(self, driver: Driver, ref: str) -> Image:
        frame = driver.capture(("rgb",), self.image_size)
        self.renderer = self.renderer or driver.renderer()
        data = encode_jpeg(frame)
        width, height = self.image_size
        sha256 = self._frames.put(data, "image/jpeg")
        self._pending.append(
            FrameRef(ref, sha256, "image/jpeg", width, height, len(data), frame.t_s, frame.pose)
        )
        names = self._watched()
        if names and self._engine is not None and "visibility" in driver.capabilities:
            names = tuple(name for name in names if _loaded(driver, name))
            self._rows.extend(driver.visibility(ref, names, self._engine.twin(), self.image_size))
        return Image(data, "image/jpeg", ref)

    def _flush_rows(self) -> None:
        if self._rows:
            self._writer.visibility(tuple(self._rows))
            self._rows.clear()


def _loaded(driver: Driver, name: str) -> bool:
    try:
        driver.object(name)
    except UnknownObject:
        return False
    return True


def encode_jpeg(frame: Frame) -> bytes:
    """A frame's RGB as JPEG of quality 85: the bytes that are stored and that the model gets."""
    from PIL import Image as Picture

    assert frame.rgb is not None
    out = io.BytesIO()
    Picture.fromarray(frame.rgb).save(out, "JPEG", quality=JPEG_QUALITY)
    return out.getvalue()
