"""A world seen from above, as outlines: what a replay draws the agent's path on.

Drawn as an architect's plan ("ours"): the building is cut 1.1 m above the floor, so that doorways and
windows are gaps in the walls; everything else is the outline of its primitives projected to the floor,
lower things first; what hangs overhead is dashed. Coordinates are whole centimetres, x right, y down.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from embodied_eval.records import Pose

if TYPE_CHECKING:
    from embodied_eval.worlds.model import Bounds, Primitive, World, WorldObject

Point = tuple[float, float]
Vec3 = tuple[float, float, float]
Role = Literal["floor", "cover", "wall", "thing", "overhead"]

CUT_M = 1.1
OVERHEAD_M = 1.9
_MARGIN_M = 0.5
_SIDES = 20
_ORDER: dict[Role, int] = {"floor": 0, "cover": 1, "thing": 2, "wall": 3, "overhead": 4}


@dataclass(frozen=True)
class Outline:
    """One object: its name, what people call it, how it is drawn, its SVG path, and its box on the floor."""

    name: str
    label: str
    role: Role
    path: str
    box: tuple[float, float, float, float]


@dataclass(frozen=True)
class Plan:
    """What one replay shows: outlines inside `view` = (x, y, width, height) in centimetres."""

    view: tuple[int, int, int, int]
    outlines: tuple[Outline, ...]


def svg_xy(x_m: float, y_m: float) -> tuple[int, int]:
    """A floor point in the plan's centimetres."""
    return (round(x_m * 100), round(-y_m * 100))


def outlines(world: World) -> tuple[Outline, ...]:
    """Every object worth drawing, in drawing order. Ceilings and invisible things are left out."""
    made: list[tuple[int, float, Outline]] = []
    for item in world.objects:
        if not item.visible:
            continue
        solids = [_solid(item, primitive) for primitive in item.primitives]
        if not solids:
            continue
        low, high = min(solid.low for solid in solids), max(solid.high for solid in solids)
        role = _role(item, low, high)
        if role is None:
            continue
        if role == "wall":
            solids = [solid for solid in solids if solid.low < CUT_M < solid.high]
        elif role == "thing":
            # A door's or window's lintel would close the gap that it stands in.
            solids = [solid for solid in solids if solid.low < OVERHEAD_M]
        hulls = _merged([convex_hull(solid.points) for solid in solids])
        xs = [x for hull in hulls for x, _ in hull]
        ys = [y for hull in hulls for _, y in hull]
        if xs:
            box = (min(xs), min(ys), max(xs), max(ys))
            outline = Outline(item.name, item.label, role, _path(hulls), box)
            made.append((_ORDER[role], high, outline))
    return tuple(outline for _, _, outline in sorted(made, key=lambda entry: entry[:2]))


def plan_of(drawn: Sequence[Outline], regions: Iterable[Bounds], points: Sequence[Point]) -> Plan | None:
    """The part of a world around `points` (metres) and the regions that they fall in; None without points."""
    if not points:
        return None
    xs, ys = [x for x, _ in points], [y for _, y in points]
    for bounds in regions:
        low, high = bounds.low, bounds.high
        if any(low[0] <= x <= high[0] and low[1] <= y <= high[1] for x, y in points):
            xs += [low[0], high[0]]
            ys += [low[1], high[1]]
    x0, x1 = min(xs) - _MARGIN_M, max(xs) + _MARGIN_M
    y0, y1 = min(ys) - _MARGIN_M, max(ys) + _MARGIN_M
    # A walk on the spot still gets a plan that a person can read.
    pad_x, pad_y = max(0.0, 3.0 - (x1 - x0)) / 2, max(0.0, 3.0 - (y1 - y0)) / 2
    x0, x1, y0, y1 = x0 - pad_x, x1 + pad_x, y0 - pad_y, y1 + pad_y
    inside = tuple(
        outline
        for outline in drawn
        if outline.box[0] < x1 and outline.box[2] > x0 and outline.box[1] < y1 and outline.box[3] > y0
    )
    left, top = svg_xy(x0, y1)
    return Plan((left, top, round((x1 - x0) * 100), round((y1 - y0) * 100)), inside)


def path_points(poses: Iterable[Pose]) -> list[Point]:
    """The floor points of `poses`."""
    return [(pose.x, pose.y) for pose in poses]


def convex_hull(points: Iterable[Point]) -> list[Point]:
    """The convex hull, counter-clockwise (Andrew's monotone chain, 1979)."""
    ordered = sorted({(round(x, 4), round(y, 4)) for x, y in points})
    if len(ordered) < 3:
        return ordered
    lower, upper = _chain(ordered), _chain(ordered[::-1])
    return lower[:-1] + upper[:-1]


def _chain(points: Sequence[Point]) -> list[Point]:
    chain: list[Point] = []
    for point in points:
        while len(chain) > 1 and _cross(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def _cross(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


@dataclass(frozen=True)
class _Solid:
    points: tuple[Point, ...]
    low: float
    high: float


def _role(item: WorldObject, low: float, high: float) -> Role | None:
    names = {item.kind.lower(), item.label.lower()}
    if names & {"ceiling", "roof"}:
        return None
    if names & {"floor", "ground"}:
        return "floor"
    if "wall" in names:
        return "wall"
    if low > OVERHEAD_M:
        return "overhead"
    return "cover" if high - low < 0.05 and low < 0.05 else "thing"


def _solid(item: WorldObject, primitive: Primitive) -> _Solid:
    points = []
    low, high = math.inf, -math.inf
    for corner in _surface(primitive):
        x, y, z = _rotate(corner, primitive.rotation_deg)
        x, y, z = (
            (x + primitive.position[0]) * item.scale[0],
            (y + primitive.position[1]) * item.scale[1],
            (z + primitive.position[2]) * item.scale[2],
        )
        x, y, z = _rotate((x, y, z), item.rotation_deg)
        points.append((x + item.position[0], y + item.position[1]))
        low, high = min(low, z + item.position[2]), max(high, z + item.position[2])
    return _Solid(tuple(points), low, high)


def _surface(primitive: Primitive) -> list[Vec3]:
    """Points whose hull is (a box) or nearly is (the round ones) the primitive, in its own frame."""
    a, b, c = (extent / 2 for extent in primitive.size)
    if primitive.shape == "box":
        return [(x, y, z) for x in (-a, a) for y in (-b, b) for z in (-c, c)]
    ring = [2 * math.pi * side / _SIDES for side in range(_SIDES)]
    if primitive.shape == "cylinder":
        levels = [(1.0, -c), (1.0, c)]
    elif primitive.shape == "cone":
        levels = [(1.0, -c), (primitive.taper, c)]
    elif primitive.shape == "capsule":
        straight = max(0.0, c - a)
        levels = [(0.0, -c), (0.7, -straight - 0.7 * (c - straight)), (1.0, -straight)]
        levels += [(1.0, straight), (0.7, straight + 0.7 * (c - straight)), (0.0, c)]
    else:
        tilts = [math.pi * tilt / 8 for tilt in range(9)]
        levels = [(math.sin(tilt), -c * math.cos(tilt)) for tilt in tilts]
    return [
        (a * wide * math.cos(angle), b * wide * math.sin(angle), z) for wide, z in levels for angle in ring
    ]


def _rotate(point: Vec3, rotation_deg: Vec3) -> Vec3:
    """Roll, pitch, yaw about the fixed x, then y, then z axis (the world model's convention)."""
    if rotation_deg == (0.0, 0.0, 0.0):
        return point
    roll, pitch, yaw = (math.radians(angle) for angle in rotation_deg)
    x, y, z = point
    y, z = y * math.cos(roll) - z * math.sin(roll), y * math.sin(roll) + z * math.cos(roll)
    x, z = x * math.cos(pitch) + z * math.sin(pitch), -x * math.sin(pitch) + z * math.cos(pitch)
    x, y = x * math.cos(yaw) - y * math.sin(yaw), x * math.sin(yaw) + y * math.cos(yaw)
    return (x, y, z)


def _merged(hulls: list[list[Point]]) -> list[list[Point]]:
    """`hulls` without those that lie inside another one."""
    kept: list[list[Point]] = []
    for hull in sorted((hull for hull in hulls if len(hull) > 2), key=_area, reverse=True):
        if not any(all(_inside(point, outer) for point in hull) for outer in kept):
            kept.append(hull)
    return kept


def _area(hull: Sequence[Point]) -> float:
    return sum(_cross(hull[0], hull[i], hull[i + 1]) for i in range(1, len(hull) - 1)) / 2


def _inside(point: Point, hull: Sequence[Point]) -> bool:
    return all(_cross(hull[i - 1], hull[i], point) >= -1e-4 for i in range(len(hull)))


def _path(hulls: Iterable[Sequence[Point]]) -> str:
    return "".join(
        "M" + "L".join(f"{x} {y}" for x, y in dict.fromkeys(svg_xy(*point) for point in hull)) + "Z"
        for hull in hulls
    )
