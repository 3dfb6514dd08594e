"""Fixtures for the whole suite: the toy plugin is found as a third party's would be."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

# Before anything imports MuJoCo: its own renderer, a cross-check in some tests, must not look for a display.
os.environ.setdefault("MUJOCO_GL", "egl")
# Started in the background, a shell has its children ignore Ctrl-C, and theirs would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
TOY = Path(__file__).parent / "toy"
sys.path.insert(0, str(TOY))
SHARED = Path(__file__).parents[2] / "shared" / "data"


@pytest.fixture
def shared_data() -> Path:
    """The golden data beside the project; tests that need it skip, saying so, where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the golden data folder ../shared/data is not there")
    return SHARED


class Command:
    """The command line called in this process: exit code, stdout as text or JSON, stderr."""

    def __init__(self, capsys: pytest.CaptureFixture[str], store: Path) -> None:
        self._capsys, self.store = capsys, store
        self.out = self.err = ""

    def __call__(self, *args: str, store: bool = True) -> int:
        from embodied_eval.cli import main

        self._capsys.readouterr()
        given = [*args, "--store", str(self.store)] if store else [*args]
        code = main(given)
        self.out, self.err = self._capsys.readouterr()
        return code

    @property
    def json(self) -> Any:
        """What went to stdout, which must be one JSON document and nothing else."""
        return json.loads(self.out)


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command line with a store of its own and a working folder without configuration."""
    monkeypatch.chdir(tmp_path)
    for name in ("EMBODIED_EVAL_STORE", "EMBODIED_EVAL_MODEL"):
        monkeypatch.delenv(name, raising=False)
    return Command(capsys, tmp_path / "store")
