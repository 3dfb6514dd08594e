"""What changes a picture and what does not: shadows, lights, tints, overrides, errors, equal bytes."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest

from embodied_eval.drivers.render import Entity, Renderer
from embodied_eval.errors import CapabilityMissing, ConfigError, DataFileError, MissingPart, UnknownName
from embodied_eval.worlds.model import TEXTURES, Light, Material, Primitive, Sky, Sun
from tests.drivers.render.kit import MATERIALS, SIZE, ball, box, put, renderer

pytestmark = pytest.mark.gl
EYE, YAW, PITCH = (-3.0, 0.0, 2.0), 0.0, -30.0
ALL = ("rgb", "depth", "normals", "mask")


def scene(**fields: object) -> Renderer:
    """A floor (0), a floating box (1) that shades it and a ball (2) behind the box."""
    drawn = renderer([Light("lamp", (0.0, 1.5, 1.0), intensity=2.0, on=False)], **fields)
    put(drawn, "floor", 0, box((8.0, 8.0, 0.1), "floor"), position=(0.0, 0.0, -0.05), casts_shadow=False)
    put(drawn, "box", 1, box((0.6, 0.6, 0.2), "red", bevel_m=0.03), position=(0.0, 0.0, 0.9))
    put(drawn, "ball", 2, ball(0.4, "red"), position=(1.2, 0.1, 0.2))
    return drawn


@pytest.fixture
def drawn() -> Iterator[Renderer]:
    made = scene()
    yield made
    made.close()


def test_only_what_is_asked_for_in_the_right_types(drawn: Renderer) -> None:
    frame = drawn.render(EYE, YAW, PITCH, SIZE, ALL)
    height, width = SIZE[1], SIZE[0]
    assert {name: (array.dtype.name, array.shape) for name, array in frame.items()} == {
        "rgb": ("uint8", (height, width, 3)),
        "depth": ("float32", (height, width)),
        "normals": ("float32", (height, width, 3)),
        "mask": ("int32", (height, width)),
    }
    assert set(drawn.render(EYE, YAW, PITCH, SIZE, ("mask",))) == {"mask"}
    for name in ALL:
        assert np.array_equal(drawn.render(EYE, YAW, PITCH, SIZE, (name,))[name], frame[name])
    with pytest.raises(CapabilityMissing, match="flow"):
        drawn.render(EYE, YAW, PITCH, SIZE, ("flow",))


def test_modalities_change_at_the_same_pixels(drawn: Renderer) -> None:
    frame = drawn.render(EYE, YAW, PITCH, SIZE, ALL)
    mask = frame["mask"]
    assert set(np.unique(mask)) == {-1, 0, 1, 2}
    assert np.array_equal(mask == -1, np.isinf(frame["depth"]))
    assert np.array_equal(mask == -1, ~frame["normals"].any(axis=-1))
    assert np.abs(np.linalg.norm(frame["normals"][mask >= 0], axis=-1) - 1).max() < 1e-3
    assert np.allclose(frame["normals"][mask == 0], (0, 0, 1), atol=1e-4)
    red = frame["rgb"][..., 0].astype(int) - frame["rgb"][..., 1]
    inside = mask >= 1
    assert np.median(red[inside]) > 60
    assert np.median(np.abs(red[~inside])) < 30
    assert np.array_equal(drawn.ids(EYE, YAW, PITCH, SIZE), mask)


def test_the_shadow_falls_where_the_sun_says_and_is_cached(drawn: Renderer) -> None:
    first = drawn.render(EYE, YAW, PITCH, SIZE, ("rgb", "mask"))
    assert drawn.shadow_redraws == 1
    drawn.render((-2.0, 0.5, 1.5), 20.0, -10.0, SIZE, ("rgb",))
    drawn.update("floor", position=(0.0, 0.0, -0.05))
    drawn.update("box", tint=(0.1, 0.2, 0.9))
    drawn.set_light("lamp", on=True)
    drawn.set_light("lamp", on=False)
    drawn.render(EYE, YAW, PITCH, SIZE, ("rgb",))
    drawn.render(EYE, YAW, PITCH, SIZE, ("depth", "mask", "normals"))
    assert drawn.shadow_redraws == 1

    drawn.update("box", tint=None, casts_shadow=False)
    second = drawn.render(EYE, YAW, PITCH, SIZE, ("rgb", "mask"))
    assert drawn.shadow_redraws == 2
    assert np.array_equal(first["mask"], second["mask"])
    darker = second["rgb"].astype(int).sum(-1) - first["rgb"].astype(int).sum(-1) > 60
    assert darker.sum() > 150
    assert (first["mask"][darker] == 0).mean() > 0.95
    # The sun goes along (0.35, 0.25, -0.9): from 0.9 m up the shadow lies 0.35 m ahead, 0.25 m to the left.
    rows, columns = np.nonzero(darker)
    forward = np.array([np.cos(np.radians(PITCH)), 0.0, np.sin(np.radians(PITCH))])
    up = np.array([-forward[2], 0.0, forward[0]])
    offset = np.array([0.35, 0.25, 0.0]) - EYE
    depth = offset @ forward
    column = SIZE[0] / 2 * (1 - offset[1] / depth)
    row = SIZE[1] / 2 - SIZE[0] / 2 * (offset @ up) / depth
    assert abs(columns.mean() - column) < 6 and abs(rows.mean() - row) < 8

    drawn.update("box", casts_shadow=True, position=(0.0, 1.0, 0.9))
    drawn.render(EYE, YAW, PITCH, SIZE, ("rgb",))
    drawn.update("box", visible=False)
    hidden = drawn.render(EYE, YAW, PITCH, SIZE, ("rgb", "mask"))
    assert drawn.shadow_redraws == 4
    assert not (hidden["mask"] == 1).any()
    drawn.update("box", visible=False, position=(0.0, 1.0, 1.0))
    drawn.render(EYE, YAW, PITCH, SIZE, ("rgb",))
    assert drawn.shadow_redraws == 4
    drawn.remove("ball")
    drawn.render(EYE, YAW, PITCH, SIZE, ("rgb",))
    assert drawn.shadow_redraws == 5


def test_no_sunlight_no_shadow_map(drawn: Renderer) -> None:
    drawn.set_light("sun", on=False)
    dark = drawn.render(EYE, YAW, PITCH, SIZE, ("rgb",))["rgb"]
    assert drawn.shadow_redraws == 0
    drawn.set_light("lamp", on=True)
    lamp = drawn.render(EYE, YAW, PITCH, SIZE, ("rgb",))["rgb"]
    drawn.set_light("lamp", on=False)
    drawn.set_light("sun", on=True)
    sun = drawn.render(EYE, YAW, PITCH, SIZE, ("rgb",))["rgb"]
    assert lamp.mean() > dark.mean() + 3
    assert sun.mean() > dark.mean() + 10
    drawn.set_light("sun", intensity=0.5, color=(1.0, 0.3, 0.3))
    red = drawn.render(EYE, YAW, PITCH, SIZE, ("rgb",))["rgb"].astype(float)
    assert red[..., 0].mean() - red[..., 2].mean() > 5
    with pytest.raises(UnknownName, match="lamp2"):
        drawn.set_light("lamp2", on=True)


def test_a_tint_replaces_the_colour_and_can_be_taken_off(drawn: Renderer) -> None:
    before = drawn.render(EYE, YAW, PITCH, SIZE, ALL)
    drawn.update("box", tint=(0.1, 0.2, 0.9))
    tinted = drawn.render(EYE, YAW, PITCH, SIZE, ALL)
    inside = before["mask"] == 1
    assert np.median(before["rgb"][inside], axis=0).argmax() == 0
    assert np.median(tinted["rgb"][inside], axis=0).argmax() == 2
    drawn.update("box", visible=True)
    assert np.array_equal(drawn.render(EYE, YAW, PITCH, SIZE, ("rgb",))["rgb"], tinted["rgb"])
    drawn.update("box", tint=None)
    assert np.array_equal(drawn.render(EYE, YAW, PITCH, SIZE, ("rgb",))["rgb"], before["rgb"])
    for name in ("depth", "mask", "normals"):
        assert np.array_equal(before[name], tinted[name])


def test_another_material_is_drawn_as_if_it_were_the_own_and_can_be_taken_off(drawn: Renderer) -> None:
    put(drawn, "tiles", 7, box((0.6, 0.5, 0.5), "floor", bevel_m=0.02), position=(0.0, 1.2, 0.25))
    own = drawn.render(EYE, YAW, PITCH, SIZE, ALL)
    drawn.remove("tiles")
    put(drawn, "tiles", 7, box((0.6, 0.5, 0.5), "red", bevel_m=0.02), position=(0.0, 1.2, 0.25))
    before = drawn.render(EYE, YAW, PITCH, SIZE, ALL)
    redraws = drawn.shadow_redraws
    drawn.update("tiles", material="floor")
    after = drawn.render(EYE, YAW, PITCH, SIZE, ALL)
    for name in ALL:
        assert np.array_equal(after[name], own[name]), name
    assert not np.array_equal(after["rgb"], before["rgb"]) and drawn.shadow_redraws == redraws
    drawn.update("tiles", tint=(0.1, 0.2, 0.9))
    tinted = drawn.render(EYE, YAW, PITCH, SIZE, ("rgb",))["rgb"][own["mask"] == 7]
    assert np.median(tinted, axis=0).argmax() == 2 and tinted.std(axis=0).max() > 10
    drawn.update("tiles", visible=True)
    drawn.update("tiles", tint=None, material=None)
    assert np.array_equal(drawn.render(EYE, YAW, PITCH, SIZE, ("rgb",))["rgb"], before["rgb"])
    with pytest.raises(UnknownName, match=r"'flor'.*Did you mean 'floor'"):
        drawn.update("tiles", material="flor")
    assert np.array_equal(drawn.render(EYE, YAW, PITCH, SIZE, ("rgb",))["rgb"], before["rgb"])


def test_a_shadow_falls_from_elsewhere(drawn: Renderer) -> None:
    def brightness() -> np.ndarray:
        return drawn.render(EYE, YAW, PITCH, SIZE, ("rgb",))["rgb"].astype(int).sum(-1)

    before = drawn.render(EYE, YAW, PITCH, SIZE, ALL)
    drawn.update("box", shadow_offset=(0.0, 1.2, 0.0))
    after = drawn.render(EYE, YAW, PITCH, SIZE, ALL)
    assert drawn.shadow_redraws == 2
    for name in ("depth", "mask", "normals"):
        assert np.array_equal(before[name], after[name])
    gain = after["rgb"].astype(int).sum(-1) - before["rgb"].astype(int).sum(-1)
    gone, come = gain > 60, gain < -60
    assert gone.sum() > 150 and come.sum() > 150
    # It went 1.2 m to the left, which is where a box that stood there would throw it.
    assert np.nonzero(come)[1].mean() < np.nonzero(gone)[1].mean() - 30
    moved = brightness()
    drawn.update("box", shadow_offset=(0.0, 0.0, 0.0), position=(0.0, 1.2, 0.9))
    stood = brightness()
    assert drawn.shadow_redraws == 3
    floor = (before["mask"] == 0) & (drawn.ids(EYE, YAW, PITCH, SIZE) == 0)
    assert np.abs(moved - stood)[floor & come].mean() < 30
    drawn.update("box", position=(0.0, 0.0, 0.9))
    assert np.array_equal(drawn.render(EYE, YAW, PITCH, SIZE, ("rgb",))["rgb"], before["rgb"])
    with pytest.raises(ConfigError, match="shadow_offset"):
        drawn.update("box", shadow_offset=(0.0, 1.0))


def test_glow_lights_lamps_and_screens_only(drawn: Renderer) -> None:
    put(drawn, "shade", 5, ball(0.3, "lamp"), position=(0.0, 1.0, 0.5))
    put(drawn, "tv", 6, box((0.1, 0.8, 0.5), "screen"), position=(0.0, -1.0, 0.5), rotation_deg=(0, 0, 180))
    lit = drawn.render(EYE, YAW, PITCH, SIZE, ("rgb", "mask"))
    for key in ("shade", "tv", "box"):
        drawn.update(key, glow=False)
    off = drawn.render(EYE, YAW, PITCH, SIZE, ("rgb",))["rgb"]
    for object_id, least in ((5, 20), (6, 40)):
        inside = lit["mask"] == object_id
        assert lit["rgb"][inside].mean() - off[inside].mean() > least
    assert np.array_equal(lit["rgb"][lit["mask"] == -1], off[lit["mask"] == -1])
    assert np.ptp(lit["rgb"][lit["mask"] == 6].mean(-1)) > 60


def test_overrides_show_the_clean_twin_and_leave_no_trace(drawn: Renderer) -> None:
    before = drawn.ids(EYE, YAW, PITCH, SIZE)
    drawn.update("box", position=(0.5, 1.5, 0.9), visible=False)
    changed = drawn.ids(EYE, YAW, PITCH, SIZE)
    assert not (changed == 1).any()
    twin = drawn.ids(
        EYE, YAW, PITCH, SIZE, overrides={"box": ((0.0, 0.0, 0.9), np.eye(3), (1.0, 1.0, 1.0), True)}
    )
    assert np.array_equal(twin, before)
    gone = drawn.ids(
        EYE, YAW, PITCH, SIZE, overrides={"ball": ((0.0, 0.0, 0.0), np.eye(3), (1.0, 1.0, 1.0), False)}
    )
    assert not (gone == 2).any()
    assert np.array_equal(drawn.ids(EYE, YAW, PITCH, SIZE), changed)
    with pytest.raises(UnknownName, match="bax"):
        drawn.ids(EYE, YAW, PITCH, SIZE, overrides={"bax": ((0, 0, 0), np.eye(3), (1, 1, 1), True)})


def test_only_draws_the_footprint_through_what_hides_it(drawn: Renderer) -> None:
    eye = (-2.5, 0.0, 1.0)
    drawn.update("ball", position=(1.2, 0.0, 0.9))
    hidden = (drawn.ids(eye, 0.0, 0.0, SIZE) == 2).sum()
    whole = drawn.ids(eye, 0.0, 0.0, SIZE, only={2})
    assert set(np.unique(whole)) == {-1, 2}
    assert (whole == 2).sum() > hidden + 50


def test_order_and_history_do_not_change_a_byte() -> None:
    plain = scene()
    wanted = plain.render(EYE, YAW, PITCH, SIZE, ALL)
    plain.close()
    other = renderer([Light("lamp", (0.0, 1.5, 1.0), intensity=2.0, on=False)])
    put(other, "ball", 2, ball(0.4, "red"), position=(0.0, 0.0, 3.0))
    put(other, "extra", 9, box((1.0, 1.0, 1.0)), position=(0.0, 0.0, 0.5))
    put(other, "box", 1, box((0.6, 0.6, 0.2), "red", bevel_m=0.03), position=(0.0, 0.0, 0.9))
    put(other, "floor", 0, box((8.0, 8.0, 0.1), "floor"), position=(0.0, 0.0, -0.05), casts_shadow=False)
    other.render((4.0, 1.0, 1.0), 170.0, 0.0, (200, 100), ALL)
    other.remove("extra")
    other.update("ball", position=(1.2, 0.1, 0.2))
    got = other.render(EYE, YAW, PITCH, SIZE, ALL)
    other.close()
    for name in ALL:
        assert np.array_equal(wanted[name], got[name]), name


def test_two_processes_and_two_renderers_in_one_give_the_same_bytes(drawn: Renderer) -> None:
    def digest(made: Renderer) -> str:
        frame = made.render(EYE, YAW, PITCH, SIZE, ALL)
        return hashlib.sha256(b"".join(frame[name].tobytes() for name in ALL)).hexdigest()

    other = scene()
    first = digest(drawn)
    assert digest(other) == first
    other.close()
    assert digest(drawn) == first
    code = (
        "import hashlib\n"
        "from tests.drivers.render.test_state import ALL, EYE, PITCH, SIZE, YAW, scene\n"
        "frame = scene().render(EYE, YAW, PITCH, SIZE, ALL)\n"
        "print(hashlib.sha256(b''.join(frame[name].tobytes() for name in ALL)).hexdigest())\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == first


def test_far_from_the_origin_nothing_trembles() -> None:
    near, far = scene(), scene()
    away = np.array([4096.0, -2048.0, 512.0])
    for key, place in (("floor", (0, 0, -0.05)), ("box", (0, 0, 0.9)), ("ball", (1.2, 0.1, 0.2))):
        far.update(key, position=away + place)
    here = near.render(EYE, YAW, PITCH, SIZE, ALL)
    there = far.render(tuple(away + EYE), YAW, PITCH, SIZE, ALL)
    near.close()
    far.close()
    assert (here["mask"] == there["mask"]).mean() > 0.9999
    solid = (here["mask"] == there["mask"]) & (here["mask"] >= 0)
    assert np.abs(here["depth"][solid] - there["depth"][solid]).max() < 1e-3
    assert np.abs(here["rgb"].astype(int) - there["rgb"]).mean() < 0.5


def test_every_texture_has_a_pattern_of_its_own() -> None:
    materials = {
        name: Material(name, (0.8, 0.5, 0.3), (0.2, 0.3, 0.5), 0.5, emission=0.5 * (name == "screen"))  # type: ignore[arg-type]
        for name in TEXTURES
    }
    drawn = Renderer(materials, Sky(), Sun(), [], fov_deg=60.0, shadow_size=256)
    seen = []
    for name in TEXTURES:
        drawn.add(Entity(name, 1, (Primitive("box", (1.0, 1.0, 1.0), material=name),)))
        drawn.update(name, position=(1.6, 0.0, 0.0), rotation=np.diag([-1.0, -1.0, 1.0]))
        picture = drawn.render((0.0, 0.0, 0.0), 0.0, 0.0, (160, 120), ("rgb",))["rgb"][30:90, 50:110]
        seen.append(picture.astype(int))
        drawn.remove(name)
    drawn.close()
    assert np.ptp(seen[0], axis=(0, 1)).max() <= 8
    for index, picture in enumerate(seen[1:], 1):
        assert picture.std() > 0.5, TEXTURES[index]
        assert all(np.abs(picture - other).mean() > 1.0 for other in seen[:index])


def test_bad_input_is_named(drawn: Renderer) -> None:
    with pytest.raises(UnknownName, match=r"'rad'.*Did you mean 'red'"):
        drawn.add(Entity("x", 3, (box((1, 1, 1), "rad"),)))
    with pytest.raises(ConfigError, match="already"):
        drawn.add(Entity("box", 3, ()))
    with pytest.raises(UnknownName):
        drawn.update("nothing", visible=True)
    with pytest.raises(UnknownName):
        drawn.remove("nothing")
    with pytest.raises(ConfigError, match="position"):
        drawn.update("box", position=(0.0, float("nan"), 0.0))
    with pytest.raises(ConfigError, match="pixels"):
        drawn.render(EYE, YAW, PITCH, (0, 10), ("rgb",))
    with pytest.raises(DataFileError, match="velvet"):
        Renderer({"m": Material("velvet")}, Sky(), Sun(), [], fov_deg=90.0)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="field of view"):
        Renderer(MATERIALS, Sky(), Sun(), [], fov_deg=180.0)


def test_an_entity_without_primitives_and_an_empty_world_are_fine() -> None:
    drawn = renderer()
    drawn.add(Entity("nothing", 3, ()))
    drawn.update("nothing", position=(1.0, 0.0, 0.0))
    frame = drawn.render(EYE, YAW, PITCH, SIZE, ALL)
    drawn.close()
    drawn.close()
    assert (frame["mask"] == -1).all() and np.isinf(frame["depth"]).all()
    with pytest.raises(CapabilityMissing, match="closed"):
        drawn.render(EYE, YAW, PITCH, SIZE, ALL)


def test_without_egl_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import moderngl

    def broken(**_: object) -> None:
        raise Exception("libEGL.so not loaded")

    monkeypatch.setattr(moderngl, "create_context", broken)
    with pytest.raises(MissingPart, match="apt-get install libegl1 libgl1-mesa-dri libgles2"):
        renderer()
    monkeypatch.setitem(sys.modules, "moderngl", None)
    with pytest.raises(MissingPart, match=r"pip install 'embodied-eval\[mujoco\]'"):
        renderer()


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = "import sys, embodied_eval.drivers.render as r; print([m for m in ('numpy', 'moderngl') if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
