"""The navigator without a model: click the legend's entry by its name, zoom in, save."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.worldbench.capture.legend import assigned
from benchmarks.worldbench.capture.manifest import Turn, Visit
from benchmarks.worldbench.capture.stage import same
from embodied_eval.errors import UnknownObject

if TYPE_CHECKING:
    from benchmarks.worldbench.capture.stage import Stage

CLICK_MS = 3000.0
ZOOM_MS = 1000.0
ZOOM_IN = 2


async def named(stage: Stage) -> frozenset[str]:
    """The biomes that some entry of the page names."""
    return frozenset(assigned(await stage.do(lambda session: session.accessibility())))


def unnamed(biome: str) -> Visit:
    """The visit to a biome that no entry names."""
    return Visit(biome, "not_found", "no entry of the page names it")


async def visit(stage: Stage, biome: str) -> Visit:
    """Look for `biome` in the page, which is at day; when it is found the page shows it."""
    line = assigned(await stage.do(lambda session: session.accessibility())).get(biome)
    if line is None:
        return unnamed(biome)
    start = await stage.camera()
    arguments = {"ref": line.ref, "name": line.name}
    try:
        await stage.do(lambda session: session.click_ref(line.ref))
    except UnknownObject as error:
        turn = Turn("click", arguments, error.message)
        return Visit(biome, "error", "the entry cannot be clicked", (turn,))
    await stage.run(CLICK_MS, drawn=False)
    rests = await stage.settle()
    flown = not stage.hooked or not same(start, await stage.camera())
    turns = [Turn("click", arguments, "the view moved" if flown else "the view did not move")]
    await stage.zoom(ZOOM_IN)
    await stage.run(ZOOM_MS, drawn=False)
    await stage.settle()
    turns.append(Turn("zoom", {"steps": ZOOM_IN}, ""))
    turns.append(Turn("save", {"shows": biome}, ""))
    reason = "" if flown and rests else "the view did not move" if not flown else "the view does not rest"
    return Visit(biome, "uncertain" if reason else "found", reason, tuple(turns), f"close:{biome}", biome)
