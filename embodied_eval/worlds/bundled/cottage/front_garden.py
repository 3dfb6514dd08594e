"""The front garden: gate, path, well, apple tree, flower beds, and the terrace before the cottage."""

from __future__ import annotations

from embodied_eval.worlds.bundled.cottage.grounds import CEILING_M, GATE_X, TERRACE_M
from embodied_eval.worlds.bundled.subway.builder import LevelBuilder
from embodied_eval.worlds.model import Bounds

DESCRIPTION = (
    "The front garden of a country cottage of today, in the afternoon sun. From the gate a gravel path leads under a "
    "rose arch to the stone terrace before the cottage, where a table stands under a parasol. Beside it are flower "
    "beds, an apple tree with a ladder, a well, a bird bath, a bench and some hens. The gate, the letter box, the "
    "lantern and the well's windlass can be operated; the ball, the watering can and the flower pots on the terrace "
    "can be pushed. Paths lead to the kitchen garden in the west and to the pond in the east."
)


def furnish_front_garden(b: LevelBuilder) -> None:
    """Furnish x 0..17, y 0..8.6 and the terrace."""
    b.add_region("front_garden", "Front garden", Bounds((0.0, -3.0, 0.0), (17.4, 12.6, 3.0)), DESCRIPTION)
    b.level(0.0, CEILING_M)
    _by_the_gate(b)
    _west_lawn(b)
    _east_lawn(b)
    b.add_spawn("front_garden", 12.3, 6.5, -100.0)
    b.add_spawn("front_garden_2", 6.4, 4.3, 20.0)
    b.add_spawn("front_garden_3", 15.6, 8.6, 215.0)
    for name, x, y in (
        ("by_gate", GATE_X, 1.9),
        ("in_lane", 14.0, -2.0),
        ("by_well", 14.7, 4.6),
        ("by_apple_tree", 5.0, 2.6),
        ("by_bench", 7.7, 2.3),
        ("by_bird_bath", 8.4, 5.4),
        ("foot_of_steps", 4.4, 7.4),
    ):
        b.add_point(name, x, y)
    _terrace(b)


def _by_the_gate(b: LevelBuilder) -> None:
    b.put("rose_arch", GATE_X, 1.0, 90.0)
    b.put("letter_box", GATE_X + 1.35, 0.5, -90.0)
    b.put("lantern_post", 12.35, 3.6)
    b.put("flower_bed", 8.9, 0.62, 90.0, length_m=2.4, width_m=0.75)
    cool = ("petal_violet", "petal_pink", "petal_white")
    b.put("flower_bed", 15.6, 0.62, 90.0, length_m=2.4, width_m=0.75, petals=cool)
    b.put("shrub", 4.9, 0.95, 40.0, size_m=1.05, bloom="petal_pink")
    b.put("shrub", 17.7, 0.97, 10.0, size_m=1.05, bloom="petal_white")
    b.put("sunflower", 6.15, 0.6, 70.0)
    b.put("sunflower", 6.65, 0.55, 95.0, height_m=1.85)


def _west_lawn(b: LevelBuilder) -> None:
    tree = b.put("apple_tree", 3.9, 4.6)
    b.put("step_ladder", 5.15, 4.9, -15.0, joined=(tree,))
    b.put("fruit_crate", 4.8, 3.6, 25.0)
    b.put("garden_bench", 7.7, 1.35, 90.0)
    b.put("bird_bath", 8.3, 4.3)
    b.put("lavender", 7.6, 3.9)
    b.put("lavender", 8.95, 4.75)
    b.put("bird_house", 1.6, 2.2, 20.0)
    b.put("shrub", 1.6, 6.9, 0.0, size_m=1.3)
    b.put("hen", 6.3, 5.6, 200.0)
    b.put("hen", 5.3, 6.2, 320.0, feathers="feather_white")
    b.put("toy_ball", 9.1, 2.7)
    b.put("flower_bed", 9.95, 3.6, 4.0, length_m=2.1, width_m=0.7)


def _east_lawn(b: LevelBuilder) -> None:
    b.put("well", 14.7, 6.2)
    b.put("garden_gnome", 12.7, 5.3, 200.0)
    blue = ("petal_blue", "petal_white", "petal_yellow")
    b.put("flower_bed", 12.9, 8.1, 6.0, length_m=2.1, width_m=0.7, petals=blue)
    b.put("shrub", 16.4, 3.9, 0.0, size_m=1.15, bloom="petal_red")
    b.put("cat", 13.6, 3.3, 200.0)
    b.put("watering_can", 13.7, 9.2, 130.0)
    b.put("birch", 16.7, 6.9)


def _terrace(b: LevelBuilder) -> None:
    b.level(TERRACE_M, CEILING_M)
    table = b.put("garden_table", 14.6, 11.35)
    b.on(table, "vase", 0.0, 0.1)
    b.on(table, "mug", -0.3, -0.12, 200.0)
    b.put("garden_chair", 14.55, 10.72, 90.0)
    b.put("garden_chair", 13.85, 11.5, -10.0)
    b.put("parasol", 15.55, 11.1)
    b.put("flower_pot", 10.7, 12.3, dynamic=True)
    b.put("flower_pot", 13.3, 12.3, 20.0, dynamic=True)
    b.put("flower_pot", 9.0, 10.75, petals="petal_pink", dynamic=True)
    b.put("flower_pot", 9.55, 10.65, 50.0, petals="petal_white", dynamic=True)
    b.put("rose_trellis", 12.56, 12.41, -90.0)
    b.add_point("on_terrace", 12.2, 11.3)
