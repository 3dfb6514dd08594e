"""The role bughunt: faults of construction, one question a frame; what is flagged is asked twice more."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from benchmarks.worldbench.capture.manifest import Shot
from benchmarks.worldbench.evidence import FrameFlags
from benchmarks.worldbench.judges.model_ask import WARM, Asker, object_of, prompt
from benchmarks.worldbench.judges.model_material import Material
from benchmarks.worldbench.prompts import COLD
from embodied_eval.errors import JudgeError

FLAGS = ("afloat", "hollow", "nonblock", "sea_over_void")
VOTES = 3
MAJORITY = 2
_TEXT = {"type": "string", "maxLength": 1000}
SCHEMA = object_of(
    {
        "entities": {"type": "array", "maxItems": 40, "items": {"type": "string", "maxLength": 200}},
        "shows_terrain": {"type": "boolean"},
        "flags": {"type": "array", "maxItems": 8, "items": {"type": "string", "enum": list(FLAGS)}},
        "reason": _TEXT,
    }
)


@dataclass(frozen=True)
class Vote:
    """One answer on a frame."""

    ref: str
    flags: frozenset[str]
    shows_terrain: bool
    reason: str


async def hunt(asker: Asker, world: Material) -> tuple[tuple[FrameFlags, ...], tuple[Vote, ...]]:
    """The standing flags of the wide views and of every close view, and all votes."""
    found: list[FrameFlags] = []
    votes: list[Vote] = []
    for shot in (*world.wide(), *world.manifest.close()):
        flags, cast = await _frame(asker, world, shot)
        found.append(flags)
        votes += cast
    return tuple(found), tuple(votes)


async def _frame(asker: Asker, world: Material, shot: Shot) -> tuple[FrameFlags, list[Vote]]:
    # Too little in the picture to show land: measured, whatever the model says.
    filled = shot.filled >= world.spec.thresholds.terrain_share
    try:
        votes = [await _vote(asker, world, shot, 1)]
    except JudgeError as error:
        return FrameFlags(shot.ref, shot.view, judged=False, error=error.message), []
    failure = ""
    for number in range(2, VOTES + 1) if votes[0].flags else ():
        try:
            votes.append(await _vote(asker, world, shot, number))
        except JudgeError as error:
            failure = error.message
    counts = Counter(flag for vote in votes for flag in vote.flags)
    standing = tuple(flag for flag in FLAGS if counts[flag] >= MAJORITY)
    missing = VOTES - len(votes) if votes[0].flags else 0
    undecided = any(counts[flag] < MAJORITY <= counts[flag] + missing for flag in votes[0].flags)
    shows = filled and votes[0].shows_terrain
    if undecided:
        return FrameFlags(shot.ref, shot.view, standing, shows, judged=False, error=failure), votes
    return FrameFlags(shot.ref, shot.view, standing, shows), votes


async def _vote(asker: Asker, world: Material, shot: Shot, number: int) -> Vote:
    sampling = COLD if number == 1 else WARM
    about = f"bug hunt {shot.ref}, vote {number}"
    picture = world.picture(shot, "frame_01")
    reply: Any = await asker.ask(about, prompt("bughunt"), SCHEMA, pictures=[picture], sampling=sampling)
    return Vote(shot.ref, frozenset(reply["flags"]), bool(reply["shows_terrain"]), str(reply["reason"]))
