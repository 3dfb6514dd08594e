"""`--help` stays light: nothing heavy is imported for it."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = [
    "litellm",
    "torch",
    "ray",
    "playwright",
    "mujoco",
    "moderngl",
    "unrealcv",
    "duckdb",
    "numpy",
    "PIL",
    "pydantic",
    "rich",
    "jinja2",
    "asyncio",
]


@pytest.mark.parametrize("args", [["--help"], ["--version"], ["run", "--help"]])
def test_help_imports_nothing_heavy(args: list[str]) -> None:
    code = (
        "import sys\nfrom embodied_eval.cli import main\n"
        f"code = main({args!r})\n"
        f"print('LOADED', [name for name in {HEAVY!r} if name in sys.modules])\nsys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.splitlines()[-1]
    allowed = {"asyncio"} if args[0] == "run" else set()
    assert set(eval_list(loaded)) <= allowed


def eval_list(line: str) -> list[str]:
    return [name.strip(" '") for name in line.removeprefix("LOADED [").rstrip("]").split(",") if name.strip()]


def test_listing_tasks_builds_no_world() -> None:
    code = (
        "import sys\nfrom embodied_eval.cli import main\n"
        "code = main(['ls', 'tasks', 'worldaudit', '--json'])\n"
        "print('LOADED', [n for n in ('numpy', 'mujoco', 'duckdb', 'litellm', 'PIL') if n in sys.modules])\n"
        "sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "LOADED []"
