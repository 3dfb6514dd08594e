"""Looking at a browser that has just started: what draws its pictures, and whether its sandbox holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Sandbox = Literal["namespace", "setuid", "off"]
RENDERER = """() => {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return "";
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return name;
}"""


def look(browser: Browser, *, sandboxed: bool) -> tuple[str, Sandbox]:
    """WebGL 2's unmasked renderer string ("" without WebGL 2), and Chromium's own word on its sandbox."""
    page = browser.new_page()
    try:
        renderer = str(page.evaluate(RENDERER))
        return renderer, _sandbox(page) if sandboxed else "off"
    finally:
        page.context.close()


def _sandbox(page: Page) -> Sandbox:
    page.goto("chrome://sandbox", wait_until="domcontentloaded")
    page.wait_for_function("() => /Layer 1 Sandbox/.test(document.body.innerText)")
    text = str(page.evaluate("() => document.body.innerText")).lower()
    if "layer 1 sandbox\tnamespace" in text:
        return "namespace"
    return "setuid" if "layer 1 sandbox\tsuid" in text else "off"
