"""A store with a run in it, and records to fill it with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from embodied_eval.records import (
    Event,
    FrameRef,
    Metric,
    ModelCall,
    Pose,
    Step,
    Verdict,
    VisibilityRow,
    content_hash,
)
from embodied_eval.store import Receipt, RunDir, Store

TABLES = {
    "notes": {"columns": {"note": "VARCHAR", "weight": "DOUBLE"}, "version": 1, "private": False},
    "truths": {"columns": {"what": "VARCHAR", "data": "JSON"}, "version": 2, "private": True},
}
MARKER = "MARKER-7f3a9c-of-the-truth"


def key_of(number: int) -> str:
    """The key of the sample's episode `number`: 32 hex digits."""
    return content_hash(["sample", number])[:32]


def manifest(
    run_id: str = "toy-null-20260101T000000-0001", episodes: int = 3, **fields: Any
) -> dict[str, Any]:
    """A run's manifest with `episodes` planned, all of one task."""
    return {
        "schema": "embodied-eval/run/1",
        "run_id": run_id,
        "benchmark": "toy",
        "benchmark_version": 1,
        "model": "scripted/null",
        "privileged": False,
        "judge": "truth",
        "driver": "mujoco",
        "created_at": "2026-01-01T00:00:00+00:00",
        "versions": {"python": "3.11"},
        "renderer": "",
        "config": {"seed": 0},
        "conditions": [{"name": "plain", "settings": {}}],
        "tasks": [
            {
                "id": "room/1",
                "engine": "",
                "scene": "room",
                "tags": ["a"],
                "sha256": "0" * 64,
                "public": {"x": 1},
                "world": "",
            }
        ],
        "tables": TABLES,
        "plan": [
            {
                "episode_key": key_of(number),
                "key_fields": {"repeat": number},
                "task_id": "room/1",
                "condition": "plain",
                "repeat": number,
                "seed": 7,
            }
            for number in range(episodes)
        ],
        **fields,
    }


def new_run(folder: Path, **fields: Any) -> tuple[Store, RunDir]:
    """A store at `folder` with a new run in it."""
    store = Store.open(folder)
    return store, store.create_run(manifest(**fields), {"room/1": {"target": MARKER}})


def frame(store: Store, ref: str, data: bytes = b"\xff\xd8 not really a picture") -> FrameRef:
    """A stored frame."""
    sha256 = store.frames.put(data, "image/jpeg")
    return FrameRef(ref, sha256, "image/jpeg", 4, 3, len(data), 0.5, Pose(1.0, 2.0, 0.0, 90.0))


def step(index: int, frames: Sequence[FrameRef] = (), result: str = "done") -> Step:
    """A step."""
    pose = Pose(float(index), 0.0, 0.0, 45.0, -5.0)
    return Step(index, "move", {"metres": 0.5}, result, 0.5 * index, pose, 0.5, frames=tuple(frames))


def call(index: int, reply: Mapping[str, Any] | None = None) -> ModelCall:
    """A model call."""
    messages = ({"role": "user", "parts": [{"type": "text", "text": "go on"}]},)
    return ModelCall(
        index, "agent", "scripted/null", 0, messages, reply or {"text": "ok"}, 10, 2, None, 1, 0.01
    )


def visibility(ref: str) -> VisibilityRow:
    """A visibility row that shows the target."""
    return VisibilityRow(ref, MARKER, 50, 60, (1, 2, 3, 4), 50, 60, None, 12)


def receipt(key: str, attempt: int = 1, **fields: Any) -> Receipt:
    """A receipt of a completed attempt."""
    return Receipt(
        key, attempt, **{"status": "completed", "finished_at": "2026-01-01T00:01:00+00:00", **fields}
    )


def play(
    store: Store,
    run: RunDir,
    number: int,
    *,
    attempt: int = 1,
    steps: int = 3,
    text: str = "done",
    finish: bool = True,
    **fields: Any,
) -> str:
    """Write an attempt at episode `number` with one record of every kind; returns its key."""
    key = key_of(number)
    with run.writer(key, attempt) as writer:
        writer.start({"task": "room/1", "text": text})
        writer.frame(frame(store, "a0", b"first"))
        for index in range(1, steps + 1):
            writer.call(call(index, {"text": text}))
            writer.event(Event("contact", 0.1, index, {"with": text}))
            writer.event(Event("trigger", 0.2, index, {"effect": MARKER}, private=True))
            writer.visibility([visibility(f"a{index}")])
            writer.row("notes", {"note": text, "weight": 1})
            writer.row("truths", {"what": MARKER, "data": {"text": text}})
            writer.step(step(index, [frame(store, f"a{index}", f"{number} {index}".encode())], text))
        if finish:
            fields = {"answer": {"report": text}, "steps": steps, "calls": steps, **fields}
            writer.receipt(receipt(key, attempt, **fields))
    return key


def verdicts(passed: bool, reason: str = "because") -> list[Verdict]:
    """Two verdicts of a rule judge."""
    return [
        Verdict(item, float(passed), 1.0, passed, reason, ("a1",), "truth", "1")
        for item in ("identified", "evidenced")
    ]


def metric(name: str = "success_rate", **fields: Any) -> Metric:
    """A metric with its interval."""
    return Metric(
        **{
            "name": name,
            "value": 50.0,
            "n": 2,
            "low": 9.5,
            "high": 90.5,
            "unit": "%",
            "denominator": 3,
            "judge": "truth",
            **fields,
        }
    )
