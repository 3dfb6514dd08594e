"""What is made of stored episodes: where two trajectories part."""

from __future__ import annotations

from dataclasses import replace

from embodied_eval.benchmark import Trajectory
from embodied_eval.records import Condition, Outcome, Step, Task
from embodied_eval.results import first_differing_step


def played(*results: str) -> Trajectory:
    steps = tuple(Step(n, "look", {}, text) for n, text in enumerate(results))
    return Trajectory(
        "k",
        Task("t", {}),
        Condition("c"),
        "m",
        0,
        Outcome("completed"),
        steps,
        (),
        (),
        (),
        {},
        {},
        lambda _: b"",
    )


def test_the_first_step_that_differs_is_named() -> None:
    assert first_differing_step(played("a", "b"), played("a", "b")) == ""
    assert (
        first_differing_step(played("a", "b", "c"), played("a", "x", "y"))
        == "step 1 (look) differs in result"
    )
    assert first_differing_step(played("a"), played("a", "b")) == "1 and 2 steps"
    other = replace(played("a"), outcome=Outcome("completed", {"said": "more"}))
    assert first_differing_step(played("a"), other) == "the answers differ"
