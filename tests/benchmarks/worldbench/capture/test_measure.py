"""Measurements on pixels, against values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.worldbench.capture import measure


def plain(color: tuple[int, int, int], size: tuple[int, int] = (100, 60)) -> measure.Image:
    return np.full((size[1], size[0], 3), color, dtype=np.uint8)


def test_luma_of_plain_colours() -> None:
    assert measure.luma_all(plain((255, 255, 255))) == pytest.approx(255.0, abs=1e-3)
    assert measure.luma_all(plain((100, 0, 0))) == pytest.approx(29.9, abs=1e-3)
    assert measure.luma_lit(plain((5, 5, 5))) == 0.0


def test_lit_luma_leaves_the_void_out_and_plain_luma_does_not() -> None:
    image = plain((0, 0, 0), (320, 250))
    image[:, 192:] = 100
    assert measure.luma_all(image) == pytest.approx(50.0, abs=0.5)
    assert measure.luma_lit(image) == pytest.approx(100.0, abs=1.0)


def test_the_legend_is_left_out_of_everything_but_the_changed_share() -> None:
    a, b = plain((10, 20, 30)), plain((10, 20, 30))
    b[:, :20] = 255
    assert measure.luma_all(a) == measure.luma_all(b)
    assert measure.chroma(a) == measure.chroma(b)
    assert measure.diff(a, b) == 0.0
    assert measure.share(measure.changed([a, b])) == pytest.approx(0.2)


def test_chroma_and_shift() -> None:
    assert measure.chroma(plain((100, 50, 50))) == pytest.approx((0.5, 0.25))
    assert measure.shift((0.5, 0.25), (0.47, 0.30)) == pytest.approx(0.05)
    assert measure.chroma(plain((9, 9, 9))) == pytest.approx((1 / 3, 1 / 3), abs=1e-6)


def test_changed_needs_more_than_24_grey_between_neighbours() -> None:
    steps = [plain((grey, grey, grey)) for grey in (100, 124, 148)]
    assert measure.share(measure.changed(steps)) == 0.0
    assert measure.share(measure.changed([plain((100,) * 3), plain((125,) * 3)])) == 1.0
    # What comes and goes between the first and the last frame counts too.
    assert measure.share(measure.changed([steps[0], plain((200,) * 3), steps[0]])) == 1.0


def test_filled_is_what_differs_from_the_rim() -> None:
    image = plain((0, 0, 0), (100, 100))
    image[20:40, 20:40] = (90, 20, 20)
    assert measure.filled(image) == pytest.approx(0.04)
    assert measure.filled(plain((7, 7, 7))) == 0.0


def test_overlay_paints_the_changed_pixels_red() -> None:
    mask = np.zeros((60, 100), dtype=bool)
    mask[5, 5] = True
    made = measure.overlay(plain((100, 100, 100)), mask)
    assert tuple(made[5, 5]) == (255, 40, 40)
    assert tuple(made[0, 0]) == (35, 35, 35)


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 50), st.integers(1, 50), st.integers(0, 9))
def test_resizing_keeps_the_mean(width: int, height: int, new_w: int, new_h: int, seed: int) -> None:
    image = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    small = measure.resized(image, (new_w, new_h))
    assert small.shape == (new_h, new_w, 3)
    assert small.mean() == pytest.approx(float(image.mean()), abs=1e-6)
    assert small.min() >= image.min() - 1e-6
    assert small.max() <= image.max() + 1e-6
