"""Installations of the fake games, and the process groups that they must not leave."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from embodied_eval.drivers.unrealcv.spec import GameSpec

ROOT = Path(__file__).parents[3]
PORTS = range(21100, 21200)
LEVEL = "plane"


def installed(folder: Path, game: str) -> Path:
    """An installation of that game below `folder`, laid out as the engine does; its binary."""
    binary = folder / "Game" / "Binaries" / "Linux" / "Game"
    binary.parent.mkdir(parents=True)
    (folder / "Game" / "Content").mkdir()
    (folder / "Game" / "Content" / "map.pak").write_text("content")
    (folder / "Engine").mkdir()
    module = f"tests.drivers.unrealcv.games.{game}"
    binary.write_text(
        f"#!{sys.executable}\n"
        f"import runpy, sys\nsys.path[:0] = [{json.dumps(str(ROOT))}]\n"
        f"runpy.run_module({module!r}, run_name='__main__')\n"
    )
    binary.chmod(0o755)
    return binary


def spec(binary: Path, **fields: object) -> GameSpec:
    """How the fake games are started: small and quick."""
    given = {"map": LEVEL, "level": LEVEL, "size": (64, 48), "warm_up_frames": 1, "ready_s": 60.0, **fields}
    return GameSpec(binary, **given)  # type: ignore[arg-type]


def named(folder: Path) -> list[int]:
    """Ids of living processes whose command line names `folder`."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes()
                state = (entry / "stat").read_bytes().rpartition(b")")[2].split()[0]
            except OSError:
                continue
            if str(folder).encode() in line and state != b"Z":
                found.append(int(entry.name))
    return found
