"""Bursts of a saved view: four frames two world-seconds apart, and three more after one zoom out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.worldbench.capture import measure
from benchmarks.worldbench.capture.manifest import BurstShots, ObjectMotion
from benchmarks.worldbench.capture.objects import changes, join, kind_of, masked, motions
from benchmarks.worldbench.capture.stage import SHOW_MS, same

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from benchmarks.worldbench.capture.album import Album
    from benchmarks.worldbench.capture.manifest import Camera
    from benchmarks.worldbench.capture.stage import Stage

    Picture = NDArray[np.uint8]

GAP_MS = 2000.0
NEAR, FAR = 4, 3
ZOOM_OUT = 3
SETTLE_MS = 1000.0
DRIFT_MS = 100.0


async def burst(stage: Stage, album: Album, biome: str, *, light: str, masks: bool) -> BurstShots:
    """Photograph the view that the page shows: the close view itself is the first frame."""
    await stage.run(SHOW_MS)
    start = await stage.camera()
    frames = [await stage.shoot()]
    first = await album.save(f"close:{biome}", frames[0], biome=biome, t_s=await stage.now(), camera=start)
    await stage.script("mark")
    await stage.run(DRIFT_MS, drawn=False)
    drift = await changes(stage)
    refs, still, whole = [first.ref], True, dict(drift)
    gap = GAP_MS - DRIFT_MS
    for number in range(2, NEAR + 1):
        await stage.run(gap)
        gap = GAP_MS
        still = await _take(stage, album, f"near:{biome}:{number}", biome, frames, refs, start) and still
        # At every frame: what comes round in the burst's length stands at its end where it stood before.
        join(whole, await changes(stage))
    near_px = measure.changed(frames)
    objects: tuple[ObjectMotion, ...] = ()
    graph = await stage.do(lambda session: session.scene())
    if graph is not None and start is not None:
        near = motions(graph, start, stage.size, near_px, drift, DRIFT_MS / 1000.0, whole)
        masking = masks and still
        objects = await masked(stage, near, near_px) if masking else tuple(one.motion for one in near)
    near_overlay = await album.show(f"overlay:near:{biome}", measure.overlay(frames[0], near_px), biome=biome)

    await stage.zoom(-ZOOM_OUT)
    await stage.run(SETTLE_MS, drawn=False)
    await stage.settle()
    await stage.run(SHOW_MS)
    far_start = await stage.camera()
    far_frames: list[Picture] = []
    far_refs: list[str] = []
    for number in range(1, FAR + 1):
        if number > 1:
            await stage.run(GAP_MS)
        view = f"far:{biome}:{number}"
        still = await _take(stage, album, view, biome, far_frames, far_refs, far_start) and still
        join(whole, await changes(stage))
    far_px = measure.changed(far_frames)
    graph = await stage.do(lambda session: session.scene())
    if graph is not None and far_start is not None:
        # What only the far frames show.
        known = {kind_of(one) for one in objects}
        far = motions(graph, far_start, stage.size, far_px, drift, DRIFT_MS / 1000.0, whole)
        objects += tuple(one.motion for one in far if kind_of(one.motion) not in known)
    far_overlay = await album.show(
        f"overlay:far:{biome}", measure.overlay(far_frames[0], far_px), biome=biome
    )
    return BurstShots(
        biome,
        tuple(refs),
        tuple(far_refs),
        measure.share(near_px),
        measure.share(far_px),
        near_overlay.ref,
        far_overlay.ref,
        still if stage.hooked else None,
        light,  # type: ignore[arg-type]
        objects,
    )


async def _take(
    stage: Stage,
    album: Album,
    view: str,
    biome: str,
    frames: list[Picture],
    refs: list[str],
    start: Camera | None,
) -> bool:
    """One more frame of a burst; whether the camera is where it was at its start."""
    camera = await stage.camera()
    frames.append(await stage.shoot())
    shot = await album.save(view, frames[-1], biome=biome, t_s=await stage.now(), camera=camera)
    refs.append(shot.ref)
    return same(start, camera)
