"""What UnrealCV's own server tests require, restated, and every family of commands."""

from __future__ import annotations

import io
import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from embodied_eval.drivers.unrealcv import formats, images
from embodied_eval.drivers.unrealcv.cast import colour_of
from embodied_eval.drivers.unrealcv.client import Client
from tests.drivers.unrealcv.serving import SIZE, error_of, room, served


@pytest.fixture(scope="module")
def shared() -> Iterator[Client]:
    with served() as (_, client):
        yield client


@pytest.fixture
def client(shared: Client) -> Client:
    """The game as at its start, but paused."""
    shared.text("vset /action/game/level small")
    shared.text("vset /action/game/pause")
    return shared


def test_a_plain_connect_leaves_the_server_usable() -> None:
    with served() as (server, client):
        client.close()
        for _ in range(3):
            socket.create_connection(("127.0.0.1", server.port), timeout=2).close()
        again = Client(f"tcp://{server.address}")
        assert again.greeting.startswith("connected to ")
        assert again.text("vget /unrealcv/echo test") == "test"
        again.close()


def test_status_help_and_version(client: Client) -> None:
    status = client.text("vget /unrealcv/status")
    for text in ("Port:", "Width: 64", "Height: 48"):
        assert text in status
    assert re.search(r"Config file: (.+?)\n", status)
    help_lines = client.text("vget /unrealcv/help").splitlines()
    assert {"vget /unrealcv/status", "vget /unrealcv/version"} <= set(help_lines[::2])
    assert client.text("vget /unrealcv/version") == "1.1.0"
    templates = client.text("vget /unrealcv/commands").splitlines()
    assert templates == help_lines[::2] and "vget /unrealcv/commands" in templates
    assert client.text("vget /scene/name") == "EmbodiedEval"
    assert client.text("vget /level/name") == "small"


def test_errors_have_the_public_servers_words(client: Client) -> None:
    unknown = error_of(client, "vget /unrealcv/this_command_does_not_exist")
    assert unknown.startswith("error No handler found for URI") and "Can not find a handler" in unknown
    assert error_of(client, "DisableAllScreenMessages").startswith("error No handler found for URI")
    assert error_of(client, "vget /camera/0/lit").startswith("error No handler found")
    for command, words in {
        "vget /object/nobody/location": "error Cannot find object",
        "vget /camera/7/location": "error Invalid sensor id",
        "vget /camera//location": "error Invalid sensor id",
        "vset /action/eyes_distance 20": "error Not Implemented",
        "vget /camera/0/optical_flow bmp": "error Not Implemented",
        "vset /camera/0/projection_type orthographic": "error Not Implemented",
        "vget /camera/0/lit jpg": "error Invalid filename type, filename jpg",
        "vget /camera/0/depth png": "error Invalid filename type, filename png",
        "vget /camera/0/lit ../x.png": "error Invalid filename type, filename ../x.png",
        "vset /camera/0/fov 400": "error Argument Invalid",
        "vset /camera/0/size 100000 1": "error Argument Invalid",
        "vset /viewmode wobbly": "error Can not set ViewMode to wobbly",
        "vexec nobody SetMobility Movable": "error Can not find actor with id 'nobody'",
        "vexec wall Explode": "error Argument Invalid",
    }.items():
        assert error_of(client, command) == words
    # Numbers as the public server reads them: no exponent, no point at the end.
    for bad in ("1e-5", "5.", "nan", "inf", "0x5"):
        assert error_of(client, f"vset /object/crate/location {bad} 0 0").startswith("error No handler found")
    assert error_of(client, f"vset /object/crate/location {'9' * 400} 0 0") == "error Argument Invalid"
    assert client.text("vset /object/crate/location -.5 +1.25 07  ") == "ok"


def test_viewmodes(client: Client) -> None:
    for mode in ("lit", "depth", "object_mask", "normal"):
        assert client.text(f"vset /viewmode {mode}") == "ok"
        assert client.text("vget /viewmode") == mode


def test_names_are_split_at_single_spaces_and_have_colours(client: Client) -> None:
    names = client.text("vget /objects").split(" ")
    assert names == ["floor", "wall", "crate", "lamp", "door", "lamp_light", "sun", "agent"]
    colours = {formats.parse_colour(client.text(f"vget /object/{name}/color")) for name in names}
    assert len(colours) == len(names) and (0, 0, 0) not in colours
    assert len({colour_of(number) for number in range(1, 5000)}) == 4999


def test_objects_round_trip(client: Client) -> None:
    assert client.text("vset /object/crate/location 123.456 -78.901 20.5") == "ok"
    assert client.text("vget /object/crate/location") == "123.456 -78.901 20.500"
    assert client.text("vset /object/crate/rotation 10 20 30") == "ok"
    assert client.text("vget /object/crate/rotation") == "10.000 20.000 30.000"
    client.text("vset /object/crate/rotation 0 0 0")
    assert client.text("vset /object/crate/scale 2 1 0.5") == "ok"
    assert client.text("vget /object/crate/scale") == "2.000 1.000 0.500"
    assert client.text("vget /object/crate/bounds") == "83.46 -98.90 20.50 163.46 -58.90 40.50"
    assert client.text("vset /object/crate/color 1 2 3") == "ok"
    assert client.text("vget /object/crate/color") == "(R=1,G=2,B=3,A=255)"
    assert client.text("vget /object/crate/mobility") == "Movable"
    assert client.text("vget /object/wall/mobility") == "Static"
    assert client.text("vget /object/crate/uclass_name") == "StaticMeshActor"
    assert client.text("vset /object/crate/label boxy") == "ok"
    assert client.text("vget /object/crate/label") == "boxy"
    corners = [
        formats.parse_vector(line) for line in client.text("vget /object/crate/vertex_location").split("\n")
    ]
    assert min(corner[0] for corner in corners) == pytest.approx(83.456, abs=0.001)
    assert error_of(client, "vset /object/crate/name wall").startswith("error ")
    assert client.text("vset /object/crate/name box") == "ok"
    assert "box" in client.text("vget /objects").split(" ")
    assert client.text("vget /object/box/color") == "(R=1,G=2,B=3,A=255)"
    assert error_of(client, "vget /object/crate/color") == "error Cannot find object"


def test_spawning_and_destroying(client: Client) -> None:
    assert client.text("vset /objects/spawn_cube") == "Cube_0"
    assert client.text("vset /objects/spawn_cube W") == "W"
    assert client.text("vget /object/W/bounds") == "-50.00 -50.00 -50.00 50.00 50.00 50.00"
    assert client.text("vset /objects/spawn Cube thing") == "thing"
    assert error_of(client, "vset /objects/spawn_cube W").startswith("error ")
    assert error_of(client, "vset /objects/spawn Nonsense").startswith("error Can not find a class")
    for name in ("W", "wall"):
        assert client.text(f"vset /object/{name}/destroy") == "ok"
        assert name not in client.text("vget /objects").split(" ")
    # What was destroyed stops nobody.
    client.text("vset /object/Cube_0/destroy")
    client.text("vset /object/thing/destroy")
    client.text("vset /camera/0/moveto 300 0 90.1")
    assert client.text("vget /camera/0/location") == "300.000 0.000 160.100"


def test_moveto_is_blocked_by_what_is_solid_and_teleports_are_not(client: Client) -> None:
    client.text("vset /camera/0/moveto 300 0 90")
    assert client.text("vget /camera/0/location") == "159.900 0.000 160.000"
    assert client.text("vset /object/wall/hide") == "ok"
    client.text("vset /camera/0/moveto 300 0 90")
    assert client.text("vget /camera/0/location") == "159.900 0.000 160.000"
    assert client.text("vexec wall SetActorEnableCollision false") == "ok"
    client.text("vset /camera/0/moveto 300 0 90")
    assert client.text("vget /camera/0/location") == "300.000 0.000 160.000"
    client.text("vset /camera/0/location 0 0 90")
    client.text("vset /object/agent/location 0 10 90")
    assert client.text("vget /object/agent/location") == "0.000 10.000 90.000"
    client.text("vset /camera/0/rotation 10 -30 0")
    assert client.text("vget /camera/0/rotation") == "10.000 -30.000 0.000"
    client.text("vset /cameras/spawn")
    assert error_of(client, "vset /camera/1/moveto 0 0 0").startswith("error MoveTo only supports")


def test_cameras_have_poses_fields_and_sizes_of_their_own(client: Client) -> None:
    assert client.text("vset /cameras/spawn") == "FusionCameraActor_1"
    assert client.text("vget /cameras").split(" ") == ["PlayerCamera", "FusionCameraActor_1"]
    for command, answer in {
        "location": "1.500 -2.250 300.125",
        "rotation": "-45.000 90.000 12.500",
        "fov": "60.000000",
        "size": "32 24",
        "pose": "1.000 2.000 3.000 4.000 5.000 6.000",
        "horizontal_fieldofview": "75.000000",
    }.items():
        assert client.text(f"vset /camera/1/{command} {answer}") == "ok"
        assert client.text(f"vget /camera/1/{command}") == answer
    assert client.text("vget /camera/0/fov") == "90.000000"
    for setting in (
        "exposure_method manual",
        "exposure_bias 0",
        "motion_blur 0 0 0 30",
        "projection_type perspective",
    ):
        assert client.text(f"vset /camera/1/{setting}") == "ok"


@pytest.mark.gl
def test_pictures_in_every_format(client: Client) -> None:
    client.text("vset /cameras/spawn")
    for camera in (0, 1):
        depth = client.image(f"vget /camera/{camera}/depth npy")
        assert depth.shape == SIZE[::-1] and depth[24, 32] == pytest.approx(1.9, abs=1e-4)
        for view in ("lit", "normal", "object_mask", "seg"):
            picture = client.image(f"vget /camera/{camera}/{view} bmp")
            assert picture.shape == (*SIZE[::-1], 3)
            png = client.raw(f"vget /camera/{camera}/{view} png")
            assert np.array_equal(images.decode_png(png), picture)
            assert Image.open(io.BytesIO(png)).mode == "RGBA"
            array = np.load(io.BytesIO(client.raw(f"vget /camera/{camera}/{view} npy")), allow_pickle=False)
            assert np.array_equal(array[..., :3], picture) and (array[..., 3] == 255).all()
    colour = formats.parse_colour(client.text("vget /object/wall/color"))
    mask = client.image("vget /camera/0/object_mask bmp")
    assert tuple(mask[24, 32]) == colour and tuple(mask[0, 32]) == (0, 0, 0)
    client.text("vset /object/wall/color 9 8 7")
    assert tuple(client.image("vget /camera/1/seg bmp")[24, 32]) == (9, 8, 7)
    # The wall's face looks back at us: -x.
    assert tuple(client.image("vget /camera/0/normal bmp")[24, 32]) == (0, 128, 128)
    client.text("vset /object/wall/hide")
    assert client.image("vget /camera/0/depth npy")[24, 32] == np.inf


@pytest.mark.gl
def test_a_free_camera_rolls_turns_and_zooms(client: Client) -> None:
    client.text("vset /cameras/spawn")
    level = client.image("vget /camera/1/object_mask bmp")
    client.text("vset /camera/1/rotation 0 0 180")
    assert (client.image("vget /camera/1/object_mask bmp")[::-1, ::-1] == level).mean() > 0.97
    client.text("vset /camera/1/rotation 0 90 0")
    client.text("vset /camera/1/fov 40")
    wall = formats.parse_colour(client.text("vget /object/wall/color"))
    lamp = formats.parse_colour(client.text("vget /object/lamp/color"))
    client.text("vset /camera/1/location 100 0 100")
    seen = client.image("vget /camera/1/object_mask bmp")
    assert (seen == lamp).all(axis=-1).any() and not (seen == wall).all(axis=-1).any()
    client.text("vset /camera/1/rotation -90 0 0")
    floor = client.image("vget /camera/1/depth npy")
    assert floor == pytest.approx(np.full(SIZE[::-1], 1.0), abs=1e-3)
    # The player saw nothing of it.
    assert client.text("vget /camera/0/location") == "0.000 0.000 160.000"


@pytest.mark.gl
def test_files_are_written_into_the_servers_own_folder(client: Client) -> None:
    status = client.text("vget /unrealcv/status")
    folder = Path(re.search(r"Config file: (.+?)\n", status)[1]).parent  # type: ignore[index]
    for view, name in (("lit", "a.png"), ("object_mask", "a.bmp"), ("depth", "d.npy")):
        assert client.text(f"vget /camera/0/{view} {name}") == name
        assert (folder / name).stat().st_size > 100
    client.text("vset /viewmode lit")
    assert client.text("vget /screenshot shot.png") == "shot.png"


def test_functions_and_console(client: Client) -> None:
    assert client.text("vexec wall SetActorScale3D (X=1.0,Y=0.5,Z=1.0)") == "ok"
    assert client.text("vget /object/wall/scale") == "1.000 0.500 1.000"
    assert json.loads(client.text("vbp crate GetMass")) == {"ReturnValue": 5.0}
    assert json.loads(client.text("vbp wall GetActorEnableCollision")) == {"ReturnValue": ""}
    assert client.text("vexec lamp SetDeviceState on") == "ok"
    assert json.loads(client.text("vbp lamp GetDeviceState")) == {"ReturnValue": "on"}
    assert client.text("vexec sun SetEnabled false") == "ok"
    assert client.text("vexec lamp_light SetBrightness 2.5") == "ok"
    assert json.loads(client.text("vbp lamp_light GetBrightness")) == {"ReturnValue": 2.5}
    assert client.text("vexec wall SetMaterial 0 missing") == "ok"
    assert client.text("vget /object/wall/material") == "0: missing"
    assert client.text("vexec wall SetVectorParameterValueOnMaterials Color (R=1,G=0,B=0)") == "ok"
    assert client.text("vexec door SetMobility Movable") == "ok"
    assert client.text("vget /object/door/mobility") == "Movable"
    assert client.text("vrun r.setres 32x24w") == "ok"
    assert client.text("vget /camera/0/size") == "32 24"
    assert error_of(client, "vrun quit now") == "error Not Implemented: quit"
    assert error_of(client, "vexec sun SetActorEnableCollision false") == "error Not Implemented"
    assert error_of(client, "vexec wall __class__ x") == "error Argument Invalid"


def test_levels_are_bundled_names_only(client: Client, tmp_path: Path) -> None:
    from embodied_eval.worlds.files import write_world

    write_world(room(), tmp_path / "w.json")
    assert error_of(client, f"vset /action/game/level {tmp_path}/w.json").startswith("error ")
    client.text("vset /object/crate/destroy")
    assert client.text("vset /action/game/level small") == "ok"
    assert "crate" in client.text("vget /objects").split(" ")
