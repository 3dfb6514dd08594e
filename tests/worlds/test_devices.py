"""The state machine of things that can be operated."""

from __future__ import annotations

import pytest

from embodied_eval.errors import DataFileError, UnknownName
from embodied_eval.worlds.devices import Device, lights_on
from embodied_eval.worlds.model import Interaction

HINGE = Interaction("hinge", "leaf", travel=-90.0, seconds=1.0, states=("closed", "open"), initial="closed")
TOGGLE = Interaction("toggle", states=("off", "on"), initial="off", lights=("a", "b"))
SPIN = Interaction("spin", "blades", travel=100.0, states=("off", "on"), initial="off")


def test_a_hinge_takes_its_time_and_stops_exactly_at_its_travel() -> None:
    device = Device("door", HINGE)
    device.operate()
    assert device.state == "open" and device.on and device.amount == 0.0
    for _ in range(99):
        assert device.advance(0.01)
    assert device.amount == pytest.approx(-89.1)
    assert device.advance(0.01)
    assert device.amount == -90.0
    assert not device.moving and not device.advance(0.01)


def test_a_hinge_turns_back_when_operated_under_way() -> None:
    device = Device("door", HINGE)
    device.operate()
    device.advance(0.3)
    device.operate()
    assert device.state == "closed"
    device.advance(0.1)
    assert device.amount == pytest.approx(-18.0)


def test_a_hinge_waits_while_it_does_not_fit_and_then_goes_on() -> None:
    device = Device("door", HINGE)
    device.operate()
    assert device.advance(0.1, lambda amount: amount > -20.0)
    assert not device.advance(0.3, lambda amount: amount > -20.0)
    assert device.amount == pytest.approx(-9.0) and device.moving
    assert device.advance(0.3)
    assert device.amount == pytest.approx(-36.0)


def test_put_is_at_once_and_refuses_unknown_states() -> None:
    device = Device("door", HINGE)
    device.put("open")
    assert device.amount == -90.0 and not device.moving
    device.put("closed")
    assert device.amount == 0.0
    with pytest.raises(UnknownName, match="ajar"):
        device.put("ajar")


def test_initial_state_counts_from_the_start() -> None:
    opened = Interaction("hinge", "leaf", travel=70.0, states=("closed", "open"), initial="open")
    assert Device("door", opened).amount == 70.0
    with pytest.raises(DataFileError, match="ajar"):
        Device("door", Interaction("hinge", states=("closed", "open"), initial="ajar"))


def test_a_spin_turns_while_on_and_keeps_its_angle_when_off() -> None:
    device = Device("fan", SPIN)
    assert not device.advance(1.0)
    device.operate()
    for _ in range(4):
        device.advance(1.0)
    assert device.amount == pytest.approx(40.0)
    device.operate()
    assert not device.moving and device.amount == pytest.approx(40.0)


def test_lights_follow_any_device_that_has_them_on() -> None:
    first, second = Device("lamp", TOGGLE), Device("switch", TOGGLE)
    assert lights_on([first, second]) == {"a": False, "b": False}
    second.operate()
    assert lights_on([first, second]) == {"a": True, "b": True}
