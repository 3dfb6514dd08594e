"""What a sealed browser is started with, and what it turned out to be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

GlChoice = Literal["auto", "egl", "swiftshader"]


@dataclass(frozen=True)
class Deadlines:
    """Seconds of wall time after which the browser's whole process group is ended."""

    launch_s: float = 60.0
    load_s: float = 60.0
    step_s: float = 10.0
    frame_s: float = 10.0
    call_s: float = 10.0


@dataclass(frozen=True)
class BrowserSettings:
    """How to start a browser.

    `executable` "" looks for one (`find.find_chromium`); `size` is the viewport (width, height), one device
    pixel to a CSS pixel; `gl` "auto" tries `egl` first. `netns` False does without a network namespace even
    where there could be one, `require_netns` refuses to start without one. `memory_mb`, `max_threads` and
    `disk_mb` bound the whole process group (not each process), `cpu_s` the processor time of each process,
    `script_heap_mb` the JavaScript heap of a page.
    """

    executable: str = ""
    size: tuple[int, int] = (960, 540)
    gl: GlChoice = "auto"
    netns: bool = True
    require_netns: bool = False
    script_heap_mb: int = 1024
    memory_mb: int = 3072
    max_threads: int = 1000
    disk_mb: int = 512
    cpu_s: int = 6 * 3600
    deadlines: Deadlines = field(default_factory=Deadlines)


@dataclass(frozen=True)
class BrowserInfo:
    """What was started, recorded with a run.

    `renderer` is WebGL's unmasked renderer string, "" where there is no WebGL 2; `uid` the user id the
    browser runs as; `limits` whether memory, threads and disk of the group are watched; `notes` why a step
    of the isolation had to be left out, one sentence each.
    """

    version: str
    executable: str
    renderer: str
    gl: Literal["egl", "swiftshader"]
    isolation: Literal["netns", "route-only"]
    sandbox: Literal["namespace", "setuid", "off"]
    uid: int
    limits: bool
    notes: tuple[str, ...] = ()
