"""A view that nothing has changed is not drawn again; whatever changes it is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from embodied_eval.drivers.base import Command, Driver, LightPatch, ObjectPatch
from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.worlds.model import Light
from tests.testing_world import box, plane_world

SIZE = (96, 54)
WORLD = plane_world(
    box("floor", (0.0, 0.0, -0.1), (20.0, 20.0, 0.1)),
    box("crate", (3.0, 0.0, 0.0)),
    lights=(Light("lamp", (2.0, 0.0, 2.5)),),
)


@pytest.fixture
def driver() -> Iterator[MujocoDriver]:
    made = MujocoDriver()
    made.load(WORLD)
    yield made
    made.close()


def drawn(driver: MujocoDriver) -> list[str]:
    """What the renderer is asked for from now on."""
    renderer, asked = driver._synced_view().renderer, list[str]()

    def counted(name: str) -> Callable[..., Any]:
        method = getattr(renderer, name)

        def call(*parts: Any, **named: Any) -> Any:
            asked.append(name)
            return method(*parts, **named)

        return call

    for name in ("render", "shown"):
        setattr(renderer, name, counted(name))
    return asked


def look(driver: Driver, ref: str) -> tuple[Any, Any]:
    return driver.capture(("rgb",), SIZE).rgb, driver.visibility(ref, ["crate"], {}, SIZE)


@pytest.mark.gl
def test_a_still_view_is_drawn_once_and_handed_out_as_copies(driver: MujocoDriver) -> None:
    asked = drawn(driver)
    first, (row,) = look(driver, "a")
    count = len(asked)
    assert first is not None
    kept = first.copy()
    first[:] = 0
    driver.step(Command())
    again, (same,) = look(driver, "b")
    assert len(asked) == count
    assert (again == kept).all() and same == replace(row, ref="b")


CHANGES: dict[str, Callable[[Driver], Any]] = {
    "the agent turns": lambda driver: driver.turn(5.0),
    "it walks": lambda driver: driver.move(0.2),
    "an object moves": lambda driver: driver.set_object("crate", ObjectPatch(position=(3.0, 0.4, 0.0))),
    "an object is tinted": lambda driver: driver.set_object("crate", ObjectPatch(color=(1.0, 0.0, 0.0))),
    "a lamp goes out": lambda driver: driver.set_light("lamp", LightPatch(on=False)),
    "an object comes": lambda driver: driver.spawn(box("extra", (2.0, 0.5, 0.0), (0.3, 0.3, 1.4))),
    "the world is loaded again": lambda driver: driver.load(WORLD),
}


@pytest.mark.gl
@pytest.mark.parametrize("change", CHANGES)
def test_what_changed_is_drawn_anew(driver: MujocoDriver, change: str) -> None:
    before, _ = look(driver, "a")
    asked = drawn(driver)
    CHANGES[change](driver)
    after, _ = look(driver, "b")
    assert "render" in asked
    assert change == "the world is loaded again" or (after != before).any()


@pytest.mark.gl
def test_another_size_other_names_and_another_twin_are_asked_for(driver: MujocoDriver) -> None:
    look(driver, "a")
    asked = drawn(driver)
    driver.capture(("rgb",), (64, 36))
    driver.capture(("rgb", "mask"), (64, 36))
    assert asked == ["render", "render"]
    there = driver.object("crate")
    for names, twin in ((["floor"], {}), (["floor"], {"crate": there})):
        before = len(asked)
        driver.visibility("x", names, twin, SIZE)
        assert len(asked) > before
