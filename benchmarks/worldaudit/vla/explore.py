"""A policy's exploration of a task's world: an ordinary episode of one step and one frame each half second."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.vla.layout import import_recording
from benchmarks.worldaudit.vla.naming import IMPORT, spec_of
from benchmarks.worldaudit.vla.reflexes import Reflexes
from benchmarks.worldaudit.vla.track import BACK_S, FORWARD_S, Track
from embodied_eval.benchmark import Episode
from embodied_eval.drivers.base import TICK_S, Driver, Motion, TickState
from embodied_eval.errors import DataFileError
from embodied_eval.policies import POOL, PolicySpec
from embodied_eval.policies.base import BACK, FORWARD, VIEW_PX, Act, Hands, Policy
from embodied_eval.records import Json, Outcome, Step

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FRAME_TICKS = 10
"""A frame each half second (spec of the benchmark, section 6.2)."""
TEXT = "Walk around and have a look at everything in this place."


async def explore(episode: Episode) -> Outcome:
    """Explore for `explore_s` simulated seconds, or take over a recording from elsewhere.

    The outcome's answer tells how far it came. Errors of simulator and policy propagate.
    """
    options: Options = episode.options
    if options.policy.startswith(IMPORT):
        return await import_recording(episode, options.policy.removeprefix(IMPORT))
    if episode.world is None:
        raise DataFileError(f"Task {episode.task.id} names no world.")
    spec = spec_of(options.policy)
    policy = await _leased(spec, f"{episode.rng.getrandbits(64):x}")
    try:
        answer = await _played(episode, options, policy)
    except BaseException:
        # The simulator's thread may still be asking it: only its end ends that.
        policy.close()
        raise
    POOL.give_back(spec, policy)
    return Outcome("completed", answer)


async def _played(episode: Episode, options: Options, policy: Policy) -> dict[str, Json]:
    assert episode.world is not None
    pose = await episode.driver.load(episode.world, effects=episode.effects, spawn=episode.start)
    await episode.observe("a0")
    track = Track(proprio=True)
    opening = track.line("a0", 0.0, pose, 0.0, {})
    await episode.step(Step(0, "observe", {}, opening, 0.0, pose, counts=False))
    explorer = Explorer(policy, Reflexes(options.stuck_recovery, options.idle_nudge), view_size(options))
    for number in range(1, round(options.explore_s / TICK_S) // FRAME_TICKS + 1):
        ref = f"a{number}"
        motion, _ = await episode.act(explorer.play, ref=ref, every_s=None, at_most=0)
        held = explorer.held()
        for row in explorer.taken():
            episode.row("ticks", row)
        line = track.line(ref, motion.t_s, motion.pose, motion.moved_m, held)
        await episode.step(
            Step(
                index=0,
                action="explore",
                arguments=held,
                result=line,
                t_s=round(motion.t_s, 6),
                pose=motion.pose,
                moved_m=round(motion.moved_m, 6),
                blocked=motion.blocked,
            )
        )
    return {
        "path_m": round(track.path_m, 3),
        "ticks": explorer.ticks,
        "recoveries": explorer.reflexes.recoveries,
        "nudges": explorer.reflexes.nudges,
    }


@dataclass
class Explorer:
    """Plays a policy tick by tick; the world stands still while it thinks. `size` is that of the view which is
    squeezed into the policy's square picture."""

    policy: Policy
    reflexes: Reflexes
    size: tuple[int, int]
    ticks: int = 0
    _hands: Hands = field(default_factory=Hands)
    _rows: list[dict[str, Json]] = field(default_factory=list)
    _held: Counter[str] = field(default_factory=Counter)

    def play(self, driver: Driver) -> Motion:
        """Half a second of it, in the driver's thread."""
        start = state = driver.state()
        moved_m, blocked, interacted = 0.0, False, None
        contacts: set[tuple[str, str]] = set()
        for _ in range(FRAME_TICKS):
            forced = self.reflexes.next()
            act, why = forced or (self.policy.act(self._view(driver), TEXT), "")
            state = driver.step(self._hands.command(act), TICK_S)
            if forced is None and self.reflexes.note(act, state.moved_m):
                self.policy.reset()
            self._record(act, why, state)
            moved_m, blocked = moved_m + state.moved_m, blocked or state.blocked
            interacted = state.interacted or interacted
            contacts.update(state.contacts)
        elapsed_s = state.t_s - start.t_s
        touched = tuple(sorted(contacts))
        return Motion(state.pose, state.t_s, elapsed_s, moved_m, blocked, touched, interacted)

    def taken(self) -> list[dict[str, Json]]:
        """The ticks since the last call, as rows of the table `ticks`."""
        rows, self._rows = self._rows, []
        return rows

    def held(self) -> Mapping[str, Json]:
        """For how long W and S were held since the last call, seconds."""
        found, self._held = self._held, Counter()
        return {FORWARD_S: round(found[FORWARD] * TICK_S, 3), BACK_S: round(found[BACK] * TICK_S, 3)}

    def _view(self, driver: Driver) -> NDArray[np.uint8] | None:
        if not self.policy.sees:
            return None
        import numpy as np
        from PIL import Image as Picture

        frame = driver.capture(("rgb",), self.size)
        assert frame.rgb is not None
        square = Picture.fromarray(frame.rgb).resize((VIEW_PX, VIEW_PX), Picture.Resampling.BILINEAR)
        return np.asarray(square)

    def _record(self, act: Act, why: str, state: TickState) -> None:
        self.ticks += 1
        self._held.update(act.keys & {FORWARD, BACK})
        pose = state.pose
        self._rows.append(
            {
                "tick": self.ticks,
                "t_s": round(state.t_s, 6),
                "x": round(pose.x, 6),
                "y": round(pose.y, 6),
                "z": round(pose.z, 6),
                "yaw_deg": round(pose.yaw_deg, 6),
                "pitch_deg": round(pose.pitch_deg, 6),
                "moved_m": round(state.moved_m, 6),
                "blocked": state.blocked,
                "keys": " ".join(sorted(act.keys)),
                "buttons": " ".join(sorted(act.buttons)),
                "dx": float(act.dx),
                "dy": float(act.dy),
                "recovery": why == "recovery",
                "nudge": why == "nudge",
            }
        )


def view_size(options: Options) -> tuple[int, int]:
    """The view that a policy gets a squeezed copy of: as high as its picture, as wide as the frames are."""
    return (max(2, round(VIEW_PX * options.width / options.height / 2) * 2), VIEW_PX)


async def _leased(spec: PolicySpec, seed: str) -> Policy:
    """A policy, without stopping the event loop while its weights are loaded; given up, it is closed once there."""
    made = asyncio.get_running_loop().run_in_executor(None, POOL.lease, spec, seed)
    try:
        return await asyncio.shield(made)
    except asyncio.CancelledError:
        made.add_done_callback(_close)
        raise


def _close(made: asyncio.Future[Policy]) -> None:
    with contextlib.suppress(asyncio.CancelledError):
        if made.exception() is None:
            made.result().close()
