"""The extension gives what the driver itself gives, to the last bit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from embodied_eval.drivers.base import CAPABILITIES, Command, LightPatch, ObjectPatch
from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.drivers.unrealcv import extension as ext
from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.errors import ProtocolError
from embodied_eval.records import Pose
from embodied_eval.worlds.model import World
from tests.drivers.unrealcv.serving import error_of, room, served
from tests.worlds import small


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with served() as (_, made):
        yield made


def ask(client: Client, template: str, value: Any = None) -> Any:
    return ext.unpack_reply(ext.REPLIES[template], client.text(ext.request(template, value)))


def load(client: Client, world: World) -> Any:
    return ask(client, ext.LOAD, ext.LoadRequest(world.name, world.sha256))


def test_it_says_what_it_is(client: Client) -> None:
    about = ask(client, ext.ABOUT)
    assert about.schema == ext.SCHEMA and about.driver == "mujoco" and about.world == "small"
    assert set(about.capabilities) == CAPABILITIES and about.sha256 == room().sha256
    listed = client.text("vget /unrealcv/commands").splitlines()
    assert {*ext.REPLIES, *ext.REQUESTS} <= set(listed)


@pytest.mark.gl
def test_an_episode_is_the_in_process_one(client: Client) -> None:
    world = room()
    driver = MujocoDriver()
    assert load(client, world) == driver.load(world)
    assert client.text("vget /action/game/is_paused") == "true"
    pusher = Command(forward=1.0, strafe=-0.7)
    for command in [pusher] * 20 + [Command(yaw_deg=4.5, interact=True), Command(jump=True), Command()]:
        assert ask(client, ext.TICK, ext.TickRequest(command)) == driver.tick(command)
    patch = ObjectPatch(position=(1.0, 1.5, 0.0), color=(1.0, 0.0, 0.0), velocity_m_s=(0.1, 0.0, 0.0))
    assert ask(client, ext.SET_OBJECT, ext.ObjectRequest("crate", patch)) == driver.set_object("crate", patch)
    ball = small.ball("ball", (1.0, -0.5, 0.5))
    assert ask(client, ext.SPAWN, ext.SpawnRequest(ball)) == driver.spawn(ball)
    light = LightPatch(on=False, intensity=0.3)
    assert ask(client, ext.SET_LIGHT, ext.LightRequest("lamp_light", light)) == {}
    driver.set_light("lamp_light", light)
    pose = Pose(0.1, 0.2, 0.0, 12.5, -10.0)
    assert ask(client, ext.TELEPORT, pose) == driver.teleport(pose) == ask(client, ext.STATE)
    assert ask(client, ext.OBJECTS) == driver.objects()
    assert ask(client, ext.OBJECT, ext.Named("door")) == driver.object("door")
    ray = ext.RayRequest((0.0, 0.0, 1.0), (1.0, 0.1, 0.0), 9.0)
    assert ask(client, ext.RAYCAST, ray) == driver.raycast(ray.origin, ray.direction, ray.max_m)
    assert ask(client, ext.RAYCAST, replace(ray, max_m=0.1)) is None

    asked = ext.FrameRequest(("rgb", "depth", "mask", "normals"), (64, 48))
    ours = ext.unpack_frame(client.view(ext.request(ext.FRAME, asked)))
    theirs = driver.render(asked.modalities, asked.size)
    assert ours.pose == theirs.pose and ours.t_s == theirs.t_s
    for name in asked.modalities:
        one, other = getattr(ours, name), getattr(theirs, name)
        assert one.dtype == other.dtype and np.array_equal(one, other), name
    twin = {"crate": replace(driver.object("crate"), position=(1.2, 2.0, 0.0))}
    rows = ask(client, ext.VISIBILITY, ext.VisibilityRequest("f", ("crate", "ball"), twin, (64, 48)))
    assert tuple(rows) == driver.visibility("f", ("crate", "ball"), twin, (64, 48))

    assert ask(client, ext.DESTROY, ext.Named("ball")) == {}
    assert "ball" not in client.text("vget /objects").split(" ")
    driver.close()


def test_worlds_are_sent_once_and_loaded_by_hash(client: Client) -> None:
    world = replace(small.world(small.crate("box", (1.0, 0.0, 0.0))), name="sent")
    assert error_of(client, ext.request(ext.LOAD, ext.LoadRequest("sent", world.sha256))).startswith(
        "error UnknownName: "
    )
    assert ask(client, ext.WORLD, world.to_json()) == {"name": "sent", "sha256": world.sha256}
    assert load(client, world).pose == Pose(0.0, 0.0, 0.0)
    assert "box" in client.text("vget /objects")
    for number in range(5):
        ask(client, ext.WORLD, replace(world, name=f"more_{number}").to_json())
    # The loaded one is kept, the oldest of the others are not.
    load(client, world)
    assert error_of(client, ext.request(ext.LOAD, ext.LoadRequest("more_0", ""))).startswith(
        "error UnknownName"
    )


def test_what_is_wrong_is_named(client: Client) -> None:
    word = ext.pack
    for command, words in {
        ext.request(ext.SET_OBJECT, ext.ObjectRequest("nobody", ObjectPatch())): "error UnknownObject: ",
        "vset /embodied_eval/tick !!!": "error Argument Invalid: no base64url",
        f"vset /embodied_eval/tick {word([1])}": "error Argument Invalid: ",
        f"vset /embodied_eval/tick {word({'command': {}, 'dt_s': 1000})}": "error Argument Invalid: a tick",
        f"vget /embodied_eval/frame {word({'modalities': ['smell'], 'size': [1, 1]})}": "error Argument Invalid",
        f"vget /embodied_eval/frame {word({'modalities': ['rgb'], 'size': [9999, 1]})}": "error Argument Invalid",
        f"vset /embodied_eval/world {word({})}": "error SchemaMismatch: ",
        ext.request(
            ext.SPAWN, ext.SpawnRequest(small.crate("agent", (0.0, 0.0, 0.0)))
        ): "error SimulatorError: ",
        ext.request(ext.DESTROY, ext.Named("floor")): "error SimulatorError: ",
    }.items():
        assert error_of(client, command).startswith(words), command
    with pytest.raises(ValueError, match="NaN"):
        ext.unpack_word("eyJ4IjpOYU59")
    with pytest.raises(ValueError, match="deep"):
        ext.unpack_word(ext.base64.urlsafe_b64encode(b"[" * 100_000).decode())
    for broken in (b"", b"{}\n", b'{"t_s":0,"pose":{"x":0,"y":0,"z":0},"arrays":{"rgb":[2,2,3]}}\n'):
        with pytest.raises(ProtocolError):
            ext.unpack_frame(broken)
