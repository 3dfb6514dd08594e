"""A pack's map as a `World`: what is written down, and, from the running game, what only it knows."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from embodied_eval.drivers.unrealcv import formats
from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.drivers.unrealcv.packs import Box, Map, Mapped, Pack, Units, read_pack, split_world
from embodied_eval.errors import CommandFailed
from embodied_eval.records import content_hash
from embodied_eval.worlds.model import (
    Bounds,
    Game,
    Material,
    Primitive,
    Region,
    Sky,
    Spawn,
    Sun,
    Vec3,
    World,
    WorldObject,
)

EVERYWHERE = "level"
"""The region of a map that names none."""


def world_of(pack: Pack, name: str = "") -> World:
    """The map called `name` ("" = the first) as a world, without the game.

    An object is the box of its `bounds`, or has no solid at all where the pack does not tell them: what it looks like
    is the game's business. The same pack gives the same world, whether the game runs or not. Raises `UnknownName`.
    """
    chosen, units = pack.map_of(name), pack.units
    bounds = _bounds(chosen.bounds, units)
    regions = tuple(
        Region(area.name, area.title or area.name, _bounds(area.bounds, units), area.description)
        for area in chosen.region
    ) or (Region(EVERYWHERE, chosen.name, bounds, chosen.description),)
    first = regions[0].name
    spawns = tuple(
        Spawn(item.name, _point(item.position, units), _yaw(item.yaw_deg, units), item.region or first)
        for item in chosen.start
    )
    return World(
        name=chosen.name,
        version=pack.version,
        description=chosen.description,
        materials={"default": Material()},
        objects=tuple(_object(key, item, units, first) for key, item in chosen.object.items()),
        lights=(),
        sun=Sun(),
        sky=Sky(),
        bounds=bounds,
        regions=regions,
        spawns=spawns,
        eye_height_m=pack.body.eye_height_m,
        fov_deg=pack.body.fov_deg,
    )


def game_world(name: str) -> World:
    """The map of `ue:PACK.toml#MAP` as a world that knows its game. Raises what `read_pack` and `world_of` do."""
    path, chosen = split_world(name)
    pack = read_pack(path)
    world = world_of(pack, chosen)
    return replace(world, game=Game(world.name, identity(pack, chosen), str(Path(path).resolve())))


def identity(pack: Pack, name: str = "") -> str:
    """What a result over that map depends on besides the world: the game's binary, arguments and the actors. The
    game's content is not read: raise the pack's `version` when it changes."""
    chosen = pack.map_of(name)
    return content_hash(
        {
            "binary": Path(pack.game.binary).name,
            "arguments": list(pack.game.arguments),
            "map": chosen.open or chosen.name,
            "actors": dict(sorted(chosen.actors.items())),
            "version": pack.version,
        }
    )


def surveyed(world: World, client: Client, actors: Mapping[str, str]) -> World:
    """`world` with each object the box that its actor has in the running game now. One whose actor the level lacks
    stays as it is; `missing` tells."""
    found = []
    for item in world.objects:
        try:
            text = client.text(f"vget /object/{actors.get(item.name, item.name)}/bounds")
        except CommandFailed:
            found.append(item)
            continue
        low, high = formats.box_to_metres(formats.parse_box(text))
        found.append(_boxed(item, low, high))
    return replace(world, objects=tuple(found))


def missing(chosen: Map, client: Client) -> dict[str, str]:
    """The map's objects that the level has no actor for, each with the name of the level's actor that is most like
    the one it should be ("" = none is)."""
    there = formats.parse_names(client.text("vget /objects"))
    return {
        name: next(iter(difflib.get_close_matches(actor, there, n=1, cutoff=0.5)), "")
        for name, actor in chosen.actors.items()
        if actor not in there
    }


def _object(name: str, item: Mapped, units: Units, first: str) -> WorldObject:
    made = WorldObject(
        name=name,
        kind=item.kind,
        label=item.label,
        primitives=(),
        synonyms=item.synonyms,
        region=item.region or first,
    )
    if item.bounds is None:
        return made
    bounds = _bounds(item.bounds, units)
    return _boxed(made, bounds.low, bounds.high)


def _boxed(item: WorldObject, low: Vec3, high: Vec3) -> WorldObject:
    """`item` as that box: its origin is the middle of its footprint."""
    x, y, z = (round(b - a, 6) for a, b in zip(low, high, strict=True))
    middle = [round((a + b) / 2, 6) for a, b in zip(low, high, strict=True)]
    box = Primitive("box", (x, y, z), (0.0, 0.0, z / 2))
    return replace(item, primitives=(box,), position=(middle[0], middle[1], round(low[2], 6)))


def _point(given: Vec3, units: Units) -> Vec3:
    if units.places == "metres":
        return given
    x, y, z = (round(value * units.metres_a_unit, 9) for value in given)
    return (x, 0.0 - y, z)


def _yaw(given_deg: float, units: Units) -> float:
    return given_deg if units.places == "metres" else formats.wrapped(-given_deg)


def _bounds(box: Box, units: Units) -> Bounds:
    a, b = _point(box.low, units), _point(box.high, units)
    low, high = zip(*(sorted(pair) for pair in zip(a, b, strict=True)), strict=True)
    return Bounds((low[0], low[1], low[2]), (high[0], high[1], high[2]))
