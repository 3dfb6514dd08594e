"""The recording layout of the official explore-then-audit arm (spec of the benchmark, section 8.2), both ways.

One folder a recording: `f<tick:05d>.jpg`, `poses.jsonl` (a row each tick) and `meta.json`. Ours is of kind
`vla_explore`: positions [x, y up, z] in metres, x = x, y = height, z = -y of the core; yaw counter-clockwise and
pitch upwards in degrees, which `meta.json` says as `axes`. Of kind `vla_explore_ue`: `pos_cm` [x, y, z], left-handed,
yaw clockwise. The official files do not say which way their yaw (three.js) and pitch turn: they are taken as ours.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.worldaudit.vla.track import BACK_S, FORWARD_S, Track
from embodied_eval.benchmark import Episode, Trajectory
from embodied_eval.drivers.base import TICK_S
from embodied_eval.errors import DataFileError
from embodied_eval.records import Json, Outcome, Pose, Step

THREEJS, UE = "vla_explore", "vla_explore_ue"
AXES = "x, y up, z = -y of a right-handed z-up frame; yaw counter-clockwise from x, pitch up"
POSES, META = "poses.jsonl", "meta.json"
MOST_TICKS = 40_000
MOST_FRAMES = 4_000
LARGEST_FRAME = 16 << 20
FRAME_EVERY = 10


@dataclass(frozen=True)
class Tick:
    """A row of `poses.jsonl` in the core's conventions."""

    t_s: float
    pose: Pose
    moved_m: float
    keys: tuple[str, ...]
    dx: float
    dy: float
    recovery: bool
    nudge: bool


def folder_of(root: Path, task_id: str) -> Path:
    """The folder of a task's recording below `root`: its id with "-" for "/"."""
    return root / task_id.replace("/", "-")


def export_recording(trajectory: Trajectory, root: Path) -> Path:
    """Write an exploration below `root`; returns its folder. Raises DataFileError for an episode that is none."""
    rows = trajectory.rows.get("ticks", ())
    if not rows:
        raise DataFileError(f"Episode {trajectory.episode_key} is no exploration: it holds no ticks.")
    folder = folder_of(root, trajectory.task.id)
    folder.mkdir(parents=True, exist_ok=True)
    views = [(step.frames[-1], step) for step in trajectory.steps if step.frames]
    listed = []
    for frame, step in views:
        tick = round(step.t_s / TICK_S)
        (folder / f"f{tick:05d}.jpg").write_bytes(trajectory.read_frame(frame.sha256))
        listed.append(tick)
    first = views[0][1].pose
    assert first is not None
    lines = [_row(0.0, first, 0.0, {})] + [
        _row(row["t_s"], Pose(*(row[name] for name in AXIS_NAMES)), row["moved_m"], row) for row in rows
    ]
    (folder / POSES).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    meta = {
        "kind": THREEJS,
        "axes": AXES,
        "task": trajectory.task.id,
        "dt_ms": round(TICK_S * 1000),
        "record_every": FRAME_EVERY,
        "frames": listed,
        "start_check": True,
        "n_recoveries": trajectory.outcome.answer.get("recoveries", 0),
    }
    (folder / META).write_text(json.dumps(meta, indent=1), encoding="utf-8")
    return folder


AXIS_NAMES = ("x", "y", "z", "yaw_deg", "pitch_deg")


def _row(t_s: float, pose: Pose, moved_m: float, row: Mapping[str, Json]) -> dict[str, Json]:
    return {
        "t": t_s,
        "pos": [pose.x, pose.z, -pose.y],
        "yaw": pose.yaw_deg,
        "pitch": pose.pitch_deg,
        "moved": moved_m,
        "keys": str(row.get("keys", "")).split(),
        "dx": row.get("dx", 0.0),
        "dy": row.get("dy", 0.0),
        "recovery": bool(row.get("recovery", False)),
        "nudge": bool(row.get("nudge", False)),
    }


async def import_recording(episode: Episode, root: str) -> Outcome:
    """Store the recording of the episode's task below `root` as this exploration. It has neither masks nor events,
    so that exposure can be told by the view cone alone. Raises DataFileError, naming the file."""
    folder = folder_of(Path(root), episode.task.id)
    meta, ticks = _meta(folder / META), read_ticks(folder)
    frames = _frames(folder, meta, len(ticks))
    track = Track(proprio=True)
    before = 0
    for number, tick in enumerate(frames):
        passed, now = ticks[before + 1 : tick + 1], ticks[tick]
        data, size = _picture(folder / f"f{tick:05d}.jpg")
        episode.store_frame(f"a{number}", data, "image/jpeg", size)
        moved_m = sum(one.moved_m for one in passed)
        held = {
            FORWARD_S: round(sum("KeyW" in one.keys for one in passed) * TICK_S, 3),
            BACK_S: round(sum("KeyS" in one.keys for one in passed) * TICK_S, 3),
        }
        for at, one in enumerate(passed, before + 1):
            episode.row("ticks", _stored(at, one))
        t_s = round(now.t_s - ticks[frames[0]].t_s, 6)
        line = track.line(f"a{number}", t_s, now.pose, moved_m, held)
        action = "explore" if number else "observe"
        await episode.step(Step(0, action, held, line, t_s, now.pose, round(moved_m, 6), False, bool(number)))
        before = tick
    answer = {"path_m": round(track.path_m, 3), "ticks": len(ticks), "imported": str(meta["kind"])}
    return Outcome("completed", answer)


def read_ticks(folder: Path) -> list[Tick]:
    """The rows of `poses.jsonl`. Raises DataFileError, naming file and line."""
    path = folder / POSES
    made: list[Tick] = []
    kind = str(_meta(folder / META)["kind"])
    for number, line in enumerate(_lines(path), 1):
        try:
            row = json.loads(line)
            made.append(_tick(row, kind, number - 1))
        except (KeyError, TypeError, ValueError) as error:
            raise DataFileError(f"{path}, line {number} is no tick of a recording: {error!r}.") from error
        if number > MOST_TICKS:
            raise DataFileError(f"{path} holds more than {MOST_TICKS} ticks.")
    if not made:
        raise DataFileError(f"{path} holds no tick.")
    return made


def folder_digest(root: str) -> str:
    """The first 12 hex digits of the SHA-256 over all recordings' poses and the names and sizes of their frames."""
    found = sorted(Path(root).glob(f"*/{META}"))
    if not found:
        raise DataFileError(
            f"There are no recordings in {root}.", hint=f"A recording is a folder with {META} and {POSES}."
        )
    hashed = hashlib.sha256()
    for meta in found:
        for path in sorted(meta.parent.glob("f*.jpg")):
            hashed.update(f"{meta.parent.name}/{path.name} {path.stat().st_size}\n".encode())
        for path in (meta, meta.parent / POSES):
            hashed.update(_bytes(path))
    return hashed.hexdigest()[:12]


def _tick(row: Mapping[str, Any], kind: str, number: int) -> Tick:
    yaw, pitch = float(row["yaw"]), float(row["pitch"])
    if kind == UE:
        x, y, z = (float(value) / 100.0 for value in row["pos_cm"])
        pose, moved_m = Pose(x, -y, z, -yaw, pitch), float(row.get("moved_cm", 0.0)) / 100.0
    else:
        x, up, z = (float(value) for value in row["pos"])
        pose, moved_m = Pose(x, -z, up, yaw, pitch), float(row.get("moved", 0.0))
    numbers = (pose.x, pose.y, pose.z, yaw, pitch, moved_m)
    if not all(math.isfinite(value) for value in numbers):
        raise ValueError("a number that is not finite")
    return Tick(
        t_s=float(row.get("t", number * TICK_S)),
        pose=pose,
        moved_m=moved_m,
        keys=tuple(str(key)[:32] for key in row.get("keys", ())),
        dx=float(row.get("dx", 0.0)),
        dy=float(row.get("dy", 0.0)),
        recovery=bool(row.get("recovery", False)),
        nudge=bool(row.get("nudge", False)),
    )


def _stored(number: int, tick: Tick) -> dict[str, Json]:
    pose = tick.pose
    return {
        "tick": number,
        "t_s": tick.t_s,
        **{name: getattr(pose, name) for name in AXIS_NAMES},
        "moved_m": tick.moved_m,
        "blocked": False,
        "keys": " ".join(tick.keys),
        "buttons": "",
        "dx": tick.dx,
        "dy": tick.dy,
        "recovery": tick.recovery,
        "nudge": tick.nudge,
    }


def _meta(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(_bytes(path))
    except ValueError as error:
        raise DataFileError(f"{path} is no JSON: {error}.") from error
    if not isinstance(value, dict) or value.get("kind") not in (THREEJS, UE):
        raise DataFileError(f"{path} must say kind {THREEJS!r} or {UE!r}.")
    if value.get("dt_ms", 50) != 50:
        raise DataFileError(f"{path}: a tick is 50 ms, not {value['dt_ms']!r}.")
    return value


def _frames(folder: Path, meta: Mapping[str, Any], count: int) -> Sequence[int]:
    """The ticks at which there are frames, the start first."""
    listed = sorted(int(path.stem[1:]) for path in folder.glob("f*.jpg") if path.stem[1:].isdigit())
    if not listed or len(listed) > MOST_FRAMES or listed[-1] >= count:
        raise DataFileError(
            f"{folder} holds {len(listed)} frames up to tick {listed[-1] if listed else '-'} and {count} poses."
        )
    return listed


def _picture(path: Path) -> tuple[bytes, tuple[int, int]]:
    import io

    from PIL import Image as Picture

    data = _bytes(path)
    try:
        with Picture.open(io.BytesIO(data), formats=("JPEG",)) as picture:
            return data, picture.size
    except OSError as error:
        raise DataFileError(f"{path} is no JPEG: {error}.") from error


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > LARGEST_FRAME:
            raise DataFileError(f"{path} is larger than {LARGEST_FRAME} bytes.")
        return path.read_bytes()
    except OSError as error:
        raise DataFileError(f"{path} cannot be read: {error.strerror or error}.") from error


def _lines(path: Path) -> Iterator[bytes]:
    return (line for line in _bytes(path).split(b"\n") if line.strip())
