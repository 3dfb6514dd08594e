"""The measured store: `python -m perf_store fill FOLDER EPISODES STEPS` makes one, unmeasured, and
`python -m perf_store table FOLDER` times the first per-step table from it, as JSON."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from unittest.mock import patch

from embodied_eval.records import Event, FrameRef, Pose, content_hash
from embodied_eval.store import Collector, Store
from embodied_eval.store.query import query
from tests.store import sample

TABLE = """SELECT e.task_id, e.repeat, e.status, s.*, f.sha256, f.bytes, v.pixels
FROM steps s JOIN episodes e USING (run_id, episode_key)
LEFT JOIN frames f USING (run_id, episode_key, step)
LEFT JOIN visibility v ON (v.run_id, v.episode_key, v.ref) = (f.run_id, f.episode_key, f.ref)
ORDER BY e.repeat, s.step"""


def fill(folder: Path, episodes: int, steps: int) -> None:
    """Each step with a model call, a visibility row, an event and a frame's row; frames without their files."""
    store, run = sample.new_run(folder, episodes=episodes)
    with patch("os.fsync"):  # preparing is not measured
        for number in range(episodes):
            key = sample.key_of(number)
            with run.writer(key, 1) as writer:
                writer.start({"task": "room/1"})
                for index in range(steps):
                    ref, pose = f"a{index}", Pose(1.0, 2.0, 0.0, 90.0)
                    sha256 = content_hash([number, index])
                    seen = FrameRef(ref, sha256, "image/jpeg", 960, 540, 34_816, 0.5, pose)
                    writer.call(sample.call(index, {"text": "I look around. " * 20}))
                    writer.visibility([sample.visibility(ref)])
                    writer.event(Event("contact", 0.1, index, {"a": "agent", "b": "wall"}))
                    writer.step(sample.step(index, [seen], "You moved 0.5 m. " * 10))
                writer.receipt(sample.receipt(key, steps=steps, calls=steps))
        Collector(store).ingest(run)


def table(folder: Path) -> dict[str, float]:
    """Seconds from the closed database to every step as a row of Python values; imports are not in it."""
    import duckdb  # noqa: F401

    store = Store.open(folder, create=False)
    cpu_s, wall_s = time.process_time(), time.perf_counter()
    _, rows = query(store, TABLE, max_rows=10_000_000)
    return {
        "cpu_s": time.process_time() - cpu_s,
        "wall_s": time.perf_counter() - wall_s,
        "rows": len(rows),
    }


if __name__ == "__main__":
    if sys.argv[1] == "fill":
        fill(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
    else:
        print(json.dumps(table(Path(sys.argv[2]))))
