"""How fast the command line answers: `python -m tests.perf.startup`.

CPU seconds of whole processes of the installed `embodied-eval`, each fresh, the commands taking turns. One turn
goes before, unmeasured, so that files and compiled modules are in the cache. `python_s` is Python alone.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from tests.perf.common import Watch, alternate, document, parser, print_line, spend

COMMANDS: Mapping[str, tuple[str, ...]] = {
    "help": ("--help",),
    "version": ("--version",),
    "run_help": ("run", "--help"),
    "ls_benchmarks": ("ls", "benchmarks"),
    "ls_tasks": ("ls", "tasks", "worldaudit"),
    "ls_tasks_json": ("ls", "tasks", "worldaudit", "--json"),
}
AT_MOST = {"help_cpu_s": 0.15, "ls_tasks_cpu_s": 0.4, "ls_tasks_json_cpu_s": 0.4}


def script() -> tuple[str, ...]:
    """The installed console script as arguments of Python; the module where it is not installed."""
    installed = Path(sys.executable).with_name("embodied-eval")
    return (str(installed),) if installed.is_file() else ("-m", "embodied_eval")


def start(arguments: tuple[str, ...], folder: Path) -> dict[str, float]:
    """One fresh process."""
    spent = spend(*arguments, folder=folder)
    return {"cpu_s": spent.cpu_s, "wall_s": spent.wall_s}


def measure(repeats: int) -> dict[str, Any]:
    """The command's document."""
    watch = Watch()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cases = {case: partial(start, (*script(), *words), folder) for case, words in COMMANDS.items()}
        cases["python"] = partial(start, ("-c", "pass"), folder)
        alternate(cases, 1)
        found = alternate(cases, repeats)
    figures = {f"{case}_{name}": value for case, made in found.items() for name, value in made.items()}
    return document(
        "startup",
        figures,
        at_most=AT_MOST,
        watch=watch,
        work={"commands": {case: " ".join(words) for case, words in COMMANDS.items()}},
        repeats=repeats,
    )


def main() -> None:
    """Measure and print one JSON line."""
    print_line(measure(parser(__doc__).parse_args().repeats))


if __name__ == "__main__":
    main()
