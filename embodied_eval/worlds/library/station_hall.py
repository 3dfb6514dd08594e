"""Things of a ticket hall: machines, barriers, booths, luggage."""

from __future__ import annotations

from embodied_eval.worlds.library.kinds import Design, Kind, hinged, switch
from embodied_eval.worlds.library.lettering import lettering
from embodied_eval.worlds.library.parts import ball, box, cyl, pill, rod
from embodied_eval.worlds.model import Primitive


def ticket_machine(initial: str = "on") -> Design:
    """A ticket machine with a lit header, a touch screen, a card reader and a tray."""
    return Design(
        (
            box((-0.02, 0.0, 0.0), (0.46, 0.84, 0.1), "plastic_black", bevel=0.004),
            box((0.0, 0.0, 0.1), (0.52, 0.9, 1.5), "lacquer_blue", bevel=0.015),
            box((0.0, 0.0, 1.6), (0.56, 0.94, 0.28), "header_yellow", bevel=0.015),
            *lettering("TI", 0.283, -0.16, 1.68, 0.13, "plastic_black"),
            *lettering("K", 0.283, 0.06, 1.68, 0.13, "plastic_black"),
            box((0.2605, -0.12, 0.98), (0.008, 0.56, 0.5), "plastic_black", bevel=0.003, solid=False),
            box((0.265, -0.12, 1.01), (0.003, 0.5, 0.44), "ticket_screen", bevel=0.0, solid=False),
            box((0.262, 0.31, 1.2), (0.01, 0.18, 0.24), "steel", bevel=0.003, solid=False),
            box((0.268, 0.31, 1.3), (0.004, 0.1, 0.014), "plastic_black", bevel=0.0, solid=False),
            cyl(
                (0.268, 0.31, 1.237), 0.055, 0.006, "display_green", bevel=0.0, rot=(0.0, 90.0, 0.0), solid=False
            ),
            box((0.263, 0.31, 0.98), (0.012, 0.18, 0.16), "steel", bevel=0.003, solid=False),
            box((0.27, 0.31, 1.0), (0.004, 0.13, 0.12), "plastic_black", bevel=0.0, solid=False),
            box((0.262, -0.05, 0.5), (0.01, 0.52, 0.26), "steel", bevel=0.004, solid=False),
            box((0.267, -0.05, 0.53), (0.004, 0.46, 0.16), "plastic_black", bevel=0.0, solid=False),
        ),
        switch(initial),
    )


def ticket_barrier(initial: str = "closed") -> Design:
    """A ticket barrier: a steel cabinet along x whose red flap closes the lane on its +y side.

    The lane is meant to be 0.96 m wide; the flap swings to +x. Its arrow glows while it is open.
    """
    gate = hinged("flap", (0.0, 0.175, 0.0), -90.0, seconds=0.6)
    return Design(
        (
            box((0.0, 0.0, 0.0), (1.5, 0.24, 0.06), "plastic_black", bevel=0.004),
            box((0.0, 0.0, 0.06), (1.56, 0.28, 0.86), "steel", bevel=0.04),
            box((0.0, 0.0, 0.92), (1.6, 0.29, 0.06), "rubber_black", bevel=0.025),
            cyl((0.62, 0.0, 0.978), 0.16, 0.02, "plastic_yellow", bevel=0.006, solid=False),
            box((0.7805, 0.0, 0.56), (0.006, 0.16, 0.24), "plastic_black", bevel=0.0, solid=False),
            *lettering("v", 0.785, 0.0, 0.63, 0.12, "display_green"),
            cyl((0.0, 0.175, 0.2), 0.06, 0.72, "rubber_black", part="flap"),
            box((0.0, 0.61, 0.24), (0.03, 0.8, 0.64), "plastic_red", bevel=0.012, part="flap"),
            box((0.0, 0.61, 0.5), (0.034, 0.62, 0.12), "enamel_white", bevel=0.0, part="flap", solid=False),
        ),
        gate if initial == "closed" else _opened(gate),
    )


def _opened(gate: object) -> object:
    raise NotImplementedError
