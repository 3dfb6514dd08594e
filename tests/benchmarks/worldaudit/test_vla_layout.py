"""Recordings in the official layout: out, in again, and what is wrong with a broken one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.worldaudit.vla.layout import export_recording, folder_digest, folder_of, read_ticks
from embodied_eval.errors import DataFileError
from embodied_eval.records import Pose
from tests.benchmarks.worldaudit.kit import Table, boxes
from tests.benchmarks.worldaudit.vla_kit import SECONDS, WATCH, audited, explored, reporting


def test_what_is_exported_is_the_official_layout(table: Table, tmp_path: Path) -> None:
    made = explored(table, boxes())
    folder = export_recording(made, tmp_path)
    assert folder == folder_of(tmp_path, "plane/01")
    names = sorted(path.name for path in folder.glob("*.jpg"))
    assert names == [f"f{tick:05d}.jpg" for tick in range(0, SECONDS * 20 + 1, 10)]
    assert (folder / names[2]).read_bytes() == made.read_frame(made.frames["a2"].sha256)
    rows = [json.loads(line) for line in (folder / "poses.jsonl").read_text().splitlines()]
    assert len(rows) == SECONDS * 20 + 1
    assert set(rows[5]) == {"t", "pos", "yaw", "pitch", "moved", "keys", "dx", "dy", "recovery", "nudge"}
    meta = json.loads((folder / "meta.json").read_text())
    assert meta["kind"] == "vla_explore" and meta["dt_ms"] == 50 and meta["record_every"] == 10


def test_an_import_brings_the_exploration_back(table: Table, tmp_path: Path) -> None:
    made = explored(table, boxes())
    export_recording(made, tmp_path)
    again = explored(table, boxes(), options={"policy": f"import:{tmp_path}"})
    assert {ref: frame.sha256 for ref, frame in again.frames.items()} == {
        ref: frame.sha256 for ref, frame in made.frames.items()
    }
    for one, two in zip(again.steps, made.steps, strict=True):
        assert (one.action, one.t_s, one.result) == (two.action, two.t_s, two.result)
        assert one.pose is not None and two.pose is not None
        assert one.pose.x == pytest.approx(two.pose.x, abs=1e-5)
    audit, _ = audited(
        table, boxes(), *WATCH, reporting("The wall floats.", "a1"), options={"policy": f"import:{tmp_path}"}
    )
    assert audit.outcome.status == "completed"
    assert [frame.pose for ref, frame in audit.frames.items() if "#" not in ref] == [
        step.pose for step in again.steps
    ]


def test_positions_of_unreal_are_turned_over(tmp_path: Path) -> None:
    row = {"t": 0.0, "pos_cm": [100, 200, 50], "yaw": 90.0, "pitch": -5.0, "moved_cm": 11}
    (tmp_path / "meta.json").write_text(json.dumps({"kind": "vla_explore_ue"}))
    (tmp_path / "poses.jsonl").write_text(json.dumps(row) + "\n")
    (tick,) = read_ticks(tmp_path)
    assert tick.pose == Pose(1.0, -2.0, 0.5, -90.0, -5.0) and tick.moved_m == pytest.approx(0.11)


def test_broken_recordings_are_named(table: Table, tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="no recordings"):
        folder_digest(str(tmp_path))
    export_recording(explored(table, boxes()), tmp_path)
    before = folder_digest(str(tmp_path))
    folder = folder_of(tmp_path, "plane/01")
    poses = (folder / "poses.jsonl").read_text()
    for wrong in ("{", '{"t": 0}', poses.splitlines()[0].replace('"yaw": 0.0', '"yaw": NaN')):
        (folder / "poses.jsonl").write_text(wrong + "\n")
        with pytest.raises(DataFileError, match=r"poses\.jsonl, line 1"):
            read_ticks(folder)
    assert folder_digest(str(tmp_path)) != before
    (folder / "meta.json").write_text('{"kind": "film"}')
    with pytest.raises(DataFileError, match="must say kind"):
        read_ticks(folder)
