"""What an exploration costs: `python -m tests.perf.vla`.

60 simulated seconds of a scripted policy in the living room, by the command a user types: 1,200 ticks, the 121 views
of 960 x 540 with their visibility rows stored, judged and in the database; the process's start is in it. `frontier`
is given a view at each tick, `random-walk` none.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from tests.perf.common import Watch, alternate, document, parser, print_line, spend

AT_MOST = {"random_walk_wall_s": 60.0, "frontier_wall_s": 60.0}
TICKS, VIEWS = 1200, 121


def explore(folder: Path, policy: str) -> dict[str, float]:
    """One exploration in a new store below `folder`."""
    store = Path(tempfile.mkdtemp(dir=folder)) / "store"
    spent = spend(
        *("-m", "embodied_eval", "run", "worldaudit", "--model", f"policy/{policy}"),
        *("--condition", "vla-explore", "--set", f"policy={policy}", "--tasks", "indoor/01"),
        *("--store", str(store), "--json"),
        folder=folder,
    )
    told = json.loads(spent.stdout)
    if told["steps"] != VIEWS or told["finished"] != 1 or told["excluded"]:
        raise SystemExit(f"The measured exploration is not whole: {told}")
    name = policy.replace("-", "_")
    return {f"{name}_wall_s": spent.wall_s, f"{name}_cpu_s": spent.cpu_s, f"{name}_rss_mb": spent.peak_rss_mb}


def main() -> None:
    """Measure and print the line."""
    repeats = parser(__doc__).parse_args().repeats
    watch = Watch()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = alternate(
            {
                policy: lambda policy=policy: explore(folder, policy)  # type: ignore[misc]
                for policy in ("random-walk", "frontier")
            },
            repeats,
        )
    figures = {key: value for one in found.values() for key, value in one.items()}
    work = {"ticks": TICKS, "views": VIEWS, "task": "indoor/01"}
    print_line(document("vla", figures, at_most=AT_MOST, watch=watch, work=work, repeats=repeats))


if __name__ == "__main__":
    main()
