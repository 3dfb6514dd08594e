"""One episode as a replay: its steps with what belongs to each, and the moments a slider moves through."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from embodied_eval.benchmark import Trajectory
from embodied_eval.records import Event, FrameRef, Json, ModelCall, Pose, Step, VisibilityRow

from .floorplan import svg_xy

_LONG = 20_000
_EVENT = 1200
_START = Step(-1, "", {}, "")
_REF = re.compile(r"a(\d+)(?:\.f\d+)?(?:#.*)?")


@dataclass(frozen=True)
class FrameView:
    """A frame as shown: `src` relative to the report's folder, None where the file is missing."""

    ref: str
    src: str | None
    width: int
    height: int
    moment: int


@dataclass(frozen=True)
class Mention:
    """A finding or note filed during a step."""

    title: str
    text: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class StepView:
    """One step (index -1 = the start, before any) with everything that belongs to it."""

    index: int
    action: str
    arguments: str
    result: str
    t_s: float
    pose: Pose | None
    moved_m: float
    blocked: bool
    counts: bool
    moment: int
    thoughts: tuple[str, ...] = ()
    notes: tuple[Mention, ...] = ()
    findings: tuple[Mention, ...] = ()
    events: tuple[tuple[str, bool], ...] = ()
    frames: tuple[FrameView, ...] = ()


@dataclass(frozen=True)
class Replay:
    """Steps for the page, `moments` for the script (one an image, or one a step without images)."""

    steps: tuple[StepView, ...]
    moments: tuple[Mapping[str, Json], ...]
    poses: tuple[Pose, ...]

    @property
    def first_frame(self) -> FrameView | None:
        """The first image that can be shown."""
        frames = (frame for step in self.steps for frame in step.frames)
        return next((frame for frame in frames if frame.src), None)

    def frame(self, ref: str) -> FrameView | None:
        """The frame called `ref`, if the episode has it."""
        frames = (frame for step in self.steps for frame in step.frames)
        return next((frame for frame in frames if frame.ref == ref), None)


def replay_of(trajectory: Trajectory, source: Callable[[FrameRef], str | None]) -> Replay:
    """The replay of `trajectory`; `source` gives a frame's path in the report, None where it is missing."""
    slots = _slots(trajectory)
    frames = _frames_by_slot(trajectory, slots)
    thoughts = _thoughts(trajectory.calls, slots)
    notes = _mentions(trajectory.rows.get("notes", ()), slots)
    findings = _mentions(trajectory.rows.get("findings") or _answered(trajectory), slots)
    events = _events(trajectory.events, slots)
    boxes = _boxes(trajectory.visibility)
    views: list[StepView] = []
    moments: list[dict[str, Json]] = []
    poses: list[Pose] = []
    pose: Pose | None = None
    for slot, step in enumerate(slots):
        first = len(moments)
        shown: list[FrameView] = []
        for frame in frames[slot]:
            pose = frame.pose or pose
            poses += [frame.pose] if frame.pose else []
            src = source(frame)
            shown.append(FrameView(frame.ref, src, frame.width, frame.height, len(moments)))
            moments.append(_moment(slot, frame, src, pose, boxes.get(frame.ref, [])))
        # A crop has the pose of the frame it was cut from; the step's own pose is where the agent stands.
        if step.pose is not None:
            pose = step.pose
            poses.append(pose)
        if step is _START and not shown:
            continue
        if not shown:
            moments.append(_moment(slot, None, None, pose, []))
        views.append(
            StepView(
                index=step.index,
                action=step.action,
                arguments=_arguments(step, (*notes.get(slot, ()), *findings.get(slot, ()))),
                result=clipped(step.result),
                t_s=step.t_s,
                pose=step.pose or pose,
                moved_m=step.moved_m,
                blocked=step.blocked,
                counts=step.counts,
                moment=first,
                thoughts=tuple(thoughts.get(slot, ())),
                notes=tuple(notes.get(slot, ())),
                findings=tuple(findings.get(slot, ())),
                events=tuple(events.get(slot, ())),
                frames=tuple(shown),
            )
        )
    offset = len(slots) - len(views)
    return Replay(
        tuple(views), tuple({**moment, "step": moment["step"] - offset} for moment in moments), tuple(poses)
    )


def clipped(text: str, at_most: int = _LONG) -> str:
    """`text`, cut where nobody would read on, saying how much was left out."""
    if len(text) <= at_most:
        return text
    return f"{text[:at_most]} … ({len(text) - at_most} more characters)"


def plain(value: Json) -> str:
    """A JSON value as a reader wants it: strings as they are, the rest as JSON."""
    return clipped(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str))


def _slots(trajectory: Trajectory) -> list[Step]:
    """The start (a step of index -1), then every step in order."""
    return [_START, *sorted(trajectory.steps, key=lambda step: step.index)]


def _slot_of(index: int, slots: Sequence[Step]) -> int:
    """The slot of step `index`; the nearest earlier one where there is no such step."""
    best = 0
    for slot, step in enumerate(slots):
        if step.index <= index:
            best = slot
    return best


def _frames_by_slot(trajectory: Trajectory, slots: Sequence[Step]) -> list[list[FrameRef]]:
    made: list[list[FrameRef]] = [list(step.frames) for step in slots]
    placed = {frame.ref for frames in made for frame in frames}
    starts = {frame.ref: slot for slot, frames in enumerate(made) for frame in frames}
    for frame in trajectory.frames.values():
        if frame.ref in placed:
            continue
        match = _REF.fullmatch(frame.ref)
        parent = starts.get(f"a{match[1]}") if match else None
        if parent is None:
            earlier = [slot for slot, step in enumerate(slots) if step.t_s <= frame.t_s]
            parent = 0 if frame.t_s <= 0 else max(earlier, default=0)
        made[parent].append(frame)
    return made


def _thoughts(calls: Sequence[ModelCall], slots: Sequence[Step]) -> dict[int, list[str]]:
    """What the model said, by the step it led to: its tool calls are matched to steps by name, in order."""
    made: dict[int, list[str]] = {}
    at = 1
    for call in calls:
        if call.role == "judge" or call.reply is None:
            continue
        first = None
        for asked in call.reply.get("tool_calls") or ():
            name = asked.get("name") if isinstance(asked, Mapping) else None
            found = next((slot for slot in range(at, len(slots)) if slots[slot].action == name), None)
            if found is not None:
                first = found if first is None else first
                at = found + 1
        text = call.reply.get("text")
        if isinstance(text, str) and text.strip():
            made.setdefault(min(first or at, len(slots) - 1), []).append(clipped(text))
    return made


def _arguments(step: Step, mentions: Sequence[Mention]) -> str:
    """The action's arguments, without the texts that are shown as a note or finding of the same step."""
    said = {mention.text for mention in mentions}
    shown = ((key, plain(value)) for key, value in step.arguments.items())
    return ", ".join(f"{key}={value}" for key, value in shown if value not in said)


def _mentions(rows: Sequence[Mapping[str, Json]], slots: Sequence[Step]) -> dict[int, list[Mention]]:
    made: dict[int, list[Mention]] = {}
    for row in rows:
        index = row.get("step")
        slot = _slot_of(index, slots) if isinstance(index, int) else _slot_of_row(row, slots)
        evidence = row.get("evidence")
        if isinstance(evidence, str):
            evidence = [ref.strip() for ref in evidence.split(",") if ref.strip()]
        words = [row.get(key) for key in ("id", "category", "status", "kind") if row.get(key)]
        text = row.get("text") or row.get("description") or row.get("note") or ""
        made.setdefault(slot, []).append(
            Mention(
                " · ".join(str(word) for word in words),
                plain(text),
                tuple(str(ref) for ref in evidence) if isinstance(evidence, (list, tuple)) else (),
            )
        )
    return made


def _answered(trajectory: Trajectory) -> tuple[Mapping[str, Json], ...]:
    """The findings of the answer: what there is where none were recorded as they were filed."""
    found = trajectory.outcome.answer.get("findings")
    if not isinstance(found, (list, tuple)):
        return ()
    return tuple(item for item in found if isinstance(item, Mapping))


def _slot_of_row(row: Mapping[str, Json], slots: Sequence[Step]) -> int:
    """The step that filed a row: one whose arguments hold its text; else, as rows count actions and not
    steps, the step of action 12 is the one whose view is `a12`; else by simulated time."""
    text = row.get("text") or row.get("description")
    number, t_s = row.get("action"), row.get("t_s")
    since = 0
    if isinstance(number, int):
        views = (slot for slot, step in enumerate(slots) if any(f.ref == f"a{number}" for f in step.frames))
        since = next(views, 0)
    said = (slot for slot in range(since, len(slots)) if text and text in slots[slot].arguments.values())
    found = next(said, since)
    if found or not isinstance(t_s, (int, float)):
        return found or len(slots) - 1
    return max((slot for slot, step in enumerate(slots) if step.t_s <= t_s), default=0)


def _events(events: Sequence[Event], slots: Sequence[Step]) -> dict[int, list[tuple[str, bool]]]:
    made: dict[int, list[tuple[str, bool]]] = {}
    for event in events:
        text = clipped(", ".join(f"{key} {plain(value)}" for key, value in event.data.items()), _EVENT)
        line = f"{event.kind}: {text}" if text else event.kind
        made.setdefault(_slot_of(event.step, slots), []).append((line, event.private))
    return made


def _boxes(rows: Sequence[VisibilityRow]) -> dict[str, list[list[Json]]]:
    """Boxes of watched objects by frame, in pixels: where one shows, or where its clean twin would."""
    made: dict[str, list[list[Json]]] = {}
    for row in rows:
        if row.box is not None:
            made.setdefault(row.ref, []).append([*row.box, "seen", row.object])
        elif row.twin_box is not None:
            made.setdefault(row.ref, []).append([*row.twin_box, "due", row.object])
    return made


def _moment(
    slot: int, frame: FrameRef | None, src: str | None, pose: Pose | None, boxes: list[list[Json]]
) -> dict[str, Json]:
    made: dict[str, Json] = {"step": slot}
    if frame is not None:
        made |= {"ref": frame.ref, "src": src and f"../{src}", "w": frame.width, "h": frame.height}
        made["t"] = round(frame.t_s, 2)
        if boxes:
            made["boxes"] = boxes
    if pose is not None:
        made["at"] = [*svg_xy(pose.x, pose.y), round(pose.yaw_deg, 1)]
    return made
