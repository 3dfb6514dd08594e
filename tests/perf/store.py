"""What the store costs its reader: `python -m tests.perf.store`.

Three questions. How long until every step is a row: `table_*` opens the database and joins each step with its
episode, frame and visibility, in a process whose imports are done (`query_command_*` is the whole command that
counts them). How long `db rebuild` takes. How soon a run of 1,000 episodes that was killed with `kill -9` after
500 goes on: `resume_*` from the start of the process to the first model call of a new episode, and how many calls
beyond those of the missing episodes are made.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from tests.perf.common import Watch, alternate, document, medians, parser, print_line, spend

STEPS = (2_000, 20_000)
STEPS_AN_EPISODE = 50
EPISODES = 1_000
TASKS = 40
"""Tasks of the measured benchmark: episodes are repeats of these."""
KILLED = -9


def tables(folder: Path, sizes: tuple[int, ...], repeats: int) -> dict[str, float]:
    """Table, command and rebuild for a store of each size."""
    cases: dict[str, Callable[[], Mapping[str, float]]] = {}
    for size in sizes:
        store = folder / f"steps-{size}"
        episodes = str(max(1, size // STEPS_AN_EPISODE))
        spend(
            "-m", "perf_store", "fill", str(store), episodes, str(min(size, STEPS_AN_EPISODE)), folder=folder
        )
        cases[f"table_{size}"] = partial(table, folder, store)
        ask = ("query", "SELECT action, count(*) FROM steps GROUP BY action")
        cases[f"query_command_{size}"] = partial(command, folder, store, *ask)
        cases[f"rebuild_{size}"] = partial(command, folder, store, "db", "rebuild")
    found = alternate(cases, repeats)
    for size in sizes:
        if found[f"table_{size}"].pop("rows") != size:
            raise SystemExit(f"The table of {size} steps lacks rows.")
    return {f"{case}_{name}": value for case, made in found.items() for name, value in made.items()}


def table(folder: Path, store: Path) -> dict[str, float]:
    """What the child says of its table: seconds and rows."""
    told: dict[str, float] = json.loads(spend("-m", "perf_store", "table", str(store), folder=folder).stdout)
    return told


def command(folder: Path, store: Path, *words: str) -> dict[str, float]:
    """A whole command, in a process of its own."""
    spent = spend("-m", "embodied_eval", *words, "--store", str(store), "--json", folder=folder)
    return {"cpu_s": spent.cpu_s, "wall_s": spent.wall_s, "peak_rss_mb": spent.peak_rss_mb}


def resume(folder: Path, episodes: int, repeats: int) -> dict[str, float]:
    """Play half of the episodes, die in the call of the next one, go on: as often as there are repeats, dying
    again in the first call; the last time to the end."""
    store, done = folder / "resumed", episodes // 2
    play(folder, store, episodes, die_at=done + 1)
    finished = receipts(store)
    starts = []
    for _ in range(repeats):
        began_s = time.monotonic()
        first = play(folder, store, episodes, die_at=1)[0]
        starts.append({"first_call_wall_s": first["at_s"] - began_s, "first_call_cpu_s": first["cpu_s"]})
    calls = play(folder, store, episodes, die_at=0)
    if len(finished) != done or len(receipts(store)) != episodes:
        raise SystemExit(f"Of {episodes} episodes {len(finished)} and {len(receipts(store))} are finished.")
    again = [name for name in receipts(store) if name in finished and receipts(store)[name] != finished[name]]
    return {
        **{f"resume_{name}": value for name, value in medians(starts).items()},
        "resume_repeated_calls": len(calls) - (episodes - done),
        "resume_repeated_episodes": len(again),
    }


def play(folder: Path, store: Path, episodes: int, *, die_at: int) -> list[dict[str, float]]:
    """Begin or resume the run; its model kills the process in call `die_at` (0 = never). The calls made, each
    with the monotonic clock, which all processes of a machine share, and the process's CPU seconds so far."""
    log = folder / "calls.jsonl"
    log.unlink(missing_ok=True)
    tasks = min(TASKS, episodes)
    spend(
        *("-m", "embodied_eval", "run", "perf-walk", "--model", "scripted/instant", "--set", "steps=1"),
        *("--limit", str(tasks), "--repeats", str(episodes // tasks)),
        *("--store", str(store), "--resume", "--json"),
        folder=folder,
        environment={"PERF_CALLS": str(log), "PERF_DIE_AT": str(die_at)},
        status=KILLED if die_at else 0,
    )
    return [json.loads(line) for line in log.read_text().splitlines()]


def receipts(store: Path) -> dict[str, int]:
    """The spools that end with a receipt, and when they were written last (ns)."""
    spools = store.glob("runs/*/spool/*.jsonl")
    return {
        path.name: path.stat().st_mtime_ns for path in spools if b'{"line":"receipt"' in path.read_bytes()
    }


def measure(sizes: tuple[int, ...], episodes: int, repeats: int) -> dict[str, Any]:
    """The command's document."""
    watch = Watch()
    with tempfile.TemporaryDirectory() as name:
        figures = tables(Path(name), sizes, repeats) | resume(Path(name), episodes, repeats)
    return document(
        "store",
        figures,
        at_most={"resume_repeated_calls": 0, "resume_repeated_episodes": 0},
        watch=watch,
        work={"steps": list(sizes), "steps_an_episode": STEPS_AN_EPISODE, "resumed_episodes": episodes},
        repeats=repeats,
    )


def main() -> None:
    """Measure and print one JSON line."""
    arguments = parser(__doc__)
    arguments.add_argument("--episodes", type=int, default=EPISODES, help="of the resumed run")
    given = arguments.parse_args()
    print_line(measure(STEPS, given.episodes, given.repeats))


if __name__ == "__main__":
    main()
