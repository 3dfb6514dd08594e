"""Short names for primitives, so that a kind reads like a parts list.

Every helper takes the middle of the part's footprint (x, y) and the height z of its underside, in metres in
the object's frame (+x = front). A tilt in `rot` (roll, pitch, yaw in degrees) turns the part about its own
centre. `solid=False` draws the part without collision.
"""

from __future__ import annotations

import math

from embodied_eval.worlds.model import Primitive, Shape, Vec3

_LEVEL: Vec3 = (0.0, 0.0, 0.0)


def _part(
    shape: Shape,
    at: Vec3,
    size: Vec3,
    mat: str,
    rot: Vec3,
    bevel: float,
    taper: float,
    part: str,
    solid: bool,
) -> Primitive:
    centre = (round(at[0], 6), round(at[1], 6), round(at[2] + size[2] / 2, 6))
    extent = (round(size[0], 6), round(size[1], 6), round(size[2], 6))
    # To 1e-6 as in world files, so that a world built and the same world read back are equal.
    return Primitive(shape, extent, centre, rot, mat, round(bevel, 6), round(taper, 6), part, solid)


def box(
    at: Vec3,
    size: Vec3,
    mat: str,
    *,
    bevel: float = 0.006,
    rot: Vec3 = _LEVEL,
    part: str = "",
    solid: bool = True,
) -> Primitive:
    """A box with edges `size`; `bevel` rounds its edges in pictures."""
    return _part("box", at, size, mat, rot, min(bevel, 0.49 * min(size)), 0.0, part, solid)


def cyl(
    at: Vec3,
    d: float,
    h: float,
    mat: str,
    *,
    bevel: float = 0.003,
    rot: Vec3 = _LEVEL,
    part: str = "",
    solid: bool = True,
) -> Primitive:
    """An upright cylinder of diameter `d` and height `h`."""
    return _part("cylinder", at, (d, d, h), mat, rot, min(bevel, 0.45 * min(d, h)), 0.0, part, solid)


def cone(
    at: Vec3,
    d: float,
    h: float,
    mat: str,
    *,
    taper: float = 0.0,
    rot: Vec3 = _LEVEL,
    part: str = "",
    solid: bool = True,
) -> Primitive:
    """A cone or frustum: base diameter `d`, top diameter `taper * d` (more than 1 widens upwards)."""
    return _part("cone", at, (d, d, h), mat, rot, 0.0, taper, part, solid)


def ball(
    at: Vec3,
    size: Vec3 | float,
    mat: str,
    *,
    rot: Vec3 = _LEVEL,
    part: str = "",
    solid: bool = True,
) -> Primitive:
    """An ellipsoid with diameters `size` (one number = a sphere)."""
    full = (size, size, size) if isinstance(size, float) else size
    return _part("ellipsoid", at, full, mat, rot, 0.0, 0.0, part, solid)


def pill(
    at: Vec3,
    d: float,
    h: float,
    mat: str,
    *,
    rot: Vec3 = _LEVEL,
    part: str = "",
    solid: bool = True,
) -> Primitive:
    """An upright capsule of diameter `d` and whole height `h`."""
    return _part("capsule", at, (d, d, h), mat, rot, 0.0, 0.0, part, solid)


def rod(a: Vec3, b: Vec3, d: float, mat: str, *, part: str = "", solid: bool = False) -> Primitive:
    """A capsule of diameter `d` whose end centres are `a` and `b`: bars, limbs, legs at an angle."""
    dx, dy, dz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    # Ry(pitch) then Rz(yaw) carries the capsule's z axis to (cos yaw sin pitch, sin yaw sin pitch, cos pitch).
    pitch = math.degrees(math.acos(max(-1.0, min(1.0, dz / length))))
    yaw = math.degrees(math.atan2(dy, dx)) if abs(dx) + abs(dy) > 1e-9 else 0.0
    centre = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2 - (length + d) / 2)
    return _part(
        "capsule",
        centre,
        (d, d, length + d),
        mat,
        (0.0, round(pitch, 4), round(yaw, 4)),
        0.0,
        0.0,
        part,
        solid,
    )


def legs(
    dx: float, dy: float, h: float, thick: float, mat: str, *, round_legs: bool = False
) -> tuple[Primitive, ...]:
    """Four legs of height `h` at (+-dx, +-dy), `thick` across."""
    spots = ((dx, dy), (dx, -dy), (-dx, dy), (-dx, -dy))
    if round_legs:
        return tuple(cyl((x, y, 0.0), thick, h, mat) for x, y in spots)
    return tuple(box((x, y, 0.0), (thick, thick, h), mat, bevel=0.004) for x, y in spots)
