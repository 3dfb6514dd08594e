"""The house stands as drawn: the card's paths, the import contracts, plugins that use public names only."""

from __future__ import annotations

import ast
import functools
import operator
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CARD = [
    "pyproject.toml",
    "embodied_eval",
    "benchmarks/worldaudit",
    "benchmarks/worldbench",
    "benchmarks/wrbench",
    "benchmarks/veriworld",
    "runners",
    "reports",
    "tests",
]
NINE = ["click", "rich", "ray", "unrealcv", "playwright", "torch", "litellm", "duckdb", "jinja2"]
PUBLIC = {
    "embodied_eval.benchmark",
    "embodied_eval.exhibits",
    "embodied_eval.drivers.browser.accessibility",
    "embodied_eval.drivers.browser.coverage",
    "embodied_eval.drivers.browser.outcome",
    "embodied_eval.drivers.browser.scene",
    "embodied_eval.drivers.browser.session",
    "embodied_eval.drivers.base",
    "embodied_eval.drivers.page.driver",
    "embodied_eval.errors",
    "embodied_eval.judges.base",
    "embodied_eval.models.schema",
    "embodied_eval.models.types",
    "embodied_eval.policies",
    "embodied_eval.policies.base",
    "embodied_eval.records",
    "embodied_eval.stats",
}
PUBLIC_PREFIXES = ("embodied_eval.worlds.", "embodied_eval.stats.")


@pytest.mark.parametrize("path", CARD)
def test_the_cards_paths_exist(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("package", NINE)
def test_the_cards_packages_are_declared_and_used(package: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = [
        *project["dependencies"],
        *functools.reduce(operator.iadd, project["optional-dependencies"].values(), []),
    ]
    assert any(line.startswith(package) for line in declared)
    used = [
        path
        for folder in ("embodied_eval", "benchmarks", "runners", "reports")
        for path in (ROOT / folder).rglob("*.py")
        if package in imports(path, roots=True)
    ]
    assert used, f"{package} is declared but nothing imports it"


def test_the_import_contracts_hold() -> None:
    done = subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports")], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_benchmarks_import_only_public_names_of_the_core() -> None:
    strange = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in (ROOT / "benchmarks").rglob("*.py")
        for name in imports(path)
        if name.startswith("embodied_eval.") and name not in PUBLIC and not name.startswith(PUBLIC_PREFIXES)
    }
    assert not strange


def test_no_code_from_data_and_no_shell() -> None:
    banned = ("import pickle", "import yaml", "shell=True", "allow_pickle=True", "weights_only=False")
    found = [
        f"{path.relative_to(ROOT)}: {word}"
        for folder in ("embodied_eval", "benchmarks", "runners", "reports")
        for path in (ROOT / folder).rglob("*.py")
        for word in banned
        if word in path.read_text()
    ]
    assert not found


def imports(path: Path, *, roots: bool = False) -> set[str]:
    """Every module that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return {name.partition(".")[0] for name in found} if roots else found
