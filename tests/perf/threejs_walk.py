"""What a step of an agent costs on the driver `threejs`: `python -m tests.perf.threejs_walk [--task house/01]`.

A task of WorldAudit with its planted effects and watched objects, 960x540. A step is the tool `move` by 1 m, to and fro,
as an episode plays it (`LiveEpisode.act`): ten ticks of physics, triggers at each, a film frame after half a second and
the frame at the end, each with its visibility row and stored as a JPEG, and the step on the disk. The drivers take turns,
each with one world loaded all the while. CPU is that of all processes, Chromium's included. `tick` is the same walk
without any frame, `frame` one other view with its row.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from embodied_eval.driver_thread import DriverThread
from embodied_eval.drivers.base import Driver, turned
from embodied_eval.episode import LiveEpisode, PlantedEffects
from embodied_eval.records import Condition, Step
from tests.perf.chromium import SIZE, tree_cpu_s
from tests.perf.common import Watch, document, medians, parser, print_line

TASK, STEPS = "indoor/01", 10
AT_MOST = {"threejs_step_wall_s": 0.5}
TO_AND_FRO = ("forward", "backward")


class Walk:
    """An episode of `task` on one driver, the agent where it starts."""

    def __init__(self, task_id: str, make: Callable[[], Driver], folder: Path) -> None:
        from benchmarks.worldaudit.plugin import WorldAudit
        from embodied_eval.store import EpisodeWriter, FrameStore

        benchmark = WorldAudit()
        task = next(task for task in benchmark.tasks() if task.id == task_id)
        options = benchmark.options()()
        for part in ("spool", "private"):
            (folder / part).mkdir(parents=True)
        self.thread, self.writer = DriverThread(make), EpisodeWriter(folder, "walk", 1, {})
        self.world, self.start = benchmark.world(task, options), benchmark.start(task, options)
        self.episode = LiveEpisode(
            task=task,
            condition=Condition("walk"),
            options=options,
            world=self.world,
            effects=PlantedEffects(benchmark.effects(task), benchmark.watch(task)),
            thread=self.thread,
            writer=self.writer,
            frames=FrameStore(folder / "frames"),
            seed=0,
            key_hex="walk",
            image_size=SIZE,
        )
        self.steps = 0

    async def load(self) -> None:
        """Load the world, and take every kind of step once: shaders are compiled with the first picture."""
        assert self.world is not None
        await self.episode.load(self.world, effects=self.episode.effects, spawn=self.start)
        await self.episode.call(face_free_way)
        for kind in (self.step, self.tick, self.frame):
            for _ in TO_AND_FRO:
                await kind()

    async def step(self) -> None:
        """1 m with its frames. SystemExit where it was less, or a frame is missing."""
        from benchmarks.worldaudit import tools

        arguments = {"direction": TO_AND_FRO[self.steps % 2], "distance_m": 1.0}
        ref = f"a{self.steps + 1}"
        motion, images = await self.episode.act(
            tools.motion_of("move", arguments), ref=ref, every_s=tools.FILM_S, at_most=tools.MAX_FILM
        )
        self.steps += 1
        if abs(motion.moved_m - 1.0) > 0.01 or [image.ref for image in images] != [f"{ref}.f1", ref]:
            raise SystemExit(f"Not a step of 1 m with a film frame: {motion}, {len(images)} frames.")
        step = Step(0, "move", arguments, "", round(motion.t_s, 6), motion.pose, counts=True)
        await self.episode.step(step)

    async def tick(self) -> None:
        """1 m without a frame."""
        sign = 1.0 if self.steps % 2 == 0 else -1.0
        self.steps += 1
        await self.episode.call(lambda driver: driver.move(sign))

    async def frame(self) -> None:
        """One frame, a degree to the side of the last: a view that nothing has changed is not drawn again."""
        self.steps += 1

        def aside(driver: Driver) -> None:
            driver.teleport(turned(driver.state().pose, yaw_deg=1.0 if self.steps % 2 else -1.0))

        await self.episode.call(aside)
        await self.episode.observe(f"o{self.steps}")

    async def close(self) -> None:
        """End the driver and the spool."""
        await self.thread.close()
        self.writer.close()


def face_free_way(driver: Driver) -> None:
    """Turn the agent to where it can walk 1 m and back, and leave it there. SystemExit where there is no such way."""
    start = driver.state().pose
    for turns in range(12):
        pose = turned(start, yaw_deg=30.0 * turns)
        driver.teleport(pose)
        if not any(driver.move(distance_m).blocked for distance_m in (1.0, -1.0)):
            driver.teleport(pose)
            return
    raise SystemExit("There is no room for a step of 1 m; name another task.")


async def timed(kind: Callable[[], Awaitable[None]], steps: int) -> dict[str, float]:
    """Wall seconds of the median step, CPU seconds a step of all processes."""
    walls_s, cpu_s = [], tree_cpu_s()
    for _ in range(steps):
        began = time.perf_counter()
        await kind()
        walls_s.append(time.perf_counter() - began)
    return {"wall_s": sorted(walls_s)[steps // 2], "cpu_s": (tree_cpu_s() - cpu_s) / steps}


async def walked(task: str, steps: int, repeats: int) -> tuple[dict[str, float], dict[str, str]]:
    """The figures, and each driver's renderer."""
    from embodied_eval.drivers.mujoco.driver import MujocoDriver
    from embodied_eval.drivers.threejs.driver import ThreejsDriver

    drivers: Mapping[str, Callable[[], Driver]] = {"threejs": ThreejsDriver, "mujoco": MujocoDriver}
    with tempfile.TemporaryDirectory() as name:
        walks = {driver: Walk(task, make, Path(name) / driver) for driver, make in drivers.items()}
        try:
            for walk in walks.values():
                await walk.load()
            found: dict[str, list[dict[str, float]]] = {}
            for _ in range(repeats):
                for driver, walk in walks.items():
                    for kind in (walk.step, walk.tick, walk.frame):
                        made = await timed(kind, steps)
                        found.setdefault(f"{driver}_{kind.__name__}", []).append(made)
            renderers = {driver: walk.episode.renderer for driver, walk in walks.items()}
        finally:
            for walk in walks.values():
                await walk.close()
    middle = {case: medians(made) for case, made in found.items()}
    return {f"{case}_{key}": value for case, one in middle.items() for key, value in one.items()}, renderers


def measure(task: str, steps: int, repeats: int) -> dict[str, Any]:
    """The command's document."""
    watch = Watch()
    figures, renderers = asyncio.run(walked(task, steps, repeats))
    return document(
        "threejs_walk",
        figures,
        at_most=AT_MOST,
        watch=watch,
        work={"task": task, "steps": steps, "size": list(SIZE), "renderers": renderers},
        repeats=repeats,
    )


def main() -> None:
    """Measure and print one JSON line."""
    arguments = parser(__doc__)
    arguments.add_argument("--task", default=TASK, help=f"a task of WorldAudit (default {TASK})")
    given = arguments.parse_args()
    print_line(measure(given.task, STEPS, given.repeats))


if __name__ == "__main__":
    main()
