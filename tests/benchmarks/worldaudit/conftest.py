"""Where the benchmark's tests play their episodes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.benchmarks.worldaudit.kit import PlaneThreads, Table


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    """Plays on the test driver."""
    made = Table(PlaneThreads())
    yield made
    made.close()


@pytest.fixture(scope="module")
def mujoco_table() -> Iterator[Table]:
    """Plays in MuJoCo; the simulator is started once a module."""
    made = Table()
    yield made
    made.close()
