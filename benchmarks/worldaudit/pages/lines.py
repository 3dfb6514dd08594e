"""The rows of every table: one run under one condition, with its episodes and their metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.worldaudit.summary import metrics_of
from benchmarks.worldaudit.support import percent
from embodied_eval.benchmark import Cell, EpisodeResult, Results, RowGroup
from embodied_eval.records import Condition, Json, Metric
from embodied_eval.stats import wilson

VLM, VLA_VLM = "vlm", "vla-vlm"
PRIVILEGED = "Saw the truth: not ranked"

Row = tuple[Json | Cell, ...]


@dataclass(frozen=True)
class Line:
    """One run under one condition. `metrics` are keyed by name and group."""

    run_id: str
    model: str
    judge: str
    condition: Condition
    episodes: tuple[EpisodeResult, ...]
    metrics: Mapping[tuple[str, str], Metric]
    twice: bool = False

    @property
    def name(self) -> str:
        """The condition's name."""
        return self.condition.name

    @property
    def arm(self) -> str:
        """Who explores: the model itself ("vlm"), or a policy before it ("vla-vlm")."""
        return VLA_VLM if self.name == VLA_VLM or self.name.startswith(f"{VLA_VLM}-") else VLM

    @property
    def ablation(self) -> str:
        """The condition's name without its arm, "default" for the arm's own setting."""
        if self.name in (VLM, VLA_VLM):
            return "default"
        return self.name.removeprefix(f"{VLA_VLM}-")

    @property
    def several(self) -> bool:
        """Whether it belongs to the study of several anomalies: their anchors alone, or with others beside."""
        settings = self.condition.settings
        return str(settings.get("anomalies", "A")) != "A" or bool(settings.get("anchors_only", False))

    @property
    def privileged(self) -> bool:
        """Whether the model saw the truth."""
        return any(episode.privileged for episode in self.episodes)

    @property
    def head(self) -> Cell:
        """What names the row: the model, below it the condition, and the run where that leaves two alike."""
        return Cell(self.model, note=f"{self.name} · {self.run_id}" if self.twice else self.name)

    def cell(self, name: str, group: str = "") -> Cell:
        """A metric as a cell: value, interval, and what it is a share of; the reason where there is none."""
        metric = self.metrics.get((name, group))
        if metric is None:
            return Cell(None)
        if metric.value is None:
            return Cell(None, note=metric.reason)
        note = f"n = {metric.n}"
        if metric.unit == "%":
            note = f"{round(metric.value * metric.n / 100)} of {metric.n}"
        return Cell(metric.value, metric.low, metric.high, metric.unit, note)

    @property
    def rank(self) -> float:
        """Success over all, for the order of rows."""
        metric = self.metrics.get(("success_rate", ""))
        return -1.0 if metric is None or metric.value is None else metric.value


def lines_of(results: Sequence[Results]) -> list[Line]:
    """The lines of `results`: the best model first, its conditions together in the order they were given."""
    made: list[Line] = []
    for one in results:
        metrics = metrics_of(one)
        conditions = {episode.condition.name: episode.condition for episode in one.episodes}
        for name, condition in conditions.items():
            label = name if len(conditions) > 1 else ""
            found = {(m.name, m.group): m for m in metrics if m.condition == label}
            episodes = tuple(episode for episode in one.episodes if episode.condition.name == name)
            twice = sum(line == (one.model, name) for other in results for line in _names(other)) > 1
            made.append(Line(one.run_id, one.model, one.judge, condition, episodes, found, twice))
    best: dict[str, float] = {}
    for line in made:
        best[line.model] = max(best.get(line.model, -1.0), line.rank)
    return sorted(made, key=lambda line: (-best[line.model], line.model))


def grouped(rows: Iterable[tuple[Line, Row]]) -> tuple[tuple[Row, ...], tuple[RowGroup, ...]]:
    """Rows of models that may be ranked, and those of the privileged ones in a group of their own."""
    known = list(rows)
    ranked = tuple(row for line, row in known if not line.privileged)
    apart = tuple(row for line, row in known if line.privileged)
    return ranked, (RowGroup(PRIVILEGED, apart),) if apart else ()


def share(passed: int, of: int) -> Cell:
    """`passed` of `of` in percent with Wilson's interval."""
    value, low, high = percent(wilson(passed, of))
    return Cell(value, low, high, "%", f"{passed} of {of}")


def printed(passed: int, of: int) -> Cell:
    """A published share: no interval is made up for it."""
    return Cell(100.0 * passed / of, unit="%", note=f"{passed} of {of}")


def _names(results: Results) -> list[tuple[str, str]]:
    names = dict.fromkeys(episode.condition.name for episode in results.episodes)
    return [(results.model, name) for name in names]
