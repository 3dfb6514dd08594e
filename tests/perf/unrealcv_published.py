"""The published client among the faults of `tests.perf.unrealcv_faults`, which runs this as a process of its own.

Some of its calls never end, so each has `CALL_LIMIT_S`; what is still at work then is left behind, and the process
ends without waiting for it. Its caller makes a new client after three failures in a row or a call without end.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import threading
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from embodied_eval.drivers.unrealcv import images
from embodied_eval.errors import ProtocolError
from tests.drivers.unrealcv.fake_server import REPLY_FAULTS, FakeServer, judge, scripted
from tests.perf.common import parser
from tests.perf.unrealcv_faults import DEADLINE_S, ECHOES, SEED, FaultyServer, cases

CALL_LIMIT_S = 0.5
NEVER = "without end"
COUNTS = ("faults", "right", "stale", "wrong", "reported", "raised", "without_end", "connections")


def within(call: Callable[[], Any]) -> tuple[Any, str]:
    """What `call` returned and "", or None and the name of what it raised, `NEVER` if it did not end."""
    made: list[tuple[Any, str]] = []

    def work() -> None:
        try:
            made.append((call(), ""))
        except Exception as error:  # this is what is counted
            made.append((None, type(error).__name__))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(CALL_LIMIT_S)
    return made[0] if made else (None, NEVER)


def connected(port: int) -> Any:
    """A new client of the package; SystemExit if it cannot be had."""
    import unrealcv

    client = unrealcv.Client(("127.0.0.1", port))
    if within(client.connect)[0] is not True:
        raise SystemExit("The published client does not connect.")
    return client


def read(body: Any) -> Any:
    """What it returned, pictures in the core's terms, so that `judge` can tell whose answer it is."""
    for form in ("bmp", "png", "npy"):
        if isinstance(body, bytes) and body.startswith(images.MAGICS[form]):
            try:
                picture = images.decode(body, form)
            except ProtocolError:
                return body
            return images.depth_to_metres(picture) if form == "npy" else picture
    return body


def count(faults: int, seed: int) -> dict[str, float]:
    """Counts for the first `faults` faults of that seed."""
    found: Counter[str] = Counter()
    with FaultyServer(seed, 0.0) as server:
        client, failed = None, 0
        for case in cases(faults, seed):
            server.deal(case)
            if client is None or failed >= 3:
                client, failed = connected(server.port), 0
                found["connections"] += 1
            found["faults"] += sum(map(bool, case.faults))
            if len(case.commands) > 1:
                bodies, error = within(partial(client.request, list(case.commands)))
            else:
                body, error = within(partial(client.request, case.commands[0], DEADLINE_S))
                bodies = [body]
            if error == NEVER:
                found["without_end"] += 1
                client = None
            elif error:
                found["raised"] += 1
                failed += 1
            else:
                failed = 0
                found.update(
                    judge(command, read(body)) for command, body in zip(case.commands, bodies, strict=True)
                )
    return {name: float(found[name]) for name in COUNTS}


def by_fault(fault: str) -> list[str]:
    """What it makes of a broken reply and of the next two questions."""
    # Its first request, for the server's commands, is answered.
    with FakeServer(scripted(["", fault])) as server:
        client, told = connected(server.port), []
        for command in ECHOES:
            body, error = within(partial(client.request, command, 10 * DEADLINE_S))
            told.append(error or judge(command, read(body)))
    return told


def main() -> None:
    """Print the counts and the table as one line."""
    arguments = parser(__doc__)
    arguments.add_argument("--faults", type=int, required=True)
    arguments.add_argument("--seed", type=int, default=SEED)
    chosen = arguments.parse_args()
    with contextlib.redirect_stdout(io.StringIO()):
        made = {
            "counts": count(chosen.faults, chosen.seed),
            "by_fault": {fault: by_fault(fault) for fault in REPLY_FAULTS},
        }
    print(json.dumps(made), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
