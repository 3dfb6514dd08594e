"""Meshes in the renderer: registered in every modality, lit, shadowed, tinted, replaced like primitives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from embodied_eval.drivers.render import Entity, Renderer
from embodied_eval.drivers.render.camera import camera
from embodied_eval.drivers.render.drawlist import view_list
from embodied_eval.drivers.render.instances import Instances
from embodied_eval.drivers.render.models import models
from embodied_eval.drivers.render.patterns import layers
from embodied_eval.errors import DataFileError, UnknownName
from embodied_eval.worlds.meshes import mesh_of
from embodied_eval.worlds.model import Primitive
from tests.drivers.render.kit import MATERIALS, SIZE, box, put, renderer
from tests.worlds.glb_kit import Model, box_model, chair_model, mesh_data, palette_model

pytestmark = pytest.mark.gl
EYE = (0.0, 0.0, 1.5)
VIEW = (EYE, 0.0, -15.0, SIZE)


def sheet_model() -> Model:
    """A square in the plane z = 0, in front of which glTF's +z lies; green and seen from both sides."""
    model = Model()
    square = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], float)
    green = model.material((0.0, 0.5, 0.0, 1.0), doubleSided=True)
    model.node(mesh=model.mesh(model.primitive(square, np.array([[0, 1, 2], [0, 2, 3]]), material=green)))
    return model


MESHES = {
    "box": box_model((0.4, 0.9, 0.6), (0.6, 0.6, 0.6, 1.0)).mesh_data(),
    "chair": chair_model().mesh_data(),
    "palette": palette_model().mesh_data(),
    "sheet": sheet_model().mesh_data(),
}


def showing(mesh: str, size: tuple[float, float, float], material: str = "", **fields: Any) -> Primitive:
    return Primitive("mesh", size, (0.0, 0.0, size[2] / 2), mesh=mesh, material=material, **fields)


@pytest.fixture(scope="module")
def drawn() -> Iterator[Renderer]:
    made = renderer(meshes=MESHES)
    put(made, "floor", 0, box((20.0, 20.0, 0.1), "floor"), position=(0.0, 0.0, -0.05))
    yield made
    made.close()


@pytest.fixture
def empty(drawn: Renderer) -> Iterator[Renderer]:
    keys: list[str] = []
    add = drawn.add

    def noted(entity: Any) -> None:
        add(entity)
        keys.append(entity.key)

    drawn.add = noted  # type: ignore[method-assign]
    yield drawn
    drawn.add = add  # type: ignore[method-assign]
    for key in keys:
        drawn.remove(key)


def test_a_box_as_a_mesh_is_a_box_in_every_modality(empty: Renderer) -> None:
    place: dict[str, Any] = {
        "position": (3.0, 0.2, 0.0),
        "rotation_deg": (0.0, 0.0, 35.0),
        "scale": (1.0, 1.3, 1.0),
    }
    put(empty, "mesh", 1, showing("box", (0.6, 0.4, 0.9), rotation_deg=(0.0, 0.0, 90.0)), **place)
    mesh = empty.render(*VIEW, ("depth", "mask", "normals"))
    empty.update("mesh", visible=False)
    plain = replace(showing("box", (0.6, 0.4, 0.9), "default", rotation_deg=(0.0, 0.0, 90.0)), shape="box")
    put(empty, "plain", 1, plain, **place)
    real = empty.render(*VIEW, ("depth", "mask", "normals"))
    assert (mesh["mask"] == 1).sum() > 1000
    assert (mesh["mask"] != real["mask"]).mean() < 1e-4
    same = mesh["mask"] == real["mask"]
    assert np.allclose(mesh["depth"][same], real["depth"][same], atol=2e-4)
    assert np.allclose(mesh["normals"][same], real["normals"][same], atol=2e-3)


def colors(made: Renderer, number: int) -> np.ndarray:
    """Mean colours (n, 3) of the object's pixels by their strongest channel."""
    frame = made.render(*VIEW, ("rgb", "mask"))
    own = frame["rgb"][frame["mask"] == number].astype(float)
    strongest = own.argmax(axis=1)
    found: np.ndarray = np.array([own[strongest == channel].mean(axis=0) for channel in np.unique(strongest)])
    return found


def test_a_model_has_its_own_colours_and_takes_materials_and_tints(empty: Renderer) -> None:
    put(
        empty,
        "chair",
        2,
        showing("chair", (0.5, 0.5, 0.9)),
        position=(1.6, 0.0, 0.0),
        rotation_deg=(0, 0, 150),
    )
    own = empty.render(*VIEW, ("rgb", "mask"))
    pixels = own["rgb"][own["mask"] == 2].astype(float)
    red = pixels[:, 0] > 2.5 * pixels[:, 1]
    brown = (pixels[:, 0] > 1.15 * pixels[:, 1]) & (pixels[:, 1] > 1.15 * pixels[:, 2])
    assert red.mean() > 0.2 and brown.mean() > 0.2
    empty.update("chair", tint=(0.1, 0.2, 0.9))
    blue = empty.render(*VIEW, ("rgb", "mask"))
    assert (blue["rgb"][blue["mask"] == 2].argmax(axis=1) == 2).all()
    assert np.array_equal(blue["mask"], own["mask"])
    empty.update("chair", tint=None, material="red")
    replaced = empty.render(*VIEW, ("rgb",))["rgb"][own["mask"] == 2].astype(float)
    assert (replaced[:, 0] > 2.0 * replaced[:, 2]).mean() > 0.95
    empty.update("chair", material=None)
    assert np.array_equal(empty.render(*VIEW, ("rgb",))["rgb"], own["rgb"])
    with pytest.raises(UnknownName, match="material"):
        empty.update("chair", material="velvet")


def test_a_palette_texture_shows_as_one_colour_a_face(empty: Renderer) -> None:
    put(
        empty,
        "cube",
        3,
        showing("palette", (1.0, 1.0, 1.0)),
        position=(3.0, 0.0, 0.0),
        rotation_deg=(0, 0, 45),
    )
    assert len(colors(empty, 3)) >= 2
    saturated = [color for color in colors(empty, 3) if color.max() > 2.0 * color.min()]
    assert len(saturated) >= 1


def test_a_pattern_lies_on_a_mesh_as_on_a_box(empty: Renderer) -> None:
    put(empty, "mesh", 1, showing("box", (0.6, 1.2, 0.9), "floor"), position=(2.5, 0.0, 0.0))
    mesh = empty.render(*VIEW, ("rgb",))["rgb"].astype(int)
    empty.update("mesh", visible=False)
    plain = replace(showing("box", (0.6, 1.2, 0.9), "floor"), shape="box")
    put(empty, "plain", 1, plain, position=(2.5, 0.0, 0.0))
    real = empty.render(*VIEW, ("rgb",))["rgb"].astype(int)
    assert (np.abs(mesh - real).max(axis=2) > 6).mean() < 0.002


def test_a_mesh_casts_a_shadow_that_can_be_taken_away(empty: Renderer) -> None:
    put(empty, "chair", 2, showing("chair", (0.5, 0.5, 0.9)), position=(2.0, 0.0, 0.0))
    cast = empty.render(*VIEW, ("rgb", "mask"))
    empty.update("chair", casts_shadow=False)
    bare = empty.render(*VIEW, ("rgb",))["rgb"].astype(int)
    darker = (bare - cast["rgb"].astype(int)).max(axis=2) > 20
    assert darker[cast["mask"] == 0].sum() > 200


def test_a_sheet_is_seen_from_both_sides(empty: Renderer) -> None:
    for yaw in (0.0, 180.0):
        put(
            empty,
            f"sheet{yaw}",
            4,
            showing("sheet", (0.01, 1.0, 1.0)),
            position=(2.5, 0, 0),
            rotation_deg=(0, 0, yaw),
        )
        frame = empty.render(*VIEW, ("rgb", "mask", "normals"))
        own = frame["mask"] == 4
        assert own.sum() > 2000 and (frame["rgb"][own].argmax(axis=1) == 1).all()
        assert (frame["normals"][own][:, 0] < -0.99).all()
        empty.update(f"sheet{yaw}", visible=False)


def test_objects_that_share_a_mesh_share_its_draws() -> None:
    known = models({name: mesh_of(MESHES, name) for name in MESHES})
    instances = Instances(MATERIALS, layers(MATERIALS), known)
    for number in range(8):
        instances.add(Entity(f"chair{number}", number, (showing("chair", (0.5, 0.5, 0.9)),)))
        instances.change(f"chair{number}", position=np.array([3.0, number / 4.0 - 1.0, 0.0]))
    draws = view_list(instances.table(), known.meshes, camera(*VIEW, 90.0), SIZE)
    assert draws.commands[:, 0].tolist() == [3 * 72, 3 * 24] and draws.commands[:, 1].tolist() == [8, 8]


def test_a_mesh_that_is_missing_or_broken_is_named(empty: Renderer) -> None:
    with pytest.raises(UnknownName, match="'chairs'"):
        put(empty, "none", 5, showing("chairs", (1.0, 1.0, 1.0)))
    with pytest.raises(DataFileError, match="Mesh 'bad'"):
        renderer(meshes={"bad": mesh_data(b"glTF")})
