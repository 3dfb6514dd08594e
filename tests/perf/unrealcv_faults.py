"""How UnrealCV clients take faults: `python -m tests.perf.unrealcv_faults [--faults 10000] [--published 500]`.

A server on loopback answers text, pictures, depth and batches, and breaks a part of its replies and greetings at
random (`tests/drivers/unrealcv/fake_server.py` lists how). Every answer shows which question it belongs to: *stale*
is one that a client returned for another question, *wrong* anything else that is not the answer; *untyped* is an
exception that is not of the toolkit's tree. The published client gets the first of the same faults in a process of
its own (`tests/perf/unrealcv_published.py`). `by_fault` tells what either makes of each fault on a fresh
connection, and of two more questions, for our client the second after a reconnect if the connection is broken.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.drivers.unrealcv.connect import Deadlines
from embodied_eval.errors import FrameTimeout, SimulatorError, StepTimeout
from tests.drivers.unrealcv.fake_server import GREETING_FAULTS, REPLY_FAULTS, FakeServer, judge, scripted
from tests.perf.common import ROOT, Watch, document, parser, print_line

FAULTS, PUBLISHED, SEED = 10_000, 500, 5
DEADLINE_S = 0.02
AT_MOST = {"stale": 0.0, "wrong": 0.0, "untyped": 0.0}
COUNTS = ("faults", "greeting_faults", "right", "stale", "wrong", "typed", "untyped", "connections")
FORMS = ("/unrealcv/echo w{n}", "/camera/{n}/lit bmp", "/camera/{n}/seg png", "/camera/{n}/depth npy")
ECHOES = tuple(f"vget /unrealcv/echo w{n}" for n in (1, 2, 3))


@dataclass(frozen=True)
class Case:
    """What is asked at once, and what happens to each of the replies."""

    commands: tuple[str, ...]
    faults: tuple[str, ...]


def cases(faults: int, seed: int) -> Iterator[Case]:
    """Questions, each asked once, with `faults` faults in all: one in two of three replies."""
    dice, dealt, asked = random.Random(seed), 0, 0
    while dealt < faults:
        commands, dealing = [], []
        for _ in range(dice.choice((1, 1, 1, 2, 4))):
            asked += 1
            commands.append("vget " + dice.choice(FORMS).format(n=asked))
            fault = dice.choice(REPLY_FAULTS) if dealt < faults and dice.random() < 2 / 3 else ""
            dealing.append(fault)
            dealt += fault != ""
        yield Case(tuple(commands), tuple(dealing))


class FaultyServer(FakeServer):
    """Breaks each reply as the case at hand says, and a share of the greetings."""

    def __init__(self, seed: int, greetings: float) -> None:
        self.faults: dict[str, str] = {}
        dice = random.Random(seed + 1)

        def plan(connection: int, request: int, command: str) -> str:
            if request >= 0:
                return self.faults.get(command, "")
            return dice.choice(GREETING_FAULTS) if dice.random() < greetings else ""

        super().__init__(plan)

    def deal(self, case: Case) -> None:
        """From now on break the replies to the case's questions."""
        self.faults = dict(zip(case.commands, case.faults, strict=True))


def ours(faults: int, seed: int, deadline_s: float = DEADLINE_S) -> dict[str, float]:
    """Counts for our client, which reconnects whenever its connection is broken."""
    count: Counter[str] = Counter()
    late_s = [0.0]
    deadlines = Deadlines(greeting_s=deadline_s, text_s=deadline_s, image_s=deadline_s)
    client: Client | None = None
    with FaultyServer(seed, 0.05) as server:
        for case in cases(faults, seed):
            server.deal(case)
            count["faults"] += sum(map(bool, case.faults))
            while client is None or client.broken:
                try:
                    client = _connected(client, server.endpoint, deadlines)
                    count["connections"] += 1
                except SimulatorError:
                    count["greeting_faults"] += 1
            try:
                found = _ask(client, case.commands)
            except SimulatorError as error:
                count["typed"] += 1
                if isinstance(error, (StepTimeout, FrameTimeout)):
                    late_s.append((error.waited_s or 0.0) - deadline_s)
            except Exception:  # this is what is counted
                count["untyped"] += 1
            else:
                count.update(judge(*pair) for pair in zip(case.commands, found, strict=True))
        if client is not None:
            client.close()
    late_s.sort()
    return {name: float(count[name]) for name in COUNTS} | {
        "timeout_late_median_ms": late_s[len(late_s) // 2] * 1e3,
        "timeout_late_p99_ms": late_s[int(0.99 * (len(late_s) - 1))] * 1e3,
    }


def _connected(client: Client | None, endpoint: str, deadlines: Deadlines) -> Client:
    if client is None:
        return Client(endpoint, deadlines)
    client.reconnect()
    return client


def _ask(client: Client, commands: tuple[str, ...]) -> list[Any]:
    def read(command: str, body: bytes) -> Any:
        return client.read_text(command, body) if "/echo " in command else client.read_image(command, body)

    if len(commands) > 1:
        return [read(*pair) for pair in zip(commands, client.batch(commands), strict=True)]
    (command,) = commands
    return [client.text(command) if "/echo " in command else client.image(command)]


def by_fault(fault: str) -> list[str]:
    """What our client makes of a broken reply, of the next question, and of one more, after a reconnect if the
    connection is broken."""

    def tried(call: Callable[[], str], command: str) -> str:
        try:
            return judge(command, call())
        except SimulatorError as error:
            return error.kind

    with FakeServer(scripted([fault])) as server:
        client = Client(server.endpoint, Deadlines(text_s=10 * DEADLINE_S))
        told = [tried(partial(client.text, command), command) for command in ECHOES[:2]]
        if client.broken:
            client.reconnect()
        told.append(tried(partial(client.text, ECHOES[2]), ECHOES[2]))
        client.close()
    return told


def published(faults: int, seed: int) -> dict[str, Any]:
    """What the published client's process prints, {} for 0 faults."""
    if faults == 0:
        return {}
    done = subprocess.run(
        [sys.executable, "-m", "tests.perf.unrealcv_published", f"--faults={faults}", f"--seed={seed}"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
        timeout=120 + 2 * faults,
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def measure(faults: int, published_faults: int, seed: int) -> dict[str, Any]:
    """The command's document."""
    watch, began = Watch(), time.monotonic()
    figures = ours(faults, seed)
    figures["seconds"] = time.monotonic() - began
    other = published(published_faults, seed)
    figures |= {f"published_{name}": value for name, value in other.get("counts", {}).items()}
    work = {"seed": seed, "deadline_s": DEADLINE_S, "greetings_broken": "5 %, ours only"}
    made = document("unrealcv_faults", figures, at_most=AT_MOST, watch=watch, work=work, repeats=1)
    made["by_fault"] = {
        fault: {"ours": by_fault(fault), "published": other.get("by_fault", {}).get(fault)}
        for fault in REPLY_FAULTS
    }
    return made


def main() -> None:
    """Measure and print one JSON line."""
    arguments = parser(__doc__)
    arguments.add_argument("--faults", type=int, default=FAULTS, help="faults for our client")
    arguments.add_argument(
        "--published", type=int, default=PUBLISHED, help="faults for the published one, 0 = none"
    )
    arguments.add_argument("--seed", type=int, default=SEED)
    chosen = arguments.parse_args()
    print_line(measure(chosen.faults, chosen.published, chosen.seed))


if __name__ == "__main__":
    main()
