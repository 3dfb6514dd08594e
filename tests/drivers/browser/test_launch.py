"""Starting and ending: what is found and recorded, what is kept from the browser, and that nothing stays."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from embodied_eval.drivers.browser import browser as browser_module
from embodied_eval.drivers.browser.browser import Browser, check_browser
from embodied_eval.drivers.browser.find import ENVIRONMENT_VARIABLE, NAMES, find_chromium
from embodied_eval.drivers.browser.isolation import Isolation, isolation
from embodied_eval.drivers.browser.launch import FOLDER_PREFIX, sweep
from embodied_eval.drivers.browser.settings import BrowserSettings
from embodied_eval.drivers.browser.site import Site
from embodied_eval.errors import MissingPart, ProtocolError, SimulatorCrashed
from tests.drivers.browser.conftest import SECRETS, TIGHT, living

SITE = Site.from_files({"index.html": b"<title>calm</title>"})
PARENT = """
import sys
from embodied_eval.drivers.browser.browser import Browser
browser = Browser()
print(browser.folder, browser.group.leader, flush=True)
sys.stdin.read()
"""


@pytest.mark.browser
def test_what_is_recorded(sealed: Browser) -> None:
    info = sealed.info
    assert info.version.split(".")[0].isdigit() and "SwiftShader" in info.renderer
    assert info.gl == "swiftshader" and info.executable == find_chromium()
    assert (info.isolation == "netns") == isolation(info.executable, netns=True).netns
    limits = Path(f"/proc/{sealed.group.leader}/limits").read_text()
    for name, value in (
        ("core file size", 0),
        ("cpu time", TIGHT.cpu_s),
        ("file size", TIGHT.disk_mb * 2**20),
    ):
        line = next(one for one in limits.splitlines() if one.startswith(f"Max {name}"))
        assert line.removeprefix(f"Max {name}").split()[0] == str(value)
    if info.sandbox == "off":
        assert any("sandbox is off" in note for note in info.notes)
    if os.geteuid() == 0 and info.uid != 0:
        owners = {Path(f"/proc/{pid}").stat().st_uid for pid in sealed.group.members()}
        assert info.uid in owners and 0 not in {Path(f"/proc/{sealed.group.leader}").stat().st_uid}


@pytest.mark.browser
def test_nothing_of_ours_is_in_its_environment(sealed: Browser) -> None:
    environment = Path(f"/proc/{sealed.group.leader}/environ").read_bytes()
    assert environment and not [one for one in SECRETS.values() if one.encode() in environment]
    assert f"HOME={sealed.folder}".encode() in environment


@pytest.mark.browser
def test_pages_follow_each_other_with_nothing_kept(sealed: Browser) -> None:
    page = sealed.open(SITE)
    page.evaluate("() => { document.cookie = 'a=1'; localStorage.b = 2; }")
    kept = "() => [document.cookie, localStorage.length, innerWidth, innerHeight, devicePixelRatio]"
    sealed.open(SITE, size=(640, 360), init_scripts=["window.first = 1", "window.second = window.first + 1"])
    assert sealed.evaluate(kept) == ["", 0, 640, 360, 1]
    assert sealed.evaluate("() => window.second") == 2
    assert page.is_closed() and sealed.page.title() == "calm"
    assert sealed.cdp.send("Runtime.evaluate", {"expression": "1 + 1"})["result"]["value"] == 2


@pytest.mark.browser
def test_scripts_that_throw_are_typed_and_do_no_harm(sealed: Browser) -> None:
    sealed.open(SITE)
    with pytest.raises(ProtocolError, match="nothing is not defined"):
        sealed.evaluate("() => nothing.at.all")
    assert sealed.evaluate("() => 1") == 1


@pytest.mark.browser
def test_interrupt_from_another_thread_ends_a_pending_call(sealed: Browser) -> None:
    page = sealed.open(SITE)
    waiting = threading.Event()
    page.on("console", lambda _: waiting.set())

    def interrupt() -> None:
        waiting.wait()
        sealed.interrupt()

    other = threading.Thread(target=interrupt)
    other.start()
    with pytest.raises(SimulatorCrashed, match="interrupted"):
        sealed.evaluate("() => { console.log('waiting'); return new Promise(() => {}); }")
    other.join()
    folder = sealed.folder
    sealed.close()
    sealed.close()
    sealed.interrupt()
    assert living(folder.name) == [] and not folder.exists()
    with pytest.raises(SimulatorCrashed, match="closed"):
        sealed.open(SITE)


@pytest.mark.browser
def test_several_browsers_in_one_thread_and_in_two(sealed: Browser) -> None:
    titles: list[str] = []

    def another() -> None:
        with Browser(TIGHT) as third:
            titles.append(third.open(SITE).title())

    thread = threading.Thread(target=another)
    thread.start()
    with Browser(replace(TIGHT, gl="auto")) as second:
        assert second.info.gl in ("egl", "swiftshader") and second.info.renderer
        titles.append(second.open(SITE).title())
        second.interrupt()
    thread.join()
    titles.append(sealed.open(SITE).title())
    assert titles == ["calm"] * 3


@pytest.mark.browser
def test_it_dies_with_its_parent_and_the_next_one_sweeps_up() -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None and parent.stdin is not None
    folder, leader = parent.stdout.readline().split()
    watch = os.pidfd_open(int(leader))
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    assert select.select([watch], [], [], 20)[0], "the browser outlived its parent"
    os.close(watch)
    parent.stdin.close()
    parent.stdout.close()
    assert Path(folder).name.startswith(FOLDER_PREFIX)
    # Its children see the leader go a moment later.
    patience = time.monotonic() + 20.0
    while living(Path(folder).name) and time.monotonic() < patience:
        select.select([], [], [], 0.02)
    sweep()
    assert not Path(folder).exists() and living(Path(folder).name) == []


def test_a_required_namespace_that_cannot_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    none = Isolation((), False, 1000, False, "the kernel forbids it", ("No network namespace.",))
    monkeypatch.setattr(browser_module, "isolation", lambda executable, netns: none)
    with pytest.raises(MissingPart, match="the kernel forbids it") as caught:
        Browser(BrowserSettings(require_netns=True))
    assert caught.value.exit_code == 5


def test_no_browser_anywhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(ENVIRONMENT_VARIABLE, raising=False)
    with pytest.raises(MissingPart) as caught:
        find_chromium()
    assert "install" in caught.value.fix
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, str(tmp_path / "gone"))
    with pytest.raises(MissingPart, match=ENVIRONMENT_VARIABLE):
        find_chromium()
    for name in reversed(NAMES):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
        monkeypatch.delenv(ENVIRONMENT_VARIABLE, raising=False)
        assert find_chromium() == str(tmp_path / name)
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, "google-chrome")
    assert find_chromium() == str(tmp_path / "google-chrome")
    assert find_chromium(str(tmp_path / "chrome")) == str(tmp_path / "chrome")


@pytest.mark.browser
def test_a_program_that_is_no_browser(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    fake = tmp_path / "chromium"
    fake.write_text("#!/bin/sh\necho 'error while loading shared libraries: libmark.so' >&2\nexit 127\n")
    fake.chmod(0o755)
    with pytest.raises(SimulatorCrashed, match=r"libmark\.so"):
        Browser(BrowserSettings(executable=str(fake)))


# What remains to a process with fewer rights, each a step of the ladder.
LADDER = {
    "without the right to make namespaces": ("setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin"),
    "in a user namespace with one id and no further ones": ("unshare", "-r"),
    "without any right": ("unshare", "-r", "setpriv", "--bounding-set=-all", "--inh-caps=-all"),
}


@pytest.mark.full
@pytest.mark.browser
@pytest.mark.skipif(os.geteuid() != 0, reason="gives up rights of root")
@pytest.mark.parametrize("rights", LADDER)
def test_each_step_falls_back_by_itself(rights: str) -> None:
    script = f"from {check_browser.__module__} import check_browser as check; print(check())"
    done = subprocess.run(
        [*LADDER[rights], sys.executable, "-c", script], capture_output=True, text=True, timeout=120
    )
    assert "BrowserInfo(version=" in done.stdout, done.stderr
    if rights == "without any right":
        assert "isolation='route-only'" in done.stdout and "No network namespace" in done.stdout
        assert "sandbox='off'" in done.stdout and "runs as root" in done.stdout
    else:
        assert "isolation='netns'" in done.stdout
