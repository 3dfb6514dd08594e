"""Lamps light what is in their range, all of it and nothing else, however many there are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from embodied_eval.drivers.render import Renderer
from embodied_eval.drivers.render.lighting import MAX_LAMPS
from embodied_eval.worlds.model import Light, Sky, Sun
from tests.drivers.render.kit import MATERIALS, Array, ball, box, put, rays

pytestmark = pytest.mark.gl
# No multiple of a tile's side.
SIZE = (323, 181)
SMOOTHED_PX = 20
EYE = (-3.0, 0.0, 1.6)


def scene(*lights: Light) -> Renderer:
    """A floor, a post close to the eye, a ball and a wall behind: every tile at an edge spans metres."""
    drawn = Renderer(MATERIALS, Sky(), Sun(), list(lights), fov_deg=90.0, shadow_size=256)
    put(drawn, "floor", 0, box((30.0, 30.0, 0.1)), position=(0.0, 0.0, -0.05))
    put(drawn, "post", 1, box((0.05, 0.05, 2.0)), position=(-2.2, 0.2, 1.0))
    put(drawn, "ball", 2, ball(0.6), position=(0.0, -0.8, 0.3))
    put(drawn, "wall", 3, box((0.2, 8.0, 3.0)), position=(4.0, 0.0, 1.5))
    return drawn


@pytest.fixture(scope="module")
def points() -> Iterator[Array]:
    """What each pixel shows (H, W, 3), metres; far away for the sky."""
    drawn = scene()
    depth = drawn.render(EYE, 10.0, -12.0, SIZE, ("depth",))["depth"]
    drawn.close()
    yield np.array(EYE) + rays(10.0, -12.0, SIZE, 90.0) * np.where(np.isfinite(depth), depth, 1e6)[..., None]


@pytest.mark.parametrize("seed", range(8))
def test_a_lamp_lights_all_that_is_in_its_range(points: Array, seed: int) -> None:
    rng = np.random.default_rng(seed)
    place = points[int(rng.integers(60, SIZE[1])), int(rng.integers(SIZE[0]))]
    place = place + np.array([-0.1, 0.1, 0.15])
    range_m = float(rng.uniform(0.3, 3.0))
    drawn = scene(Light("lamp", (place[0], place[1], place[2]), intensity=60.0, range_m=range_m, on=False))
    dark = drawn.render(EYE, 10.0, -12.0, SIZE, ("rgb", "normals"))
    drawn.set_light("lamp", on=True)
    gain = np.abs(drawn.render(EYE, 10.0, -12.0, SIZE, ("rgb",))["rgb"].astype(int) - dark["rgb"]).max(-1)
    drawn.close()
    to = place - points
    away = np.linalg.norm(to, axis=-1)
    faces = (to * dark["normals"]).sum(-1) > 0.1 * away
    inside = (away < 0.8 * range_m) & faces
    # Outlines are smoothed by what lies along them, so that a dark pixel may gain by a bright one farther on.
    near = away <= range_m
    for axis in (0, 1):
        near = np.any([np.roll(near, step, axis) for step in range(-SMOOTHED_PX, SMOOTHED_PX + 1)], axis=0)
    outside = ~near
    assert inside.sum() > 5
    assert (gain[inside] > 0).all()
    assert (gain[outside] == 0).all()


def test_many_lamps_shine_together() -> None:
    places = [(0.5 + 0.4 * (index % 8), -1.5 + 1.0 * (index // 8), 0.3) for index in range(MAX_LAMPS)]
    lights = [
        Light(f"lamp_{index}", place, intensity=20.0, range_m=0.6, on=False)
        for index, place in enumerate(places)
    ]
    drawn = scene(*lights)
    view = ((-1.0, 0.0, 2.5), 0.0, -35.0, SIZE, ("rgb",))
    dark = drawn.render(*view)["rgb"].astype(int)
    alone = np.zeros(dark.shape[:2], bool)
    for light in lights:
        drawn.set_light(light.name, on=True)
        lit = (drawn.render(*view)["rgb"] != dark).any(-1)
        assert lit.any(), light.name
        alone |= lit
        drawn.set_light(light.name, on=False)
    assert np.array_equal(drawn.render(*view)["rgb"], dark)
    for light in lights:
        drawn.set_light(light.name, on=True)
    together = (drawn.render(*view)["rgb"] != dark).any(-1)
    drawn.close()
    assert (alone & ~together).sum() == 0
