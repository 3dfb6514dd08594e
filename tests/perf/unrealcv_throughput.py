"""What a reply over UnrealCV's protocol costs, beside the published client: `python -m tests.perf.unrealcv_throughput`.

A server process on loopback answers from memory. In one process, in turns, our client and the one of the package
`unrealcv` ask it for text and for bodies of 640x480x3, 1280x720x4 and 1920x1080x4 bytes, and for a picture of
640x480 as bmp, decoded. Figures are milliseconds a request: wall, and CPU of the asking process with all its
threads. `raw` gives bytes as the published client does, `view` the same without a copy. Ratios are ours over its.
Targets: no slower for text and 0.9 MB; from 3.7 MB at most 0.4 of its wall time and 0.3 of its CPU.
"""

from __future__ import annotations

import contextlib
import io
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from embodied_eval.drivers.unrealcv import images, wire
from embodied_eval.drivers.unrealcv.client import Client
from tests.perf.common import ROOT, Watch, alternate, document, parser, print_line

SIZES = {"0.9mb": 640 * 480 * 3, "3.7mb": 1280 * 720 * 4, "8.3mb": 1920 * 1080 * 4}
ASKED = {"text": 3000, "0.9mb": 60, "3.7mb": 30, "8.3mb": 20, "bmp": 40}
ECHO = "vget /unrealcv/echo word"
TEMPLATES = b"vget /unrealcv/commands\nvget /unrealcv/echo [str]\nvget /camera/[uint]/lit [str]"
LIT = "vget /camera/0/lit bmp"
AT_MOST = {
    "text_wall_ratio": 1.0,
    "0.9mb_wall_ratio": 1.0,
    "3.7mb_wall_ratio": 0.4,
    "8.3mb_wall_ratio": 0.4,
    "3.7mb_cpu_ratio": 0.3,
    "8.3mb_cpu_ratio": 0.3,
}


def serve() -> None:
    """One client at a time, bodies from memory; the port is printed."""
    import numpy as np

    noise = np.random.default_rng(0)
    bodies = {f"vget /camera/{size}/lit raw": noise.bytes(size) for size in SIZES.values()}
    bodies[LIT] = images.encode_bmp(noise.integers(0, 256, (480, 640, 3), np.uint8))
    bodies["vget /unrealcv/commands"] = TEMPLATES
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(listener.getsockname()[1], flush=True)
        while True:
            sock, _ = listener.accept()
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.sendall(wire.frame(b"connected to throughput"))
            reader = wire.FrameReader(sock)
            with contextlib.suppress(ConnectionError), sock:
                while (parsed := wire.parse_request(reader.read())) is not None:
                    body = bodies.get(parsed[1], b"word")
                    sock.sendall(wire.reply_head(parsed[0], len(body)) if len(body) > 1024 else b"")
                    sock.sendall(body if len(body) > 1024 else wire.reply(parsed[0], body))


@contextlib.contextmanager
def server() -> Iterator[int]:
    """The port of a server process that ends with the context."""
    process = subprocess.Popen(
        [sys.executable, "-m", __spec__.name if __spec__ else "tests.perf.unrealcv_throughput", "--serve"],
        stdout=subprocess.PIPE,
        cwd=ROOT,
    )
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@contextlib.contextmanager
def published(port: int) -> Iterator[Any]:
    """The package's own client, connected; what it prints is dropped."""
    import unrealcv

    with contextlib.redirect_stdout(io.StringIO()):
        client = unrealcv.Client(("127.0.0.1", port))
        if not client.connect():
            raise SystemExit("The published client does not connect.")
        try:
            yield client
        finally:
            client.disconnect()


def spent(ask: Callable[[], object], times: int) -> dict[str, float]:
    """Milliseconds a request."""
    ask()
    cpu_s, began = time.process_time(), time.perf_counter()
    for _ in range(times):
        ask()
    wall_s = time.perf_counter() - began
    return {"wall_ms": wall_s / times * 1e3, "cpu_ms": (time.process_time() - cpu_s) / times * 1e3}


def measure(repeats: int, *, share: float = 1.0) -> dict[str, Any]:
    """The command's document, with `share` of the usual number of requests."""
    watch = Watch()
    figures: dict[str, float] = {}
    asked = {name: max(1, round(times * share)) for name, times in ASKED.items()}
    # Two servers: each takes one client at a time.
    with server() as port, server() as other_port, published(other_port) as other:
        from unrealcv.api import MsgDecoder

        ours, decoder = Client(f"tcp://127.0.0.1:{port}"), MsgDecoder()
        commands = {name: f"vget /camera/{size}/lit raw" for name, size in SIZES.items()}
        for name, times in asked.items():
            cases: dict[str, Callable[[], object]]
            if name == "text":
                cases = {"ours": partial(ours.text, ECHO), "published": partial(other.request, ECHO)}
            elif name == "bmp":
                cases = {
                    "ours": partial(ours.image, LIT),
                    "published": lambda: decoder.decode_bmp(other.request(LIT)),
                }
            else:
                command = commands[name]
                cases = {
                    "ours": partial(ours.raw, command),
                    "view": partial(ours.view, command),
                    "published": partial(other.request, command),
                }
            found = alternate({case: partial(spent, ask, times) for case, ask in cases.items()}, repeats)
            for case, one in found.items():
                figures |= {f"{name}_{case}_{key}": value for key, value in one.items()}
            for key in ("wall", "cpu"):
                ratio = found["ours"][f"{key}_ms"] / max(1e-9, found["published"][f"{key}_ms"])
                figures[f"{name}_{key}_ratio"] = ratio
        ours.close()
    return document(
        "unrealcv_throughput",
        figures,
        at_most=AT_MOST,
        watch=watch,
        work={"requests": asked},
        repeats=repeats,
    )


def main() -> None:
    """Measure and print one JSON line."""
    arguments = parser(__doc__)
    arguments.add_argument("--serve", action="store_true", help="be the server")
    chosen = arguments.parse_args()
    if chosen.serve:
        serve()
    else:
        print_line(measure(chosen.repeats))


if __name__ == "__main__":
    main()
