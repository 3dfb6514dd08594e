"""Run the probes, each in a process of its own with a deadline: a crash in one says so and stops nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from embodied_eval.benchmark import Check
from embodied_eval.doctor.probes import PROBES
from embodied_eval.records import to_json

DEADLINE_S = 90.0
AT_ONCE = 2


def run_probes(
    names: Sequence[str] = (), on_check: Callable[[Check], None] = lambda check: None
) -> list[Check]:
    """The checks of `names` (all for none given), in order; `on_check` is called as they come."""
    chosen = list(names or PROBES)
    made = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for check in pool.map(run_probe, chosen):
            on_check(check)
            made.append(check)
    return made


def run_probe(name: str) -> Check:
    """One probe's check; a probe that crashes or hangs is "broken", with the last line it printed."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "embodied_eval.doctor.probe", name],
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
        )
    except subprocess.TimeoutExpired:
        return Check(name, "broken", f"no answer within {DEADLINE_S:.0f} s")
    for line in reversed(done.stdout.splitlines()):
        if line.startswith('{"check"'):
            return Check(**json.loads(line)["check"])
    last = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "no output")
    return Check(name, "broken", f"the probe failed (exit {done.returncode}): {last.strip()[:200]}")


def probe_main(name: str) -> str:
    """What the probe's own process prints."""
    return json.dumps({"check": to_json(PROBES[name]())})
