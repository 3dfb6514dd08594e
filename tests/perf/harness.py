"""What the toolkit itself costs an episode: `python -m tests.perf.harness [--json]`.

40 episodes of 50 steps with a frame of 34 KiB each and a model that answers at once, through the whole command
`embodied-eval run`: gateway, spool, frames, judge, database. A second run of one step an episode gives the cost
that does not grow with the steps; a third stores the same frame again and again.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
EPISODES, STEPS = 40, 50


def run(folder: Path, **environment: str) -> dict[str, float]:
    """CPU and wall seconds, peak memory (MiB), bytes and frames stored by one run in a process of its own."""
    path = os.pathsep.join([str(ROOT / "tests" / "perf" / "plugin"), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "embodied_eval", "run", "perf-steps", "--model", "scripted/instant"]
    began = time.perf_counter()
    process = subprocess.Popen(
        [*command, "--json", "--store", str(folder)],
        cwd=folder.parent,
        env={**os.environ, "PYTHONPATH": path, "PERF_EPISODES": str(EPISODES), **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    told = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(told.decode())
    files = [found for found in folder.rglob("*") if found.is_file()]
    return {
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "wall_s": time.perf_counter() - began,
        "peak_mib": usage.ru_maxrss / 1024,
        "bytes": sum(found.stat().st_size for found in files if found.name != "store.duckdb"),
        "frames": sum(found.suffix == ".jpg" for found in files),
    }


def measure() -> dict[str, float]:
    """The figures, by name."""
    with tempfile.TemporaryDirectory() as folder:
        full = run(Path(folder) / "full", PERF_STEPS=str(STEPS))
        short = run(Path(folder) / "short", PERF_STEPS="1")
        same = run(Path(folder) / "same", PERF_STEPS=str(STEPS), PERF_SAME="1")
    steps, more = EPISODES * STEPS, EPISODES * (STEPS - 1)
    return {
        "steps": steps,
        "cpu_ms_a_step_whole_command": full["cpu_s"] * 1e3 / steps,
        "cpu_ms_a_further_step": (full["cpu_s"] - short["cpu_s"]) * 1e3 / more,
        "cpu_s_of_start_and_end": short["cpu_s"],
        "wall_s": full["wall_s"],
        "peak_mib": full["peak_mib"],
        "kib_a_step": full["bytes"] / 1024 / steps,
        "frames_stored": full["frames"],
        "frames_stored_when_all_are_the_same": same["frames"],
        "kib_a_step_when_all_are_the_same": same["bytes"] / 1024 / steps,
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    figures = measure()
    if arguments.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:40} {value:12.3f}")


if __name__ == "__main__":
    main()
