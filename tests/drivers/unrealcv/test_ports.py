"""Ports lent to games, and the settings file that tells a game its port."""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embodied_eval.drivers.unrealcv import ini, ports
from embodied_eval.errors import SimulatorError

FEW = range(21200, 21210)
TEXT = """; written by hand
[Other]
Port=1

[unrealcv.core]
port = 9000
Width=640
;Height=9
Mine=kept

[Last]
Width=2
"""


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))


def test_two_leases_are_two_ports_and_a_released_one_is_lent_again() -> None:
    with ports.lease(FEW) as first, ports.lease(FEW) as second:
        assert (first.port, second.port) == (21200, 21201)
    with ports.lease(FEW) as again:
        assert again.port == 21200
    again.release()


def test_another_process_s_lease_holds_until_it_dies(tmp_path: Path) -> None:
    code = (
        "import sys, tempfile; tempfile.tempdir = sys.argv[1]\n"
        "from embodied_eval.drivers.unrealcv.ports import lease\n"
        "held = lease(range(21200, 21210)); print(held.port, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None and other.stdout.readline() == b"21200\n"
        with ports.lease(FEW) as ours:
            assert ours.port == 21201
        other.kill()
        other.wait()
        with ports.lease(FEW) as ours:
            assert ours.port == 21200


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_port_that_is_listened_to_is_not_lent(host: str) -> None:
    with socket.create_server((host, 21200)), ports.lease(FEW) as ours:
        assert ours.port == 21201
        assert not ports.is_free(21200)
    assert ports.is_free(21200)


def test_where_none_is_free_it_says_so() -> None:
    with ports.lease(range(21200, 21201)), pytest.raises(SimulatorError, match="None of 1 ports is free"):
        ports.lease(range(21200, 21201))


def test_a_socket_file_goes_unless_somebody_answers_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "unrealcv_21200.socket"
    monkeypatch.setattr(ports, "socket_files", lambda port: (str(path),))
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        ports.remove_dead_socket_files(21200)
        assert path.exists() and not ports.is_free(21200)
    ports.remove_dead_socket_files(21200)
    assert not path.exists() and ports.is_free(21200)


def test_settings_are_changed_by_key_and_nothing_else_is() -> None:
    made = ini.with_values(TEXT, {"Port": "9101", "FOV": "90.000000"})
    assert made == TEXT.replace("port = 9000", "Port=9101").replace(
        "Mine=kept\n", "Mine=kept\nFOV=90.000000\n"
    )
    assert ini.values(made) == {"Port": "9101", "Width": "640", "Mine": "kept", "FOV": "90.000000"}
    assert ini.values(ini.with_values("", {"Port": "1"})) == {"Port": "1"}
    with pytest.raises(ValueError, match="no line"):
        ini.with_values("", {"Port": "1\n[Other]"})


@given(
    st.dictionaries(
        st.from_regex(r"[A-Za-z]{1,8}", fullmatch=True), st.from_regex(r"[\w.]{0,8}", fullmatch=True)
    ),
    st.text(alphabet="[]=;#aP \n", max_size=40),
)
def test_what_is_set_is_read_back_whatever_was_there(wanted: dict[str, str], before: str) -> None:
    wanted = {key.lower(): value for key, value in wanted.items()}
    found = {key.lower(): value for key, value in ini.values(ini.with_values(before, wanted)).items()}
    assert wanted.items() <= found.items()


def test_the_file_is_read_in_the_engine_s_encodings_and_written_whole(tmp_path: Path) -> None:
    path = tmp_path / ini.FILE
    assert ini.read(path) == ""
    path.write_bytes(TEXT.encode("utf-16"))
    assert ini.values(ini.read(path))["Mine"] == "kept"
    ini.write(path, TEXT)
    assert ini.read(path) == TEXT and list(tmp_path.glob(".*")) == []
