"""All tasks by the scripted models at the protocol's own frame size: the long sweep of `make test-full`."""

from __future__ import annotations

import pytest

from tests.conftest import Command

pytestmark = pytest.mark.gl
MODELS = ("oracle", "explorer", "random", "null", "shotgun")


def rates(command: Command, *more: str) -> dict[str, float]:
    """Success of each scripted model, in percent."""
    given = [flag for name in MODELS for flag in ("--model", f"scripted/{name}")]
    assert command("run", "worldaudit", *given, "--concurrency", "2", "--json", *more) == 0
    documents = command.json
    assert all(document["excluded"] == document["unjudged"] == 0 for document in documents)
    return {
        name: document["metrics"]["success_rate"]["value"]
        for name, document in zip(MODELS, documents, strict=True)
    }


def test_a_sample_of_tasks_by_every_scripted_model(command: Command) -> None:
    found = rates(
        command, "--tasks", "indoor/10", "--set", "width=320", "--set", "height=180", "--set", "budget=20"
    )
    assert (found["oracle"], found["random"], found["null"], found["shotgun"]) == (100.0, 0.0, 0.0, 0.0)


@pytest.mark.full
def test_all_tasks_by_every_scripted_model(command: Command) -> None:
    found = rates(command)
    assert (found["oracle"], found["null"], found["shotgun"]) == (100.0, 0.0, 0.0)
    assert found["explorer"] > found["random"]
