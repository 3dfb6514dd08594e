"""What only a real UE5 game can show, asked of the one that is configured; each answer is one line of `doctor`.

Everything happens in front of a camera of its own, far above the level, with a cube of its own, and around the pawn,
which is put back. A game may answer `ok` to what it does not do, so nothing counts that was not seen or read back.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from embodied_eval.drivers.unrealcv import formats
from embodied_eval.drivers.unrealcv.asking import texts, works
from embodied_eval.drivers.unrealcv.cameras import Camera, View
from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.errors import CommandFailed

if TYPE_CHECKING:
    from numpy.typing import NDArray

Status = Literal["ok", "broken", "untested"]
Answer = tuple[Status, str]

CUBE = "embodied_eval_doctor"
SIZE_PX = (64, 48)
FOV_DEG = 90.0
# Higher than any level reaches, where nothing else is in front of the camera.
ABOVE_M = 100.0
AHEAD_M = 3.0
SWEEP_CM, FREE_CM = 150.0, 140.0
HOVER_CM, LIFTED_CM, FELL_CM = 2.0, 100.0, 1.0
SAME_CM = 0.1
COLOURS = ((201, 99, 51), (15, 129, 249), (63, 3, 27))
PLACE = "vget /camera/0/location"
Point = tuple[float, float, float]


class Stand:
    """The game paused, a camera high above it and a cube before that camera; `leave` puts everything back, except
    that UnrealCV cannot remove a camera."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.was_paused = client.text("vget /action/game/is_paused").strip() == "true"
        self.pause_toggles = self._pause()
        eye = formats.parse_vector(client.text(PLACE))
        # The camera is the eye; what is moved is the pawn's origin, some way below it.
        client.text(f"vset /camera/0/location {formats.numbers(eye)}")
        self.lift_cm = formats.parse_vector(client.text(PLACE))[2] - eye[2]
        self.origin: Point = (eye[0], eye[1], eye[2] - self.lift_cm)
        self.put_pawn(self.origin)
        self.camera = Camera(client)
        x, y, z = formats.to_metres(eye)
        self.high: Point = (x, y, z + ABOVE_M)
        if CUBE in formats.parse_names(client.text("vget /objects")):
            client.text(f"vset /object/{CUBE}/destroy")
        self.cube = client.text(f"vset /objects/spawn_cube {CUBE}").strip()
        low, high = formats.parse_box(client.text(f"vget /object/{self.cube}/bounds"))
        # A cube has 100 of the game's units, whatever those are worth.
        self.one_metre = 100.0 / (high[0] - low[0])
        self.blocked = False

    def leave(self) -> None:
        """Remove the cube, put the pawn back, and let time pass if it did."""
        self.client.text(f"vset /object/{self.cube}/destroy")
        self.put_pawn(self.origin)
        if not self.was_paused:
            self.client.text("vset /action/game/resume")

    def _pause(self) -> bool:
        self.client.text("vset /action/game/pause")
        if self.client.text("vget /action/game/is_paused").strip() == "true":
            return False
        self.client.text("vset /action/game/pause")
        return True

    def put_pawn(self, origin: Point) -> None:
        """Put the pawn's origin there at once, cm."""
        self.client.text(f"vset /camera/0/location {formats.numbers(origin)}")

    def pawn(self) -> Point:
        """Where the pawn's origin is, cm."""
        x, y, z = formats.parse_vector(self.client.text(PLACE))
        return (x, y, z - self.lift_cm)

    def put_cube(self, middle_cm: Point, scale: Point = (1.0, 1.0, 1.0)) -> formats.Box:
        """Put the cube's middle there, its edges `scale` metres long; its bounds then, cm."""
        path = f"/object/{self.cube}"
        factors = tuple(factor * self.one_metre for factor in scale)
        texts(
            self.client,
            [
                f"vset {path}/scale {formats.numbers(factors)}",
                f"vset {path}/location {formats.numbers(middle_cm)}",
            ],
        )
        low, high = formats.parse_box(self.client.text(f"vget {path}/bounds"))
        off = [(a + b) / 2 - wanted for a, b, wanted in zip(low, high, middle_cm, strict=True)]
        if max(map(abs, off)) > SAME_CM:
            # Its origin is not its middle.
            moved = tuple(at - by for at, by in zip(middle_cm, off, strict=True))
            self.client.text(f"vset {path}/location {formats.numbers(moved)}")
        return formats.parse_box(self.client.text(f"vget {path}/bounds"))

    def cube_ahead(self, scale: Point = (1.0, 1.0, 1.0)) -> formats.Box:
        """Put the cube before the high camera."""
        x, y, z = formats.to_cm(self.high)
        return self.put_cube((x + AHEAD_M * 100.0, y, z), scale)

    def view(self, yaw_deg: float = 0.0) -> View:
        """What the high camera sees in that direction."""
        return View(self.high, yaw_deg, 0.0, SIZE_PX, FOV_DEG)

    def picture(self, kind: str, yaw_deg: float = 0.0) -> NDArray[Any]:
        """A picture of the high camera, taken in the same frame in which it is put there."""
        body = self.camera.shoot(self.view(yaw_deg), [kind])[0]
        return self.client.read_image(self.camera.ask(kind), body)


def timing(stand: Stand) -> Answer:
    """How long a question takes, and whether a batch takes as long as one question."""
    ask, count = stand.client.text, 10
    began = time.perf_counter()
    for _ in range(count):
        ask(PLACE)
    single_ms = (time.perf_counter() - began) / count * 1000.0
    began = time.perf_counter()
    try:
        texts(stand.client, [PLACE] * 20)
    except CommandFailed as error:
        return "broken", f"no batches: {error.message}"
    batch_ms = (time.perf_counter() - began) * 1000.0
    return "ok", f"a question takes {single_ms:.1f} ms, a batch of 20 takes {batch_ms:.1f} ms"


def camera(stand: Stand) -> Answer:
    """Whether a spawned camera takes a pose at once, while the game is paused."""
    import numpy as np

    stand.cube_ahead()
    first, other = stand.picture("lit"), stand.picture("lit", 90.0)
    later, back = stand.picture("lit", 90.0), stand.picture("lit")

    def differ(a: NDArray[Any], b: NDArray[Any]) -> float:
        return float(np.abs(a.astype(float) - b).mean())

    turned = max(differ(first, other), differ(first, later), differ(later, back))
    if turned < 0.5:
        return "untested", "both directions look the same: no cube is to be seen"
    off = max(differ(other, later), differ(first, back))
    number = stand.camera.number
    if off > turned / 4.0:
        return "broken", f"camera {number} shows another direction than it was turned to in the same frame"
    return "ok", f"camera {number} takes a pose at once, also while the game is paused"


def masks(stand: Stand) -> Answer:
    """Whether masks show exactly the colours that were given, and nothing between them."""
    stand.cube_ahead()
    read, mixed, gamma = [], 0, True
    for colour in COLOURS:
        stand.client.text("vset /object/{}/color {} {} {}".format(stand.cube, *colour))
        mask = stand.picture("object_mask")
        middle = tuple(int(value) for value in mask[SIZE_PX[1] // 2, SIZE_PX[0] // 2])
        around = mask[0, 0]
        mixed += int(
            (~((mask == mask[SIZE_PX[1] // 2, SIZE_PX[0] // 2]).all(-1) | (mask == around).all(-1))).sum()
        )
        read.append(middle)
        gamma = gamma and middle == tuple(map(_encoded, colour))
    if mixed:
        return (
            "broken",
            f"{mixed} pixels have neither the cube's colour nor the background's: edges are smoothed",
        )
    if tuple(read) == COLOURS:
        return "ok", f"the {len(COLOURS)} colours that were given are shown exactly"
    if gamma:
        return "ok", "colours come out sRGB encoded, always in the same way; the driver reads them so"
    return "broken", f"given {COLOURS[0]}, shown {read[0]}"


def _encoded(value: int) -> int:
    """A channel taken for linear light and written as sRGB (IEC 61966-2-1)."""
    linear = value / 255.0
    return round(255.0 * (12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055))


def depth(stand: Stand) -> Answer:
    """Whether depth is the distance along the view axis in the unit that is set."""
    box = stand.cube_ahead((1.0, 8.0, 8.0))
    expected_m = (box[0][0] - formats.to_cm(stand.high)[0]) / 100.0
    picture = stand.picture("depth")
    height, width = picture.shape
    middle, corner = float(picture[height // 2, width // 2]), float(picture[0, 0])
    if not (math.isfinite(middle) and math.isfinite(corner)):
        return "broken", f"a wall at {expected_m:.2f} m has no depth"
    if abs(middle / expected_m - 1.0) > 0.01:
        worth = stand.client.metres_a_unit * expected_m / middle
        return "broken", (
            f"a wall at {expected_m:.3f} m reads {middle:.3f} m: a unit of depth is worth {worth:.6f} m "
            "(depth_metres_a_unit of the pack)"
        )
    # Half a pixel inside the corner of the view.
    across, up = (1.0 - 1.0 / width), (1.0 - 1.0 / height) * height / width
    radial = expected_m * math.hypot(1.0, across, up)
    if abs(corner / expected_m - 1.0) <= 0.01:
        return "ok", f"a wall at {expected_m:.3f} m reads {middle:.3f} m, along the view axis"
    if abs(corner / radial - 1.0) <= 0.01:
        return "broken", "depth is the length of the ray, not the distance along the view axis"
    return "broken", f"a flat wall at {expected_m:.3f} m reads {corner:.3f} m in the picture's corner"


def move_to(stand: Stand) -> Answer:
    """Whether a cube stops the pawn's sweep."""
    free = _free_direction(stand)
    if free is None:
        return "untested", "no 1.5 m of free way around the pawn"
    reached, face = _swept(stand, free), _cube_in_way(stand, free)
    stopped = _swept(stand, free)
    stand.blocked = stopped < face
    told = f"free {reached:.0f} cm, with a cube {face:.0f} cm ahead {stopped:.0f} cm"
    return (
        ("ok", f"a sweep stops at a cube: {told}") if stand.blocked else ("broken", f"nothing stops: {told}")
    )


def vexec(stand: Stand) -> Answer:
    """Whether functions of actors can be called, tried with the cube's collision."""
    command = f"vexec {stand.cube} SetActorEnableCollision"
    try:
        stand.client.text(f"{command} false")
    except CommandFailed as error:
        kind = formats.reason(error.message)
        why = "no console, as in shipping builds" if kind == "no_console" else error.message
        return "broken", f"no functions can be called: {why}"
    free = _free_direction(stand) if stand.blocked else None
    if free is None:
        return "untested", "answered ok; that it takes effect could not be seen"
    face = _cube_in_way(stand, free)
    passed = _swept(stand, free) > face
    works(stand.client, f"{command} true")
    if passed:
        return "ok", "functions can be called: without collision the cube lets the pawn through"
    return "broken", "answered ok, but the cube without collision still stops the pawn"


def pause(stand: Stand) -> Answer:
    """Whether a pause stops what moves: a pawn in the air."""
    x, y, z = stand.origin
    text = stand.client.text
    stand.put_pawn((x, y, z + LIFTED_CM))
    before = stand.pawn()
    for _ in range(5):
        held = math.dist(stand.pawn(), before) < SAME_CM
    if not held:
        return "broken", "the pawn falls although the game says that it is paused"
    text("vset /action/game/resume")
    try:
        fell = any(stand.pawn()[2] < before[2] - FELL_CM for _ in range(60))
        walked = False if fell else _walks(stand)
    finally:
        text("vset /action/game/pause")
        if text("vget /action/game/is_paused").strip() != "true":
            text("vset /action/game/pause")
        stand.put_pawn(stand.origin)
    note = "; `pause` ends a pause too" if stand.pause_toggles else ""
    if fell:
        return "ok", f"a pawn in the air stays there while paused and falls afterwards{note}"
    if walked:
        return "ok", f"a pawn stays while paused and walks afterwards{note}"
    return "untested", f"the pawn neither falls nor walks by itself, so nothing shows that time stops{note}"


def _walks(stand: Stand) -> bool:
    before = stand.pawn()
    if not works(stand.client, "vset /action/keyboard W 0.5"):
        return False
    return any(math.dist(stand.pawn(), before) > FELL_CM for _ in range(60))


def _free_direction(stand: Stand) -> Point | None:
    """A direction along an axis in which the pawn can sweep freely, with the cube out of the way."""
    stand.cube_ahead()
    directions: tuple[Point, ...] = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0))
    return next((way for way in directions if _swept(stand, way) >= FREE_CM), None)


def _cube_in_way(stand: Stand, way: Point) -> float:
    """Put the cube in the way; how far its near face is from the pawn's origin, cm."""
    x, y, z = stand.origin
    low, high = stand.put_cube((x + way[0] * SWEEP_CM, y + way[1] * SWEEP_CM, z))
    axis = 0 if way[0] else 1
    return min(abs(low[axis] - stand.origin[axis]), abs(high[axis] - stand.origin[axis]))


def _swept(stand: Stand, way: Point) -> float:
    """How far the pawn comes that way, cm; it is back afterwards."""
    x, y, z = stand.origin
    start = (x, y, z + HOVER_CM)
    stand.put_pawn(start)
    goal = formats.numbers((x + way[0] * SWEEP_CM, y + way[1] * SWEEP_CM, start[2]))
    _, place = texts(stand.client, [f"vset /camera/0/moveto {goal}", PLACE])
    reached = formats.parse_vector(place)
    stand.put_pawn(stand.origin)
    return math.dist(reached[:2], start[:2])


QUESTIONS: dict[str, Callable[[Stand], Answer]] = {
    "timing": timing,
    "camera": camera,
    "masks": masks,
    "depth": depth,
    "moveto": move_to,
    "vexec": vexec,
    "pause": pause,
}
"""By name, in the order in which they are asked: the later ones build on the earlier ones."""
