"""The kitchen garden, 0.3 m higher behind its dry stone walls: vegetables, shed, beehives, firewood."""

from __future__ import annotations

from embodied_eval.worlds.bundled.cottage.grounds import CEILING_M, KITCHEN_X, KITCHEN_Y, RAISED_M
from embodied_eval.worlds.bundled.subway.builder import LevelBuilder
from embodied_eval.worlds.model import Bounds

DESCRIPTION = (
    "The kitchen garden beside a country cottage of today, raised behind low stone walls; steps and a wooden ramp "
    "lead up to it. There are beds of cabbages, lettuce, carrots and tomatoes, bean poles and a scarecrow, a shed, "
    "beehives along the hedge, a woodpile with a chopping block, a compost bin and a wheelbarrow. The shed's door and "
    "the pinwheel can be operated; the watering can can be pushed."
)


def furnish_kitchen_garden(b: LevelBuilder) -> None:
    """Furnish x 0.7..7.5, y 8.7..18.4."""
    low, high = (0.0, KITCHEN_Y, 0.0), (KITCHEN_X, 19.0, 3.0)
    b.add_region("kitchen_garden", "Kitchen garden", Bounds(low, high), DESCRIPTION)
    b.level(RAISED_M, CEILING_M)
    _beds(b)
    _around_the_shed(b)
    b.add_spawn("kitchen_garden", 5.05, 10.6, 80.0)
    b.add_spawn("kitchen_garden_2", 6.4, 9.25, 150.0)
    b.add_spawn("kitchen_garden_3", 5.0, 16.4, -100.0)
    for name, x, y in (
        ("by_shed", 4.5, 16.7),
        ("by_beehives", 5.6, 16.6),
        ("by_woodpile", 2.3, 9.95),
        ("by_beans", 6.85, 14.0),
    ):
        b.add_point(name, x, y)


def _beds(b: LevelBuilder) -> None:
    b.put("vegetable_bed", 2.35, 11.05, 90.0, crop="cabbage")
    b.put("vegetable_bed", 2.35, 12.75, 90.0, crop="carrot")
    b.put("vegetable_bed", 2.35, 14.5, 90.0, crop="tomato")
    b.put("vegetable_bed", 5.85, 11.75, 0.0, crop="lettuce", length_m=1.8)
    b.put("bean_poles", 5.85, 14.05)
    b.put("scarecrow", 2.9, 13.62, -35.0)
    b.put("garden_spade", 3.6, 10.2, 20.0)
    b.put("wheelbarrow", 5.9, 10.15, 12.0)
    b.put("watering_can", 5.05, 12.85, 210.0)
    b.put("pumpkin", 6.95, 11.5, 10.0, size_m=0.4)
    b.put("pumpkin", 6.9, 12.1, 50.0, size_m=0.3)
    b.put("pinwheel", 5.35, 15.55, -60.0)
    b.put("woodpile", 1.75, 9.2, 90.0)
    b.put("chopping_block", 3.15, 9.45, 200.0)
    b.put("compost_bin", 6.75, 15.75)


def _around_the_shed(b: LevelBuilder) -> None:
    b.put("garden_shed", 2.0, 16.75)
    b.put("barrel", 3.55, 17.95)
    for k, mat in enumerate(("hive_yellow", "hive_blue", "hive_green")):
        b.put("beehive", 4.75 + 0.95 * k, 17.75, -90.0, color=mat)
