"""The probes of pages: the browser, what draws in it, what shuts it in, the vendored libraries, a world in a page."""

from __future__ import annotations

import json
import shlex
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile, ZipFile

from embodied_eval.benchmark import Check
from embodied_eval.doctor.fixes import GRAPHICS, failed, namespaces
from embodied_eval.errors import EmbodiedEvalError

if TYPE_CHECKING:
    from embodied_eval.drivers.browser.settings import BrowserInfo
    from embodied_eval.worlds.model import World

PAGE = b"<!doctype html><title>works</title><p id=a></p><script>a.textContent = 6 * 7</script>"
READ_S = 10.0
FRAME_PX = (96, 54)
BOX = "box"


def browser() -> Check:
    """A page of ours opened in the sealed Chromium, its script run."""
    from embodied_eval.drivers.browser.browser import Browser
    from embodied_eval.drivers.browser.site import Site

    try:
        with Browser() as chromium:
            chromium.open(Site.from_files({"index.html": PAGE}))
            text = chromium.evaluate("() => a.textContent", seconds=READ_S)
            info = chromium.info
    except EmbodiedEvalError as error:
        return failed("chromium", error)
    assert text == "42"
    unwatched = "" if info.limits else "; its memory and threads cannot be watched on this system"
    return Check("chromium", "ok", f"Chromium {info.version} ({info.executable}) opens a page{unwatched}")


def webgl() -> Check:
    """What draws WebGL 2 in the sealed Chromium."""
    info = _started("webgl")
    if isinstance(info, Check):
        return info
    if not info.renderer:
        return Check("webgl", "broken", "Chromium offers no WebGL 2", GRAPHICS)
    if info.gl == "swiftshader":
        return Check("webgl", "ok", f"{info.renderer}; through EGL (Mesa) it would be about twice as fast")
    return Check("webgl", "ok", f"through EGL: {info.renderer}")


def isolation() -> Check:
    """Whether pages run in a network namespace without any interface."""
    info = _started("isolation")
    if isinstance(info, Check):
        return info
    if info.isolation == "netns":
        return Check("isolation", "ok", f"netns: pages have no network; Chromium has the user id {info.uid}")
    told = f"route-only: {_note(info, 'No network namespace')} Requests are answered or refused all the same."
    return Check("isolation", "missing", told, namespaces())


def sandbox() -> Check:
    """Chromium's own word on its sandbox."""
    info = _started("sandbox")
    if isinstance(info, Check):
        return info
    if info.sandbox != "off":
        return Check("sandbox", "ok", f"Chromium's own sandbox is on ({info.sandbox})")
    return Check("sandbox", "missing", _note(info, "Chromium's own sandbox is off"), namespaces())


def libraries() -> Check:
    """Every vendored archive read whole, and a request of a page answered from one."""
    from embodied_eval.drivers.browser.vendored import FOLDER, answer, versions
    from embodied_eval.drivers.threejs.site import RAPIER

    mend = f"{shlex.quote(sys.executable)} -m pip install --force-reinstall --no-deps embodied-eval"
    for folder in (FOLDER, RAPIER.parent):
        try:
            index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
            wanted = {version: row["files"] for version, row in index["versions"].items()}
        except (OSError, ValueError, KeyError) as error:
            return Check("libraries", "broken", f"{folder.name}: {type(error).__name__}: {error}", mend)
        for version, files in wanted.items():
            if damage := _damage(folder / f"{version}.zip", files):
                return Check("libraries", "broken", f"{folder.name} {version}: {damage}", mend)
    served = answer(f"https://cdn.jsdelivr.net/npm/three@{versions()[-1]}/build/three.module.js")
    assert served is not None and not served.substituted
    return Check("libraries", "ok", f"three.js {', '.join(versions())}; Rapier {RAPIER.stem}")


def world() -> Check:
    """A box falls and is drawn in the page runtime: Three.js and Rapier, by the driver `threejs`."""
    from embodied_eval.drivers.threejs.driver import ThreejsDriver

    driver = ThreejsDriver()
    try:
        driver.load(_box_world())
        driver.advance(0.5)
        box, frame = driver.object(BOX), driver.capture(("rgb", "mask"), FRAME_PX)
        name = driver.renderer()
    except EmbodiedEvalError as error:
        return failed("threejs", error)
    finally:
        driver.close()
    assert box.position[2] < 1.5 and frame.rgb is not None and frame.mask is not None
    assert (frame.mask == box.id).any() and len({*map(tuple, frame.rgb.reshape(-1, 3).tolist())}) > 2
    return Check("threejs", "ok", f"a box falls and is drawn: {name}")


def _started(name: str) -> BrowserInfo | Check:
    """What a sealed browser says of itself once it has started, or why it did not."""
    from embodied_eval.drivers.browser.browser import check_browser

    try:
        return check_browser()
    except EmbodiedEvalError as error:
        return failed(name, error)


def _note(info: BrowserInfo, begins: str) -> str:
    return next((note for note in info.notes if note.startswith(begins)), f"{begins}.")


def _damage(archive: Path, files: int) -> str:
    """What is wrong with an archive of so many files, "" for nothing."""
    try:
        with ZipFile(archive) as opened:
            bad, found = opened.testzip(), len(opened.namelist())
    except (OSError, BadZipFile, zlib.error) as error:
        return f"{type(error).__name__}: {error}"
    if bad is not None:
        return f"{bad} in it is damaged"
    return "" if found == files else f"it holds {found} files instead of {files}"


def _box_world() -> World:
    """A floor, and a box that hangs 2 m above it before the agent."""
    from embodied_eval.worlds.model import (
        Bounds,
        Material,
        Primitive,
        Region,
        Sky,
        Spawn,
        Sun,
        World,
        WorldObject,
    )

    def block(name: str, side_m: float, height_m: float, at: tuple[float, float, float]) -> WorldObject:
        part = Primitive("box", (side_m, side_m, height_m), position=(0.0, 0.0, height_m / 2))
        return WorldObject(name, "block", name, (part,), position=at, dynamic=name == BOX)

    around = Bounds((-5.0, -5.0, -1.0), (5.0, 5.0, 5.0))
    return World(
        name="doctor",
        version=1,
        description="A box above a floor.",
        materials={"default": Material()},
        objects=(block("floor", 10.0, 0.1, (0.0, 0.0, -0.1)), block(BOX, 1.0, 1.0, (3.0, 0.0, 2.0))),
        lights=(),
        sun=Sun(),
        sky=Sky(),
        bounds=around,
        regions=(Region("floor", "Floor", around, "An open floor."),),
        spawns=(Spawn("start", (0.0, 0.0, 0.0), 0.0, "floor"),),
    )
