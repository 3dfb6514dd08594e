"""Other people's plugins: found by entry point, and a broken one stops nobody else."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from embodied_eval import plugins
from embodied_eval.errors import MissingPart, PluginError, UnknownName
from embodied_eval.plugins import check_own_packages, list_plugins, load, load_benchmark
from tests.conftest import TOY, Command

BROKEN = {
    "broken-exits": "SystemExit: 7",
    "broken-import": "made for another age",
    "broken-kind": "not a subclass of embodied_eval.benchmark.Benchmark",
    "broken-maker": "no licence server",
    "broken-missing": "Nowhere",
    "broken-name": "calls itself 'toy-sums'",
}


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(TOY / "broken"))
    load_benchmark.cache_clear()
    yield
    load_benchmark.cache_clear()


def test_plugins_ls_names_what_is_broken_and_why_and_lists_the_rest(command: Command, broken: None) -> None:
    assert command("plugins", "ls", "--json", store=False) == 3
    rows = {row["name"]: row for row in command.json["plugins"]}
    assert {name for name, row in rows.items() if row["error"]} == set(BROKEN)
    for name, told in BROKEN.items():
        assert told in rows[name]["error"] and rows[name]["from"] == "toy-broken"
    assert rows["toy-sums"]["from"] == "toy-benchmark" and rows["worldaudit"]["from"] == "embodied-eval"
    assert command("plugins", "ls", store=False) == 3
    assert "made for another age" in " ".join(command.out.split()) and "Traceback" not in command.err


def test_without_broken_ones_plugins_ls_is_content(command: Command) -> None:
    assert command("plugins", "ls", "--json", store=False) == 0
    rows = command.json["plugins"]
    assert [row["error"] for row in rows] == [""] * len(rows)
    assert {row["group"] for row in rows} == set(plugins.GROUPS)


def test_the_others_work_beside_broken_ones(command: Command, broken: None) -> None:
    assert command("ls", "benchmarks", "--json") == 0
    assert "broken-import" in {row["name"] for row in command.json["benchmarks"]}
    assert command("run", "toy-sums", "--model", "scripted/adder", "--limit", "1", "--json") == 0
    assert command.json["finished"] == 1


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_running_a_broken_one_names_it(command: Command, broken: None, name: str) -> None:
    assert command("run", name, "--model", "scripted/adder") == 1
    assert name in command.err and BROKEN[name] in command.err and "Traceback" not in command.err
    assert not command.store.exists()


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(UnknownName, match="toy-sums"):
        load("benchmarks", "toy-sum")
    assert [item.name for item in list_plugins("runners")] == ["inprocess", "ray"]


@pytest.mark.parametrize(("package", "extra"), [("unrealcv", "ue5"), ("av", "video")])
def test_a_plugin_that_lacks_an_optional_package_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, package: str, extra: str
) -> None:
    (tmp_path / "toy_needs.py").write_text(f"import {package}.parts\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "toy_needs", raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    point = EntryPoint("needy", "toy_needs:Driver", "embodied_eval.drivers")
    monkeypatch.setattr(plugins, "available", lambda group: {"needy": point})
    with pytest.raises(MissingPart) as caught:
        plugins.make_driver("needy")
    assert (caught.value.exit_code, caught.value.fix) == (5, f"pip install 'embodied-eval[{extra}]'")


def test_our_own_packages_are_ours() -> None:
    check_own_packages()


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("reports", ["reports/__init__.py"]),
        ("runners", ["runners.py"]),
        ("benchmarks", ["benchmarks/__init__.py", "benchmarks/mine.py"]),
    ],
)
@pytest.mark.parametrize("bench", ["toy-sums", "worldaudit"])
def test_a_run_names_the_folder_that_shadows_one_of_our_packages(
    tmp_path: Path, name: str, files: list[str], bench: str
) -> None:
    for file in files:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text("")
    code = (
        f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(TOY)!r}]\n"
        "from embodied_eval.cli import script\nscript()"
    )
    model = "scripted/null"
    done = subprocess.run(
        [sys.executable, "-c", code, "run", bench, "--model", model, "--store", str(tmp_path / "store")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 1, done.stderr
    assert f"The package {name!r} is not ours" in done.stderr
    assert str(tmp_path / Path(files[0]).parts[0]) in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "store").exists()


def test_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in [name for name in sys.modules if name.partition(".")[0] == "reports"]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(PluginError, match="Remove or rename"):
        check_own_packages()
