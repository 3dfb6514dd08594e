"""Tables over runs: the model x benchmark matrix, metrics by group, the task grid, failures by cause."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from embodied_eval.benchmark import Benchmark, EpisodeResult
from embodied_eval.records import Metric

from .data import MARKS, RunSource, State, scored_of, state_of, words_of
from .figures import Bar, bar_of, interval_text, metric_text, scale_of

_LEADING_ID = re.compile(r"^[a-z]{1,4}\d{1,3}[:\s]\s*")
_CLAUSE_END = re.compile(r"\s*[(:;]|\.(?:\s|$)")


@dataclass(frozen=True)
class Cell:
    """One metric as shown: value, interval, bar, and over how many results of how many planned."""

    value: str
    interval: str
    support: str
    reason: str
    bar: Bar | None
    name: str = ""


@dataclass(frozen=True)
class Column:
    """One column of the matrix: a benchmark under one judge."""

    benchmark: str
    title: str
    judge: str
    headline: str


@dataclass(frozen=True)
class MatrixRow:
    """One model under one condition: a list of cells (one a run and metric) for every column."""

    model: str
    condition: str
    scripted: bool
    cells: tuple[tuple[Cell, ...], ...]
    rank_value: float


@dataclass(frozen=True)
class Matrix:
    """The results: `ranked` models, and those that saw the truth, apart."""

    columns: tuple[Column, ...]
    ranked: tuple[MatrixRow, ...]
    privileged: tuple[MatrixRow, ...]


def matrix_of(runs: Sequence[RunSource]) -> Matrix:
    """The model x benchmark matrix over `runs`, best first by the first column's headline."""
    keys = list(dict.fromkeys((run.results.benchmark, run.results.judge) for run in runs))
    plugins = {run.results.benchmark: run.benchmark for run in runs}
    columns = tuple(_column(plugins[name], name, judge) for name, judge in keys)
    made: dict[tuple[bool, str, str], dict[tuple[str, str], list[Metric]]] = {}
    scripted: dict[str, bool] = {}
    for run in runs:
        scripted[run.results.model] = run.scripted
        for condition, metrics in _shown(run).items():
            row = made.setdefault((run.privileged, run.results.model, condition), {})
            row.setdefault((run.results.benchmark, run.results.judge), []).extend(metrics)
    scales = {key: scale_of(metric for row in made.values() for metric in row.get(key, ())) for key in keys}
    rows: dict[bool, list[MatrixRow]] = {False: [], True: []}
    for (privileged, model, condition), found in made.items():
        cells = tuple(tuple(cell_of(metric, scales[key]) for metric in found.get(key, ())) for key in keys)
        rank = _rank(found.get(keys[0], ()), plugins[keys[0][0]])
        rows[privileged].append(MatrixRow(model, condition, scripted[model], cells, rank))
    for group in rows.values():
        group.sort(key=lambda row: (-row.rank_value, row.model, row.condition))
    return Matrix(columns, tuple(rows[False]), tuple(rows[True]))


def cell_of(metric: Metric, scale: tuple[float, float]) -> Cell:
    """`metric` as a cell, its bar on the axis `scale`."""
    support = f"{metric.n} of {metric.denominator}"
    return Cell(
        metric_text(metric.value, metric.unit),
        interval_text(metric),
        support,
        metric.reason if metric.value is None else "",
        bar_of(metric, scale),
        metric.name,
    )


@dataclass(frozen=True)
class MetricTable:
    """One metric over groups (rows) and runs (columns), or all metrics over runs."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell | None, ...]], ...]
    judge: str


def overall_table(runs: Sequence[RunSource], judge: str) -> MetricTable:
    """Every metric over all tasks, one row a run and condition."""
    names = list(dict.fromkeys(metric.name for run in runs for metric in run.metrics if not metric.group))
    scales = {
        name: scale_of(m for run in runs for m in run.metrics if m.name == name and not m.group)
        for name in names
    }
    rows = []
    for run in runs:
        for condition in _conditions(run):
            found = {m.name: m for m in run.metrics if not m.group and m.condition == condition}
            cells = tuple(cell_of(found[name], scales[name]) if name in found else None for name in names)
            rows.append((label_of(run, condition), cells))
    return MetricTable("All tasks", tuple(names), tuple(rows), judge)


def group_tables(runs: Sequence[RunSource], judge: str) -> tuple[MetricTable, ...]:
    """One table a metric that has groups: groups down, runs and conditions across."""
    headline = runs[0].benchmark.headline
    names = list(dict.fromkeys(metric.name for run in runs for metric in run.metrics if metric.group))
    names.sort(key=lambda name: headline is None or name != headline.metric)
    heads = [(run, condition) for run in runs for condition in _conditions(run, grouped=True)]
    made = []
    for name in names:
        metrics = [m for run in runs for m in run.metrics if m.name == name and m.group]
        scale = scale_of(metrics)
        rows = []
        for group in dict.fromkeys(metric.group for metric in metrics):
            cells = []
            for run, condition in heads:
                found = (m for m in run.metrics if (m.name, m.group, m.condition) == (name, group, condition))
                metric = next(found, None)
                cells.append(None if metric is None else cell_of(metric, scale))
            rows.append((group, tuple(cells)))
        made.append(MetricTable(name, tuple(label_of(*head) for head in heads), tuple(rows), judge))
    return tuple(made)


@dataclass(frozen=True)
class GridCell:
    """One episode in the grid."""

    state: State
    mark: str
    words: str
    href: str


@dataclass(frozen=True)
class Grid:
    """Tasks down, one column a run, condition and repeat across; `legend` the states that occur."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[GridCell | None, ...]], ...]
    legend: tuple[tuple[State, str, str], ...]


def grid_of(runs: Sequence[RunSource], href: Callable[[RunSource, EpisodeResult], str]) -> Grid:
    """The task x run grid; `href` gives an episode's page."""
    columns: dict[tuple[str, str, int], str] = {}
    rows: dict[str, dict[tuple[str, str, int], GridCell]] = {}
    tags: dict[str, str] = {}
    seen: dict[State, str] = {}
    for run in runs:
        many = run.repeats > 1
        for episode in run.results.episodes:
            column = (run.run_id, episode.condition.name, episode.repeat)
            condition = episode.condition.name if len(run.conditions) > 1 else ""
            columns[column] = label_of(run, condition) + (f" #{episode.repeat + 1}" if many else "")
            state, words = state_of(episode), words_of(episode)
            seen.setdefault(state, words if state == "partial" else MARKS[state][1])
            cell = GridCell(state, MARKS[state][0], words, href(run, episode))
            rows.setdefault(episode.task.id, {})[column] = cell
            tags[episode.task.id] = " ".join(episode.task.tags)
    order = sorted(columns, key=lambda column: [run.run_id for run in runs].index(column[0]))
    return Grid(
        tuple(columns[column] for column in order),
        tuple(
            (task, tags[task], tuple(cells.get(column) for column in order)) for task, cells in rows.items()
        ),
        tuple((state, MARKS[state][0], seen[state]) for state in MARKS if state in seen),
    )


def cause_of(result: EpisodeResult) -> str:
    """Why an episode failed, short enough to group by: how it ended, or the first failed item's reason
    without a leading finding's id ("b1: ...") and up to its first bracket, colon, semicolon or full stop."""
    if result.outcome is not None and result.outcome.status in {"invalid_reply", "refused"}:
        return result.outcome.status.replace("_", " ")
    for verdict in scored_of(result):
        if verdict.passed or (verdict.passed is None and (verdict.score or 0.0) >= verdict.max):
            continue
        head = _CLAUSE_END.split(_LEADING_ID.sub("", verdict.reason), maxsplit=1)[0].strip()
        short = head if len(head) <= 80 else ""
        return f"{verdict.item}: {short}" if short else f"not {verdict.item}"
    return "failed"


def label_of(run: RunSource, condition: str = "") -> str:
    """A run's name in a table: its model, and the condition where it is not plain."""
    return f"{run.results.model} · {condition}" if condition else run.results.model


def _column(benchmark: Benchmark, name: str, judge: str) -> Column:
    headline = benchmark.headline
    words = headline.metric.replace("_", " ") if headline else "profile, no single number"
    if headline and not headline.higher_is_better:
        words += ", lower is better"
    return Column(name, benchmark.title or name, judge, words)


def _shown(run: RunSource) -> Mapping[str, list[Metric]]:
    """The metrics of the run's cell, by condition: the headline, or the first two where there is none."""
    headline = run.benchmark.headline
    made: dict[str, list[Metric]] = {condition: [] for condition in _conditions(run)}
    for metric in run.metrics:
        if metric.group:
            continue
        wanted = metric.name == headline.metric if headline else len(made[metric.condition]) < 2
        if wanted:
            made[metric.condition].append(metric)
    return made


def _conditions(run: RunSource, *, grouped: bool = False) -> tuple[str, ...]:
    chosen = (metric for metric in run.metrics if bool(metric.group) == grouped)
    found = tuple(dict.fromkeys(metric.condition for metric in chosen))
    return found or ("",)


def _rank(metrics: Sequence[Metric], benchmark: Benchmark) -> float:
    known = [metric.value for metric in metrics if metric.value is not None]
    if not known or benchmark.headline is None:
        return float("-inf")
    return max(known) if benchmark.headline.higher_is_better else -min(known)
