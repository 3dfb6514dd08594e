"""Block letters and arrows made of strokes, for signs."""

from __future__ import annotations

import math

from embodied_eval.worlds.library.parts import box
from embodied_eval.worlds.model import Primitive

# Strokes of each letter on a field 2 wide and 4 high, as (x0, y0, x1, y1).
_STROKES: dict[str, tuple[tuple[float, float, float, float], ...]] = {
    "E": ((0, 0, 0, 4), (0, 0, 2, 0), (0, 2, 1.7, 2), (0, 4, 2, 4)),
    "I": ((1, 0, 1, 4),),
    "K": ((0, 0, 0, 4), (0, 1.8, 2, 4), (0.5, 2.2, 2, 0)),
    "L": ((0, 0, 0, 4), (0, 0, 2, 0)),
    "M": ((0, 0, 0, 4), (0, 4, 1, 1.6), (1, 1.6, 2, 4), (2, 4, 2, 0)),
    "N": ((0, 0, 0, 4), (0, 4, 2, 0), (2, 0, 2, 4)),
    "O": ((0, 0, 0, 4), (2, 0, 2, 4), (0, 0, 2, 0), (0, 4, 2, 4)),
    "S": ((0, 0, 2, 0), (2, 0, 2, 2), (0, 2, 2, 2), (0, 2, 0, 4), (0, 4, 2, 4)),
    "T": ((1, 0, 1, 4), (0, 4, 2, 4)),
    "W": ((0, 4, 0.4, 0), (0.4, 0, 1, 2.6), (1, 2.6, 1.6, 0), (1.6, 0, 2, 4)),
    "X": ((0, 0, 2, 4), (0, 4, 2, 0)),
    ">": ((0, 2, 3, 2), (1.8, 3.4, 3, 2), (1.8, 0.6, 3, 2)),
    "<": ((-1, 2, 2, 2), (0.2, 3.4, -1, 2), (0.2, 0.6, -1, 2)),
    "^": ((1, 0, 1, 4), (-0.4, 2.6, 1, 4), (2.4, 2.6, 1, 4)),
    "v": ((1, 0, 1, 4), (-0.4, 1.4, 1, 0), (2.4, 1.4, 1, 0)),
}
LETTERS = frozenset(_STROKES)


def lettering(
    text: str, x: float, y: float, z: float, height_m: float, mat: str, *, back: bool = False, part: str = ""
) -> tuple[Primitive, ...]:
    """`text` in block letters on a face at `x`, centred on `y`, its foot at `z`, read from +x.

    With `back` it is read from -x. Legal signs are `LETTERS` and a space; an arrow counts as a letter.
    """
    unit = height_m / 4
    thick = 0.16 * height_m
    advance = 3.1 * unit
    left = -(len(text) - 1) * advance / 2 - unit
    parts: list[Primitive] = []
    for index, letter in enumerate(text):
        if letter == " ":
            continue
        for x0, y0, x1, y1 in _STROKES[letter]:
            dx, dy = (x1 - x0) * unit, (y1 - y0) * unit
            # Seen from +x the reader's right is +y turned round: text runs towards +y there.
            across = left + index * advance + (x0 + x1) / 2 * unit
            length = math.hypot(dx, dy) + thick * 0.98
            turn = math.degrees(math.atan2(dy, dx))
            sign = -1.0 if back else 1.0
            parts.append(
                box(
                    (x, y + sign * across, z + (y0 + y1) / 2 * unit - thick / 2),
                    (0.004, length, thick),
                    mat,
                    bevel=0.0,
                    rot=(round(sign * turn, 4), 0.0, 0.0),
                    part=part,
                    solid=False,
                )
            )
    return tuple(parts)
