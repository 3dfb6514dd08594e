"""`doctor`: each part tried in a process of its own, what is broken said, what is missing mended on request."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from embodied_eval.benchmark import Check
from embodied_eval.cli import doctor as doctor_command
from embodied_eval.doctor import fixes, pages
from embodied_eval.doctor import run as doctor_run
from embodied_eval.doctor.probes import PROBES, REQUIRED
from embodied_eval.doctor.run import run_probe, run_probes
from embodied_eval.drivers.browser import vendored
from embodied_eval.drivers.browser.settings import BrowserInfo
from embodied_eval.plugins import load_benchmark
from tests.conftest import Command


@pytest.fixture
def probe_of(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """A folder first on the path of the probes' processes, with a sitecustomize that changes probes."""
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH", ""))))
    )
    (tmp_path / "sitecustomize.py").write_text(
        "from embodied_eval.doctor import probes\n"
        "import os, signal\n"
        "def crash():\n    os.kill(os.getpid(), signal.SIGSEGV)\n"
        "def fail():\n    raise ValueError('the needle is stuck')\n"
        "def hang():\n    signal.pause()\n"
        "def chatter():\n    print('\\x1b[2Jnoise'); return probes.Check('disk', 'ok', 'fine')\n"
        "probes.PROBES.update(duckdb=crash, system=fail, python=hang, disk=chatter)\n"
    )
    return str(tmp_path)


def test_json_has_the_documented_shape(command: Command) -> None:
    assert command("doctor", "python", "system", "duckdb", "disk", "--json", store=False) in (0, 5)
    document = command.json
    assert set(document) == {"schema", "checks", "needed_but_not_ok"}
    assert document["schema"] == "embodied-eval/doctor/1"
    assert [check["name"] for check in document["checks"]] == ["python", "system", "duckdb", "disk"]
    for check in document["checks"]:
        assert set(check) == {"name", "status", "detail", "fix"} and check["detail"]
        assert check["status"] in ("ok", "missing", "broken", "untested")
    states = {check["name"]: check["status"] for check in document["checks"]}
    assert (states["python"], states["duckdb"]) == ("ok", "ok")
    assert set(REQUIRED) <= set(PROBES)


def test_a_probe_that_crashes_fails_or_chatters_stops_no_other(probe_of: str) -> None:
    heard: list[str] = []
    crashed, failed, fine = run_probes(
        ("duckdb", "system", "disk"), on_check=lambda check: heard.append(check.name)
    )
    assert crashed.status == "broken" and "exit -11" in crashed.detail
    assert failed.status == "broken" and "ValueError: the needle is stuck" in failed.detail
    assert (fine.status, fine.detail) == ("ok", "fine")
    assert heard == ["duckdb", "system", "disk"]


def test_a_probe_that_hangs_is_ended_and_broken(probe_of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_run, "DEADLINE_S", 1.0)
    assert run_probe("python") == Check("python", "broken", "no answer within 1 s")


def test_a_probe_nobody_knows_is_broken_and_an_unknown_part_is_a_usage_error(command: Command) -> None:
    assert run_probe("flux capacitor").status == "broken"
    assert command("doctor", "mujocoo", store=False) == 2
    assert "mujoco" in command.err


def test_something_needed_that_does_not_work_is_exit_5(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def probes(names: object, on_check: object) -> list[Check]:
        return [
            Check("mujoco", "missing", "\x1b[31mnot there", "true"),
            Check("ray", "missing", "no", "true"),
        ]

    monkeypatch.setattr(doctor_run, "run_probes", probes)
    assert command("doctor", "mujoco", "--json", store=False) == 5
    assert command.json["needed_but_not_ok"] == ["mujoco"]
    assert command("doctor", "mujoco", store=False) == 5
    assert "need: mujoco" in command.out


def test_checks_of_a_plugin_that_fails_are_a_line_and_no_crash(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def checks(self: object) -> list[Check]:
        raise LookupError("the plugin's own probe is broken")

    monkeypatch.setattr(doctor_run, "run_probes", lambda names, on_check: [])
    monkeypatch.setattr(type(load_benchmark("toy-sums")), "checks", checks)
    assert command("doctor", "--json", store=False) == 0
    found = [check for check in command.json["checks"] if check["name"] == "plugin toy-sums"]
    assert found[0]["status"] == "broken" and "own probe is broken" in found[0]["detail"]


def test_fix_runs_argument_lists_and_never_a_shell(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made, witness = tmp_path / "a made file", tmp_path / "injected"
    write = "import sys, pathlib; pathlib.Path(sys.argv[1]).write_text(repr(sys.argv[2:])); print('noise')"
    fixes = [
        f"{sys.executable} -c \"{write}\" '{made}' ; touch {witness}",
        "no-such-program --at all",
        f"{sys.executable} -c 'raise SystemExit(3)'",
        "export OPENAI_API_KEY=...",
    ]
    checks = [Check(f"part {n}", "missing", "not there", fix) for n, fix in enumerate(fixes)]
    checks.append(Check("sound", "ok", "there", f"touch {witness}"))
    monkeypatch.setattr(doctor_run, "run_probes", lambda names, on_check: checks)
    assert command("doctor", "python", "--fix", "--yes", "--json", store=False) == 0
    assert len(command.json["checks"]) == 5  # what a command prints is not in the document
    assert made.read_text() == repr([";", "touch", str(witness)])
    assert not witness.exists()
    assert "No such file" in command.err and "exit code 3" in command.err
    assert "Set this yourself: export OPENAI_API_KEY" in command.err


def test_fix_asks_first(command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[str] = []

    def confirm(text: str, **kwargs: object) -> bool:
        asked.append(text)
        return False

    monkeypatch.setattr(doctor_command.click, "confirm", confirm)
    check = Check("part", "missing", "not there", f"touch {tmp_path / 'made'}")
    monkeypatch.setattr(doctor_run, "run_probes", lambda names, on_check: [check])
    assert command("doctor", "python", "--fix", store=False) == 0
    assert asked == ["Run this?"] and not (tmp_path / "made").exists()
    assert f"$ touch {tmp_path / 'made'}" in command.err


@pytest.mark.browser
def test_the_parts_of_pages_are_tried_for_real() -> None:
    names = ("chromium", "webgl", "isolation", "sandbox", "libraries", "threejs")
    found = {check.name: check for check in run_probes(names)}
    assert {name: found[name].status for name in ("chromium", "webgl", "libraries", "threejs")} == {
        "chromium": "ok",
        "webgl": "ok",
        "libraries": "ok",
        "threejs": "ok",
    }
    assert found["chromium"].detail.startswith("Chromium ")
    assert vendored.current() in found["libraries"].detail and "three r" in found["threejs"].detail
    # These two depend on what the kernel lets a browser have, and say so.
    assert found["isolation"].detail.startswith(
        "netns: " if found["isolation"].status == "ok" else "route-only: "
    )
    assert found["sandbox"].status in ("ok", "missing") and "sandbox is o" in found["sandbox"].detail


@pytest.mark.browser
def test_no_browser_and_one_that_does_not_start_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("EMBODIED_EVAL_CHROMIUM", str(tmp_path / "nowhere"))
    for name in ("chromium", "webgl", "isolation", "sandbox", "threejs"):
        check = PROBES[name]()
        assert (check.name, check.status) == (name, "missing") and "nowhere" in check.detail
    program = tmp_path / "no-browser"
    program.write_text("#!/bin/sh\nexit 3\n")
    program.chmod(0o755)
    tmp_path.chmod(0o755)
    monkeypatch.setenv("EMBODIED_EVAL_CHROMIUM", str(program))
    check = PROBES["chromium"]()
    assert check.status == "broken" and "did not start" in check.detail


def told(**fields: object) -> BrowserInfo:
    """What a browser said of itself, apart from `fields` as on a machine where all works."""
    sound = {
        "version": "1",
        "executable": "/c",
        "renderer": "ANGLE (Mesa)",
        "gl": "egl",
        "isolation": "netns",
    }
    return BrowserInfo(**{**sound, "sandbox": "namespace", "uid": 7, "limits": True, **fields})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("part", "fields", "status", "says"),
    [
        ("webgl", {"renderer": ""}, "broken", "no WebGL 2"),
        ("webgl", {"gl": "swiftshader", "renderer": "ANGLE (SwiftShader)"}, "ok", "twice as fast"),
        (
            "isolation",
            {"isolation": "route-only", "notes": ("No network namespace: no.",)},
            "missing",
            "space: no. Req",
        ),
        ("isolation", {}, "ok", "user id 7"),
        (
            "sandbox",
            {"sandbox": "off", "notes": ("x", "Chromium's own sandbox is off: root.")},
            "missing",
            "off: root.",
        ),
        ("sandbox", {"sandbox": "off"}, "missing", "sandbox is off."),
        ("sandbox", {"sandbox": "setuid"}, "ok", "(setuid)"),
    ],
)
def test_what_a_browser_lacks_is_said_with_its_reason(
    part: str, fields: dict[str, object], status: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "_started", lambda name: told(**fields))
    check = PROBES[part]()
    assert (check.name, check.status) == (part, status) and says in check.detail


def test_the_setting_that_forbids_namespaces_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(fixes, "SYSCTL", tmp_path)
    monkeypatch.setattr(fixes.shutil, "which", lambda name: f"/usr/bin/{name}")
    assert fixes.namespaces() == ""
    (tmp_path / "user").mkdir()
    setting = tmp_path / "user" / "max_user_namespaces"
    setting.write_text("63000\n")
    assert fixes.namespaces() == ""
    setting.write_text("0\n")
    assert fixes.namespaces() == "sysctl -w user.max_user_namespaces=15000"
    monkeypatch.setattr(fixes.shutil, "which", lambda name: None)
    assert fixes.namespaces() == "apt-get install -y util-linux"


def test_damaged_libraries_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    index = (vendored.FOLDER / "index.json").read_text(encoding="utf-8")
    monkeypatch.setattr(vendored, "FOLDER", tmp_path)
    assert "FileNotFoundError" in pages.libraries().detail
    (tmp_path / "index.json").write_text(index)
    for archive in Path(vendored.__file__).parents[1].glob("vendor/three/*.zip"):
        (tmp_path / archive.name).write_bytes(archive.read_bytes())
    assert pages.libraries().status == "ok"
    whole = bytearray((tmp_path / "0.160.0.zip").read_bytes())
    whole[len(whole) // 2] ^= 0xFF
    (tmp_path / "0.160.0.zip").write_bytes(whole)
    check = pages.libraries()
    assert check.status == "broken" and " 0.160.0: " in check.detail
    assert check.fix.endswith("embodied-eval")
