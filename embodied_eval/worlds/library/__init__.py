"""The object library: recognisable things made of primitives.

`KINDS` names every kind with its label, synonyms, plausible size and mass; `make` gives one object of a kind;
`design` gives its parts alone. All are plain data, the same on every call.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from embodied_eval.errors import UnknownName
from embodied_eval.worlds.library import (
    appliances,
    bath,
    cottage_building,
    decor,
    figures,
    furniture,
    garden_fences,
    garden_flowers,
    garden_ground,
    garden_structures,
    garden_things,
    garden_tools,
    garden_trees,
    garden_water,
    hallway,
    history,
    kitchen,
    lamps,
    laundry,
    levels,
    nursery,
    openings,
    plants,
    railway,
    seating,
    service,
    signage,
    stairwell,
    station_fittings,
    station_hall,
    study,
    tableware,
    toys_tools,
    worksite,
)
from embodied_eval.worlds.library.building import KINDS as BUILDING_KINDS
from embodied_eval.worlds.library.garden_palette import GARDEN
from embodied_eval.worlds.library.kinds import Design, Kind, Lamp
from embodied_eval.worlds.library.palette import PALETTE as COMMON
from embodied_eval.worlds.model import Light, Material, Vec3, WorldObject

__all__ = ["COMMON", "KINDS", "PALETTE", "Design", "Kind", "Lamp", "design", "lamp_light", "make"]

PALETTE: dict[str, Material] = {**COMMON, **GARDEN}
_MODULES = (
    seating,
    furniture,
    kitchen,
    tableware,
    bath,
    openings,
    lamps,
    appliances,
    plants,
    toys_tools,
    figures,
    decor,
    history,
    station_hall,
    station_fittings,
    signage,
    levels,
    railway,
    service,
    worksite,
    hallway,
    study,
    nursery,
    laundry,
    stairwell,
    garden_ground,
    garden_trees,
    garden_flowers,
    garden_water,
    garden_fences,
    garden_structures,
    garden_things,
    garden_tools,
    cottage_building,
)

KINDS: dict[str, Kind] = {
    kind.name: kind for kind in (*(k for module in _MODULES for k in module.KINDS), *BUILDING_KINDS)
}


def _kind(name: str) -> Kind:
    try:
        return KINDS[name]
    except KeyError:
        raise UnknownName("object kind", name, KINDS) from None


def design(kind: str, **options: Any) -> Design:
    """The parts, interaction and lamp of a `kind` made with its own `options` (`TypeError` for others)."""
    return _kind(kind).maker(**options)


def make(
    kind: str,
    name: str,
    position: Vec3,
    yaw_deg: float = 0.0,
    *,
    region: str = "",
    supports: str = "floor",
    light: str = "",
    label: str = "",
    dynamic: bool | None = None,
    joined: tuple[str, ...] = (),
    casts_shadow: bool = True,
    **options: Any,
) -> WorldObject:
    """An object called `name` of a `kind` at `position` (m), its front turned to `yaw_deg`.

    `light` names the world's light that its switch turns on and off; `label` and `dynamic` replace the
    kind's own. Further options go to the kind's maker. Raises `UnknownName` for an unknown kind.
    """
    entry = _kind(kind)
    made = entry.maker(**options)
    interaction = made.interaction
    if interaction is not None and light:
        interaction = replace(interaction, lights=(light,))
    return WorldObject(
        name=name,
        kind=kind,
        label=label or entry.label,
        primitives=made.primitives,
        position=(round(position[0], 6), round(position[1], 6), round(position[2], 6)),
        rotation_deg=(0.0, 0.0, round(yaw_deg, 6)),
        synonyms=entry.synonyms,
        mass_kg=entry.mass_kg,
        dynamic=entry.dynamic if dynamic is None else dynamic,
        casts_shadow=casts_shadow,
        interaction=interaction,
        supports=supports,
        joined=joined,
        region=region,
    )


def lamp_light(made: Design, item: WorldObject, name: str) -> Light | None:
    """The world light called `name` of a lamp that stands as `item`; None for what gives no light."""
    if made.lamp is None:
        return None
    yaw = math.radians(item.rotation_deg[2])
    x, y, z = made.lamp.position
    place = (
        round(item.position[0] + math.cos(yaw) * x - math.sin(yaw) * y, 6),
        round(item.position[1] + math.sin(yaw) * x + math.cos(yaw) * y, 6),
        round(item.position[2] + z, 6),
    )
    on = made.interaction is None or made.interaction.initial == made.interaction.states[1]
    return Light(name, place, made.lamp.color, made.lamp.intensity, made.lamp.range_m, on)
