"""What the toolkit costs a step: `python -m tests.perf.harness`.

40 episodes of 50 steps, each with a model call with tools in a growing conversation, an answer in no time, a
JPEG of 34 KiB, an event and a recorded step, by the command a user types: `embodied-eval run`, in a process of
its own, from its start to the last row in the database. Four cases take turns: every picture different; the
pictures alone, made by the same functions in a process that does nothing else, which is subtracted; every picture
the same; and one episode of one step, for what the command costs however little it plays. Bytes are those of all
the store's files but the pictures. Nothing is deleted before the end (400 MB): on ext4, creating a file costs several
times as much for some minutes after many were deleted.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.perf.common import Spent, Watch, alternate, document, parser, print_line, spend

EPISODES, STEPS = 40, 50
AT_MOST = {"cpu_ms_a_step": 1.5, "peak_rss_mb": 200.0, "frame_files_of_the_same": 1}


def play(folder: Path, episodes: int, steps: int, *, same: bool) -> dict[str, float]:
    """One run in a new store below `folder`: what it cost, and what the store holds afterwards."""
    store = Path(tempfile.mkdtemp(dir=folder)) / "store"
    spent = spend(
        *("-m", "embodied_eval", "run", "perf-walk", "--model", "scripted/instant"),
        *("--limit", str(episodes), "--set", f"steps={steps}", "--set", f"same={str(same).lower()}"),
        *("--store", str(store), "--json"),
        folder=folder,
    )
    told = json.loads(spent.stdout)
    if told["metrics"]["success_rate"]["value"] != 100.0 or told["steps"] != episodes * steps:
        raise SystemExit(f"The measured run is not whole: {told}")
    return {**cost(spent), **stored(store)}


def simulate(folder: Path, frames: int) -> dict[str, float]:
    """The pictures alone."""
    return cost(spend("-m", "perf_frames", str(frames), folder=folder))


def cost(spent: Spent) -> dict[str, float]:
    """What a process cost, by name."""
    return {
        "cpu_s": spent.cpu_s,
        "system_s": spent.system_s,
        "wall_s": spent.wall_s,
        "peak_rss_mb": spent.peak_rss_mb,
    }


def stored(store: Path) -> dict[str, float]:
    """Bytes by kind of file, and the number of pictures."""
    files = [path for path in store.rglob("*") if path.is_file()]
    bytes_of = {path: path.stat().st_size for path in files}
    frames = [path for path in files if path.is_relative_to(store / "frames")]
    database = sum(size for path, size in bytes_of.items() if path.name.startswith("store.duckdb"))
    pictures = sum(bytes_of[path] for path in frames)
    rest = sum(bytes_of.values()) - pictures - database
    return {
        "frame_files": len(frames),
        "frame_bytes": pictures,
        "spool_bytes": rest,
        "database_bytes": database,
    }


def measure(episodes: int, steps: int, repeats: int) -> dict[str, Any]:
    """The command's document."""
    watch, count = Watch(), episodes * steps
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = alternate(
            {
                "different": lambda: play(folder, episodes, steps, same=False),
                "simulation": lambda: simulate(folder, count),
                "same": lambda: play(folder, episodes, steps, same=True),
                "shortest": lambda: play(folder, 1, 1, same=False),
            },
            repeats,
        )
    return document(
        "harness",
        figures(found, count),
        at_most=AT_MOST,
        watch=watch,
        work={"episodes": episodes, "steps_an_episode": steps, "frame_bytes": 34 * 1024},
        repeats=repeats,
    )


def figures(found: Mapping[str, Mapping[str, float]], count: int) -> dict[str, float]:
    """Per step, from the medians of the cases over `count` steps."""
    different, same, simulation = found["different"], found["same"], found["simulation"]
    return {
        "cpu_ms_a_step": (different["cpu_s"] - simulation["cpu_s"]) / count * 1e3,
        "cpu_ms_a_step_of_the_same": (same["cpu_s"] - simulation["cpu_s"]) / count * 1e3,
        "system_ms_a_step": (different["system_s"] - simulation["system_s"]) / count * 1e3,
        "peak_rss_mb": max(different["peak_rss_mb"], same["peak_rss_mb"]),
        "bytes_a_step_beyond_frames": (different["spool_bytes"] + different["database_bytes"]) / count,
        "spool_bytes_a_step": different["spool_bytes"] / count,
        "database_bytes_a_step": different["database_bytes"] / count,
        "frame_files": different["frame_files"],
        "frame_files_of_the_same": same["frame_files"],
        "shortest_run_cpu_s": found["shortest"]["cpu_s"],
        "run_cpu_s": different["cpu_s"],
        "run_wall_s": different["wall_s"],
        "simulation_cpu_s": simulation["cpu_s"],
        "simulation_peak_rss_mb": simulation["peak_rss_mb"],
    }


def main() -> None:
    """Measure and print one JSON line."""
    arguments = parser(__doc__)
    arguments.add_argument("--episodes", type=int, default=EPISODES)
    arguments.add_argument("--steps", type=int, default=STEPS)
    given = arguments.parse_args()
    print_line(measure(given.episodes, given.steps, given.repeats))


if __name__ == "__main__":
    main()
