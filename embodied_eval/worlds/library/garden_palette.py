"""Materials of gardens and cottages: leaves, bark, stone, straw, water, paint."""

from __future__ import annotations

from embodied_eval.worlds.model import Material

GROUND: dict[str, Material] = {
    "meadow": Material("grass", (0.45, 0.54, 0.24), (0.36, 0.45, 0.19), 1.7, 1.0),
    "gravel": Material("carpet", (0.83, 0.75, 0.62), (0.67, 0.59, 0.47), 1.3, 1.0),
    "bark_mulch": Material("carpet", (0.44, 0.31, 0.21), (0.31, 0.21, 0.14), 0.7, 1.0),
    "flagstone": Material("tile", (0.70, 0.65, 0.57), (0.52, 0.48, 0.42), 0.7, 0.9),
    "field_stone": Material("concrete", (0.64, 0.60, 0.54), (0.50, 0.47, 0.42), 0.7, 0.95),
    "field_stone_dark": Material("concrete", (0.50, 0.47, 0.44), (0.41, 0.39, 0.36), 0.6, 0.95),
    "garden_soil": Material("carpet", (0.36, 0.26, 0.18), (0.25, 0.18, 0.12), 0.4, 1.0),
    "pond_mud": Material("carpet", (0.30, 0.27, 0.19), (0.22, 0.20, 0.14), 0.8, 1.0),
    "pond_water": Material("water", (0.26, 0.43, 0.42), (0.50, 0.65, 0.63), 2.2, 0.5),
    "far_wood": Material("carpet", (0.30, 0.43, 0.24), (0.38, 0.50, 0.28), 9.0, 1.0),
}
TREES: dict[str, Material] = {
    "birch_bark": Material("marble", (0.94, 0.92, 0.88), (0.40, 0.37, 0.34), 0.45, 0.9),
    "fir_bark": Material("bark", (0.42, 0.29, 0.21), (0.28, 0.19, 0.14), 0.3, 0.95),
    "crown_apple": Material("leaf", (0.46, 0.61, 0.26), (0.32, 0.48, 0.18), 0.45, 0.95),
    "crown_birch": Material("leaf", (0.63, 0.71, 0.30), (0.49, 0.60, 0.22), 0.38, 0.95),
    "crown_fir": Material("leaf", (0.21, 0.39, 0.26), (0.13, 0.28, 0.18), 0.3, 0.95),
    "crown_willow": Material("leaf", (0.63, 0.70, 0.38), (0.49, 0.59, 0.28), 0.32, 0.95),
    "shrub_leaf": Material("leaf", (0.36, 0.54, 0.27), (0.25, 0.42, 0.19), 0.28, 0.95),
}
FLOWERS: dict[str, Material] = {
    "petal_red": Material("plain", (0.86, 0.16, 0.16), (0.8, 0.12, 0.12), 1.0, 0.8),
    "petal_violet": Material("plain", (0.55, 0.36, 0.72), (0.5, 0.3, 0.66), 1.0, 0.8),
    "petal_orange": Material("plain", (0.97, 0.56, 0.16), (0.92, 0.5, 0.12), 1.0, 0.8),
    "petal_blue": Material("plain", (0.36, 0.48, 0.82), (0.3, 0.42, 0.76), 1.0, 0.8),
    "seed_brown": Material("carpet", (0.36, 0.24, 0.14), (0.26, 0.17, 0.1), 0.05, 1.0),
    "reed_green": Material("plain", (0.45, 0.60, 0.27), (0.4, 0.54, 0.22), 1.0, 0.8),
    "reed_brown": Material("plain", (0.40, 0.26, 0.15), (0.35, 0.22, 0.12), 1.0, 0.9),
    "lily_green": Material("plain", (0.27, 0.50, 0.24), (0.22, 0.44, 0.2), 1.0, 0.5),
    "cabbage_green": Material("leaf", (0.56, 0.72, 0.50), (0.42, 0.60, 0.38), 0.2, 0.8),
    "pumpkin_orange": Material("plain", (0.93, 0.50, 0.12), (0.88, 0.44, 0.1), 1.0, 0.55),
    "straw": Material("carpet", (0.88, 0.75, 0.43), (0.74, 0.59, 0.30), 0.12, 1.0),
}
COTTAGE: dict[str, Material] = {
    "limewash": Material("plaster", (0.96, 0.92, 0.83), (0.90, 0.85, 0.75), 1.6, 0.95),
    "room_cream": Material("plaster", (0.94, 0.88, 0.74), (0.90, 0.83, 0.69), 1.4, 0.95),
    "room_rose": Material("plaster", (0.87, 0.73, 0.67), (0.83, 0.69, 0.63), 1.4, 0.95),
    "roof_tile": Material("brick", (0.69, 0.36, 0.25), (0.44, 0.22, 0.16), 1.1, 0.85),
    "chimney_brick": Material("brick", (0.66, 0.38, 0.28), (0.78, 0.72, 0.64), 0.6, 0.9),
    "cottage_planks": Material("planks", (0.62, 0.44, 0.28), (0.51, 0.35, 0.21), 1.6, 0.6),
    "weathered_wood": Material("wood", (0.60, 0.53, 0.45), (0.48, 0.42, 0.35), 0.4, 0.9),
    "shed_boards": Material("planks", (0.56, 0.38, 0.25), (0.44, 0.29, 0.18), 1.9, 0.9),
    "picket_white": Material("plain", (0.95, 0.94, 0.90), (0.92, 0.91, 0.87), 1.0, 0.6),
    "shutter_blue": Material("plain", (0.30, 0.49, 0.62), (0.26, 0.44, 0.56), 1.0, 0.6),
    "boat_red": Material("plain", (0.66, 0.20, 0.16), (0.6, 0.16, 0.13), 1.0, 0.5),
    "can_zinc": Material("metal", (0.62, 0.66, 0.68), (0.54, 0.58, 0.60), 0.3, 0.4, 0.35),
    "hive_yellow": Material("plain", (0.93, 0.76, 0.33), (0.88, 0.7, 0.28), 1.0, 0.7),
    "hive_green": Material("plain", (0.52, 0.66, 0.50), (0.47, 0.6, 0.45), 1.0, 0.7),
    "hive_blue": Material("plain", (0.50, 0.64, 0.74), (0.45, 0.58, 0.68), 1.0, 0.7),
    "log_end": Material("wood", (0.86, 0.72, 0.50), (0.76, 0.60, 0.38), 0.12, 0.9),
    "feather_white": Material("carpet", (0.94, 0.92, 0.88), (0.86, 0.84, 0.79), 0.06, 0.9),
    "feather_brown": Material("carpet", (0.66, 0.42, 0.24), (0.52, 0.31, 0.17), 0.06, 0.9),
    "drake_green": Material("plain", (0.12, 0.40, 0.28), (0.1, 0.35, 0.24), 1.0, 0.4),
    "gingham": Material("checker", (0.84, 0.22, 0.20), (0.95, 0.92, 0.87), 0.3, 0.95),
    "parasol_stripes": Material("stripes", (0.93, 0.78, 0.40), (0.96, 0.93, 0.86), 0.5, 0.95),
    "lantern_glow": Material("plain", (1.0, 0.84, 0.52), (1.0, 0.8, 0.45), 1.0, 0.5, 0.0, 0.9),
    "soot": Material("plain", (0.08, 0.07, 0.07), (0.06, 0.05, 0.05), 1.0, 1.0),
}
GARDEN: dict[str, Material] = {**GROUND, **TREES, **FLOWERS, **COTTAGE}
