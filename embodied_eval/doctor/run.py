"""Run the probes, each in a process of its own with a deadline: a crash in one says so and stops nothing."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from embodied_eval.benchmark import Check
from embodied_eval.doctor.probes import FURTHER, PROBES
from embodied_eval.records import to_json

DEADLINE_S = 90.0
# A game of one's own has to start and load first.
DEADLINES_S = {"ue5": 600.0}
AT_ONCE = 2


def run_probes(
    names: Sequence[str] = (), on_check: Callable[[Check], None] = lambda check: None
) -> list[Check]:
    """The checks of `names` (all for none given), in order; `on_check` is called as they come."""
    chosen = list(names or PROBES)
    made = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for checks in pool.map(probe_checks, chosen):
            for check in checks:
                on_check(check)
                made.append(check)
    return made


def run_probe(name: str) -> Check:
    """One probe's own check; a probe that crashes or hangs is "broken", with the last line it printed."""
    return probe_checks(name)[0]


def probe_checks(name: str) -> list[Check]:
    """A probe's check and those of `FURTHER`. If it crashes or hangs, what it said before stands, and a "broken"
    one says so."""
    seconds = DEADLINES_S.get(name, DEADLINE_S)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "embodied_eval.doctor.probe", name],
            capture_output=True,
            text=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired as late:
        # What was read until then is bytes here, also of a text process.
        said = late.stdout.decode(errors="replace") if isinstance(late.stdout, bytes) else ""
        return [*_checks(said), Check(name, "broken", f"no answer within {seconds:.0f} s")]
    made = _checks(done.stdout)
    if done.returncode or not made:
        last = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "no output")
        detail = f"the probe failed (exit {done.returncode}): {last.strip()[:200]}"
        made.append(Check(name, "broken", detail))
    return made


def probe_main(name: str) -> Iterator[str]:
    """The lines that the probe's own process prints, one for each check."""
    for check in itertools.chain([PROBES[name]()], FURTHER.get(name, tuple)()):
        yield json.dumps({"check": to_json(check)})


def _checks(output: str) -> list[Check]:
    lines = [line for line in output.splitlines() if line.startswith('{"check"')]
    return [Check(**json.loads(line)["check"]) for line in lines]
