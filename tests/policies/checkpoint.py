"""A checkpoint with random weights, small enough to be made in a test."""

from __future__ import annotations

from pathlib import Path

from embodied_eval.policies.open_p2p import Config, build, save

TINY = Config(
    width=16,
    layers=1,
    heads=2,
    context=4,
    keys=("KeyW", "KeyA", "KeyS", "KeyD", "Space", "KeyE"),
    buttons=("left",),
    mouse_px=(-60.0, -10.0, 0.0, 10.0, 60.0),
)


def tiny(folder: Path, seed: int = 1) -> Path:
    """A tiny checkpoint in `folder`, its weights drawn with `seed`."""
    folder.mkdir(parents=True, exist_ok=True)
    save(folder, build(TINY, seed))
    return folder
