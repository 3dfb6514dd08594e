"""`house`: a narrow town house on four levels that lie beside each other, joined by stairs.

```
 y=12.2 +------------------------+
        |  study     +0.51 m     |
 y=8.4  +- door -----------------+--+-------------------+
        | landing | stairs up >  |g |                   |
        |  steps  |              |a |  children's room  |
        |    hall     0 m        |l |     +2.38 m       |
        | (two storeys high)     |l +- door             |
 y=3.7  +--------------- door ---+--+-------------------+
        |  utility room -0.68 m  |
 y=0    +------------------------+
       x=0                     x=5.4  x=6.9          x=11.4
```
Gallery and children's room are one sub-scene, `upstairs`. No walkable floor lies above another.
"""

from __future__ import annotations

from dataclasses import replace

from embodied_eval.worlds.bundled.house.hall import furnish_hall
from embodied_eval.worlds.bundled.house.materials import MATERIALS
from embodied_eval.worlds.bundled.house.shell import ATTIC_X, GABLE_M, GARDEN_M, NORTH_Y, build_shell
from embodied_eval.worlds.bundled.house.study import furnish_study
from embodied_eval.worlds.bundled.house.upstairs import furnish_upstairs
from embodied_eval.worlds.bundled.house.utility import furnish_utility
from embodied_eval.worlds.bundled.subway.builder import LevelBuilder
from embodied_eval.worlds.model import Bounds, Sky, Sun, World

DESCRIPTION = (
    "A narrow town house of today in daylight, on several levels: a hall two storeys high, a study half a storey "
    "up, a gallery and a children's room under the roof, and a utility room below. Stairs lead from one to the "
    "other. The front door is locked. Inner doors, lamps, machines, drawers and lids can be operated. Mirrors show "
    "no reflections here, and windows have no glass."
)


def build_house() -> World:
    """The world `house`, the same on every call."""
    builder = LevelBuilder("house", 1, DESCRIPTION)
    furnish_hall(builder)
    furnish_study(builder)
    furnish_upstairs(builder)
    furnish_utility(builder)
    build_shell(builder)
    world = builder.build(
        Bounds((-0.2, -0.2, GARDEN_M), (ATTIC_X + 0.2, NORTH_Y + 0.2, GABLE_M)),
        sun=Sun(direction=(0.40, -0.30, -0.87), color=(1.0, 0.96, 0.88), intensity=0.9, softness_m=0.06),
        sky=Sky(ambient=0.5),
    )
    return replace(world, materials={**world.materials, **MATERIALS})
