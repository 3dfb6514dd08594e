"""Exposure: could the anomaly be seen, was it shown, could the agent tell, and after how many actions.

Nothing is judged here: everything follows from poses, visibility rows, trigger and contact events and steps,
and is stored with each judging as verdicts of max 0, which score nothing. Rules: docs/worldaudit-exposure.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from benchmarks.worldaudit.causes import cause_of
from benchmarks.worldaudit.evidence import (
    EPSILON_S,
    Shown,
    action_of,
    check_evidence,
    target_names,
    views_of,
)
from benchmarks.worldaudit.joint import anchored
from embodied_eval.benchmark import Trajectory
from embodied_eval.drivers.base import Vec3
from embodied_eval.records import FrameRef, Task, Verdict

if TYPE_CHECKING:
    from embodied_eval.worlds.model import WorldObject

REACH_M = {
    "subway": 9.0,
    "indoor": 7.0,
    "urban": 14.0,
    "ancient": 14.0,
    "industrial": 12.0,
    "rural": 16.0,
    "medieval": 14.0,
    "sponza": 8.0,
    "house": 7.0,
    "reef": 9.0,
    "cottage": 9.0,
    "airfield": 14.0,
    "wilderness": 16.0,
}
"""How far the official heuristic looks, by environment (spec of the benchmark, section 10.1)."""
MIN_COS = 0.75
MAX_ELEVATION_DEG = 32.0
CONTACT_KINDS = frozenset({"C1", "C2", "C3"})
WITHOUT_MASKS = frozenset({"C1", "C2"})
"""Kinds whose exposure follows from events and steps alone."""


@dataclass(frozen=True)
class Measured:
    """One measure: the first frame at which it holds (None = it never does), and what was found."""

    ref: str | None
    reason: str

    def verdict(self, item: str) -> Verdict:
        """As it is stored: max 0, and the frame as evidence."""
        refs = (self.ref,) if self.ref else ()
        return Verdict(item, 0.0, 0.0, self.ref is not None, self.reason, refs)


def exposure_verdicts(trajectory: Trajectory, verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """What is stored beside a judge's `verdicts` on `trajectory`, of the anchor where there are several
    anomalies: `could_be_seen`, `coverage_visible`, `exposed`, as far as each can be measured; `traced` for a
    credited contact anomaly; `cause` where the anomaly was not identified with evidence."""
    own = anchored(trajectory)
    measures = {"could_be_seen": cone(own), "coverage_visible": visible(own), "exposed": exposed(own)}
    made = [measure.verdict(item) for item, measure in measures.items() if measure is not None]
    by_item = {verdict.item: verdict for verdict in verdicts}
    identified = by_item.get("identified")
    code = str(own.task.private.get("subcategory"))
    if identified is not None and identified.passed and code in CONTACT_KINDS:
        made.append(traced(own).verdict("traced"))
    cause = cause_of(own, (*verdicts, *made))
    if cause:
        made.append(Verdict("cause", 0.0, 0.0, False, cause))
    return tuple(made)


def cone(trajectory: Trajectory) -> Measured | None:
    """`could_be_seen`: whether some stored frame's pose has the target's place in the official view cone.

    A heuristic (spec, section 10.1): horizontal distance within the environment's reach, cosine of the
    bearing at least 0.75, elevation within 32 degrees of the pitch; walls do not matter. It is taken at the
    stored frames, not at each tick. None where the environment or the place is unknown.
    """
    reach_m = REACH_M.get(str(trajectory.task.public.get("environment")))
    focus = focus_of(trajectory.task)
    if reach_m is None or focus is None:
        return None
    eye_m = _eye_height_m(trajectory.task)
    note = f"official heuristic, walls ignored, within {reach_m:g} m"
    for frame in _in_order(trajectory):
        if _in_cone(frame, focus, eye_m, reach_m):
            return Measured(frame.ref, f"{frame.ref} looks at the place ({note})")
    return Measured(None, f"no frame looks at the place ({note})")


def focus_of(task: Task) -> Vec3 | None:
    """Where the target is in the clean world, metres: its `place`, where an effect puts it, or the middle of
    the object's bounds. None if nothing says it."""
    target = task.private.get("target", {})
    if target.get("place"):
        x, y, z = target["place"]
        return (float(x), float(y), float(z))
    own = _world_object(task, str(target.get("object", "")))
    if own is not None:
        from embodied_eval.worlds.geometry import joint_bounds, world_solids

        low, high = joint_bounds(world_solids(own, meshes=None))
        x, y, z = ((a + b) / 2 for a, b in zip(low, high, strict=True))
        return (float(x), float(y), float(z))
    for effect in task.private.get("effects", ()):
        change = effect.get("change", {})
        place = change.get("center_m") or change.get("position_m")
        if place:
            return (float(place[0]), float(place[1]), float(place[2]))
    return None


def visible(trajectory: Trajectory) -> Measured | None:
    """`coverage_visible`: whether some frame shows the target, or its clean twin where the target is missing,
    by masks. None where no masks were stored."""
    if not masks_stored(trajectory):
        return None
    views = views_of(trajectory)
    for frame in _in_order(trajectory):
        if views[frame.ref].shows_either:
            return Measured(frame.ref, f"{frame.ref} shows the object or where it is missing")
    return Measured(None, "no frame shows the object")


def exposed(trajectory: Trajectory) -> Measured | None:
    """`exposed`: whether the episode held what its kind of anomaly takes to be told, and from when on: a
    report citing every picture taken by then would have been evidenced. None where that needs masks and
    none were stored."""
    code = str(trajectory.task.private["subcategory"])
    if code not in WITHOUT_MASKS and not masks_stored(trajectory):
        return None
    actions = sorted({action_of(ref) for ref in trajectory.frames})
    if not actions:
        return Measured(None, "no picture was taken")
    found = check_until(trajectory, code, actions[-1])
    if not found.evidenced:
        return Measured(None, found.reason.replace("cited ", ""))
    # What one action has exposed stays exposed: the first action is found by halving.
    low, high = 0, len(actions) - 1
    while low < high:
        middle = (low + high) // 2
        if check_until(trajectory, code, actions[middle]).evidenced:
            high = middle
        else:
            low = middle + 1
    at = actions[low]
    reason = check_until(trajectory, code, at).reason
    return Measured(f"a{at}", f"from action {at} on: {reason}")


def check_until(trajectory: Trajectory, code: str, action: int) -> Shown:
    """`check_evidence` with all that was stored up to `action`, every picture cited."""
    frames = {ref: frame for ref, frame in trajectory.frames.items() if action_of(ref) <= action}
    end_s = max((frame.t_s for ref, frame in frames.items() if "#" not in ref), default=0.0)
    past = replace(
        trajectory,
        frames=frames,
        steps=tuple(
            step
            for step in trajectory.steps
            if not step.frames or all(action_of(frame.ref) <= action for frame in step.frames)
        ),
        events=tuple(event for event in trajectory.events if event.t_s <= end_s + EPSILON_S),
    )
    return check_evidence(past, code, list(frames), action, end_s)


def traced(trajectory: Trajectory) -> Measured:
    """Whether the trace holds what a credited contact anomaly is about: having been inside the target (C1), a
    move that the obstacle stopped (C2), a touch of the target (C3). A credited report without is a guess."""
    code = str(trajectory.task.private["subcategory"])
    names = target_names(trajectory)
    kind = "inside" if code == "C1" else "contact"
    blocked = {step.index for step in trajectory.steps if step.blocked}
    for event in trajectory.events:
        if event.kind != kind or not names & {str(value) for value in event.data.values()}:
            continue
        if code != "C2" or event.step in blocked:
            return Measured(_frame_at(trajectory, event.t_s), f"{kind} at {event.t_s:.2f} s")
    return Measured(None, "credited, but the trace holds no matching contact or blocked move")


def masks_stored(trajectory: Trajectory) -> bool:
    """Whether visibility was recorded. Something that is added to the world has no rows before it is there."""
    names = target_names(trajectory)
    if any(row.object in names for row in trajectory.visibility):
        return True
    task = trajectory.task
    return bool(task.world) and not any(_world_object(task, name) is not None for name in names)


def _in_cone(frame: FrameRef, focus: Vec3, eye_m: float, reach_m: float) -> bool:
    pose = frame.pose
    if pose is None:
        return False
    dx, dy, dz = focus[0] - pose.x, focus[1] - pose.y, focus[2] - (pose.z + eye_m)
    flat_m = math.hypot(dx, dy)
    bearing = math.atan2(dy, dx) - math.radians(pose.yaw_deg)
    elevation_deg = math.degrees(math.atan2(dz, flat_m))
    return (
        flat_m <= reach_m
        and math.cos(bearing) >= MIN_COS
        and abs(elevation_deg - pose.pitch_deg) <= MAX_ELEVATION_DEG
    )


def _in_order(trajectory: Trajectory) -> list[FrameRef]:
    """The stored frames but the crops, in the order in which they were taken."""
    frames = [frame for ref, frame in trajectory.frames.items() if "#" not in ref]
    return sorted(frames, key=lambda frame: (frame.t_s, action_of(frame.ref), frame.ref))


def _frame_at(trajectory: Trajectory, t_s: float) -> str | None:
    """The first frame from `t_s` on, or the last one."""
    refs = [frame.ref for frame in _in_order(trajectory)]
    after = [ref for ref in refs if trajectory.frames[ref].t_s >= t_s - EPSILON_S]
    return next(iter([*after, *refs[-1:]]), None)


def _eye_height_m(task: Task) -> float:
    from embodied_eval.worlds.bundled import load_world

    return load_world(task.world).eye_height_m if task.world else 1.6


def _world_object(task: Task, name: str) -> WorldObject | None:
    if not task.world:
        return None
    from embodied_eval.worlds.bundled import load_world

    return next((item for item in load_world(task.world).objects if item.name == name), None)
