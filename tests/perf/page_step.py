"""What a step in a page costs, beside others: `python -m tests.perf.page_step [--browsergym PYTHON]`.

A step is a click on a button and the picture of what came of it, 960x540, lossless, as an array. Two pages: `form`,
a still one of plain elements, and `world`, 300 turning cubes of three.js. Cases take turns, each in a process of its
own with a fresh browser, the same Chromium with the same WebGL, and pages from one loopback server: our session
(the step lets one frame of the page's own time pass), the same with the controls as lines, Playwright's click and
screenshot, and browsergym-core's environment with its sleeps off. Wall is the median step's, CPU the mean over all
processes of the tree. `start_s` is from nothing to the first picture, `reset_s` from a used page to a fresh one's
picture (browsergym starts its browsers anew for that). Ratios are ours over its.

browsergym-core is no part of this project. To have its column, give it a Python of its own:

  python -m venv /tmp/browsergym
  /tmp/browsergym/bin/pip install --no-deps browsergym-core==0.14.3
  /tmp/browsergym/bin/pip install playwright==1.65.2 gymnasium beautifulsoup4 'lxml<6' pyparsing numpy pillow
  python -m tests.perf.page_step --browsergym /tmp/browsergym/bin/python

(its own pin, Playwright 1.44, works too: `pip install browsergym-core==0.14.3`).
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from typing import Any

from tests.perf.chromium import Job, ask, check_same, ours_found, served
from tests.perf.common import Watch, alternate, document, parser, print_line

PAGES = {"form": "form.html", "world": "cubes.html?count=300&button"}
STEPS, WARM = 20, 2
AT_MOST = {"form_wall_ratio": 0.5, "world_wall_ratio": 0.5}
NO_BROWSERGYM = (
    "There is no browsergym-core in that Python, so its column is left out; "
    "`python -m tests.perf.page_step --help` says how to install it."
)


def has_browsergym(python: str) -> bool:
    """Whether that Python can import it."""
    found = subprocess.run([python, "-c", "import browsergym.core.env"], capture_output=True)
    return found.returncode == 0


def measure(
    steps: int, repeats: int, browsergym: str = "", *, pages: Mapping[str, str] = PAGES
) -> dict[str, Any]:
    """The command's document; `browsergym` is the Python that has it, "" for none."""
    watch, found = Watch(), ours_found()
    columns = {"ours": "", "ours_controls": "", "plain": ""}
    if browsergym:
        columns["browsergym"] = browsergym
    figures: dict[str, float] = {}
    with served() as address:
        for name, path in pages.items():
            job = Job(f"{address}/{path}", steps, found["executable"], found["arguments"], WARM)
            cases = {column: partial(once, column, job, python, found) for column, python in columns.items()}
            told = alternate(cases, repeats)
            figures |= {
                f"{name}_{column}_{key}": value for column, one in told.items() for key, value in one.items()
            }
            for other in [column for column in ("browsergym", "plain") if column in told]:
                for key in ("wall", "cpu"):
                    ratio = told["ours"][f"{key}_ms"] / max(1e-9, told[other][f"{key}_ms"])
                    figures[
                        f"{name}_{key}_ratio" if other == "browsergym" else f"{name}_{key}_ratio_to_plain"
                    ] = ratio
    return document(
        "page_step",
        figures,
        at_most={key: most for key, most in AT_MOST.items() if key in figures},
        watch=watch,
        work={"steps": steps, **found, "pages": dict(pages), "columns": list(columns)},
        repeats=repeats,
    )


def once(column: str, job: Job, python: str, found: Mapping[str, Any]) -> dict[str, float]:
    """One process of a column: what it cost, once it is sure that it did the work."""
    told = ask(column, job, python)
    check_same([told], dict(found))
    if told["clicks"] != job.warm + job.steps:
        raise SystemExit(f"The page saw {told['clicks']} clicks of {column!r}, not {job.warm + job.steps}.")
    return {key: told[key] for key in ("wall_ms", "cpu_ms", "start_s", "reset_s")}


def main() -> None:
    """Measure and print one JSON line."""
    arguments = parser(__doc__)
    arguments.add_argument("--steps", type=int, default=STEPS, help="steps a process (default 20)")
    arguments.add_argument("--browsergym", default=sys.executable, help="the Python that has browsergym-core")
    given = arguments.parse_args()
    has = has_browsergym(given.browsergym)
    if not has:
        print(NO_BROWSERGYM, file=sys.stderr)
    print_line(measure(given.steps, given.repeats, given.browsergym if has else ""))


if __name__ == "__main__":
    main()
