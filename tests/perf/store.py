"""What the store costs: `python -m tests.perf.store [--episodes N] [--steps M] [--json]`.

Writes N episodes of M steps, each step with a model call, a visibility row, an event and a new frame of
34 KiB, then loads, lists, queries, rebuilds. CPU is this process's, the collector's threads included.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from embodied_eval.records import Event
from embodied_eval.store import Collector, rebuild
from embodied_eval.store.query import query
from tests.store import sample

FRAME_BYTES = 34 * 1024


def measure(episodes: int, steps: int, folder: Path) -> dict[str, float]:
    """The figures by name; units in the names, `_us` and `_ms` per step unless the name says otherwise."""
    figures: dict[str, float] = {}
    total = episodes * steps
    rng = random.Random(0)
    store, run = sample.new_run(folder, episodes=episodes)
    pictures = [rng.randbytes(FRAME_BYTES) for _ in range(16)]

    @contextmanager
    def timed(name: str, per: float = 1.0) -> Iterator[None]:
        cpu, wall = time.process_time(), time.perf_counter()
        yield
        figures[f"{name}_cpu_ms"] = (time.process_time() - cpu) * 1e3 / per
        figures[f"{name}_wall_ms"] = (time.perf_counter() - wall) * 1e3 / per

    with timed("write_step", total):
        for number in range(episodes):
            key = sample.key_of(number)
            with run.writer(key, 1) as writer:
                writer.start({"task": "room/1"})
                for index in range(steps):
                    data = number.to_bytes(4) + index.to_bytes(4) + pictures[index % 16]
                    found = sample.frame(store, f"a{index}", data)
                    writer.call(sample.call(index, {"text": "I look around. " * 20}))
                    writer.visibility([sample.visibility(f"a{index}")])
                    writer.event(Event("contact", 0.1, index, {"a": "agent", "b": "wall"}))
                    writer.step(sample.step(index, [found], "You moved 0.5 m. " * 10))
                writer.receipt(sample.receipt(key, steps=steps, calls=steps))
    spool = sum(path.stat().st_size for path in run.path.rglob("*") if path.is_file())
    figures["spool_bytes_a_step"] = spool / total
    with timed("receipts_of_all"):
        run.receipts()
    with timed("ingest_step", total):
        Collector(store).ingest(run)
    with timed("ingest_again"):
        Collector(store).ingest(run)
    figures["database_bytes_a_step"] = store.database.stat().st_size / total
    with timed("table_of_all_steps"):
        query(store, "SELECT * FROM steps", max_rows=total)
    with timed("rebuild_step", total):
        rebuild(store)
    frames = sum(1 for path in (folder / "frames").rglob("*.jpg"))
    for _ in range(10):
        store.frames.put(number.to_bytes(4) + index.to_bytes(4) + pictures[index % 16], "image/jpeg")
    figures["files_added_by_10_repeated_frames"] = (
        sum(1 for path in (folder / "frames").rglob("*.jpg")) - frames
    )
    figures["peak_rss_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return figures


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=40)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(arguments.episodes, arguments.steps, Path(folder) / "store")
    if arguments.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:36} {value:12.3f}")


if __name__ == "__main__":
    main()
