"""An official page through the command line: an episode that is played, and one whose page cannot start."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Command

PAGE = Path(__file__).parent / "page" / "index.html"


@pytest.mark.browser
def test_an_episode_is_played_through_the_command_line(command: Command) -> None:
    world = f"page:{PAGE}?bug=03"
    played = command(
        "run", "worldaudit", "--driver", "page-env", "--world", world, "--model", "scripted/random",
        "--set", "budget=6", "--json",
    )  # fmt: skip
    assert played == 0, command.err
    run = command.json["run"]
    assert command("query", "SELECT status, steps > 6, sim_s > 1 FROM episodes", "--json") == 0
    assert command.json["rows"] == [["completed", True, True]]
    assert command("query", "SELECT count(*) FROM frames WHERE ref LIKE 'a%.f%'", "--json") == 0
    assert command.json["rows"][0][0] >= 1
    assert (
        command("query", "SELECT count(DISTINCT sha256) FROM frames WHERE ref NOT LIKE '%f%'", "--json") == 0
    )
    assert command.json["rows"][0][0] >= 4
    assert "window.__env" in (command.store / "runs" / run / "run.json").read_text()
    failed = command(
        "run", "worldaudit", "--driver", "page-env", "--world", f"{world}&fault=init_error", "--model",
        "scripted/null", "--json",
    )  # fmt: skip
    assert failed == 3
    assert command("query", "SELECT error_kind FROM episodes WHERE status = 'simulator_error'", "--json") == 0
    assert command.json["rows"] == [["PageFailed"]]
