"""Environment packs: read, checked, made a world, started, and driven."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from benchmarks.worldaudit.plugin import WorldAudit
from embodied_eval.drivers.base import ObjectPatch
from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.drivers.unrealcv.driver import UnrealcvDriver
from embodied_eval.drivers.unrealcv.launcher import GameLauncher
from embodied_eval.drivers.unrealcv.pack_world import game_world, identity, missing, surveyed, world_of
from embodied_eval.drivers.unrealcv.packs import SCHEMA, read_pack, split_world
from embodied_eval.drivers.unrealcv.scaled import ScaledClient
from embodied_eval.drivers.unrealcv.server import Server
from embodied_eval.errors import CapabilityMissing, DataFileError, SchemaMismatch, UnknownName
from embodied_eval.worlds.files import world_from_json
from tests.drivers.unrealcv.game_kit import PORTS, ROOT, installed, named
from tests.testing_driver import PlaneDriver
from tests.testing_world import box, plane_world

EXAMPLE = ROOT / "examples" / "ue-pack" / "warehouse.toml"
PACK = f"""schema = "{SCHEMA}"
name = "plane"
[game]
binary = "Game/Binaries/Linux/Game"
size = [64, 48]
warm_up_frames = 0
[[map]]
name = "plane"
description = "A plain."
bounds = {{ low = [-2000, -2000, -50], high = [2000, 2000, 600] }}
start = [{{ name = "start", position = [-100, 50, 0], yaw_deg = 90 }}]
[map.object.box_1]
actor = "crate"
label = "box"
[map.object.ball_1]
actor = "crat"
label = "ball"
"""


def written(folder: Path, text: str = PACK) -> Path:
    path = folder / "pack.toml"
    path.write_text(text)
    return path


def test_the_example_is_a_pack_and_its_map_a_world() -> None:
    pack = read_pack(EXAMPLE)
    spec, world = pack.spec("Warehouse"), world_of(pack)
    assert spec.binary == EXAMPLE.parent / "WarehouseGame" / "Binaries" / "Linux" / "WarehouseGame"
    assert (spec.map, spec.level, spec.ready_s) == ("/Game/Maps/Warehouse", "Warehouse", 240.0)
    assert (world.name, world.spawn("desk").position, world.spawn("desk").yaw_deg) == (
        "Warehouse",
        (8.0, -2.0, 0.0),
        90.0,
    )
    assert world.bounds.low == (-12.0, -9.0, -0.5) and world.region("office").bounds.low == (6.0, -9.0, -0.5)
    clock = world.object("clock_1")
    assert clock.position == (11.75, -1.0, 1.8) and clock.primitives[0].size == (0.1, 0.4, 0.4)
    assert world.object("ladder_1").primitives == () and world.object("ladder_1").region == "hall"
    assert world_from_json(world.to_json(), "x") == world


def test_the_example_s_tasks_name_objects_of_the_example_s_map() -> None:
    tasks = tomllib.loads((EXAMPLE.parent / "tasks.toml").read_text())
    path, name = split_world(tasks["world"])
    world = world_of(read_pack(EXAMPLE.parent / path), name)
    for task in tasks["task"]:
        assert world.object(task["target"]["object"]) and world.region(task["scene"])
        assert world.spawn(task["spawn"]) and all(world.object(item) for item in task["watch"])
    assert set(tasks["scenes"]) == {region.name for region in world.regions}


@pytest.mark.parametrize(
    ("old", "new", "kind", "said"),
    [
        (SCHEMA, "embodied-eval/ue-pack/2", SchemaMismatch, "reads 'embodied-eval/ue-pack/1'"),
        ("schema", "= x", DataFileError, "is not TOML"),
        ("size = [64, 48]", "size = [64]", DataFileError, "game.size"),
        ("size = [64, 48]", "sise = [64, 48]", DataFileError, "game.sise"),
        ('label = "box"', "", DataFileError, "map.0.object.box_1.label: Field required"),
        ('actor = "crate"', 'actor = "a crate"', DataFileError, "map.0.object.box_1.actor"),
        ('actor = "crat"', 'actor = "crate"', DataFileError, "actor 'crate' occurs twice"),
        ("low = [-2000", "low = [2000", DataFileError, "every number of low must be below that of high"),
        ("[-100, 50, 0]", "[-100, nan, 0]", DataFileError, "position"),
        ("yaw_deg = 90", 'region = "hall"', DataFileError, "region 'hall' is none of this map's"),
        ("[map.object.box_1]", "[map.object.Box]", DataFileError, "Box"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_field(
    tmp_path: Path, old: str, new: str, kind: type[Exception], said: str
) -> None:
    path = written(tmp_path, PACK.replace(old, new, 1))
    with pytest.raises(kind, match=r"pack\.toml") as caught:
        read_pack(path)
    assert said in str(caught.value)


def test_files_maps_and_names_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="cannot be read"):
        read_pack(tmp_path / "none.toml")
    with pytest.raises(UnknownName, match="'plain'"):
        read_pack(written(tmp_path)).spec("plain")
    assert split_world("ue:a/b.toml") == (Path("a/b.toml"), "")
    for name in ("ue:", "ue:a.json", "indoor", "ue:a.toml#", "ue:a.toml#x#y"):
        with pytest.raises(DataFileError, match="names no map"):
            split_world(name)


def test_metres_are_taken_as_they_are_and_actors_are_part_of_the_identity(tmp_path: Path) -> None:
    pack = read_pack(written(tmp_path))
    assert (
        world_of(pack).spawns[0].position == (-1.0, -0.5, 0.0) and world_of(pack).spawns[0].yaw_deg == -90.0
    )
    other = read_pack(written(tmp_path, PACK.replace("[game]", '[units]\nplaces = "metres"\n[game]')))
    assert world_of(other).spawns[0].position == (-100.0, 50.0, 0.0)
    renamed = read_pack(written(tmp_path, PACK.replace('"crat"', '"cradle"')))
    assert world_of(renamed).sha256 == world_of(pack).sha256 and identity(renamed) != identity(pack)


def test_a_pack_s_game_is_started_and_carries_a_change(tmp_path: Path) -> None:
    installed(tmp_path, "serving")
    pack = read_pack(written(tmp_path))
    world, actors = world_of(pack), pack.map_of().actors
    with GameLauncher(pack.spec(), ports=PORTS) as games:
        client = games.game().client
        assert missing(pack.map_of(), client) == {"ball_1": "crate"}
        found = surveyed(world, client, actors)
        assert found.object("box_1").primitives[0].size == (1.0, 1.0, 1.0)
        assert found.object("box_1").position == (2.0, 0.0, 0.0)
        assert found.object("ball_1").primitives == ()
        driver = UnrealcvDriver(adopted=client, actors=actors)
        state = driver.load(world)
        assert (state.pose.x, state.pose.y, state.pose.yaw_deg) == (-1.0, -0.5, -90.0)
        lifted = driver.set_object("box_1", ObjectPatch(position=(2.0, 0.0, 0.7)))
        assert lifted.position == (2.0, 0.0, 0.7) and lifted.bounds[0][2] == pytest.approx(0.7)
        driver.close()
        assert games.game().client.text("vget /level/name") == "plane"


def test_a_world_that_is_a_game_starts_it_and_ends_it(tmp_path: Path) -> None:
    installed(tmp_path, "serving")
    path = written(tmp_path)
    world = game_world(f"ue:{path}")
    assert world.game is not None and world.game.pack == str(path)
    assert str(tmp_path) not in world.canonical() and world.sha256 != world_of(read_pack(path)).sha256
    driver = UnrealcvDriver()
    try:
        first = driver.load(world)
        driver.set_object("box_1", ObjectPatch(position=(2.0, 0.0, 0.7)))
        assert driver.load(world).pose == first.pose
        assert driver.object("box_1").position == (2.0, 0.0, 0.0)
        assert (game := driver._launcher.game()).alive
    finally:
        driver.close()
    assert not game.alive and not named(tmp_path)
    with pytest.raises(CapabilityMissing, match="unrealcv"):
        MujocoDriver().load(world)


def test_the_example_s_task_file_is_offered_on_unrealcv() -> None:
    offer = WorldAudit().offer("", str(EXAMPLE.parent / "tasks.toml"))
    assert offer.driver == "unrealcv" and offer.tasks
    world = WorldAudit().world(offer.tasks[0], None)
    assert world is not None and world.game is not None


def test_a_game_of_another_unit_looks_like_one_in_centimetres() -> None:
    with Server(PlaneDriver(), plane_world(box("crate", (2.0, 0.0, 0.0))), port=0, size=(64, 48)) as server:
        client = ScaledClient(f"tcp://{server.address}")
        client.factor = 10.0  # the game's unit is a decimetre
        assert client.text("vget /object/crate/location") == "2000.000000 0.000000 0.000000"
        place, box_text, name = client.batch(
            ["vget /object/crate/location", "vget /object/crate/bounds", "vget /level/name"]
        )
        assert place == b"2000.000000 0.000000 0.000000" and name == b"plane"
        assert box_text.split()[0] == b"1500.000000"
        client.text("vset /object/crate/location 3000.0 0.0 0.0")
        assert client.text("vget /object/crate/location") == "3000.000000 0.000000 0.000000"
        client.factor = 1.0
        assert client.text("vget /object/crate/location") == "300.000000 0.000000 0.000000"
        client.close()
