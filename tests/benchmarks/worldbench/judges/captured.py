"""A captured world made by hand: a fixture's file, drawn frames, a manifest with a clock and bursts."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace

from benchmarks.worldbench.capture.identify import identify_request
from benchmarks.worldbench.capture.manifest import EVENT, BurstShots, Manifest, Shot
from benchmarks.worldbench.evidence import BIOMES
from benchmarks.worldbench.fixtures.manifest import Fixture
from embodied_eval.benchmark import Trajectory
from embodied_eval.records import Condition, Event, FrameRef, Outcome, Task
from tests.benchmarks.worldbench.perfect import perfect_clock
from tests.benchmarks.worldbench.report_kit import SIZE, drawn

WIDE = ("overview", *(f"orbit:{name}" for name in ("right", "left", "top", "bottom")))
NEAR, FAR = 4, 3


def captured(fixture: Fixture, *, moved: float = 0.384, shown: dict[str, str] | None = None) -> Trajectory:
    """The stored episode of `fixture`. `moved` is every burst's share; `shown` says which region's picture was saved
    as another's."""
    pictures: dict[str, bytes] = {}
    shots: list[Shot] = []

    def take(view: str, picture: str, biome: str = "") -> str:
        data = drawn(picture)
        sha256 = hashlib.sha256(data).hexdigest()
        pictures[sha256] = data
        shots.append(Shot(view, view, sha256, SIZE, biome, filled=0.3))
        return view

    for view in (*WIDE, *(f"time:{i / 4:g}" for i in range(4)), *(f"season:{i}" for i in range(4))):
        take(view, view)
    bursts = []
    for biome in BIOMES:
        picture = f"close:{(shown or {}).get(biome, biome)}"
        close = take(f"close:{biome}", picture, biome)
        near = [take(f"near:{biome}:{n}", f"{picture} {n}", biome) for n in range(2, NEAR + 1)]
        far = [take(f"far:{biome}:{n}", f"{picture} far {n}", biome) for n in range(1, FAR + 1)]
        bursts.append(BurstShots(biome, (close, *near), tuple(far), moved, moved, camera_still=True))
    clock = perfect_clock()
    times = tuple(replace(look, ref=f"time:{i / 4:g}") for i, look in enumerate(clock.times) if look)
    seasons = tuple(replace(look, ref=f"season:{i}") for i, look in enumerate(clock.seasons) if look)
    sha256 = hashlib.sha256(fixture.html.encode()).hexdigest()
    manifest = Manifest(
        sha256,
        True,
        "ready",
        size=SIZE,
        shots=tuple(shots),
        clock=replace(clock, times=times, seasons=seasons),
        bursts=tuple(bursts),
    )
    return Trajectory(
        episode_key="e" * 32,
        task=Task("island", {}, {"secret": "SOLUTION"}),
        condition=Condition("standard", {}),
        model="openai/the-author",
        repeat=0,
        outcome=Outcome("completed", {"loaded": True, "sha256": sha256}),
        steps=(),
        calls=(),
        events=(Event(EVENT, 0.0, 0, manifest.to_json()),),
        visibility=(),
        frames={s.ref: FrameRef(s.ref, s.sha256, "image/png", *SIZE, 1, 0.0) for s in shots},
        rows={"worlds": ({"html": fixture.html, "sha256": sha256},)},
        read_frame=pictures.__getitem__,
    )


def shown_in(trajectory: Trajectory, shown: dict[str, str] | None = None) -> dict[str, str]:
    """By data URL the region that each close view's picture really shows, as the blind request sends it."""
    from benchmarks.worldbench.judges.evidence_of import capture_of

    request = identify_request(capture_of(trajectory))
    urls = (
        f"data:image/jpeg;base64,{base64.b64encode(image.data).decode()}"
        for image in request.images(trajectory.read_frame)
    )
    return {url: (shown or {}).get(biome, biome) for url, biome in zip(urls, request.biomes, strict=True)}
