"""How cache and cassettes are written: a file whole or not at all, a line whole or torn at the very end."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from embodied_eval.errors import DiskFull, StoreError

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def write_whole(path: Path, data: bytes) -> None:
    """Write `data` to `path`; a reader, also in another process, sees all of it or none.

    Folders are made. Raises DiskFull or StoreError; then `path` is as it was.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}.tmp")
    with _disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with temporary.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def append(path: Path, data: bytes) -> None:
    """Append `data` to `path`. Raises DiskFull or StoreError."""
    with _disk_errors(path), path.open("ab") as file:
        file.write(data)


@contextlib.contextmanager
def _disk_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise DiskFull(f"No space left to write {path}.", hint="Free some space, then resume.") from error
        raise StoreError(
            f"Cannot write {path}: {error.strerror or error}.",
            hint="Check that the folder may be written, or name another.",
        ) from error
