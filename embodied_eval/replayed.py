"""A live episode whose simulator is a recording: what was stored there is stored here again, the truth with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from embodied_eval.drivers.base import Driver, TickState
from embodied_eval.drivers.replay import ReplayDriver
from embodied_eval.episode import LiveEpisode, Watch
from embodied_eval.models.types import Image
from embodied_eval.records import FrameRef, Pose

if TYPE_CHECKING:
    from collections.abc import Callable

    from embodied_eval.benchmark import EffectsHandle
    from embodied_eval.worlds.model import World


@dataclass(frozen=True)
class Relay:
    """A listener that hands on what was recorded, as its time comes."""

    tell: Callable[[], None]

    def on_tick(self, state: TickState) -> None:
        """See `Listener.on_tick`."""
        self.tell()

    def before_capture(self, state: TickState) -> None:
        """See `Listener.before_capture`; nothing to do."""


class ReplayedEpisode(LiveEpisode):
    """A `LiveEpisode` on a `ReplayDriver`. Nothing is planted and nothing watched: triggers, contacts and visibility
    come from the recording, so that judging sees what was exposed there. Frames keep their bytes."""

    async def load(
        self, world: World, *, effects: EffectsHandle | None = None, spawn: str | Pose = ""
    ) -> Pose:
        """See `DriverHandle.load`: the effects are in the recording already, and so is the start."""

        def work(driver: Driver) -> TickState:
            driver.detach_all()
            state = driver.load(world, seed=self.seed)
            self._watch = Watch(driver, tuple, self._driver_event)
            driver.attach(Relay(lambda: self._hand_on(driver)))
            driver.attach(self._watch)
            self._hand_on(driver)
            return state

        state = await self._simulator().run(work)
        self._t_s = state.t_s
        return state.pose

    def _hand_on(self, driver: Driver) -> None:
        for event in _recorded(driver).events_so_far():
            self._writer.event(replace(event, step=self._step_index))

    def _shoot(self, driver: Driver, ref: str) -> Image:
        recorded = _recorded(driver)
        view, data = recorded.view, recorded.encoded()
        kind = view.frame.media_type
        sha256 = self._frames.put(data, kind)
        size = (view.frame.width, view.frame.height)
        self._pending.append(FrameRef(ref, sha256, kind, *size, len(data), view.t_s, view.pose))
        self._rows.extend(recorded.visibility(ref, (), {}, size))
        return Image(data, kind, ref)


def _recorded(driver: Driver) -> ReplayDriver:
    assert isinstance(driver, ReplayDriver)
    return driver
