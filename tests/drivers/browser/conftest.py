"""One sealed browser for all tests of this folder, replaced when a test has killed it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from embodied_eval.drivers.browser.browser import Browser
from embodied_eval.drivers.browser.processes import PROC
from embodied_eval.drivers.browser.settings import BrowserSettings, Deadlines
from tests.listeners import listeners as listeners

HOSTILE = Path(__file__).parent / "hostile"
SECRETS = {"SOME_API_KEY": "sk-mark-1", "HTTPS_PROXY": "http://mark-2:1", "MY_WORD": "mark-3"}
QUICK = Deadlines(load_s=20.0, call_s=20.0)
TIGHT = BrowserSettings(
    size=(320, 240),
    gl="swiftshader",
    script_heap_mb=64,
    memory_mb=800,
    max_threads=200 + 20 * (os.cpu_count() or 1),
    disk_mb=200,
    deadlines=QUICK,
)
ROUTE_ONLY = replace(TIGHT, netns=False)


class Browsers:
    """Gives out a living browser for each setting, the same one as long as it lives."""

    def __init__(self) -> None:
        self._made: dict[BrowserSettings, Browser] = {}

    def __call__(self, settings: BrowserSettings) -> Browser:
        browser = self._made.get(settings)
        if browser is None or not browser.alive:
            if browser is not None:
                browser.close()
            browser = self._made[settings] = Browser(settings)
        return browser

    def close(self) -> None:
        for browser in self._made.values():
            browser.close()


@pytest.fixture(scope="package")
def browsers() -> Iterator[Browsers]:
    """Living browsers by their settings, closed at the end of this folder; started from an environment
    that holds what no browser may see."""
    made = Browsers()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SECRETS.items():
            patch.setenv(name, value)
        yield made
        made.close()


@pytest.fixture
def sealed(browsers: Browsers) -> Browser:
    """A living sealed browser with short deadlines and tight limits."""
    return browsers(TIGHT)


def living(mark: str) -> list[str]:
    """Command lines of living processes that contain `mark`."""
    found = []
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if mark in line:
                found.append(line)
    return found
