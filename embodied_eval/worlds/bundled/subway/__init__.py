"""`subway`: a present-day underground station at night time, on three levels beside each other.

```
 y=16  +--------------------------------+--------------+------------+
       |            concourse           | stairs and   | lower hall |
       |   street side   : paid side    | escalators   |  -2.38 m   |
       |        0 m      :              | down         |            |
 y=8.5 +----------------+---------------+--------------+--  way  ---+-----+
       | trackside      :                platform, -2.38 m                |
       |  -3.40 m    steps                                                |
       |  tracks, tunnel: track with a standing train, -3.40 m            |
 y=0   +----------------+-------------------------------------------------+
      x=0              x=10            x=17          x=20.9          x=26   x=30
```
No walkable floor lies above another.
"""

from __future__ import annotations

from embodied_eval.worlds.bundled.subway.builder import LevelBuilder
from embodied_eval.worlds.bundled.subway.concourse import furnish_concourse
from embodied_eval.worlds.bundled.subway.platform import furnish_platform
from embodied_eval.worlds.bundled.subway.station import HALL_CEILING_M, NORTH_Y, TRACK_M, build_station
from embodied_eval.worlds.bundled.subway.trackside import furnish_trackside
from embodied_eval.worlds.model import Bounds, Sky, Sun, World

DESCRIPTION = (
    "An underground station of today: a concourse with ticket machines and barriers, a platform one level lower "
    "with a train standing at it, and a service side by the tunnel mouth at the platform's end. Stairs and "
    "escalators lead from the concourse down to the platform, steps from the platform to the track bed. Machines, "
    "boards, poster lights, lamps, ticket barriers, train doors, the service door, cabinets, the railway signal and "
    "the ventilation fan can be operated. Mirrors show no reflections here, windows have no glass, and the steps "
    "of the escalators stand still."
)


def build_subway() -> World:
    """The world `subway`, the same on every call."""
    builder = LevelBuilder("subway", 1, DESCRIPTION)
    furnish_concourse(builder)
    furnish_platform(builder)
    furnish_trackside(builder)
    build_station(builder)
    return builder.build(
        Bounds((-1.4, -0.2, round(TRACK_M - 0.2, 6)), (31.2, NORTH_Y + 0.2, HALL_CEILING_M)),
        sun=Sun(direction=(0.3, 0.34, -0.89), color=(1.0, 0.98, 0.94), intensity=0.75, softness_m=0.08),
        sky=Sky(
            zenith=(0.05, 0.05, 0.06),
            horizon=(0.10, 0.10, 0.11),
            ground=(0.4, 0.4, 0.39),
            ambient=0.38,
        ),
    )
