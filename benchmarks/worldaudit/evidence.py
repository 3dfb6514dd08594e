"""Whether the frames that a finding cites show what it claims, by what counts for its sub-category.

Everything is read from what was stored while playing: visibility rows (the watched objects' pixels, and the
same for the clean twin from the same pose), trigger, contact and inside events, blocked steps. No picture is
looked at and no simulator is opened. Thresholds and rules: ours (docs/worldaudit-judge.md).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from embodied_eval.benchmark import Trajectory
from embodied_eval.records import Event, FrameRef, Json, VisibilityRow

MIN_IMAGE_SHARE = 0.0005
"""A frame shows an object that covers at least this share of the image ..."""
MIN_UNOCCLUDED_SHARE = 0.05
"""... and at least this share of what it would cover with nothing in front of it."""
HELD_M = 0.05
"""After a contact the agent still stands at the object while its next actions move it at most this far."""
VIEW_HALF_DEG = 40.0
"""A place counts as looked at within this angle to either side of the view direction."""
EPSILON_S = 1e-6

_ACTION = re.compile(r"a(\d+)")


@dataclass(frozen=True)
class Shown:
    """Whether the frames bear the finding out, why, and the cited frames that do."""

    evidenced: bool
    reason: str
    frames: tuple[str, ...] = ()


@dataclass(frozen=True)
class View:
    """One frame as the rules see it: does it show the target, would its clean twin, is the effect active."""

    ref: str
    action: int
    t_s: float
    shows: bool
    twin_shows: bool
    active: bool
    faces_place: bool

    @property
    def differs(self) -> bool:
        """Whether the target shows where it should not, or does not where it should."""
        return self.active and self.shows != self.twin_shows

    @property
    def shows_either(self) -> bool:
        """Whether the target shows, or is missing from where its twin shows."""
        return self.shows or self.twin_shows


@dataclass(frozen=True)
class Case:
    """What the rules are given: the cited views in time order, all views up to the finding, the action at
    which it was filed, and the trajectory's stored traces."""

    cited: tuple[View, ...]
    seen: tuple[View, ...]
    filed: int
    trajectory: Trajectory
    names: frozenset[str]

    def at_target(self, kind: str) -> list[int]:
        """The actions during which a private `kind` event ("contact", "inside") with the target came."""
        return [
            self.action_at(event.t_s)
            for event in self.trajectory.events
            if event.kind == kind and self.names & {str(value) for value in event.data.values()}
        ]

    def action_at(self, t_s: float) -> int:
        """The action during which simulated time `t_s` passed."""
        ends = sorted(
            (action_of(ref), frame.t_s)
            for ref, frame in self.trajectory.frames.items()
            if re.fullmatch(r"a\d+", ref)
        )
        return next((action for action, end in ends if end >= t_s - EPSILON_S), ends[-1][0] if ends else 0)


def check_evidence(
    trajectory: Trajectory, code: str, refs: Sequence[str], filed: int, filed_t_s: float
) -> Shown:
    """Whether the cited frames `refs` show the anomaly of sub-category `code` in a finding filed at action
    `filed`, simulated second `filed_t_s`. A crop counts as the frame it was cut from; a ref that names no
    stored frame counts as not cited."""
    bases = dict.fromkeys(ref.partition("#")[0] for ref in refs)
    cited = [ref for ref in bases if ref in trajectory.frames]
    if not cited:
        return Shown(False, "cites no frame")
    views = views_of(trajectory)
    in_time = sorted((views[ref] for ref in cited), key=lambda view: (view.t_s, view.ref))
    seen = tuple(view for view in views.values() if view.t_s <= filed_t_s + EPSILON_S)
    case = Case(tuple(in_time), seen, filed, trajectory, target_names(trajectory))
    return _RULES[code](case)


def target_names(trajectory: Trajectory) -> frozenset[str]:
    """The watched names that stand for the target: its own object, or everything watched where it has none."""
    private = trajectory.task.private
    target: Mapping[str, Json] = private.get("target", {})
    own = str(target.get("object", ""))
    return frozenset({own} if own else map(str, private.get("watch", ())))


def row_shows(pixels: int, unoccluded: int, image_pixels: int) -> bool:
    """Whether `pixels` of `unoccluded` in an image of `image_pixels` are enough to show an object."""
    return (
        pixels > 0
        and pixels >= MIN_IMAGE_SHARE * image_pixels
        and pixels >= MIN_UNOCCLUDED_SHARE * unoccluded
    )


def views_of(trajectory: Trajectory) -> dict[str, View]:
    """Every stored frame but the crops as the rules see it, by ref."""
    names = target_names(trajectory)
    rows: dict[str, list[VisibilityRow]] = {}
    for row in trajectory.visibility:
        if row.object in names:
            rows.setdefault(row.ref, []).append(row)
    place = trajectory.task.private.get("target", {}).get("place")
    return {
        ref: View(
            ref=ref,
            action=action_of(ref),
            t_s=frame.t_s,
            shows=any(row_shows(row.pixels, row.unoccluded, row.image_pixels) for row in rows.get(ref, ())),
            twin_shows=any(_twin_shows(row) for row in rows.get(ref, ())),
            active=_active_at(trajectory.events, frame.t_s),
            faces_place=_faces(frame, place),
        )
        for ref, frame in trajectory.frames.items()
        if "#" not in ref
    }


def _twin_shows(row: VisibilityRow) -> bool:
    return row_shows(row.twin_pixels, row.twin_unoccluded, row.image_pixels)


def _active_at(events: Sequence[Event], t_s: float) -> bool:
    """Whether any planted effect is active at `t_s`, from the trigger events up to then."""
    state: dict[Json, bool] = {}
    for event in events:
        if event.kind == "trigger" and event.t_s <= t_s + EPSILON_S:
            state[event.data.get("effect")] = bool(event.data.get("active"))
    return any(state.values())


def _faces(frame: FrameRef, place: Sequence[float] | None) -> bool:
    if frame.pose is None or place is None:
        return False
    bearing = math.degrees(math.atan2(place[1] - frame.pose.y, place[0] - frame.pose.x))
    off = (bearing - frame.pose.yaw_deg + 180.0) % 360.0 - 180.0
    return abs(off) <= VIEW_HALF_DEG


def action_of(ref: str) -> int:
    """The action that a frame's ref belongs to; 0 for the start view."""
    match = _ACTION.match(ref)
    return int(match.group(1)) if match else 0


def _in_sight(case: Case) -> Shown:
    """G1 G2 G3 V3 V4 S2 S3: one cited frame shows the target while the anomaly is there."""
    good = [view.ref for view in case.cited if view.active and view.shows]
    if good:
        return Shown(True, f"{good[0]} shows the object", tuple(good))
    return Shown(False, "no cited frame shows the object while the anomaly is there")


def _view_dependent(case: Case) -> Shown:
    """V1: a cited frame where target and twin differ, and a frame, cited or seen before filing, without."""
    wrong = [view for view in case.cited if view.differs]
    if not wrong:
        return Shown(False, "in no cited frame is the object hidden (or shown) against what the view allows")
    # Where the object shows through things, a frame in which it shows as it should is asked for just the same.
    right = [view for view in (*case.cited, *case.seen) if view.shows and view.twin_shows]
    if not right:
        return Shown(False, "no frame shows the object as it should be", (wrong[0].ref,))
    cited = {view.ref for view in case.cited}
    frames = [wrong[0].ref, *(view.ref for view in right[:1] if view.ref in cited)]
    return Shown(True, f"{wrong[0].ref} lacks what {right[0].ref} shows", tuple(frames))


def _both_sides(case: Case) -> Shown:
    """V2: two cited frames that show the target, one with the change and one without."""
    on = [view.ref for view in case.cited if view.active and view.shows]
    off = [view.ref for view in case.cited if not view.active and view.shows]
    if on and off:
        return Shown(True, f"{off[0]} and {on[0]} show it before and after the jump", (off[0], on[0]))
    return Shown(False, "no two cited frames show the object on both sides of its change")


def _existence(case: Case) -> Shown:
    """T1: a cited frame from before that shows the target (or looks at its place, for one that appears), and
    a later cited one in which it is missing (or there) against its twin."""
    for after in (view for view in case.cited if view.differs):
        appears = after.shows
        for before in case.cited:
            was = before.faces_place and not before.shows if appears else before.shows
            if was and not before.active and before.t_s < after.t_s:
                what = "appears" if appears else "is gone"
                frames = (before.ref, after.ref)
                return Shown(True, f"between {before.ref} and {after.ref} it {what}", frames)
    return Shown(False, "no cited pair shows the object before and its absence (or presence) after")


def _attributes(case: Case) -> Shown:
    """T2: a cited frame from before that shows the target, and a later one that shows it changed or shows its
    old place without it."""
    return _before_and_after(case, lambda view: view.shows_either)


def _operation(case: Case) -> Shown:
    """T3: a cited frame from before and one from after the change, both showing the target."""
    return _before_and_after(case, lambda view: view.shows)


def _before_and_after(case: Case, after_counts: Callable[[View], bool]) -> Shown:
    for after in (view for view in case.cited if view.active and after_counts(view)):
        for before in case.cited:
            if before.shows and not before.active and before.t_s < after.t_s:
                frames = (before.ref, after.ref)
                return Shown(True, f"{before.ref} shows it before and {after.ref} after the change", frames)
    return Shown(False, "no cited pair shows the object before and after its change")


def _passed_through(case: Case) -> Shown:
    """C1: the agent has been inside the target by the time of filing, and a cited frame is of that action or
    the next."""
    entered = [action for action in case.at_target("inside") if action <= case.filed]
    if not entered or not any(view.active for view in case.seen):
        return Shown(False, "the agent never was inside the object")
    good = [view.ref for view in case.cited if view.action in {n + d for n in entered for d in (0, 1)}]
    if good:
        return Shown(True, f"{good[0]} belongs to a move through the object", tuple(good))
    return Shown(False, "no cited frame belongs to the move through the object")


def _stopped(case: Case) -> Shown:
    """C2: a blocked action in contact with the blocker, and a cited frame within one action of it."""
    blocked = {
        action_of(step.frames[-1].ref): step.moved_m
        for step in case.trajectory.steps
        if step.blocked and step.frames
    }
    touched: set[int] = set()
    for action in case.at_target("contact"):
        while action in blocked and action not in touched:
            touched.add(action)
            action += 1
            if blocked.get(action, math.inf) > HELD_M:
                break
    if not touched:
        return Shown(False, "no move was stopped by the obstacle")
    good = [view.ref for view in case.cited if any(abs(view.action - action) <= 1 for action in touched)]
    if good:
        return Shown(True, f"{good[0]} is next to a move that the obstacle stopped", tuple(good))
    return Shown(False, "no cited frame is within one action of the move that was stopped")


def _response(case: Case) -> Shown:
    """C3: the planted response has come after a contact or an operation, and a cited frame from then on shows the
    target or the place that it has left."""
    contacts = [
        event.t_s
        for event in case.trajectory.events
        if event.kind == "contact" and case.names & {str(value) for value in event.data.values()}
    ]
    fired = [event for event in case.trajectory.events if event.kind == "trigger"]
    responses = [
        event.t_s
        for event in fired
        if _operated(case, event) or any(event.t_s >= t - EPSILON_S for t in contacts)
    ]
    if not responses:
        return Shown(False, "the object was never made to respond by a touch")
    start = min(responses)
    good = [view.ref for view in case.cited if view.t_s >= start - EPSILON_S and view.shows_either]
    if good:
        return Shown(True, f"{good[0]} shows the object after it responded", tuple(good))
    return Shown(False, "no cited frame from after the response shows the object or where it was")


def _operated(case: Case, event: Event) -> bool:
    """Whether a trigger fired because the agent operated the object: that is its touch."""
    effects = case.trajectory.task.private.get("effects", ())
    number = event.data.get("effect")
    known = isinstance(number, int) and 0 <= number < len(effects)
    return known and effects[number].get("trigger", {}).get("kind") == "interact"


_RULES: dict[str, Callable[[Case], Shown]] = {
    **dict.fromkeys(("G1", "G2", "G3", "V3", "V4", "S2", "S3"), _in_sight),
    "C1": _passed_through,
    "C2": _stopped,
    "C3": _response,
    "V1": _view_dependent,
    "V2": _both_sides,
    "T1": _existence,
    "T2": _attributes,
    "T3": _operation,
}
