"""Opening store.duckdb: to fill it, one process at a time under `store.lock`; to read it, any number."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from embodied_eval.errors import (
    CorruptDatabase,
    DataFileError,
    DiskFull,
    MissingPart,
    SchemaMismatch,
    StoreBusy,
    StoreError,
)
from embodied_eval.store.layout import DATABASE_SCHEMA, LOCK_FILE, disk_errors
from embodied_eval.store.schema import schema_sql

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from embodied_eval.store.runs import Store

READ_WAIT_S = 2.0
WRITE_WAIT_S = 60.0
_POLL_S = 0.02

_ISOLATED: Mapping[str, str] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
}
_READ_ONLY: Mapping[str, str] = {
    **_ISOLATED,
    "memory_limit": "1GB",
    "max_temp_directory_size": "4GB",
    "threads": "4",
}
_SEALED: Mapping[str, str] = {"enable_external_access": "false", "lock_configuration": "true"}


@contextlib.contextmanager
def locked(store: Store, *, wait_s: float = WRITE_WAIT_S) -> Iterator[None]:
    """Hold `store.lock`, alone on this machine. Raises StoreBusy after `wait_s`."""
    path = store.root / LOCK_FILE
    with disk_errors(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        _wait_for(lambda: _try_lock(descriptor), wait_s, f"{path} is held by another process")
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def writable(path: Path, *, wait_s: float = WRITE_WAIT_S) -> Iterator[DuckDBPyConnection]:
    """A connection that may fill the database at `path`, made with our schema if it is not there, in one
    transaction: all of the block's changes or none. The caller holds the lock.

    Raises StoreBusy while readers keep it open for longer than `wait_s`, CorruptDatabase, SchemaMismatch,
    DiskFull.
    """
    connection = _connect(path, dict(_ISOLATED), read_only=False, wait_s=wait_s)
    try:
        with database_errors(path):
            connection.begin()
            if not _tables(connection):
                connection.execute(schema_sql())
                connection.execute("INSERT INTO meta VALUES (?)", [DATABASE_SCHEMA])
            check_version(connection, path)
            yield connection
            connection.commit()
    finally:
        connection.close()  # what was not committed is undone


def readable(path: Path, *, files: bool = False, wait_s: float = READ_WAIT_S) -> DuckDBPyConnection:
    """A connection that can read the database at `path` and nothing else on this machine; with `files`, for
    statements of ours alone, it can write files.

    Raises DataFileError where there is no database, StoreBusy while it is being filled for longer than
    `wait_s`, CorruptDatabase, SchemaMismatch.
    """
    if not path.exists():
        raise DataFileError(
            f"There is no database at {path}.",
            hint="`embodied-eval db rebuild` makes it from the spools.",
        )
    config = {**_READ_ONLY, **({} if files else _SEALED)}
    connection = _connect(path, config, read_only=True, wait_s=wait_s)
    try:
        with database_errors(path):
            check_version(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def wal(path: Path) -> Path:
    """DuckDB's own journal beside a database."""
    return path.with_name(f"{path.name}.wal")


def check_version(connection: DuckDBPyConnection, path: Path) -> None:
    """Raise SchemaMismatch unless the database is of the schema this version reads."""
    found = connection.execute("SELECT schema_version FROM meta").fetchone() if _tables(connection) else None
    if found is None or found[0] != DATABASE_SCHEMA:
        raise SchemaMismatch(
            f"{path} has schema {found[0] if found else 'unknown'}; this version reads {DATABASE_SCHEMA}.",
            hint="`embodied-eval db rebuild` makes it anew from the spools.",
        )


@contextlib.contextmanager
def database_errors(path: Path) -> Iterator[None]:
    """Turn DuckDB's errors about the file at `path` into ours; others pass."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        text = str(error)
        if "No space left" in text or "could not write" in text.lower():
            raise DiskFull(
                f"No space left to write {path}.",
                hint="The spools are intact. Free some space, then run `embodied-eval db rebuild`.",
            ) from error
        if isinstance(error, (duckdb.IOException, duckdb.SerializationException)) or "orrupt" in text:
            raise _corrupt(path, error) from error
        if isinstance(error, (duckdb.ConversionException, duckdb.ConstraintException)):
            raise StoreError(f"A stored value does not fit its column in {path}: {text[:300]}") from error
        raise


def _connect(path: Path, config: dict[str, Any], *, read_only: bool, wait_s: float) -> DuckDBPyConnection:
    import duckdb

    if not hasattr(duckdb.DuckDBPyConnection, "appender"):
        raise MissingPart(
            f"The store needs DuckDB 2; this is {duckdb.__version__}.", fix="python -m pip install -U duckdb"
        )
    made: list[DuckDBPyConnection] = []

    def attempt() -> bool:
        try:
            made.append(duckdb.connect(str(path), read_only=read_only, config=config))
        except duckdb.ConnectionException:
            return False  # open in this process, to read or to fill it
        except duckdb.IOException as error:
            if "set lock" in str(error) or "being used by another process" in str(error):
                return False
            raise _corrupt(path, error) from error
        except duckdb.Error as error:
            raise _corrupt(path, error) from error
        return True

    _wait_for(attempt, wait_s, f"{path} is open elsewhere")
    return made[0]


def _corrupt(path: Path, error: Exception) -> StoreError:
    return CorruptDatabase(
        f"{path} cannot be read: {str(error).splitlines()[0][:200]}",
        hint="Nothing is lost: `embodied-eval db rebuild` makes it anew from the spools.",
    )


def _tables(connection: DuckDBPyConnection) -> bool:
    return (
        connection.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = 'meta'").fetchone() is not None
    )


def _wait_for(attempt: Callable[[], bool], wait_s: float, what: str) -> None:
    deadline = time.monotonic() + wait_s
    while not attempt():
        if time.monotonic() >= deadline:
            raise StoreBusy(
                f"{what}; waited {wait_s:g} s.",
                hint="The spools can still be read; try again when the run has finished its batch.",
            )
        time.sleep(_POLL_S)


if os.name == "nt":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
