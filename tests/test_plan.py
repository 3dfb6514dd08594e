"""From a configuration to episodes: conditions that stand for others, tasks by engine, variants of tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from embodied_eval.benchmark import Benchmark, Episode, Results
from embodied_eval.config import Resolved, RunConfig, resolve
from embodied_eval.errors import ConfigError, UnknownName
from embodied_eval.plan import manifest, plan_run, select_conditions
from embodied_eval.records import Condition, Json, Metric, Outcome, Task


class Options(BaseModel):
    copies: int = 1


class Toy(Benchmark):
    """Three tasks of two engines; `copies` is how often each is played, 0 = not at all."""

    name = "toy"

    def tasks(self) -> Sequence[Task]:
        engines = ("unreal", "three.js", "unreal")
        return [Task(f"t/{n}", {"n": n}, {"secret": n}, engine=engine) for n, engine in enumerate(engines)]

    def conditions(self) -> Sequence[Condition]:
        return (
            Condition("plain"),
            Condition("twice", {"copies": 2}),
            Condition("both", members=("plain", "twice")),
            Condition("on-unreal", members=("twice", "plain"), engine="unreal"),
            Condition("never", {"copies": 0}),
        )

    def options(self) -> type[BaseModel]:
        return Options

    def variants(self, task: Task, options: Any) -> Sequence[Task]:
        if options.copies == 1:
            return (task,)
        return [replace(task, id=f"{task.id}_{n}", private={"secret": -n}) for n in range(options.copies)]

    async def play(self, episode: Episode) -> Outcome:
        return Outcome("completed")

    def summarize(self, results: Results) -> Sequence[Metric]:
        return ()


def planned(**config: Any) -> list[tuple[str, str]]:
    resolved = Resolved(config=RunConfig(**config), options={}, sources={})
    return [(item.condition.name, item.task.id) for item in plan_run(Toy(), resolved, "openai/m")]


def test_a_set_stands_for_its_members_each_once() -> None:
    def names(*given: str) -> list[str]:
        return [condition.name for condition in select_conditions(Toy(), given)]

    assert names() == ["plain"] and names("both") == ["plain", "twice"]
    assert names("twice", "both", "plain") == ["twice", "plain"]
    with pytest.raises(UnknownName, match="bot"):
        names("bot")


def test_a_sets_engine_holds_unless_another_is_named() -> None:
    assert {task[:3] for _, task in planned(condition=("on-unreal",))} == {"t/0", "t/2"}
    other = planned(condition=("on-unreal",), engine="three.js")
    assert [task for _, task in other] == ["t/1_0", "t/1_1", "t/1"]
    assert [task for _, task in planned(condition=("plain",))] == ["t/0", "t/1", "t/2"]


def test_the_same_episodes_have_the_same_keys_within_a_set() -> None:
    def keys(name: str) -> set[str]:
        resolved = Resolved(config=RunConfig(condition=(name,)), options={}, sources={})
        return {item.hex for item in plan_run(Toy(), resolved, "openai/m")}

    assert keys("plain") | keys("twice") == keys("both") > keys("on-unreal")


def test_variants_are_planned_with_their_own_truth() -> None:
    resolved = Resolved(config=RunConfig(condition=("both",), limit=1), options={}, sources={})
    items = plan_run(Toy(), resolved, "openai/m")
    assert [item.task.id for item in items] == ["t/0", "t/0_0", "t/0_1"]
    assert len({item.hex for item in items}) == 3
    public, private = manifest(Toy(), resolved, "openai/m", "truth", items)
    assert private == {"t/0": {"secret": 0}, "t/0_0": {"secret": 0}, "t/0_1": {"secret": -1}}
    assert [row["id"] for row in public["tasks"]] == ["t/0", "t/0_0", "t/0_1"]


def test_a_condition_under_which_nothing_is_played_is_an_error() -> None:
    with pytest.raises(ConfigError, match="no episode"):
        planned(condition=("never",))


def test_by_default_an_agent_starts_at_the_tasks_spawn() -> None:
    assert (
        Toy().start(Task("t", {"spawn": "door"}), None) == "door" and Toy().start(Task("t", {}), None) == ""
    )


def test_tasks_beyond_a_drivers_capabilities_are_not_offered_and_it_is_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    from embodied_eval.plan import playable
    from embodied_eval.plugins import load_benchmark

    blocker = {"kind": "blocker", "center_m": [0.0, 0.0, 1.0], "size_m": [1.0, 1.0, 1.0]}
    plain, planted = (
        Task("a", {}),
        Task("b", {}, {"effects": [{"trigger": {"kind": "always"}, "change": blocker}]}),
    )
    flying = Task("c", {}, needs=("flight",))
    toy = load_benchmark("toy-sums")
    assert playable(toy, [plain, planted, flying], "mujoco") == [plain, planted]
    assert "1 tasks are not offered on driver mujoco, which lacks: flight" in caplog.text
    assert playable(toy, [flying], "") == [flying]  # it plays in no simulator


def test_a_benchmarks_defaults_hold_unless_somebody_says_otherwise(tmp_path: Path) -> None:
    class Warm(Toy):
        defaults: Mapping[str, Json] = {"temperature": 1.0, "timeout_s": 900.0}

    def settled(**command_line: Any) -> Resolved:
        return resolve(Warm(), command_line=command_line, options={}, environ={}, folder=tmp_path)

    plain = settled()
    assert (plain.config.temperature, plain.config.timeout_s) == (1.0, 900.0)
    assert plain.sources["temperature"] == "toy"
    assert settled(temperature=0.0).config.temperature == 0.0
    (tmp_path / "embodied-eval.toml").write_text("temperature = 0.5\n")
    assert settled().config.temperature == 0.5
