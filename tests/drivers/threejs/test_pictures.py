"""The page's pictures: true to exact rays and to the moderngl renderer, registered, changing where they should."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from embodied_eval.drivers.browser.browser import Browser
from embodied_eval.drivers.render import Entity, Renderer
from embodied_eval.drivers.render.instances import rotation_matrix
from embodied_eval.drivers.threejs.renderer import PageRenderer
from embodied_eval.errors import CapabilityMissing, ConfigError, ProtocolError, UnknownName
from embodied_eval.worlds.model import TEXTURES, Light, Material, Primitive, Sky, Sun
from tests.drivers.render.kit import SIZE, ball, box, cast_ball, cast_box, put, rays, renderer
from tests.drivers.threejs.kit import (
    ALL,
    EYE,
    LAMP,
    PITCH,
    YAW,
    brightness,
    furnish,
    open_stage,
    page_renderer,
)

pytestmark = [pytest.mark.browser, pytest.mark.gl]
VIEW = (EYE, YAW, PITCH, SIZE)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as made:
        open_stage(made)
        yield made


@pytest.fixture
def drawn(browser: Browser) -> PageRenderer:
    made = page_renderer(browser, [LAMP])
    furnish(made)
    return made


def solids(target: Any, seed: int) -> list[tuple[str, np.ndarray, np.ndarray, np.ndarray]]:
    """24 turned boxes and balls, put into `target`: kind, position, rotation, size."""
    rng = np.random.default_rng(seed)
    found = []
    for index in range(24):
        position = np.array([*rng.uniform(-2.0, 2.0, 2), rng.uniform(0.2, 1.8)])
        turn = tuple(rng.uniform(-180, 180, 3))
        size = rng.uniform(0.15, 0.7, 3)
        kind = "box" if index % 2 else "ball"
        shape = box(tuple(size)) if kind == "box" else ball(size[0])
        put(target, f"o{index}", index, shape, position=tuple(position), rotation_deg=turn)
        found.append((kind, position, rotation_matrix(turn), size))
    return found


@pytest.mark.parametrize("view", [((-3.0, 0.4, 1.5), 5.0, -20.0), ((2.5, 2.5, 2.0), -130.0, -30.0)])
def test_depth_mask_and_normals_are_what_exact_rays_find_and_what_moderngl_draws(
    browser: Browser, view: Any
) -> None:
    eye, yaw, pitch = view
    drawn, native = page_renderer(browser), renderer()
    solids(native, 3)
    directions = rays(yaw, pitch, SIZE, 90.0)
    depth, mask = np.full(SIZE[::-1], np.inf), np.full(SIZE[::-1], -1)
    normals = np.zeros((*SIZE[::-1], 3))
    for index, (kind, position, rotation, size) in enumerate(solids(drawn, 3)):
        if kind == "box":
            there, facing = cast_box(np.array(eye), directions, position, rotation, size)
        else:
            there, facing = cast_ball(np.array(eye), directions, position, size[0] / 2)
        nearer = there < depth
        depth[nearer], mask[nearer], normals[nearer] = there[nearer], index, facing[nearer]
    frame = drawn.render(eye, yaw, pitch, SIZE, ALL)
    theirs = native.render(eye, yaw, pitch, SIZE, ALL)
    native.close()

    assert (mask >= 0).sum() > 5000
    same = (frame["mask"] == mask) & (mask >= 0)
    assert (frame["mask"] == mask).mean() > 0.995
    of_box, of_ball = same & (mask % 2 == 1), same & (mask % 2 == 0)
    assert np.quantile(np.abs(frame["depth"][of_box] - depth[of_box]), 0.99) < 1e-5
    assert np.quantile(np.abs(frame["depth"][of_ball] - depth[of_ball]), 0.95) < 0.01
    assert np.quantile((frame["normals"] * normals).sum(-1)[of_box], 0.01) > 0.9999
    assert (frame["mask"] == theirs["mask"]).mean() > 0.999
    agree = (frame["mask"] == theirs["mask"]) & (theirs["mask"] >= 0)
    assert np.quantile(np.abs(frame["depth"][agree] - theirs["depth"][agree]), 0.999) < 1e-4
    assert np.abs(frame["rgb"].astype(int) - theirs["rgb"]).mean() < 1.0


def test_only_what_is_asked_for_in_the_right_types_at_the_same_pixels(drawn: PageRenderer) -> None:
    frame = drawn.render(*VIEW, ALL)
    height, width = SIZE[1], SIZE[0]
    assert {name: (array.dtype.name, array.shape) for name, array in frame.items()} == {
        "rgb": ("uint8", (height, width, 3)),
        "depth": ("float32", (height, width)),
        "normals": ("float32", (height, width, 3)),
        "mask": ("int32", (height, width)),
    }
    for name in ALL:
        alone = drawn.render(*VIEW, (name,))
        assert set(alone) == {name} and np.array_equal(alone[name], frame[name])
    mask = frame["mask"]
    assert set(np.unique(mask)) == {-1, 0, 1, 2}
    assert np.array_equal(drawn.ids(*VIEW), mask)
    assert np.array_equal(mask == -1, np.isposinf(frame["depth"]))
    assert np.array_equal(mask == -1, ~frame["normals"].any(axis=-1))
    assert np.abs(np.linalg.norm(frame["normals"][mask >= 0], axis=-1) - 1).max() < 1e-3
    with pytest.raises(CapabilityMissing, match="flow"):
        drawn.render(*VIEW, ("flow",))


def test_light_and_patterns_look_as_in_the_moderngl_renderer(browser: Browser) -> None:
    materials = {
        name: Material(
            name,
            (0.8, 0.5, 0.3),
            (0.2, 0.3, 0.5),
            0.5,
            roughness=0.1 + 0.04 * index,
            metallic=0.4 * (index % 3),
            emission=0.5 * (name == "screen"),
        )
        for index, name in enumerate(TEXTURES)
    }
    lamps = [Light("lamp", (0.0, 0.0, 1.8), intensity=1.5, range_m=5.0), Light("far", (0.0, 80.0, 1.0))]
    sky = Sky(fog_per_m=0.05)
    drawn = PageRenderer(browser.evaluate, materials, sky, Sun(), lamps, fov_deg=90.0, shadow_size=512)
    native = Renderer(materials, sky, Sun(), lamps, fov_deg=90.0, shadow_size=512)
    for index, name in enumerate(TEXTURES):
        shape = ("box", "cylinder", "ellipsoid", "capsule", "cone")[index % 5]
        row, column = divmod(index, 6)
        for target in (drawn, native):
            put(
                target,
                name,
                index,
                Primitive(shape, (0.6, 0.6, 0.8), material=name, taper=0.3),
                position=(0.9 * row, 0.9 * column - 2.2, 0.4),
            )
    for target in (drawn, native):
        put(target, "floor", 100, box((12.0, 12.0, 0.1), "concrete"), position=(0.0, 0.0, -0.05))
    ours, theirs = (
        target.render((-2.5, 0.0, 1.7), 0.0, -15.0, SIZE, ("rgb", "mask")) for target in (drawn, native)
    )
    native.close()
    assert len(np.unique(ours["mask"])) > 20
    assert (ours["mask"] == theirs["mask"]).mean() > 0.999
    difference = np.abs(ours["rgb"].astype(int) - theirs["rgb"])
    assert difference.mean() < 1.0
    for index in range(len(TEXTURES)):
        inside = (ours["mask"] == index) & (theirs["mask"] == index)
        assert not inside.any() or difference[inside].mean() < 4.0, TEXTURES[index]


def near(where: np.ndarray) -> np.ndarray:
    """The pixels of `where` and those that outlines may be smoothed over."""
    for axis in (0, 1):
        where = np.any([np.roll(where, step, axis) for step in range(-2, 3)], axis=0)
    return where


def test_hiding_shows_what_lies_behind_and_nothing_else_changes(drawn: PageRenderer) -> None:
    before = drawn.render(*VIEW, ALL)
    drawn.update("box", visible=False)
    hidden = drawn.render(*VIEW, ALL)
    where = before["mask"] == 1
    assert where.any() and not (hidden["mask"] == 1).any()
    for name in ("mask", "depth", "normals"):
        assert np.array_equal(before[name][~where], hidden[name][~where])
    drawn.update("box", visible=True)
    again = drawn.render(*VIEW, ALL)
    assert all(np.array_equal(before[name], again[name]) for name in ALL)


def test_tint_material_and_the_missing_texture_change_the_object_alone(browser: Browser) -> None:
    materials = {
        "floor": Material("tile", (0.8, 0.8, 0.8), (0.5, 0.5, 0.5), 0.5),
        "missing": Material("checker", (1.0, 0.0, 1.0), (0.0, 0.0, 0.0), 0.25),
        "red": Material(color=(0.8, 0.1, 0.1), color2=(0.6, 0.05, 0.05)),
    }
    drawn = PageRenderer(browser.evaluate, materials, Sky(), Sun(), [], fov_deg=90.0, shadow_size=512)
    furnish(drawn)
    before = drawn.render(*VIEW, ALL)
    inside = before["mask"] == 1

    def changed() -> np.ndarray:
        after = drawn.render(*VIEW, ALL)
        for name in ("mask", "depth", "normals"):
            assert np.array_equal(before[name], after[name])
        far = np.abs(after["rgb"].astype(int) - before["rgb"]).max(-1) > 8
        assert near(inside)[far].all() and far[inside].mean() > 0.9
        return after["rgb"][inside]

    drawn.update("box", tint=(0.1, 0.2, 0.9))
    assert np.median(changed(), axis=0).argmax() == 2
    drawn.update("box", tint=None, material="missing")
    checker = changed().astype(int)
    magenta = (checker[:, 0] > checker[:, 1] + 60) & (checker[:, 2] > checker[:, 1] + 60)
    assert 0.2 < magenta.mean() < 0.8 and (checker.max(-1) < 70).mean() > 0.15
    drawn.update("box", material=None)
    assert np.array_equal(drawn.render(*VIEW, ("rgb",))["rgb"], before["rgb"])
    with pytest.raises(UnknownName, match=r"'rad'.*Did you mean 'red'"):
        drawn.update("box", material="rad")


def test_shadows_go_move_and_are_redrawn_only_when_a_caster_changed(drawn: PageRenderer) -> None:
    before = drawn.render(*VIEW, ("rgb", "mask"))
    drawn.render((-2.0, 0.5, 1.5), 20.0, -10.0, SIZE, ("rgb",))
    drawn.update("box", tint=(0.1, 0.2, 0.9))
    drawn.update("box", tint=None)
    drawn.render(*VIEW, ("depth", "mask"))
    assert drawn.shadow_redraws == 1
    drawn.update("box", casts_shadow=False)
    none = drawn.render(*VIEW, ("rgb", "mask"))
    shade = brightness(none) - brightness(before) > 60
    assert drawn.shadow_redraws == 2
    assert shade.sum() > 150 and (before["mask"][shade] == 0).mean() > 0.95
    drawn.update("box", casts_shadow=True, shadow_offset=(0.0, 1.2, 0.0))
    moved = brightness(drawn.render(*VIEW, ("rgb",))) - brightness(none) < -60
    # It went 1.2 m to the left.
    assert moved.sum() > 150 and np.nonzero(moved)[1].mean() < np.nonzero(shade)[1].mean() - 30


def test_lamps_sun_and_glow_light_what_they_should(drawn: PageRenderer) -> None:
    put(drawn, "shade", 5, ball(0.3, "lamp"), position=(0.0, -1.0, 0.5))
    sunny = drawn.render(*VIEW, ("rgb", "mask"))
    drawn.update("shade", glow=False)
    gain = brightness(sunny) - brightness(drawn.render(*VIEW, ("rgb",)))
    assert gain[sunny["mask"] == 5].mean() > 60 and (gain[sunny["mask"] != 5] > 30).mean() < 0.005
    drawn.set_light("sun", on=False)
    dark = drawn.render(*VIEW, ("rgb",))
    assert brightness(sunny)[sunny["mask"] == 0].mean() - brightness(dark)[sunny["mask"] == 0].mean() > 60
    drawn.set_light("lamp", on=True)
    gain = brightness(drawn.render(*VIEW, ("rgb",))) - brightness(dark)
    assert not gain[~near(sunny["mask"] >= 0)].any()
    rows, columns = np.nonzero(gain > 90)
    # The lamp hangs 1.5 m to the left.
    assert len(rows) > 300 and columns.mean() < SIZE[0] * 0.4
    drawn.set_light("lamp", on=False)
    drawn.set_light("sun", on=True)
    drawn.update("shade", glow=True)
    assert np.array_equal(drawn.render(*VIEW, ("rgb",))["rgb"], sunny["rgb"])
    with pytest.raises(UnknownName, match="lamp2"):
        drawn.set_light("lamp2", on=True)


def test_counting_in_the_page_is_counting_in_the_mask(drawn: PageRenderer) -> None:
    native = renderer()
    furnish(native)
    twin = {"box": ((0.4, 0.3, 0.6), rotation_matrix((10.0, 0.0, 30.0)), (1.0, 2.0, 1.0), True)}
    gone = {"box": ((0.0, 0.0, 0.9), np.eye(3), (1.0, 1.0, 1.0), False)}
    for fields in (
        {},
        {"overrides": twin},
        {"overrides": gone},
        {"only": {2}},
        {"only": {1}, "overrides": twin},
    ):
        shown = drawn.shown(*VIEW, ids=(0, 1, 2, 9), **fields)
        mask = drawn.ids(*VIEW, **fields)
        wanted = native.shown(*VIEW, ids=(0, 1, 2, 9), **fields)
        assert set(shown) == {0, 1, 2, 9} and shown[9] == (0, None)
        for number, (pixels, box_px) in shown.items():
            assert pixels == (mask == number).sum()
            assert abs(pixels - wanted[number][0]) <= 3
            if pixels:
                rows, columns = np.nonzero(mask == number)
                assert box_px == (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
    assert np.array_equal(drawn.ids(*VIEW), drawn.render(*VIEW, ("mask",))["mask"])
    native.close()
    with pytest.raises(UnknownName, match="bax"):
        drawn.shown(*VIEW, ids=(1,), overrides={"bax": twin["box"]})


def digest(drawn: PageRenderer) -> str:
    frame = drawn.render(*VIEW, ALL)
    return hashlib.sha256(b"".join(frame[name].tobytes() for name in ALL)).hexdigest()


def digest_of_a_new_browser() -> tuple[str, str]:
    """Digest and renderer string in a process of its own."""
    with Browser() as browser:
        open_stage(browser)
        made = page_renderer(browser, [LAMP])
        furnish(made)
        return digest(made), made.name


def test_two_processes_and_another_history_give_the_same_bytes(browser: Browser, drawn: PageRenderer) -> None:
    first = digest(drawn)
    code = "from tests.drivers.threejs.test_pictures import digest_of_a_new_browser; print(*digest_of_a_new_browser())"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == f"{first} {drawn.name}"
    put(drawn, "extra", 9, box((1.0, 1.0, 1.0)), position=(0.0, 0.0, 0.5))
    for size in ((200, 100), (64, 64), (320, 200), (33, 17)):
        drawn.render((4.0, 1.0, 1.0), 170.0, 0.0, size, ALL)
    drawn.remove("extra")
    assert digest(drawn) == first
    # A new renderer takes the place of the old one, and of what it held.
    again = page_renderer(browser, [LAMP])
    furnish(again)
    held = "() => window.runtime.stage.renderer.info.memory"
    assert digest(again) == first
    before = browser.evaluate(held)
    for _ in range(3):
        again = page_renderer(browser, [LAMP])
        furnish(again)
        assert digest(again) == first
    assert browser.evaluate(held) == before


def test_thousands_of_solids_are_drawn(browser: Browser) -> None:
    drawn = page_renderer(browser)
    for row in range(50):
        balls = (ball(0.08, position=(2.0, 0.1 * step - 2.45, 0.1 * row - 2.45)) for step in range(50))
        drawn.add(Entity(f"row{row}", row, tuple(balls)))
    shown = drawn.shown((0.0, 0.0, 0.0), 0.0, 0.0, (500, 500), ids=range(50))
    assert sum(pixels > 800 for pixels, _ in shown.values()) >= 38


def test_bad_input_is_named_and_a_closed_renderer_draws_nothing(
    browser: Browser, drawn: PageRenderer
) -> None:
    with pytest.raises(ConfigError, match="pixels"):
        drawn.render(EYE, YAW, PITCH, (0, 10), ("rgb",))
    with pytest.raises(ConfigError, match="already"):
        drawn.add(Entity("box", 3, ()))
    drawn.close()
    drawn.close()
    with pytest.raises(CapabilityMissing, match="closed"):
        drawn.render(*VIEW, ALL)
    empty = page_renderer(browser).render(*VIEW, ALL)
    assert (empty["mask"] == -1).all() and np.isposinf(empty["depth"]).all() and empty["rgb"].mean() > 50
    with pytest.raises(ProtocolError, match="does not compile"):
        browser.evaluate(
            "() => window.runtime.stage.passes.once('bad', 'void main() { nothing(); }', null, 0)"
        )
