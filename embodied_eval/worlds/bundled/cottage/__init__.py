"""`cottage`: a country cottage in its garden, on a warm afternoon; north is up.

```
 y=19 +--hedge------------------------------------------------+
      | kitchen_garden   |  +--------+------+ |               |
      | +0.30 m          |  | room   | bed  | |  swing,       |
      | shed, beds,      |  | +0.30  | room | |  washing line |
      | beehives         |  +--door--+------+ |      pond     |
 y=8.6+-- steps ------+  ramp  terrace +0.15  |               |
      |                 front_garden          | jetty  ~~~~~~ |
      |  apple tree        path       well    |  ~~ bridge ~~ |
 y=0  +--hedge--fence-----gate-----fence------+---hedge-------+
      |                    lane                               |
 y=-3 +-------------------------------------------------------+
     x=0               x=7.6         x=17                   x=26
```
"""

from __future__ import annotations

from embodied_eval.worlds.bundled.cottage.building import build_cottage_walls
from embodied_eval.worlds.bundled.cottage.front_garden import furnish_front_garden
from embodied_eval.worlds.bundled.cottage.grounds import HIGH, LOW, build_grounds
from embodied_eval.worlds.bundled.cottage.kitchen_garden import furnish_kitchen_garden
from embodied_eval.worlds.bundled.cottage.pond import furnish_pond
from embodied_eval.worlds.bundled.cottage.rooms import furnish_rooms
from embodied_eval.worlds.bundled.subway.builder import LevelBuilder
from embodied_eval.worlds.model import Bounds, Sky, Sun, World

DESCRIPTION = (
    "A country cottage of today in its garden, on a warm afternoon. A gravel path leads from the gate to a stone "
    "terrace before the cottage; steps and a ramp go up to the kitchen garden in the west, a footbridge crosses the "
    "shallow pond in the east. Doors, the gate, the letter box, the lantern, the well, the pinwheel, lamps and the "
    "radio can be operated. Windows have no glass, and animals keep still."
)


def build_cottage() -> World:
    """The world `cottage`, the same on every call."""
    builder = LevelBuilder("cottage", 1, DESCRIPTION)
    build_grounds(builder)
    build_cottage_walls(builder)
    furnish_front_garden(builder)
    furnish_kitchen_garden(builder)
    furnish_pond(builder)
    furnish_rooms(builder)
    return builder.build(
        Bounds(LOW, HIGH),
        sun=Sun(direction=(0.68, 0.43, -0.5), color=(1.0, 0.87, 0.68), intensity=1.1, softness_m=0.05),
        sky=Sky(
            zenith=(0.33, 0.55, 0.86),
            horizon=(0.93, 0.89, 0.80),
            ground=(0.40, 0.40, 0.30),
            ambient=0.40,
            fog_per_m=0.006,
            fog_color=(0.93, 0.89, 0.80),
        ),
    )
