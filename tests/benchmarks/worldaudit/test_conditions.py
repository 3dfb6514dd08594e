"""The named conditions: the paper's numbers, the sets, the shipped configuration, what a run will use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.worldaudit.conditions import CONDITIONS, expected
from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.plugin import WorldAudit
from benchmarks.worldaudit.several import compositions
from embodied_eval.config import resolve
from embodied_eval.plan import plan_run, select_conditions
from tests.benchmarks.worldaudit.kit import OBSERVE, Plane, Table, boxes, calls, plane_task, script
from tests.conftest import Command

PLUGIN = WorldAudit()
BY_NAME = {condition.name: condition for condition in CONDITIONS}


def options(name: str) -> Options:
    return Options(**BY_NAME[name].settings)


def test_each_differs_from_the_default_in_what_it_is_named_for() -> None:
    usual = Options().model_dump()
    changes = {
        name: {key: value for key, value in options(name).model_dump().items() if value != usual[key]}
        for name, condition in BY_NAME.items()
        if not condition.members
    }
    assert changes == {
        "vlm": {},
        "near": {"start": "near"},
        "budget-half": {"budget": 20},
        "budget-1.5": {"budget": 60},
        "no-icl": {"icl": False},
        "no-icl-no-type": {"icl": False, "type_hint": "none"},
        "no-memory": {"memory_tools": False},
        "single": {"anchors_only": True},
        "multi-ab": {"anomalies": "AB"},
        "multi-abc": {"anomalies": "ABC"},
        "vla-vlm": {"arm": "vla-vlm"},
        "vla-vlm-near": {"arm": "vla-vlm", "start": "near"},
        "vla-vlm-budget-half": {"arm": "vla-vlm", "explore_s": 30},
        "vla-vlm-budget-1.5": {"arm": "vla-vlm", "explore_s": 90},
        "vla-vlm-no-icl": {"arm": "vla-vlm", "icl": False},
        "vla-vlm-no-icl-no-type": {"arm": "vla-vlm", "icl": False, "type_hint": "none"},
        "vla-explore": {"arm": "vla-explore"},
    }
    assert next(iter(BY_NAME)) == "vlm" and options("no-icl").type_hint == "definition"


def test_the_ablations_are_the_papers_on_the_tasks_of_unreal() -> None:
    names = [condition.name for condition in select_conditions(PLUGIN, ["ablations"])]
    assert names == ["vlm", "near", "budget-half", "budget-1.5", "no-icl", "no-icl-no-type"]
    assert {condition.engine for condition in select_conditions(PLUGIN, ["ablations"])} == {"unreal"}


def planned(tmp_path: Path, **command_line: Any) -> list[Any]:
    resolved = resolve(PLUGIN, command_line=command_line, options={}, environ={}, folder=tmp_path)
    return plan_run(PLUGIN, resolved, "openai/gpt-4o-mini")


def test_several_are_played_at_the_anchors(tmp_path: Path) -> None:
    items = planned(tmp_path, condition=("several",))
    count = len(compositions())
    names = [item.condition.name for item in items]
    assert [names.count(name) for name in ("single", "multi-ab", "multi-abc")] == [
        count,
        2 * count,
        2 * count,
    ]
    assert len({item.hex for item in items}) == 5 * count


def test_ablations_of_one_task_are_paired_by_its_id(tmp_path: Path) -> None:
    items = planned(tmp_path, condition=("ablations",), tasks=("indoor/03",))
    assert [item.task.id for item in items] == ["indoor/03"] * 6 and len({item.hex for item in items}) == 6


def test_the_papers_configuration_is_the_papers(tmp_path: Path) -> None:
    resolved = resolve(PLUGIN, command_line={}, options={}, config_name="paper", environ={}, folder=tmp_path)
    made = Options(**resolved.options)
    assert (made.budget, made.max_tool_calls, made.require_full_budget, made.obs) == (
        40,
        400,
        True,
        "on-demand",
    )
    assert made.icl and made.type_hint == "definition" and made.anomalies == "A" and made.start == "default"
    assert resolved.config.condition == ("vlm",) and not resolved.config.judge_model


def test_what_an_episode_will_use_grows_with_what_it_may() -> None:
    usual = expected(Options())
    assert usual.typical is not None and usual.calls is not None and usual.tokens is not None
    assert usual.calls >= 400 and usual.typical.calls is not None and 45 <= usual.typical.calls <= 80
    assert usual.typical.tokens is not None and usual.typical.tokens < usual.tokens / 5

    def typical(**given: Any) -> int:
        made = expected(Options(**given)).typical
        assert made is not None and made.tokens is not None
        return made.tokens

    assert typical(budget=20) < typical() < typical(budget=60)
    assert typical(keep_images=4) < typical() < typical(keep_images=40)
    assert typical(obs="film") > typical() > typical(icl=False)
    assert typical(context_tokens=16_000) < typical()


@pytest.mark.parametrize("obs", ["on-demand", "final"])
def test_a_played_episode_stays_below_what_was_expected(table: Table, obs: str) -> None:
    """A model that spends its budget and looks back now and then, by the estimate that is used for both."""
    from benchmarks.worldaudit.context import Conversation

    made = calls(("read_example", {}), OBSERVE)
    for number in range(1, 41):
        made += calls(("turn", {"degrees": 20}))
        made += calls(("inspect", {"refs": [f"a{number}"]})) if number % 4 == 0 else []
    model = script(*made)
    given = {"icl": True, "obs": obs}
    table.play(Plane(boxes(), model), plane_task(), "scripted/script", options=given)
    spent = sum(
        Conversation(request.messages, Options(), request.tools).fixed_tokens for request in model.requests
    )
    forecast = expected(Options(**given))
    assert forecast.typical is not None and forecast.typical.tokens_in is not None
    assert 0.4 * forecast.typical.tokens_in < spent < 1.6 * forecast.typical.tokens_in


def test_a_dry_run_tells_both(command: Command) -> None:
    code = command(
        "run", "worldaudit", "--model", "scripted/null", "--dry-run", "--condition", "ablations", "--json"
    )
    assert code == 0
    document = command.json
    assert document["typical_calls"] < document["expected_calls"]
    assert document["typical_tokens"] < document["expected_tokens"]
    assert {row["condition"] for row in document["episodes"]} == set(BY_NAME["ablations"].members)
    assert command("run", "worldaudit", "--model", "scripted/null", "--dry-run") == 0
    assert "Typically " in command.out
