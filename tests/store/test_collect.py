import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from embodied_eval.errors import CorruptDatabase, CorruptSpool, PluginError, StoreBusy
from embodied_eval.store import Collector, RunDir, Store, connect, rebuild
from embodied_eval.store.database import locked, readable, writable
from embodied_eval.store.query import query
from tests.store import sample


def contents(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table, in an order of its own."""
    with connect(store) as connection:
        tables = [name for (name,) in connection.execute("SHOW TABLES").fetchall()]
        return {
            table: sorted(connection.execute(f'SELECT * FROM "{table}"').fetchall(), key=repr)
            for table in tables
        }


def judged(store: Store, run: RunDir) -> None:
    """Two of three episodes played, one of them after a failed attempt, and judged."""
    sample.play(store, run, 0, attempt=1, finish=False)
    for key in (sample.play(store, run, 0, attempt=2), sample.play(store, run, 1)):
        run.save_verdicts("truth", {"name": "truth"}, key, sample.verdicts(True), [sample.call(0)])
    # The last episode is judged again: its verdicts are replaced, what they cost stays.
    run.save_verdicts("truth", {"name": "truth"}, key, sample.verdicts(True), [sample.call(0)])
    run.save_metrics("truth", [sample.metric()])


def test_everything_that_was_recorded_is_in_the_tables(tmp_path: Path) -> None:
    store, run = sample.new_run(tmp_path)
    judged(store, run)
    assert Collector(store).ingest(run) == 2
    found = contents(store)
    counts = {table: len(rows) for table, rows in found.items()}
    assert counts == {
        "meta": 1, "runs": 1, "tasks": 1, "tasks_private": 1, "episodes": 3, "attempts": 3, "steps": 6, "calls": 6,
        "frames": 8, "visibility": 6, "events": 12, "verdicts": 4, "judge_calls": 3, "metrics": 1, "plugin_tables": 2,
        "toy_notes": 6, "toy_truths_v2": 6,
    }  # fmt: skip
    with connect(store) as connection:
        episodes = connection.execute(
            "SELECT repeat, attempt, status, counted, answer->>'report', steps, cost_usd, finished_at::VARCHAR"
            " FROM episodes ORDER BY repeat"
        ).fetchall()
        frames = connection.execute(
            "SELECT ref, step, x FROM frames WHERE episode_key = ?", [sample.key_of(1)]
        )
        assert frames.fetchall() == [("a0", None, 1.0), ("a1", 1, 1.0), ("a2", 2, 1.0), ("a3", 3, 1.0)]
        attempts = connection.execute(
            "SELECT attempt, complete, chosen FROM attempts ORDER BY ALL"
        ).fetchall()
    assert episodes == [
        (0, 2, "completed", True, "done", 3, 0.0, "2026-01-01 00:01:00"),
        (1, 1, "completed", True, "done", 3, 0.0, "2026-01-01 00:01:00"),
        (2, None, None, None, None, None, None, None),
    ]
    assert attempts == [(1, False, False), (1, True, True), (2, True, True)]


def test_ingesting_again_changes_nothing(tmp_path: Path) -> None:
    store, run = sample.new_run(tmp_path)
    judged(store, run)
    collector = Collector(store)
    assert collector.ingest(run, keys=[sample.key_of(0), sample.key_of(2)]) == 1
    assert collector.ingest(run) == 1
    before = contents(store)
    assert collector.ingest(run) == 0
    assert collector.ingest(run, keys=[sample.key_of(0)]) == 0
    assert contents(store) == before


def test_a_rebuilt_database_equals_the_one_that_grew(tmp_path: Path) -> None:
    store, run = sample.new_run(tmp_path)
    _, other = sample.new_run(tmp_path, run_id="toy-other")
    collector = Collector(store)
    collector.ingest(run)
    judged(store, other)
    collector.ingest(other)
    judged(store, run)
    collector.ingest(run)
    before = contents(store)
    counts = rebuild(store)
    assert contents(store) == before
    assert counts == {table: len(rows) for table, rows in before.items()}
    assert not list(tmp_path.glob("*.rebuild*"))


def test_an_earlier_complete_attempt_replaces_a_later_one(tmp_path: Path) -> None:
    store, run = sample.new_run(tmp_path)
    sample.play(store, run, 0, attempt=2, steps=5, finished_at="2026-01-01T00:09:00+00:00")
    collector = Collector(store)
    assert collector.ingest(run) == 1
    sample.play(store, run, 0, attempt=1, steps=2, finished_at="2026-01-01T00:08:00+00:00")
    assert collector.ingest(run) == 1
    before = contents(store)
    assert len(before["steps"]) == len(before["toy_notes"]) == 2
    assert len(before["episodes"]) == 3
    rebuild(store)
    assert contents(store) == before


def test_a_damaged_spool_is_named_and_the_others_are_loaded(tmp_path: Path) -> None:
    store, run = sample.new_run(tmp_path)
    judged(store, run)
    path = run.path / "spool" / f"{sample.key_of(0)}.2.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], b"damaged\n", *lines[3:]]))
    for load in (lambda: Collector(store).ingest(run), lambda: rebuild(store)):
        with pytest.raises(CorruptSpool, match="line 4"):
            load()
        found = contents(store)
        assert {row[1] for row in found["steps"]} == {sample.key_of(1)}
        assert len(found["episodes"]) == 3


def test_a_plan_that_grows_is_followed(tmp_path: Path) -> None:
    store, run = sample.new_run(tmp_path, episodes=2)
    sample.play(store, run, 0)
    Collector(store).ingest(run)
    run.update_manifest(plan=sample.manifest(episodes=4)["plan"], renderer="llvmpipe")
    Collector(store).ingest(run)
    found = contents(store)
    assert len(found["episodes"]) == 4
    assert len(found["runs"]) == 1


def test_a_batch_that_fails_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    store, run = sample.new_run(tmp_path)
    judged(store, run)
    Collector(store).ingest(run)
    before = contents(store)
    _, other = sample.new_run(
        tmp_path, run_id="toy-other", tables={"notes": {"columns": {"note": "BIGINT"}, "version": 1}}
    )
    with pytest.raises(PluginError, match="Raise the version"):
        Collector(store).ingest(other)
    assert contents(store) == before


def test_a_column_added_without_a_new_version_is_added(tmp_path: Path) -> None:
    store, run = sample.new_run(tmp_path)
    sample.play(store, run, 0)
    Collector(store).ingest(run)
    tables = {
        **sample.TABLES,
        "notes": {"columns": {"extra": "BIGINT", "note": "VARCHAR", "weight": "DOUBLE"}},
    }
    _, other = sample.new_run(tmp_path, run_id="toy-other", tables=tables)
    with other.writer(sample.key_of(0), 1) as writer:
        writer.row("notes", {"extra": 5, "note": "n"})
        writer.receipt(sample.receipt(sample.key_of(0)))
    Collector(store).ingest(other)
    with connect(store) as connection:
        rows = connection.execute(
            "SELECT DISTINCT note, weight, extra FROM toy_notes ORDER BY ALL"
        ).fetchall()
    assert rows == [("done", 1.0, None), ("n", None, 5)]


def test_two_collectors_in_two_processes_take_turns(tmp_path: Path) -> None:
    store, _ = sample.new_run(tmp_path, run_id="toy-a", episodes=10)
    sample.new_run(tmp_path, run_id="toy-b", episodes=10)
    script = (
        "import sys; from pathlib import Path; from tests.store import sample\n"
        "from embodied_eval.store import Collector, Store\n"
        f"store = Store.open(Path({str(tmp_path)!r})); run = store.run(sys.argv[1])\n"
        "for number in range(5):\n"
        "    key = sample.play(store, run, number, steps=1); assert Collector(store).ingest(run, keys=[key]) == 1\n"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", script, name], cwd=Path(__file__).parents[2])
        for name in ("toy-a", "toy-b")
    ]
    assert [process.wait() for process in processes] == [0, 0]
    assert len(contents(store)["steps"]) == 10


def test_readers_and_collectors_that_wait_too_long_say_so(tmp_path: Path) -> None:
    store, run = sample.new_run(tmp_path)
    Collector(store).ingest(run)
    with locked(store), pytest.raises(StoreBusy, match=r"store\.lock"):
        Collector(store, wait_s=0.05).ingest(run)
    with writable(store.database), pytest.raises(StoreBusy):
        readable(store.database, wait_s=0.05)
    with connect(store), pytest.raises(StoreBusy):
        Collector(store, wait_s=0.05).ingest(run)


@pytest.mark.parametrize("content", [b"", b"x", b"hello" * 10_000, None])
def test_a_corrupt_database_is_named_and_rebuilt(tmp_path: Path, content: bytes | None) -> None:
    store, run = sample.new_run(tmp_path)
    judged(store, run)
    Collector(store).ingest(run)
    before = contents(store)
    half = store.database.read_bytes()[: store.database.stat().st_size // 2]
    store.database.write_bytes(half if content is None else content)
    for use in (lambda: query(store, "SELECT * FROM steps"), lambda: Collector(store).ingest(run)):
        with pytest.raises(CorruptDatabase, match="db rebuild"):
            use()
    rebuild(store)
    assert contents(store) == before
