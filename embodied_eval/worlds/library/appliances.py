"""Electrical things."""

from __future__ import annotations

from embodied_eval.worlds.library.kinds import Design, Kind, spinning, switch
from embodied_eval.worlds.library.parts import ball, box, cone, cyl, rod


def tv(initial: str = "off") -> Design:
    """A flat television on its foot; the screen looks along +x."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.24, 0.5, 0.015), "plastic_black", bevel=0.005),
            box((-0.02, 0.0, 0.015), (0.04, 0.12, 0.09), "plastic_black", bevel=0.005),
            box((0.0, 0.0, 0.08), (0.05, 1.24, 0.71), "plastic_black", bevel=0.008),
            box((0.0255, 0.0, 0.1), (0.004, 1.2, 0.67), "tv_screen", bevel=0.0, solid=False),
            box((-0.035, 0.0, 0.2), (0.04, 0.7, 0.36), "plastic_grey", bevel=0.015, solid=False),
        ),
        switch(initial),
    )


def laptop(initial: str = "on") -> Design:
    """An open laptop computer; its user sits at +x."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.23, 0.33, 0.018), "steel", bevel=0.006),
            box((-0.015, 0.0, 0.0165), (0.11, 0.28, 0.004), "plastic_black", bevel=0.0, solid=False),
            box((0.075, 0.0, 0.0165), (0.06, 0.1, 0.003), "plastic_grey", bevel=0.0, solid=False),
            box(
                (-0.143, 0.0, 0.012),
                (0.012, 0.33, 0.225),
                "steel",
                bevel=0.005,
                rot=(0.0, -14.0, 0.0),
                solid=False,
            ),
            box(
                (-0.1358, 0.0, 0.026),
                (0.003, 0.305, 0.195),
                "laptop_screen",
                bevel=0.0,
                rot=(0.0, -14.0, 0.0),
                solid=False,
            ),
        ),
        switch(initial),
    )


def microwave(initial: str = "off") -> Design:
    """A microwave oven; its window lights up while on."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.34, 0.46, 0.27), "steel", bevel=0.008),
            box((0.172, -0.055, 0.015), (0.012, 0.34, 0.24), "plastic_black", bevel=0.004, solid=False),
            box((0.1785, -0.065, 0.05), (0.003, 0.25, 0.17), "oven_light", bevel=0.0, solid=False),
            box((0.172, 0.17, 0.015), (0.012, 0.1, 0.24), "plastic_grey", bevel=0.004, solid=False),
            box((0.179, 0.17, 0.2), (0.004, 0.075, 0.035), "display_green", bevel=0.0, solid=False),
            cyl((0.185, 0.17, 0.095), 0.05, 0.02, "chrome", rot=(0.0, 90.0, 0.0), solid=False),
            box((0.19, 0.1, 0.04), (0.018, 0.016, 0.19), "chrome", bevel=0.006, solid=False),
        ),
        switch(initial),
    )


def radio(initial: str = "off") -> Design:
    """A table radio with a wooden case, a round speaker and a lit dial."""
    slots = tuple(
        box((0.078, -0.07, z), (0.004, 0.11, 0.008), "dark_wood", bevel=0.0, solid=False)
        for z in (0.045, 0.065, 0.085, 0.105, 0.125)
    )
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.15, 0.3, 0.175), "walnut", bevel=0.014),
            box((0.072, -0.07, 0.025), (0.01, 0.13, 0.13), "linen_beige", bevel=0.004, solid=False),
            *slots,
            box((0.075, 0.075, 0.1), (0.004, 0.11, 0.045), "display_amber", bevel=0.0, solid=False),
            cyl((0.08, 0.045, 0.045), 0.034, 0.02, "brass", rot=(0.0, 90.0, 0.0), solid=False),
            cyl((0.08, 0.105, 0.045), 0.034, 0.02, "brass", rot=(0.0, 90.0, 0.0), solid=False),
            rod((-0.05, 0.12, 0.17), (-0.06, 0.19, 0.42), 0.007, "chrome"),
            rod((0.0, -0.1, 0.19), (0.0, 0.1, 0.19), 0.016, "leather_brown"),
        ),
        switch(initial),
    )


def wall_clock() -> Design:
    """A round clock; its back is on the wall, its middle at z = 0."""
    ticks = tuple(
        box(
            (0.039, y, z - 0.012),
            (0.004, 0.012, 0.024),
            "plastic_black",
            bevel=0.0,
            rot=(r, 0.0, 0.0),
            solid=False,
        )
        for y, z, r in ((0.0, 0.13, 0.0), (0.13, 0.0, 90.0), (0.0, -0.13, 0.0), (-0.13, 0.0, 90.0))
    )
    return Design(
        (
            cyl((0.019, 0.0, -0.019), 0.34, 0.038, "walnut", rot=(0.0, 90.0, 0.0)),
            cyl(
                (0.0205, 0.0, -0.0185),
                0.3,
                0.037,
                "paper_white",
                bevel=0.0,
                rot=(0.0, 90.0, 0.0),
                solid=False,
            ),
            *ticks,
            rod((0.043, 0.0, 0.0), (0.043, -0.055, 0.055), 0.012, "plastic_black"),
            rod((0.046, 0.0, 0.0), (0.046, 0.05, 0.1), 0.008, "plastic_black"),
            ball((0.044, 0.0, -0.011), 0.022, "ceramic_red", solid=False),
        )
    )


def desk_fan(initial: str = "off") -> Design:
    """A table fan with four turning blades in a wire cage."""
    blades = tuple(
        box((0.05, y, 0.25 + z), (0.008, w, h), "plastic_blue", bevel=0.003, part="blades", solid=False)
        for y, z, w, h in (
            (0.065, 0.005, 0.1, 0.06),
            (-0.065, 0.005, 0.1, 0.06),
            (0.0, 0.05, 0.06, 0.1),
            (0.0, -0.08, 0.06, 0.1),
        )
    )
    ring = tuple(
        rod(
            (0.05, 0.14 * a[0], 0.285 + 0.14 * a[1]),
            (0.05, 0.14 * b[0], 0.285 + 0.14 * b[1]),
            0.012,
            "chrome",
        )
        for a, b in zip(_OCTAGON, (*_OCTAGON[1:], _OCTAGON[0]), strict=True)
    )
    wires = tuple(
        rod(
            (0.085, -0.14 * a[0], 0.285 - 0.14 * a[1]),
            (0.085, 0.14 * a[0], 0.285 + 0.14 * a[1]),
            0.006,
            "chrome",
        )
        for a in _OCTAGON[:4]
    )
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.2, 0.03, "plastic_white", bevel=0.01),
            cyl((-0.02, 0.0, 0.03), 0.035, 0.24, "plastic_white"),
            cyl(
                (-0.01, 0.0, 0.235), 0.1, 0.1, "plastic_white", bevel=0.03, rot=(0.0, 90.0, 0.0), solid=False
            ),
            ball((0.055, 0.0, 0.26), 0.05, "plastic_white", part="blades", solid=False),
            *blades,
            *ring,
            *wires,
        ),
        spinning("blades", (0.05, 0.0, 0.285), (1.0, 0.0, 0.0), 540.0, initial),
    )


_R = 0.70710678
_OCTAGON = ((1.0, 0.0), (_R, _R), (0.0, 1.0), (-_R, _R), (-1.0, 0.0), (-_R, -_R), (0.0, -1.0), (_R, -_R))


def gramophone(initial: str = "off") -> Design:
    """A wind-up gramophone with a brass horn and a turning record."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.38, 0.38, 0.025), "dark_wood", bevel=0.006),
            box((0.0, 0.0, 0.025), (0.34, 0.34, 0.14), "walnut", bevel=0.008),
            cyl((0.02, 0.0, 0.165), 0.27, 0.012, "plastic_black", bevel=0.0, part="record", solid=False),
            cyl((0.02, 0.0, 0.1765), 0.09, 0.003, "ceramic_red", bevel=0.0, part="record", solid=False),
            box((0.09, 0.0, 0.178), (0.05, 0.012, 0.002), "brass", bevel=0.0, part="record", solid=False),
            rod((-0.13, 0.0, 0.17), (-0.13, 0.0, 0.36), 0.035, "brass"),
            rod((-0.13, 0.0, 0.36), (-0.03, 0.0, 0.46), 0.05, "brass"),
            cone((0.1, 0.0, 0.34), 0.07, 0.34, "brass", taper=5.6, rot=(0.0, 52.0, 0.0), solid=False),
            cone((0.212, 0.0, 0.51), 0.34, 0.015, "copper", taper=1.1, rot=(0.0, 52.0, 0.0), solid=False),
            rod((-0.13, 0.0, 0.21), (0.06, 0.09, 0.19), 0.016, "brass"),
            rod((0.0, 0.17, 0.09), (0.0, 0.24, 0.09), 0.014, "iron"),
            rod((0.0, 0.24, 0.09), (0.0, 0.24, 0.03), 0.014, "iron"),
        ),
        spinning("record", (0.02, 0.0, 0.17), (0.0, 0.0, 1.0), 200.0, initial),
    )


KINDS = (
    Kind(
        "tv",
        "television",
        ("tv", "tv set", "flat screen", "screen"),
        ((0.05, 0.7, 0.45), (0.4, 1.7, 1.1)),
        16.0,
        tv,
    ),
    Kind(
        "laptop",
        "laptop",
        ("laptop computer", "notebook computer", "computer"),
        ((0.2, 0.25, 0.15), (0.45, 0.45, 0.4)),
        1.6,
        laptop,
    ),
    Kind(
        "microwave",
        "microwave",
        ("microwave oven", "microwave cooker"),
        ((0.28, 0.38, 0.22), (0.55, 0.65, 0.42)),
        12.0,
        microwave,
    ),
    Kind(
        "radio",
        "radio",
        ("table radio", "wireless", "radio set"),
        ((0.1, 0.2, 0.12), (0.3, 0.5, 0.6)),
        2.5,
        radio,
    ),
    Kind(
        "wall_clock",
        "wall clock",
        ("clock", "round clock"),
        ((0.02, 0.2, 0.2), (0.12, 0.6, 0.6)),
        1.0,
        wall_clock,
    ),
    Kind(
        "desk_fan",
        "desk fan",
        ("fan", "table fan", "electric fan", "ventilator"),
        ((0.15, 0.2, 0.28), (0.4, 0.5, 0.65)),
        2.5,
        desk_fan,
    ),
    Kind(
        "gramophone",
        "gramophone",
        ("phonograph", "record player", "old record player", "victrola"),
        ((0.3, 0.3, 0.4), (0.8, 0.7, 1.0)),
        9.0,
        gramophone,
    ),
)
