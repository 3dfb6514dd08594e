"""Finding the legend's entry of each biome by its words."""

from __future__ import annotations

from benchmarks.worldbench.capture.legend import assigned
from benchmarks.worldbench.evidence import BIOMES
from embodied_eval.drivers.browser.accessibility import Line


def lines(*names: str) -> list[Line]:
    return [Line(f"e{number}", "button", name) for number, name in enumerate(names, 1)]


def test_each_entry_goes_to_its_own_biome() -> None:
    rows = {
        "mountains": "Snowy Mountains - blizzard",
        "forest": "Snow Forest",
        "highlands": "The Highlands: mist, light rain",
        "jungle": "Rainforest",
        "swamp": "Mangrove backwater",
        "grassland": "Flower plains and rivers",
        "grove": "Cherry grove",
        "delta": "Coast & reef",
        "desert": "Dry basin (desert)",
        "volcano": "Volcanic cone, lava",
    }
    found = assigned(lines("Whole island", *rows.values()))
    assert {biome: line.name for biome, line in found.items()} == rows
    assert set(found) == set(BIOMES)


def test_an_entry_for_the_whole_island_names_no_biome() -> None:
    assert assigned(lines("Whole island with mountains", "Reset view", "Sound: on")) == {}


def test_one_entry_serves_one_biome() -> None:
    assert set(assigned(lines("Jungle", "Jungle"))) == {"jungle"}
