"""A world on stage: what cannot be asked of a page that is only shown, and when two cameras are one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.worldbench.capture.manifest import Camera
from benchmarks.worldbench.capture.stage import Meter, OverBudget, require_page, same
from embodied_eval.drivers.base import Command
from embodied_eval.drivers.page.driver import PageDriver
from embodied_eval.errors import SimulatorError
from embodied_eval.worlds.pages import page_world

HERE = Camera((100.0, 50.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), 50.0, 16 / 9)


def test_cameras_are_one_up_to_rounding() -> None:
    assert same(HERE, replace(HERE, position=(100.0, 50.001, 0.0)))
    assert not same(HERE, replace(HERE, position=(100.0, 50.1, 0.0)))
    assert not same(HERE, replace(HERE, forward=(-0.999, 0.001, 0.0)))
    assert same(None, None)
    assert not same(HERE, None)


def test_the_meter_stops_past_its_limit() -> None:
    Meter(0.0).check()
    with pytest.raises(OverBudget):
        Meter(-1.0).check()


def test_only_a_page_driver_will_do() -> None:
    require_page(PageDriver())
    with pytest.raises(SimulatorError, match="page driver"):
        require_page(object())


@pytest.mark.browser
def test_nobody_walks_in_a_page_that_is_only_shown() -> None:
    driver = PageDriver()
    try:
        world = page_world(str(Path(__file__).with_name("island.html")))
        assert driver.show(world, size=(160, 90)).outcome == "ready"
        first = driver.browser
        assert driver.session.screenshot().shape == (90, 160, 3)
        with pytest.raises(SimulatorError, match="only shown"):
            driver.tick(Command())
        assert driver.show(world, size=(160, 90), again=True).outcome == "ready"
        assert driver.browser is first
    finally:
        driver.close()
    with pytest.raises(SimulatorError, match="closed"):
        driver.session  # noqa: B018
