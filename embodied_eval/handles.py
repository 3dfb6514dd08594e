"""What `Benchmark.play` is handed: an episode with its simulator, its models and its planted effects behind handles."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from embodied_eval.records import Condition, FrameRef, Json, Pose, Step, Task

if TYPE_CHECKING:
    from embodied_eval.drivers.base import Driver, Motion
    from embodied_eval.models.types import Image, Message, Reply, Role, Tool
    from embodied_eval.worlds.model import World


class EffectsHandle(Protocol):
    """The planted effects of an episode: opaque, to be handed to `DriverHandle.load` and nothing else."""


class DriverHandle(Protocol):
    """The episode's simulator, living in a thread of its own; calls run there in order."""

    async def load(
        self, world: World, *, effects: EffectsHandle | None = None, spawn: str | Pose = ""
    ) -> Pose:
        """Load `world`, plant the effects, put the agent at `spawn` (a spawn's name or a pose)."""

    async def call(self, function: Callable[[Driver], Any]) -> Any:
        """Run `function(driver)` in the driver's thread and return what it returns."""


class ModelHandle(Protocol):
    """The models of the episode, by role, behind the gateway."""

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Tool] = (),
        schema: Mapping[str, Json] | None = None,
        role: Role = "agent",
        sampling: Mapping[str, Json] | None = None,
    ) -> Reply:
        """Ask once; retries, budget, cache and accounting are the gateway's. `sampling` None: as the run is set.
        Raises `ModelError`."""


class Episode(Protocol):
    """What `play` is handed: the task's public half, the models, the simulator, and where to record."""

    @property
    def task(self) -> Task:
        """The task; its private half is empty."""

    @property
    def condition(self) -> Condition:
        """The condition it is played under."""

    @property
    def options(self) -> Any:
        """The benchmark's own `options` model, validated under the condition."""

    @property
    def world(self) -> World | None:
        """The clean world, None where the task plays in none."""

    @property
    def effects(self) -> EffectsHandle:
        """What is planted, for `driver.load`."""

    @property
    def start(self) -> str | Pose:
        """Where the agent starts, for `driver.load`: what `Benchmark.start` makes of the whole task."""

    @property
    def driver(self) -> DriverHandle:
        """The simulator."""

    @property
    def model(self) -> ModelHandle:
        """The models."""

    @property
    def rng(self) -> random.Random:
        """All randomness of the episode, seeded by its key."""

    @property
    def seed(self) -> int:
        """The run's seed."""

    async def observe(self, ref: str) -> Image:
        """Capture the view, store it as frame `ref` (with its visibility rows), return the encoded image."""

    async def act(
        self, motion: Callable[[Driver], Motion], *, ref: str, every_s: float | None, at_most: int
    ) -> tuple[Motion, list[Image]]:
        """Run `motion` in the driver's thread; while it lasts, store a frame `ref.f1`, `ref.f2` ... each
        `every_s` simulated seconds (None = none), at most `at_most`, and at its end the frame `ref`.
        Returns the motion and all the images, the last one being `ref`."""

    def store_frame(self, ref: str, data: bytes, media_type: str, size: tuple[int, int]) -> FrameRef:
        """Store an image that did not come from `observe` (a crop, a generated picture)."""

    async def step(self, step: Step) -> None:
        """Record a step; what was recorded before is on disk when this returns."""

    def event(self, kind: str, data: Mapping[str, Json], *, private: bool = False) -> None:
        """Record something that happened at the present simulated time."""

    def row(self, table: str, row: Mapping[str, Json]) -> None:
        """Add a row to one of the benchmark's own tables (`Benchmark.tables`), private if the table is."""
