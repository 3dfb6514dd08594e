"""Fixtures of a service side: switch cabinet, cable tray, ventilator, steel door."""

from __future__ import annotations

from dataclasses import replace

from embodied_eval.worlds.library.kinds import Design, Kind, hinged, spinning
from embodied_eval.worlds.library.openings import door
from embodied_eval.worlds.library.parts import box, cyl, rod


def electric_cabinet(initial: str = "closed") -> Design:
    """A grey switch cabinet: breakers and meters behind a door that swings open at +y."""
    hinge = hinged("leaf", (0.19, 0.43, 0.0), 105.0, seconds=1.0)
    flash = (((0.03, 1.06), (-0.02, 0.96)), ((-0.02, 0.96), (0.03, 0.96)), ((0.03, 0.96), (-0.02, 0.86)))
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.36, 0.86, 0.12), "concrete_light", bevel=0.004),
            box((-0.17, 0.0, 0.12), (0.04, 0.9, 1.33), "plastic_grey", bevel=0.0),
            *(box((0.0, y, 0.12), (0.38, 0.03, 1.33), "plastic_grey", bevel=0.0) for y in (-0.435, 0.435)),
            box((0.0, 0.0, 1.42), (0.4, 0.92, 0.05), "plastic_grey", bevel=0.01),
            box((0.0, 0.0, 0.12), (0.34, 0.84, 0.04), "plastic_grey", bevel=0.0),
            *(
                box((-0.1, 0.0, z), (0.1, 0.66, 0.17), mat, bevel=0.006, solid=False)
                for z, mat in ((1.12, "plastic_black"), (0.7, "enamel_white"))
            ),
            *(
                cyl((-0.04, y, 1.17), 0.09, 0.02, "enamel_white", rot=(0.0, 90.0, 0.0), solid=False)
                for y in (-0.15, 0.15)
            ),
            rod((-0.1, -0.3, 0.5), (-0.1, -0.3, 0.2), 0.03, "plastic_red"),
            rod((-0.1, -0.2, 0.5), (-0.1, -0.2, 0.2), 0.03, "plastic_blue"),
            box((0.2, 0.0, 0.13), (0.025, 0.88, 1.28), "cabinet_grey", bevel=0.006, part="leaf"),
            box((0.215, 0.0, 0.8), (0.006, 0.3, 0.32), "plastic_yellow", bevel=0.0, part="leaf", solid=False),
            *(
                rod((0.22, a[0], a[1]), (0.22, b[0], b[1]), 0.022, "plastic_black", part="leaf")
                for a, b in flash
            ),
            box(
                (0.225, -0.36, 0.68),
                (0.03, 0.03, 0.16),
                "plastic_black",
                bevel=0.008,
                part="leaf",
                solid=False,
            ),
        ),
        replace(hinge, initial=initial),
    )


def cable_tray(length_m: float = 4.0) -> Design:
    """A wall bracket tray with three cables, along y; its back is on the wall."""
    count = max(2, round(length_m / 2.0))
    return Design(
        (
            box((0.14, 0.0, -0.02), (0.24, length_m, 0.02), "steel", bevel=0.0),
            box((0.27, 0.0, -0.02), (0.02, length_m, 0.09), "steel", bevel=0.0),
            *(
                box(
                    (0.13, (k + 0.5) * length_m / count - length_m / 2, -0.07),
                    (0.26, 0.05, 0.05),
                    "iron",
                    bevel=0.0,
                    solid=False,
                )
                for k in range(count)
            ),
            *(
                rod((x, -length_m / 2, z), (x, length_m / 2, z), d, mat)
                for x, z, d, mat in (
                    (0.07, 0.035, 0.06, "rubber_black"),
                    (0.14, 0.03, 0.05, "plastic_orange"),
                    (0.21, 0.03, 0.05, "rubber_black"),
                )
            ),
        )
    )


def tunnel_fan(initial: str = "on") -> Design:
    """A large wall ventilator whose four blades turn behind a guard; its back is on the wall."""
    blades = tuple(
        box(
            (0.13, 0.23 * cy, 0.23 * cz - h / 2),
            (0.016, w, h),
            "enamel_white",
            bevel=0.006,
            rot=(0.0, 28.0 * cy, 28.0 * cz),
            part="blades",
            solid=False,
        )
        for cy, cz, w, h in (
            (1.0, 0.0, 0.34, 0.2),
            (-1.0, 0.0, 0.34, 0.2),
            (0.0, 1.0, 0.2, 0.34),
            (0.0, -1.0, 0.2, 0.34),
        )
    )
    frame = tuple(
        box((0.13, y, z), (0.26, w, h), "safety_orange", bevel=0.01)
        for y, z, w, h in (
            (0.0, 0.45, 1.1, 0.1),
            (0.0, -0.55, 1.1, 0.1),
            (0.5, -0.45, 0.1, 0.9),
            (-0.5, -0.45, 0.1, 0.9),
        )
    )
    return Design(
        (
            box((0.015, 0.0, -0.45), (0.03, 0.9, 0.9), "tunnel_black", bevel=0.0),
            *frame,
            *blades,
            cyl((0.13, 0.0, -0.04), 0.18, 0.08, "iron", rot=(0.0, 90.0, 0.0), part="blades", solid=False),
            *(rod((0.22, y, -0.45), (0.22, y, 0.45), 0.014, "steel") for y in (-0.25, 0.0, 0.25)),
            *(rod((0.22, -0.45, z), (0.22, 0.45, z), 0.014, "steel") for z in (-0.25, 0.25)),
        ),
        spinning("blades", (0.13, 0.0, 0.0), (1.0, 0.0, 0.0), 300.0, initial),
    )


def service_door(initial: str = "closed") -> Design:
    """A grey steel door with hazard stripes and a push bar, in its frame; it opens towards its front."""
    plain = door(
        leaf="cabinet_grey", panel="cabinet_grey", frame="iron", swing_deg=-95.0, opened=initial == "open"
    )
    return Design(
        (
            *plain.primitives,
            box(
                (0.027, 0.0, 0.06), (0.006, 0.94, 0.2), "hazard_stripes", bevel=0.0, part="leaf", solid=False
            ),
            box((0.028, 0.0, 1.5), (0.006, 0.3, 0.3), "enamel_white", bevel=0.0, part="leaf", solid=False),
            cyl(
                (0.032, 0.0, 1.646),
                0.24,
                0.008,
                "plastic_red",
                bevel=0.0,
                rot=(0.0, 90.0, 0.0),
                part="leaf",
                solid=False,
            ),
            box((0.036, 0.0, 1.63), (0.006, 0.16, 0.04), "enamel_white", bevel=0.0, part="leaf", solid=False),
        ),
        plain.interaction,
    )


KINDS = (
    Kind(
        "electric_cabinet",
        "switch cabinet",
        ("electric cabinet", "fuse box", "electrical cabinet", "control cabinet"),
        ((0.25, 0.6, 0.9), (0.8, 1.3, 2.1)),
        90.0,
        electric_cabinet,
    ),
    Kind(
        "cable_tray",
        "cable tray",
        ("cables", "cable duct", "wall cables"),
        ((0.1, 0.8, 0.05), (0.5, 20.0, 0.4)),
        20.0,
        cable_tray,
    ),
    Kind(
        "tunnel_fan",
        "ventilation fan",
        ("fan", "ventilator", "wall fan", "tunnel fan"),
        ((0.15, 0.8, 0.8), (0.5, 1.6, 1.6)),
        60.0,
        tunnel_fan,
    ),
    Kind(
        "service_door",
        "service door",
        ("steel door", "staff door", "metal door", "utility door"),
        ((0.1, 0.8, 1.9), (1.1, 1.2, 2.3)),
        70.0,
        service_door,
    ),
)
