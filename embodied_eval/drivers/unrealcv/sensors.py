"""The server's cameras: from an eye anywhere, with its own field of view and roll, to an UnrealCV picture."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from embodied_eval.drivers.base import PITCH_LIMIT_DEG, Driver, Vec3
from embodied_eval.drivers.unrealcv import formats, images
from embodied_eval.drivers.unrealcv.commands.registry import Refusal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[Any]]

MAX_SIDE_PX = 4096
MIN_FOV, MAX_FOV = 5.0, 170.0
VIEWS = {"lit": "rgb", "depth": "depth", "normal": "normals", "object_mask": "mask", "seg": "mask"}


@dataclass
class Camera:
    """A camera. `eye_m` and `rotation` (UnrealCV's pitch, yaw, roll in degrees) are its own unless it is the
    player's, number 0; `fov_deg` is horizontal, `size` (width, height) pixels."""

    name: str
    size: tuple[int, int]
    fov_deg: float
    eye_m: Vec3 = (0.0, 0.0, 0.0)
    rotation: Vec3 = (0.0, 0.0, 0.0)


def look(driver: Driver, camera: Camera, modalities: Collection[str]) -> Arrays:
    """The arrays of `Frame` that `camera` sees now, by modality. Raises `Refusal` where the driver shows only
    what the agent could see."""
    yaw, pitch = formats.view_from_unreal(camera.rotation)
    roll = formats.wrapped(camera.rotation[2])
    take = _taker(driver, camera.eye_m, yaw, pitch)
    if roll == 0.0:
        return take(camera.size, camera.fov_deg, modalities)
    return _rolled(take, camera, roll, modalities)


def check_format(view: str, form: str, *, strict: bool) -> None:
    """Raises `Refusal` for a format that the view does not come in: depth is npy, colours are npy only where the
    server is not strict."""
    legal = ("npy",) if view == "depth" else ("png", "bmp") if strict else ("png", "bmp", "npy")
    if form not in legal:
        raise Refusal(f"Invalid filename type, filename {form}")


def as_reply(view: str, form: str, arrays: Arrays, palette: NDArray[np.uint8], *, strict: bool) -> bytes:
    """The picture `view` of `arrays` as UnrealCV sends it, in `form` png, bmp or npy.

    A colour's alpha is 255, but 0 in a strict server's `lit`, whose clients must not rely on it.
    """
    import numpy as np

    if view == "depth":
        return images.encode_npy(images.depth_to_cm(arrays["depth"]))
    if view == "lit":
        colours = arrays["rgb"]
    elif view == "normal":
        colours = images.normals_to_colour(arrays["normals"])
        colours[~arrays["normals"].any(axis=-1)] = 0
    else:
        colours = palette[arrays["mask"] + 1]
    alpha = 0 if strict and view == "lit" else 255
    if form == "bmp":
        return images.encode_bmp(colours, alpha)
    if form == "png":
        return images.encode_png(colours, alpha)
    return images.encode_npy(np.dstack([colours, np.full(colours.shape[:2], alpha, np.uint8)]))


Taker = Callable[[tuple[int, int], float, Collection[str]], "Arrays"]


def _taker(driver: Driver, eye_m: Vec3, yaw_deg: float, pitch_deg: float) -> Taker:
    from embodied_eval.drivers.world_driver import WorldDriver

    def free(size: tuple[int, int], fov_deg: float, modalities: Collection[str]) -> Arrays:
        assert isinstance(driver, WorldDriver)
        driver.state()
        # The driver's own renderer and its own scene, but not from the agent's eye.
        renderer: Any = driver._synced_view().renderer
        own, renderer.fov_deg = renderer.fov_deg, fov_deg
        try:
            made: Arrays = renderer.render(eye_m, yaw_deg, pitch_deg, size, modalities)
        finally:
            renderer.fov_deg = own
        return made

    def there_and_back(size: tuple[int, int], fov_deg: float, modalities: Collection[str]) -> Arrays:
        if abs(fov_deg - driver.fov_deg) > 1e-6 or abs(pitch_deg) > PITCH_LIMIT_DEG:
            raise Refusal("Not Implemented")
        here = driver.state().pose
        x, y, z = eye_m
        driver.teleport(
            replace(here, x=x, y=y, z=z - driver.eye_height_m, yaw_deg=yaw_deg, pitch_deg=pitch_deg)
        )
        try:
            frame = driver.render(modalities, size)
        finally:
            driver.teleport(here)
        return {name: getattr(frame, name) for name in modalities}

    return free if isinstance(driver, WorldDriver) else there_and_back


def _rolled(take: Taker, camera: Camera, roll_deg: float, modalities: Collection[str]) -> Arrays:
    """A picture of a camera that is tilted to the right: each pixel is the nearest one of a larger, level picture
    (ours; a turn about the view axis turns the picture, and planar depth stays)."""
    import numpy as np

    width, height = camera.size
    tan_x = math.tan(math.radians(camera.fov_deg) / 2.0)
    tan_y = tan_x * height / width
    reach = math.hypot(tan_x, tan_y)
    fov_deg = 2.0 * math.degrees(math.atan(reach))
    side = math.ceil(width * reach / tan_x)
    if fov_deg > MAX_FOV or side > MAX_SIDE_PX:
        raise Refusal("Not Implemented")
    level = take((side, side), fov_deg, modalities)
    right, down = np.meshgrid(
        ((np.arange(width) + 0.5) / width * 2.0 - 1.0) * tan_x,
        ((np.arange(height) + 0.5) / height * 2.0 - 1.0) * tan_y,
    )
    cos, sin = math.cos(math.radians(roll_deg)), math.sin(math.radians(roll_deg))
    column, row = right * cos - down * sin, right * sin + down * cos

    def pixels(tangent: NDArray[np.float64]) -> NDArray[np.intp]:
        return np.clip(((tangent / reach + 1.0) / 2.0 * side).astype(np.intp), 0, side - 1)

    rows, columns = pixels(row), pixels(column)
    return {name: np.ascontiguousarray(array[rows, columns]) for name, array in level.items()}
