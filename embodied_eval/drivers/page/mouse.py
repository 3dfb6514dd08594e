"""The hands on a page: turning its view with the mouse, and beginning what waits behind a click."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from embodied_eval.drivers.page.controls import FRAME_MS, Look

if TYPE_CHECKING:
    from embodied_eval.drivers.browser.session import PageSession
    from embodied_eval.drivers.page.script import PageScript

SETTLE_FRAMES = 12
DRAG_MOST_PX = 200.0


class Mouse:
    """Moves the mouse in a view of `size` (width, height) pixels."""

    def __init__(self, session: PageSession, script: PageScript, size: tuple[int, int]) -> None:
        self._session, self._script, self._size = session, script, size

    def move(self, by: Look, right_px: float, down_px: float) -> bool:
        """Move to the right and down by whole pixels, "drag" with a button held; whether there was anything
        to move."""
        right, down = round(right_px), round(down_px)
        if by == "mouse" and (right or down):
            self._session.look(right, down)
            return True
        count = math.ceil(max(abs(right), abs(down)) / DRAG_MOST_PX)
        x, y = self._size[0] // 2, self._size[1] // 2
        for part in range(count):
            dx = right * (part + 1) // count - right * part // count
            dy = down * (part + 1) // count - down * part // count
            self._session.drag(x, y, x + dx, y + dy, 1)
        return count > 0

    def begin(self, action: str) -> None:
        """Do one of `Controls.start`, and let it take effect; the last frame is drawn, since another scene may
        have taken the place of a menu's."""
        if action == "click":
            self._session.click()
        else:
            for line in self._session.accessibility():
                if line.name == action:
                    self._session.click_ref(line.ref)
                    break
        self._session.step(FRAME_MS, SETTLE_FRAMES)
        self._script.draw(True)
        self._session.step(FRAME_MS)
        self._script.draw(False)
