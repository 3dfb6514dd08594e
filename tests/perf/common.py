"""What the measuring commands share: a process's whole cost, alternating repeats, the machine, the JSON line.

Figures are medians of repeats that alternate between the cases. CPU seconds are user and system time of a
process and of all its descendants that it waited for.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

SCHEMA = "embodied-eval/perf/1"
ROOT = Path(__file__).parents[2]
PLUGIN = Path(__file__).parent / "plugin"
REPEATS = 5
QUIET_LOAD = 1.0
"""The 1-minute load at the start above which figures are not called clean (ours)."""
QUIET_CORES = 0.25
"""The same for the cores that everybody else keeps busy while it is measured; where the system tells."""
PR_SET_CHILD_SUBREAPER = 36
PACKAGES = ("embodied-eval", "click", "duckdb", "pillow", "pydantic", "rich", "numpy", "mujoco", "moderngl")


@dataclass(frozen=True)
class Spent:
    """What one process cost. `system_s` is the kernel's part of `cpu_s`; `peak_rss_mb` (MiB) is the largest
    resident set of it or a descendant."""

    cpu_s: float
    system_s: float
    wall_s: float
    peak_rss_mb: float
    stdout: bytes


def spend(
    *arguments: str, folder: Path, environment: Mapping[str, str] | None = None, status: int = 0
) -> Spent:
    """Run `python ARGUMENTS` in `folder`, with the measuring plugin to be found, and say what it cost.

    SystemExit, with what it said on stderr, where it ends with another exit status than `status`.
    """
    path = [str(PLUGIN), str(ROOT), os.environ.get("PYTHONPATH", "")]
    clean = {key: value for key, value in os.environ.items() if not key.startswith("EMBODIED_EVAL_")}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=folder,
            env={**clean, "PYTHONPATH": os.pathsep.join(filter(None, path)), **(environment or {})},
            stdout=out,
            stderr=err,
        )
        _, ended, usage = os.wait4(process.pid, 0)
        wall_s = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(ended)
        out.seek(0)
        err.seek(0)
        if process.returncode != status:
            said = err.read().decode(errors="replace")
            raise SystemExit(f"`python {' '.join(arguments)}` ended with {process.returncode}:\n{said}")
        cpu_s = usage.ru_utime + usage.ru_stime
        return Spent(cpu_s, usage.ru_stime, wall_s, usage.ru_maxrss / 1024, out.read())


def alternate(
    cases: Mapping[str, Callable[[], Mapping[str, float]]], repeats: int
) -> dict[str, dict[str, float]]:
    """Call every case in turn, `repeats` times over (A B A B ...); the median of each figure, by case."""
    found: dict[str, list[Mapping[str, float]]] = {name: [] for name in cases}
    for _ in range(repeats):
        for name, case in cases.items():
            found[name].append(case())
    return {name: medians(made) for name, made in found.items()}


def medians(made: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The median of each figure."""
    return {name: statistics.median(one[name] for one in made) for name in made[0]}


def machine() -> dict[str, Any]:
    """What a figure depends on beside the code: cores, processor, memory, system, Python, packages."""
    from importlib.metadata import PackageNotFoundError, version

    packages = {}
    for name in PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            continue
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "cores": usable,
        "processor": _processor(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": packages,
    }


def _processor() -> str:
    listed = Path("/proc/cpuinfo")
    lines = listed.read_text().splitlines() if listed.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


class Watch:
    """How busy the machine is while something is measured, from when this was made.

    Orphans come to this process (Linux, prctl(2)): a browser's own processes, which nobody else waits for, then count
    as ours and not as others'. Ask when what was measured has ended.
    """

    def __init__(self) -> None:
        if sys.platform == "linux":
            ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.load_at_start = round(os.getloadavg()[0], 2)
        self._began_s, self._busy_s, self._own_s = time.monotonic(), _busy_s(), _own_s()

    def others_cores(self) -> float | None:
        """Cores kept busy so far by all but this process and its children (outside the kernel); None where it
        is not known."""
        _reap()
        busy_s = _busy_s()
        if busy_s is None or self._busy_s is None:
            return None
        others_s = busy_s - self._busy_s - (_own_s() - self._own_s)
        return round(max(0.0, others_s / max(1e-3, time.monotonic() - self._began_s)), 2)


def _busy_s() -> float | None:
    """Seconds that all cores ran programs' own code or were taken away by the host, since the machine's start
    (Linux, proc(5)). The kernel's time is left out: writing our files is a part of it."""
    listed = Path("/proc/stat")
    if not listed.exists():
        return None
    user, nice, _kernel, _idle, _wait, _irq, _softirq, stolen = map(int, listed.read_text().split()[1:9])
    return (user + nice + stolen) / os.sysconf("SC_CLK_TCK")


def _reap() -> None:
    """Wait for every child that has ended."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _own_s() -> float:
    times = os.times()
    return times.user + times.children_user


def document(
    command: str,
    figures: Mapping[str, float],
    *,
    at_most: Mapping[str, float],
    watch: Watch,
    work: Mapping[str, Any],
    repeats: int,
) -> dict[str, Any]:
    """The JSON document of a measuring command. `at_most` holds the figures' targets, where there are any."""
    others = watch.others_cores()
    return {
        "schema": SCHEMA,
        "command": f"python -m tests.perf.{command}",
        "date": datetime.now(UTC).date().isoformat(),
        "clean": watch.load_at_start <= QUIET_LOAD and (others or 0.0) <= QUIET_CORES,
        "load_at_start": watch.load_at_start,
        "others_cores": others,
        "machine": machine(),
        "work": dict(work),
        "repeats": repeats,
        "figures": {name: float(f"{value:.4g}") for name, value in figures.items()},
        "targets_at_most": dict(at_most),
        "targets_missed": sorted(name for name, most in at_most.items() if figures[name] > most),
    }


def print_line(made: Mapping[str, Any]) -> None:
    """The document as one line on stdout; on stderr what keeps its figures from being clean."""
    if not made["clean"]:
        print(
            f"Not clean: the load was {made['load_at_start']} at the start (at most {QUIET_LOAD}) and others kept "
            f"{made['others_cores']} cores busy (at most {QUIET_CORES}). Measure again on a quiet machine.",
            file=sys.stderr,
        )
    print(json.dumps(made))


def parser(about: str | None) -> argparse.ArgumentParser:
    """An argument parser with `--repeats`."""
    made = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--repeats", type=int, default=REPEATS, help="repeats of each case (default 5)")
    return made
