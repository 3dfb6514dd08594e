"""Policies that explore by eye and hand: found by what `--set policy=` says, kept warm between episodes."""

from __future__ import annotations

import atexit
import hashlib
import json
import shlex
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from embodied_eval.errors import ConfigError, DataFileError, UnknownName
from embodied_eval.policies.base import Policy

SCRIPTED = ("frontier", "random-walk", "still")
CHECKPOINT, COMMAND = "open-p2p", "command"


@dataclass(frozen=True)
class PolicySpec:
    """A policy by name: `kind` one of `SCRIPTED`, "open-p2p" with a checkpoint's folder as `place`, or "command"
    with an argument list."""

    kind: str
    place: str = ""
    command: tuple[str, ...] = ()

    @property
    def identity(self) -> str:
        """What tells two policies apart wherever they lie: a checkpoint by its content, a command by its words."""
        if self.kind == CHECKPOINT:
            return f"{CHECKPOINT}@{checkpoint_digest(Path(self.place))}"
        if self.kind == COMMAND:
            return f"{COMMAND}:{json.dumps(list(self.command))}"
        return self.kind

    @property
    def label(self) -> str:
        """A model's name for it, as runs and reports show it."""
        if self.kind == COMMAND:
            digest = hashlib.sha256(self.identity.encode()).hexdigest()[:8]
            return f"policy/{Path(self.command[0]).name[:40]}@{digest}"
        return f"policy/{self.identity}"


def parse_policy(text: str) -> PolicySpec:
    """`still`, `random-walk`, `frontier`, `open-p2p:FOLDER`, or `command:` with a JSON list of arguments.

    Raises UnknownName or ConfigError; whether a folder holds a checkpoint is found out by `identity`.
    """
    kind, _, rest = text.partition(":")
    if kind in SCRIPTED and not rest:
        return PolicySpec(kind)
    if kind == CHECKPOINT:
        if not rest or "://" in rest:
            raise ConfigError("A policy's checkpoint is a local folder.", hint="policy=open-p2p:FOLDER")
        return PolicySpec(kind, str(Path(rest).absolute()))
    if kind == COMMAND:
        return PolicySpec(kind, command=tuple(_arguments(rest)))
    raise UnknownName("policy", text, (*SCRIPTED, f"{CHECKPOINT}:FOLDER", f'{COMMAND}:["PROGRAM", ...]'))


def checkpoint_digest(folder: Path) -> str:
    """The first 12 hex digits of the SHA-256 of a checkpoint's two files. Raises DataFileError."""
    states = []
    for name in ("config.json", "weights.pt"):
        try:
            state = (folder / name).stat()
            states.append((folder / name, state.st_size, state.st_mtime_ns))
        except OSError as error:
            raise DataFileError(
                f"There is no checkpoint in {folder}: {name}: {error.strerror or error}.",
                hint="A checkpoint is a folder with config.json and weights.pt.",
            ) from error
    return _digest(tuple(states))


@cache
def _digest(files: tuple[tuple[Path, int, int], ...]) -> str:
    """Over the content of `files`, each (path, size, time of the last change): read again only when changed."""
    hashed = hashlib.sha256()
    for path, _size, _time in files:
        with path.open("rb") as file:
            hashed.update(hashlib.file_digest(file, "sha256").digest())
    return hashed.hexdigest()[:12]


def make_policy(spec: PolicySpec, seed: str) -> Policy:
    """A new policy; `seed` is for the scripted ones' chance alone. A worker's process is ready on return."""
    from embodied_eval.policies import scripted
    from embodied_eval.policies.worker import WorkerPolicy

    if spec.kind == "still":
        return scripted.Still()
    if spec.kind == "random-walk":
        return scripted.RandomWalk(seed)
    if spec.kind == "frontier":
        return scripted.Frontier(seed)
    if spec.kind == CHECKPOINT:
        worker = ("-m", "embodied_eval.policies.torch_worker", "--checkpoint", spec.place)
        return WorkerPolicy((sys.executable, *worker))
    return WorkerPolicy(spec.command)


class Pool:
    """Workers that are kept for the next episode: loading weights takes longer than an exploration."""

    def __init__(self) -> None:
        self._free: dict[PolicySpec, list[Policy]] = {}
        self._lock = threading.Lock()

    def lease(self, spec: PolicySpec, seed: str) -> Policy:
        """A policy that nobody uses, its history cleared. It may take long: call it in a thread."""
        with self._lock:
            free = self._free.get(spec)
            policy = free.pop() if free else None
        policy = policy or make_policy(spec, seed)
        policy.reset()
        return policy

    def give_back(self, spec: PolicySpec, policy: Policy) -> None:
        """Keep a sound worker, close everything else."""
        if spec.kind in SCRIPTED or getattr(policy, "broken", False):
            policy.close()
            return
        with self._lock:
            self._free.setdefault(spec, []).append(policy)

    def close(self) -> None:
        """Close what nobody uses."""
        with self._lock:
            idle = [policy for free in self._free.values() for policy in free]
            self._free.clear()
        for policy in idle:
            policy.close()


POOL = Pool()
atexit.register(POOL.close)


def _arguments(text: str) -> Sequence[str]:
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, list) or not value or not all(isinstance(one, str) for one in value):
        shown = json.dumps(shlex.split(text)) if text and "[" not in text else '["PROGRAM", "ARGUMENT"]'
        raise ConfigError(
            f"A policy's command is a JSON list of arguments, not {text[:80]!r}.", hint=f"command:{shown}"
        )
    return value
