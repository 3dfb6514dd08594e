"""How a UE5 game is started: plain data that the launcher reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Overrides = Literal["none", "equals", "space"]


@dataclass(frozen=True)
class GameSpec:
    """A packaged game and how to run it.

    `binary` is the executable itself (`Binaries/Linux/...`, not the start script), `map` what the engine is told to
    open ("" = the game's own first), `level` the name it must then report ("" = any). `arguments` come after ours and
    `environment` is added to this process's own. Pictures have `size` (width, height) pixels and a horizontal
    `fov_deg`. `adapter` is the graphics device's number. `overrides` is how the plugin's settings are also given on
    the command line: `-cvport=N`, `-cvport N`, or not at all; its settings file always has them.

    `max_fps` caps the frame rate and `exposure_bias` fixes the exposure; `warm_up_frames` are drawn before the first
    that counts. A game has `ready_s` seconds until its first picture, and is ended at `memory_mb` of its own memory
    (0 = no limit). `metres_a_unit` and `depth_metres_a_unit` are what a unit of lengths and of depth is worth.
    """

    binary: Path
    map: str = ""
    level: str = ""
    arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    size: tuple[int, int] = (640, 480)
    fov_deg: float = 90.0
    offscreen: bool = True
    adapter: int | None = None
    overrides: Overrides = "none"
    max_fps: int = 30
    exposure_bias: float = 0.0
    warm_up_frames: int = 30
    ready_s: float = 180.0
    memory_mb: int = 0
    metres_a_unit: float = 0.01
    depth_metres_a_unit: float = 0.01

    def settings(self, port: int) -> dict[str, str]:
        """The plugin's settings by its keys."""
        return {
            "Port": str(port),
            "Width": str(self.size[0]),
            "Height": str(self.size[1]),
            "FOV": f"{self.fov_deg:.6f}",
            "EnableInput": "True",
            "EnableRightEye": "False",
        }

    def command(self, binary: Path, port: int) -> list[str]:
        """The argument list that starts `binary`, a copy of ours, on `port`."""
        width, height = self.size
        made = [str(binary), *([self.map] if self.map else [])]
        made += ["-RenderOffScreen"] if self.offscreen else []
        made += ["-nosound", "-unattended", "-windowed", f"-ResX={width}", f"-ResY={height}"]
        # The log comes on standard output, where its end is at hand.
        made += ["-stdout", "-FullStdOutLogOutput"]
        made += [f"-graphicsadapter={self.adapter}"] if self.adapter is not None else []
        if self.overrides == "equals":
            made += [f"-cvport={port}"]
        elif self.overrides == "space":
            made += ["-cvport", str(port)]
        return [*made, *self.arguments]

    def steady(self, camera: int) -> list[str]:
        """Commands after which a camera's pictures depend on what it sees only: fixed exposure, no motion blur."""
        path = f"vset /camera/{camera}"
        return [
            f"{path}/exposure_method manual",
            f"{path}/exposure_bias {self.exposure_bias:.6f}",
            f"{path}/motion_blur 0.0 0.0 0.0 0",
        ]
