"""The measuring commands run and print what `docs/performance.md` is made from. No figure is judged here."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.perf import common, harness, startup, store


def shown(made: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """What the command would print: one line of JSON of the common shape."""
    common.print_line(made)
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    document: dict[str, Any] = json.loads(out)
    assert document["schema"] == "embodied-eval/perf/1"
    assert document["machine"]["cores"] >= 1 and document["machine"]["packages"]["duckdb"]
    assert all(isinstance(value, (int, float)) for value in document["figures"].values())
    assert set(document["targets_missed"]) <= set(document["targets_at_most"]) <= set(document["figures"])
    return document


def test_harness(capsys: pytest.CaptureFixture[str]) -> None:
    document = shown(harness.measure(2, 3, 1), capsys)
    figures = document["figures"]
    assert document["command"] == "python -m tests.perf.harness"
    assert (figures["frame_files"], figures["frame_files_of_the_same"]) == (6, 1)
    assert figures["cpu_ms_a_step"] > 0 and figures["peak_rss_mb"] > 10


def test_startup(capsys: pytest.CaptureFixture[str]) -> None:
    figures = shown(startup.measure(1), capsys)["figures"]
    assert figures["python_cpu_s"] > 0 and figures["help_cpu_s"] > 0
    assert {f"{name}_cpu_s" for name in startup.COMMANDS} <= set(figures)


def test_store(capsys: pytest.CaptureFixture[str]) -> None:
    figures = shown(store.measure((4,), 4, 1), capsys)["figures"]
    assert {"table_4_wall_s", "query_command_4_cpu_s", "rebuild_4_peak_rss_mb"} <= set(figures)
    assert figures["resume_first_call_wall_s"] > 0
    assert (figures["resume_repeated_calls"], figures["resume_repeated_episodes"]) == (0, 0)


def test_cases_take_turns_and_medians_are_shown() -> None:
    order: list[str] = []
    values = iter([5.0, 1.0, 3.0])

    def a() -> dict[str, float]:
        order.append("a")
        return {"x": next(values)}

    def b() -> dict[str, float]:
        order.append("b")
        return {"x": 0.0}

    assert common.alternate({"a": a, "b": b}, 3) == {"a": {"x": 3.0}, "b": {"x": 0.0}}
    assert "".join(order) == "ababab"


def test_a_busy_machine_and_a_missed_target_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    watch = common.Watch()
    watch.load_at_start = 1.5
    figures, most = {"x": 2.0, "y": 1.0}, {"x": 1.5, "y": 1.0}
    made = common.document("harness", figures, at_most=most, watch=watch, work={}, repeats=1)
    assert (made["clean"], made["targets_missed"]) == (False, ["x"])
    common.print_line(made)
    assert "Not clean" in capsys.readouterr().err


def test_what_others_do_is_not_counted_as_ours() -> None:
    watch = common.Watch()
    sum(number * number for number in range(2_000_000))
    others = watch.others_cores()
    assert others is None or 0.0 <= others <= (common.machine()["cores"] or 1)
