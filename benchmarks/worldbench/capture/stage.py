"""A world on stage: its page opened as often as needed, moved along its clock, operated and looked at."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from benchmarks.worldbench.capture.manifest import Camera
from embodied_eval.errors import SimulatorError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from embodied_eval.benchmark import DriverHandle
    from embodied_eval.drivers.base import Driver
    from embodied_eval.drivers.browser.outcome import Loaded
    from embodied_eval.drivers.browser.session import PageSession
    from embodied_eval.drivers.page.driver import PageDriver
    from embodied_eval.worlds.model import World

T = TypeVar("T")
NOTCH_PX = 100.0
DRAG_STEPS = 10
SHOW_MS = 1000.0 / 60.0
SETTLE_STEP_MS = 500.0
SETTLE_MOST_MS = 6000.0
SAME_SHARE = 1e-4
CALL = "([token, name, arg]) => window['__stage_' + token][name](arg)"


class OverBudget(Exception):
    """The capture used up its processor time."""


class CaptureOptions(Protocol):
    """The settings that a capture reads; see `benchmarks.worldbench.options`."""

    @property
    def navigator(self) -> str: ...
    @property
    def navigator_calls(self) -> int: ...
    @property
    def clock(self) -> str: ...
    @property
    def masks(self) -> bool: ...
    @property
    def coverage(self) -> bool: ...
    @property
    def cpu_s(self) -> int: ...
    @property
    def size(self) -> tuple[int, int]: ...


class Meter:
    """Processor seconds of the browsers of one capture, from /proc: what ended keeps what it was last seen with."""

    def __init__(self, limit_s: float) -> None:
        self.limit_s = limit_s
        self._seen: dict[int, float] = {}

    @property
    def spent_s(self) -> float:
        """Seconds so far."""
        return sum(self._seen.values())

    def read(self, driver: PageDriver) -> None:
        """Look again."""
        for pid in driver.browser.group.members():
            self._seen[pid] = max(self._seen.get(pid, 0.0), _cpu_s(pid))

    def check(self) -> None:
        """Raises `OverBudget` past the limit."""
        if self.spent_s > self.limit_s:
            raise OverBudget


def _cpu_s(pid: int) -> float:
    import os

    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return 0.0  # it has just ended
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@cache
def source() -> str:
    """The script that goes into the page."""
    return resources.files(__package__).joinpath("stage.js").read_text(encoding="utf-8").strip()


class Stage:
    """One page of `world` in a window of `size` (width, height). Everything runs in the driver's thread; all raise
    `OverBudget` when the meter says so, and what `PageSession` raises."""

    def __init__(
        self, driver: DriverHandle, world: World, *, size: tuple[int, int], seed: int, meter: Meter
    ) -> None:
        self._driver, self._world, self.size, self._seed, self.meter = driver, world, size, seed, meter
        self._opened = False
        self.loaded: Loaded
        self.start_s = 0.0

    async def do(self, function: Callable[[PageSession], T]) -> T:
        """Run `function(session)` in the driver's thread."""

        def work(driver: Driver) -> T:
            page = cast("PageDriver", driver)
            made = function(page.session)
            self.meter.read(page)
            return made

        made = cast("T", await self._driver.call(work))
        self.meter.check()
        return made

    async def open(self, *, covering: bool = False) -> Loaded:
        """Load the page from its beginning, in the same browser from the second time on."""

        def work(driver: Driver) -> Loaded:
            page = cast("PageDriver", driver)
            loaded = page.show(
                self._world, seed=self._seed, size=self.size, again=self._opened, covering=covering
            )
            if loaded.outcome == "ready" and loaded.hooked:
                page.session.evaluate(source(), page.session.token)
            self.meter.read(page)
            return loaded

        self.loaded = await self._driver.call(work)
        self.meter.check()
        self._opened = True
        self.start_s = await self.now()
        return self.loaded

    @property
    def hooked(self) -> bool:
        """Whether scene and camera are known."""
        return self.loaded.hooked

    async def script(self, name: str, arg: Any = None) -> Any:
        """The value of a function of `stage.js`; None for a page without Three.js."""
        if not self.hooked:
            return None
        return await self.do(lambda session: session.evaluate(CALL, [session.token, name, arg]))

    async def now(self) -> float:
        """Virtual seconds since the page's start."""
        return await self.do(lambda session: session.t_s)

    async def run(self, ms: float, *, drawn: bool = True) -> None:
        """Let `ms` virtual milliseconds pass, the last frame drawn unless not `drawn`."""
        if drawn or not self.hooked:
            await self.do(lambda session: session.seek(ms))
            return
        await self.script("draw", False)
        try:
            await self.do(lambda session: session.seek(ms))
        finally:
            await self.script("draw", True)

    async def until(self, t_s: float, *, drawn: bool = True) -> None:
        """Run to the moment `t_s`; nothing happens when it has passed."""
        left = 1000.0 * (t_s - await self.now())
        if left > 1e-6:
            await self.run(left, drawn=drawn)

    async def shoot(self, *, interface: bool = False) -> NDArray[np.uint8]:
        """The frame drawn last, uint8 (H, W, 3), by default without the page's interface."""
        await self.script("settle")
        return await self.do(lambda session: session.screenshot(interface=interface))

    async def camera(self) -> Camera | None:
        """The camera now, None for a page without Three.js."""
        view = await self.do(lambda session: session.camera())
        if view is None:
            return None
        return Camera(view.position, view.forward, view.up, view.fov_deg, view.aspect)

    async def settle(self) -> bool:
        """Run, not drawing, until the camera stands still, at most six seconds; whether it does."""
        before = await self.camera()
        for _ in range(int(SETTLE_MOST_MS / SETTLE_STEP_MS)):
            await self.run(SETTLE_STEP_MS, drawn=False)
            after = await self.camera()
            if same(before, after):
                return True
            before = after
        return False

    async def drag(self, dx_px: float, dy_px: float, button: str = "left") -> bool:
        """Drag over the picture, from its middle; whether there is a free point to begin at."""
        point = await self._point()
        if point is None:
            return False
        x, y = point
        width, height = self.size
        to_x, to_y = (min(max(x + dx_px, 0), width - 1), min(max(y + dy_px, 0), height - 1))
        await self.do(
            lambda session: session.drag(x, y, to_x, to_y, DRAG_STEPS, button)  # type: ignore[arg-type]
        )
        return True

    async def zoom(self, notches: int) -> bool:
        """Turn the wheel over the picture, one event a notch; positive zooms in. Whether there is a free point."""
        point = await self._point()
        if point is None:
            return False

        def work(session: PageSession) -> None:
            # To the corner and from there, since movements are relative.
            session.look(-10_000, -10_000)
            session.look(*point)
            for _ in range(abs(notches)):
                session.wheel(-NOTCH_PX if notches > 0 else NOTCH_PX)

        await self.do(work)
        return True

    async def _point(self) -> tuple[float, float] | None:
        if not self.hooked:
            return (self.size[0] / 2, self.size[1] / 2)
        found = await self.script("point")
        return None if found is None else (float(found[0]), float(found[1]))


def same(a: Camera | None, b: Camera | None) -> bool:
    """Whether two cameras are one to a ten-thousandth of the distance from the page's middle. None is like None."""
    if a is None or b is None:
        return a is b
    scale = SAME_SHARE * max(1.0, math.hypot(*a.position))
    return (
        math.dist(a.position, b.position) <= scale
        and math.dist(a.forward, b.forward) <= SAME_SHARE
        and math.dist(a.up, b.up) <= SAME_SHARE
        and abs(a.fov_deg - b.fov_deg) <= SAME_SHARE * 100
    )


def require_page(driver: object) -> None:
    """Raises `SimulatorError` for a driver that does not show pages."""
    if not hasattr(driver, "show"):
        raise SimulatorError(
            "Worlds are captured on the page driver only.", command="capture", hint="Leave --driver out."
        )
