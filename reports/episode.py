"""The page of one episode: replay, plan, verdicts, answer, steps, calls, and the truth where it may be."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from embodied_eval.benchmark import Benchmark, EpisodeResult, Picture, Table, Trajectory
from embodied_eval.errors import EmbodiedEvalError
from embodied_eval.records import FrameRef, Json, Task, Verdict

from .data import MARKS, RunSource, State, scored_of, state_of, words_of
from .exhibits import PageView, shown_pages
from .figures import count, duration, money
from .floorplan import Outline, Plan, outlines, plan_of, svg_xy
from .folder import ReportFolder
from .pages import benchmark_href, render, slug
from .privacy import public_trajectory
from .replay import FrameView, Replay, clipped, plain, replay_of
from .summary import label_of

if TYPE_CHECKING:
    from embodied_eval.worlds.model import World


_CELL = 2000
"""Characters shown of a table's cell: a whole file may stand in one."""


@dataclass(frozen=True)
class Card:
    """An episode as other pages show it."""

    href: str
    task: str
    model: str
    reason: str
    frame: FrameView | None
    frames: Mapping[str, FrameView] = field(default_factory=dict)


@dataclass(frozen=True)
class Target:
    """Where the truth is on the plan, in its centimetres."""

    label: str
    x: int
    y: int


class EpisodePages:
    """Writes episode pages into `folder`; keeps a `Card` of each by (run id, episode key)."""

    def __init__(self, folder: ReportFolder, public: bool, common: Mapping[str, Any]) -> None:
        self.cards: dict[tuple[str, str], Card] = {}
        self._folder, self._public, self._common = folder, public, common
        self._worlds: dict[tuple[str, str, str], World | None] = {}
        self._drawn: dict[int, tuple[World, tuple[Outline, ...]]] = {}

    def write(self, run_number: int, run: RunSource, episode: EpisodeResult) -> None:
        """Write the page of `episode`, the `run_number`-th run's."""
        warnings: list[str] = []
        trajectory = self._trajectory(run, episode, warnings)
        replay = None if trajectory is None else replay_of(trajectory, self._source(run))
        if replay is not None:
            missing = sum(frame.src is None for step in replay.steps for frame in step.frames)
            if missing:
                warnings.append(f"{missing} of this episode's frames could not be found in the store.")
        plan, targets = self._plan(run.benchmark, trajectory, replay, warnings)
        href = f"episodes/{run_number}-{_file_key(episode.episode_key)}.html"
        first = replay.first_frame if replay else None
        condition = episode.condition.name if len(run.conditions) > 1 else ""
        self.cards[(run.run_id, episode.episode_key)] = Card(
            href,
            episode.task.id,
            label_of(run, condition),
            _reason(episode),
            _telling(replay, episode),
            _frames(replay),
        )
        state = state_of(episode)
        answered = dict(episode.outcome.answer) if episode.outcome else {}
        if replay and any(step.findings for step in replay.steps):
            answered.pop("findings", None)
        page = render(
            "episode.html.j2",
            task=episode.task,
            model=episode.model,
            judge=run.results.judge or "none",
            scripted=run.scripted,
            privileged=episode.privileged,
            state=state,
            mark=MARKS[state][0],
            words=words_of(episode),
            chips=_chips(run, episode),
            warnings=warnings,
            benchmark_href=benchmark_href(run.results.benchmark),
            benchmark_title=run.benchmark.title or run.results.benchmark,
            replay=replay,
            first=first,
            plan=plan,
            plan_words="Point at something to see what it is." if plan and plan.outlines else "",
            trail=" ".join(f"{x},{y}" for x, y in _trail(replay)),
            targets=targets,
            verdicts=[_verdict(verdict) for verdict in episode.verdicts],
            findings=_findings(replay),
            answer=list(answered.items()),
            task_facts=_task_facts(episode.task),
            truth=_truth(episode.task),
            calls=trajectory.calls if trajectory else (),
            pages=_own_pages(run.benchmark, trajectory, episode, _frames(replay)),
            tables=_tables(run.benchmark, trajectory),
            **self._common,
        )
        self._folder.write(href, page)

    def _trajectory(self, run: RunSource, episode: EpisodeResult, warnings: list[str]) -> Trajectory | None:
        if episode.outcome is None:
            warnings.append("This episode was planned but has not finished; there is nothing to replay.")
            return None
        if self._public and episode.privileged:
            warnings.append("This model saw the truth; the public edition leaves out what it did and said.")
            return None
        try:
            trajectory = run.load(episode.episode_key)
        except EmbodiedEvalError as error:
            detail = error.kind if self._public else f"{error.kind}: {error}"
            warnings.append(f"What is stored about this episode could not be read ({detail}).")
            return None
        return public_trajectory(trajectory, run.benchmark) if self._public else trajectory

    def _source(self, run: RunSource) -> Any:
        def source(frame: FrameRef) -> str | None:
            return self._folder.frame(frame.sha256, frame.media_type, run.frame_path)

        return source

    def _plan(
        self,
        benchmark: Benchmark,
        trajectory: Trajectory | None,
        replay: Replay | None,
        warnings: list[str],
    ) -> tuple[Plan | None, list[Target]]:
        if trajectory is None or replay is None or not replay.poses:
            return None, []
        try:
            world = self._world(benchmark, trajectory.task)
        except EmbodiedEvalError as error:
            warnings.append(f"The world could not be drawn ({error.kind}); the plan shows the path alone.")
            world = None
        places = [] if self._public else truth_places(benchmark, trajectory.task, world)
        points = [(pose.x, pose.y) for pose in replay.poses] + [(x, y) for _, x, y in places]
        regions = [region.bounds for region in world.regions] if world else []
        plan = plan_of(self._outlines(world), regions, points)
        return plan, [Target(label, *svg_xy(x, y)) for label, x, y in places]

    def _world(self, benchmark: Benchmark, task: Task) -> World | None:
        key = (benchmark.name, task.id, task.world)
        if key not in self._worlds:
            self._worlds[key] = benchmark.world(task.without_truth(), None)
        return self._worlds[key]

    def _outlines(self, world: World | None) -> tuple[Outline, ...]:
        if world is None:
            return ()
        # Kept with its world, so that the id stays that world's; many tasks share one.
        if id(world) not in self._drawn:
            self._drawn[id(world)] = (world, outlines(world))
        return self._drawn[id(world)][1]


def truth_places(benchmark: Benchmark, task: Task, world: World | None) -> list[tuple[str, float, float]]:
    """Label and floor position of what the task's truth is about: `private["target"]["place"]` where it is
    given, else the watched objects of the world."""
    target = task.private.get("target")
    target = target if isinstance(target, Mapping) else {}
    label = str(target.get("label") or target.get("object") or "target")
    place = target.get("place")
    if isinstance(place, Sequence) and not isinstance(place, str) and len(place) >= 2:
        return [(label, float(place[0]), float(place[1]))]
    known = {item.name: item for item in world.objects} if world else {}
    names = [str(target["object"])] if target.get("object") in known else list(benchmark.watch(task))
    return [
        (known[name].label, known[name].position[0], known[name].position[1])
        for name in names
        if name in known
    ]


def _file_key(key: str) -> str:
    return key if re.fullmatch(r"[0-9a-f]{8,64}", key) else slug(key)


def _telling(replay: Replay | None, episode: EpisodeResult) -> FrameView | None:
    """The frame to stand for the episode: the first that a verdict or a measure goes by, the last measure
    before others; else the last one."""
    if replay is None:
        return None
    measures = [verdict for verdict in reversed(episode.verdicts) if verdict.max <= 0]
    for verdict in (*scored_of(episode), *measures):
        for ref in verdict.evidence:
            frame = replay.frame(ref)
            if frame is not None and frame.src:
                return frame
    frames = [frame for step in replay.steps for frame in step.frames]
    return next((frame for frame in reversed(frames) if frame.src), frames[-1] if frames else None)


def _reason(episode: EpisodeResult) -> str:
    failed = [verdict.reason for verdict in scored_of(episode) if not verdict.passed and verdict.reason]
    outcome = episode.outcome.reason if episode.outcome else ""
    return (failed or [episode.error or outcome])[0][:300]


def _trail(replay: Replay | None) -> list[tuple[int, int]]:
    points = [svg_xy(pose.x, pose.y) for pose in replay.poses] if replay else []
    return [point for i, point in enumerate(points) if i == 0 or point != points[i - 1]]


def _chips(run: RunSource, episode: EpisodeResult) -> list[tuple[str, str]]:
    chips = [("condition", episode.condition.name)]
    if run.repeats > 1:
        chips.append(("repeat", str(episode.repeat + 1)))
    if episode.outcome is not None:
        chips.append(("ended", episode.outcome.status.replace("_", " ")))
        if episode.outcome.reason:
            chips.append(("because", episode.outcome.reason))
    if episode.error_kind:
        chips.append(("error", f"{episode.error_kind}: {episode.error}".rstrip(": ")))
    chips += [
        ("steps", str(episode.steps)),
        ("calls", str(episode.calls)),
        ("tokens", f"{count(episode.tokens_in)} in, {count(episode.tokens_out)} out"),
        ("cost", money(episode.cost_usd)),
        ("took", f"{duration(episode.wall_s)}, {duration(episode.sim_s)} simulated"),
    ]
    return chips


def _verdict(verdict: Verdict) -> dict[str, Json]:
    state: State = "errored" if verdict.error else "fail"
    if not verdict.error:
        score = verdict.score or 0.0
        full = verdict.passed if verdict.passed is not None else score >= verdict.max
        state = "pass" if full else "partial" if score > 0 else "fail"
    scored = verdict.score is not None and verdict.max > 0 and (verdict.passed is None or verdict.max != 1)
    return {
        "state": state,
        "mark": MARKS[state][0],
        "item": verdict.item,
        "score": f"{verdict.score:g} of {verdict.max:g}" if scored else "",
        "reason": plain(verdict.error or verdict.reason),
        "evidence": verdict.evidence,
    }


def _frames(replay: Replay | None) -> dict[str, FrameView]:
    return {frame.ref: frame for step in replay.steps for frame in step.frames} if replay else {}


def _own_pages(
    benchmark: Benchmark,
    trajectory: Trajectory | None,
    episode: EpisodeResult,
    frames: Mapping[str, FrameView],
) -> list[PageView]:
    """What the benchmark shows of the episode, pictures found among its frames; each leads to itself in full."""

    def find(picture: Picture) -> tuple[str, FrameView | None]:
        frame = frames.get(picture.ref)
        return (frame.src or "" if frame else "", frame)

    return shown_pages(benchmark.episode_pages(trajectory, episode), find) if trajectory else []


def _findings(replay: Replay | None) -> list[dict[str, Json]]:
    if replay is None:
        return []
    return [
        {"slot": slot, "title": item.title, "text": item.text, "evidence": item.evidence}
        for slot, step in enumerate(replay.steps)
        for item in step.findings
    ]


def _task_facts(task: Task) -> list[tuple[str, Json]]:
    facts: list[tuple[str, Json]] = [("engine", task.engine), ("scene", task.scene), ("world", task.world)]
    facts += [("tags", ", ".join(task.tags)), *task.public.items()]
    return [(name, value) for name, value in facts if value not in ("", None, [], {})]


def _truth(task: Task) -> list[tuple[str, Json]]:
    """The private half, the rubric first and unfolded."""
    private = dict(task.private)
    rubric = private.pop("rubric", None)
    facts = list(rubric.items()) if isinstance(rubric, Mapping) else [("rubric", rubric)] if rubric else []
    return [*facts, *private.items()]


def _tables(benchmark: Benchmark, trajectory: Trajectory | None) -> list[Table]:
    """Rows of the benchmark's own tables that the replay does not show already."""
    made = []
    for name, rows in trajectory.rows.items() if trajectory else ():
        if name in {"findings", "notes"} or not rows:
            continue
        spec = benchmark.tables().get(name)
        columns = tuple(dict.fromkeys(key for row in rows for key in row))
        cells = tuple(tuple(_cell(row.get(column)) for column in columns) for row in rows)
        made.append(Table(name, columns, cells, "hidden from the model" if spec and spec.private else ""))
    return made


def _cell(value: Json) -> Json:
    if value is None or isinstance(value, (int, float)):
        return value
    return clipped(plain(value), _CELL)
