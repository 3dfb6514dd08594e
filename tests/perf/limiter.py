"""What a limit of the provider's costs: `python -m tests.perf.limiter`.

A loopback server lets calls through by a token bucket (so many a second, a burst of as many) and refuses the
others with 429 and `Retry-After`. Two gateways that share one limiter, 8 callers each, make 300 calls in all, by
LiteLLM, knowing nothing of the limit. `share_of_rate` is calls a second over the bucket's rate, from the first
request to the last reply; `share_of_possible` also counts what the full bucket held at the start;
`refused_share` is refusals over all requests. Two cases: `Retry-After` to the millisecond, and in whole
seconds. Targets: at least 0.95 of the rate (shown as `shortfall`, at most 0.05), fewer than 2 % refused.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import os
import statistics
import threading
import time
from typing import Any

from embodied_eval.models.gateway import Gateway
from embodied_eval.models.limiter import AdaptiveLimiter
from embodied_eval.models.types import user
from tests.loopback import Body, Fault, LoopbackServer, Say, rate_limited
from tests.models.tools import bind
from tests.models.virtual import Bucket
from tests.perf.common import Watch, document, parser, print_line

RATE, CALLS, GATEWAYS, CALLERS = 40.0, 300, 2, 8
AT_MOST = {"exact_shortfall": 0.05, "exact_refused_share": 0.02, "whole_refused_share": 0.02}


def once(*, rate: float, calls: int, whole: bool) -> dict[str, float]:
    """`calls` calls against a fresh server and limiter."""
    bucket, lock = Bucket(rate, rate, time.monotonic), threading.Lock()

    def respond(body: Body, n: int) -> Say | Fault:
        with lock:
            wait_s = bucket.take()
        if wait_s is None:
            return Say("ok", tokens=(10, 1))
        return rate_limited(str(max(1, math.ceil(wait_s))) if whole else f"{wait_s + 5e-4:.3f}")

    async def work(base: str) -> float:
        limiter = AdaptiveLimiter()
        gateways = [Gateway(limiter=limiter, api_base=base, tries=10) for _ in range(GATEWAYS)]
        numbers = itertools.count()

        async def caller(gateway: Gateway) -> None:
            model = bind(gateway, [])
            while (number := next(numbers)) < calls:
                await model.complete((user(f"question {number}"),))

        began = time.monotonic()
        await asyncio.gather(*(caller(gateway) for gateway in gateways for _ in range(CALLERS)))
        seconds = time.monotonic() - began
        for gateway in gateways:
            await gateway.close()
        return seconds

    with LoopbackServer(respond) as server:
        bucket.at = time.monotonic()
        seconds = asyncio.run(work(server.base_url))
    return {
        "seconds": seconds,
        "share_of_rate": calls / seconds / rate,
        "share_of_possible": calls / (bucket.burst + rate * seconds),
        "shortfall": max(0.0, 1.0 - calls / seconds / rate),
        "refused": float(bucket.refused),
        "refused_share": bucket.refused / (calls + bucket.refused),
    }


def measure(repeats: int, *, rate: float = RATE, calls: int = CALLS) -> dict[str, Any]:
    """The command's document."""
    watch = Watch()
    os.environ.setdefault("OPENAI_API_KEY", "loopback")
    once(rate=1e6, calls=GATEWAYS * CALLERS, whole=False)  # LiteLLM's import is not measured
    figures: dict[str, float] = {}
    for name, whole in (("exact", False), ("whole", True)):
        made = [once(rate=rate, calls=calls, whole=whole) for _ in range(repeats)]
        figures |= {f"{name}_{key}": statistics.median(one[key] for one in made) for key in made[0]}
    return document(
        "limiter",
        figures,
        at_most=AT_MOST,
        watch=watch,
        work={"rate": rate, "burst": rate, "calls": calls, "gateways": GATEWAYS, "callers": CALLERS},
        repeats=repeats,
    )


def main() -> None:
    """Measure and print one JSON line."""
    print_line(measure(parser(__doc__).parse_args().repeats))


if __name__ == "__main__":
    main()
