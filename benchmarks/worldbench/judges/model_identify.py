"""The role identify: which region each close view shows, in one blind, shuffled question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.worldbench.capture.identify import identify_request
from benchmarks.worldbench.judges.model_ask import Asker
from benchmarks.worldbench.judges.model_material import Material


@dataclass(frozen=True)
class Identified:
    """`confirmed`: the close views by region whose blind answer is that region; `answers` all of them by ref."""

    confirmed: Mapping[str, tuple[str, ...]]
    answers: Mapping[str, str]


async def identify(asker: Asker, world: Material) -> Identified:
    """Ask once about all close views. Raises JudgeError where there is no answer."""
    request = identify_request(world.manifest)
    if not request.names:
        return Identified({}, {})
    pictures = request.images(world.trajectory.read_frame)
    reply = await asker.ask("the close views", request.question, request.schema, pictures=pictures)
    answers = {ref: str(reply[name]) for name, ref in zip(request.names, request.refs, strict=True)}
    return Identified(request.confirmed(reply), answers)
