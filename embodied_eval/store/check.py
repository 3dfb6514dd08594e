"""What is wrong with a store, found by reading all of it; nothing is changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from embodied_eval.errors import DataFileError, EmbodiedEvalError
from embodied_eval.store.database import database_errors, readable
from embodied_eval.store.layout import spool_name
from embodied_eval.store.records_io import EpisodeData, read_lines
from embodied_eval.store.rows import episode_rows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from embodied_eval.store.runs import RunDir, Store

_REBUILD = "`embodied-eval db rebuild` mends it"


@dataclass(frozen=True)
class _Expected:
    """What the database should say of a complete episode: the attempt, and rows by table."""

    attempt: int
    counts: Mapping[str, int]


def check(store: Store) -> list[str]:
    """One line for each problem; empty for a sound store.

    Looks at: run.json, private tasks and judgements of each run; every spool for damaged lines, and the
    private spool of a complete attempt for its last line; every frame that an episode names for its presence
    and its bytes; the database for its schema, and for the attempts and numbers of rows the spools say.
    """
    return list(_problems(store))


def _problems(store: Store) -> Iterator[str]:
    expected: dict[str, dict[str, _Expected]] = {}
    seen: set[str] = set()
    for run in store.folders():
        try:
            _ = run.manifest, run.tables, run.private_tasks()
        except EmbodiedEvalError as error:
            yield str(error)
            continue
        expected[run.id] = {}
        yield from _judgements(run)
        receipts = run.receipts()
        for key, attempts in run.attempts().items():
            for attempt in attempts:
                try:
                    data = run.episode(key, attempt)
                except EmbodiedEvalError as error:
                    yield error.message
                    continue
                yield from _private_end(run, data)
                yield from _frames(store, run, data, seen)
                if key in receipts and receipts[key].attempt == attempt:
                    rows = episode_rows(run.id, data, run.tables)
                    counts = {table: len(found) for table, found in rows.items() if found}
                    expected[run.id][key] = _Expected(attempt, counts)
    yield from _database(store, expected)


def _judgements(run: RunDir) -> Iterator[str]:
    try:
        for judge_key in run.judges():
            _ = run.verdicts(judge_key), run.metrics(judge_key)
    except EmbodiedEvalError as error:
        yield error.message


def _private_end(run: RunDir, data: EpisodeData) -> Iterator[str]:
    path = run.path / "private" / spool_name(data.episode_key, data.attempt)
    if data.receipt and path.exists():
        lines = read_lines(path)
        end = lines[-1] if lines else {}
        if end.get("line") != "end" or end.get("lines") != len(lines) - 1:
            yield f"{path} lacks lines: the attempt is complete and this file is not."


def _frames(store: Store, run: RunDir, data: EpisodeData, seen: set[str]) -> Iterator[str]:
    for frame in data.frames.values():
        if frame.sha256 not in seen:
            seen.add(frame.sha256)
            try:
                store.frames.get(frame.sha256, verify=True)
            except DataFileError as error:
                yield f"{run.id}, episode {data.episode_key}, frame {frame.ref}: {error.message}"


def _database(store: Store, expected: Mapping[str, Mapping[str, _Expected]]) -> Iterator[str]:
    if not store.database.exists():
        if any(expected.values()):
            yield f"{store.database} is missing; {_REBUILD}."
        return
    try:
        connection = readable(store.database)
    except EmbodiedEvalError as error:
        yield str(error)
        return
    try:
        with database_errors(store.database):
            yield from _rows(connection, expected)
    except EmbodiedEvalError as error:
        yield str(error)
    finally:
        connection.close()


def _rows(connection: DuckDBPyConnection, expected: Mapping[str, Mapping[str, _Expected]]) -> Iterator[str]:
    known = {run_id for (run_id,) in connection.execute("SELECT DISTINCT run_id FROM episodes").fetchall()}
    for run_id in sorted(known - expected.keys()):
        yield f"The database holds the run {run_id}, whose folder is missing or damaged; {_REBUILD}."
    plugin = [name for (name,) in connection.execute("SELECT name FROM plugin_tables").fetchall()]
    tables = ("steps", "calls", "frames", "visibility", "events", *plugin)
    for run_id, episodes in expected.items():
        listed = connection.execute(
            "SELECT episode_key, max(attempt), count(*) FROM episodes WHERE run_id = ? GROUP BY episode_key",
            [run_id],
        ).fetchall()
        attempts = {key: attempt for key, attempt, _ in listed}
        for key, _, count in listed:
            if count > 1:
                yield f"{run_id}: the database holds the episode {key} {count} times; {_REBUILD}."
        for key in sorted(
            {key for key, attempt in attempts.items() if attempt is not None} | episodes.keys()
        ):
            found = attempts.get(key)
            wanted = episodes[key].attempt if key in episodes else None
            if found != wanted:
                yield f"{run_id}, episode {key}: attempt {found} in the database, {wanted} in the spools; {_REBUILD}."
        for table in tables:
            counted = dict(
                connection.execute(
                    f'SELECT episode_key, count(*) FROM "{table}" WHERE run_id = ? GROUP BY episode_key',
                    [run_id],
                ).fetchall()
            )
            for key in sorted(counted.keys() | episodes.keys()):
                wanted = episodes[key].counts.get(table, 0) if key in episodes else 0
                if counted.get(key, 0) != wanted:
                    yield (
                        f"{run_id}, episode {key}: {counted.get(key, 0)} rows of {table} in the database,"
                        f" {wanted} in the spools; {_REBUILD}."
                    )
