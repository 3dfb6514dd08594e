"""Pictures of a page that stands still: lossless, and never by drawing again."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from embodied_eval.errors import FrameTimeout, StaleFrame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from embodied_eval.drivers.browser.browser import Browser

Call = Callable[..., Any]


def picture(
    browser: Browser, call: Call, *, interface: bool, seconds: float, size: tuple[int, int]
) -> NDArray[np.uint8]:
    """The view as it was drawn last, uint8 (H, W, 3); `interface` False leaves only canvases.

    Where one WebGL canvas is all there is to see, its kept pixels are read (a tenth of the time); otherwise
    the browser puts the page together once more without running any of its code.
    """
    encoded = call("frame", interface, seconds=seconds, doing="screenshot", error=FrameTimeout)
    if encoded is not None:
        pixels = _decoded(encoded)
        if pixels.shape[2] == 3 or (pixels[:, :, 3] == 255).all():
            return _checked(pixels, size)
    with browser.within(seconds, "screenshot", FrameTimeout):
        if interface:
            return _checked(_captured(browser), size)
        call("bare", True, seconds=seconds, doing="screenshot", error=FrameTimeout)
        made = _captured(browser)
        call("bare", False, seconds=seconds, doing="screenshot", error=FrameTimeout)
        return _checked(made, size)


def _captured(browser: Browser) -> NDArray[np.uint8]:
    # Three times faster than the smallest file, and as lossless.
    reply = browser.cdp.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
    return _decoded(reply["data"])


def _decoded(encoded: str) -> NDArray[np.uint8]:
    import numpy as np
    from PIL import Image

    with Image.open(io.BytesIO(base64.b64decode(encoded))) as image:
        if image.mode not in ("RGB", "RGBA"):
            image = image.convert("RGBA")  # type: ignore[assignment]
        return np.asarray(image, dtype=np.uint8)


def _checked(pixels: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    import numpy as np

    height, width = pixels.shape[:2]
    if (width, height) != size:
        raise StaleFrame(
            f"The page's picture is {width}x{height} instead of {size[0]}x{size[1]}.",
            endpoint="browser",
            command="screenshot",
        )
    return np.ascontiguousarray(pixels[:, :, :3])
