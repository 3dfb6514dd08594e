"""Which entry of a page's legend names which biome, by words: ours, since every page has its own wording."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchmarks.worldbench.evidence import BIOMES

if TYPE_CHECKING:
    from embodied_eval.drivers.browser.accessibility import Line

# A name's main words weigh 4, others 2; words that several biomes share weigh 1.
MAIN = {
    "mountains": "mountain mountains peak peaks",
    "forest": "conifer conifers taiga pine pines boreal",
    "highlands": "highland highlands upland uplands moor moors moorland",
    "jungle": "jungle rainforest",
    "swamp": "swamp swampland marsh marshes mangrove mangroves bayou wetland wetlands bog",
    "grassland": "grassland grasslands prairie meadow meadows savanna steppe",
    "grove": "grove blossom blossoms cherry sakura orchard",
    "delta": "delta coast coastal ocean sea beach beaches shore estuary",
    "desert": "desert dunes badlands",
    "volcano": "volcano volcanic volcanoes caldera",
}
MORE = {
    "mountains": "alpine alps summit massif blizzard",
    "forest": "forest woods spruce fir snowfall",
    "highlands": "heath scrub temperate",
    "jungle": "tropical canopy",
    "swamp": "backwater stagnant",
    "grassland": "plateau plain plains",
    "grove": "flowering pink petal petals",
    "delta": "reef bay bays islets mouth turquoise",
    "desert": "sandstorm sandstorms arid sand mesa mesas",
    "volcano": "lava crater eruption eruptions ash magma",
}
SHARED = {"mountains": "snow snowy", "forest": "snow snowy", "jungle": "rain", "grove": "garden"}
WHOLE = frozenset(
    {"overview", "whole", "entire", "island", "home", "reset", "world", "orbit", "everything", "all"}
)
LEAST = 2.0
FIRST_WORDS = 3


def words_of(name: str) -> list[str]:
    """The words of a line, in lower case."""
    return re.findall(r"[a-z]+", name.lower())


def score(name: str, biome: str) -> float:
    """How well a line names a biome; the first three words count double, since mottoes follow names."""
    found = 0.0
    for weight, table in ((4.0, MAIN), (2.0, MORE), (1.0, SHARED)):
        wanted = set(table.get(biome, "").split())
        for at, word in enumerate(words_of(name)):
            if word in wanted:
                found += weight * (2.0 if at < FIRST_WORDS else 1.0)
    return found


def assigned(lines: Sequence[Line]) -> dict[str, Line]:
    """The line that names each biome best, each line for one biome only; biomes that none names are left out.
    A line for the whole island names none."""
    own = [line for line in lines if not (set(words_of(line.name)[:FIRST_WORDS]) & WHOLE)]
    ranked = sorted(
        ((score(line.name, biome), biome, line) for line in own for biome in BIOMES),
        key=lambda row: (-row[0], BIOMES.index(row[1]), own.index(row[2])),
    )
    made: dict[str, Line] = {}
    for points, biome, line in ranked:
        if points >= LEAST and biome not in made and line not in made.values():
            made[biome] = line
    return made
