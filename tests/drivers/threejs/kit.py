"""What the tests of the page's pictures share: a page with a stage, renderers in it, the scene of `tests.drivers.render.kit`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embodied_eval.drivers.browser.browser import Browser
from embodied_eval.drivers.threejs.renderer import PageRenderer
from embodied_eval.drivers.threejs.site import runtime_site
from embodied_eval.worlds.model import Light, Sky, Sun
from tests.drivers.render.kit import MATERIALS, ball, box, put
from tests.worlds.glb_kit import Model, cuboid

EYE, YAW, PITCH = (-3.0, 0.0, 2.0), 0.0, -30.0
ALL = ("rgb", "depth", "normals", "mask")
LAMP = Light("lamp", (0.0, 1.5, 1.0), intensity=2.0, on=False)


def open_stage(browser: Browser) -> None:
    """Load the runtime's page, without a world."""
    site = runtime_site()
    browser.open(site)
    browser.evaluate("() => window.ready")
    refused = [request for request in site.requests if request.outcome in ("refused", "substituted")]
    assert not refused, refused


def page_renderer(browser: Browser, lights: Iterable[Light] = (), **fields: Any) -> PageRenderer:
    """An empty renderer in the open page with the materials, sky and sun of its `renderer`."""
    fields = {"fov_deg": 90.0, "shadow_size": 512, **fields}
    return PageRenderer(browser.evaluate, MATERIALS, Sky(), Sun(), list(lights), **fields)


def furnish(drawn: Any) -> None:
    """A floor (0), a floating box (1) that shades it and a ball (2) behind the box."""
    put(drawn, "floor", 0, box((8.0, 8.0, 0.1), "floor"), position=(0.0, 0.0, -0.05), casts_shadow=False)
    put(drawn, "box", 1, box((0.6, 0.6, 0.2), "red", bevel_m=0.03), position=(0.0, 0.0, 0.9))
    put(drawn, "ball", 2, ball(0.4, "red"), position=(1.2, 0.1, 0.2))


def brightness(frame: dict[str, NDArray[Any]]) -> NDArray[np.int64]:
    """Sum of the colours (H, W)."""
    found: NDArray[np.int64] = frame["rgb"].astype(np.int64).sum(-1)
    return found


def sign_model() -> Model:
    """A box of 0.3 x 0.8 x 0.8 m; each face shows red, green above blue, white, as one sees it from in front."""
    model = Model()
    pixels = np.zeros((64, 64, 3), np.uint8)
    pixels[:32, :32], pixels[:32, 32:] = (220, 30, 30), (30, 200, 40)
    pixels[32:, :32], pixels[32:, 32:] = (30, 50, 220), (240, 240, 240)
    material = model.material(pbr={"baseColorTexture": {"index": model.image(pixels)}})
    positions, normals, uv, faces = cuboid((0.8, 0.8, 0.3))
    made = model.primitive(positions, faces, material=material, NORMAL=normals, TEXCOORD_0=uv)
    model.node(mesh=model.mesh(made))
    return model


def odd_model() -> Model:
    """What models may have: a mirrored node, vertex colours, no normals, no indices, a glowing part, two sides."""
    model = Model()
    positions, normals, _, faces = cuboid((0.4, 0.5, 0.6))
    colors = np.where(positions[:, 1:2] > 0.0, [[0.1, 0.6, 0.1]], [[0.6, 0.1, 0.1]])
    colored = model.primitive(positions, faces, material=model.material(), NORMAL=normals, COLOR_0=colors)
    bare = model.primitive(positions[faces.ravel()], material=model.material((0.1, 0.2, 0.7, 1.0)))
    glowing = model.primitive(
        positions, faces, material=model.material(emissiveFactor=[1.0, 0.4, 0.0]), NORMAL=normals
    )
    square = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], float) / 4.0
    sheet = model.primitive(
        square, np.array([[0, 1, 2], [0, 2, 3]]), material=model.material(doubleSided=True)
    )
    turn = [0.0, 0.3826834, 0.0, 0.9238795]
    model.node(mesh=model.mesh(colored), translation=[-0.5, 0.3, 0.0], scale=[-1.0, 1.2, 1.0], rotation=turn)
    model.node(mesh=model.mesh(bare), translation=[0.5, 0.3, 0.0], scale=[1.0, 1.0, -0.7])
    model.node(mesh=model.mesh(glowing), translation=[0.0, 1.0, 0.0])
    model.node(mesh=model.mesh(sheet), translation=[0.0, 0.2, 0.2], rotation=turn)
    return model
