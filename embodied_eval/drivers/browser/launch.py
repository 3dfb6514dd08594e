"""Starting one Chromium behind the isolation that works here, in a private folder and process group."""

from __future__ import annotations

import fcntl
import os
import shlex
import shutil
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

from embodied_eval.drivers.browser.isolation import Isolation
from embodied_eval.drivers.browser.processes import ProcessGroup
from embodied_eval.drivers.browser.settings import BrowserSettings
from embodied_eval.drivers.browser.within import playwright_error
from embodied_eval.errors import LaunchTimeout, SimulatorCrashed

if TYPE_CHECKING:
    from playwright.sync_api import Browser as PlaywrightBrowser

Gl = Literal["egl", "swiftshader"]
FOLDER_PREFIX = "embodied-eval-browser-"
EGL_ARGUMENTS = ("--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist")
SWIFTSHADER_ARGUMENTS = ("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
# Whatever the routes should miss: no name resolves, no peer connection leaves, nothing phones home.
QUIET_ARGUMENTS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # its name in older versions
    "--disable-quic",
    "--no-first-run",
    "--no-pings",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--no-proxy-server",
    "--mute-audio",
    "--hide-scrollbars",
)
# Where the graphics libraries and fonts of this machine are; none of them can hold a key.
PASSED_ON = (
    "LD_LIBRARY_PATH",
    "LIBGL_DRIVERS_PATH",
    "LIBGL_ALWAYS_SOFTWARE",
    "GALLIUM_DRIVER",
    "MESA_LOADER_DRIVER_OVERRIDE",
    "LP_NUM_THREADS",
    "__EGL_VENDOR_LIBRARY_DIRS",
    "__EGL_VENDOR_LIBRARY_FILENAMES",
    "CUDA_VISIBLE_DEVICES",
    "FONTCONFIG_FILE",
    "FONTCONFIG_PATH",
)
# Blocks of 512 bytes in `ulimit -f`; one file may take all of the disk budget, the watch bounds their sum.
BLOCKS_PER_MB = 2048


@dataclass(frozen=True)
class Launched:
    """A running browser: Playwright's object, its processes, the folder that goes with it, and its held lock."""

    browser: PlaywrightBrowser
    group: ProcessGroup
    folder: Path
    profile: Path
    lock: IO[str]


def launch(
    chromium: Any,
    executable: str,
    isolation: Isolation,
    settings: BrowserSettings,
    gl: Gl,
    *,
    sandbox: bool,
) -> Launched:
    """Start `executable`. Raises `LaunchTimeout`, or `SimulatorCrashed` with what it said; in both cases
    nothing is left running and the folder is gone."""
    timeout_s = settings.deadlines.launch_s
    sweep()
    folder = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX))
    lock = _locked(folder)
    profile, note = folder / "profile", folder / "pid"
    # The folder itself is only passed through: the browser's id can neither list it nor change the wrapper.
    folder.chmod(0o711)
    profile.mkdir(mode=0o700)
    (profile / "tmp").mkdir(mode=0o700)
    if os.geteuid() == 0 and isolation.uid != 0:
        for path in (profile, profile / "tmp"):
            os.chown(path, isolation.uid, isolation.uid)
    wrapper = folder / "chromium"
    wrapper.write_text(_wrapper(executable, isolation, settings, profile, note), encoding="utf-8")
    wrapper.chmod(0o700)
    try:
        browser = chromium.launch(
            executable_path=str(wrapper),
            headless=True,
            chromium_sandbox=sandbox,
            args=_arguments(settings, gl),
            env=_environment(profile),
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
            timeout=timeout_s * 1000,
        )
    except playwright_error() as error:
        group = ProcessGroup(_noted(note), folder)
        group.kill()
        group.wait_gone()
        remove(folder)
        lock.close()
        if type(error).__name__ == "TimeoutError":
            raise LaunchTimeout(
                f"{executable} did not become ready within {timeout_s:g} s.",
                endpoint=executable,
                command="launch",
                waited_s=timeout_s,
            ) from error
        raise SimulatorCrashed(
            f"{executable} did not start: {_reason(str(error))}", endpoint=executable, command="launch"
        ) from error
    return Launched(browser, ProcessGroup(_noted(note), folder), folder, profile, lock)


def remove(folder: Path) -> None:
    """Delete a browser's folder; files that another id owns and left behind are root's to delete."""
    shutil.rmtree(folder, ignore_errors=True)


def sweep() -> None:
    """Delete folders of browsers whose parent process was killed before it could."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER_PREFIX}*"):
        # A folder without its note is one that another process is just about to start from.
        with suppress(OSError):
            if folder.stat().st_uid == os.geteuid() and (folder / "pid").exists():
                with _locked(folder):
                    ProcessGroup(0, folder).kill_strays()
                    remove(folder)


def _locked(folder: Path) -> IO[str]:
    """The folder's lock file, which its parent process holds as long as it lives, whatever container it
    lives in. Raises `OSError` while another process holds it."""
    lock = (folder / "lock").open("a", encoding="ascii")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise
    return lock


def _wrapper(
    executable: str, isolation: Isolation, settings: BrowserSettings, profile: Path, note: Path
) -> str:
    """A shell script in which every word that is not ours is quoted, and `"$@"` stays as it comes."""
    command = shlex.join([*isolation.prefix, executable])
    limits = f"ulimit -c 0; ulimit -t {settings.cpu_s}; ulimit -f {settings.disk_mb * BLOCKS_PER_MB}"
    return (
        "#!/bin/sh\n"
        f"echo $$ > {shlex.quote(str(note))} || exit 1\n"
        f"cd {shlex.quote(str(profile))} || exit 1\n"
        f"{limits if sys.platform != 'darwin' else 'ulimit -c 0'}\n"
        # Chromium takes the last of two equal switches: Playwright's own folder is of another user.
        f'exec {command} "$@" {shlex.quote(f"--user-data-dir={profile}")}\n'
    )


def _arguments(settings: BrowserSettings, gl: str) -> list[str]:
    width, height = settings.size
    return [
        *QUIET_ARGUMENTS,
        *(EGL_ARGUMENTS if gl == "egl" else SWIFTSHADER_ARGUMENTS),
        f"--js-flags=--max-old-space-size={settings.script_heap_mb}",
        f"--window-size={width},{height}",
        "--force-device-scale-factor=1",
        "--force-color-profile=srgb",
    ]


def _environment(profile: Path) -> dict[str, str | float | bool]:
    """The browser's whole environment: no key, no proxy, no display, nothing of the user's home."""
    home = str(profile)
    return {
        "HOME": home,
        "TMPDIR": str(profile / "tmp"),
        "XDG_CONFIG_HOME": home,
        "XDG_CACHE_HOME": home,
        "XDG_RUNTIME_DIR": home,
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        **{name: os.environ[name] for name in PASSED_ON if name in os.environ},
    }


def _noted(note: Path) -> int:
    try:
        return int(note.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return 0


def _reason(text: str) -> str:
    """The one line of a launch log that says what went wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for mark in ("FATAL", "ERROR", "error while loading", "unshare:", "setpriv:", "[err]"):
        for line in lines:
            if mark in line:
                return line[:300]
    return (lines[0] if lines else "no reason given")[:300]
