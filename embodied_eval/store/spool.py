"""The spool of one attempt: JSON lines, on disk at every step, the last of them the receipt."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Literal

from embodied_eval.errors import PluginError, StoreError
from embodied_eval.records import Event, FrameRef, Json, ModelCall, Step, VisibilityRow
from embodied_eval.store.encoding import as_json, encode
from embodied_eval.store.layout import disk_errors, spool_name, sync_folder, write_all
from embodied_eval.store.records_io import Receipt
from embodied_eval.store.tables import PluginTable

SPOOL_SCHEMA = "embodied-eval/spool/1"


class _Lines:
    """One appended file. Lines wait in memory until `flush`; a write that fails leaves whole lines only,
    and those it could not write wait for the next."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0
        self._waiting: list[bytes] = []
        self._size = 0
        self._descriptor = -1

    def add(self, line: Mapping[str, Json]) -> None:
        self._waiting.append(encode(line))
        self.count += 1

    def open(self) -> None:
        """Create the file; the attempt belongs to whoever created it."""
        with disk_errors(self.path):
            try:
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_BINARY", 0)
                self._descriptor = os.open(self.path, flags, 0o644)
            except FileExistsError as error:
                raise StoreError(
                    f"{self.path} exists already: another worker plays this attempt.",
                    hint="Ask the run for the next attempt's number.",
                ) from error
            sync_folder(self.path.parent)

    def flush(self) -> None:
        """Write what waits and force it to the disk. Raises DiskFull or StoreError; nothing is lost then."""
        if not self._waiting:
            return
        if self._descriptor < 0:
            self.open()
        data = b"\n".join(self._waiting) + b"\n"
        with disk_errors(self.path):
            try:
                write_all(self._descriptor, data)
            except OSError:
                # A part may be written: without this cut, the next line would stand behind half a line.
                os.ftruncate(self._descriptor, self._size)
                raise
            self._size += len(data)
            self._waiting.clear()
            os.fsync(self._descriptor)

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class EpisodeWriter:
    """Writes one attempt at an episode. Safe to call from several threads; use it as a context manager.

    What tells the truth (visibility, private events, rows of private tables) goes to a file of its own
    below `private/`. `step` and `receipt` return when all that was recorded before is on the disk; the rest
    waits in memory. Every method may raise DiskFull: what was recorded stays, and the next call that writes
    tries again.
    """

    def __init__(
        self, run_path: Path, episode_key: str, attempt: int, tables: Mapping[str, PluginTable]
    ) -> None:
        name = spool_name(episode_key, attempt)
        self.episode_key, self.attempt = episode_key, attempt
        self.path = run_path / "spool" / name
        self._tables = tables
        self._public = _Lines(self.path)
        self._private = _Lines(run_path / "private" / name)
        self._lock = threading.Lock()
        self._state: Literal["open", "ended", "closed"] = "open"
        self._public.open()

    def start(self, fields: Mapping[str, Json]) -> None:
        """Record what the episode starts from: any JSON object without truth in it."""
        head = {"schema": SPOOL_SCHEMA, "episode_key": self.episode_key, "attempt": self.attempt}
        self._add({"line": "start", **head, "fields": fields})

    def call(self, call: ModelCall) -> None:
        """Record a model call."""
        self._add({"line": "call", **as_json(call)})

    def step(self, step: Step) -> None:
        """Record a step; it and all before it are on the disk when this returns."""
        self._add({"line": "step", **as_json(step)}, flush=True)

    def event(self, event: Event) -> None:
        """Record an event, in the private spool if it is private."""
        self._add({"line": "event", **as_json(event)}, private=event.private)

    def frame(self, frame: FrameRef) -> None:
        """Record a frame that belongs to no step."""
        self._add({"line": "frame", **as_json(frame)})

    def visibility(self, rows: Sequence[VisibilityRow]) -> None:
        """Record what a frame shows of the watched objects; always private."""
        if rows:
            self._add({"line": "visibility", "rows": [as_json(row) for row in rows]}, private=True)

    def row(self, table: str, row: Mapping[str, Json], private: bool = False) -> None:
        """Add a row to one of the benchmark's own tables, in the private spool if the table is private.

        Raises PluginError for a table that the run does not declare, a value that does not fit, and a
        `private` row for a table that is public: there it could not be told apart.
        """
        declared = self._tables.get(table)
        if declared is None:
            known = ", ".join(self._tables) or "none"
            raise PluginError(f"The table {table[:80]!r} is not declared.", hint=f"Declared: {known}.")
        if private and not declared.private:
            raise PluginError(
                f"The table {table!r} is public.", hint="Declare it with TableSpec(private=True)."
            )
        declared.check(row)
        self._add({"line": "row", "table": table, "row": dict(row)}, private=declared.private)

    def receipt(self, receipt: Receipt) -> None:
        """End the attempt: the last line, on the disk when this returns. Nothing may follow."""
        if (receipt.episode_key, receipt.attempt) != (self.episode_key, self.attempt):
            raise StoreError(
                f"The receipt of {receipt.episode_key}.{receipt.attempt} is not for {self.path}."
            )
        with self._lock:
            # A receipt that a full disk held back is written by asking again.
            if self._state != "ended":
                self._must_be_open()
                if self._private.count:
                    self._private.add({"line": "end", "lines": self._private.count})
                self._public.add({"line": "receipt", **as_json(receipt)})
                self._state = "ended"
            self._flush()

    def close(self) -> None:
        """Write what waits and close. Without a receipt the attempt stays incomplete and will be repeated."""
        with self._lock:
            if self._state == "closed":
                return
            try:
                self._flush()
            finally:
                self._state = "closed"
                self._public.close()
                self._private.close()

    def __enter__(self) -> EpisodeWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _add(self, line: dict[str, Json], *, private: bool = False, flush: bool = False) -> None:
        with self._lock:
            self._must_be_open()
            if private:
                self._private.add({**line, "after": self._public.count})
            else:
                self._public.add(line)
            if flush:
                self._flush()

    def _must_be_open(self) -> None:
        if self._state != "open":
            raise StoreError(f"{self.path} is {self._state}; nothing can be recorded behind its end.")

    def _flush(self) -> None:
        # The private file first: a step that is on disk has its visibility rows on disk too.
        self._private.flush()
        self._public.flush()
