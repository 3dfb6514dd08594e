"""What runs inside a page for its driver: reads the camera, holds back drawing, casts rays, moves the camera."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from embodied_eval.drivers.base import Vec3
from embodied_eval.errors import PageFailed, SimulatorCrashed

if TYPE_CHECKING:
    from embodied_eval.drivers.browser.session import PageSession

PARTS = ("rays.js", "body.js", "walk.js")
CALL = "([name, arg]) => window.__walk ? { value: window.__walk[name](arg) } : null"


@dataclass(frozen=True)
class Eye:
    """The page's camera: `position` and unit vector `forward` in page axes and units, its vertical field of
    view in degrees and its width / height."""

    position: Vec3
    forward: Vec3
    fov_deg: float
    aspect: float


@cache
def source() -> str:
    """The script as one function; it leaves `window.__walk` behind."""
    folder = files(__package__)
    parts = "\n".join(folder.joinpath(name).read_text("utf-8") for name in PARTS)
    return f"(token) => {{ 'use strict';\n{parts}\n}}"


class PageScript:
    """The script in the open page of a session. Each call raises `PageFailed` when the page was loaded anew
    or left, and what `PageSession.evaluate` raises."""

    def __init__(self, session: PageSession) -> None:
        self._session = session
        session.evaluate(source(), session.token)
        self.draw(False)

    def call(self, name: str, arg: Any = None) -> Any:
        """The value of `walk[name](arg)` in the page."""
        answer = self._session.evaluate(CALL, [name, arg])
        if answer is None:
            raise PageFailed(
                "The page was loaded anew or left while it was being walked.",
                outcome="navigated",
                command=name,
                hint="Audit a page that stays: switch its reloading and its links off.",
            )
        return answer["value"]

    def eye(self) -> Eye:
        """The camera now. Raises `SimulatorCrashed` when its WebGL context is lost."""
        values = self.call("eye")
        if not values[8]:
            raise SimulatorCrashed("The page lost its WebGL context.", command="eye")
        x, y, z, fx, fy, fz, fov, aspect = (float(value) for value in values[:8])
        return Eye((x, y, z), (fx, fy, fz), fov, aspect)

    def draw(self, on: bool) -> None:
        """Whether frames are drawn from now on; what is not drawn costs almost nothing."""
        self.call("draw", on)

    def settle(self) -> None:
        """Draw the scene as it stands where the page drew nothing since `draw(True)`."""
        self.call("settle")

    def cast(self, origin: Vec3, along: Vec3, most: float) -> tuple[float, str] | None:
        """Distance in units and name of what is first on a ray along a unit vector."""
        hit = self.call("cast", [list(origin), list(along), most])
        return None if hit is None else (float(hit["t"]), str(hit["name"]))

    def ground(self, below: Vec3) -> float | None:
        """The height of the ground below a point, if there is any."""
        height = self.call("ground", list(below))
        return None if height is None else float(height)

    def changes(self) -> frozenset[str]:
        """Names of what looks or stands otherwise than at the last call, the camera aside."""
        return frozenset(str(name) for name in self.call("changes"))
