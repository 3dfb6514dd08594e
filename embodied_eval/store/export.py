"""A run's tables as files: Parquet, CSV, JSON lines, or its metrics as a LaTeX table."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from embodied_eval.errors import DataFileError, StoreError, UsageError
from embodied_eval.store.database import database_errors, readable
from embodied_eval.store.encoding import encode
from embodied_eval.store.latex import latex_table
from embodied_eval.store.layout import disk_errors, write_whole
from embodied_eval.store.schema import PRIVATE_COLUMNS, PRIVATE_TABLES, TRACE_COLUMNS, TRACE_TABLES

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from embodied_eval.store.runs import RunDir, Store

FORMATS = ("parquet", "csv", "jsonl", "latex")
_CHUNK = 5_000
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export(store: Store, run: RunDir, fmt: str, out: Path, *, public: bool) -> list[Path]:
    """Write the run's rows below `out`, one file a table; returns the files.

    With `public`, the truth stays behind: private tables, private events, what judges say of it, and of a
    privileged model's run everything it did and said. In CSV
    a text cell that a spreadsheet would take for a formula gets a ' before it. `latex` writes one file,
    the metrics. Raises UsageError for another format, DataFileError if the run is not in the database.
    """
    if fmt not in FORMATS:
        raise UsageError(f"There is no format {fmt[:40]!r}.", hint=f"Legal: {', '.join(FORMATS)}.")
    with disk_errors(out):
        out.mkdir(parents=True, exist_ok=True)
    connection = readable(store.database, files=True)
    try:
        with database_errors(store.database):
            if not connection.execute("SELECT 1 FROM runs WHERE run_id = ?", [run.id]).fetchone():
                raise DataFileError(
                    f"The run {run.id} is not in the database.", hint="Run `embodied-eval db rebuild`."
                )
            if fmt == "latex":
                return [_latex(run, out)]
            written = []
            for table, columns in _tables(connection, run, public):
                path = out / f"{table}.{fmt}"
                temporary = path.with_name(f".{path.name}.tmp")
                try:
                    with disk_errors(path):
                        _WRITERS[fmt](_Rows(connection, run, table, columns, public), temporary)
                        temporary.replace(path)
                finally:
                    temporary.unlink(missing_ok=True)
                written.append(path)
            return written
    finally:
        connection.close()


class _Rows:
    """One table's rows of one run."""

    def __init__(
        self,
        connection: DuckDBPyConnection,
        run: RunDir,
        table: str,
        columns: Mapping[str, str],
        public: bool,
    ) -> None:
        self.connection, self.run_id, self.columns = connection, run.id, columns
        listed = ", ".join(f'"{column}"' for column in columns)
        hidden = " AND NOT private" if public and table == "events" else ""
        self.sql = f'SELECT {listed} FROM "{table}" WHERE run_id = $run{hidden} ORDER BY ALL'

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        result = self.connection.execute(self.sql, {"run": self.run_id})
        while rows := result.fetchmany(_CHUNK):
            yield from rows


def _tables(connection: DuckDBPyConnection, run: RunDir, public: bool) -> list[tuple[str, dict[str, str]]]:
    """The tables to write, each with the names and types of its columns."""
    private, hidden = set(PRIVATE_TABLES), dict(PRIVATE_COLUMNS)
    if public:
        privileged = bool(run.manifest.get("privileged"))
        found = connection.execute("SELECT name FROM plugin_tables WHERE private OR ?", [privileged])
        private |= {name for (name,) in found.fetchall()}
        if privileged:
            private |= TRACE_TABLES
            hidden |= TRACE_COLUMNS
    tables: dict[str, dict[str, str]] = {}
    listed = connection.execute(
        "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal"
        " ORDER BY table_name, column_index"
    )
    for table, column, kind in listed.fetchall():
        if not (public and (table in private or column in hidden.get(table, ()))):
            tables.setdefault(table, {})[column] = kind
    return [(table, columns) for table, columns in tables.items() if "run_id" in columns]


def _parquet(rows: _Rows, path: Path) -> None:
    import duckdb

    quoted = str(path).replace("'", "''")
    copy = f"COPY ({rows.sql}) TO '{quoted}' (FORMAT parquet, COMPRESSION zstd)"
    try:
        rows.connection.execute(copy, {"run": rows.run_id})
    except duckdb.IOException as error:
        # Not the database's fault, as it would be anywhere else.
        raise StoreError(f"Cannot write {path}: {error}", hint="Is there space left?") from error


def _csv(rows: _Rows, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(rows.columns)
        writer.writerows([_csv_cell(value) for value in row] for row in rows)


def _csv_cell(value: Any) -> Any:
    if isinstance(value, str):
        value = value.replace("\0", "\ufffd")  # many readers stop at it
        return f"'{value}" if value.startswith(_FORMULA) else value
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value.isoformat()}Z" if isinstance(value, datetime) else value


def _jsonl(rows: _Rows, path: Path) -> None:
    with path.open("wb") as file:
        for row in rows:
            cells = zip(rows.columns.items(), row, strict=True)
            line = {name: _json_cell(value, kind) for (name, kind), value in cells}
            file.write(encode(line) + b"\n")


def _json_cell(value: Any, kind: str) -> Any:
    if kind == "JSON" and value is not None:
        return json.loads(value)
    return f"{value.isoformat()}Z" if isinstance(value, datetime) else value


_WRITERS: dict[str, Callable[[_Rows, Path], None]] = {"parquet": _parquet, "csv": _csv, "jsonl": _jsonl}


def _latex(run: RunDir, out: Path) -> Path:
    """One table a judge: rows of different judges are never mixed."""
    model = str(run.manifest.get("model", ""))
    tables = []
    for key, identity in run.judges().items():
        name = str(identity.get("judge", ""))
        tables.append(latex_table(run.id, model, f"{name} ({key})" if name else key, run.metrics(key)))
    text = "\n".join(tables)
    path = out / "metrics.tex"
    write_whole(path, text.encode())
    return path
