"""WorldAudit through UnrealCV gives what it gives in process: the same steps, pictures' poses, truth and verdicts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from benchmarks.worldaudit.plugin import WorldAudit
from benchmarks.worldaudit.suite import bundled_tasks
from embodied_eval.benchmark import Trajectory
from embodied_eval.driver_thread import DriverThread
from embodied_eval.drivers.unrealcv.driver import UnrealcvDriver
from embodied_eval.execute import Threads
from embodied_eval.judges.base import TruthJudge, run_judge
from embodied_eval.plan import Planned
from tests.benchmarks.worldaudit.kit import Table, indoor

pytestmark = pytest.mark.gl
WORLDS = ("indoor/", "subway/")
MODEL = "scripted/oracle"


class ServedThreads(Threads):
    """Leases threads of the driver on a server that it starts by itself, whatever the plan says."""

    def lease(self, item: Planned) -> DriverThread:
        free = self._free.setdefault("unrealcv", [])
        thread = free.pop() if free else DriverThread(UnrealcvDriver)
        self._names[id(thread)] = "unrealcv"
        return thread


@pytest.fixture(scope="module")
def tables() -> Iterator[tuple[Table, Table]]:
    """In process, and over UnrealCV."""
    made = (Table(), Table(ServedThreads()))
    yield made
    for table in made:
        table.close()


def told(trajectory: Trajectory) -> dict[str, Any]:
    """All that an episode says, without times of the wall clock."""
    return {
        "outcome": trajectory.outcome,
        "steps": trajectory.steps,
        "frames": {ref: (one.pose, one.t_s, one.sha256) for ref, one in trajectory.frames.items()},
        "visibility": trajectory.visibility,
        "events": [(event.kind, event.t_s, event.data) for event in trajectory.events],
        "verdicts": [
            (one.item, one.score, one.passed, one.reason, one.error)
            for one in asyncio.run(run_judge(TruthJudge(), WorldAudit(), trajectory))
        ],
    }


# One that a contact sets off, and one behind the agent's back.
@pytest.mark.parametrize("number", [6, 13])
def test_the_same_episode(tables: tuple[Table, Table], number: int) -> None:
    inside, served = (told(table.play(WorldAudit(), indoor(number), MODEL)) for table in tables)
    assert any(passed for _, _, passed, _, _ in inside["verdicts"])
    assert served == inside


@pytest.mark.full
@pytest.mark.parametrize("task_id", [task.id for task in bundled_tasks() if task.id.startswith(WORLDS)])
def test_the_same_verdicts_in_every_task(tables: tuple[Table, Table], task_id: str) -> None:
    task = next(task for task in bundled_tasks() if task.id == task_id)
    inside, served = (told(table.play(WorldAudit(), task, MODEL)) for table in tables)
    assert served == inside
