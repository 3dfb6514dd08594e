"""Which Chromium to use, and how to get one where there is none."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

from embodied_eval.errors import MissingPart

ENVIRONMENT_VARIABLE = "EMBODIED_EVAL_CHROMIUM"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_APPS = ("Chromium.app/Contents/MacOS/Chromium", "Google Chrome.app/Contents/MacOS/Google Chrome")


def playwright_module() -> Any:
    """`playwright.sync_api`. Raises `MissingPart` where the package is not installed."""
    try:
        import playwright.sync_api as module
    except ImportError as error:
        raise MissingPart(
            "The package playwright is not installed; pages need it.", fix="pip install 'embodied-eval[web]'"
        ) from error
    return module


def find_chromium(executable: str = "", own: str = "") -> str:
    """The path of the Chromium to start: `executable`, else $EMBODIED_EVAL_CHROMIUM, else the first of
    `NAMES` on the path, else `own` (the one Playwright downloads). Raises `MissingPart`."""
    for asked, source in (
        (executable, "the settings"),
        (os.environ.get(ENVIRONMENT_VARIABLE, ""), f"${ENVIRONMENT_VARIABLE}"),
    ):
        if asked:
            if found := shutil.which(asked):
                return str(Path(found).absolute())
            raise MissingPart(
                f"There is no executable {asked!r}, which {source} names as the browser.",
                hint=f"Set {ENVIRONMENT_VARIABLE} to the path of a Chromium or Chrome, or unset it.",
            )
    found = next((path for name in NAMES if (path := shutil.which(name))), "")
    if not found and sys.platform == "darwin":
        apps = (
            folder / app
            for folder in (Path("/Applications"), Path.home() / "Applications")
            for app in MAC_APPS
        )
        found = next((str(app) for app in apps if app.is_file()), "")
    if not found and own and Path(own).is_file():
        found = own
    if not found:
        raise MissingPart("No Chromium or Chrome was found on this machine.", fix=install_command())
    return str(Path(found).absolute())


def install_command() -> str:
    """The command that brings a Chromium here."""
    if (
        Path("/etc/debian_version").exists()
        and shutil.which("chromium") is None
        and "ubuntu" not in _release()
    ):
        return "apt-get install -y chromium"
    return "playwright install --with-deps chromium"


def _release() -> str:
    try:
        return Path("/etc/os-release").read_text(encoding="utf-8").lower()
    except OSError:
        return ""
