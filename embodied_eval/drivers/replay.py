"""The `replay` driver: a finished episode as a simulator in which everything has happened already.

Its time passes and its views come as they were recorded, whatever is commanded: nobody can walk elsewhere in a
recording. Between two recorded views the earlier one stands. It changes nothing, adds nothing and removes nothing.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from embodied_eval.drivers.base import (
    TICK_S,
    Command,
    Driver,
    Frame,
    LightPatch,
    ObjectPatch,
    ObjectState,
    TickState,
)
from embodied_eval.errors import CapabilityMissing, FrameTimeout, SimulatorCrashed
from embodied_eval.records import Event, FrameRef, Json, Pose, Step, VisibilityRow

if TYPE_CHECKING:
    from embodied_eval.worlds.model import World, WorldObject

EPSILON_S = 1e-6
FIXED = "A recording cannot be changed."


@dataclass(frozen=True)
class View:
    """One recorded view: its frame, the end of the step it belongs to (seconds, pose), what that step did, and the
    step's own arguments."""

    frame: FrameRef
    t_s: float
    pose: Pose
    moved_m: float
    blocked: bool
    arguments: Mapping[str, Json]


class ReplayDriver(Driver):
    """Plays back `steps` with their last frames, `events` and `visibility` rows; `read` gives a frame's bytes.

    SimulatorCrashed for an episode without a view.
    """

    name = "replay"
    capabilities = frozenset({"visibility"})

    def __init__(
        self,
        steps: Sequence[Step],
        events: Sequence[Event],
        visibility: Sequence[VisibilityRow],
        read: Callable[[str], bytes],
    ) -> None:
        super().__init__()
        self._views = views_of(steps)
        if not self._views:
            raise SimulatorCrashed("The recorded episode holds no view.", command="load")
        self._events = sorted(events, key=lambda event: event.t_s)
        self._rows: dict[str, list[VisibilityRow]] = {}
        for row in visibility:
            self._rows.setdefault(row.ref, []).append(row)
        self._read = read
        self._told = 0
        self._at = 0
        self._now = TickState(0.0, self._views[0].pose, 0.0, False)

    @property
    def times_s(self) -> tuple[float, ...]:
        """When each view was taken, the start view first."""
        return tuple(view.t_s for view in self._views)

    @property
    def view(self) -> View:
        """The view that stands now."""
        return self._views[self._at]

    def load(self, world: World, *, seed: int = 0, spawn: str = "") -> TickState:
        """See `Driver.load`: back to the beginning; world and spawn are those that were recorded."""
        self.eye_height_m, self.fov_deg = world.eye_height_m, world.fov_deg
        self._at = self._told = 0
        self._now = TickState(self._views[0].t_s, self._views[0].pose, 0.0, False)
        return self._now

    def tick(self, command: Command, dt_s: float = TICK_S) -> TickState:
        """See `Driver.tick`: the command has no effect. What a step moved is told where it ended."""
        t_s = round(self._now.t_s + dt_s, 9)
        moved_m, blocked = 0.0, False
        while self._at + 1 < len(self._views) and self._views[self._at + 1].t_s <= t_s + EPSILON_S:
            self._at += 1
            moved_m += self.view.moved_m
            blocked = blocked or self.view.blocked
        self._now = TickState(t_s, self.view.pose, moved_m, blocked)
        return self._now

    def events_so_far(self) -> list[Event]:
        """What was recorded up to now and not told yet, in order."""
        begin = self._told
        while self._told < len(self._events) and self._events[self._told].t_s <= self._now.t_s + EPSILON_S:
            self._told += 1
        return self._events[begin : self._told]

    def encoded(self) -> bytes:
        """The present view's bytes, as they were stored."""
        return self._read(self.view.frame.sha256)

    def render(self, modalities: Collection[str], size: tuple[int, int]) -> Frame:
        """See `Driver.render`; RGB of the recorded size only."""
        if set(modalities) - {"rgb"}:
            raise CapabilityMissing("A recording holds pictures and nothing else.", command="render")
        frame = self.view.frame
        if size != (frame.width, frame.height):
            raise FrameTimeout(
                f"The recording's views are {frame.width} x {frame.height}, not {size[0]} x {size[1]}.",
                command="render",
            )
        import numpy as np
        from PIL import Image as Picture

        with Picture.open(io.BytesIO(self.encoded())) as picture:
            return Frame(self._now.t_s, self._now.pose, rgb=np.array(picture.convert("RGB")))

    def visibility(
        self, ref: str, names: Collection[str], twin: Mapping[str, ObjectState], size: tuple[int, int]
    ) -> tuple[VisibilityRow, ...]:
        """See `Driver.visibility`: the rows that were stored with the present view, of all that was watched."""
        return tuple(replace(row, ref=ref) for row in self._rows.get(self.view.frame.ref, ()))

    def state(self) -> TickState:
        """See `Driver.state`."""
        return self._now

    def objects(self) -> dict[str, ObjectState]:
        """See `Driver.objects`: a recording holds none."""
        return {}

    def teleport(self, pose: Pose) -> TickState:
        """See `Driver.teleport`: only to where it is."""
        here = self._now.pose
        if math.dist((pose.x, pose.y, pose.z), (here.x, here.y, here.z)) > 1e-3:
            raise CapabilityMissing(FIXED, command="teleport")
        return self._now

    def set_object(self, name: str, patch: ObjectPatch) -> ObjectState:
        """See `Driver.set_object`."""
        raise CapabilityMissing(FIXED, command="set_object")

    def set_light(self, name: str, patch: LightPatch) -> None:
        """See `Driver.set_light`."""
        raise CapabilityMissing(FIXED, command="set_light")

    def spawn(self, item: WorldObject) -> ObjectState:
        """See `Driver.spawn`."""
        raise CapabilityMissing(FIXED, command="spawn")

    def destroy(self, name: str) -> None:
        """See `Driver.destroy`."""
        raise CapabilityMissing(FIXED, command="destroy")

    def interrupt(self) -> None:
        """See `Driver.interrupt`: nothing here takes long."""

    def close(self) -> None:
        """See `Driver.close`."""


def views_of(steps: Sequence[Step]) -> list[View]:
    """The recorded views in time order: of each step its last frame that is no part or copy of another one."""
    made: list[View] = []
    for step in steps:
        whole = [frame for frame in step.frames if "#" not in frame.ref]
        if whole and step.pose is not None:
            made.append(View(whole[-1], step.t_s, step.pose, step.moved_m, step.blocked, step.arguments))
    return made
