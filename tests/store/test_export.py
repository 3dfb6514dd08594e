import csv
import json
from pathlib import Path

import pytest

from embodied_eval.errors import DataFileError, UsageError
from embodied_eval.store import Collector, RunDir, Store
from embodied_eval.store.export import export
from embodied_eval.store.latex import escape
from tests.hostile_text import HOSTILE
from tests.store import sample

PUBLIC = {
    "runs", "tasks", "episodes", "attempts", "steps", "calls", "frames", "events", "verdicts", "metrics", "toy_notes",
}  # fmt: skip
PRIVATE = {"tasks_private", "visibility", "judge_calls", "toy_truths_v2"}


@pytest.fixture
def filled(tmp_path: Path) -> tuple[Store, RunDir]:
    store, run = sample.new_run(tmp_path / "store")
    _, other = sample.new_run(tmp_path / "store", run_id="toy-other")
    for each in (run, other):
        key = sample.play(store, each, 0)
        each.save_verdicts("truth", {}, key, sample.verdicts(True, f"the target was {sample.MARKER}"))
        each.save_metrics("truth", [sample.metric(), sample.metric("x", value=None, low=None, reason="none")])
        Collector(store).ingest(each)
    return store, run


@pytest.mark.parametrize("fmt", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("public", [False, True])
def test_one_file_a_table(filled: tuple[Store, RunDir], tmp_path: Path, fmt: str, public: bool) -> None:
    store, run = filled
    out = tmp_path / 'out\'s "folder"'
    paths = export(store, run, fmt, out, public=public)
    assert {path.name for path in paths} == {f"{t}.{fmt}" for t in (PUBLIC if public else PUBLIC | PRIVATE)}
    assert set(out.iterdir()) == set(paths)
    if fmt == "parquet":
        import duckdb

        rows = duckdb.sql("SELECT * FROM read_parquet($1)", params=[str(out / "steps.parquet")]).fetchall()
        data = repr([duckdb.read_parquet(str(path)).fetchall() for path in paths])
        assert len(rows) == 3
    else:
        data = "".join(path.read_text() for path in paths)
        assert len((out / f"steps.{fmt}").read_text().splitlines()) == 3 + (fmt == "csv")
    assert "toy-other" not in data
    assert (sample.MARKER in data) is not public


def test_json_columns_become_json_and_times_say_utc(filled: tuple[Store, RunDir], tmp_path: Path) -> None:
    export(*filled, "jsonl", tmp_path, public=False)
    episodes = [json.loads(line) for line in (tmp_path / "episodes.jsonl").read_text().splitlines()]
    done = next(row for row in episodes if row["status"])
    assert done["answer"] == {"report": "done"}
    assert done["finished_at"] == "2026-01-01T00:01:00Z"
    assert sum(row["status"] is None for row in episodes) == 2


def test_no_spreadsheet_takes_a_cell_for_a_formula(tmp_path: Path) -> None:
    store, run = sample.new_run(tmp_path / "store", episodes=len(HOSTILE))
    for number, text in enumerate(HOSTILE.values()):
        sample.play(store, run, number, steps=1, text=text)
    Collector(store).ingest(run)
    for path in export(store, run, "csv", tmp_path / "out", public=False):
        with path.open(encoding="utf-8", newline="") as file:
            csv.field_size_limit(10_000_000)
            rows = list(csv.reader(file))
        assert {len(row) for row in rows} == {len(rows[0])}
        for row in rows[1:]:
            for cell in row:
                assert not cell.startswith(("=", "+", "@", "\t", "\r", "-c", "-2+"))


def test_latex_tables_are_one_a_judge_and_escaped(filled: tuple[Store, RunDir], tmp_path: Path) -> None:
    store, run = filled
    run.save_metrics("hostile", [sample.metric(text, group=text, reason=text) for text in HOSTILE.values()])
    (path,) = export(store, run, "latex", tmp_path, public=True)
    text = path.read_text()
    assert text.count(r"\begin{table}") == 2
    assert "judged by truth" in text
    assert r"success{\_}rate" in text or r"success\_rate" in text
    assert "n/a" in text
    assert r"\input" not in text
    assert r"\write" not in text
    lines = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert len(lines) == 2 * 1 + 2 + len(HOSTILE)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_escaped_latex_holds_no_command_of_the_text(text: str) -> None:
    escaped = escape(text)
    for known in ("textbackslash", "textasciitilde", "textasciicircum", "textless", "textgreater"):
        escaped = escaped.replace(f"\\{known}{{}}", "")
    for known in ("textbar", "textquotedbl", "textasciigrave"):
        escaped = escaped.replace(f"\\{known}{{}}", "")
    for character in "{}$&#_%":
        escaped = escaped.replace(f"\\{character}", "")
    escaped = escaped.replace("{-}", "")
    assert not set(escaped) & set('\\{}$&#_%~^<>|"\n\r\x00\x1b\u202e\u2028')


def test_an_unknown_format_and_a_run_not_loaded_are_named(tmp_path: Path) -> None:
    store, run = sample.new_run(tmp_path / "store")
    with pytest.raises(UsageError, match="parquet"):
        export(store, run, "xlsx", tmp_path, public=False)
    with pytest.raises(DataFileError, match="db rebuild"):
        export(store, run, "csv", tmp_path / "out", public=False)
    Collector(store).ingest(run)
    _, other = sample.new_run(tmp_path / "store", run_id="toy-other")
    with pytest.raises(DataFileError, match="not in the database"):
        export(store, other, "csv", tmp_path / "out", public=False)


def test_a_privileged_run_is_exported_publicly_without_what_its_model_did(
    filled: tuple[Store, RunDir], tmp_path: Path
) -> None:
    store, run = filled
    run.update_manifest(privileged=True)
    paths = export(store, run, "jsonl", tmp_path / "out", public=True)
    names = {path.stem for path in paths}
    assert not names & {"steps", "calls", "frames", "events", *(name for name in names if "_" in name)}
    assert b'"answer"' not in (tmp_path / "out" / "episodes.jsonl").read_bytes()
    assert names >= {"runs", "tasks", "episodes", "metrics"}
