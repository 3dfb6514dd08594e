"""From a real store to a report: what was spooled and judged is what the pages show."""

from __future__ import annotations

from pathlib import Path

import pytest

from embodied_eval.benchmark import Trajectory
from embodied_eval.records import Verdict
from embodied_eval.store import Receipt, RunDir, Store
from reports.build import build_report
from tests.reports.synthetic import FrameFiles, Synthetic, judged, task, walk


def _play(store: Store, run: RunDir, files: FrameFiles, trajectory: Trajectory) -> None:
    for frame in trajectory.frames.values():
        store.frames.put(files.path(frame.sha256).read_bytes(), frame.media_type)
    with run.writer(trajectory.episode_key, 1) as writer:
        writer.start({"task": trajectory.task.id})
        writer.frame(trajectory.frames["a0"])
        for call, step in zip(trajectory.calls, trajectory.steps, strict=True):
            writer.call(call)
            for event in trajectory.events:
                if event.step == step.index:
                    writer.event(event)
            writer.visibility([row for row in trajectory.visibility if row.ref.startswith(f"a{step.index}")])
            writer.step(step)
        for note in trajectory.rows["notes"]:
            writer.row("notes", note)
        writer.receipt(
            Receipt(
                trajectory.episode_key,
                1,
                status="completed",
                answer=dict(trajectory.outcome.answer),
                steps=len(trajectory.steps),
                calls=len(trajectory.calls),
                finished_at="2030-01-01T00:01:00+00:00",
            )
        )


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Store, RunDir]:
    """A store with a run of three planned episodes: judged by two judges, not judged, never played."""
    monkeypatch.setattr("embodied_eval.plugins.load_benchmark", lambda name: Synthetic())
    (tmp_path / "pictures").mkdir()
    files = FrameFiles(tmp_path / "pictures")
    tasks = [task(number) for number in range(3)]
    walks = [walk(files, problem, model="openai/x", steps=3) for problem in tasks]
    manifest = {
        "schema": "embodied-eval/run/1",
        "run_id": "synthetic-x-20300101T000000-0001",
        "benchmark": "synthetic",
        "benchmark_version": 1,
        "model": "openai/x",
        "privileged": False,
        "judge": "truth",
        "driver": "mujoco",
        "created_at": "2030-01-01T00:00:00+00:00",
        "versions": {"embodied-eval": "0.1.0"},
        "renderer": "llvmpipe",
        "config": {},
        "conditions": [{"name": "default", "settings": {"actions": 40}}],
        "tasks": [
            {
                "id": problem.id,
                "engine": problem.engine,
                "scene": problem.scene,
                "world": problem.world,
                "tags": list(problem.tags),
                "sha256": problem.sha256,
                "public": problem.public,
            }
            for problem in tasks
        ],
        "tables": {
            "notes": {"columns": {"step": "BIGINT", "text": "VARCHAR"}, "version": 1, "private": False}
        },
        "plan": [
            {
                "episode_key": trajectory.episode_key,
                "key_fields": {},
                "task_id": trajectory.task.id,
                "condition": "default",
                "repeat": 0,
                "seed": 0,
            }
            for trajectory in walks
        ],
    }
    store = Store.open(tmp_path / "store")
    run = store.create_run(manifest, {problem.id: problem.private for problem in tasks})
    for trajectory in walks[:2]:
        _play(store, run, files, trajectory)
    key = walks[0].episode_key
    run.save_verdicts("1" * 16, {"judge": "truth", "version": "1"}, key, judged(True, True))
    other = (Verdict("identified", 0.0, 1, False, "I saw no vase.", (), "openai/judge", "1"),)
    run.save_verdicts("2" * 16, {"judge": "openai/judge", "version": "1"}, key, other)
    return store, run


def _episodes(index: Path) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in (index.parent / "episodes").iterdir()]


def test_the_pages_show_what_was_stored(stored: tuple[Store, RunDir], tmp_path: Path) -> None:
    store, run = stored
    index = build_report(store, [run], tmp_path / "out")
    assert "1 of 3" in index.read_text(encoding="utf-8")
    pages = _episodes(index)
    assert sum("names the vase" in page for page in pages) == 1
    assert sum("not judged" in page for page in pages) == 1
    assert sum("has not finished" in page for page in pages) == 1
    assert sum("Sofa and table look right." in page for page in pages) == 2
    assert sum('"ref":"a3.f1"' in page for page in pages) == 2
    assert len(list((index.parent / "frames").iterdir())) == 20


def test_another_judge_can_be_asked_for(stored: tuple[Store, RunDir], tmp_path: Path) -> None:
    store, run = stored
    index = build_report(store, [run], tmp_path / "out", judge="openai/judge")
    text = index.read_text(encoding="utf-8")
    assert "judge openai/judge" in text and "judge truth" not in text
    assert any("I saw no vase." in page for page in _episodes(index))


def test_nothing_in_the_store_changes(stored: tuple[Store, RunDir], tmp_path: Path) -> None:
    store, run = stored
    before = {path: path.stat().st_mtime_ns for path in store.root.rglob("*") if path.is_file()}
    build_report(store, [run], tmp_path / "out", public=True)
    assert {path: path.stat().st_mtime_ns for path in store.root.rglob("*") if path.is_file()} == before
