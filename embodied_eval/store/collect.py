"""From spools to the database: idempotent, in one transaction a batch, and always possible again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from embodied_eval.errors import CorruptSpool, PluginError
from embodied_eval.store import rows
from embodied_eval.store.database import WRITE_WAIT_S, locked, wal, writable
from embodied_eval.store.encoding import json_text
from embodied_eval.store.records_io import EpisodeData, Receipt
from embodied_eval.store.tables import KEY_COLUMNS, PluginTable

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from embodied_eval.store.runs import RunDir, Store

_BATCH = 20
"""Episodes read into memory before their rows go to the database."""

_EPISODE_TABLES = ("steps", "calls", "frames", "visibility", "events")


class Collector:
    """Loads a store's spools into its database. Opens the database for a call and closes it again, so
    that readers get their turn; calls from several processes wait for each other up to `wait_s`."""

    def __init__(self, store: Store, *, wait_s: float = WRITE_WAIT_S) -> None:
        self.store, self.wait_s = store, wait_s

    def ingest(self, run: RunDir, *, keys: Iterable[str] | None = None) -> int:
        """Load the run's complete episodes that are not loaded yet; returns how many that were.

        With `keys` only these episodes are looked at. Without, also the attempts, verdicts and metrics are
        brought up to date: do so once at a run's end and after judging. Doing it again changes nothing.
        A damaged spool is left out and raised as CorruptSpool when everything else is loaded.
        """
        with (
            locked(self.store, wait_s=self.wait_s),
            writable(self.store.database, wait_s=self.wait_s) as connection,
        ):
            count, damaged = load_run(connection, run, keys)
        if damaged:
            raise damaged[0]
        return count


def rebuild(store: Store, *, wait_s: float = WRITE_WAIT_S) -> dict[str, int]:
    """Make the database anew from the spools of all runs; returns the number of rows by table.

    The old database stays in place until the new one is complete. A damaged spool is left out and raised as
    CorruptSpool in the end.
    """
    fresh = store.database.with_suffix(".rebuild")
    damaged: list[CorruptSpool] = []
    with locked(store, wait_s=wait_s):
        _remove(fresh)
        try:
            with writable(fresh, wait_s=wait_s) as connection:
                for run in store.folders():
                    damaged += load_run(connection, run, None)[1]
                counts = table_counts(connection)
            wal(store.database).unlink(missing_ok=True)
            fresh.replace(store.database)
        finally:
            _remove(fresh)
    if damaged:
        raise damaged[0]
    return counts


def load_run(
    connection: DuckDBPyConnection, run: RunDir, keys: Iterable[str] | None
) -> tuple[int, list[CorruptSpool]]:
    """Bring the rows of one run up to date: (episodes loaded, damaged spools left out)."""
    manifest = run.manifest
    plan = {str(item["episode_key"]): item for item in manifest.get("plan", [])}
    loaded = dict(
        connection.execute("SELECT episode_key, attempt FROM episodes WHERE run_id = ?", [run.id]).fetchall()
    )
    tables = run.tables.values()
    _prepare(connection, tables)
    receipts = run.receipts() if keys is None else _receipts(run, keys)
    due = {key: receipt for key, receipt in receipts.items() if loaded.get(key) != receipt.attempt}
    damaged: list[CorruptSpool] = []
    done: set[str] = set()
    episodes = _read(run, due, damaged)
    while batch := list(islice(episodes, _BATCH)):
        found: dict[str, list[rows.Row]] = {"episodes": []}
        for data, receipt in batch:
            planned = plan.get(data.episode_key, {"episode_key": data.episode_key})
            found["episodes"].append(rows.episode_row(manifest, planned, receipt))
            rows.extend(found, rows.episode_rows(run.id, data, run.tables))
        new = [data.episode_key for data, _ in batch]
        again = [key for key in new if loaded.get(key) is not None]
        _delete(connection, run, again, [*_EPISODE_TABLES, *(table.name for table in tables)])
        _delete(connection, run, [key for key in new if key in loaded], ["episodes"])
        _append(connection, found, tables)
        done.update(new)
    unfinished = [item for key, item in plan.items() if key not in loaded and key not in done]
    _append(connection, {"episodes": [rows.episode_row(manifest, item, None) for item in unfinished]})
    _load_manifest(connection, run, tasks=keys is None or not loaded)
    if keys is None:
        _load_attempts(connection, run, receipts)
        _load_judgements(connection, run)
    return len(done), damaged


def table_counts(connection: DuckDBPyConnection) -> dict[str, int]:
    """The number of rows of every table."""
    names = connection.execute("SELECT table_name FROM duckdb_tables() ORDER BY table_name").fetchall()
    counts = {}
    for (name,) in names:
        found = connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()
        counts[str(name)] = int(found[0]) if found else 0
    return counts


def _receipts(run: RunDir, keys: Iterable[str]) -> dict[str, Receipt]:
    return {key: receipt for key in keys if (receipt := run.chosen(key))}


def _read(
    run: RunDir, receipts: Mapping[str, Receipt], damaged: list[CorruptSpool]
) -> Iterator[tuple[EpisodeData, Receipt]]:
    for key, receipt in receipts.items():
        try:
            data = run.episode(key, receipt.attempt)
            _check_rows(run, data)
        except CorruptSpool as error:
            damaged.append(error)
        else:
            yield data, receipt


def _check_rows(run: RunDir, data: EpisodeData) -> None:
    for key, found in data.rows.items():
        if key not in run.tables:
            raise CorruptSpool(f"Episode {data.episode_key} of {run.id} has rows of no table {key[:80]!r}.")
        for row in found:
            try:
                run.tables[key].check(row)
            except PluginError as error:
                raise CorruptSpool(f"Episode {data.episode_key} of {run.id}: {error}") from error


def _prepare(connection: DuckDBPyConnection, tables: Iterable[PluginTable]) -> None:
    """Make the benchmark's tables, or the columns that they lack. Names were checked with the manifest."""
    for table in tables:
        columns = {**KEY_COLUMNS, **table.columns}
        known = dict(
            connection.execute(
                "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = ?", [table.name]
            ).fetchall()
        )
        if not known:
            listed = ", ".join(f'"{name}" {kind}' for name, kind in columns.items())
            connection.execute(f'CREATE TABLE "{table.name}" ({listed})')
            connection.execute("INSERT INTO plugin_tables VALUES (?, ?)", [table.name, table.private])
            continue
        for name, kind in columns.items():
            if name not in known:
                connection.execute(f'ALTER TABLE "{table.name}" ADD COLUMN "{name}" {kind}')
            elif known[name] != kind:
                raise PluginError(
                    f"The column {table.name}.{name} is {known[name]} in the database and {kind} in this run.",
                    hint="Raise the version in the benchmark's TableSpec whenever its columns change.",
                )
        # Private once is private for all: the rows of an earlier run stay as protected as they were.
        connection.execute(
            "UPDATE plugin_tables SET private = private OR ? WHERE name = ?", [table.private, table.name]
        )


def _delete(connection: DuckDBPyConnection, run: RunDir, keys: Sequence[str], tables: Iterable[str]) -> None:
    if keys:
        for table in tables:
            connection.execute(
                f'DELETE FROM "{table}" WHERE run_id = ? AND episode_key IN (SELECT unnest(?::VARCHAR[]))',
                [run.id, list(keys)],
            )


def _append(
    connection: DuckDBPyConnection,
    found: Mapping[str, Sequence[rows.Row]],
    tables: Iterable[PluginTable] = (),
) -> None:
    columns = {table.name: [*KEY_COLUMNS, *table.columns] for table in tables}
    for name, values in found.items():
        if values:
            appender = connection.appender(name, columns=columns.get(name))
            appender.append_rows(values)
            appender.flush()


def _replace(connection: DuckDBPyConnection, run: RunDir, found: Mapping[str, Sequence[rows.Row]]) -> None:
    for table in found:
        connection.execute(f'DELETE FROM "{table}" WHERE run_id = ?', [run.id])
    _append(connection, found)


def _load_manifest(connection: DuckDBPyConnection, run: RunDir, *, tasks: bool) -> None:
    found: dict[str, Sequence[rows.Row]] = {"runs": [rows.run_row(run.manifest)]}
    if tasks:
        found["tasks"] = [rows.task_row(run.id, task) for task in run.manifest.get("tasks", [])]
        found["tasks_private"] = [
            (run.id, task_id, json_text(private)) for task_id, private in run.private_tasks().items()
        ]
    _replace(connection, run, found)


def _load_attempts(connection: DuckDBPyConnection, run: RunDir, receipts: Mapping[str, Receipt]) -> None:
    found = []
    for key, numbers in run.attempts().items():
        chosen = receipts[key].attempt if key in receipts else None
        for number in numbers:
            receipt = run.receipt(key, number)
            found.append(rows.attempt_row(run.id, key, number, receipt, number == chosen))
    _replace(connection, run, {"attempts": found})


def _load_judgements(connection: DuckDBPyConnection, run: RunDir) -> None:
    verdicts: list[rows.Row] = []
    metrics: list[rows.Row] = []
    calls: list[rows.Row] = []
    for judge_key in run.judges():
        for key, given in run.verdicts(judge_key).items():
            verdicts += [rows.verdict_row(run.id, key, judge_key, verdict) for verdict in given]
        for key, made in run.judge_calls(judge_key).items():
            calls += [rows.judge_call_row(run.id, key, judge_key, call) for call in made]
        metrics += [rows.metric_row(run.id, judge_key, metric) for metric in run.metrics(judge_key)]
    _replace(connection, run, {"verdicts": verdicts, "metrics": metrics, "judge_calls": calls})


def _remove(database: Path) -> None:
    for path in (database, wal(database)):
        path.unlink(missing_ok=True)
