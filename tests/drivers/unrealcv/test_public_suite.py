"""UnrealCV's own server tests against our server, where a copy of them is at hand.

`EMBODIED_EVAL_UNREALCV_TESTS` names the folder `test/server` of a checkout of github.com/unrealcv/unrealcv. What
they require is restated in `test_server_contract.py`, which needs no copy.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.drivers.unrealcv.server import Server
from tests.worlds import small

FOLDER = os.environ.get("EMBODIED_EVAL_UNREALCV_TESTS", "")
# The suite takes a ready-made client that the package no longer brings, and shows windows in one test.
RUNNER = """
import sys, unrealcv, pytest, cv2
unrealcv.client = unrealcv.Client(("localhost", int(sys.argv[1])))
cv2.imshow = lambda *given: None
cv2.waitKey = lambda *given: 0
sys.path.insert(0, sys.argv[2])
sys.exit(pytest.main(["-q", "-rs", "-p", "no:cacheprovider", "-c", sys.argv[2] + "/tox.ini",
    *sorted(str(path) for path in __import__("pathlib").Path(sys.argv[2]).glob("*_test.py"))]))
"""


@pytest.mark.gl
@pytest.mark.skipif(not FOLDER, reason="EMBODIED_EVAL_UNREALCV_TESTS names no copy of UnrealCV's tests")
@pytest.mark.parametrize("driver", [MujocoDriver])
def test_the_public_server_tests_pass(tmp_path: Path, driver: type[MujocoDriver]) -> None:
    pytest.importorskip("unrealcv")
    copy = shutil.copytree(FOLDER, tmp_path / "server")
    world = small.world(small.wall("wall", (0.2, 3.0, 2.0), (2.0, 0.0, 0.0)), small.lamp("lamp"))
    with Server(driver(), world, port=0) as server:
        conftest = copy / "conftest.py"
        text = conftest.read_text().replace('("localhost", 9000)', f'("localhost", {server.port})')
        conftest.write_text(text)
        done = subprocess.run(
            [sys.executable, "-c", RUNNER, str(server.port), str(copy)],
            capture_output=True,
            text=True,
            timeout=120,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed and int(passed[1]) >= 12, done.stdout
