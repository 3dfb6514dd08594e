"""Policies in a process of their own: our torch worker, and every way in which a process can fail."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from embodied_eval.errors import (
    EmbodiedEvalError,
    LaunchTimeout,
    MissingPart,
    ProtocolError,
    SimulatorCrashed,
    StepTimeout,
)
from embodied_eval.policies import POOL, parse_policy
from embodied_eval.policies.base import Act
from embodied_eval.policies.worker import Deadlines, WorkerPolicy, read_act

PICTURE = np.zeros((192, 192, 3), np.uint8)
SHORT = Deadlines(ready_s=20.0, act_s=20.0, quit_s=0.3)
HEAD = """
import json, os, subprocess, sys, time
def say(text):
    sys.stdout.write(text + chr(10)); sys.stdout.flush()
"""
ECHO = """
say("loading weights"); say("#READY")
n = 0
for line in sys.stdin:
    message = json.loads(line)
    if message.get("cmd") == "quit": break
    if message.get("cmd") == "reset": n = 0; continue
    n += 1
    say("thinking about " + message["text"]); say("#ACT " + json.dumps({"keys": ["w"], "buttons": [], "dx": n, "dy": -1}))
"""
needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="needs the extra torch")


def worker(body: str, deadlines: Deadlines = SHORT) -> WorkerPolicy:
    return WorkerPolicy((sys.executable, "-c", HEAD + body), deadlines=deadlines)


def gone(pid: int) -> bool:
    """Whether nobody in the process group runs any more; who was killed gets some time to go."""
    until_s = time.monotonic() + 10.0
    while running(pid):
        if time.monotonic() > until_s:
            return False
        os.sched_yield()
    return True


def running(pid: int) -> bool:
    """Whether somebody in the process group runs; who is dead may still wait for its parent to notice."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _parent, group = path.read_text().rpartition(")")[2].split()[:3]
            if int(group) == pid and state not in "ZX":
                return True
    return False


def test_a_command_that_speaks_the_lines_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = worker(ECHO, Deadlines(quit_s=20.0))
    acts = [policy.act(PICTURE, "look") for _ in range(2)]
    policy.reset()
    acts.append(policy.act(PICTURE, "look"))
    assert acts == [Act(frozenset({"KeyW"}), dx=float(n), dy=-1.0) for n in (1, 2, 1)]
    policy.close()
    assert policy._process.returncode == 0 and gone(policy._process.pid)
    policy.close()
    with pytest.raises(SimulatorCrashed):
        policy.act(PICTURE, "look")


@pytest.mark.parametrize(
    ("body", "error", "told"),
    [
        ("sys.exit(3)", SimulatorCrashed, "status 3"),
        ("say('out of memory'); sys.exit(1)", SimulatorCrashed, "out of memory"),
        ("sys.stderr.write('no GPU'); sys.exit(1)", SimulatorCrashed, "no GPU"),
        ("say('#ACT {}'); time.sleep(60)", ProtocolError, "#READY"),
    ],
)
def test_one_that_never_gets_ready(body: str, error: type[EmbodiedEvalError], told: str) -> None:
    with pytest.raises(error, match=told):
        worker(body)


def test_one_that_takes_too_long_to_get_ready() -> None:
    with pytest.raises(LaunchTimeout, match="in time"):
        worker("time.sleep(60)", Deadlines(ready_s=0.3))


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("time.sleep(60)", StepTimeout),
        ("sys.exit(0)", SimulatorCrashed),
        ("os.kill(os.getpid(), 9)", SimulatorCrashed),
        ("say('#ACT nonsense'); time.sleep(60)", ProtocolError),
        ("say('#ACT [1]'); time.sleep(60)", ProtocolError),
        ("say('#READY'); time.sleep(60)", ProtocolError),
        ("say('#ACT ' + 'x' * 2000000); time.sleep(60)", ProtocolError),
    ],
)
def test_one_that_fails_while_it_plays(body: str, error: type[EmbodiedEvalError]) -> None:
    deadlines = Deadlines(ready_s=20.0, act_s=0.3 if error is StepTimeout else 20.0)
    policy = worker(f"say('#READY')\nsys.stdin.readline()\n{body}", deadlines)
    with pytest.raises(error):
        policy.act(PICTURE, "look")
    assert policy.broken and gone(policy._process.pid)


def test_what_the_process_started_ends_with_it() -> None:
    child = "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])"
    policy = worker(f"{child}\nimport signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n{ECHO}")
    policy.act(PICTURE, "look")
    policy.close()
    assert gone(policy._process.pid)


def test_a_command_that_is_not_there() -> None:
    with pytest.raises(MissingPart, match="no-such-program"):
        WorkerPolicy(("no-such-program",))


def test_the_process_gets_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    body = "say('#READY')\nfor line in sys.stdin: say('#ACT ' + json.dumps({'keys': [k for k in os.environ if 'API' in k]}))"
    policy = worker(body, Deadlines(quit_s=0.1))
    assert policy.act(PICTURE, "look").keys == frozenset()
    policy.close()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        '{"dx": NaN}',
        '{"dx": 1e999}',
        '{"dx": true}',
        '{"keys": "W"}',
        '{"keys": [1]}',
        '{"buttons": {}}',
    ],
)
def test_an_act_that_is_none(text: str) -> None:
    with pytest.raises(ProtocolError):
        read_act(text.encode())


@needs_torch
def test_a_tiny_checkpoint_plays_and_the_same_pictures_give_the_same_acts(tmp_path: Path) -> None:
    from tests.policies.checkpoint import tiny

    spec = parse_policy(f"open-p2p:{tiny(tmp_path / 'checkpoint')}")
    noise = np.random.default_rng(0).integers(0, 255, (6, 192, 192, 3), np.uint8)
    policy = POOL.lease(spec, "")
    first = [policy.act(picture, "look") for picture in noise]
    POOL.give_back(spec, policy)
    assert POOL.lease(spec, "") is policy
    assert [policy.act(picture, "look") for picture in noise] == first
    assert {act.dx for act in first} <= {-60.0, -10.0, 0.0, 10.0, 60.0}
    POOL.give_back(spec, policy)
    POOL.close()
    assert gone(policy._process.pid)  # type: ignore[attr-defined]


@needs_torch
def test_checkpoints_that_are_none(tmp_path: Path) -> None:
    from embodied_eval.errors import DataFileError, SchemaMismatch
    from embodied_eval.policies.open_p2p import load
    from tests.policies.checkpoint import tiny

    folder = tiny(tmp_path)
    config = json.loads((folder / "config.json").read_text())
    for wrong, error in (
        ({**config, "schema": "embodied-eval/open-p2p/9"}, SchemaMismatch),
        ({**config, "width": 0}, DataFileError),
        ({**config, "heads": 3}, DataFileError),
        ({**config, "keys": []}, DataFileError),
        ({**config, "code": "x"}, DataFileError),
        ({**config, "width": 32}, DataFileError),
    ):
        (folder / "config.json").write_text(json.dumps(wrong))
        with pytest.raises(error):
            load(folder, "cpu")
    (folder / "config.json").write_text(json.dumps(config))
    # A pickle that would run code is refused by `weights_only`.
    (folder / "weights.pt").write_bytes(b"cos\nsystem\n(S'touch owned'\ntR.")
    with pytest.raises(DataFileError, match=r"weights\.pt"):
        load(folder, "cpu")
