"""What the commands that measure pages share: pages on loopback, one process a measurement, the cost of its tree.

A browser's processes are many and outlive each other, so CPU is read from the kernel (proc(5)): user and system
time of this process and of all its descendants, the ended ones that were waited for included. Nothing of the toolkit
and no package is needed to import this: other toolkits are measured by a Python of their own.
"""

from __future__ import annotations

import http.server
import json
import os
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.perf.common import ROOT

PAGES = Path(__file__).parent / "pages"
THREE = "0.187.0"
SIZE = (960, 540)
TICKS_A_S = os.sysconf("SC_CLK_TCK")
ENDS_WITHIN_S = 600.0


@dataclass(frozen=True)
class Job:
    """What one measuring process does: open `url` in a view of `size` and take `steps`, after `warm` uncounted
    ones. `executable` and `arguments` (its WebGL) are the browser's."""

    url: str
    steps: int
    executable: str
    arguments: tuple[str, ...]
    warm: int = 2
    size: tuple[int, int] = SIZE


def ask(column: str, job: Job, python: str = "") -> dict[str, Any]:
    """What `column` of `tests.perf.page_columns` prints, in a process of its own under `python` (ours)."""
    done = subprocess.run(
        [python or sys.executable, "-m", "tests.perf.page_columns", column, json.dumps(asdict(job))],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=ENDS_WITHIN_S,
    )
    if done.returncode:
        raise SystemExit(f"The column {column!r} ended with {done.returncode}:\n{done.stderr}")
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def job_of(text: str) -> Job:
    """The job that `ask` sent."""
    told = json.loads(text)
    told |= {"arguments": tuple(told["arguments"]), "size": tuple(told["size"])}
    return Job(**told)


def timed(step: Callable[[int], object], job: Job) -> dict[str, float]:
    """Milliseconds a step of wall (the median step's) and CPU (the mean of all), and the steps that were counted."""
    for number in range(job.warm):
        step(number)
    walls_s = []
    cpu_s = tree_cpu_s()
    for number in range(job.warm, job.warm + job.steps):
        began = time.perf_counter()
        step(number)
        walls_s.append(time.perf_counter() - began)
    cpu_s = tree_cpu_s() - cpu_s
    middle = sorted(walls_s)[len(walls_s) // 2]
    return {"wall_ms": middle * 1e3, "cpu_ms": cpu_s / job.steps * 1e3}


def tree_cpu_s() -> float:
    """CPU seconds of this process and all its descendants so far (Linux)."""
    parents, spent = {}, {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            fields = (process / "stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            continue
        parents[int(process.name)] = int(fields[1])
        spent[int(process.name)] = sum(map(int, fields[11:15]))
    tree, found = {os.getpid()}, 1
    while found:
        below = {pid for pid, parent in parents.items() if parent in tree} - tree
        tree |= below
        found = len(below)
    return sum(spent.get(pid, 0) for pid in tree) / TICKS_A_S


@contextmanager
def served() -> Iterator[str]:
    """The address of `pages/` and, below `/three/`, of the vendored three.js."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = _file(self.path.partition("?")[0])
            self.send_response(404 if body is None else 200)
            kind = "text/javascript" if self.path.endswith(".js") else "text/html; charset=utf-8"
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
        daemon_threads = True

    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()


def _file(path: str) -> bytes | None:
    from embodied_eval.drivers.browser.vendored import vendored_file

    if path.startswith("/three/build/"):
        return vendored_file(THREE, path.removeprefix("/three/"))
    page = PAGES / Path(path).name
    return page.read_bytes() if page.is_file() else None


def ours_found() -> dict[str, Any]:
    """The browser that the toolkit starts here: `executable`, `arguments` of its WebGL, `version`, `renderer`."""
    from embodied_eval.drivers.browser.browser import check_browser
    from embodied_eval.drivers.browser.launch import EGL_ARGUMENTS, SWIFTSHADER_ARGUMENTS

    info = check_browser()
    return {
        "executable": info.executable,
        "arguments": EGL_ARGUMENTS if info.gl == "egl" else SWIFTSHADER_ARGUMENTS,
        "version": info.version,
        "renderer": info.renderer,
    }


def check_same(told: Sequence[dict[str, Any]], found: dict[str, Any]) -> None:
    """SystemExit unless every column had the same browser, and the same thing to draw with."""
    for one in told:
        for name in ("version", "renderer"):
            if one[name] != found[name]:
                raise SystemExit(f"Not the same {name}: {one[name]!r}, and ours is {found[name]!r}.")
