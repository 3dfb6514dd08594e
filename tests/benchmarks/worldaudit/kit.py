"""Episodes of WorldAudit played through the real gateway, store and tools: on the test driver, or in MuJoCo."""

from __future__ import annotations

import asyncio
import io
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from PIL import Image as Picture

from benchmarks.worldaudit.plugin import WorldAudit
from benchmarks.worldaudit.suite import bundled_tasks
from embodied_eval.benchmark import Trajectory
from embodied_eval.config import resolve
from embodied_eval.driver_thread import DriverThread
from embodied_eval.execute import Player, Threads
from embodied_eval.models.types import Image, Reply, Request, ScriptedModel, ToolCall
from embodied_eval.plan import Planned, manifest, plan_run
from embodied_eval.records import Json, Step, Task
from embodied_eval.results import trajectory_of
from embodied_eval.runner import make_gateway
from embodied_eval.store import RunDir, Store
from embodied_eval.worlds.model import World
from tests.testing_driver import PlaneDriver
from tests.testing_world import box, plane_world, switch

Turn = str | Sequence[tuple[str, Any]]
OBSERVE: tuple[str, Any] = ("observe", {})
BUG = {"description": "A box floats.", "category": "geometry", "status": "suspect"}
SMALL: dict[str, Json] = {"width": 160, "height": 90}
WITHOUT_EXAMPLE: dict[str, Json] = {"icl": False}
"""Scripts open the world at once unless a test asks for a condition or the example."""


class Script(ScriptedModel):
    """Says its `turns` one after the other, then `done` for ever. A turn is a text, or a list of (tool,
    arguments); arguments that are a string are the error of a call that could not be read."""

    turns: Sequence[Turn] = ()
    requests: ClassVar[list[Request]]

    def __init__(self, rng: Any, private: Mapping[str, Json] | None = None) -> None:
        super().__init__(rng, private)
        self._at = 0

    def reply(self, request: Request) -> Reply:
        self.requests.append(replace(request, messages=tuple(request.messages)))
        turn: Turn = self.turns[self._at] if self._at < len(self.turns) else [("done", {"summary": "end"})]
        self._at += 1
        if isinstance(turn, str):
            return Reply(text=turn)
        return Reply(
            tool_calls=tuple(self._call(n, *call) for n, call in enumerate(turn)), finish="tool_calls"
        )

    def _call(self, number: int, name: str, arguments: Any) -> ToolCall:
        made = f"c{self._at}.{number}"
        if isinstance(arguments, str):
            return ToolCall(made, name, {}, raw=arguments, error=arguments)
        return ToolCall(made, name, arguments)


def script(*turns: Turn) -> type[Script]:
    """A model class that says `turns`."""
    return type("Scripted", (Script,), {"turns": turns, "requests": []})


def images_after(model: type[Script], call: int) -> list[str]:
    """The refs of the images in the answer to the call that `model` made in its turn `call`."""
    return [part.ref for part in model.requests[call + 1].messages[-1].parts if isinstance(part, Image)]


class PlaneThreads(Threads):
    """Leases threads of the test driver, whatever the plan says."""

    def lease(self, item: Planned) -> DriverThread:
        free = self._free.setdefault("plane", [])
        thread = free.pop() if free else DriverThread(PlaneDriver)
        self._names[id(thread)] = "plane"
        return thread


class Plane(WorldAudit):
    """WorldAudit in a world of boxes, with `model` as scripted/script."""

    def __init__(self, world: World, model: type[ScriptedModel]) -> None:
        self._world, self._model = world, model

    def world(self, task: Task, options: Any) -> World:
        return self._world

    def scripted(self) -> Mapping[str, type[ScriptedModel]]:
        return {**super().scripted(), "script": self._model}


@dataclass
class Table:
    """Where episodes are played: a store in a folder of its own and driver threads that are used again."""

    threads: Threads = field(default_factory=Threads)
    folder: tempfile.TemporaryDirectory[str] = field(default_factory=tempfile.TemporaryDirectory)

    def __post_init__(self) -> None:
        self.store = Store.open(Path(self.folder.name))

    def play(
        self,
        benchmark: WorldAudit,
        task: Task,
        model: str,
        *,
        condition: str = "",
        options: Mapping[str, Json] | None = None,
        seed: int = 0,
        config: Mapping[str, Any] | None = None,
    ) -> Trajectory:
        """One episode, not judged: of the task's first variant. `config` are further keys of the run's."""
        return asyncio.run(
            self.play_once(benchmark, task, model, condition, options or {}, {"seed": seed, **(config or {})})
        )

    async def play_once(
        self,
        benchmark: WorldAudit,
        task: Task,
        model: str,
        condition: str,
        options: Mapping[str, Json],
        config: Mapping[str, Any],
    ) -> Trajectory:
        """See `play`."""
        resolved = resolve(
            benchmark,
            command_line={**config, **({"condition": (condition,)} if condition else {})},
            options={**SMALL, **({} if condition else WITHOUT_EXAMPLE), **options},
            environ={},
            folder=Path(self.folder.name),
        )
        planned = plan_run(benchmark, resolved, model, tasks=(task,))
        self.run: RunDir = self.store.create_run(*manifest(benchmark, resolved, model, "truth", planned))
        gateway = make_gateway(resolved.config)
        await Player(benchmark, self.run, gateway, model, {}).play(planned[0], self.threads)
        await gateway.close()
        return trajectory_of(self.store, self.run, planned[0].hex, benchmark)

    def close(self) -> None:
        """End the threads, remove the folder."""
        asyncio.run(self.threads.close())
        self.folder.cleanup()


def plane_task(**private: Json) -> Task:
    """A task in the world of boxes; `private` adds to its private half."""
    return Task(
        "plane/01",
        {
            "environment": "plane",
            "scene": "floor",
            "spawn": "start",
            "subcategory": "G1",
            "instruction": "Inspect this world.",
            "scene_description": "An open floor with boxes.",
        },
        {"world": "", "subcategory": "G1", "watch": [], "effects": [], "target": {"label": "box"}, **private},
        engine="unreal",
        scene="plane/floor",
        tags=("G1", "Static physics"),
    )


def boxes() -> World:
    """A wall ahead at x = 3, a device to the left within reach, another beyond it."""
    return plane_world(
        box("wall", (3.5, 0.0, 0.0), (1.0, 4.0, 2.5)),
        box("fan", (0.0, 2.0, 0.0), (1.0, 0.4, 2.0), device=switch()),
        box("far_fan", (0.0, -5.0, 0.0), (1.0, 0.4, 2.0), device=switch()),
    )


def act(
    *turns: Turn, table: Table, options: Mapping[str, Json] | None = None, world: World | None = None
) -> Trajectory:
    """The trajectory of a model that says `turns` in the world of boxes (or `world`)."""
    benchmark = Plane(world or boxes(), script(*turns))
    return table.play(benchmark, plane_task(), "scripted/script", options=options)


def calls(*made: tuple[str, Any]) -> list[Turn]:
    """One turn for each call."""
    return [[one] for one in made]


REFUSALS = (
    "Not done",
    "Not yet",
    "There is no",
    "The arguments",
    "You have",
    "The world is not",
    "The region",
    "from_action",
    "The inspection is over; nothing",
)


def refused(step: Step) -> bool:
    """Whether the call had no effect."""
    return not step.counts and step.result.startswith(REFUSALS)


def indoor(number: int) -> Task:
    """The bundled task `indoor/NUMBER`."""
    return next(task for task in bundled_tasks() if task.id == f"indoor/{number:02d}")


def move(distance_m: float, direction: str = "forward") -> tuple[str, Any]:
    return "move", {"direction": direction, "distance_m": distance_m}


def steps_of(table: Table, *made: tuple[str, Any], **options: Any) -> list[Step]:
    """The steps of an episode that opens the world, makes these calls one a turn, and is done."""
    return list(act(*calls(OBSERVE, *made), table=table, options=options).steps)[1:-1]


def size_of(trajectory: Trajectory, ref: str) -> tuple[int, int]:
    with Picture.open(io.BytesIO(trajectory.read_frame(trajectory.frames[ref].sha256))) as picture:
        assert picture.size == (trajectory.frames[ref].width, trajectory.frames[ref].height)
        return picture.size


class Seen:
    """An episode in the world of boxes, and which images each answer carried."""

    def __init__(self, table: Table, *made: tuple[str, Any], **options: Any) -> None:
        self.model = script(*calls(OBSERVE, *made))
        self.trajectory = table.play(
            Plane(boxes(), self.model), plane_task(), "scripted/script", options=options
        )
        self.steps = self.trajectory.steps

    def images(self, call: int) -> list[str]:
        """The refs of the images in the answer to the call number `call`, `observe` being 0."""
        return images_after(self.model, call)
