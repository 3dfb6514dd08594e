"""What judges said about a run: one appended file of verdicts and model calls a judge, later verdicts replacing earlier."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from embodied_eval.errors import DataFileError
from embodied_eval.records import Json, Metric, ModelCall, Verdict
from embodied_eval.store.encoding import as_json, encode
from embodied_eval.store.layout import disk_errors, read_document, sync_folder, write_all, write_whole
from embodied_eval.store.records_io import call_from, metric_from, read_lines, verdict_from

JUDGE_SCHEMA = "embodied-eval/judge/1"
_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]{0,99}")


class Judgements:
    """The folder `judgements/` of one run. One process judges with one judge at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def save(
        self,
        judge_key: str,
        identity: Mapping[str, Json],
        episode_key: str,
        verdicts: Sequence[Verdict] | None,
        calls: Sequence[ModelCall] = (),
    ) -> None:
        """Store an episode's verdicts (None = there are none, those before stay) and the calls that they took; on the
        disk when this returns."""
        head = self._file(judge_key, "json")
        if not head.exists():
            with disk_errors(head):
                self.folder.mkdir(exist_ok=True)
            self._write_head(judge_key, identity)
        line: dict[str, Json] = {"episode_key": episode_key}
        if verdicts is not None:
            line["verdicts"] = [as_json(verdict) for verdict in verdicts]
        if calls:
            line["calls"] = [as_json(call) for call in calls]
        _append(self._file(judge_key, "jsonl"), encode(line))

    def verdicts(self, judge_key: str) -> dict[str, tuple[Verdict, ...]]:
        """The verdicts by episode key; empty for a judge that has said nothing."""
        return {key: verdicts for key, verdicts, _ in self._lines(judge_key) if verdicts is not None}

    def calls(self, judge_key: str) -> dict[str, tuple[ModelCall, ...]]:
        """The model calls by episode key, numbered in order; those of verdicts that were replaced too, since they were
        made and paid for."""
        made: dict[str, list[ModelCall]] = {}
        for key, _, calls in self._lines(judge_key):
            if calls:
                made.setdefault(key, []).extend(calls)
        return {
            key: tuple(replace(call, index=number) for number, call in enumerate(calls))
            for key, calls in made.items()
        }

    def _lines(
        self, judge_key: str
    ) -> Iterator[tuple[str, tuple[Verdict, ...] | None, tuple[ModelCall, ...]]]:
        path = self._file(judge_key, "jsonl")
        if not path.exists():
            return
        try:
            for line in read_lines(path):
                calls = tuple(call_from(item) for item in line.get("calls", ()))
                stopped = calls and "verdicts" not in line
                verdicts = None if stopped else tuple(verdict_from(item) for item in line["verdicts"])
                yield str(line["episode_key"]), verdicts, calls
        except (KeyError, TypeError) as error:
            raise DataFileError(f"{path} is not a file of verdicts: {error!r}.") from error

    def judges(self) -> dict[str, Mapping[str, Json]]:
        """The identity of every judge that judged some of the run, by judge key, in the order of coming."""
        heads = [
            read_document(path, "judge's identity", JUDGE_SCHEMA)
            for path in self.folder.glob("*.json")
            if not path.name.endswith(".metrics.json")
        ]
        heads.sort(key=lambda head: (str(head["began_at"]), str(head["judge_key"])))
        return {str(head["judge_key"]): head["identity"] for head in heads}

    def save_metrics(
        self, judge_key: str, metrics: Sequence[Metric], identity: Mapping[str, Json] | None = None
    ) -> None:
        """Replace the metrics that follow from this judge's verdicts (which may be none at all)."""
        path = self._file(judge_key, "metrics.json")
        with disk_errors(path):
            self.folder.mkdir(exist_ok=True)
        if not self._file(judge_key, "json").exists():
            self._write_head(judge_key, identity or {})
        document = {"schema": JUDGE_SCHEMA, "metrics": [as_json(metric) for metric in metrics]}
        write_whole(path, encode(document))

    def metrics(self, judge_key: str) -> tuple[Metric, ...]:
        """The metrics saved last; empty where none were."""
        path = self._file(judge_key, "metrics.json")
        if not path.exists():
            return ()
        try:
            return tuple(
                metric_from(item) for item in read_document(path, "list of metrics", JUDGE_SCHEMA)["metrics"]
            )
        except (KeyError, TypeError) as error:
            raise DataFileError(f"{path} is not a list of metrics: {error!r}.") from error

    def _write_head(self, judge_key: str, identity: Mapping[str, Json]) -> None:
        began_at = datetime.now(UTC).isoformat(timespec="microseconds")
        head = {"judge_key": judge_key, "identity": identity, "began_at": began_at}
        document = {"schema": JUDGE_SCHEMA, **head}
        write_whole(self._file(judge_key, "json"), encode(document))

    def _file(self, judge_key: str, ending: str) -> Path:
        stem = judge_key
        # A model's name holds slashes, and "A" is "a" on some file systems.
        if not _PLAIN.fullmatch(judge_key):
            slug = re.sub(r"[^a-z0-9]+", "-", judge_key.lower()).strip("-")[:60] or "judge"
            stem = f"{slug}-{hashlib.sha256(judge_key.encode('utf-8', 'replace')).hexdigest()[:12]}"
        return self.folder / f"{stem}.{ending}"


def _append(path: Path, line: bytes) -> None:
    """Add a line and force it to the disk; a failed or torn write leaves no half line behind."""
    with disk_errors(path):
        fresh = not path.exists()
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
        try:
            size = _whole_lines(descriptor)
            os.lseek(descriptor, size, os.SEEK_SET)
            try:
                write_all(descriptor, line + b"\n")
            except OSError:
                os.ftruncate(descriptor, size)
                raise
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if fresh:
            sync_folder(path.parent)


def _whole_lines(descriptor: int) -> int:
    """The length up to the last line's end, to which the file is cut where a killed writer left more."""
    size = end = os.lseek(descriptor, 0, os.SEEK_END)
    while end:
        begin = max(0, end - 4096)
        os.lseek(descriptor, begin, os.SEEK_SET)
        found = os.read(descriptor, end - begin).rfind(b"\n")
        if found >= 0:
            end = begin + found + 1
            break
        end = begin
    if end < size:
        os.ftruncate(descriptor, end)
    return end
