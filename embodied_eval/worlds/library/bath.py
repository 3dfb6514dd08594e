"""Bathroom fittings."""

from __future__ import annotations

from embodied_eval.worlds.library.kinds import Design, Kind, spinning
from embodied_eval.worlds.library.parts import ball, box, cone, cyl, rod


def toilet() -> Design:
    """A toilet with a cistern at its back and the lid down."""
    return Design(
        (
            box((-0.02, 0.0, 0.0), (0.42, 0.22, 0.3), "ceramic_white", bevel=0.06),
            cone((0.09, 0.0, 0.18), 0.26, 0.2, "ceramic_white", taper=1.45),
            box((-0.1, 0.0, 0.18), (0.24, 0.36, 0.2), "ceramic_white", bevel=0.05),
            cyl((0.09, 0.0, 0.38), 0.385, 0.035, "plastic_white", bevel=0.014),
            box((-0.06, 0.0, 0.38), (0.28, 0.36, 0.035), "plastic_white", bevel=0.014, solid=False),
            box((-0.24, 0.0, 0.38), (0.18, 0.4, 0.36), "ceramic_white", bevel=0.03),
            box((-0.24, 0.0, 0.74), (0.2, 0.42, 0.035), "ceramic_white", bevel=0.014, solid=False),
            cyl((-0.24, 0.0, 0.775), 0.045, 0.008, "chrome", solid=False),
        )
    )


def washbasin(front: str = "oak") -> Design:
    """A basin on a vanity cabinet, with a mixer tap."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.4, 0.76, 0.1), "black_metal", bevel=0.0),
            box((0.0, 0.0, 0.1), (0.46, 0.8, 0.66), front, bevel=0.006),
            box((0.237, 0.2, 0.13), (0.016, 0.38, 0.6), front, bevel=0.006, solid=False),
            box((0.237, -0.2, 0.13), (0.016, 0.38, 0.6), front, bevel=0.006, solid=False),
            box((0.252, 0.04, 0.5), (0.018, 0.016, 0.14), "chrome", solid=False),
            box((0.252, -0.04, 0.5), (0.018, 0.016, 0.14), "chrome", solid=False),
            box((0.0, 0.0, 0.76), (0.5, 0.84, 0.09), "ceramic_white", bevel=0.02),
            ball((0.05, 0.0, 0.8), (0.34, 0.54, 0.11), "ceramic_white", solid=False),
            ball((0.05, 0.0, 0.815), (0.29, 0.48, 0.085), "water", solid=False),
            rod((-0.18, 0.0, 0.85), (-0.18, 0.0, 0.97), 0.03, "chrome"),
            rod((-0.18, 0.0, 0.96), (-0.04, 0.0, 0.95), 0.024, "chrome"),
            rod((-0.18, 0.0, 0.99), (-0.13, 0.0, 1.02), 0.014, "chrome"),
        )
    )


def bathtub() -> Design:
    """A built-in bathtub with water in it; its long side is along y."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.76, 1.7, 0.12), "ceramic_white", bevel=0.02),
            box((0.34, 0.0, 0.12), (0.08, 1.7, 0.43), "ceramic_white", bevel=0.03),
            box((-0.34, 0.0, 0.12), (0.08, 1.7, 0.43), "ceramic_white", bevel=0.03),
            box((0.0, 0.8, 0.12), (0.76, 0.1, 0.43), "ceramic_white", bevel=0.03),
            box((0.0, -0.8, 0.12), (0.76, 0.1, 0.43), "ceramic_white", bevel=0.03),
            box((0.0, 0.0, 0.12), (0.6, 1.5, 0.25), "water", bevel=0.0, solid=False),
            rod((-0.34, 0.4, 0.55), (-0.34, 0.4, 0.68), 0.034, "chrome"),
            rod((-0.34, 0.4, 0.66), (-0.2, 0.4, 0.64), 0.03, "chrome"),
            cyl((-0.34, 0.3, 0.55), 0.05, 0.05, "chrome", solid=False),
            cyl((-0.34, 0.5, 0.55), 0.05, 0.05, "chrome", solid=False),
        )
    )


def mirror(width_m: float = 0.7, height_m: float = 0.9, frame: str = "oak") -> Design:
    """A framed mirror; its back is on the wall, its middle at z = 0."""
    half_w, half_h = width_m / 2, height_m / 2
    return Design(
        (
            box((0.012, 0.0, -half_h), (0.024, width_m, height_m), "mirror", bevel=0.0),
            *(
                box(
                    (0.0115, y, -h / 2),
                    (0.0255, w, h),
                    "mirror_glint",
                    bevel=0.0,
                    rot=(-28.0, 0.0, 0.0),
                    solid=False,
                )
                for y, w, h in ((-0.08, 0.05, height_m * 0.5), (0.02, 0.025, height_m * 0.4))
            ),
            box((0.018, half_w - 0.015, -half_h), (0.036, 0.03, height_m), frame, solid=False),
            box((0.018, -half_w + 0.015, -half_h), (0.036, 0.03, height_m), frame, solid=False),
            box((0.018, 0.0, half_h - 0.03), (0.036, width_m, 0.03), frame, solid=False),
            box((0.018, 0.0, -half_h), (0.036, width_m, 0.03), frame, solid=False),
        )
    )


def towel_rail(towel: str = "towel_aqua") -> Design:
    """A rail with a hanging towel; its back is on the wall, the rail at z = 0."""
    return Design(
        (
            rod((0.07, -0.32, 0.0), (0.07, 0.32, 0.0), 0.02, "chrome", solid=True),
            rod((0.0125, -0.3, 0.0), (0.07, -0.3, 0.0), 0.018, "chrome"),
            rod((0.0125, 0.3, 0.0), (0.07, 0.3, 0.0), 0.018, "chrome"),
            box((0.07, 0.0, -0.55), (0.05, 0.42, 0.57), towel, bevel=0.022),
            box((0.0705, 0.0, -0.48), (0.052, 0.424, 0.03), "cotton_white", bevel=0.005, solid=False),
        )
    )


def washing_machine() -> Design:
    """A front-loading washing machine with a turning drum."""
    paddles = tuple(
        box(
            (0.29, 0.0, 0.36),
            (0.012, 0.05, 0.24),
            "towel_aqua",
            rot=(angle, 0.0, 0.0),
            part="drum",
            solid=False,
        )
        for angle in (0.0, 60.0, 120.0)
    )
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.58, 0.6, 0.85), "plastic_white", bevel=0.012),
            box((0.286, 0.0, 0.72), (0.02, 0.59, 0.12), "plastic_grey", bevel=0.006, solid=False),
            box((0.297, -0.06, 0.755), (0.005, 0.14, 0.05), "display_green", bevel=0.0, solid=False),
            cyl((0.305, 0.2, 0.745), 0.07, 0.03, "chrome", rot=(0.0, 90.0, 0.0), solid=False),
            cyl((0.295, 0.0, 0.463), 0.4, 0.035, "chrome", rot=(0.0, 90.0, 0.0), solid=False),
            cyl(
                (0.285, 0.0, 0.46), 0.31, 0.042, "glass_dark", rot=(0.0, 90.0, 0.0), part="drum", solid=False
            ),
            *(
                box(
                    (0.308, 0.0, 0.365),
                    (0.008, 0.045, 0.23),
                    mat,
                    rot=(angle, 0.0, 0.0),
                    part="drum",
                    solid=False,
                )
                for angle, mat in ((0.0, "towel_aqua"), (90.0, "petal_white"))
            ),
            *paddles,
        ),
        spinning("drum", (0.3, 0.0, 0.48), (1.0, 0.0, 0.0), 240.0),
    )


def laundry_basket() -> Design:
    """A wicker laundry basket, full."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.36, 0.02, "wicker"),
            cone((0.0, 0.0, 0.02), 0.36, 0.5, "wicker", taper=1.22),
            cyl((0.0, 0.0, 0.5), 0.46, 0.03, "wicker", bevel=0.012, solid=False),
            ball((0.04, 0.06, 0.44), (0.28, 0.24, 0.2), "towel_aqua", solid=False),
            ball((-0.06, -0.06, 0.45), (0.26, 0.24, 0.17), "shirt_red", solid=False),
        )
    )


KINDS = (
    Kind(
        "toilet",
        "toilet",
        ("lavatory", "wc", "toilet bowl"),
        ((0.5, 0.32, 0.6), (0.85, 0.6, 1.1)),
        40.0,
        toilet,
    ),
    Kind(
        "washbasin",
        "washbasin",
        ("sink", "bathroom sink", "basin", "vanity", "wash basin"),
        ((0.35, 0.45, 0.8), (0.7, 1.4, 1.3)),
        38.0,
        washbasin,
    ),
    Kind(
        "bathtub", "bathtub", ("bath", "tub", "bath tub"), ((0.65, 1.3, 0.45), (1.0, 2.0, 0.9)), 90.0, bathtub
    ),
    Kind(
        "mirror", "mirror", ("looking glass", "wall mirror"), ((0.01, 0.3, 0.3), (0.1, 1.6, 2.0)), 8.0, mirror
    ),
    Kind(
        "towel_rail",
        "towel",
        ("towel rail", "hanging towel", "bath towel", "towel rack"),
        ((0.04, 0.3, 0.3), (0.2, 1.0, 1.0)),
        2.0,
        towel_rail,
    ),
    Kind(
        "washing_machine",
        "washing machine",
        ("washer", "laundry machine"),
        ((0.4, 0.5, 0.75), (0.75, 0.75, 1.0)),
        65.0,
        washing_machine,
    ),
    Kind(
        "laundry_basket",
        "laundry basket",
        ("hamper", "wicker basket", "basket", "laundry hamper"),
        ((0.3, 0.3, 0.35), (0.6, 0.6, 0.8)),
        4.0,
        laundry_basket,
    ),
)
