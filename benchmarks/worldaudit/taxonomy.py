"""The fifteen sub-categories of the benchmark, in five families."""

from __future__ import annotations

from dataclasses import dataclass

from embodied_eval.errors import UnknownName


@dataclass(frozen=True)
class SubCategory:
    """One kind of anomaly: its `code`, dotted `name`, `family`, and one sentence that defines it."""

    code: str
    name: str
    family: str
    definition: str


STATIC = "Static physics"
INTERACTIVE = "Interactive physics"
SPATIAL = "Spatial consistency"
TEMPORAL = "Temporal consistency"
SEMANTIC = "Semantic consistency"
FAMILIES = (STATIC, INTERACTIVE, SPATIAL, TEMPORAL, SEMANTIC)
"""Families in the order in which tables print them."""

_ROWS = (
    ("G1", "geometry.unsupported", STATIC, "An object hangs in the air although nothing holds it up."),
    (
        "G2",
        "geometry.intersection",
        STATIC,
        "Solid things share the same space, reach into each other or are joined out of true.",
    ),
    ("G3", "geometry.scale", STATIC, "An object's size or proportions cannot be right for what it is."),
    ("C1", "collision.missing", INTERACTIVE, "One can walk or fall through something that should be solid."),
    ("C2", "collision.unexpected", INTERACTIVE, "One is stopped where nothing can be seen."),
    (
        "C3",
        "collision.contact_response",
        INTERACTIVE,
        "An object answers a touch or an operation with an absurd motion.",
    ),
    (
        "V1",
        "visual.visibility",
        SPATIAL,
        "Whether an object is drawn depends on where one looks from, against what occlusion allows.",
    ),
    (
        "V2",
        "visual.view_appearance",
        SPATIAL,
        "An object's shape or look jumps with the distance or the angle of view.",
    ),
    ("V3", "visual.illumination", SPATIAL, "A shadow or the light on an object does not fit the scene."),
    ("V4", "visual.material", SPATIAL, "An object's surface material is missing or the wrong one."),
    ("T1", "state.existence", TEMPORAL, "An object appears or vanishes for no reason as time goes on."),
    (
        "T2",
        "state.static_attributes",
        TEMPORAL,
        "An object's place, pose or colour changes for no reason as time goes on.",
    ),
    (
        "T3",
        "state.operational_state",
        TEMPORAL,
        "A device goes on or off, opens, closes or reverses for no reason as time goes on.",
    ),
    (
        "S2",
        "semantic.configuration",
        SEMANTIC,
        "An object is arranged in a way that defeats what it is for.",
    ),
    ("S3", "semantic.historical", SEMANTIC, "An object belongs to another era than the scene around it."),
)

SUBCATEGORIES: dict[str, SubCategory] = {row[0]: SubCategory(*row) for row in _ROWS}
"""By code, in the order in which tables print them."""


def subcategory(code: str) -> SubCategory:
    """The sub-category `code`; raises `UnknownName` if there is none."""
    if code not in SUBCATEGORIES:
        raise UnknownName("sub-category", code, SUBCATEGORIES)
    return SUBCATEGORIES[code]
