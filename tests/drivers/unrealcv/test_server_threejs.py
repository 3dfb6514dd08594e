"""The server over Three.js in a browser gives what it gives over MuJoCo."""

from __future__ import annotations

import numpy as np
import pytest

from embodied_eval.drivers.base import Driver
from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.drivers.threejs.driver import ThreejsDriver
from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.drivers.unrealcv.server import Server
from tests.drivers.unrealcv.serving import SIZE, room

SETUP = (
    "vset /action/game/pause",
    "vset /camera/0/moveto 300 0 90",
    "vset /cameras/spawn",
    "vset /camera/1/location -150 120 180",
    "vset /camera/1/rotation -20 -30 15",
    "vset /camera/1/fov 70",
)


def seen(driver: Driver) -> tuple[list[str], list[np.ndarray]]:
    with Server(driver, room(), port=0, size=SIZE) as server:
        client = Client(f"tcp://{server.address}")
        texts = [client.text(command) for command in (*SETUP, "vget /camera/0/location", "vget /objects")]
        pictures = [client.image(f"vget /camera/{number}/object_mask bmp") for number in (0, 1)]
        client.close()
    return texts, pictures


@pytest.mark.gl
@pytest.mark.browser
def test_threejs_serves_the_same() -> None:
    texts, pictures = seen(ThreejsDriver())
    other_texts, other_pictures = seen(MujocoDriver())
    assert texts == other_texts and texts[-2] == "159.900 0.000 160.000"
    for one, other in zip(pictures, other_pictures, strict=True):
        assert (one == other).all(axis=-1).mean() > 0.98
    assert len(np.unique(pictures[1].reshape(-1, 3), axis=0)) >= 3
