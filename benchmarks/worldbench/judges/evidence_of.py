"""What is stored of an episode, as a judge reads it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from benchmarks.worldbench.evidence import Evidence
from embodied_eval.errors import JudgeError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from benchmarks.worldbench.capture.manifest import Manifest
    from embodied_eval.benchmark import Trajectory

    Picture = NDArray[np.uint8]
    ReadPicture = Callable[[str], "Picture | None"]


def html_of(trajectory: Trajectory) -> str:
    """The world's file as it was frozen. Raises `JudgeError` where none is stored."""
    rows = trajectory.rows.get("worlds", ())
    if not rows:
        raise JudgeError(
            "No world file is stored for this episode.", hint="Run the episode again, then judge it."
        )
    return str(rows[-1]["html"])


def capture_of(trajectory: Trajectory) -> Manifest:
    """The capture's manifest. Raises `JudgeError` where none is stored."""
    from benchmarks.worldbench.capture.manifest import EVENT, from_json

    events = [event for event in trajectory.events if event.kind == EVENT]
    if not events:
        raise JudgeError(
            "No capture is stored for this episode.", hint="Run the episode again, then judge it."
        )
    data: Any = events[-1].data
    return from_json(data)


def pictures_of(trajectory: Trajectory) -> ReadPicture:
    """A reader of stored frames by ref: uint8 (H, W, 3), None for a ref that is not there. Keeps the last few."""

    @cache
    def read(ref: str) -> Picture | None:
        frame = trajectory.frames.get(ref)
        return None if frame is None else decoded(trajectory.read_frame(frame.sha256))

    return read


def decoded(data: bytes) -> Picture:
    """An encoded image as uint8 (H, W, 3)."""
    import io

    import numpy as np
    from PIL import Image

    with Image.open(io.BytesIO(data)) as picture:
        return np.asarray(picture.convert("RGB"))


def rule_evidence(trajectory: Trajectory) -> Evidence:
    """What our own analysis says of a stored episode: source, scene, pixels; never the private half."""
    from benchmarks.worldbench.judges.rule import analyse
    from benchmarks.worldbench.spec import load_spec

    return analyse(html_of(trajectory), capture_of(trajectory), pictures_of(trajectory), load_spec())
