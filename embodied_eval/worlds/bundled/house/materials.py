"""The surfaces that only this house has; everything else comes from the palette."""

from __future__ import annotations

from embodied_eval.worlds.model import Material

MATERIALS: dict[str, Material] = {
    "plaster_rose": Material("plaster", (0.88, 0.74, 0.64), (0.84, 0.70, 0.60), 1.2, 0.95),
    "plaster_bottle": Material("plaster", (0.27, 0.40, 0.34), (0.24, 0.37, 0.31), 1.2, 0.95),
    "plaster_butter": Material("plaster", (0.96, 0.88, 0.62), (0.93, 0.84, 0.58), 1.2, 0.95),
    "plaster_mint": Material("plaster", (0.78, 0.88, 0.84), (0.74, 0.84, 0.80), 1.2, 0.95),
    "panel_teal": Material("plain", (0.11, 0.31, 0.33), (0.10, 0.28, 0.30), 1.0, 0.5),
    "hall_chequer": Material("checker", (0.93, 0.90, 0.84), (0.20, 0.20, 0.22), 0.8, 0.3),
    "walnut_planks": Material("planks", (0.40, 0.26, 0.17), (0.31, 0.19, 0.12), 1.0, 0.4),
    "pine_planks": Material("planks", (0.87, 0.73, 0.52), (0.79, 0.64, 0.42), 1.2, 0.5),
    "slate_tile": Material("tile", (0.40, 0.43, 0.46), (0.29, 0.31, 0.33), 0.6, 0.5),
    "rug_teal": Material("rug", (0.13, 0.38, 0.40), (0.90, 0.76, 0.50), 0.5, 1.0),
    "rug_night": Material("rug", (0.36, 0.12, 0.16), (0.84, 0.68, 0.44), 0.6, 1.0),
    "rug_candy": Material("stripes", (0.93, 0.55, 0.50), (0.98, 0.93, 0.80), 0.3, 1.0),
    "doormat": Material("carpet", (0.45, 0.34, 0.22), (0.36, 0.26, 0.16), 0.04, 1.0),
    "leather_oxblood": Material("plain", (0.42, 0.12, 0.12), (0.38, 0.1, 0.1), 0.2, 0.4),
    "tent_stripes": Material("stripes", (0.28, 0.52, 0.70), (0.96, 0.94, 0.88), 0.22, 0.95),
    "shade_green": Material("plain", (0.10, 0.55, 0.30), (0.1, 0.5, 0.28), 1.0, 0.2, 0.0, 0.7),
    "chess_board": Material("checker", (0.90, 0.84, 0.70), (0.25, 0.15, 0.10), 0.1, 0.4),
    "lacquer_coral": Material("plain", (0.90, 0.45, 0.38), (0.86, 0.42, 0.35), 1.0, 0.4),
    "lacquer_sky": Material("plain", (0.45, 0.68, 0.83), (0.42, 0.64, 0.8), 1.0, 0.4),
    "picture_city": Material("picture", (0.25, 0.28, 0.40), (0.95, 0.66, 0.45), 1.0, 0.6),
    "picture_lake": Material("picture", (0.18, 0.46, 0.44), (0.86, 0.90, 0.86), 1.0, 0.6),
}
