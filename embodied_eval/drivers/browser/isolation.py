"""What this machine allows around a browser: a network namespace, an unprivileged id, death with the parent.

Each part is tried once a process with a harmless command, alone and together with the parts before it; one
that does not work is left out with a note that says why.
"""

from __future__ import annotations

import functools
import os
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

# Fixed and high, so that no account has it; 65534 (nobody) where ids are mapped into a short range.
USER_IDS = (48123, 65534)
PROBE_S = 10.0


@dataclass(frozen=True)
class Isolation:
    """`prefix` is the argument list before the browser's own; `netns` and `uid` say what it does (`uid` as
    the browser sees it outside a user namespace), `root` whether the browser takes itself for root, with
    which its sandbox does not start; `why_no_netns` is "" where there is one."""

    prefix: tuple[str, ...]
    netns: bool
    uid: int
    root: bool
    why_no_netns: str
    notes: tuple[str, ...]


@functools.cache
def isolation(executable: str, *, netns: bool) -> Isolation:
    """The strongest chain that works here around `executable`; `netns` False leaves that part out."""
    root = sys.platform != "darwin" and os.geteuid() == 0
    notes: list[str] = []
    drop, uid = _drop(executable, notes) if root else ((), os.geteuid())
    as_root = root and not drop
    # A user namespace that maps the present id keeps the browser unprivileged; one that maps root does not.
    mapped, as_mapped_root = ("unshare", "-c", "-n"), ("unshare", "-r", "-n")
    if root:
        chains = [(("unshare", "-n"), drop, as_root), (drop, mapped, as_root)]
    else:
        chains = [(mapped, (), False), (as_mapped_root, (), True)]
    prefix: tuple[str, ...] = drop
    found, why = False, "the settings leave it out"
    if netns:
        why = ""
        for first, second, looks_root in chains:
            reason = _fails((*first, *second), executable)
            if not reason:
                prefix, as_root, found, why = (*first, *second), looks_root, True, ""
                break
            why = why or reason
        if not found:
            notes.append(f"No network namespace: {why}.")
    dying = (*prefix, "setpriv", "--pdeathsig", "KILL")
    reason = _fails(dying, executable)
    if reason:
        notes.append(f"The browser does not die with its parent by itself: {reason}.")
    else:
        prefix = dying
    return Isolation(_absolute(prefix), found, uid, as_root, why, tuple(notes))


def _drop(executable: str, notes: list[str]) -> tuple[tuple[str, ...], int]:
    """The arguments that give up root for an id that may still run `executable`, and that id."""
    reason = ""
    groups = _gpu_groups()
    keep = ("--groups", ",".join(map(str, groups))) if groups else ("--clear-groups",)
    for uid in USER_IDS:
        prefix = ("setpriv", "--reuid", str(uid), "--regid", str(uid), *keep)
        reason = _fails(prefix, executable)
        if not reason:
            return prefix, uid
    notes.append(f"The browser runs as root: {reason}.")
    return (), 0


def _gpu_groups() -> list[int]:
    """Groups that own the render nodes: without them an unprivileged browser could not use a GPU."""
    found = set()
    for node in Path("/dev/dri").glob("renderD*"):
        info = node.stat()
        if info.st_mode & stat.S_IRGRP and info.st_gid != 0:
            found.add(info.st_gid)
    return sorted(found)


def _fails(prefix: tuple[str, ...], executable: str) -> str:
    """ "" if a program that may execute `executable` runs behind `prefix`, else why not."""
    missing = next((part for part in ("unshare", "setpriv") if part in prefix and not shutil.which(part)), "")
    if missing:
        return f"there is no {missing} on this machine (util-linux)"
    arguments = [*_absolute(prefix), "/bin/sh", "-c", 'test -x "$1"', "sh", executable]
    try:
        done = subprocess.run(arguments, capture_output=True, timeout=PROBE_S, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{type(error).__name__} from {prefix[0]}" if prefix else str(error)
    if done.returncode == 0:
        return ""
    said = done.stderr.decode(errors="replace").strip().splitlines()
    return said[-1].rstrip(".") if said else f"{executable} may not be executed behind {' '.join(prefix)}"


def _absolute(prefix: tuple[str, ...]) -> tuple[str, ...]:
    return tuple((shutil.which(part) or part) if part in ("unshare", "setpriv") else part for part in prefix)
