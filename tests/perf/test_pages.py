"""The commands that measure pages run, and refuse what would make their figures wrong. No figure is judged here."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from tests.perf import chromium, page_columns, page_step, page_still, threejs_walk

FOUND = {"version": "1", "renderer": "ANGLE"}


def test_the_cost_of_a_child_is_counted_while_it_lives_and_afterwards() -> None:
    before = chromium.tree_cpu_s()
    busy = "import time\nwhile time.process_time() < 0.2: pass\nprint(flush=True)\ninput()"
    child = subprocess.Popen([sys.executable, "-c", busy], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()
    assert chromium.tree_cpu_s() - before >= 0.15
    child.communicate(b"\n")
    assert chromium.tree_cpu_s() - before >= 0.15


def test_another_browser_or_renderer_is_no_comparison() -> None:
    chromium.check_same([FOUND, dict(FOUND)], FOUND)
    for other in ({"version": "2"}, {"renderer": "ANGLE (SwiftShader)"}):
        with pytest.raises(SystemExit, match="Not the same"):
            chromium.check_same([{**FOUND, **other}], FOUND)


def test_pictures_of_the_step_before_are_refused() -> None:
    pictures = page_columns.Pictures((4, 3))
    first = np.zeros((3, 4, 3), np.uint8)
    pictures.keep(first)
    pictures.keep(first + 1)
    pictures.check()
    pictures.keep(first + 1)
    with pytest.raises(SystemExit, match="the step before"):
        pictures.check()
    small = page_columns.Pictures((8, 6))
    small.keep(first)
    with pytest.raises(SystemExit, match="wrong size"):
        small.check()


def test_a_job_arrives_as_it_was_sent() -> None:
    job = chromium.Job("http://127.0.0.1:1/form.html", 3, "/usr/bin/chromium", ("--a", "--b"), warm=1)
    assert chromium.job_of(json.dumps(chromium.asdict(job))) == job


def test_without_browsergym_its_column_is_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def measure(steps: int, repeats: int, browsergym: str) -> dict[str, object]:
        asked.append(browsergym)
        return {"clean": True}

    monkeypatch.setattr(page_step, "measure", measure)
    monkeypatch.setattr(page_step, "has_browsergym", lambda python: False)
    monkeypatch.setattr(sys, "argv", ["page_step"])
    page_step.main()
    told = capsys.readouterr()
    assert asked == [""] and "no browsergym-core" in told.err and json.loads(told.out) == {"clean": True}


@pytest.mark.full
@pytest.mark.browser
def test_page_step() -> None:
    made = page_step.measure(2, 1)
    assert made["work"]["columns"] == ["ours", "ours_controls", "plain"]
    for page in page_step.PAGES:
        assert all(made["figures"][f"{page}_{column}_wall_ms"] > 0 for column in made["work"]["columns"])
        assert made["figures"][f"{page}_ours_reset_s"] > 0
    # There is nothing to be half of.
    assert made["targets_at_most"] == {}


@pytest.mark.full
@pytest.mark.browser
def test_page_still() -> None:
    made = page_still.measure(300, 2, 1, 1)
    assert set(made["targets_at_most"]) <= set(made["figures"])
    assert all(made["figures"][f"{case}_wall_ms"] > 0 for case in ("paused", "paused_button", "free"))


@pytest.mark.full
@pytest.mark.browser
@pytest.mark.gl
def test_threejs_walk() -> None:
    made = threejs_walk.measure("indoor/01", 2, 1)
    assert set(made["targets_at_most"]) <= set(made["figures"])
    assert "three r" in made["work"]["renderers"]["threejs"]
    for driver in ("threejs", "mujoco"):
        assert all(made["figures"][f"{driver}_{kind}_wall_s"] > 0 for kind in ("step", "tick", "frame"))
