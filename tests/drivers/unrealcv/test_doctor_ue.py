"""`doctor` on a UE5 game: our server as one that is as it should be, and as one that is not in each way asked."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from embodied_eval.benchmark import Check
from embodied_eval.doctor import ue
from embodied_eval.doctor.run import probe_checks
from embodied_eval.drivers.unrealcv import images
from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.drivers.unrealcv.packs import read_pack
from embodied_eval.drivers.unrealcv.server import Server
from embodied_eval.drivers.unrealcv.spec import GameSpec
from tests.drivers.unrealcv.game_kit import installed
from tests.drivers.unrealcv.test_packs import PACK, written
from tests.testing_driver import PlaneDriver
from tests.testing_world import box, plane_world

Answer = Callable[[str], bytes]
Lie = Callable[[Answer], Answer]


def asked(lie: Lie | None = None, mode: str = "linux-handover") -> dict[str, Check]:
    """What is found out about a server whose answers go through `lie`."""
    world = plane_world(box("crate", (5.0, 5.0, 0.0)))
    server = Server(PlaneDriver(), world, port=0, mode=mode, size=(64, 48))  # type: ignore[arg-type]
    if lie is not None:
        server.answer = lie(server.answer)  # type: ignore[assignment,method-assign]
    with server:
        return {check.name: check for check in ue.asked(Client(server.address, ue.DEADLINES))}


def instead(pattern: str, made: Callable[[Answer, str], bytes]) -> Lie:
    """A lie about the commands that fit."""

    def lie(answer: Answer) -> Answer:
        return lambda command: made(answer, command) if re.search(pattern, command) else answer(command)

    return lie


def depth_times(factor: float, *, radial: bool = False) -> Lie:
    def made(answer: Answer, command: str) -> bytes:
        raw = np.load(io.BytesIO(answer(command)), allow_pickle=False).astype(np.float32)
        height, width = raw.shape
        if radial:
            across = (np.arange(width) + 0.5) / width * 2.0 - 1.0
            down = ((np.arange(height) + 0.5) / height * 2.0 - 1.0) * height / width
            raw = raw * np.sqrt(1.0 + across[None, :] ** 2 + down[:, None] ** 2).astype(np.float32)
        return images.encode_npy((raw * factor).astype(np.float32))

    return instead(r"/depth npy", made)


def late_camera(answer: Answer) -> Answer:
    """A camera that shows what it should have shown a picture ago."""
    before: list[bytes] = []

    def made(command: str) -> bytes:
        if "/lit bmp" not in command:
            return answer(command)
        before.append(answer(command))
        return before[max(0, len(before) - 2)]

    return made


def gamma(answer: Answer, command: str) -> bytes:
    picture = images.decode(answer(command), "bmp").astype(float) / 255.0
    curved = np.where(picture <= 0.0031308, picture * 12.92, 1.055 * picture ** (1 / 2.4) - 0.055)
    return images.encode_bmp(np.rint(curved * 255.0).astype(np.uint8), 255)


def shifted(answer: Answer, command: str) -> bytes:
    picture = images.decode(answer(command), "bmp")
    return images.encode_bmp(np.where(picture > 40, picture - 7, picture).astype(np.uint8), 255)


def smoothed(answer: Answer, command: str) -> bytes:
    picture = images.decode(answer(command), "bmp").astype(np.uint16)
    return images.encode_bmp(((picture + np.roll(picture, 1, axis=1)) // 2).astype(np.uint8), 255)


def test_a_game_that_is_as_it_should_be() -> None:
    found = asked()
    assert list(found) == [
        f"ue5 {name}"
        for name in ("game", "timing", "camera", "masks", "depth", "moveto", "vexec", "pause", "hand-over")
    ]
    assert {check.status for check in found.values()} == {"ok"}, found
    assert "later ones by unix://" in found["ue5 hand-over"].detail
    assert "1.0.1, level plane" in found["ue5 game"].detail


def test_clients_one_after_another_are_told_from_a_hand_over() -> None:
    assert "clients one after another" in asked(mode="compat")["ue5 hand-over"].detail


@pytest.mark.parametrize(
    ("lie", "name", "status", "said"),
    [
        (late_camera, "camera", "broken", "another direction"),
        (instead("/object_mask", gamma), "masks", "ok", "sRGB"),
        (instead("/object_mask", shifted), "masks", "broken", "shown (194, 92, 44)"),
        (instead("/object_mask", smoothed), "masks", "broken", "edges are smoothed"),
        (depth_times(0.01), "depth", "broken", "a unit of depth is worth 1.0000"),
        (depth_times(1.0, radial=True), "depth", "broken", "length of the ray"),
        (
            instead("/moveto", lambda answer, command: answer(command.replace("moveto", "location"))),
            "moveto",
            "broken",
            "nothing stops",
        ),
        (instead("/moveto", lambda answer, command: b"ok"), "moveto", "untested", "no 1.5 m"),
        (instead("vexec", lambda answer, command: b"ok"), "vexec", "broken", "still stops"),
        (
            instead("vexec", lambda answer, command: b"error No viewport console available"),
            "vexec",
            "broken",
            "shipping builds",
        ),
        (
            instead("game/resume|keyboard", lambda answer, command: b"ok"),
            "pause",
            "untested",
            "neither falls nor walks",
        ),
        (
            instead("spawn_cube", lambda answer, command: b"error no"),
            "stand",
            "broken",
            "nothing can be tried",
        ),
    ],
)
def test_each_thing_that_is_not_as_it_should_be_is_told(lie: Lie, name: str, status: str, said: str) -> None:
    check = asked(lie, "compat")[f"ue5 {name}"]
    assert (check.status, said in check.detail) == (status, True), check


def test_a_pack_s_game_is_started_and_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path, "serving")
    monkeypatch.setenv(ue.UE5_PACK, f"{written(tmp_path)}#plane")
    found = {check.name: check for check in probe_checks("ue5")}
    assert found["ue5"].status == found["ue5 launch"].status == found["ue5 hand-over"].status == "ok"
    assert "-cvport=N;" in found["ue5 overrides"].detail
    assert "ball_1 (perhaps crate)" in found["ue5 actors"].detail


def test_a_pack_that_says_another_form_than_the_game_takes(tmp_path: Path) -> None:
    installed(tmp_path, "serving")
    pack = ue.overrides(_spec(tmp_path, "space"), "Width: 66\nHeight: 48\n")
    assert (pack.status, "takes -cvport=N" in pack.detail) == ("broken", True)
    assert ue.overrides(_spec(tmp_path, "none"), "Width: 64\nHeight: 48\n").detail.startswith(
        "the game takes neither"
    )


def _spec(folder: Path, form: str) -> GameSpec:
    return read_pack(written(folder, PACK.replace("[[map]]", f'overrides = "{form}"\n[[map]]', 1))).spec()


def test_nothing_configured_and_nothing_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ue.UE5_PACK, raising=False)
    monkeypatch.delenv(ue.UE5_ADDRESS, raising=False)
    assert ue.configured().status == "untested"
    assert [check.name for check in ue.answers()] == ["ue5 package"]
    monkeypatch.setenv(ue.UE5_ADDRESS, "127.0.0.1:9")
    found = list(ue.answers())
    assert (found[-1].name, found[-1].status) == ("ue5 game", "broken")
    monkeypatch.setenv(ue.UE5_PACK, "none.toml")
    assert "cannot be read" in list(ue.answers())[-1].detail
