"""`embodied-eval sim serve` as a process."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from embodied_eval.cli import main
from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.worlds.files import write_world
from tests.worlds import small


def start(world: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "embodied_eval", "sim", "serve", "--world", str(world), "--port", "0"]
    return subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_and_ends_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    write_world(small.world(small.crate("crate", (1.0, 0.0, 0.0))), tmp_path / "w.json")
    with start(tmp_path / "w.json", "--json", "--size", "320x240") as process:
        assert process.stdout is not None and process.stderr is not None
        try:
            said = json.loads(process.stdout.readline())
            assert said["schema"] == "embodied-eval/sim/1"
            assert said["address"] == f"127.0.0.1:{said['port']}" and said["world"] == "small"
            client = Client(f"tcp://{said['address']}")
            assert client.text("vget /camera/0/size") == "320 240"
            folder = client.text("vget /unrealcv/status").partition("Config file: ")[2].splitlines()[0]
            process.send_signal(number)
            assert process.wait(timeout=20) == 0
            client.close()
        finally:
            process.kill()
        assert process.stdout.read() == "" and process.stderr.read() == ""
    assert not Path(folder).parent.exists()


def test_it_warns_where_others_can_reach_it(tmp_path: Path) -> None:
    write_world(small.world(), tmp_path / "w.json")
    with start(tmp_path / "w.json", "--host", "0.0.0.0") as process:
        assert process.stdout is not None and process.stderr is not None
        try:
            assert "Serving small (mujoco)" in process.stdout.readline()
            process.terminate()
            assert process.wait(timeout=20) == 0
        finally:
            process.kill()
        assert "no password" in process.stderr.read()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--size", "0x4"), "no size"),
        (("--fault", "explode"), "no fault"),
        (("--host", "256.1.1.1"), "no address"),
        (("--driver", "unrealcv"), "Invalid value"),
        (("--world", "atlantis"), "no world"),
    ],
)
def test_wrong_options_are_usage_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], words: str
) -> None:
    write_world(small.world(), tmp_path / "w.json")
    assert main(["sim", "serve", "--world", str(tmp_path / "w.json"), "--port", "0", *options]) == 2
    assert words in capsys.readouterr().err
