"""What an episode costs through UnrealCV on our own server, beside the same episode in process.

Run: `python -m tests.perf.unrealcv_episode [--rounds N]`. Plays the first tasks of `indoor` with `scripted/random` and 40
actions at the protocol's picture size, both ways by turns, and prints the seconds and their ratio: those that the
clock showed, and those of the processor, the server's included.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from benchmarks.worldaudit.plugin import WorldAudit
from embodied_eval.drivers.unrealcv.driver import UnrealcvDriver
from tests.benchmarks.worldaudit.kit import Table, indoor
from tests.drivers.unrealcv.test_parity import ServedThreads

TASKS = (6, 11, 13)
OPTIONS = {"budget": 40, "width": 960, "height": 540}


def server_s(table: Table) -> float:
    """Processor seconds that the table's servers have used so far; 0 in process."""
    total = 0.0
    for thread in table.threads._free.get("unrealcv", []):
        driver = thread._driver
        if isinstance(driver, UnrealcvDriver) and driver._server is not None:
            fields = Path(f"/proc/{driver._server.pid}/stat").read_text().rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def played(table: Table, number: int) -> tuple[float, float]:
    """Seconds of the clock and of the processor for one episode."""
    wall, own, served = time.perf_counter(), time.process_time(), server_s(table)
    table.play(WorldAudit(), indoor(number), "scripted/random", options=OPTIONS)
    return time.perf_counter() - wall, time.process_time() - own + server_s(table) - served


def main() -> None:
    """Print a row for each task."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=2)
    rounds = parser.parse_args().rounds
    inside, served = Table(), Table(ServedThreads())
    try:
        for table in (inside, served):
            played(table, TASKS[0])  # starts simulators and renderers
        print("task        in process: wall, CPU s   UnrealCV: wall, CPU s   ratio: wall, CPU")
        for number in TASKS:
            best = [
                tuple(min(column) for column in zip(*runs, strict=True))
                for runs in zip(
                    *([played(table, number) for table in (inside, served)] for _ in range(rounds)),
                    strict=True,
                )
            ]
            (wall, cpu), (their_wall, their_cpu) = best
            print(
                f"indoor/{number:02d}   {wall:10.2f} {cpu:8.2f}   {their_wall:16.2f} {their_cpu:8.2f}"
                f"   {their_wall / wall:11.2f} {their_cpu / cpu:6.2f}"
            )
    finally:
        for table in (inside, served):
            table.close()


if __name__ == "__main__":
    main()
