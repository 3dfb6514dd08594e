"""What a picture of a page that stands still costs: `python -m tests.perf.page_still`.

30,000 turning cubes of three.js, lit, 960x540. Cases take turns, each in a process of its own with a fresh browser, the
same Chromium with the same WebGL: our picture of the page held by the virtual clock, `page.screenshot` of the same
held page, and `page.screenshot` of the page left to run. `button` is the page with an element laid over the canvas: such a
picture is put together by the browser, while a bare canvas is read. Ratio: ours over the free page's.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from tests.perf.chromium import Job, ask, check_same, ours_found, served
from tests.perf.common import Watch, alternate, document, parser, print_line

COUNT, SHOTS, FREE_SHOTS = 30_000, 10, 3
AT_MOST = {"wall_ratio": 0.1}


def measure(count: int, shots: int, free_shots: int, repeats: int) -> dict[str, Any]:
    """The command's document."""
    watch, found = Watch(), ours_found()
    with served() as address:
        bare = f"{address}/cubes.html?count={count}"
        columns = {
            "paused": ("paused", bare, shots),
            "paused_button": ("paused", f"{bare}&button", shots),
            "paused_plain": ("paused_plain", bare, shots),
            "free": ("free", bare, free_shots),
        }

        def once(column: str, url: str, steps: int) -> dict[str, float]:
            job = Job(url, steps, found["executable"], found["arguments"], warm=1)
            told = ask(column, job)
            check_same([told], found)
            return {key: told[key] for key in ("wall_ms", "cpu_ms")}

        told = alternate({name: partial(once, *column) for name, column in columns.items()}, repeats)
    figures = {f"{name}_{key}": value for name, one in told.items() for key, value in one.items()}
    for key in ("wall", "cpu"):
        figures[f"{key}_ratio"] = told["paused"][f"{key}_ms"] / told["free"][f"{key}_ms"]
        figures[f"button_{key}_ratio"] = told["paused_button"][f"{key}_ms"] / told["free"][f"{key}_ms"]
    return document(
        "page_still",
        figures,
        at_most=AT_MOST,
        watch=watch,
        work={"cubes": count, "pictures": shots, "free_pictures": free_shots, **found},
        repeats=repeats,
    )


def main() -> None:
    """Measure and print one JSON line."""
    arguments = parser(__doc__)
    arguments.add_argument("--count", type=int, default=COUNT, help="cubes (default 30000)")
    given = arguments.parse_args()
    print_line(measure(given.count, SHOTS, FREE_SHOTS, given.repeats))


if __name__ == "__main__":
    main()
