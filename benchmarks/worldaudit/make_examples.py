"""Render the pictures of the in-context examples: `python -m benchmarks.worldaudit.make_examples [CODE ...]`.

Each picture is taken in the example's world, clean or with its change in force, from the floor point `stand`
with the middle of the view on the point `face`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.worldaudit.example import SIZE_PX, recipes
from embodied_eval.records import Json, Pose

FOLDER = Path(__file__).parent / "examples"
JPEG_QUALITY = 88
RENDER_PX = (960, 540)
"""Rendered larger and scaled down: smoother edges."""


def pose_of(picture: Mapping[str, Any], eye_height_m: float) -> Pose:
    """Where a picture is taken from."""
    x, y, *height = (float(value) for value in picture["stand"])
    face = [float(value) for value in picture["face"]]
    z = height[0] if height else 0.0
    flat = math.dist((x, y), face[:2])
    yaw = math.degrees(math.atan2(face[1] - y, face[0] - x))
    pitch = math.degrees(math.atan2(face[2] - z - eye_height_m, flat))
    return Pose(x, y, z, yaw, pitch)


def in_force(effects: Sequence[Mapping[str, Json]]) -> list[dict[str, Json]]:
    """`effects` as if their triggers had fired."""
    return [{**effect, "trigger": {"kind": "always"}, "once": False} for effect in effects]


def render(code: str, driver: Any) -> list[bytes]:
    """The JPEGs of example `code`."""
    from embodied_eval.worlds.bundled import load_world
    from embodied_eval.worlds.effects import EffectsEngine, parse_effects

    row = recipes()[code]
    world = load_world(row["world"])
    made = []
    for picture in row["picture"]:
        driver.detach_all()
        driver.load(world, seed=0, spawn="")
        driver.teleport(pose_of(picture, world.eye_height_m))
        if picture.get("planted", True):
            given = in_force(row.get("shown", row["effects"]))
            engine = EffectsEngine(driver, world, parse_effects(given), lambda *_: None)
            engine.plant()
        made.append(_jpeg(driver.capture(("rgb",), RENDER_PX).rgb))
    return made


def make_driver() -> Any:
    """The embedded simulator, found as every driver is."""
    from importlib.metadata import entry_points

    return entry_points(group="embodied_eval.drivers")["mujoco"].load()()


def main(codes: Sequence[str]) -> None:
    """Render the examples `codes`, or all."""
    driver = make_driver()
    try:
        for code in codes or recipes():
            folder = FOLDER / code
            folder.mkdir(parents=True, exist_ok=True)
            for number, data in enumerate(render(code, driver), 1):
                (folder / f"{number}.jpg").write_bytes(data)
    finally:
        driver.close()


def _jpeg(rgb: Any) -> bytes:
    import io

    from PIL import Image

    out = io.BytesIO()
    picture = Image.fromarray(rgb).resize(SIZE_PX, Image.Resampling.LANCZOS)
    picture.save(out, "JPEG", quality=JPEG_QUALITY, optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    main(sys.argv[1:])
