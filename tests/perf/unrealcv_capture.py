"""What a picture costs through our UnrealCV server, beside the same driver in process: `python -m
tests.perf.unrealcv_capture`.

`embodied-eval sim serve` runs beside the measuring process, both with the same world and pose, paused. In turns: a
640x480 `lit` as bmp over loopback, decoded, and `capture` in process. Then what the server itself spends on text
commands, sockets left out, and a whole round trip. Targets: at most 1.3 times the capture; 0.1 ms a command.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.drivers.unrealcv.server import Server
from embodied_eval.worlds.bundled import load_world
from tests.perf.common import ROOT, Watch, alternate, document, parser, print_line

SIZE = (640, 480)
PICTURES, TEXTS = 20, 500
LIT = "vget /camera/0/lit bmp"
AT_MOST = {"lit_wall_ratio": 1.3, "text_server_ms": 0.1}


@contextmanager
def serving(world: str) -> Iterator[Client]:
    """A client of a server process that ends with the context."""
    command = [
        sys.executable,
        "-m",
        "embodied_eval",
        "sim",
        "serve",
        "--world",
        world,
        "--port",
        "0",
        "--json",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)
    assert process.stdout is not None
    try:
        client = Client(f"tcp://{json.loads(process.stdout.readline())['address']}")
        client.text("vset /action/game/pause")
        yield client
        client.close()
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def each_ms(ask: Callable[[], object], times: int) -> dict[str, float]:
    """Milliseconds a call, the median."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        ask()
        taken.append(time.perf_counter() - began)
    return {"wall_ms": statistics.median(taken) * 1e3}


def text_server_ms(world: str, times: int) -> float:
    """The slowest of some everyday commands: milliseconds that the server needs for the answer, the median."""
    with Server(MujocoDriver(), load_world(world), port=0) as server:
        client = Client(f"tcp://{server.address}")
        client.text("vset /action/game/pause")
        name = client.text("vget /objects").split()[0]
        commands = (
            "vget /camera/0/location",
            "vset /camera/0/rotation 0 10 0",
            f"vget /object/{name}/location",
            f"vget /object/{name}/bounds",
            "vget /objects",
            "vget /unrealcv/echo word",
        )
        # Nothing is asked over the socket meanwhile, so the game's thread stands still.
        slowest = max(each_ms(partial(server.answer, command), times)["wall_ms"] for command in commands)
        client.close()
    return slowest


def measure(repeats: int, world: str = "indoor", *, share: float = 1.0) -> dict[str, Any]:
    """The command's document, with `share` of the usual number of requests."""
    watch = Watch()
    pictures, texts = max(1, round(PICTURES * share)), max(1, round(TEXTS * share))
    driver = MujocoDriver()
    driver.load(load_world(world))
    with serving(world) as client:
        cases = {
            "lit": partial(each_ms, partial(client.image, LIT), pictures),
            "in_process": partial(each_ms, partial(driver.capture, ("rgb",), SIZE), pictures),
            "text": partial(each_ms, partial(client.text, "vget /camera/0/location"), texts),
        }
        for case in ("lit", "in_process"):
            cases[case]()
        found = alternate(cases, repeats)
    driver.close()
    figures = {f"{case}_{key}": value for case, one in found.items() for key, value in one.items()}
    figures["lit_wall_ratio"] = found["lit"]["wall_ms"] / found["in_process"]["wall_ms"]
    figures["text_server_ms"] = text_server_ms(world, texts)
    return document(
        "unrealcv_capture",
        figures,
        at_most=AT_MOST,
        watch=watch,
        work={"world": world, "size": list(SIZE), "pictures": pictures, "texts": texts},
        repeats=repeats,
    )


def main() -> None:
    """Measure and print one JSON line."""
    arguments = parser(__doc__)
    arguments.add_argument("--world", default="indoor")
    chosen = arguments.parse_args()
    print_line(measure(chosen.repeats, chosen.world))


if __name__ == "__main__":
    main()
