"""An episode around a real page driver and a real frame store, without a run."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.worldbench.capture.capture import capture
from benchmarks.worldbench.capture.manifest import Manifest
from embodied_eval.driver_thread import DriverThread
from embodied_eval.drivers.base import Driver
from embodied_eval.drivers.page.driver import PageDriver
from embodied_eval.models.types import Message, Reply, Tool
from embodied_eval.records import FrameRef, Json, Step
from embodied_eval.store.frames import FrameStore

Answer = Callable[[Sequence[Message], Sequence[Tool]], Reply]


@dataclass(frozen=True)
class Options:
    """Settings of a quick capture."""

    navigator: str = "scripted"
    navigator_calls: int = 8
    clock: str = "sweep"
    masks: bool = True
    coverage: bool = True
    cpu_s: int = 600
    size: tuple[int, int] = (320, 180)


class Model:
    """A model that answers by a function; keeps what it was asked."""

    def __init__(self, answer: Answer | None) -> None:
        self._answer = answer
        self.asked: list[tuple[Sequence[Message], Sequence[Tool], str]] = []

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Tool] = (),
        schema: Mapping[str, Json] | None = None,
        role: str = "agent",
        sampling: Mapping[str, Json] | None = None,
    ) -> Reply:
        """See `ModelHandle.complete`."""
        assert self._answer is not None, "no model was to be asked"
        self.asked.append((tuple(messages), tuple(tools), role))
        return self._answer(messages, tools)


class Handle:
    """The driver's handle."""

    def __init__(self, thread: DriverThread) -> None:
        self._thread = thread

    async def call(self, function: Callable[[Driver], Any]) -> Any:
        """See `DriverHandle.call`."""
        return await self._thread.run(function)


@dataclass
class Studio:
    """An episode as far as a capture uses it."""

    thread: DriverThread
    frames: FrameStore
    model: Model
    seed: int = 0
    rng: random.Random = field(default_factory=lambda: random.Random(5))
    steps: list[Step] = field(default_factory=list)
    events: dict[str, Mapping[str, Json]] = field(default_factory=dict)

    @property
    def driver(self) -> Handle:
        """See `Episode.driver`."""
        return Handle(self.thread)

    def store_frame(self, ref: str, data: bytes, media_type: str, size: tuple[int, int]) -> FrameRef:
        """See `Episode.store_frame`."""
        return FrameRef(ref, self.frames.put(data, media_type), media_type, *size, len(data), 0.0)

    async def step(self, step: Step) -> None:
        """See `Episode.step`."""
        self.steps.append(step)

    def event(self, kind: str, data: Mapping[str, Json], *, private: bool = False) -> None:
        """See `Episode.event`."""
        self.events[kind] = data

    def picture(self, manifest: Manifest, view: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """A stored frame, uint8 (H, W, 3)."""
        from PIL import Image

        shot = manifest.shot(view)
        assert shot is not None, f"no {view}"
        with Image.open(self.frames.path(shot.sha256)) as image:
            return np.asarray(image.convert("RGB"), dtype=np.uint8)


def captured(
    folder: Path, html: str, options: Options, answer: Answer | None = None
) -> tuple[Manifest, Studio]:
    """A capture from beginning to end in a browser of its own."""

    async def work() -> tuple[Manifest, Studio]:
        thread = DriverThread(PageDriver)
        studio = Studio(thread, FrameStore(folder), Model(answer))
        try:
            return await capture(studio, html, options), studio  # type: ignore[arg-type]
        finally:
            await thread.close()

    return asyncio.run(work())
