"""Runs to report on, made by hand: a two-room world, a benchmark over it, walks with real JPEG frames."""

from __future__ import annotations

import hashlib
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from embodied_eval.benchmark import (
    Benchmark,
    Episode,
    EpisodeResult,
    Headline,
    Page,
    Results,
    Table,
    TableSpec,
    Trajectory,
)
from embodied_eval.records import (
    Condition,
    Event,
    FrameRef,
    Json,
    Metric,
    ModelCall,
    Outcome,
    Pose,
    Step,
    Task,
    Verdict,
    VisibilityRow,
    content_hash,
)
from embodied_eval.worlds.model import World
from reports.data import RunSource
from tests.reports.synthetic_world import world

SIZE = (320, 180)


class Synthetic(Benchmark):
    """A benchmark whose results are made up and whose report is real."""

    name = "synthetic"
    title = "Synthetic audit"
    description = "Find the vase that hangs in the air."
    headline = Headline("success_rate")

    def __init__(self, tables: Mapping[str, TableSpec] | None = None) -> None:
        self._world = world()
        self._tables = tables

    def tasks(self) -> Sequence[Task]:
        return ()

    def conditions(self) -> Sequence[Condition]:
        return (Condition("default", {"actions": 40}),)

    async def play(self, episode: Episode) -> Outcome:
        raise NotImplementedError

    def world(self, task: Task, options: Any) -> World | None:
        return self._world if task.world else None

    def tables(self) -> Mapping[str, TableSpec]:
        if self._tables is not None:
            return self._tables
        text = {"text": "VARCHAR"}
        return {
            "findings": TableSpec(text),
            "notes": TableSpec(text),
            "hidden": TableSpec(text, private=True),
        }

    def summarize(self, results: Results) -> Sequence[Metric]:
        made = []
        groups = ["", *sorted({tag for episode in results.episodes for tag in episode.task.tags})]
        for group in groups:
            chosen = [e for e in results.episodes if not group or group in e.task.tags]
            judged = [e for e in chosen if e.judged and e.outcome and e.outcome.counts]
            for name, item in (("success_rate", "identified"), ("evidenced_rate", "evidenced")):
                hits = sum(bool((v := e.verdict(item)) and v.passed) for e in judged)
                value = 100 * hits / len(judged) if judged else None
                low, high = (None, None) if value is None else (max(0.0, value - 15), min(100.0, value + 15))
                reason = "" if judged else "no episode was judged"
                made.append(
                    Metric(name, value, len(judged), low, high, "%", len(chosen), group, "", "truth", reason)
                )
        return made

    def pages(self, results: Sequence[Results]) -> Sequence[Page]:
        rows = tuple((found.model, len(found.episodes), 12.345) for found in results)
        return (
            Page("By model", "As a paper would print it.", (Table("Models", ("model", "tasks", "x"), rows),)),
        )


@dataclass
class FrameFiles:
    """A folder of frames by hash, as a store has one."""

    folder: Path
    known: dict[str, FrameRef] = field(default_factory=dict)

    def path(self, sha256: str) -> Path:
        return self.folder / f"{sha256}.jpg"

    def put(self, ref: str, t_s: float, pose: Pose, *, shade: int, keep: bool = True) -> FrameRef:
        """Draw and store a frame: a horizon that moves with the pose, its ref, a shade of its own."""
        from PIL import Image, ImageDraw

        picture = Image.new("RGB", SIZE, (shade % 200 + 40, 150, 200 - shade % 120))
        pen = ImageDraw.Draw(picture)
        pen.rectangle((0, 100, 320, 180), fill=(130, 110, 90))
        left = (pose.yaw_deg * 3 + pose.x * 20) % 280
        pen.ellipse((left, 60, left + 40, 120), fill=(200, 60, 60))
        pen.text((8, 8), ref, fill=(255, 255, 255))
        buffer = io.BytesIO()
        picture.save(buffer, "JPEG", quality=80)
        data = buffer.getvalue()
        sha256 = hashlib.sha256(data).hexdigest()
        if keep:
            self.path(sha256).write_bytes(data)
        return FrameRef(ref, sha256, "image/jpeg", *SIZE, len(data), t_s, pose)


def task(number: int, *, tags: tuple[str, ...] = ("static",), secret: str = "vase") -> Task:
    """A task; `secret` stands in every private field."""
    return Task(
        id=f"indoor/{number:02d}",
        public={"instruction": "Look around and report what is wrong.", "scene_description": "Two rooms."},
        private={
            "target": {"object": "vase_1", "label": secret, "place": [2.3, 2.0, 0.9]},
            "rubric": {"anomaly": f"The {secret} floats.", "expected": "It stands.", "conditions": secret},
            "watch": ["vase_1"],
            "subcategory": secret,
            "effects": [{"trigger": {"kind": "always"}, "change": {"kind": secret}}],
        },
        engine="mujoco",
        scene="west",
        world="synthetic",
        tags=tags,
    )


def walk(
    files: FrameFiles, problem: Task, *, model: str, steps: int = 10, keep: bool = True, secret: str = "vase"
) -> Trajectory:
    """A walk through the door and back with two intermediate frames a step, words, a note, a finding."""
    made_steps, calls, frames, visibility = [], [], {}, []
    pose = Pose(4.2, 2.0, 0.0, 180.0)
    seed = int(content_hash([problem.id, model])[:6], 16)
    start = files.put("a0", 0.0, pose, shade=seed, keep=keep)
    frames["a0"] = start
    for index in range(1, steps + 1):
        turning = index % 3 == 0
        name = "turn" if turning else "move"
        arguments: dict[str, Json] = (
            {"degrees": 40} if turning else {"direction": "forward", "distance_m": 0.4}
        )
        shown = []
        for part in (1, 2, 3):
            if turning:
                pose = replace(pose, yaw_deg=pose.yaw_deg - 40 / 3)
            else:
                yaw = math.radians(pose.yaw_deg)
                pose = replace(pose, x=pose.x + math.cos(yaw) * 0.13, y=pose.y + math.sin(yaw) * 0.13)
            ref = f"a{index}" if part == 3 else f"a{index}.f{part}"
            frame = files.put(ref, index + part / 3, pose, shade=seed + 9 * index + part, keep=keep)
            frames[ref] = frame
            shown.append(frame)
            visibility.append(
                VisibilityRow(ref, secret, 400, 500, (100, 60, 140, 110), 0, 0, None, SIZE[0] * SIZE[1])
            )
        result = f"#{index} {name}: at ({pose.x:.2f}, {pose.y:.2f}), yaw {pose.yaw_deg:.0f}, frames a{index}"
        made_steps.append(
            Step(index, name, arguments, result, index + 1.0, pose, 0.4, index == 4, True, tuple(shown))
        )
        text = f"I will {name} to see more of the room, step {index}."
        reply = {"text": text, "tool_calls": [{"id": "1", "name": name, "arguments": arguments}]}
        calls.append(
            ModelCall(index - 1, "agent", model, 0, (), reply, 1200, 40, 0.002, 1, 0.8, "tool_calls")
        )
    finding = {
        "id": "bug1",
        "description": "The vase hangs above the table.",
        "category": "geometry",
        "status": "confirmed",
        "evidence": ["a2", "a3.f1"],
        "action": 3,
        "t_s": 4.0,
    }
    return Trajectory(
        episode_key=content_hash([problem.id, model])[:32],
        task=problem,
        condition=Condition("default", {"actions": 40}),
        model=model,
        repeat=0,
        outcome=Outcome("completed", {"findings": [finding], "summary": "One thing is wrong."}),
        steps=tuple(made_steps),
        calls=tuple(calls),
        events=(
            Event("trigger", 2.0, 2, {"effect": secret}, private=True),
            Event("door", 3.0, 3, {"state": "open"}),
        ),
        visibility=tuple(visibility),
        frames=frames,
        rows={
            "findings": (finding,),
            "notes": ({"step": 2, "text": "Sofa and table look right."},),
            "hidden": ({"text": secret},),
        },
        read_frame=lambda sha256: files.path(sha256).read_bytes(),
    )


def result_of(
    trajectory: Trajectory, verdicts: tuple[Verdict, ...], *, privileged: bool = False
) -> EpisodeResult:
    """The result of a walk under `verdicts`."""
    return EpisodeResult(
        trajectory.episode_key,
        trajectory.task,
        trajectory.condition,
        trajectory.model,
        trajectory.repeat,
        privileged,
        trajectory.outcome,
        verdicts,
        steps=len(trajectory.steps),
        calls=len(trajectory.calls),
        tokens_in=1200 * len(trajectory.calls),
        tokens_out=40 * len(trajectory.calls),
        cost_usd=0.002 * len(trajectory.calls),
        wall_s=8.4,
        sim_s=11.0,
    )


def judged(identified: bool, evidenced: bool, secret: str = "vase") -> tuple[Verdict, ...]:
    """The two verdicts of an audit."""
    right = f"names the {secret} and that it hangs without support"
    return (
        Verdict("identified", float(identified), 1, identified, right if identified else f"no finding names it: {secret}",
                ("a2",), "truth", "1"),
        Verdict("evidenced", float(evidenced), 1, evidenced, f"a2 shows {secret} at 0.7 %" if evidenced
                else "no cited frame shows it", ("a2", "a3.f1"), "truth", "1"),
    )  # fmt: skip


def source(
    files: FrameFiles,
    model: str,
    episodes: Sequence[tuple[Trajectory, EpisodeResult]],
    *,
    privileged: bool = False,
    benchmark: Benchmark | None = None,
    judge: str = "truth",
) -> RunSource:
    """A run of the synthetic benchmark."""
    by_key = {trajectory.episode_key: trajectory for trajectory, _ in episodes}
    run_id = f"synthetic-{hashlib.sha256(repr((model, judge)).encode()).hexdigest()[:8]}"
    return RunSource(
        run_id=run_id,
        manifest={
            "run_id": run_id,
            "benchmark_version": 1,
            "privileged": privileged,
            "created_at": "2030-01-02T03:04:05Z",
            "driver": "mujoco",
            "renderer": "llvmpipe",
            "versions": {"embodied-eval": "0.1.0", "mujoco": "3.4"},
            "conditions": [{"name": "default", "settings": {"actions": 40}}],
        },
        benchmark=benchmark or Synthetic(),
        results=Results("synthetic", run_id, model, judge, tuple(result for _, result in episodes)),
        metrics=(),
        load=by_key.__getitem__,
        frame_path=files.path,
    )


def suite(files: FrameFiles, tasks: int = 6, steps: int = 4, secret: str = "vase") -> list[RunSource]:
    """Four models over `tasks` tasks: a privileged one, a scripted one, two others; every kind of result."""
    made = []
    for model in ("scripted/oracle", "scripted/null", "openai/gpt-large", "anthropic/claude-small"):
        episodes = []
        for number in range(tasks):
            problem = task(number, tags=(("static", "temporal", "spatial")[number % 3],), secret=secret)
            told = secret if model == "scripted/oracle" else "vase"
            trajectory = walk(files, problem, model=model, steps=steps, secret=secret)
            if told != "vase":
                words = {"findings": [], "summary": f"The {told} floats."}
                trajectory = replace(trajectory, outcome=Outcome("completed", words, told))
            good = {"scripted/oracle": 9, "scripted/null": 0}.get(model, (number * 7 + len(model)) % 3)
            result = result_of(
                trajectory, judged(good > 0, good > 1, secret), privileged=model == "scripted/oracle"
            )
            if model.startswith("anthropic") and number == 1:
                result = replace(
                    result,
                    outcome=Outcome("simulator_error", reason=secret),
                    verdicts=(),
                    error_kind="StepTimeout",
                    error=f"tick of {secret} took too long",
                )
            if model.startswith("anthropic") and number == 2:
                errored = Verdict("*", None, 1, None, secret, error=f"JudgeError: {secret}")
                result = replace(result, verdicts=(errored,))
            if model.startswith("openai") and number == 3:
                result = replace(result, outcome=None, verdicts=(), steps=0, calls=0)
            episodes.append((trajectory, result))
        made.append(source(files, model, episodes, privileged=model == "scripted/oracle"))
    return made
