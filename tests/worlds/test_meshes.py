"""glTF meshes: what is read, how it lies in our axes, its colours, its hull, and what is refused."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embodied_eval.errors import DataFileError, UnknownName
from embodied_eval.worlds import glb, gltf
from embodied_eval.worlds.build import WorldBuilder
from embodied_eval.worlds.checks import clean_report
from embodied_eval.worlds.files import read_world, world_from_json, write_world
from embodied_eval.worlds.geometry import object_extent, solids, world_solids
from embodied_eval.worlds.mesh_colors import coded
from embodied_eval.worlds.meshes import MeshShape, mesh_of
from embodied_eval.worlds.mjcf import build, compile_spec, load_mujoco
from embodied_eval.worlds.model import Bounds, Primitive, Sky, Sun, World, WorldObject
from embodied_eval.worlds.navigation import NavGrid
from tests.worlds.glb_kit import (
    PALETTE,
    Model,
    box_model,
    chair_model,
    cuboid,
    mesh_data,
    palette_model,
    saved,
    written,
)
from tests.worlds.small import world


def shape(model: Model, **changes: Any) -> MeshShape:
    return mesh_of({"m": model.mesh_data(**changes)}, "m")


def natural(made: MeshShape) -> np.ndarray:
    """Face corners (m, 3, 3) at the model's own size."""
    return (made.vertices * np.array(made.extent_m))[made.faces]


def showing(mesh: str, size: tuple[float, float, float], name: str = "thing_1", **fields: Any) -> WorldObject:
    part = Primitive("mesh", size, (0.0, 0.0, size[2] / 2), mesh=mesh, material="")
    return WorldObject(name, "dining_chair", "thing", (part,), **{"position": (1.0, 0.0, 0.0), **fields})


def with_chair(*objects: WorldObject, **fields: Any) -> World:
    return replace(world(*objects, **fields), meshes={"chair": chair_model().mesh_data()})


# Reading


def test_axes_become_ours_and_the_shape_fills_the_unit_cube() -> None:
    made = shape(box_model((0.4, 0.9, 0.6), translation=[5.0, 1.0, -2.0]))
    assert made.extent_m == pytest.approx((0.6, 0.4, 0.9), abs=1e-6)
    assert made.vertices.min(axis=0) == pytest.approx([-0.5] * 3) and made.vertices.max() == pytest.approx(
        0.5
    )
    front = shape(chair_model())
    backrest = natural(front)[natural(front)[:, :, 2].min(axis=1) > 0.05].mean(axis=(0, 1))
    assert backrest[0] < -0.2 and abs(backrest[1]) < 1e-6  # glTF's front, +z, is our +x


def test_faces_look_outwards_and_normals_agree_also_in_mirrored_and_skewed_nodes() -> None:
    turned = [0.0, 0.0, math.sin(0.3), math.cos(0.3)]
    for node in ({}, {"scale": [-2.0, 1.0, 1.0]}, {"scale": [1.0, 3.0, 0.5], "rotation": turned}):
        made = shape(box_model(**node))
        corners = natural(made)
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        assert ((across * corners.mean(axis=1)).sum(axis=1) > 0).all()
        drawn = made.normals[made.faces].mean(axis=1) / np.array(made.extent_m)
        cosine = (across * drawn).sum(axis=1) / np.linalg.norm(across, axis=1) / np.linalg.norm(drawn, axis=1)
        assert cosine == pytest.approx(np.ones(12), abs=1e-5)


def test_node_transforms_are_nested_and_one_mesh_may_stand_in_several_places() -> None:
    model = Model()
    positions, normals, _, faces = cuboid()
    mesh = model.mesh(model.primitive(positions, faces, NORMAL=normals))
    inner = model.node(root=False, mesh=mesh, translation=[1.0, 0.0, 0.0])
    model.node(children=[inner], mesh=mesh, scale=[2.0, 2.0, 2.0])
    made = shape(model)
    assert len(made.faces) == 24 and made.extent_m == pytest.approx((2.0, 4.0, 2.0))
    assert len(shape(chair_model()).faces) == 8 * 12


def test_a_model_without_normals_is_flat_shaded_and_one_without_indices_is_read() -> None:
    model = Model()
    positions, _, _, faces = cuboid()
    model.node(mesh=model.mesh(model.primitive(positions[faces].reshape(-1, 3))))
    made = shape(model)
    assert len(made.faces) == 12
    assert np.sort(np.abs(made.normals), axis=1) == pytest.approx(np.tile([0.0, 0.0, 1.0], (36, 1)))


def test_cameras_lines_extras_and_animations_change_nothing() -> None:
    model, plain = chair_model(), shape(chair_model())
    strip = model.primitive(np.array([[9.0, 9.0, 9.0], [0.0, 0.0, 0.0]]))
    model.header["meshes"][0]["primitives"].append({**strip, "mode": 1})
    model.header["nodes"][0] |= {"camera": 0, "extras": {"name": "x"}, "extensions": {"EXT_any": {}}}
    cameras = [{"type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1, "aspectRatio": 1.0}}]
    made = shape(model, cameras=cameras, animations=[{"channels": [], "samplers": []}])
    assert np.array_equal(made.vertices, plain.vertices) and made.groups == plain.groups


def test_the_same_file_gives_the_same_arrays() -> None:
    content = chair_model().glb()
    first, second = (gltf.read_parts(content, "x") for _ in range(2))
    for one, other in zip(first, second, strict=True):
        assert np.array_equal(one.vertices, other.vertices) and np.array_equal(one.faces, other.faces)
    assert mesh_of({"m": mesh_data(content)}, "m") is mesh_of({"m": mesh_data(bytes(content))}, "m")


# Colours


def test_a_factor_is_shown_as_display_colour_and_equal_looks_are_one_group() -> None:
    groups = shape(chair_model()).groups
    assert [group.count for group in groups] == [72, 24]
    assert groups[1].paint.color == pytest.approx(coded(np.array([0.5, 0.02, 0.03])), abs=1e-5)
    assert groups[0].paint.metallic == 0.0 and groups[0].paint.roughness == 0.7


def test_a_palette_texture_gives_each_face_its_cell() -> None:
    made = shape(palette_model())
    colors = {tuple(round(255 * value) for value in group.paint.color) for group in made.groups}
    assert colors == set(PALETTE) and all(group.count == 2 for group in made.groups)


def test_a_texture_without_coordinates_gives_its_mean_times_the_factor() -> None:
    model = Model()
    pixels = np.zeros((4, 4, 3), np.uint8)
    pixels[:2] = 255
    rough = {"baseColorTexture": {"index": model.image(pixels)}, "metallicRoughnessTexture": {"index": 0}}
    material = model.material((1.0, 0.5, 0.0, 1.0), pbr={**rough, "metallicFactor": 1.0})
    positions, normals, _, faces = cuboid()
    model.node(mesh=model.mesh(model.primitive(positions, faces, material=material, NORMAL=normals)))
    (group,) = shape(model).groups
    assert group.paint.color == pytest.approx(coded(np.array([0.5, 0.25, 0.0])), abs=1e-5)
    assert group.paint.metallic == pytest.approx(0.5)


def test_vertex_colours_and_emission_count() -> None:
    model = Model()
    positions, normals, _, faces = cuboid()
    colors = np.where(positions[:, :1] > 0, [[1.0, 0.0, 0.0]], [[0.0, 0.0, 1.0]])
    half = model.primitive(positions, faces, material=model.material(), NORMAL=normals, COLOR_0=colors)
    glowing = model.material((0.0, 0.0, 0.0, 1.0), emissiveFactor=[0.2, 0.4, 0.0])
    model.node(
        mesh=model.mesh(half, model.primitive(positions + 2.0, faces, material=glowing, NORMAL=normals))
    )
    paints = [group.paint for group in shape(model).groups]
    assert {(1.0, 0.0, 0.0), (0.0, 0.0, 1.0)} <= {paint.color for paint in paints}
    glow = next(paint for paint in paints if paint.emission)
    assert glow.emission == pytest.approx(0.4) and glow.color[1] == pytest.approx(1.0)


# Hulls and solids


def test_hull_volume_and_bounds_of_a_box_are_those_of_a_box() -> None:
    meshes = {"m": box_model((0.4, 0.9, 0.6)).mesh_data()}
    item = showing("m", (0.6, 0.4, 0.9), rotation_deg=(20.0, 30.0, 40.0))
    plain = replace(item, primitives=(replace(item.primitives[0], shape="box", mesh="", material="default"),))
    (mesh,), (box,) = world_solids(item, meshes=meshes), world_solids(plain)
    assert mesh.volume() == pytest.approx(box.volume())
    assert np.array(mesh.bounds()) == pytest.approx(np.array(box.bounds()), abs=1e-6)
    (rough,) = world_solids(
        replace(item, primitives=(replace(item.primitives[0], mesh="none"),)), meshes=None
    )
    assert np.array(rough.bounds()) == pytest.approx(np.array(box.bounds()))
    assert object_extent(item, meshes) == pytest.approx((0.6, 0.4, 0.9), abs=1e-6)


def test_a_round_hull_is_thinned_evenly_and_keeps_its_extents() -> None:
    turn, rise = np.meshgrid(np.linspace(0, 2 * np.pi, 80), np.linspace(-np.pi / 2, np.pi / 2, 40))
    ball = np.stack([np.cos(turn) * np.cos(rise), np.sin(rise), np.sin(turn) * np.cos(rise)], axis=-1)
    index = np.arange(80 * 40).reshape(40, 80)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    faces = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    model = Model()
    model.node(mesh=model.mesh(model.primitive(ball.reshape(-1, 3), faces)))
    hull = shape(model).hull
    assert len(hull.points) <= 256 and hull.volume == pytest.approx(math.pi / 6, rel=0.04)
    assert np.abs(hull.points).max(axis=0) == pytest.approx([0.5] * 3, abs=1e-3)


def test_a_sheet_gets_its_thickness_from_the_size() -> None:
    model = Model()
    sheet = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
    made = model.primitive(sheet, np.array([[0, 1, 2], [0, 2, 3]]), material=model.material(doubleSided=True))
    model.node(mesh=model.mesh(made))
    assert shape(model).extent_m == pytest.approx((0.0, 1.0, 1.0)) and len(shape(model).faces) == 4
    (part,) = solids(showing("m", (0.02, 1.0, 1.0)), meshes={"m": model.mesh_data()})
    assert part.volume() == pytest.approx(0.02)


def test_mujoco_sees_the_hull_and_it_comes_to_rest() -> None:
    placed = with_chair(showing("chair", (0.5, 0.5, 0.9), position=(1.0, 0.0, 0.3), dynamic=True))
    model = compile_spec(build(placed), "world")
    engine = load_mujoco()
    data = engine.MjData(model)
    for _ in range(400):
        engine.mj_step(model, data)
    body = model.body("thing_1/")
    assert data.xpos[body.id] == pytest.approx([1.0, 0.0, 0.0], abs=0.005)
    assert body.mass[0] == pytest.approx(placed.object("thing_1").mass_kg)


def test_the_floor_grid_is_blocked_below_a_mesh() -> None:
    grid = NavGrid(with_chair(showing("chair", (0.5, 0.5, 0.9), position=(2.0, 1.0, 0.0))))
    assert not grid.free(2.0, 1.0) and grid.free(2.0, -1.0)


# Worlds


def test_a_world_built_with_a_mesh_is_clean_and_survives_its_file(tmp_path: Any) -> None:
    builder = WorldBuilder("room", 1, "A room with one chair.")
    builder.fixed("floor", 0.0, 0.0, size_x_m=6.0, size_y_m=6.0, mat="oak_planks")
    builder.add_mesh("chair", chair_model().glb())
    name = builder.put("dining_chair", 1.0, 0.5, 90.0, mesh="chair")
    builder.add_spawn("start", -1.0, 0.0, 0.0)
    made = builder.build(Bounds((-3.0, -3.0, 0.0), (3.0, 3.0, 2.6)), sun=Sun(), sky=Sky())
    assert made.object(name).primitives[0].size == pytest.approx((0.5, 0.5, 0.9), abs=1e-6)
    assert [problem.text for problem in clean_report(made).problems] == []
    write_world(made, tmp_path / "room.json")
    assert read_world(tmp_path / "room.json").sha256 == made.sha256


def named(tmp_path: Any, entry: Any) -> World:
    data: Any = json.loads(with_chair(showing("chair", (0.5, 0.5, 0.9))).canonical())
    data["meshes"] = {"chair": entry}
    (tmp_path / "world.json").write_text(json.dumps(data), encoding="utf-8")
    return read_world(tmp_path / "world.json")


def test_a_world_file_may_name_a_mesh_file_beside_it(tmp_path: Any) -> None:
    (tmp_path / "models").mkdir()
    saved(chair_model(), tmp_path / "models" / "chair.glb")
    read = named(tmp_path, {"file": "models/chair.glb"})
    assert read.meshes == with_chair().meshes
    write_world(read, tmp_path / "whole.json")
    assert '"glb"' in (tmp_path / "whole.json").read_text(encoding="utf-8")


def test_the_guides_example_can_be_read_and_is_clean(tmp_path: Any) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "worlds.md").read_text(encoding="utf-8")
    (tmp_path / "corner.json").write_text(guide.split("```json\n")[1].split("```")[0], encoding="utf-8")
    saved(chair_model(), tmp_path / "chair.glb")
    assert clean_report(read_world(tmp_path / "corner.json")).problems == ()


def test_mesh_files_that_are_refused_are_named(tmp_path: Any) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    saved(chair_model(), tmp_path / "chair.glb")
    (inside / "link.glb").symlink_to(tmp_path / "chair.glb")
    (inside / "model.gltf").write_text('{"asset": {"version": "2.0"}}', encoding="utf-8")
    (inside / "huge.glb").write_bytes(b"glTF" + bytes(glb.MAX_BYTES))
    for file, said in (
        ("../chair.glb", "outside its folder"),
        (str(tmp_path / "chair.glb"), "outside its folder"),
        ("link.glb", "outside its folder"),
        ("none.glb", "cannot be read"),
        ("model.gltf", "is no binary glTF"),
        ("huge.glb", "at most 16 MiB"),
        ("bad\0name", "cannot be read"),
    ):
        with pytest.raises(DataFileError, match=said) as caught:
            named(inside, {"file": file})
        assert "chair" in caught.value.message and "world.json" in caught.value.message
    with pytest.raises(DataFileError, match="file is not a field of a Mesh"):
        world_from_json({**with_chair().to_json(), "meshes": {"m": {"file": "chair.glb"}}}, "here")


def test_checks_name_missing_and_broken_meshes() -> None:
    missing = clean_report(replace(with_chair(showing("table", (1.0, 1.0, 1.0)))))
    assert [problem.text for problem in missing.problems] == [
        "'thing_1' shows mesh 'table', which there is not."
    ]
    broken = replace(with_chair(), meshes={"bad": mesh_data(b"glTF")})
    assert [problem.text for problem in clean_report(broken).problems] == [
        "Mesh 'bad' is no binary glTF (.glb) file."
    ]
    with pytest.raises(UnknownName, match="mesh in this world"):
        solids(showing("chair", (1.0, 1.0, 1.0)))


# What is refused


def _skinned(model: Model) -> bytes:
    return model.glb(skins=[{"joints": [0]}])


def _nan(model: Model) -> bytes:
    positions, *_, faces = cuboid()
    positions[3, 1] = math.nan
    model.node(mesh=model.mesh(model.primitive(positions, faces)))
    return model.glb()


def _loop(model: Model) -> bytes:
    model.header["nodes"][0]["children"] = [0]
    return model.glb()


def _bomb(model: Model) -> bytes:
    for _ in range(4_000):
        model.node(mesh=0)
    model.header["accessors"][2]["count"] = 900
    return model.glb()


def _index(model: Model) -> bytes:
    positions, *_, faces = cuboid()
    model.node(mesh=model.mesh(model.primitive(positions, faces + 1)))
    return model.glb()


def _askew(model: Model) -> bytes:
    sheet = np.array([[0, 0, 0], [1, 0, 1], [1, 1, 1], [0, 1, 0]], float)
    model.header["scenes"][0]["nodes"] = []
    model.node(mesh=model.mesh(model.primitive(sheet, np.array([[0, 1, 2], [0, 2, 3]]))))
    return model.glb()


def _texture(model: Model) -> bytes:
    model.header["images"] = [{"bufferView": model.view(b"no picture"), "mimeType": "image/png"}]
    model.header["textures"] = [{"source": 0}]
    model.header["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": 0}
    return model.glb()


def _shape_keys(model: Model) -> bytes:
    model.header["meshes"][0]["weights"] = [0.0, 0.5]
    return model.glb()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda model: model.glb()[:100], "cut off"),
        (lambda model: b"solid ascii stl", "is no binary glTF"),
        (lambda model: model.glb().replace(b"glTF\x02", b"glTF\x01", 1), "only glTF 2.0"),
        (
            lambda model: model.glb(buffers=[{"uri": "https://x.invalid/a.bin", "byteLength": 4}]),
            "another file",
        ),
        (lambda model: model.glb(images=[{"uri": "/etc/passwd"}]), "another file"),
        (lambda model: model.glb(extensionsRequired=["KHR_draco_mesh_compression"]), "KHR_draco"),
        (lambda model: model.glb(extensionsRequired=["VENDOR_odd"]), "VENDOR_odd"),
        (lambda model: model.glb(extensionsUsed=["EXT_mesh_gpu_instancing"]), "gpu_instancing"),
        (lambda model: model.glb(scenes=[]), "no scene"),
        (lambda model: model.glb(scenes=[{"nodes": []}]), "no triangles"),
        (lambda model: model.glb(nodes=[{"mesh": 7}]), "broken header"),
        (lambda model: model.glb(accessors="x"), "broken header"),
        (lambda model: model.glb(accessors=[{"count": 10**12, "bufferView": 0}]), "data items"),
        (lambda model: model.glb(accessors=[{"count": 9, "sparse": {}, "bufferView": 0}]), "sparse"),
        (lambda model: written({"asset": {}, "x": {}}, b""), "no scene"),
        (_skinned, "skin"),
        (_nan, "finite"),
        (_loop, "own ancestor"),
        (_bomb, "at most 100,000"),
        (_index, "corner that there is not"),
        (_askew, "askew"),
        (_texture, "cannot be read"),
        (_shape_keys, "shape keys"),
    ],
)
def test_files_that_cannot_be_shown_rightly_are_refused(spoil: Any, said: str) -> None:
    with pytest.raises(DataFileError, match=said) as caught:
        mesh_of({"rock": mesh_data(spoil(box_model()))}, "rock")
    assert caught.value.message.startswith("Mesh 'rock' ")


def test_cut_and_garbled_files_end_in_a_typed_error_or_a_shape() -> None:
    content, random = palette_model().glb(), np.random.default_rng(4)
    for _ in range(120):
        spoiled = bytearray(content)
        for at in random.integers(12, len(content), 3):
            spoiled[at] = random.integers(0, 256)
        try:
            found = mesh_of({"m": mesh_data(bytes(spoiled))}, "m")
        except DataFileError:
            continue
        assert np.isfinite(found.vertices).all() and found.faces.max() < len(found.vertices)
