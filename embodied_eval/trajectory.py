"""What came of episodes: what judges, summaries and reports are handed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from embodied_eval.records import (
    Condition,
    Event,
    FrameRef,
    Json,
    ModelCall,
    Outcome,
    Step,
    Task,
    Verdict,
    VisibilityRow,
)


@dataclass(frozen=True)
class Trajectory:
    """What `judge` is handed: everything stored about one finished episode, and nothing else."""

    episode_key: str
    task: Task  # both halves
    condition: Condition
    model: str
    repeat: int
    outcome: Outcome
    steps: tuple[Step, ...]
    calls: tuple[ModelCall, ...]
    events: tuple[Event, ...]
    visibility: tuple[VisibilityRow, ...]
    frames: Mapping[str, FrameRef]  # by ref
    rows: Mapping[str, tuple[Mapping[str, Json], ...]]  # the benchmark's own tables
    read_frame: Callable[[str], bytes] = field(repr=False)  # sha256 -> encoded bytes


@dataclass(frozen=True)
class EpisodeResult:
    """One planned episode and what came of it. `outcome` is None where it never finished; `verdicts` is
    empty where it was not judged; `error_kind` names the error that excluded it."""

    episode_key: str
    task: Task
    condition: Condition
    model: str
    repeat: int
    privileged: bool
    outcome: Outcome | None
    verdicts: tuple[Verdict, ...] = ()
    error_kind: str = ""
    error: str = ""
    steps: int = 0
    calls: int = 0
    tokens_in: int | None = 0
    tokens_out: int | None = 0
    cost_usd: float | None = 0.0
    wall_s: float = 0.0
    sim_s: float = 0.0

    @property
    def judged(self) -> bool:
        """Whether it has verdicts and none of them is an error."""
        return bool(self.verdicts) and not any(verdict.error for verdict in self.verdicts)

    def verdict(self, item: str) -> Verdict | None:
        """The verdict on `item`, if there is one."""
        return next((verdict for verdict in self.verdicts if verdict.item == item), None)


@dataclass(frozen=True)
class Results:
    """All planned episodes of one run under one judge: what `summarize` and `pages` are handed."""

    benchmark: str
    run_id: str
    model: str
    judge: str
    episodes: tuple[EpisodeResult, ...]
