"""The wide views at day: the overview, and four orbits by real drags of the mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.worldbench.capture.objects import scene_items
from benchmarks.worldbench.capture.stage import SHOW_MS, same

if TYPE_CHECKING:
    from benchmarks.worldbench.capture.album import Album
    from benchmarks.worldbench.capture.clock import Dial
    from benchmarks.worldbench.capture.manifest import Camera, SceneItem

# Pixels of the drag, from the overview's pose (`worldbench.md` 5.2).
ORBITS = {"right": (300, 0), "left": (-300, 0), "top": (0, 220), "bottom": (0, -260)}
SETTLE_MS = 1000.0


async def overview(dial: Dial, album: Album) -> tuple[tuple[SceneItem, ...], int, int]:
    """Photograph the island at day; the scene's largest objects, how many are drawn in all, their triangles."""
    stage = dial.stage
    await dial.to_day()
    await stage.settle()
    await stage.run(SHOW_MS)
    rgb, t_s, camera = await stage.shoot(), await stage.now(), await stage.camera()
    await album.save("overview", rgb, t_s=t_s, camera=camera)
    graph = await stage.do(lambda session: session.scene())
    if graph is None or camera is None:
        return (), 0, 0
    return scene_items(graph, camera)


async def orbits(dial: Dial, album: Album) -> tuple[str, ...]:
    """Photograph the four orbits, beginning where `overview` ended. Each starts from the overview's pose, dragged
    back to where that brings it, else loaded anew. Returns the views whose drag did not move the camera."""
    stage = dial.stage
    start, still = await stage.camera(), []
    for name, (dx, dy) in ORBITS.items():
        if not await _home(dial, start):
            start = await stage.camera()
        width, height = stage.size
        # The distances are for a frame of 1280 x 720.
        by = (dx * width / 1280, dy * height / 720)
        free = await stage.drag(*by)
        await stage.run(SETTLE_MS, drawn=False)
        await stage.run(SHOW_MS)
        camera = await stage.camera()
        moved = not same(start, camera)
        if not moved:
            still.append(name)
        note = "" if moved else "the drag did not move the camera" if free else "no free point to drag from"
        await album.save(
            f"orbit:{name}", await stage.shoot(), t_s=await stage.now(), camera=camera, note=note
        )
        await stage.drag(-by[0], -by[1])
        await stage.run(SETTLE_MS, drawn=False)
    await album.commit("wide", {"orbits": list(ORBITS)}, f"{len(ORBITS)} frames, unmoved: {still or 'none'}")
    return tuple(still)


async def _home(dial: Dial, start: Camera | None) -> bool:
    """Whether the page still shows the overview's pose; if not, it does so anew."""
    stage = dial.stage
    if stage.hooked and same(start, await stage.camera()):
        return True
    await dial.to_day()
    await stage.settle()
    return False
