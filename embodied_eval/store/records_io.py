"""Spool lines back into records, and a whole episode as it is stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from embodied_eval.errors import CorruptSpool
from embodied_eval.records import (
    EpisodeStatus,
    Event,
    FrameRef,
    Json,
    Metric,
    ModelCall,
    Pose,
    Step,
    Verdict,
    VisibilityRow,
)
from embodied_eval.store.encoding import decode


@dataclass(frozen=True)
class Receipt:
    """The last line of a complete attempt: what it ended with and what it cost.

    `tokens_in`, `tokens_out` and `cost_usd` are None where some call's are unknown. `wall_s` and `sim_s` are
    seconds of wall and simulated time, `finished_at` is UTC in ISO 8601.
    """

    episode_key: str
    attempt: int
    status: EpisodeStatus
    reason: str = ""
    answer: Mapping[str, Json] = field(default_factory=dict)
    error_kind: str = ""
    error: str = ""
    steps: int = 0
    calls: int = 0
    tokens_in: int | None = 0
    tokens_out: int | None = 0
    cost_usd: float | None = 0.0
    wall_s: float = 0.0
    sim_s: float = 0.0
    finished_at: str = ""
    privileged: bool = False


@dataclass(frozen=True)
class EpisodeData:
    """Everything stored about one attempt. `receipt` is None where it never finished."""

    episode_key: str
    attempt: int
    start: Mapping[str, Json]
    steps: tuple[Step, ...]
    calls: tuple[ModelCall, ...]
    events: tuple[Event, ...]
    visibility: tuple[VisibilityRow, ...]
    frames: Mapping[str, FrameRef]
    rows: Mapping[str, tuple[Mapping[str, Json], ...]]
    receipt: Receipt | None


def read_lines(path: Path) -> list[dict[str, Json]]:
    """The lines of a spool or judgement file; a torn last one is left out.

    Raises CorruptSpool, naming file and line, for an earlier line that is no JSON object.
    """
    return list(_lines(path))


def _lines(path: Path) -> Iterator[dict[str, Json]]:
    try:
        raw = path.read_bytes().split(b"\n")
    except OSError as error:
        raise CorruptSpool(f"Cannot read {path}: {error.strerror or error}.") from error
    raw.pop()  # what stands behind the last line's end: nothing, or a torn line
    for number, text in enumerate(raw, 1):
        try:
            value = decode(text)
            if not isinstance(value, dict):
                raise ValueError("not a JSON object")
        except (ValueError, RecursionError) as error:
            if number == len(raw):
                return
            raise CorruptSpool(
                f"{path}, line {number} is damaged: {error}.",
                hint="The file is left as it is; move it away and run again with --resume to play it anew.",
            ) from error
        yield value


def read_episode(spool: Path, private: Path, episode_key: str, attempt: int) -> EpisodeData:
    """One attempt from its public spool and, where there is one, its private spool."""
    steps: list[Step] = []
    calls: list[ModelCall] = []
    events: list[tuple[tuple[int, int], Event]] = []
    visibility: list[VisibilityRow] = []
    frames: dict[str, FrameRef] = {}
    rows: dict[str, list[Mapping[str, Json]]] = {}
    start: Mapping[str, Json] = {}
    receipt: Receipt | None = None
    files = [(spool, False)] + ([(private, True)] if private.exists() else [])
    for path, hidden in files:
        for number, line in enumerate(read_lines(path), 1):
            try:
                match line["line"]:
                    case "step":
                        steps.append(step_from(line))
                        frames.update((frame.ref, frame) for frame in steps[-1].frames)
                    case "call":
                        calls.append(call_from(line))
                    case "event":
                        # A private line stands behind the public lines that were written before it.
                        place = (line["after"], 1) if hidden else (number, 0)
                        events.append((place, event_from(line)))
                    case "visibility":
                        visibility.extend(visibility_from(row) for row in line["rows"])
                    case "row":
                        rows.setdefault(line["table"], []).append(line["row"])
                    case "frame":
                        frame = frame_from(line)
                        frames[frame.ref] = frame
                    case "start":
                        start = line["fields"]
                    case "receipt":
                        receipt = receipt_from(line)
                    case "end":
                        pass
                    case other:
                        raise ValueError(f"unknown kind of line {str(other)[:60]!r}")
            except (KeyError, TypeError, ValueError) as error:
                raise CorruptSpool(f"{path}, line {number} is damaged: {error!r}.") from error
    events.sort(key=lambda item: item[0])
    return EpisodeData(
        episode_key=episode_key,
        attempt=attempt,
        start=start,
        steps=tuple(steps),
        calls=tuple(calls),
        events=tuple(event for _, event in events),
        visibility=tuple(visibility),
        frames=frames,
        rows={table: tuple(found) for table, found in rows.items()},
        receipt=receipt,
    )


def _fields(line: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in line.items() if key not in ("line", "after")}


def pose_from(value: Mapping[str, Any] | None) -> Pose | None:
    """A pose from its JSON object."""
    return None if value is None else Pose(**value)


def frame_from(value: Mapping[str, Any]) -> FrameRef:
    """A frame's reference from its JSON object."""
    return FrameRef(**{**_fields(value), "pose": pose_from(value.get("pose"))})


def step_from(value: Mapping[str, Any]) -> Step:
    """A step from its JSON object."""
    frames = tuple(frame_from(frame) for frame in value["frames"])
    return Step(**{**_fields(value), "pose": pose_from(value.get("pose")), "frames": frames})


def call_from(value: Mapping[str, Any]) -> ModelCall:
    """A model call from its JSON object."""
    return ModelCall(**{**_fields(value), "messages": tuple(value["messages"])})


def event_from(value: Mapping[str, Any]) -> Event:
    """An event from its JSON object."""
    return Event(**_fields(value))


def visibility_from(value: Mapping[str, Any]) -> VisibilityRow:
    """A visibility row from its JSON object."""
    boxes = {name: tuple(value[name]) if value[name] is not None else None for name in ("box", "twin_box")}
    return VisibilityRow(**{**value, **boxes})


def receipt_from(value: Mapping[str, Any]) -> Receipt:
    """A receipt from its JSON object."""
    return Receipt(**_fields(value))


def verdict_from(value: Mapping[str, Any]) -> Verdict:
    """A verdict from its JSON object."""
    return Verdict(**{**value, "evidence": tuple(value["evidence"])})


def metric_from(value: Mapping[str, Any]) -> Metric:
    """A metric from its JSON object."""
    return Metric(**value)
