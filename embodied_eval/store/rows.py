"""Records as rows of the database's tables, in the order of `schema.sql`'s columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from embodied_eval.records import COUNTED, FrameRef, Json, Metric, ModelCall, Pose, Verdict
from embodied_eval.store.encoding import json_text
from embodied_eval.store.records_io import EpisodeData, Receipt
from embodied_eval.store.tables import PluginTable

Row = tuple[Any, ...]
_INT64 = 2**63
_NO_POSE: Row = (None,) * 5
_UNFINISHED: Row = (None,) * 15


def utc(text: Json) -> datetime | None:
    """An ISO 8601 time as a naive UTC datetime; a time without offset is UTC. None for anything else."""
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return found.astimezone(UTC).replace(tzinfo=None) if found.tzinfo else found


def integer(value: Any) -> int | None:
    """`value` where a BIGINT can hold it, else None: a provider may report anything."""
    return int(value) if isinstance(value, (int, float)) and -_INT64 <= value < _INT64 else None


def run_row(manifest: Mapping[str, Json]) -> Row:
    """The row of `runs`."""
    return (
        manifest["run_id"],
        manifest["benchmark"],
        integer(manifest.get("benchmark_version")),
        manifest.get("model"),
        manifest.get("privileged"),
        manifest.get("judge"),
        manifest.get("driver"),
        manifest.get("renderer"),
        utc(manifest.get("created_at")),
        json_text(manifest.get("versions", {})),
        json_text(manifest.get("config", {})),
        json_text(manifest.get("conditions", [])),
        len(manifest.get("plan", [])),
    )


def task_row(run_id: str, task: Mapping[str, Json]) -> Row:
    """A row of `tasks`, from a task as run.json holds it."""
    return (
        run_id,
        task["id"],
        task.get("engine"),
        task.get("scene"),
        task.get("world"),
        json_text(task.get("tags", [])),
        task.get("sha256"),
        json_text(task.get("public", {})),
    )


def episode_row(manifest: Mapping[str, Json], planned: Mapping[str, Json], receipt: Receipt | None) -> Row:
    """A row of `episodes`: what was planned and, with a receipt, what came of it."""
    head = (
        manifest["run_id"],
        planned["episode_key"],
        manifest["benchmark"],
        manifest.get("model"),
        receipt.privileged if receipt else manifest.get("privileged"),
        planned.get("task_id"),
        planned.get("condition"),
        integer(planned.get("repeat")),
        integer(planned.get("seed")),
        json_text(planned.get("key_fields", {})),
    )
    if receipt is None:
        return head + _UNFINISHED
    return (
        *head,
        receipt.attempt,
        receipt.status,
        receipt.status in COUNTED,
        receipt.reason,
        json_text(receipt.answer),
        receipt.error_kind,
        receipt.error,
        integer(receipt.steps),
        integer(receipt.calls),
        integer(receipt.tokens_in),
        integer(receipt.tokens_out),
        receipt.cost_usd,
        receipt.wall_s,
        receipt.sim_s,
        utc(receipt.finished_at),
    )


def attempt_row(run_id: str, episode_key: str, attempt: int, receipt: Receipt | None, chosen: bool) -> Row:
    """A row of `attempts`."""
    head = (run_id, episode_key, attempt, receipt is not None, chosen)
    if receipt is None:
        return head + (None,) * 8
    return (
        *head,
        receipt.status,
        receipt.error_kind,
        receipt.error,
        integer(receipt.tokens_in),
        integer(receipt.tokens_out),
        receipt.cost_usd,
        receipt.wall_s,
        utc(receipt.finished_at),
    )


def episode_rows(run_id: str, data: EpisodeData, tables: Mapping[str, PluginTable]) -> dict[str, list[Row]]:
    """The rows that one episode adds, by table."""
    head = (run_id, data.episode_key)
    step_of = {frame.ref: step.index for step in data.steps for frame in step.frames}
    rows: dict[str, list[Row]] = {
        "steps": [
            (
                *head,
                step.index,
                step.action,
                json_text(step.arguments),
                step.result,
                step.t_s,
                *_pose(step.pose),
                step.moved_m,
                step.blocked,
                step.counts,
                len(step.frames),
            )
            for step in data.steps
        ],
        "calls": [(*head, *_call(call)) for call in data.calls],
        "frames": [(*head, step_of.get(frame.ref), *_frame(frame)) for frame in data.frames.values()],
        "visibility": [
            (
                *head,
                row.ref,
                row.object,
                row.pixels,
                row.unoccluded,
                None if row.box is None else json_text(row.box),
                row.twin_pixels,
                row.twin_unoccluded,
                None if row.twin_box is None else json_text(row.twin_box),
                row.image_pixels,
            )
            for row in data.visibility
        ],
        "events": [
            (*head, index, event.step, event.t_s, event.kind, json_text(event.data), event.private)
            for index, event in enumerate(data.events)
        ],
    }
    for key, found in data.rows.items():
        table = tables[key]
        rows[table.name] = [
            (*head, index, *(_cell(row.get(column), kind) for column, kind in table.columns.items()))
            for index, row in enumerate(found)
        ]
    return rows


def verdict_row(run_id: str, episode_key: str, judge_key: str, verdict: Verdict) -> Row:
    """A row of `verdicts`."""
    return (
        run_id,
        episode_key,
        judge_key,
        verdict.item,
        verdict.score,
        verdict.max,
        verdict.passed,
        verdict.reason,
        json_text(verdict.evidence),
        verdict.judge,
        verdict.judge_version,
        verdict.error,
    )


def metric_row(run_id: str, judge_key: str, metric: Metric) -> Row:
    """A row of `metrics`."""
    return (
        run_id,
        judge_key,
        metric.name,
        metric.group,
        metric.condition,
        metric.value,
        metric.low,
        metric.high,
        metric.unit,
        metric.n,
        metric.denominator,
        metric.judge,
        metric.reason,
    )


def judge_call_row(run_id: str, episode_key: str, judge_key: str, call: ModelCall) -> Row:
    """A row of `judge_calls`."""
    return (run_id, episode_key, judge_key, *_call(call))


def _call(call: ModelCall) -> Row:
    return (
        call.index,
        call.role,
        call.model,
        call.known_messages,
        json_text(call.messages),
        None if call.reply is None else json_text(call.reply),
        integer(call.tokens_in),
        integer(call.tokens_out),
        call.cost_usd,
        call.tries,
        call.wall_s,
        call.finish,
        call.cached,
        call.error,
        call.error_kind,
    )


def _pose(pose: Pose | None) -> Row:
    return _NO_POSE if pose is None else (pose.x, pose.y, pose.z, pose.yaw_deg, pose.pitch_deg)


def _frame(frame: FrameRef) -> Row:
    return (
        frame.ref,
        frame.sha256,
        frame.media_type,
        frame.width,
        frame.height,
        frame.bytes,
        frame.t_s,
        *_pose(frame.pose),
    )


def _cell(value: Json, kind: str) -> Any:
    return json_text(value) if kind == "JSON" and value is not None else value


def extend(into: dict[str, list[Row]], rows: Mapping[str, Sequence[Row]]) -> None:
    """Add `rows` to those gathered for the same tables."""
    for table, found in rows.items():
        into.setdefault(table, []).extend(found)
