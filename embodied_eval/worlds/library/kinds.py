"""What the library says about a kind of object, and what its maker hands back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from embodied_eval.worlds.model import Interaction, Primitive, Vec3

WARM: Vec3 = (1.0, 0.86, 0.66)
NEUTRAL: Vec3 = (1.0, 0.95, 0.88)


@dataclass(frozen=True)
class Lamp:
    """The light that a lamp gives: `position` in the lamp's frame, the rest as in `worlds.model.Light`."""

    position: Vec3
    color: Vec3 = WARM
    intensity: float = 0.8
    range_m: float = 4.5


@dataclass(frozen=True)
class Design:
    """One made object before it gets a name and a place."""

    primitives: tuple[Primitive, ...]
    interaction: Interaction | None = None
    lamp: Lamp | None = None


@dataclass(frozen=True)
class Kind:
    """A kind of object: `label` and `synonyms` are what people call it, `size_m` the plausible extents
    ((min x, y, z), (max x, y, z)) of the whole object in its own frame, `maker` its construction, which
    takes the kind's own keyword options (colours, sizes)."""

    name: str
    label: str
    synonyms: tuple[str, ...]
    size_m: tuple[Vec3, Vec3]
    mass_kg: float
    maker: Callable[..., Design]
    dynamic: bool = False


def switch(initial: str = "off") -> Interaction:
    """A thing that is switched on and off."""
    return Interaction("toggle", states=("off", "on"), initial=initial)


def hinged(
    part: str, pivot: Vec3, travel: float, *, axis: Vec3 = (0.0, 0.0, 1.0), seconds: float = 1.0
) -> Interaction:
    """A leaf that turns by `travel` degrees about `axis` through `pivot`; closed at first."""
    return Interaction(
        "hinge",
        part,
        axis,
        (round(pivot[0], 6), round(pivot[1], 6), round(pivot[2], 6)),
        travel,
        seconds,
        states=("closed", "open"),
        initial="closed",
    )


def sliding(part: str, travel_m: float, *, seconds: float = 0.8) -> Interaction:
    """A drawer that comes out by `travel_m` along +x; closed at first."""
    return Interaction(
        "slide",
        part,
        (1.0, 0.0, 0.0),
        (0.0, 0.0, 0.0),
        travel_m,
        seconds,
        states=("closed", "open"),
        initial="closed",
    )


def spinning(part: str, pivot: Vec3, axis: Vec3, deg_s: float, initial: str = "off") -> Interaction:
    """A part that turns about `axis` through `pivot` at `deg_s` while on."""
    return Interaction("spin", part, axis, pivot, deg_s, 1.0, states=("off", "on"), initial=initial)
