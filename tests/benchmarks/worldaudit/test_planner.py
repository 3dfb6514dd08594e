"""Where the oracle stands to see something: on floors of any height, and where nothing is in the way."""

from __future__ import annotations

import math

import pytest

from benchmarks.worldaudit.scripted.planner import Planner
from embodied_eval.worlds.bundled import load_world


@pytest.fixture(scope="module")
def station() -> Planner:
    return Planner(load_world("subway"))


@pytest.mark.parametrize(
    ("name", "floor_m"), [("ticket_machine_1", 0.0), ("vending_machine_1", -2.38), ("oil_drum_2", -3.4)]
)
def test_a_viewpoint_is_at_eye_height_above_its_own_floor(
    station: Planner, name: str, floor_m: float
) -> None:
    start = {0.0: "concourse", -2.38: "platform", -3.4: "trackside"}[floor_m]
    x, y, _z = station.world.spawn(start).position
    spot = station.viewpoint((x, y), name, 2.5)
    assert station.eye(spot)[2] == pytest.approx(floor_m + station.world.eye_height_m, abs=1e-6)
    assert station.sees(station.eye(spot), station.centre(name), name)
    assert math.dist(spot, station.centre(name)[:2]) == pytest.approx(2.5, rel=0.31)
    assert station.grid.path((x, y), spot) is not None


def test_a_side_is_kept_and_what_cannot_be_seen_is_said(station: Planner) -> None:
    x, y, _z = station.world.spawn("platform").position
    spot = station.viewpoint((x, y), "person_2", 2.5, side=(-1.0, 0.0))
    centre = station.centre("person_2")
    assert abs(math.degrees(math.atan2(spot[1] - centre[1], -(spot[0] - centre[0])))) <= 30.0 + 1e-6
    with pytest.raises(ValueError, match="No floor point shows 'person_2' from 90"):
        station.viewpoint((x, y), "person_2", 90.0)
