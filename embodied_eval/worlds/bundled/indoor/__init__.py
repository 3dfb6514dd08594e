"""`indoor`: a present-day family house on one floor.

```
 y=10 +--------------------+----------------+
      | kitchen_dining     |   bathroom     |
      |                    +----  door -----+  y=6.6
  y=5 +---- opening -------+                |
      | living_room      door  bedroom      |
      |                    |                |
  y=0 +--------------------+----------------+
     x=0                 x=7.4             x=13
```
Bedroom and bathroom are one sub-scene, `bedroom_suite`.
"""

from __future__ import annotations

from embodied_eval.worlds.build import WorldBuilder
from embodied_eval.worlds.bundled.indoor.bedroom import furnish_bathroom, furnish_bedroom
from embodied_eval.worlds.bundled.indoor.house import build_house
from embodied_eval.worlds.bundled.indoor.kitchen import furnish_kitchen
from embodied_eval.worlds.bundled.indoor.living import furnish_living_room
from embodied_eval.worlds.model import Bounds, Sky, Sun, World

DESCRIPTION = (
    "A family house of today on one floor, in daylight: a living room, an open kitchen with a dining area, and "
    "a bedroom with its own bathroom. A wide opening joins living room and kitchen; a door leads from the living "
    "room to the bedroom. The front door is locked. Doors, the fridge, the oven, the wardrobe, some drawers, "
    "lamps and electrical appliances can be operated. Mirrors show no reflections here, and windows have no glass."
)


def build_indoor() -> World:
    """The world `indoor`, the same on every call."""
    builder = WorldBuilder("indoor", 1, DESCRIPTION)
    build_house(builder)
    furnish_living_room(builder)
    furnish_kitchen(builder)
    furnish_bedroom(builder)
    furnish_bathroom(builder)
    return builder.build(
        Bounds((0.0, 0.0, -0.2), (13.0, 10.0, 2.6)),
        sun=Sun(direction=(0.42, 0.46, -0.78), color=(1.0, 0.95, 0.86), intensity=0.9, softness_m=0.06),
        sky=Sky(ambient=0.5),
    )
