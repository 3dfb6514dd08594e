"""Things of a work site: barriers, drums, ladders, lamps, barrows, tools."""

from __future__ import annotations

from dataclasses import replace

from embodied_eval.worlds.library.kinds import Design, Kind, Lamp, switch
from embodied_eval.worlds.library.parts import ball, box, cone, cyl, rod


def tool_trolley(color: str = "plastic_red") -> Design:
    """A workshop trolley with drawers, four castors and a few tools on top."""
    return Design(
        (
            *(cyl((x, y, 0.0), 0.09, 0.11, "rubber_black") for x in (-0.16, 0.16) for y in (-0.28, 0.28)),
            box((0.0, 0.0, 0.11), (0.44, 0.7, 0.72), color, bevel=0.012),
            *(
                box((0.222, 0.0, z), (0.012, 0.62, h), color, bevel=0.005, solid=False)
                for z, h in ((0.15, 0.22), (0.39, 0.17), (0.58, 0.1), (0.7, 0.1))
            ),
            *(
                box((0.236, 0.0, z), (0.018, 0.5, 0.02), "chrome", bevel=0.006, solid=False)
                for z in (0.33, 0.52, 0.65, 0.77)
            ),
            box((0.0, 0.0, 0.83), (0.46, 0.72, 0.04), "rubber_black", bevel=0.01),
            rod((-0.06, -0.2, 0.885), (0.1, -0.12, 0.885), 0.026, "chrome"),
            rod((-0.1, 0.06, 0.885), (0.12, 0.02, 0.885), 0.03, "plastic_orange"),
            box((0.12, 0.02, 0.87), (0.05, 0.12, 0.045), "iron", bevel=0.006, solid=False),
            rod((-0.1, 0.38, 0.76), (0.1, 0.38, 0.76), 0.03, "chrome"),
        )
    )


def oil_drum(color: str = "drum_blue") -> Design:
    """A steel drum with two rolling hoops and a bung."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.58, 0.88, color, bevel=0.01),
            *(cyl((0.0, 0.0, z), 0.605, 0.035, color, bevel=0.012, solid=False) for z in (0.28, 0.57)),
            cyl((0.16, 0.0, 0.88), 0.07, 0.02, "chrome", solid=False),
            cyl((0.0, 0.0, 0.36), 0.592, 0.16, "plastic_yellow", bevel=0.0, solid=False),
        )
    )


def hard_hat(color: str = "plastic_yellow") -> Design:
    """A safety helmet with a ridge and a peak."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.25, 0.02, color, bevel=0.006),
            ball((0.0, 0.0, 0.002), (0.235, 0.21, 0.17), color, solid=False),
            box((0.0, 0.0, 0.12), (0.15, 0.035, 0.062), color, bevel=0.017, solid=False),
            box((0.13, 0.0, 0.0), (0.08, 0.16, 0.014), color, bevel=0.005, solid=False),
            cyl((0.0, 0.0, 0.02), 0.1, 0.09, color),
        )
    )


def step_ladder() -> Design:
    """A standing folding ladder of aluminium with five treads; one climbs it from +x."""
    rails = tuple(
        rod((0.42, 0.26 * s, 0.03), (0.0, 0.18 * s, 1.75), 0.05, "steel", solid=True) for s in (-1.0, 1.0)
    )
    stays = tuple(
        rod((-0.42, 0.26 * s, 0.03), (-0.02, 0.18 * s, 1.7), 0.035, "steel", solid=True) for s in (-1.0, 1.0)
    )
    treads = tuple(
        box(
            (0.42 - 0.083 * k, 0.0, 0.3 * k), (0.09, 0.5 - 0.03 * k, 0.03), "chrome", bevel=0.004, solid=False
        )
        for k in range(1, 6)
    )
    feet = tuple(cyl((x, y, 0.0), 0.07, 0.05, "rubber_black") for x in (-0.42, 0.42) for y in (-0.26, 0.26))
    return Design(
        (
            *feet,
            *rails,
            *stays,
            *treads,
            box((0.0, 0.0, 1.72), (0.24, 0.42, 0.04), "plastic_red", bevel=0.01),
            rod((-0.2, -0.22, 0.9), (-0.2, 0.22, 0.9), 0.025, "steel"),
        )
    )


def barricade() -> Design:
    """A red and white striped barricade on two feet, with a warning lamp on top."""
    return Design(
        (
            *(box((0.0, y, 0.0), (0.5, 0.06, 0.06), "rubber_black", bevel=0.01) for y in (-0.75, 0.75)),
            *(box((0.0, y, 0.06), (0.05, 0.05, 0.98), "steel", bevel=0.004) for y in (-0.75, 0.75)),
            box((0.0, 0.0, 0.74), (0.06, 1.8, 0.26), "barrier_stripes", bevel=0.006),
            box((0.0, 0.0, 0.34), (0.06, 1.8, 0.2), "barrier_stripes", bevel=0.006),
            box((0.0, 0.6, 1.04), (0.1, 0.16, 0.06), "plastic_black", bevel=0.01),
            cyl((0.0, 0.6, 1.08), 0.17, 0.07, "lamp_amber", bevel=0.02, rot=(0.0, 90.0, 0.0), solid=False),
        )
    )


def traffic_cone() -> Design:
    """An orange traffic cone with two white bands."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.36, 0.36, 0.035), "plastic_orange", bevel=0.01),
            cone((0.0, 0.0, 0.035), 0.28, 0.62, "plastic_orange", taper=0.2),
            cone((0.0, 0.0, 0.23), 0.217, 0.11, "enamel_white", taper=0.82, solid=False),
            cone((0.0, 0.0, 0.43), 0.147, 0.09, "enamel_white", taper=0.78, solid=False),
        )
    )


def work_lamp(initial: str = "on") -> Design:
    """A site lamp: a bright floodlight on a yellow tripod."""
    legs = tuple(
        rod((0.4 * cx, 0.4 * cy, 0.03), (0.0, 0.0, 0.85), 0.04, "safety_yellow", solid=True)
        for cx, cy in ((1.0, 0.0), (-0.5, 0.866), (-0.5, -0.866))
    )
    feet = tuple(
        cyl((0.4 * cx, 0.4 * cy, 0.0), 0.08, 0.05, "rubber_black")
        for cx, cy in ((1.0, 0.0), (-0.5, 0.866), (-0.5, -0.866))
    )
    return Design(
        (
            *feet,
            *legs,
            cyl((0.0, 0.0, 0.8), 0.045, 0.75, "steel"),
            box((0.06, 0.0, 1.5), (0.12, 0.36, 0.26), "safety_yellow", bevel=0.02, rot=(0.0, 12.0, 0.0)),
            box(
                (0.124, 0.0, 1.5),
                (0.012, 0.3, 0.2),
                "light_tube",
                bevel=0.0,
                rot=(0.0, 12.0, 0.0),
                solid=False,
            ),
            rod((0.0, -0.2, 1.55), (0.0, 0.2, 1.55), 0.025, "plastic_black"),
        ),
        switch(initial),
        Lamp((0.35, 0.0, 1.58), (1.0, 0.95, 0.84), 1.1, 6.0),
    )


def wheelbarrow(color: str = "plastic_green") -> Design:
    """A wheelbarrow full of sand; its wheel is at +x."""
    return Design(
        (
            replace(
                cyl((0.62, 0.0, 0.0), 0.38, 0.08, "rubber_black", bevel=0.02, rot=(90.0, 0.0, 0.0)),
                position=(0.62, 0.0, 0.19),
            ),
            *(rod((0.62, 0.1 * s, 0.19), (-0.8, 0.3 * s, 0.62), 0.045, "steel") for s in (-1.0, 1.0)),
            *(
                rod((-0.72, 0.288 * s, 0.6), (-0.86, 0.308 * s, 0.64), 0.055, "rubber_black")
                for s in (-1.0, 1.0)
            ),
            *(box((-0.38, 0.24 * s, 0.0), (0.05, 0.05, 0.48), "steel", bevel=0.01) for s in (-1.0, 1.0)),
            box((0.0, 0.0, 0.36), (0.62, 0.44, 0.03), color, bevel=0.01),
            box((0.4, 0.0, 0.36), (0.03, 0.5, 0.34), color, bevel=0.01, rot=(0.0, 28.0, 0.0), solid=False),
            box(
                (-0.38, 0.0, 0.36), (0.03, 0.56, 0.28), color, bevel=0.01, rot=(0.0, -18.0, 0.0), solid=False
            ),
            *(
                box(
                    (0.0, 0.27 * s, 0.36),
                    (0.84, 0.03, 0.27),
                    color,
                    bevel=0.01,
                    rot=(14.0 * -s, 0.0, 0.0),
                    solid=False,
                )
                for s in (-1.0, 1.0)
            ),
            ball((0.0, 0.0, 0.4), (0.78, 0.5, 0.38), "sand", solid=False),
        )
    )


def cable_drum(wood: str = "pine") -> Design:
    """A wooden cable drum on its rim, wedged, with orange cable on it; its axis is along y."""
    radius = 0.5
    discs = tuple(
        replace(cyl((0.0, y, 0.0), 2 * radius, 0.05, wood, rot=(90.0, 0.0, 0.0)), position=(0.0, y, radius))
        for y in (-0.29, 0.29)
    )
    core = replace(
        cyl((0.0, 0.0, 0.0), 0.66, 0.53, "plastic_orange", bevel=0.0, rot=(90.0, 0.0, 0.0)),
        position=(0.0, 0.0, radius),
    )
    hubs = tuple(
        replace(
            cyl((0.0, y, 0.0), 0.14, 0.02, "iron", rot=(90.0, 0.0, 0.0), solid=False),
            position=(0.0, y, radius),
        )
        for y in (-0.32, 0.32)
    )
    boards = tuple(
        replace(box((0.0, y, 0.0), (0.88, 0.012, 0.05), "oak", bevel=0.0, solid=False), position=(0.0, y, z))
        for y in (-0.3175, 0.3175)
        for z in (radius - 0.22, radius + 0.22)
    )
    wedges = tuple(box((x, 0.0, 0.0), (0.1, 0.66, 0.045), "dark_wood", bevel=0.004) for x in (-0.24, 0.24))
    return Design((*discs, core, *hubs, *boards, *wedges))


def pallet() -> Design:
    """A wooden pallet."""
    return Design(
        (
            *(box((0.0, y, 0.0), (1.2, 0.1, 0.1), "pine", bevel=0.004) for y in (-0.35, 0.0, 0.35)),
            *(
                box((x, 0.0, 0.1), (0.14, 0.8, 0.022), "pine", bevel=0.003)
                for x in (-0.53, -0.265, 0.0, 0.265, 0.53)
            ),
        )
    )


def jerrycan(color: str = "plastic_red") -> Design:
    """A fuel canister with a handle and a spout."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.17, 0.34, 0.38), color, bevel=0.03),
            *(rod((0.0878, -0.1 * s, 0.08), (0.0878, 0.1 * s, 0.3), 0.016, color) for s in (-1.0, 1.0)),
            rod((0.0, -0.1, 0.38), (0.0, -0.1, 0.43), 0.03, color),
            rod((0.0, 0.08, 0.38), (0.0, 0.08, 0.43), 0.03, color),
            rod((0.0, -0.1, 0.43), (0.0, 0.08, 0.43), 0.036, color),
            cyl((0.0, 0.135, 0.375), 0.055, 0.06, "plastic_black", solid=False),
        )
    )


KINDS = (
    Kind(
        "tool_trolley",
        "tool trolley",
        ("tool cart", "workshop trolley", "tool chest", "drawer trolley"),
        ((0.3, 0.5, 0.6), (0.8, 1.1, 1.3)),
        45.0,
        tool_trolley,
    ),
    Kind(
        "oil_drum",
        "steel drum",
        ("oil drum", "metal barrel", "oil barrel", "fuel drum"),
        ((0.45, 0.45, 0.7), (0.75, 0.75, 1.1)),
        60.0,
        oil_drum,
    ),
    Kind(
        "hard_hat",
        "hard hat",
        ("helmet", "safety helmet", "construction helmet"),
        ((0.2, 0.18, 0.1), (0.4, 0.32, 0.25)),
        0.4,
        hard_hat,
    ),
    Kind(
        "step_ladder",
        "step ladder",
        ("ladder", "stepladder", "folding ladder"),
        ((0.5, 0.35, 1.2), (1.3, 0.9, 2.4)),
        9.0,
        step_ladder,
    ),
    Kind(
        "barricade",
        "barricade",
        ("striped barrier", "barrier", "road barrier", "safety barrier"),
        ((0.3, 1.2, 0.8), (0.8, 2.6, 1.4)),
        22.0,
        barricade,
    ),
    Kind(
        "traffic_cone",
        "traffic cone",
        ("cone", "safety cone", "road cone", "pylon"),
        ((0.25, 0.25, 0.45), (0.5, 0.5, 0.95)),
        3.0,
        traffic_cone,
    ),
    Kind(
        "work_lamp",
        "work light",
        ("site lamp", "floodlight", "tripod lamp", "work lamp"),
        ((0.5, 0.5, 1.2), (1.1, 1.1, 2.2)),
        9.0,
        work_lamp,
    ),
    Kind(
        "wheelbarrow",
        "wheelbarrow",
        ("barrow", "hand barrow", "barrow of sand"),
        ((1.1, 0.45, 0.45), (1.9, 0.9, 0.9)),
        35.0,
        wheelbarrow,
    ),
    Kind(
        "cable_drum",
        "cable drum",
        ("cable reel", "cable spool", "wooden spool"),
        ((0.7, 0.4, 0.7), (1.5, 1.2, 1.5)),
        80.0,
        cable_drum,
    ),
    Kind(
        "pallet",
        "pallet",
        ("wooden pallet", "euro pallet", "skid"),
        ((0.9, 0.6, 0.08), (1.4, 1.1, 0.2)),
        20.0,
        pallet,
    ),
    Kind(
        "jerrycan",
        "jerrycan",
        ("fuel can", "petrol can", "canister", "gas can"),
        ((0.12, 0.25, 0.3), (0.3, 0.5, 0.6)),
        6.0,
        jerrycan,
    ),
)
