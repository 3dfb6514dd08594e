"""Fittings of halls and platforms: seats, columns, lights, safety equipment, a vending machine, a pigeon."""

from __future__ import annotations

from embodied_eval.worlds.library.kinds import Design, Kind, Lamp, switch
from embodied_eval.worlds.library.lettering import lettering
from embodied_eval.worlds.library.parts import ball, box, cone, cyl, rod

DAYLIGHT = (1.0, 0.97, 0.90)


def station_bench(seat: str = "lacquer_blue") -> Design:
    """A row of three metal seats on two feet, with arm rests at the ends."""
    seats = tuple(
        item
        for y in (-0.6, 0.0, 0.6)
        for item in (
            box((0.02, y, 0.42), (0.42, 0.54, 0.035), seat, bevel=0.015),
            box((-0.2, y, 0.47), (0.03, 0.54, 0.42), seat, bevel=0.012, rot=(0.0, -12.0, 0.0), solid=False),
        )
    )
    feet = tuple(box((0.0, y, 0.0), (0.4, 0.07, 0.36), "steel", bevel=0.02) for y in (-0.62, 0.62))
    arms = tuple(
        box((0.02, y, 0.44), (0.36, 0.04, 0.2), "rubber_black", bevel=0.012, solid=False) for y in (-0.9, 0.9)
    )
    beam = box((-0.02, 0.0, 0.36), (0.08, 1.84, 0.06), "steel", bevel=0.006)
    return Design((*feet, beam, *seats, *arms))


def column(height_m: float = 3.0, mat: str = "column_tile") -> Design:
    """A round tiled column with a dark foot."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.56, 0.16, "granite_dark", bevel=0.01),
            cyl((0.0, 0.0, 0.16), 0.5, height_m - 0.16, mat, bevel=0.0),
        )
    )


def litter_bin(color: str = "lacquer_green") -> Design:
    """A public litter bin: a round body with a yellow ring, a dark slot and a domed lid."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.44, 0.67, color, bevel=0.006),
            cyl((0.0, 0.0, 0.56), 0.448, 0.06, "plastic_yellow", bevel=0.0, solid=False),
            cyl((0.0, 0.0, 0.67), 0.36, 0.16, "plastic_black", bevel=0.0),
            ball((0.0, 0.0, 0.74), (0.46, 0.46, 0.2), color, solid=False),
        )
    )


def strip_light(length_m: float = 1.6, drop_m: float = 0.06, initial: str = "on") -> Design:
    """A long fluorescent lamp under the ceiling at z = 0, along x; it may hang `drop_m` below on a bar."""
    bar = (cyl((0.0, 0.0, -drop_m), 0.04, drop_m, "steel", bevel=0.0),) if drop_m > 0.1 else ()
    return Design(
        (
            box((0.0, 0.0, -drop_m), (length_m, 0.2, 0.06), "enamel_white", bevel=0.015),
            box(
                (0.0, 0.0, -drop_m - 0.03),
                (length_m - 0.06, 0.13, 0.035),
                "light_tube",
                bevel=0.01,
                solid=False,
            ),
            *bar,
        ),
        switch(initial),
        Lamp((0.0, 0.0, -drop_m - 0.3), DAYLIGHT, 1.0, 6.5),
    )


def bulkhead_light(initial: str = "on") -> Design:
    """A round tunnel lamp behind two guard bars; its back is on the wall."""
    return Design(
        (
            cyl((0.03, 0.0, -0.03), 0.3, 0.06, "iron", bevel=0.01, rot=(0.0, 90.0, 0.0)),
            ball((0.07, 0.0, -0.11), (0.14, 0.22, 0.22), "bulb", solid=False),
            rod((0.145, -0.11, 0.0), (0.145, 0.11, 0.0), 0.014, "iron"),
            rod((0.145, 0.0, -0.11), (0.145, 0.0, 0.11), 0.014, "iron"),
        ),
        switch(initial),
        Lamp((0.3, 0.0, 0.0), (1.0, 0.82, 0.58), 0.9, 5.5),
    )


def security_camera() -> Design:
    """A surveillance camera on its bracket; its back is on the wall, it looks along +x and down."""
    return Design(
        (
            box((0.01, 0.0, -0.06), (0.02, 0.12, 0.12), "enamel_white", bevel=0.004),
            rod((0.01, 0.0, 0.0), (0.16, 0.0, 0.02), 0.03, "enamel_white"),
            box((0.24, 0.0, -0.06), (0.32, 0.12, 0.12), "enamel_white", bevel=0.02, rot=(0.0, 18.0, 0.0)),
            cyl((0.395, 0.0, -0.09), 0.09, 0.07, "plastic_black", rot=(0.0, 108.0, 0.0), solid=False),
            ball((0.3, 0.066, -0.02), 0.018, "plastic_red", solid=False),
        )
    )


def fire_extinguisher() -> Design:
    """A red fire extinguisher on its wall bracket, with valve, hose and label."""
    return Design(
        (
            box((0.01, 0.0, 0.1), (0.02, 0.12, 0.4), "steel", bevel=0.004),
            cyl((0.1, 0.0, 0.0), 0.16, 0.43, "plastic_red", bevel=0.04),
            cyl((0.1, 0.0, 0.43), 0.05, 0.1, "plastic_black"),
            rod((0.1, -0.03, 0.54), (0.1, 0.1, 0.56), 0.024, "plastic_black"),
            rod((0.12, -0.03, 0.5), (0.17, -0.1, 0.36), 0.024, "plastic_black"),
            rod((0.17, -0.1, 0.36), (0.16, -0.095, 0.1), 0.024, "plastic_black"),
            box((0.172, 0.0, 0.14), (0.02, 0.09, 0.14), "enamel_white", bevel=0.0, solid=False),
        )
    )


def help_point() -> Design:
    """An emergency call post: "SOS", a red button, a speaker and a telephone handset."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.4, 0.04, "steel", bevel=0.012),
            box((0.0, 0.0, 0.04), (0.2, 0.34, 1.82), "plastic_red", bevel=0.03),
            box((0.1005, 0.0, 1.5), (0.006, 0.3, 0.24), "sign_blue", bevel=0.0, solid=False),
            *lettering("SOS", 0.105, 0.0, 1.57, 0.1, "sign_white"),
            box((0.1005, 0.0, 0.86), (0.008, 0.28, 0.56), "steel", bevel=0.003, solid=False),
            cyl(
                (0.108, 0.06, 1.25), 0.1, 0.024, "plastic_red", bevel=0.008, rot=(0.0, 90.0, 0.0), solid=False
            ),
            cyl(
                (0.106, 0.06, 1.04), 0.12, 0.006, "black_metal", bevel=0.0, rot=(0.0, 90.0, 0.0), solid=False
            ),
            rod((0.135, -0.07, 0.94), (0.135, -0.07, 1.18), 0.036, "plastic_black"),
            ball((0.125, -0.07, 1.14), (0.06, 0.08, 0.08), "plastic_black", solid=False),
            ball((0.125, -0.07, 0.89), (0.06, 0.08, 0.08), "plastic_black", solid=False),
            rod((0.13, -0.07, 0.9), (0.11, 0.0, 0.62), 0.014, "plastic_black"),
        )
    )


def vending_machine(color: str = "plastic_red", initial: str = "on") -> Design:
    """A vending machine: four lit shelves of cans and packets, a keypad and a flap."""
    goods = tuple(
        cyl((0.4, -0.36 + 0.135 * k, z), 0.085, 0.2, mat, bevel=0.01, solid=False)
        for z, mats in (
            (0.68, ("can_orange", "can_green", "can_blue", "can_red", "can_orange")),
            (0.99, ("can_red", "can_blue", "can_red", "can_green", "can_blue")),
            (1.3, ("can_green", "can_orange", "can_red", "can_blue", "can_green")),
        )
        for k, mat in enumerate(mats)
    )
    return Design(
        (
            box((-0.05, 0.0, 0.0), (0.7, 1.02, 1.84), color, bevel=0.02),
            box((0.4, 0.43, 0.0), (0.2, 0.16, 1.84), color, bevel=0.015),
            box((0.4, -0.47, 0.5), (0.2, 0.08, 1.08), color, bevel=0.01),
            box((0.4, -0.08, 0.0), (0.2, 0.86, 0.5), color, bevel=0.015),
            box((0.4, -0.08, 1.58), (0.2, 0.86, 0.26), color, bevel=0.015),
            box((0.301, -0.04, 0.5), (0.008, 0.78, 1.08), "cabinet_light", bevel=0.0, solid=False),
            *(
                box((0.4, -0.04, z), (0.19, 0.78, 0.02), "steel", bevel=0.0, solid=False)
                for z in (0.66, 0.97, 1.28)
            ),
            *goods,
            box((0.5005, -0.06, 0.16), (0.006, 0.6, 0.2), "plastic_black", bevel=0.0, solid=False),
            box((0.5015, 0.43, 1.0), (0.006, 0.11, 0.26), "plastic_black", bevel=0.0, solid=False),
            box((0.505, 0.43, 1.18), (0.004, 0.08, 0.05), "display_green", bevel=0.0, solid=False),
            box((0.502, -0.05, 1.64), (0.006, 0.74, 0.14), "enamel_white", bevel=0.0, solid=False),
        ),
        switch(initial),
    )


def pigeon() -> Design:
    """A pigeon on its feet."""
    return Design(
        (
            box((0.01, 0.0, 0.0), (0.07, 0.08, 0.008), "plastic_orange", bevel=0.0),
            box((0.0, 0.0, 0.008), (0.016, 0.05, 0.06), "plastic_orange", bevel=0.0),
            ball((0.0, 0.0, 0.05), (0.23, 0.13, 0.13), "feather_grey", rot=(0.0, -18.0, 0.0)),
            cone((0.07, 0.0, 0.1), 0.09, 0.1, "feather_green", taper=0.6, rot=(0.0, 12.0, 0.0), solid=False),
            ball((0.095, 0.0, 0.18), (0.07, 0.06, 0.065), "feather_grey", solid=False),
            cone((0.14, 0.0, 0.193), 0.018, 0.03, "plastic_black", rot=(0.0, 95.0, 0.0), solid=False),
            ball((0.11, 0.0, 0.208), (0.014, 0.062, 0.014), "plastic_orange", solid=False),
            ball((-0.03, 0.0, 0.065), (0.2, 0.145, 0.1), "feather_dark", rot=(0.0, -14.0, 0.0), solid=False),
            box(
                (-0.135, 0.0, 0.07),
                (0.1, 0.07, 0.014),
                "feather_dark",
                bevel=0.004,
                rot=(0.0, -16.0, 0.0),
                solid=False,
            ),
        )
    )


KINDS = (
    Kind(
        "station_bench",
        "station bench",
        ("bench", "row of seats", "waiting seats", "metal bench"),
        ((0.35, 1.2, 0.6), (0.8, 2.4, 1.1)),
        45.0,
        station_bench,
    ),
    Kind(
        "column",
        "column",
        ("pillar", "tiled column", "support pillar", "post"),
        ((0.3, 0.3, 2.0), (0.9, 0.9, 6.0)),
        900.0,
        column,
    ),
    Kind(
        "litter_bin",
        "litter bin",
        ("trash can", "rubbish bin", "garbage can", "public bin"),
        ((0.3, 0.3, 0.6), (0.7, 0.7, 1.2)),
        25.0,
        litter_bin,
    ),
    Kind(
        "strip_light",
        "strip light",
        ("fluorescent lamp", "tube light", "neon light", "ceiling strip lamp"),
        ((0.8, 0.1, 0.06), (3.0, 0.4, 2.4)),
        4.0,
        strip_light,
    ),
    Kind(
        "bulkhead_light",
        "tunnel lamp",
        ("bulkhead light", "caged lamp", "wall light", "round wall lamp"),
        ((0.08, 0.15, 0.15), (0.3, 0.5, 0.5)),
        2.0,
        bulkhead_light,
    ),
    Kind(
        "security_camera",
        "security camera",
        ("surveillance camera", "cctv camera", "camera"),
        ((0.2, 0.08, 0.1), (0.6, 0.3, 0.4)),
        1.5,
        security_camera,
    ),
    Kind(
        "fire_extinguisher",
        "fire extinguisher",
        ("extinguisher", "red extinguisher"),
        ((0.1, 0.1, 0.4), (0.35, 0.35, 0.8)),
        9.0,
        fire_extinguisher,
    ),
    Kind(
        "help_point",
        "emergency phone",
        ("emergency call point", "help point", "sos post", "emergency call post"),
        ((0.2, 0.25, 1.4), (0.6, 0.6, 2.3)),
        60.0,
        help_point,
    ),
    Kind(
        "vending_machine",
        "vending machine",
        ("drinks machine", "snack machine", "drink dispenser"),
        ((0.6, 0.7, 1.5), (1.1, 1.4, 2.2)),
        260.0,
        vending_machine,
    ),
    Kind("pigeon", "pigeon", ("bird", "dove"), ((0.15, 0.08, 0.15), (0.4, 0.3, 0.35)), 0.35, pigeon),
)
