"""The store and its runs: what is where, found by name."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from embodied_eval.errors import DataFileError, StoreError, UnknownName, UsageError
from embodied_eval.records import COUNTED, Json, Metric, ModelCall, Verdict
from embodied_eval.store import layout
from embodied_eval.store.encoding import encode
from embodied_eval.store.frames import FrameStore
from embodied_eval.store.judgements import Judgements
from embodied_eval.store.records_io import EpisodeData, Receipt, read_episode, receipt_from
from embodied_eval.store.spool import EpisodeWriter
from embodied_eval.store.tables import PluginTable, plugin_tables

_TAIL_BYTES = 8192
_DRAWN = re.compile(r"-[0-9a-f]{4}$")


class Store:
    """A store's folder. Make one with `open`; any number of processes may hold the same."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.frames = FrameStore(root / "frames")

    @classmethod
    def open(cls, path: Path, *, create: bool = True) -> Store:
        """The store at `path`, made there if there is none and `create` is set.

        Raises SchemaMismatch for a store of another schema version, DataFileError where there is no store
        and none may be made: `create` is off, or the folder holds other files.
        """
        path = Path(path).absolute()
        head = path / layout.STORE_FILE
        if not head.exists():
            if not create:
                raise DataFileError(
                    f"There is no store at {path}.",
                    hint="Name one with --store or EMBODIED_EVAL_STORE; `embodied-eval run` makes one.",
                )
            if path.exists() and (
                not path.is_dir() or (any(path.iterdir()) and not (path / "runs").is_dir())
            ):
                raise DataFileError(
                    f"{path} is not a store, and not an empty folder either.", hint="Name another folder."
                )
            with layout.disk_errors(path):
                (path / "runs").mkdir(parents=True, exist_ok=True)
                (path / "frames").mkdir(exist_ok=True)
            layout.write_whole(head, encode({"schema": layout.STORE_SCHEMA}))
        layout.read_document(head, "store", layout.STORE_SCHEMA)
        return cls(path)

    @property
    def database(self) -> Path:
        """The derived database's file, which may not exist yet."""
        return self.root / layout.DATABASE_FILE

    def create_run(self, manifest: Mapping[str, Json], private_tasks: Mapping[str, Json]) -> RunDir:
        """A new run from its manifest (`run_id`, plan, tables ...) and the tasks' private halves by task id.

        Where another run of the same second drew the same four digits, they are drawn anew. Raises StoreError if
        there is a run of that id and it ends in no such digits, PluginError for illegal tables.
        """
        if manifest.get("schema") != layout.RUN_SCHEMA:
            raise UsageError(
                f'A manifest says "schema": "{layout.RUN_SCHEMA}", not {manifest.get("schema")!r}.'
            )
        plugin_tables(str(manifest["benchmark"]), manifest.get("tables", {}))
        path = self._claimed(str(manifest["run_id"]))
        manifest = {**manifest, "run_id": path.name}
        with layout.disk_errors(path):
            for folder in (path / "spool", path / "private"):
                folder.mkdir(parents=True, exist_ok=True)
        layout.write_whole(path / "private" / layout.PRIVATE_TASKS_FILE, encode(dict(private_tasks)))
        # Last: a folder without run.json is no run.
        layout.write_whole(path / layout.RUN_FILE, _manifest_bytes(manifest))
        layout.sync_folder(path)
        layout.sync_folder(path.parent)
        return RunDir(self, path)

    def _claimed(self, run_id: str) -> Path:
        """The new folder of a run of that id, made in one go: two processes never share one."""
        while True:
            path = self.root / "runs" / layout.file_name("run id", run_id)
            with layout.disk_errors(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                with contextlib.suppress(FileExistsError):
                    path.mkdir()
                    return path
            stem, drawn = _DRAWN.subn("", run_id)
            if not drawn:
                raise StoreError(
                    f"There is a run {path.name!r} already.", hint="Resume it, or take another run id."
                )
            run_id = f"{stem}-{secrets.token_hex(2)}"

    def runs(self) -> list[RunDir]:
        """All runs, newest first."""
        return sorted(
            self.folders(), key=lambda run: (str(run.manifest.get("created_at", "")), run.id), reverse=True
        )

    def folders(self) -> list[RunDir]:
        """All runs by id, their manifests not read yet."""
        found = sorted((self.root / "runs").glob(f"*/{layout.RUN_FILE}"))
        return [RunDir(self, path.parent) for path in found]

    def run(self, ref: str | None) -> RunDir:
        """The run with this id, or the only one whose id begins so; None = the store's only run.

        Raises UnknownName where that is no run or several.
        """
        ids = [run.id for run in self.folders()]
        found = [name for name in ids if name == ref] or [name for name in ids if name.startswith(ref or "")]
        if len(found) != 1:
            if found:
                what, hint = (
                    "single run in" if ref is None else "single run called",
                    f"Name one of: {', '.join(found[:10])}.",
                )
            else:
                what, hint = (
                    "run in" if ref is None else "run",
                    "" if ids else f"The store {self.root} holds none.",
                )
            raise UnknownName(what, str(self.root) if ref is None else ref, ids, hint=hint)
        return RunDir(self, self.root / "runs" / found[0])

    @staticmethod
    def resolve(ref: str | None, store_path: Path) -> tuple[Store, RunDir]:
        """What RUN means on the command line: a run's folder, the folder of a store that holds exactly one
        run, or a run id (or its beginning) in the store at `store_path`. Makes nothing."""
        if ref:
            folder = Path(ref).absolute()
            if (folder / layout.RUN_FILE).is_file():
                store = Store.open(folder.parent.parent, create=False)
                return store, store.run(folder.name)
            if (folder / layout.STORE_FILE).is_file():
                store = Store.open(folder, create=False)
                return store, store.run(None)
        store = Store.open(store_path, create=False)
        return store, store.run(ref)


class RunDir:
    """One run's folder: its manifest, its spools, the truth beside them, and what judges said."""

    def __init__(self, store: Store, path: Path) -> None:
        self.store, self.path = store, path
        self.id = path.name
        self.judgements = Judgements(path / "judgements")
        self._manifest: dict[str, Json] | None = None
        self._tables: dict[str, PluginTable] | None = None

    @property
    def manifest(self) -> dict[str, Json]:
        """The content of run.json, read once."""
        if self._manifest is None:
            self._manifest = layout.read_document(self.path / layout.RUN_FILE, "run", layout.RUN_SCHEMA)
        return self._manifest

    def update_manifest(self, **fields: Json) -> None:
        """Replace fields of run.json as it is on the disk now."""
        path = self.path / layout.RUN_FILE
        manifest = {**layout.read_document(path, "run", layout.RUN_SCHEMA), **fields}
        layout.write_whole(path, _manifest_bytes(manifest))
        self._manifest, self._tables = manifest, None

    def replace_plan(self, manifest: Mapping[str, Json], private_tasks: Mapping[str, Json]) -> None:
        """Take over the plan, tasks and conditions of `manifest`, which must contain the present ones: a
        resumed run that was given more to do."""
        path = self.path / "private" / layout.PRIVATE_TASKS_FILE
        layout.write_whole(path, encode({**self.private_tasks(), **private_tasks}))
        self.update_manifest(
            **{name: manifest[name] for name in ("plan", "tasks", "conditions", "suite_hash", "config")}
        )

    def discard(self) -> None:
        """Remove a run in which nothing was finished. Raises StoreError if something was."""
        if self.receipts():
            raise StoreError(f"The run {self.id} holds finished episodes; it is kept.")
        with layout.disk_errors(self.path):
            shutil.rmtree(self.path)

    @property
    def tables(self) -> dict[str, PluginTable]:
        """The benchmark's own tables, by the plugin's name for them."""
        if self._tables is None:
            manifest = self.manifest
            self._tables = plugin_tables(str(manifest["benchmark"]), manifest.get("tables", {}))
        return self._tables

    def private_tasks(self) -> dict[str, Json]:
        """The tasks' private halves, by task id."""
        path = self.path / "private" / layout.PRIVATE_TASKS_FILE
        value = layout.read_json(path, "file of private tasks")
        if not isinstance(value, dict):
            raise DataFileError(f"{path} is not a file of private tasks: a JSON object is expected.")
        return value

    def writer(self, episode_key: str, attempt: int) -> EpisodeWriter:
        """Begin an attempt. Raises StoreError if it was begun before, by whomever."""
        return EpisodeWriter(self.path, episode_key, attempt, self.tables)

    def next_attempt(self, episode_key: str) -> int:
        """The smallest attempt number, from 1, that nobody has begun."""
        attempt = 1
        while self._begun(episode_key, attempt):
            attempt += 1
        return attempt

    def attempts(self) -> dict[str, list[int]]:
        """The attempts begun, in order, by episode key."""
        found: dict[str, list[int]] = {}
        for name in self._spool_names():
            parsed = layout.parse_spool_name(name)
            if parsed:
                found.setdefault(parsed[0], []).append(parsed[1])
        return {key: sorted(numbers) for key, numbers in sorted(found.items())}

    def receipts(self) -> dict[str, Receipt]:
        """The receipt of the attempt that stands for its episode, by episode key: the first complete one
        that counts for the model; where none does, the latest complete one. Reads the files' ends only."""
        found = {key: self._choose(key, numbers) for key, numbers in self.attempts().items()}
        return {key: receipt for key, receipt in found.items() if receipt}

    def chosen(self, episode_key: str) -> Receipt | None:
        """As `receipts`, for one episode; None where no attempt is complete."""
        return self._choose(episode_key, range(1, self.next_attempt(episode_key)))

    def receipt(self, episode_key: str, attempt: int) -> Receipt | None:
        """The receipt of one attempt, None where it is not complete."""
        line = _last_line(self.path / "spool" / layout.spool_name(episode_key, attempt))
        if not line.startswith(b'{"line":"receipt"'):
            return None
        try:
            return receipt_from(json.loads(line))
        except (ValueError, TypeError):
            return None

    def partial(self, episode_key: str) -> int:
        """How many attempts at an episode have no receipt."""
        numbers = range(1, self.next_attempt(episode_key))
        return sum(self.receipt(episode_key, number) is None for number in numbers)

    def episode(self, episode_key: str, attempt: int | None = None) -> EpisodeData:
        """Everything stored about one attempt: the one asked for, else the one that `receipts` names, else
        the latest. Raises UnknownName where there is none, CorruptSpool for a damaged file."""
        count = self.next_attempt(episode_key) - 1
        if attempt is None:
            chosen = self.chosen(episode_key)
            attempt = chosen.attempt if chosen else count
        name = layout.spool_name(episode_key, attempt)
        spool = self.path / "spool" / name
        if not spool.exists():
            raise UnknownName("stored episode", episode_key, self.attempts())
        return read_episode(spool, self.path / "private" / name, episode_key, attempt)

    def save_verdicts(
        self,
        judge_key: str,
        identity: Mapping[str, Json],
        episode_key: str,
        verdicts: Sequence[Verdict] | None,
        calls: Sequence[ModelCall] = (),
    ) -> None:
        """Store what a judge said about an episode, in the place of what it said before (None = it was stopped: that
        stays), and the model calls that it took, beside those before."""
        self.judgements.save(judge_key, identity, episode_key, verdicts, calls)

    def verdicts(self, judge_key: str) -> dict[str, tuple[Verdict, ...]]:
        """A judge's verdicts, by episode key."""
        return self.judgements.verdicts(judge_key)

    def judge_calls(self, judge_key: str) -> dict[str, tuple[ModelCall, ...]]:
        """The model calls of a judge, by episode key: all that were ever made, in order."""
        return self.judgements.calls(judge_key)

    def judges(self) -> dict[str, Mapping[str, Json]]:
        """The identities of the judges that judged this run, by judge key."""
        return self.judgements.judges()

    def save_metrics(
        self, judge_key: str, metrics: Sequence[Metric], identity: Mapping[str, Json] | None = None
    ) -> None:
        """Store the run's metrics under a judge, in the place of those before."""
        self.judgements.save_metrics(judge_key, metrics, identity)

    def metrics(self, judge_key: str) -> tuple[Metric, ...]:
        """The run's metrics under a judge."""
        return self.judgements.metrics(judge_key)

    def _choose(self, episode_key: str, attempts: Iterable[int]) -> Receipt | None:
        complete = [found for number in attempts if (found := self.receipt(episode_key, number))]
        # By time, not number: a late first attempt must not displace one that was judged already.
        complete.sort(key=lambda found: (found.finished_at, found.attempt))
        counted = [found for found in complete if found.status in COUNTED]
        return counted[0] if counted else complete[-1] if complete else None

    def _begun(self, episode_key: str, attempt: int) -> bool:
        name = layout.spool_name(episode_key, attempt)
        return (self.path / "spool" / name).exists() or (self.path / "private" / name).exists()

    def _spool_names(self) -> Iterator[str]:
        try:
            with os.scandir(self.path / "spool") as entries:
                yield from (entry.name for entry in entries)
        except OSError as error:
            raise StoreError(f"Cannot list {self.path / 'spool'}: {error.strerror or error}.") from error


def _manifest_bytes(manifest: Mapping[str, Json]) -> bytes:
    # Only the configuration can hold what a user typed; ids and names must stay as they are.
    config: Any = json.loads(encode(manifest.get("config", {})))
    return json.dumps({**manifest, "config": config}, indent=1, sort_keys=False).encode("ascii") + b"\n"


def _last_line(path: Path) -> bytes:
    """The last line of a file that ends with a line's end, without reading all of it; b"" otherwise."""
    try:
        with path.open("rb", buffering=0) as file:
            end = file.seek(0, os.SEEK_END)
            size = _TAIL_BYTES
            while True:
                file.seek(max(0, end - size))
                tail = file.read(size)
                if not tail.endswith(b"\n"):
                    return b""
                begin = tail.rfind(b"\n", 0, len(tail) - 1)
                if begin >= 0 or size >= end:
                    return tail[begin + 1 : -1]
                size *= 8
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise StoreError(f"Cannot read {path}: {error.strerror or error}.") from error
