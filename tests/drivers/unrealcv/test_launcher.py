"""Games started, kept, started again and ended; our server plays the game. Nothing may be left running, ever."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from embodied_eval.drivers.unrealcv import groups, ini, launcher, process
from embodied_eval.drivers.unrealcv.install import linked_copy
from embodied_eval.drivers.unrealcv.launcher import GameLauncher
from embodied_eval.drivers.unrealcv.ports import is_free
from embodied_eval.errors import DataFileError, LaunchTimeout, LoadTimeout, SimulatorCrashed, SimulatorError
from tests.drivers.unrealcv.game_kit import PORTS, ROOT, installed, named, spec

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="process groups are looked up in /proc")


@pytest.fixture(autouse=True)
def nothing_is_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Games live in a folder of this test's; no process may name it afterwards, and the folder must be empty."""
    folder = tmp_path_factory.mktemp("games")
    monkeypatch.setattr(tempfile, "mkdtemp", lambda prefix: _made(folder / "here"))
    yield
    assert named(folder) == []
    assert list(folder.iterdir()) == []


def _made(folder: Path) -> str:
    folder.mkdir()
    return str(folder)


def test_two_games_have_ports_folders_and_settings_of_their_own(tmp_path: Path) -> None:
    binary = installed(tmp_path, "serving")
    own = binary.parent / ini.FILE
    own.write_text("[UnrealCV.Core]\nPort=9000\nMine=kept\n")
    with GameLauncher(spec(binary, environment={"MARK": "x"}), 2, ports=PORTS) as games:
        first, second = games.games
        assert first.port != second.port and first.pid != second.pid
        for game in (first, second):
            copy = game.folder / "install" / "Game"
            settings = ini.values((copy / "Binaries" / "Linux" / ini.FILE).read_text())
            assert (settings["Port"], settings["Width"], settings["Mine"]) == (str(game.port), "64", "kept")
            assert (copy / "Content" / "map.pak").read_text() == "content"
            assert f"Port: {game.port}" in game.ready.status and game.ready.version == "1.0.1"
            assert set(game.ready.settings.values()) == {"ok"}
            assert game.client.text("vget /level/name") == "plane"
            assert (
                str(game.folder / "cache") in game.log_tail() and "plane -RenderOffScreen" in game.log_tail()
            )
            assert game.health().memory_bytes > 0 and game.alive
            # Nobody else is greeted while the connection that proved it ready is kept.
            with socket.create_connection(("127.0.0.1", game.port)) as late:
                late.settimeout(0.05)
                with pytest.raises(TimeoutError):
                    late.recv(1)
        ports = [game.port for game in games.games]
        assert games.game(1) is second
    assert own.read_text() == "[UnrealCV.Core]\nPort=9000\nMine=kept\n"
    assert all(map(is_free, ports))


def test_a_connection_that_was_closed_is_made_anew_without_a_new_game(tmp_path: Path) -> None:
    with GameLauncher(spec(installed(tmp_path, "serving")), ports=PORTS) as games:
        game = games.game()
        pid = game.pid
        game.client.close()
        assert not game.alive
        assert games.game().client.text("vget /level/name") == "plane"
        assert (game.pid, game.starts) == (pid, 1)


def test_a_game_that_hangs_at_its_start_is_ended_in_time(tmp_path: Path) -> None:
    games = GameLauncher(spec(installed(tmp_path, "hanging"), ready_s=1.5), ports=PORTS)
    with pytest.raises(LaunchTimeout, match=r"before it (greeted|let).*") as caught:
        games.__enter__()
    assert caught.value.endpoint.startswith("127.0.0.1:")
    if "greeted" in caught.value.message:
        assert "LogInit: loading for ever" in caught.value.hint


def test_ctrl_c_while_games_start_and_once_more_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: object) -> Iterator[None]:
        raise KeyboardInterrupt

    monkeypatch.setattr(launcher, "as_completed", interrupted)
    games = GameLauncher(spec(installed(tmp_path, "hanging"), ready_s=600.0), 2, ports=PORTS)
    with pytest.raises(KeyboardInterrupt):
        games.__enter__()
    assert [game.alive for game in games.games] == [False, False]


def test_a_game_that_dies_is_started_again_until_the_budget_is_spent(tmp_path: Path) -> None:
    with GameLauncher(spec(installed(tmp_path, "dying")), restarts=1, ports=PORTS) as games:
        for start in (1, 2):
            game = games.game()
            assert game.starts == start
            with pytest.raises(SimulatorCrashed) as caught:
                game.client.text("vget /unrealcv/echo die")
            told = game.explained(caught.value)
            assert "status 3" in told.message and "the texture pool is on fire" in told.hint
            assert told.command == "vget /unrealcv/echo die"
        with pytest.raises(SimulatorCrashed, match="was started 2 times already") as spent:
            games.game()
        assert "the texture pool is on fire" in spent.value.hint


def test_a_game_that_ignores_sigterm_is_ended_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "STOP_S", 0.2)
    with GameLauncher(spec(installed(tmp_path, "deaf")), ports=PORTS) as games:
        game = games.game()
        group = game.pid
        assert len(groups.members(group)) == 2
        os.killpg(group, signal.SIGTERM)
        assert game.client.text("vget /unrealcv/echo here") == "here"
    assert groups.members(group) == []
    assert is_free(game.port)


def test_a_game_that_cannot_listen_gets_another_port(tmp_path: Path) -> None:
    with GameLauncher(spec(installed(tmp_path, "portless")), ports=PORTS) as games:
        game = games.game()
        first = (game.folder / "install" / "Game" / "Binaries" / "Linux" / "first-port").read_text()
        assert game.port != int(first) and game.starts == 2


def test_a_game_that_gets_no_port_at_all_is_given_up(tmp_path: Path) -> None:
    with (
        pytest.raises(SimulatorCrashed, match="none of the ports") as caught,
        GameLauncher(spec(installed(tmp_path, "portless"), arguments=("-always",)), ports=PORTS),
    ):
        pass
    assert "Failed to start listening" in caught.value.hint


def test_a_game_without_the_map_is_given_up(tmp_path: Path) -> None:
    with (
        pytest.raises(LoadTimeout, match="'nowhere'"),
        GameLauncher(spec(installed(tmp_path, "serving"), level="nowhere", ready_s=8.0), ports=PORTS),
    ):
        pass


def test_a_game_that_ends_at_once_says_why_and_takes_no_other_with_it(tmp_path: Path) -> None:
    binary = installed(tmp_path, "serving")
    binary.write_text("#!/bin/sh\necho no Vulkan device; exit 4\n")
    with (
        pytest.raises(SimulatorCrashed, match="status 4 before it let anybody connect") as caught,
        GameLauncher(spec(binary), 2, ports=PORTS),
    ):
        pass
    assert "no Vulkan device" in caught.value.hint


def test_a_game_with_too_much_memory_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with GameLauncher(spec(installed(tmp_path, "serving"), memory_mb=4000), restarts=0, ports=PORTS) as games:
        game = games.game()
        monkeypatch.setattr(game, "spec", spec(game.spec.binary, memory_mb=1))
        game.watch()
        told = game.explained(SimulatorError("The connection was closed."))
        assert not game.alive and game.health().exit_code == -signal.SIGKILL
        assert "more than 1 MB" in told.message


def test_a_launcher_that_is_killed_leaves_no_game(tmp_path: Path) -> None:
    binary = installed(tmp_path, "serving")
    code = (
        "import sys, tempfile; tempfile.tempdir = sys.argv[2]\n"
        "from pathlib import Path\n"
        "from embodied_eval.drivers.unrealcv.launcher import GameLauncher\n"
        "from tests.drivers.unrealcv.game_kit import spec\n"
        "with GameLauncher(spec(Path(sys.argv[1])), ports=range(21300, 21310)) as games:\n"
        "    print(games.game().pid, flush=True)\n"
        "    sys.stdin.read()\n"
    )
    folder = tmp_path / "tmp"
    folder.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", code, str(binary), str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    ) as owner:
        assert owner.stdout is not None
        group = int(owner.stdout.readline())
        assert groups.members(group)
        owner.kill()
        owner.wait()
    assert groups.wait_empty(group, 20.0)
    assert named(folder) == []


def test_what_is_no_program_is_refused_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="cannot be found"):
        GameLauncher(spec(tmp_path / "Game"))
    (tmp_path / "Game").write_text("x")
    with pytest.raises(DataFileError, match="no program that can be run"):
        GameLauncher(spec(tmp_path / "Game"))


def test_a_copy_links_everything_but_what_the_game_writes(tmp_path: Path) -> None:
    binary = installed(tmp_path / "there", "serving")
    config = tmp_path / "there" / "Game" / "Saved" / "Config"
    config.mkdir(parents=True)
    (config / "Engine.ini").write_text("x")
    copy = linked_copy(binary, tmp_path / "here")
    assert copy.samefile(binary) and not copy.is_symlink()
    game = copy.parents[2]
    assert (game / "Content").is_symlink() and (game.parent / "Engine").is_symlink()
    assert not (game / "Saved").is_symlink()
    assert (game / "Saved" / "Config" / "Engine.ini").read_text() == "x"
    flat = tmp_path / "flat"
    flat.mkdir()
    (flat / "Game").write_text("#!/bin/sh\n")
    (flat / "Game").chmod(0o755)
    (flat / "data").write_text("y")
    assert (linked_copy(flat / "Game", tmp_path / "flat-copy").parent / "data").read_text() == "y"
