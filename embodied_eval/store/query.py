"""Read-only SQL over every trajectory: nothing but the store can be read, and nothing written."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from embodied_eval.errors import UsageError
from embodied_eval.store.database import database_errors, readable

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from embodied_eval.store.runs import Store

_HINT = 'docs/store.md has the schema and examples; `embodied-eval query "SHOW TABLES"` lists the tables.'


def connect(store: Store) -> DuckDBPyConnection:
    """A connection to the store's database: read-only, without access to files, network or extensions, its
    configuration locked, with limits on memory and threads. Close it soon: it keeps the collector waiting.

    Raises DataFileError where there is no database yet, StoreBusy after 2 s, CorruptDatabase, SchemaMismatch.
    """
    return readable(store.database)


def query(
    store: Store, sql: str, *, max_rows: int = 10_000, timeout_s: float = 60.0
) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """The column names and at most `max_rows` rows that one SELECT, SHOW, DESCRIBE or EXPLAIN yields.

    Raises UsageError for any other statement, for several, for a mistake in the SQL, and when `timeout_s`
    seconds are over; otherwise as `connect`.
    """
    import duckdb

    try:
        sql.encode()
    except UnicodeEncodeError as error:
        raise UsageError(f"The query is not Unicode text: {error.reason}.") from error
    connection = connect(store)
    late = threading.Event()

    def stop() -> None:
        late.set()
        connection.interrupt()

    timer = threading.Timer(timeout_s, stop)
    timer.daemon = True
    timer.start()
    try:
        with database_errors(store.database):
            statement = _single(connection, sql)
            result = connection.execute(statement)
            rows = result.fetchmany(max_rows)
            return tuple(column[0] for column in result.description or ()), rows
    except duckdb.Error as error:
        if late.is_set():
            raise UsageError(f"The query was stopped after {timeout_s:g} s.", hint="Ask for less.") from error
        raise UsageError(f"The query cannot be run: {error}", hint=_HINT) from error
    finally:
        timer.cancel()
        connection.close()


def _single(connection: DuckDBPyConnection, sql: str) -> Any:
    import duckdb

    statements = connection.extract_statements(sql)
    if len(statements) != 1:
        raise UsageError(f"One statement is expected, not {len(statements)}.", hint=_HINT)
    legal = (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN)
    if statements[0].type not in legal:
        kind = str(statements[0].type).rsplit(".", 1)[-1]
        raise UsageError(f"{kind} is not allowed: the database is for reading.", hint=_HINT)
    return statements[0]
