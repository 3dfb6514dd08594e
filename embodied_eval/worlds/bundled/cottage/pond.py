"""The pond with its footbridge and jetty, and the lawn north of it with swing and washing line."""

from __future__ import annotations

from embodied_eval.worlds.bundled.cottage.grounds import (
    BRIDGE_X,
    CEILING_M,
    POND_LENGTH_M,
    POND_WIDTH_M,
    POND_X,
    POND_Y,
)
from embodied_eval.worlds.bundled.subway.builder import LevelBuilder
from embodied_eval.worlds.library.garden_water import POND_DEPTH_M, WATER_M
from embodied_eval.worlds.model import Bounds

DESCRIPTION = (
    "The pond in the garden of a country cottage of today, and the lawn beyond it. A wooden footbridge crosses the "
    "pond, a jetty reaches into it; there are reeds, water lilies, ducks and a red rowing boat. The water is shallow "
    "enough to wade through. On the lawn stand a willow, birches and a fir, a swing, a washing line with laundry and "
    "a picnic blanket. The picnic basket and the ball can be pushed."
)
BED_Z = -POND_DEPTH_M
WATER_Z = round(BED_Z + WATER_M, 6)
JETTY_Y = POND_Y - 0.2
_IN = ("pond_1",)


def furnish_pond(b: LevelBuilder) -> None:
    """Furnish x 17..26, y 0..18.4."""
    b.add_region("pond", "Pond and lawn", Bounds((17.4, 0.0, -0.6), (26.0, 19.0, 3.0)), DESCRIPTION)
    b.level(0.0, CEILING_M)
    _in_the_water(b)
    _around(b)
    _lawn(b)
    b.add_spawn("pond", 19.0, 10.3, -60.0)
    b.add_spawn("pond_2", 20.2, 3.2, 100.0)
    b.add_spawn("pond_3", 22.2, 14.8, 200.0)
    for name, x, y in (
        ("on_bridge", BRIDGE_X, POND_Y),
        ("on_jetty", 18.6, JETTY_Y),
        ("by_swing", 20.9, 12.3),
        ("by_washing_line", 19.6, 14.9),
        ("north_of_bridge", BRIDGE_X, 9.6),
        ("by_willow", 23.4, 10.0),
    ):
        b.add_point(name, x, y)


def _in_the_water(b: LevelBuilder) -> None:
    def afloat(kind: str, x: float, y: float, yaw: float, z: float, **options: object) -> None:
        b.put(kind, x, y, yaw, z=z, supports="pond_1", joined=_IN, **options)

    b.put("footbridge", BRIDGE_X, POND_Y, 90.0, z=BED_Z, supports="fixed", length_m=POND_WIDTH_M, joined=_IN)
    west = POND_X - POND_LENGTH_M / 2
    b.put("jetty", west + 1.0, JETTY_Y, 0.0, z=BED_Z, supports="fixed", joined=_IN)
    afloat("rowing_boat", 23.25, POND_Y + 0.1, 82.0, round(WATER_Z - 0.03, 6))
    for x, y, stems in ((19.0, 8.2, 9), (20.3, 8.35, 8), (19.4, 4.15, 9), (23.95, 7.5, 7)):
        afloat("reeds", x, y, round(77.0 * x % 360.0, 3), BED_Z, stems=stems)
    afloat("water_lily", 20.1, 7.2, 0.0, WATER_Z)
    afloat("water_lily", 20.2, 4.95, 100.0, WATER_Z, petals="petal_white")
    afloat("duck", 19.1, 7.2, 30.0, round(WATER_Z - 0.05, 6))
    afloat("duck", 20.35, 5.9, 140.0, round(WATER_Z - 0.05, 6), head="fur_brown", body="fur_brown")


def _around(b: LevelBuilder) -> None:
    b.put("boulder", 17.2, 4.6, 60.0, size_m=0.6)
    b.put("boulder", 24.8, 4.7, 140.0, size_m=0.9)
    b.put("boulder", 19.8, 9.1, 250.0, size_m=0.55)
    b.put("willow", 23.75, 11.4)
    b.put("garden_bench", 17.55, 9.2, -35.0, wood="oak")
    b.put("shrub", 24.7, 2.3, 0.0, size_m=1.2, bloom="petal_violet")
    b.put("lavender", 18.5, 3.25)
    b.put("fir_tree", 23.2, 1.5, 0.0, height_m=3.2)


def _lawn(b: LevelBuilder) -> None:
    b.put("garden_swing", 19.5, 12.2)
    b.put("washing_line", 20.3, 16.5, 80.0)
    b.put("laundry_basket", 19.2, 15.7, 10.0)
    blanket = b.put("picnic_blanket", 22.5, 13.4, 15.0)
    b.on(blanket, "picnic_basket", -0.45, 0.35, 30.0)
    b.on(blanket, "plate", 0.3, 0.1)
    b.on(blanket, "bottle", -0.2, -0.15)
    b.put("toy_ball", 20.9, 14.0)
    b.put("birch", 17.8, 14.5, 100.0)
    b.put("birch", 17.9, 17.3, 200.0)
    b.put("fir_tree", 24.3, 16.9, 0.0, height_m=5.4)
