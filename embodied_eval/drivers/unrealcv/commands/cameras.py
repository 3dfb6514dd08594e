"""Commands of cameras: poses, sizes, pictures. Number 0 is the player's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from embodied_eval.drivers.unrealcv import formats, sensors
from embodied_eval.drivers.unrealcv.commands.registry import (
    INVALID,
    Handler,
    Refusal,
    Registry,
    natural,
    not_implemented,
    real,
    reals,
)

if TYPE_CHECKING:
    from embodied_eval.drivers.unrealcv.game import Game

MAX_CAMERAS = 64
MAX_FILES = 1000
_CAMERA = "/camera/[uint]"
_FILE = re.compile(r"[A-Za-z0-9_\-][A-Za-z0-9_.\-]{0,99}\.(png|bmp|npy)", re.ASCII)
VIEWMODES = (
    "lit",
    "unlit",
    "depth",
    "normal",
    "object_mask",
    "optical_flow",
    "base_color",
    "wireframe",
    "vertex_color",
    "no_transparency",
    "debug",
)
# Settings of a real renderer, and the one value of each that says what ours does anyway.
FIXED: dict[str, str | float] = {
    "projection_type [str]": "perspective",
    "exposure_method [str]": "manual",
    "exposure_bias [float]": 0.0,
    "reflection [str]": "none",
    "illumination [str]": "none",
    "motion_blur [float] [float] [float] [uint]": 0.0,
}
MISSING = (
    "ortho_width [float]",
    "lit_source [str]",
    "auto_speed [float] [float]",
    "auto_brightness [float] [float]",
    "physical_exposure [uint]",
    "focal [float] [float]",
)


def register(registry: Registry) -> None:
    """What every server knows."""
    registry.add("vget /cameras", "Names of the cameras", names)
    registry.add("vset /cameras/spawn", "Add a camera", spawn)
    for setting, what in (("location", "Location, cm"), ("rotation", "Pitch, yaw and roll, degrees")):
        get, put = (get_location, set_location) if setting == "location" else (get_rotation, set_rotation)
        registry.add(f"vget {_CAMERA}/{setting}", what, get)
        registry.add(f"vset {_CAMERA}/{setting} [float] [float] [float]", f"Set: {what}", put)
    registry.add(f"vset {_CAMERA}/moveto [float] [float] [float]", "Move the player until blocked", move_to)
    registry.add(f"vget {_CAMERA}/fov", "Horizontal field of view, degrees", get_fov)
    registry.add(f"vset {_CAMERA}/fov [float]", "Set the horizontal field of view", set_fov)
    registry.add(f"vget {_CAMERA}/size", "Width and height of pictures", get_size)
    registry.add(f"vset {_CAMERA}/size [uint] [uint]", "Set width and height of pictures", set_size)
    for view in sensors.VIEWS:
        form = "npy" if view == "depth" else "png or bmp"
        registry.add(f"vget {_CAMERA}/{view} [str]", f"Picture: {form}, or a file name", picture(view))
    registry.add(f"vget {_CAMERA}/optical_flow [str]", "Not implemented", not_implemented)
    for template, value in FIXED.items():
        registry.add(f"vset {_CAMERA}/{template}", f"Only {value}", fixed(value))
    for template in MISSING:
        registry.add(f"vset {_CAMERA}/{template}", "Not implemented", not_implemented)
    registry.add("vset /viewmode [str]", "View mode of the window", set_viewmode)
    registry.add("vget /viewmode", "View mode of the window", lambda game, _: game.viewmode)
    registry.add("vget /screenshot [str]", "The window in its view mode", screenshot)


def register_pose(registry: Registry) -> None:
    """What is documented, but not in the public server."""
    registry.add(f"vget {_CAMERA}/pose", "Location and rotation", get_pose)
    words = " ".join(["[float]"] * 6)
    registry.add(f"vset {_CAMERA}/pose {words}", "Set location and rotation", set_pose)
    registry.add(f"vget {_CAMERA}/horizontal_fieldofview", "Horizontal field of view", get_fov)
    registry.add(f"vset {_CAMERA}/horizontal_fieldofview [float]", "Set the field of view", set_fov)


def names(game: Game, _: tuple[str, ...]) -> str:
    """Every camera's name; a strict server leaves a space after the last."""
    return " ".join(camera.name for camera in game.cameras) + (" " if game.strict else "")


def spawn(game: Game, _: tuple[str, ...]) -> str:
    """A new camera at the player's eye."""
    if len(game.cameras) >= MAX_CAMERAS:
        raise Refusal(f"Failed to spawn: there are {MAX_CAMERAS} cameras already")
    first = game.camera("0")
    made = sensors.Camera(
        f"FusionCameraActor_{len(game.cameras)}", first.size, first.fov_deg, first.eye_m, first.rotation
    )
    game.cameras.append(made)
    return made.name


def get_location(game: Game, words: tuple[str, ...]) -> str:
    """Of camera 0, the player's eye."""
    return formats.numbers(formats.to_cm(game.camera(words[0]).eye_m), 3)


def set_location(game: Game, words: tuple[str, ...]) -> str:
    """Of camera 0, the player's origin, which is not the eye."""
    camera, place = game.camera(words[0]), formats.to_metres(reals(words[1:]))
    if camera is game.cameras[0]:
        game.put_pawn(place)
    else:
        camera.eye_m = place
    return "ok"


def move_to(game: Game, words: tuple[str, ...]) -> str:
    """The player's origin goes straight there, as far as nothing is in the way."""
    if game.camera(words[0]) is not game.cameras[0]:
        raise Refusal("MoveTo only supports the player camera with id 0")
    game.sweep_pawn(formats.to_metres(reals(words[1:])))
    return "ok"


def get_rotation(game: Game, words: tuple[str, ...]) -> str:
    """Pitch, yaw, roll."""
    return formats.numbers(game.camera(words[0]).rotation, 3)


def set_rotation(game: Game, words: tuple[str, ...]) -> str:
    """Of camera 0, the player's direction."""
    camera, rotation = game.camera(words[0]), reals(words[1:])
    if camera is game.cameras[0]:
        game.turn_pawn(rotation)
    else:
        camera.rotation = rotation
    return "ok"


def get_pose(game: Game, words: tuple[str, ...]) -> str:
    """Location, then rotation."""
    return f"{get_location(game, words)} {get_rotation(game, words)}"


def set_pose(game: Game, words: tuple[str, ...]) -> str:
    """Location, then rotation."""
    set_location(game, words[:4])
    return set_rotation(game, (words[0], *words[4:]))


def get_fov(game: Game, words: tuple[str, ...]) -> str:
    """Six decimals."""
    return f"{game.camera(words[0]).fov_deg:f}"


def set_fov(game: Game, words: tuple[str, ...]) -> str:
    """5 to 170 degrees."""
    camera, fov_deg = game.camera(words[0]), real(words[1])
    if not sensors.MIN_FOV <= fov_deg <= sensors.MAX_FOV:
        raise Refusal(INVALID)
    camera.fov_deg = fov_deg
    return "ok"


def get_size(game: Game, words: tuple[str, ...]) -> str:
    """Width and height."""
    return "{} {}".format(*game.camera(words[0]).size)


def set_size(game: Game, words: tuple[str, ...]) -> str:
    """1 to 4096 pixels a side."""
    camera, size = game.camera(words[0]), (natural(words[1]), natural(words[2]))
    if not all(1 <= side <= sensors.MAX_SIDE_PX for side in size):
        raise Refusal(INVALID)
    camera.size = size
    return "ok"


def picture(view: str) -> Handler:
    """The handler of one view's pictures: in the reply, or in a file whose name is the reply."""
    modality = sensors.VIEWS[view]

    def take(game: Game, words: tuple[str, ...]) -> str | bytes:
        camera, form = game.camera(words[0]), words[1]
        if not form:
            raise Refusal("Filename can not be empty")
        if form in ("png", "bmp", "npy"):
            return _taken(game, camera, view, modality, form)
        match = _FILE.fullmatch(form)
        if match is None:
            raise Refusal(f"Invalid filename type, filename {form[:100]}")
        path = game.folder / form
        if not path.exists() and sum(1 for _ in game.folder.iterdir()) >= MAX_FILES:
            raise Refusal(f"There are {MAX_FILES} files already")
        path.write_bytes(_taken(game, camera, view, modality, match[1]))
        return form

    return take


def _taken(game: Game, camera: sensors.Camera, view: str, modality: str, form: str) -> bytes:
    sensors.check_format(view, form, strict=game.strict)
    arrays = sensors.look(game.driver, camera, (modality,))
    palette = game.cast.palette(game.driver.objects() if modality == "mask" else {})
    return sensors.as_reply(view, form, arrays, palette, strict=game.strict)


def screenshot(game: Game, words: tuple[str, ...]) -> str | bytes:
    """Camera 0's picture in the window's view mode."""
    if game.viewmode not in sensors.VIEWS:
        raise Refusal("Not Implemented")
    return picture(game.viewmode)(game, ("0", words[0]))


def set_viewmode(game: Game, words: tuple[str, ...]) -> str:
    """Any of `VIEWMODES`; only lit, depth, normal and object_mask can be seen."""
    if words[0] not in VIEWMODES:
        raise Refusal(f"Can not set ViewMode to {words[0][:100]}")
    game.viewmode = words[0]
    return "ok"


def fixed(value: str | float) -> Handler:
    """The handler of a setting that has one value here."""

    def check(game: Game, words: tuple[str, ...]) -> str:
        game.camera(words[0])
        given = real(words[1]) if isinstance(value, float) else words[1].lower()
        if given != value:
            raise Refusal("Not Implemented")
        return "ok"

    return check
