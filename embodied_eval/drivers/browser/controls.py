"""Keys, mouse and controls of a page: real events, apart from the movement of a locked pointer."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, Literal

from embodied_eval.drivers.browser.accessibility import Control, Line, controls
from embodied_eval.errors import UnknownObject

if TYPE_CHECKING:
    from embodied_eval.drivers.browser.browser import Browser

Button = Literal["left", "middle", "right"]
Call = Callable[..., Any]
WHEEL_POLLS = 50


class Controls:
    """What a user's hands do in one page. Positions are CSS pixels from the upper left corner."""

    def __init__(self, browser: Browser, call: Call, size: tuple[int, int]) -> None:
        self._browser, self._call, self._size = browser, call, size
        self._held: frozenset[str] = frozenset()
        self._mouse = (size[0] / 2, size[1] / 2)
        self._lines: dict[str, Control] = {}

    def hold(self, codes: Collection[str]) -> None:
        """Exactly these keys (`KeyboardEvent.code`) are down from now on."""
        wanted = frozenset(codes)
        keyboard = self._browser.page.keyboard
        for code in sorted(self._held - wanted):
            keyboard.up(code)
        for code in sorted(wanted - self._held):
            keyboard.down(code)
        self._held = wanted

    def look(self, dx_px: float, dy_px: float) -> None:
        """Move the mouse by so many pixels: exactly, to the element that locked it; otherwise within the
        view."""
        if self._call("look", dx_px, dy_px):
            return
        x, y = self._mouse
        width, height = self._size
        self._move(min(max(x + dx_px, 0), width - 1), min(max(y + dy_px, 0), height - 1))

    def click(self, x: float | None, y: float | None, button: Button) -> None:
        """Click at a point, by default the middle of the view."""
        self._mouse = (self._size[0] / 2 if x is None else x, self._size[1] / 2 if y is None else y)
        self._browser.page.mouse.click(*self._mouse, button=button)

    def drag(self, start: tuple[float, float], end: tuple[float, float], steps: int, button: Button) -> None:
        """Press at `start`, move to `end` in `steps` movements, release."""
        mouse = self._browser.page.mouse
        self._move(*start)
        mouse.down(button=button)
        mouse.move(*end, steps=steps)
        mouse.up(button=button)
        self._mouse = end

    def wheel(self, delta_px: float) -> None:
        """Turn the wheel where the mouse is; positive is away from the user's view (zoom out)."""
        before = self._call("wheels")
        self._browser.page.mouse.move(*self._mouse)
        self._browser.page.mouse.wheel(0, delta_px)
        # The browser answers before the page has seen a wheel event.
        for _ in range(WHEEL_POLLS):
            if self._call("wheels") > before:
                return
            self._call("settle")

    def accessibility(self) -> tuple[Line, ...]:
        """The visible, named controls; their refs hold until the next call."""
        found = controls(self._browser.cdp)
        self._lines = {one.line.ref: one for one in found}
        return tuple(one.line for one in found)

    def click_ref(self, ref: str) -> None:
        """Click the middle of a control. Raises `UnknownObject` for a ref that is not among the lines, or
        whose element is gone."""
        control = self._lines.get(ref)
        if control is None:
            shown = ", ".join(self._lines) or "none"
            raise UnknownObject(
                f"There is no control {ref!r}; the last list has: {shown}.", command="click_ref"
            )
        from playwright.sync_api import Error

        cdp = self._browser.cdp
        try:
            cdp.send("DOM.scrollIntoViewIfNeeded", {"backendNodeId": control.node})
            quads = cdp.send("DOM.getContentQuads", {"backendNodeId": control.node})["quads"]
        except Error as error:
            raise UnknownObject(
                f"The control {ref!r} ({control.line.name}) is no longer on the page.",
                command="click_ref",
                hint="Ask for the lines again.",
            ) from error
        self.click(sum(quads[0][::2]) / 4, sum(quads[0][1::2]) / 4, "left")

    def _move(self, x: float, y: float) -> None:
        self._mouse = (x, y)
        self._browser.page.mouse.move(x, y)
