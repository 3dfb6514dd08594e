"""The browser's process group as the kernel shows it: its members, what they use, and their end."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
# Mapped files of one process that are taken for the browser's own code and libraries (Chromium with Mesa and
# LLVM maps about 350 MB); what goes beyond is shared memory that lies in files.
OWN_CODE_MB = 400
GONE_S = 5.0


@dataclass(frozen=True)
class Usage:
    """What a group uses: resident memory in MB (anonymous and shared memory, without the browser's own
    code), threads, processes."""

    memory_mb: float
    threads: int
    processes: int


class ProcessGroup:
    """All processes of one browser: those with the leader's group id, and any whose command line names
    `folder`, the browser's private folder (a crash handler leaves the group)."""

    def __init__(self, leader: int, folder: Path) -> None:
        self.leader, self.folder = leader, folder

    def members(self) -> list[int]:
        """Ids of the living processes of the group; zombies do not count, and neither does a group that
        only got the same id after this one had ended."""
        if self.leader <= 1:
            return []
        if not PROC.is_dir():
            return [self.leader] if self._leader_lives() else []
        found = []
        for pid in _pids():
            state, group = _state_and_group(pid)
            if state and state != "Z" and (group == self.leader or pid == self.leader):
                found.append(pid)
        return found if any(self._named_by(pid) for pid in found) else []

    def strays(self) -> list[int]:
        """Ids of living processes outside the group that name the browser's folder."""
        inside = set(self.members())
        return [pid for pid in _pids() if pid not in inside and self._named_by(pid)]

    def usage(self) -> Usage | None:
        """What the group uses now; None where the system has no /proc."""
        if not PROC.is_dir():
            return None
        memory_kb, threads, members = 0, 0, self.members()
        for pid in members:
            status = _status(pid)
            memory_kb += status.get("RssAnon", 0) + status.get("RssShmem", 0)
            memory_kb += max(0, status.get("RssFile", 0) - OWN_CODE_MB * 1024)
            threads += status.get("Threads", 0)
        return Usage(memory_kb / 1024, threads, len(members))

    def kill(self) -> None:
        """End every process of the browser at once; safe from any thread and when all are gone."""
        members = self.members()
        if members:  # a group with a living member cannot have lent its id to another one
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.leader, signal.SIGKILL)
        for pid in members:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        self.kill_strays()

    def kill_strays(self) -> None:
        """End what left the group."""
        for pid in self.strays():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)

    def wait_gone(self, seconds: float = GONE_S) -> bool:
        """Whether all processes are gone, killing again what appears meanwhile."""
        end = time.monotonic() + seconds
        while self.members() or self.strays():
            if time.monotonic() > end:
                return False
            self.kill()
            time.sleep(0.005)
        return True

    def _named_by(self, pid: int) -> bool:
        return os.fsencode(self.folder) in _command_line(pid)

    def _leader_lives(self) -> bool:
        try:
            os.kill(self.leader, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True


def folder_mb(folder: Path) -> float:
    """Size of all files below `folder`, in MB; what vanishes meanwhile does not count."""
    total = 0
    for base, _, names in os.walk(folder, onerror=None):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(base, name)).st_blocks * 512  # noqa: PTH118 - hot loop
    return total / 2**20


def _pids() -> list[int]:
    try:
        return [int(name) for name in os.listdir(PROC) if name.isdigit()]  # noqa: PTH208 - hot loop
    except OSError:
        return []


def _state_and_group(pid: int) -> tuple[str, int]:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - hot loop
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return "", 0
    return (fields[0].decode(), int(fields[2])) if len(fields) > 2 else ("", 0)


def _command_line(pid: int) -> bytes:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:  # noqa: PTH123 - hot loop
            return file.read()
    except OSError:
        return b""


def _status(pid: int) -> dict[str, int]:
    wanted = ("RssAnon", "RssFile", "RssShmem", "Threads")
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:  # noqa: PTH123
            lines = file.read().splitlines()
    except OSError:
        return {}
    found = {}
    for line in lines:
        key, _, rest = line.partition(":")
        if key in wanted:
            found[key] = int(rest.split()[0])
    return found
