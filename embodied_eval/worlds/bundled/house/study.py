"""The study: a desk at the window, a wall of books, a piano, armchairs before the fire."""

from __future__ import annotations

from embodied_eval.worlds.bundled.house.shell import NORTH_Y, STUDY_M, STUDY_TOP_M, STUDY_X, STUDY_Y
from embodied_eval.worlds.bundled.subway.builder import LevelBuilder
from embodied_eval.worlds.model import Bounds

DESCRIPTION = (
    "The study of a town house, half a storey above the hall. A desk with a computer stands at the window, "
    "bookcases line one wall, two leather armchairs face a fireplace. There are a piano, a chess table with "
    "chairs, a globe and a telescope. The fire, the lamps, the computer screen, the printer, the top drawer of "
    "the filing cabinet and the door can be operated."
)


def furnish_study(b: LevelBuilder) -> None:
    """Furnish x 0..6.6, y 8.44..12.2."""
    b.add_region(
        "study",
        "Study (home office)",
        Bounds((0.0, STUDY_Y, STUDY_M), (STUDY_X, NORTH_Y, STUDY_TOP_M)),
        DESCRIPTION,
    )
    b.level(STUDY_M, STUDY_TOP_M)
    desk = b.put("desk", 0.42, 10.35, wood="walnut")
    b.on(desk, "monitor", -0.04, -0.05)
    b.on(desk, "banker_lamp", -0.1, 0.52, shade="shade_green")
    b.on(desk, "book_stack", 0.0, -0.55, 15.0)
    b.on(desk, "mug", 0.18, 0.4, color="ceramic_white")
    b.put("office_chair", 1.12, 10.3, 180.0, fabric="leather_black")
    cabinet = b.put("filing_cabinet", 0.42, 11.85, -90.0)
    b.on(cabinet, "printer", 0.0, 0.0)
    b.put("waste_bin", 0.28, 9.35, color="brass")
    b.hang("pin_board", 0.0, 9.15, 1.6, 0.0, width_m=0.75, height_m=0.65)
    for x, y, yaw, books in (
        (1.5, 12.02, -90.0, ("books", "books_warm")),
        (4.1, 8.62, 90.0, ("books", "books_warm")),
        (5.1, 8.62, 90.0, ("books_warm", "books")),
    ):
        b.put("bookshelf", x, y, yaw, wood="walnut", books=books)
    piano = b.put("piano", 2.7, 8.76, 90.0)
    b.put("piano_stool", 2.7, 9.38, 90.0)
    b.on(piano, "candle", -0.1, 0.55)
    b.on(piano, "vase", -0.1, -0.5, color="ceramic_white")
    chess = b.put("chess_table", 3.1, 11.7, board="chess_board")
    b.on(chess, "mug", 0.26, 0.26, color="ceramic_red")
    b.put("dining_chair", 2.4, 11.65, wood="walnut", seat="leather_oxblood")
    b.put("dining_chair", 3.8, 11.65, 180.0, wood="walnut", seat="leather_oxblood")
    b.put("rug", 5.5, 10.35, length_m=1.15, width_m=0.9, pattern="rug_night")
    b.put("armchair", 5.4, 9.27, 80.0, fabric="leather_oxblood")
    b.put("armchair", 5.4, 11.45, -80.0, fabric="leather_oxblood")
    fire = b.put("marble_fireplace", 6.37, 10.25, 180.0)
    b.on(fire, "candle", 0.05, 0.6)
    b.on(fire, "candle", 0.05, -0.6)
    b.on(fire, "succulent", 0.05, 0.35)
    b.hang("painting", STUDY_X, 10.25, 1.75, 180.0, width_m=1.1, height_m=0.75, picture="picture_lake")
    b.put("floor_lamp", 6.25, 8.85, metal="brass")
    b.put("basket", 6.3, 9.3, 100.0)
    b.put("globe", 6.2, 11.75)
    b.put("telescope", 4.6, 11.6, 60.0)
    b.hang("wall_clock", 2.7, STUDY_Y, 1.85, 90.0)
    b.hang("painting", 3.1, NORTH_Y, 1.75, -90.0, width_m=0.9, height_m=0.6, picture="picture_dusk")
    b.overhead("ceiling_lamp", 3.1, 10.3, initial="off")
    b.add_spawn("study", 1.9, 10.4, 10.0)
    b.add_spawn("study_2", 4.5, 10.6, 200.0)
    for name, x, y in (
        ("by_desk", 1.85, 10.6),
        ("by_books", 4.2, 9.2),
        ("by_piano", 3.4, 9.7),
        ("by_fire", 5.4, 10.25),
        ("by_chess_table", 3.1, 10.9),
    ):
        b.add_point(name, x, y)
