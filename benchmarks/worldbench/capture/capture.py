"""The whole capture of one world: its clock, its wide views, its close views, and what moves in them."""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from benchmarks.worldbench.capture import navigator, patch, ran, scripted, sweep
from benchmarks.worldbench.capture.album import Album
from benchmarks.worldbench.capture.burst import burst
from benchmarks.worldbench.capture.clock import (
    LEAST_SWING,
    Dial,
    clock_of,
    has_effect,
    photograph_seasons,
    photograph_times,
)
from benchmarks.worldbench.capture.manifest import EVENT, Manifest, Patched, Visit
from benchmarks.worldbench.capture.stage import CaptureOptions, Meter, OverBudget, Stage, require_page
from benchmarks.worldbench.capture.views import orbits, overview
from benchmarks.worldbench.evidence import BIOMES

if TYPE_CHECKING:
    from embodied_eval.benchmark import Episode
    from embodied_eval.drivers.base import Driver
    from embodied_eval.drivers.page.driver import PageDriver
    from embodied_eval.worlds.model import World

MOST_ERRORS = 20


async def capture(episode: Episode, page: str, options: CaptureOptions) -> Manifest:
    """Capture the world in `page` (HTML) on the episode's page driver. Stores every frame, and the manifest as the
    event "capture". A world that does not load gives a manifest with `loaded` False; one that takes more than
    `options.cpu_s` processor seconds one that is `incomplete`, with what was got.

    Raises what the page's session raises when the browser or the page itself fails on the way, and `ModelError`
    where a model navigates.
    """
    await episode.driver.call(require_page)
    work = _Capture(episode, page, options)
    with contextlib.suppress(OverBudget), work.folder():
        await work.run()
    manifest = replace(
        work.manifest, shots=tuple(work.album.shots), cpu_s=round(work.meter.spent_s, 2), **work.found
    )
    if work.stage_name:
        limit = f"{options.cpu_s} processor seconds were used up at: {work.stage_name}"
        manifest = replace(manifest, incomplete=limit)
    episode.event(EVENT, manifest.to_json())
    await work.album.commit("capture", {"world": manifest.world_sha256}, manifest.incomplete or "complete")
    return manifest


class _Capture:
    """The stages of one capture in their order; `found` grows with what each brings."""

    def __init__(self, episode: Episode, page: str, options: CaptureOptions) -> None:
        self.episode, self.page, self.options = episode, page, options
        self.album, self.meter = Album(episode), Meter(options.cpu_s)
        self.found: dict[str, Any] = {}
        self.stage_name = "load"
        sha256 = hashlib.sha256(page.encode()).hexdigest()
        self.manifest = Manifest(sha256, False, "not loaded", size=options.size, seed=episode.seed)

    @contextlib.contextmanager
    def folder(self) -> Iterator[None]:
        """A folder of the capture's own, in which the page lies alone."""
        with tempfile.TemporaryDirectory(prefix="embodied-eval-page-") as name:
            self._folder = Path(name)
            yield

    def _world(self, name: str, html: str) -> World:
        from embodied_eval.worlds.pages import page_world

        folder = self._folder / name
        folder.mkdir()
        file = folder / "index.html"
        file.write_bytes(html.encode())
        return page_world(str(file))

    def _stage(self, world: World, size: tuple[int, int]) -> Stage:
        return Stage(self.episode.driver, world, size=size, seed=self.episode.seed, meter=self.meter)

    async def run(self) -> None:
        """Every stage; raises `OverBudget` where the limit is reached."""
        world = self._world("page", self.page)
        if not await self._sweep(world):
            self.stage_name = ""
            return
        dial = await self._clock(world)
        self.stage_name = "seasons"
        if self.options.clock != "model" or dial.light != "set" or self._patched.season_found:
            seasons = await photograph_seasons(dial, self.album)
            self.found["clock"] = clock_of(self._source, self._times, seasons)
        self.stage_name = "wide views"
        scene, objects, triangles = await overview(dial, self.album)
        self.found |= {"scene": scene, "objects": objects, "triangles": triangles}
        await orbits(dial, self.album)
        named = await scripted.named(dial.stage)
        visits, bursts = [], []
        for biome in BIOMES:
            self.stage_name = f"close view of {biome}"
            seen = await self._visit(dial, biome, named)
            if seen.ref:
                taken = await burst(dial.stage, self.album, biome, light=dial.light, masks=self.options.masks)
                bursts.append(taken)
            visits.append(seen)
            self.found |= {"visits": tuple(visits), "bursts": tuple(bursts)}
            await self.album.commit("visit", {"biome": biome}, f"{seen.outcome} {seen.reason}".strip())
        self.found["tampered"] = await dial.stage.do(lambda session: session.tampered)
        self.stage_name = ""

    async def _visit(self, dial: Dial, biome: str, named: frozenset[str]) -> Visit:
        if self.options.navigator == "model":
            await dial.to_day()
            calls = self.options.navigator_calls
            return await navigator.visit(self.episode, dial.stage, self.album, biome, calls)
        if biome not in named:
            return scripted.unnamed(biome)
        await dial.to_day()
        return await scripted.visit(dial.stage, biome)

    async def _sweep(self, world: World) -> bool:
        """Load the untouched page small, run its clock, see which code runs; whether it draws at all."""
        stage = self._stage(world, sweep.SIZE)
        loaded = await stage.open(covering=self.options.coverage)
        self.found |= {
            "loaded": loaded.outcome == "ready",
            "outcome": loaded.outcome,
            "errors": tuple(str(error)[:500] for error in loaded.errors[:MOST_ERRORS]),
            "three": loaded.three,
            "substitutions": loaded.substitutions,
            "refused": loaded.refused[:MOST_ERRORS],
            "hooked": loaded.hooked,
        }
        info = await self.episode.driver.call(_info)
        self.found |= {"isolation": info[0], "renderer": f"{info[1]}; three.js r{loaded.three or '-'}"}
        if loaded.outcome != "ready":
            return False
        self.stage_name = "clock sweep"
        self._swept = await sweep.sweep(stage)
        self.found["swept"] = self._swept
        if self.options.coverage:
            self.stage_name = "executed code"
            self.found["ran"] = await ran.collect(stage)
        self.found["tampered"] = await stage.do(lambda session: session.tampered)
        return True

    async def _clock(self, world: World) -> Dial:
        """The four times: by a patch where a model makes one that works, else by the sweep."""
        self.stage_name = "times"
        self._patched = Patched()
        self._source: Literal["patch", "sweep", "none"]
        if self.options.clock == "model":
            asked = await patch.ask(self.episode, self.page)
            self._patched = asked.record
            if asked.html:
                dial = await self._by_patch(asked.html)
                self.found["patched"] = self._patched
                if dial is not None:
                    return dial
            self.found["patched"] = self._patched
        dial = Dial(self._stage(world, self.options.size), self._swept)
        self._times = await photograph_times(dial, self.album)
        moves = self._swept.period_s is not None or self._swept.swing >= LEAST_SWING
        self._source = "sweep" if moves else "none"
        self._read(dial)
        return dial

    async def _by_patch(self, html: str) -> Dial | None:
        stage = self._stage(self._world("patched", html), self.options.size)
        loaded = await stage.open()
        if loaded.outcome != "ready":
            self._patched = replace(self._patched, outcome="failed")
            return None
        trial = Album(self.episode)
        dial = Dial(stage, None)
        self._times = await photograph_times(dial, trial)
        self._source = "patch"
        clock = self._read(dial)
        if not has_effect(clock):
            self._patched = replace(self._patched, outcome="no_effect")
            return None
        self.album.shots.extend(trial.shots)
        return dial

    def _read(self, dial: Dial) -> Any:
        clock = clock_of(self._source, self._times)
        assert clock.day is not None
        dial.day = clock.day
        self.found["clock"] = clock
        return clock


def _info(driver: Driver) -> tuple[str, str]:
    info = cast("PageDriver", driver).browser.info
    return info.isolation, f"{info.renderer}; Chromium {info.version}"
