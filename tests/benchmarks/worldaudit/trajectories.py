"""Small hand-made trajectories for the judge's tests: frames a second apart, one watched object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from embodied_eval.benchmark import Trajectory
from embodied_eval.records import (
    Condition,
    Event,
    FrameRef,
    Outcome,
    Pose,
    Step,
    Task,
    VisibilityRow,
)

IMAGE_PIXELS = 100_000
SHOWN, HIDDEN = 2_000, 0


def finding(text: str, refs: Sequence[str], action: int = 9, status: str = "confirmed") -> dict[str, Any]:
    """A finding as the answer holds it."""
    return {
        "id": f"b{action}",
        "description": text,
        "category": "other",
        "status": status,
        "evidence": list(refs),
        "action": action,
        "t_s": float(action),
    }


def trigger(t_s: float, active: bool) -> Event:
    """A trigger of effect 0 at `t_s`."""
    data = {"effect": 0, "target": "vase_1", "change": "hide", "active": active}
    return Event("trigger", t_s, int(t_s), data, private=True)


def touch(kind: str, t_s: float, name: str = "vase_1") -> Event:
    """A private contact with, or entry into, `name`."""
    data = {"a": "agent", "b": name} if kind == "contact" else {"object": name}
    return Event(kind, t_s, int(t_s), data, private=True)


def trajectory(
    code: str,
    findings: Sequence[Mapping[str, Any]],
    *,
    pixels: Mapping[str, tuple[int, int]] | None = None,
    events: Sequence[Event] = (),
    blocked: Mapping[int, float] | None = None,
    yaw_deg: Mapping[int, float] | None = None,
    target: Mapping[str, Any] | None = None,
    actions: int = 9,
) -> Trajectory:
    """Frames a0 ... at whole seconds; `pixels` by ref: (target, its clean twin); `blocked` action -> metres."""
    named = {"object": "vase_1", "label": "vase", "synonyms": ["flower vase"], "region": "", **(target or {})}
    frames: dict[str, FrameRef] = {}
    steps = []
    for action in range(actions + 1):
        pose = Pose(0.0, 0.0, 0.0, yaw_deg=(yaw_deg or {}).get(action, 0.0))
        frame = FrameRef(f"a{action}", f"{action:064x}", "image/jpeg", 400, 250, 1, float(action), pose)
        frames[frame.ref] = frame
        stopped = action in (blocked or {})
        steps.append(
            Step(
                index=action,
                action="move",
                arguments={},
                result="",
                t_s=float(action),
                moved_m=(blocked or {}).get(action, 1.0),
                blocked=stopped,
                frames=(frame,),
            )
        )
    crop = FrameRef("a3#c1", "c" * 64, "image/jpeg", 400, 250, 1, 3.0)
    frames[crop.ref] = crop
    rows = [
        VisibilityRow(ref, "vase_1", own, max(own, 1), None, twin, max(twin, 1), None, IMAGE_PIXELS)
        for ref, (own, twin) in (pixels or {}).items()
    ]
    return Trajectory(
        episode_key="k",
        task=Task("t/1", {}, {"subcategory": code, "watch": ["vase_1"], "target": named, "effects": [{}]}),
        condition=Condition("vlm"),
        model="m",
        repeat=0,
        outcome=Outcome("completed", {"findings": list(findings), "summary": ""}),
        steps=tuple(steps),
        calls=(),
        events=tuple(events),
        visibility=tuple(rows),
        frames=frames,
        rows={},
        read_frame=lambda sha256: b"",
    )
