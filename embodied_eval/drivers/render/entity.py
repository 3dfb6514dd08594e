"""What the renderer draws: rigid parts made of primitives, and the state they are drawn in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from embodied_eval.drivers.base import Vec3
    from embodied_eval.worlds.model import Primitive


class Unchanged(Enum):
    """The type of `UNCHANGED`."""

    UNCHANGED = "unchanged"


UNCHANGED: Final = Unchanged.UNCHANGED
"""Leave a tint or a material as it is (None removes it)."""


@dataclass(frozen=True)
class Entity:
    """One rigid part of one object. `key` is unique, e.g. "fridge_1" or "fridge_1/door"; `object_id` is
    what the mask holds, 0 to 16,777,214; the poses of `primitives` are in the part's frame."""

    key: str
    object_id: int
    primitives: tuple[Primitive, ...]


@dataclass(frozen=True)
class EntityState:
    """Where an entity is and how it looks. `rotation` is 3x3, world from part; `scale` stretches sizes and
    positions of the primitives along the part's axes; its shadow falls as if it stood `shadow_offset` (3,)
    from there; `material` is drawn in place of all its own; `glow` lights its emissive materials."""

    position: NDArray[np.float64]
    rotation: NDArray[np.float64]
    scale: NDArray[np.float64]
    shadow_offset: NDArray[np.float64]
    visible: bool = True
    casts_shadow: bool = True
    material: str | None = None
    tint: Vec3 | None = None
    glow: bool = True


def rest_state() -> EntityState:
    """The state of an entity just added: at the origin, unrotated, unscaled, visible."""
    import numpy as np

    return EntityState(np.zeros(3), np.eye(3), np.ones(3), np.zeros(3))
