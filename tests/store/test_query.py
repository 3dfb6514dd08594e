from pathlib import Path

import pytest

from embodied_eval.errors import DataFileError, SchemaMismatch, UsageError
from embodied_eval.store import Collector, RunDir, Store, connect
from embodied_eval.store.database import writable
from embodied_eval.store.query import query
from tests.store import sample


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, RunDir]:
    store, run = sample.new_run(tmp_path_factory.mktemp("query") / "store")
    sample.play(store, run, 0)
    Collector(store).ingest(run)
    return store, run


@pytest.mark.parametrize(
    ("sql", "first"),
    [
        ("SELECT count(*) AS n FROM steps", (3,)),
        ("WITH x AS (SELECT 1 AS a) FROM x", (1,)),
        ("SELECT answer->>'report' FROM episodes WHERE status = 'completed';", ("done",)),
        ("VALUES ('é', NULL)", ("é", None)),
    ],
)
def test_selects_are_answered(filled: tuple[Store, RunDir], sql: str, first: tuple[object, ...]) -> None:
    columns, rows = query(filled[0], sql)
    assert rows[0] == first
    assert len(columns) == len(first)


@pytest.mark.parametrize("sql", ["SHOW TABLES", "DESCRIBE steps", "SUMMARIZE steps", "EXPLAIN SELECT 1"])
def test_the_schema_can_be_looked_at(filled: tuple[Store, RunDir], sql: str) -> None:
    assert query(filled[0], sql)[1]


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO meta VALUES (2)",
        "UPDATE episodes SET status = 'completed'",
        "DELETE FROM runs",
        "DROP TABLE runs",
        "ALTER TABLE runs ADD COLUMN x INT",
        "CREATE TABLE x AS SELECT 1",
        "CREATE TEMP TABLE x AS SELECT 1",
        "CREATE TEMP MACRO x() AS 1",
        "COPY runs TO 'out.csv'",
        "COPY (SELECT 1) TO '/tmp/embodied-eval-out.csv'",
        "COPY runs FROM '/etc/passwd'",
        "EXPORT DATABASE 'out'",
        "ATTACH 'other.duckdb'",
        "ATTACH ':memory:' AS m",
        "DETACH store",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM read_blob('run.json')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM 'x.parquet'",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM sniff_csv('/etc/passwd')",
        "SELECT * FROM read_json('http://127.0.0.1:9/x.json')",
        "SELECT getenv('HOME')",
        "SELECT * FROM duckdb_secrets()",
        "SELECT * FROM connection",
        "SELECT * FROM rows",
        "SET memory_limit = '64GB'",
        "SET enable_external_access = true",
        "PRAGMA enable_external_access",
        "RESET threads",
        "SET VARIABLE x = 1",
        "INSTALL httpfs",
        "LOAD httpfs",
        "CALL pragma_version()",
        "PRAGMA database_list",
        "CHECKPOINT",
        "BEGIN",
        "VACUUM",
        "PREPARE p AS SELECT 1",
        "USE memory",
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP TABLE runs",
        "",
        ";",
        "-- nothing",
        "SELEKT 1",
        "SELECT * FROM nowhere",
        "SELECT \ud800",
        "SELECT * FROM query('DROP TABLE runs')",
        "EXPLAIN ANALYZE DELETE FROM runs",
    ],
)
def test_everything_else_is_refused(filled: tuple[Store, RunDir], sql: str) -> None:
    folder = filled[0].root.parent
    before = sorted(folder.rglob("*"))
    with pytest.raises(UsageError):
        query(filled[0], sql)
    assert sorted(folder.rglob("*")) == before
    assert query(filled[0], "SELECT count(*) FROM runs")[1] == [(1,)]


def test_rows_are_limited_and_a_long_query_is_stopped(filled: tuple[Store, RunDir]) -> None:
    assert len(query(filled[0], "SELECT * FROM range(1000)", max_rows=10)[1]) == 10
    with pytest.raises(UsageError, match="stopped after"):
        query(filled[0], "SELECT count(*) FROM range(100000000000)", timeout_s=0.2)
    limits = query(filled[0], "SELECT current_setting('memory_limit'), current_setting('threads')")[1]
    assert limits == [("953.6 MiB", 4)]


def test_reading_changes_no_file(filled: tuple[Store, RunDir]) -> None:
    store, run = filled

    def stamps() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in sorted(store.root.rglob("*"))}

    before = stamps()
    query(store, "SELECT * FROM episodes")
    again = Store.open(store.root)
    found, _ = Store.resolve(run.id, store.root)
    found.run(None).receipts()
    run.episode(sample.key_of(0))
    run.verdicts("truth")
    again.runs()
    assert stamps() == before


def test_no_database_and_another_schema_are_named(tmp_path: Path) -> None:
    store, run = sample.new_run(tmp_path)
    Collector(store).ingest(run)
    with writable(store.database) as connection:
        connection.execute("UPDATE meta SET schema_version = 3")
    with pytest.raises(SchemaMismatch, match="schema 3; this version reads 2"):
        connect(store)
    store.database.unlink()
    with pytest.raises(DataFileError, match="db rebuild"):
        connect(store)
