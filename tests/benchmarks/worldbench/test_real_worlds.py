"""Worlds that models wrote, captured and graded offline from start to end."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.gl, pytest.mark.full]


def command(*words: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "embodied_eval", *words, "--json"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_real_world_is_captured_and_graded_without_any_model(tmp_path: Path, shared_data: Path) -> None:
    worlds = shared_data / "worldbench_worlds"
    store, report = str(tmp_path / "store"), tmp_path / "report"
    ran = command("run", "worldbench", "--world", str(worlds), "--model", "somebody/worlds", "--store", store)
    count = len(list(worlds.glob("*.html")))
    score = ran["metrics"]["score"]
    assert (score["n"], score["denominator"], score["reason"]) == (count, count, "")
    assert 0 < score["low"] <= score["value"] <= score["high"] < 280
    asked = "SELECT data->>'$.loaded', data->>'$.incomplete', data->>'$.outcome' FROM events WHERE kind = 'capture'"
    assert command("query", asked, "--store", store)["rows"] == [["true", "", "ready"]] * count
    asked = (
        "SELECT count(*), count(DISTINCT view) FROM worldbench_shots WHERE biome = '' AND view LIKE 'orbit%'"
    )
    assert command("query", asked, "--store", store)["rows"] == [[4 * count, 4]]
    command("report", ran["run"], "--store", store, "--out", str(report))
    page = (report / "benchmark-worldbench.html").read_text("utf-8")
    assert all(f"given/{file.stem}" in page for file in worlds.glob("*.html"))
