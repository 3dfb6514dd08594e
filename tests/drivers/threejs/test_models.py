"""glTF models in the page: in their own looks, where and what the moderngl renderer draws."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from embodied_eval.drivers.browser.browser import Browser
from embodied_eval.worlds.model import Primitive
from tests.drivers.render.kit import SIZE, box, put, renderer
from tests.drivers.threejs.kit import ALL, odd_model, open_stage, page_renderer, sign_model
from tests.worlds.glb_kit import chair_model

pytestmark = [pytest.mark.browser, pytest.mark.gl]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as made:
        open_stage(made)
        yield made


def test_a_model_shows_its_own_texture_or_what_it_is_told_to(browser: Browser) -> None:
    meshes = {"sign": sign_model().mesh_data()}
    drawn, native = page_renderer(browser, meshes=meshes), renderer(meshes=meshes)
    view = ((-1.6, 0.0, 0.5), 0.0, 0.0, SIZE)
    for target in (drawn, native):
        for number, (y, material) in enumerate([(-0.6, ""), (0.6, "red")]):
            mesh = Primitive("mesh", (0.3, 0.8, 0.8), material=material, mesh="sign")
            put(target, f"sign{number}", number, mesh, position=(0.0, y, 0.5), rotation_deg=(0.0, 0.0, 180.0))
    ours, theirs = (target.render(*view, ALL) for target in (drawn, native))
    native.close()
    assert (ours["mask"] == theirs["mask"]).mean() > 0.999
    solid = (ours["mask"] == theirs["mask"]) & (ours["mask"] >= 0)
    assert np.abs(ours["depth"][solid] - theirs["depth"][solid]).max() < 1e-3
    assert (ours["normals"] * theirs["normals"]).sum(-1)[solid].min() > 0.999
    assert np.array_equal(drawn.ids(*view), ours["mask"])
    # Its front shows, as one sees it: red, green above blue, white.
    rows, columns = np.nonzero((ours["mask"] == 0) & (ours["normals"][..., 0] < -0.9))
    top, left = rows.min(), columns.min()
    height, width = rows.max() - top, columns.max() - left
    quarter = [
        ours["rgb"][top + height * v // 4, left + width * u // 4].astype(int) for v in (1, 3) for u in (1, 3)
    ]
    assert quarter[0].argmax() == 0 and quarter[1].argmax() == 1 and quarter[2].argmax() == 2
    assert quarter[3].min() > 120 and np.ptp(quarter[3]) < 30
    red = ours["rgb"][ours["mask"] == 1].astype(int)
    assert (red[:, 0] > red[:, 1] + 40).mean() > 0.95
    drawn.update("sign0", tint=(0.1, 0.7, 0.2))
    tinted = drawn.render(*view, ("rgb",))["rgb"][ours["mask"] == 0].astype(int)
    assert (tinted.argmax(-1) == 1).mean() > 0.95
    drawn.update("sign0", tint=None, material="red")
    red = drawn.render(*view, ("rgb",))["rgb"][ours["mask"] == 0].astype(int)
    assert (red[:, 0] > red[:, 1] + 40).mean() > 0.95
    drawn.update("sign0", material=None)
    assert np.array_equal(drawn.render(*view, ("rgb",))["rgb"], ours["rgb"])


def test_odd_models_are_where_and_what_the_moderngl_renderer_draws(browser: Browser) -> None:
    meshes = {"odd": odd_model().mesh_data(), "chair": chair_model().mesh_data()}
    drawn, native = page_renderer(browser, meshes=meshes), renderer(meshes=meshes)
    for target in (drawn, native):
        put(target, "floor", 0, box((8.0, 8.0, 0.1), "floor"), position=(0.0, 0.0, -0.05))
        for number, (mesh, size, y) in enumerate(
            [("odd", (0.9, 1.5, 1.3), -0.9), ("chair", (0.5, 0.5, 0.9), 0.9)]
        ):
            shape = Primitive("mesh", size, (0.0, 0.0, size[2] / 2), material="", mesh=mesh)
            put(target, mesh, number + 1, shape, position=(0.0, y, 0.0), rotation_deg=(0.0, 0.0, 150.0))
    for yaw, eye in ((0.0, (-2.2, 0.0, 1.2)), (180.0, (2.2, 0.0, 1.2))):
        view = (eye, yaw, -15.0, SIZE)
        ours, theirs = (target.render(*view, ALL) for target in (drawn, native))
        same = ours["mask"] == theirs["mask"]
        assert set(np.unique(ours["mask"])) == {-1, 0, 1, 2} and same.mean() > 0.998
        solid = same & (ours["mask"] > 0)
        assert np.quantile(np.abs(ours["depth"][solid] - theirs["depth"][solid]), 0.995) < 1e-3
        assert np.quantile((ours["normals"] * theirs["normals"]).sum(-1)[solid], 0.005) > 0.999
        # Vertex colours run over a face here and are one mean there.
        difference = np.abs(ours["rgb"].astype(int) - theirs["rgb"]).max(-1)
        assert difference[ours["mask"] == 2].mean() < 3.0 and np.median(difference[ours["mask"] == 1]) < 12.0
    native.close()
    glow = drawn.render(*view, ("rgb",))["rgb"].astype(int)
    drawn.update("odd", glow=False)
    off = drawn.render(*view, ("rgb",))["rgb"].astype(int)
    assert ((glow - off).max(-1) > 40).sum() > 200
