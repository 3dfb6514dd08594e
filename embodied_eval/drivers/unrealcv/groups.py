"""A process group as the kernel shows it: who lives in it, what memory it has, how it is ended."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

_PROC = Path("/proc")
_LOOK_S = 0.02


def members(group: int) -> list[int]:
    """Ids of the group's living processes; one that has ended and was not waited for does not live. Without /proc
    the group's own id stands for all of them."""
    if not _PROC.is_dir():
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return []
        except PermissionError:
            return [group]
        return [group]
    found = []
    for entry in os.listdir(_PROC):  # noqa: PTH208 - hot loop
        if entry.isdigit():
            state, its_group = _state_and_group(entry)
            if its_group == group and state not in ("Z", "X"):
                found.append(int(entry))
    return found


def memory_bytes(group: int) -> int:
    """Memory of the group's own: what is in no file."""
    total = 0
    for pid in members(group):
        with suppress(OSError):
            for line in (_PROC / str(pid) / "status").read_text(errors="replace").splitlines():
                if line.startswith(("RssAnon:", "RssShmem:")):
                    total += int(line.split()[1]) * 1024
    return total


def send(group: int, number: signal.Signals) -> None:
    """Send a signal to all of the group; nothing if nobody is left."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def wait_empty(group: int, seconds: float) -> bool:
    """Whether the group has no living process within so many seconds."""
    deadline = time.monotonic() + seconds
    while members(group):
        if time.monotonic() >= deadline:
            return False
        time.sleep(_LOOK_S)
    return True


def end(group: int, patience_s: float) -> None:
    """Ask the group to end, and after `patience_s` make it."""
    send(group, signal.SIGTERM)
    if not wait_empty(group, patience_s):
        send(group, signal.SIGKILL)
        wait_empty(group, patience_s)


def _state_and_group(pid: str) -> tuple[str, int]:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - hot loop
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return "", 0
    return (fields[0].decode(), int(fields[2])) if len(fields) > 2 else ("", 0)
