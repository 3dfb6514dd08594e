"""The text track of an exploration: one line a frame, in the agent's conventions (right and down positive)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.worldaudit.tools import pose_text
from embodied_eval.records import Json, Pose

FORWARD_S, BACK_S = "forward_s", "back_s"


@dataclass
class Track:
    """Writes the lines in order; `proprio` off leaves out where the camera was and how far it came."""

    proprio: bool
    path_m: float = 0.0

    def line(self, ref: str, t_s: float, pose: Pose, moved_m: float, held: Mapping[str, Json]) -> str:
        """What happened up to the frame `ref`: time, pose, path so far, for how long forward and back were held."""
        self.path_m += moved_m
        told = f"{ref}: {t_s:.1f} s"
        if not self.proprio:
            return told
        told += f", {pose_text(pose)}, path {self.path_m:.2f} m"
        for name, word in ((FORWARD_S, "forward"), (BACK_S, "back")):
            if held.get(name):
                told += f", {word} held {float(held[name]):.2f} s"
        return told
