"""Names of the store's files, and the one way they are written: whole, or not at all."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from embodied_eval.errors import DataFileError, DiskFull, SchemaMismatch, StoreError, UsageError
from embodied_eval.records import Json

STORE_SCHEMA = "embodied-eval/store/1"
RUN_SCHEMA = "embodied-eval/run/1"
DATABASE_SCHEMA = 2

STORE_FILE = "store.json"
DATABASE_FILE = "store.duckdb"
LOCK_FILE = "store.lock"
RUN_FILE = "run.json"
PRIVATE_TASKS_FILE = "tasks.json"

_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,159}")
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def file_name(what: str, name: str) -> str:
    """`name`, if it may be a file's or folder's name here; raises UsageError otherwise."""
    if not _FILE_NAME.fullmatch(name) or ".." in name:
        raise UsageError(
            f"The {what} {name[:80]!r} cannot name a file.",
            hint="Legal: letters, digits and . _ @ + - , beginning with a letter or digit, at most 160.",
        )
    return name


def episode_key(key: str) -> str:
    """`key`, if it may be an episode's key (it names spool files); raises UsageError otherwise."""
    if not _KEY.fullmatch(key):
        raise UsageError(f"{key[:80]!r} is no episode key.", hint="Keys are hexadecimal digits.")
    return key


def spool_name(key: str, attempt: int) -> str:
    """The file name of an attempt's spool, the same in `spool/` and `private/`."""
    return f"{episode_key(key)}.{attempt}.jsonl"


def parse_spool_name(name: str) -> tuple[str, int] | None:
    """(episode key, attempt) of a spool's file name, None for any other file."""
    parts = name.split(".")
    if len(parts) != 3 or parts[2] != "jsonl" or not parts[1].isascii() or not parts[1].isdigit():
        return None
    return (parts[0], int(parts[1])) if _KEY.fullmatch(parts[0]) else None


@contextlib.contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn a full disk into DiskFull and any other failure of a write below `path` into StoreError."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise DiskFull(
                f"No space left to write {path} ({os.strerror(error.errno or 0)}).",
                hint="What was written before is intact. Free some space, then run again with --resume.",
            ) from error
        raise StoreError(
            f"Cannot write {path}: {error.strerror or error}.",
            hint="Check that the folder exists and may be written, or name another with --store.",
        ) from error


def write_whole(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that a reader sees the old file or the new one, never a part of it.

    Durable when it returns. Raises DiskFull or StoreError; then `path` is as it was.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}.tmp")
    with disk_errors(path):
        try:
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
            try:
                write_all(descriptor, data)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def write_all(descriptor: int, data: bytes) -> None:
    """os.write until all of `data` is written."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def sync_folder(folder: Path) -> None:
    """Make the names just created in `folder` durable, where the system can."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_json(path: Path, what: str) -> Any:
    """The JSON value in `path`. Raises DataFileError that names the file and says what is wrong."""
    try:
        return json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise DataFileError(f"There is no {what} at {path}.") from error
    except OSError as error:
        raise DataFileError(f"Cannot read {what} {path}: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        raise DataFileError(f"{path} is not a {what}: {error}.") from error


def read_document(path: Path, what: str, schema: str) -> dict[str, Json]:
    """The JSON object in `path`, which must say `"schema": schema`.

    Raises DataFileError for a file that is no such object, SchemaMismatch for another version.
    """
    value = read_json(path, what)
    if not isinstance(value, Mapping):
        raise DataFileError(f"{path} is not a {what}: a JSON object is expected.")
    found = value.get("schema")
    if found != schema:
        family = schema.rsplit("/", 1)[0] + "/"
        if isinstance(found, str) and found.startswith(family):
            raise SchemaMismatch(
                f"{path} has schema {found!r}; this version reads {schema!r}.",
                hint="Use the version of embodied-eval that wrote it, or another --store.",
            )
        raise DataFileError(f'{path} is not a {what}: it does not say "schema": "{schema}".')
    return dict(value)
