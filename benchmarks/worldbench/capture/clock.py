"""The four requested times and the four seasons: reached, photographed, measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from benchmarks.worldbench.capture import measure
from benchmarks.worldbench.capture.manifest import Light, Shot, Swept
from benchmarks.worldbench.capture.stage import SHOW_MS
from benchmarks.worldbench.evidence import SEASONS, TIMES, Clock, Look

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from benchmarks.worldbench.capture.album import Album
    from benchmarks.worldbench.capture.stage import Stage

    Picture = NDArray[np.uint8]

# Worlds that follow their clock softly are there after this.
TURN_MS = 2000.0
LEAST_SWING = 4.0
OPENING_S = 3.0
PROBE_DIFF = 8.0


class Dial:
    """Brings a freshly opened page to a time of day or a season. With `swept` by waiting for it in the page's own
    time, without by setting the time object of a patched page. `day` is the requested time that is day."""

    def __init__(self, stage: Stage, swept: Swept | None) -> None:
        self.stage, self._swept = stage, swept
        self.day = 2

    @property
    def light(self) -> Light:
        """What keeps the light still at day."""
        if self._swept is None:
            return "set"
        return "held" if self.stage.hooked else "free"

    def order(self) -> tuple[int, ...]:
        """The requested times in the order in which one load comes by them."""
        if self._swept is None:
            return (0, 1, 2, 3)
        times = self._swept.times_s
        return tuple(sorted(range(4), key=lambda index: (times[index], index)))

    def seasons(self) -> tuple[int, ...]:
        """The seasons that can be reached, in the order in which one load comes by them."""
        if self._swept is None:
            return (0, 1, 2, 3)
        known = [(t_s, index) for index, t_s in enumerate(self._swept.seasons_s) if t_s is not None]
        return tuple(index for _, index in sorted(known))

    async def to_time(self, index: int) -> None:
        """Bring the open page to a requested time and draw it."""
        if self._swept is None:
            await self._set(index, None)
        else:
            await self.stage.until(self._swept.times_s[index], drawn=False)
            await self.stage.run(SHOW_MS)

    async def to_season(self, index: int) -> None:
        """Bring the open page to a season, at day, and draw it."""
        if self._swept is None:
            await self._set(self.day, index)
        else:
            t_s = self._swept.seasons_s[index]
            assert t_s is not None
            await self.stage.until(t_s, drawn=False)
            await self.stage.run(SHOW_MS)

    async def to_day(self) -> None:
        """Load the page anew, bring it to day, keep the light there, and draw it."""
        await self.stage.open()
        if self._swept is None:
            await self._set(self.day, None)
            return
        await self.stage.until(max(OPENING_S, self._swept.times_s[self.day]), drawn=False)
        await self.stage.script("hold", True)
        await self.stage.run(SHOW_MS)

    async def _set(self, index: int, season: int | None) -> None:
        await self.stage.script("time", {"timeOfDay": TIMES[index], "season": season})
        await self.stage.until(self.stage.start_s + OPENING_S, drawn=False)
        await self.stage.run(TURN_MS, drawn=False)
        await self.stage.run(SHOW_MS)


async def photograph_times(dial: Dial, album: Album) -> list[tuple[Shot, Picture]]:
    """The four requested times from one load, in the order of `TIMES`."""
    await dial.stage.open()
    made: dict[int, tuple[Shot, Picture]] = {}
    for index in dial.order():
        await dial.to_time(index)
        rgb = await dial.stage.shoot()
        t_s, camera = await dial.stage.now(), await dial.stage.camera()
        shot = await album.save(f"time:{TIMES[index]:g}", rgb, t_s=t_s, camera=camera)
        made[index] = (shot, rgb)
    await album.commit("times", {"requested": list(TIMES)}, f"{len(made)} frames")
    return [made[index] for index in range(4)]


async def photograph_seasons(dial: Dial, album: Album) -> list[tuple[Shot, Picture] | None]:
    """The seasons that can be reached from one load, in the order of `SEASONS`."""
    await dial.stage.open()
    made: dict[int, tuple[Shot, Picture]] = {}
    for index in dial.seasons():
        await dial.to_season(index)
        rgb = await dial.stage.shoot()
        t_s, camera = await dial.stage.now(), await dial.stage.camera()
        made[index] = (await album.save(f"season:{index}", rgb, t_s=t_s, camera=camera), rgb)
    await album.commit("seasons", {"seasons": list(SEASONS)}, f"{len(made)} frames")
    return [made.get(index) for index in range(4)]


def look(shot: Shot) -> Look:
    """A shot's measurements as evidence."""
    return Look(shot.ref, shot.luma_all, shot.luma_lit, shot.chroma, shot.filled)


def clock_of(
    source: Literal["patch", "sweep", "none"],
    times: Sequence[tuple[Shot, Picture]],
    seasons: Sequence[tuple[Shot, Picture] | None] = (None, None, None, None),
) -> Clock:
    """The clock's evidence: the brightest of the four times by mean luma is day, the darkest night, whatever was
    asked for (seed; `worldbench.md` 5.2); differences are from day, the seasons' from spring."""
    looks = [look(shot) for shot, _ in times]
    order = sorted(range(4), key=lambda index: (-looks[index].luma_all, index != 2, index))
    day, night = order[0], order[-1]
    lit = max(range(4), key=lambda index: (looks[index].luma_lit, index == day))
    differs = [measure.diff(rgb, times[day][1]) for _, rgb in times]
    shifts = [measure.shift(one.chroma, looks[day].chroma) for one in looks]
    spring = seasons[0]
    from_spring = [
        measure.shift(one[0].chroma, spring[0].chroma) if one is not None and spring is not None else None
        for one in seasons
    ]
    drawn = [look(one[0]) if one is not None else None for one in seasons]
    return Clock(
        source,
        (looks[0], looks[1], looks[2], looks[3]),
        (drawn[0], drawn[1], drawn[2], drawn[3]),
        (differs[0], differs[1], differs[2], differs[3]),
        (shifts[0], shifts[1], shifts[2], shifts[3]),
        (from_spring[0], from_spring[1], from_spring[2], from_spring[3]),
        day,
        night,
        lit != day,
    )


def has_effect(clock: Clock) -> bool:
    """Whether the four requested times look different at all."""
    lumas = [one.luma_all for one in clock.times if one is not None]
    return max(lumas) - min(lumas) >= LEAST_SWING or any((one or 0.0) >= PROBE_DIFF for one in clock.differs)
