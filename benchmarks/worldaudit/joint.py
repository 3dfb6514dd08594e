"""Several anomalies in one scene: labelled targets, reports matched to them one to one, and what follows.

A task with several anomalies holds them in `private["targets"]`, each as `{label, subcategory, watch, target,
rubric, match?, effects}`; the first one is the anchor, which the items `identified` and `evidenced` are about.
The matching's items are `identified:LABEL`. Protocol: spec of the benchmark, sections 7.2 and 9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.worldaudit.support import counted_of, percent, unsupported
from benchmarks.worldaudit.truth import active_findings, read_findings, truth
from embodied_eval.benchmark import EpisodeResult, Trajectory
from embodied_eval.errors import JudgeError
from embodied_eval.records import Json, Metric, Task, Verdict
from embodied_eval.stats import Estimate, bootstrap_mean, wilson

NO_REPORTS = "no report was made, so precision is not defined"


@dataclass(frozen=True)
class Target:
    """One planted anomaly: its label, and its private half in the form of a single-anomaly task's."""

    label: str
    private: Mapping[str, Json]


def targets_of(task: Task) -> tuple[Target, ...]:
    """The task's anomalies, the anchor first; a single-anomaly task has one, "A".

    Raises JudgeError where they are not of the form above.
    """
    rows = task.private.get("targets") or ()
    if not rows:
        return (Target("A", task.private),)
    labels = [row.get("label") if isinstance(row, Mapping) else None for row in rows]
    if not all(isinstance(label, str) and label for label in labels) or len(set(labels)) < len(labels):
        raise JudgeError(
            f"The targets of task {task.id!r} must have labels, each its own; they are {labels!r}.",
            hint="Judge with the plugin version that played it.",
        )
    return tuple(
        Target(str(label), {key: value for key, value in row.items() if key != "label"})
        for label, row in zip(labels, rows, strict=True)
    )


def for_target(trajectory: Trajectory, target: Target) -> Trajectory:
    """`trajectory` as if `target` were its task's only anomaly: triggers of the other ones are left out."""
    if target.private is trajectory.task.private:
        return trajectory
    planted = trajectory.task.private.get("effects") or [
        effect for one in targets_of(trajectory.task) for effect in one.private.get("effects", ())
    ]
    mine = {number for number, effect in enumerate(planted) if effect in target.private.get("effects", ())}
    events = tuple(
        event for event in trajectory.events if event.kind != "trigger" or event.data.get("effect") in mine
    )
    return replace(trajectory, task=replace(trajectory.task, private=target.private), events=events)


def anchored(trajectory: Trajectory) -> Trajectory:
    """`trajectory` as if its anchor were its task's only anomaly."""
    return for_target(trajectory, targets_of(trajectory.task)[0])


def best_matching(options: Mapping[str, Sequence[int]]) -> dict[str, int]:
    """A largest one-to-one matching of labels to the numbers that each may have, by augmenting paths
    (H. W. Kuhn, Naval Research Logistics Quarterly 2, 1955, 83-97). An earlier label is never given up for a
    later one."""
    label_of: dict[int, str] = {}

    def place(label: str, tried: set[int]) -> bool:
        for number in options[label]:
            if number in tried:
                continue
            tried.add(number)
            if number not in label_of or place(label_of[number], tried):
                label_of[number] = label
                return True
        return False

    for label in options:
        place(label, set())
    found = {label: number for number, label in label_of.items()}
    return {label: found[label] for label in options if label in found}


def joint_truth(trajectory: Trajectory) -> tuple[Verdict, ...]:
    """The ground-truth verdicts: the anchor's `identified` and `evidenced`; with several anomalies also
    `identified:LABEL` for each, by a largest matching of the findings that identify them."""
    targets = targets_of(trajectory.task)
    own = truth(for_target(trajectory, targets[0]))
    if len(targets) == 1:
        return own
    readings = {target.label: read_findings(for_target(trajectory, target)) for target in targets}
    matched = best_matching(
        {
            label: [number for number, (_, reading) in enumerate(read) if reading.identified]
            for label, read in readings.items()
        }
    )
    made = []
    for label, read in readings.items():
        if label not in matched:
            made.append(Verdict(f"identified:{label}", 0.0, 1.0, False, "no finding is left that names it"))
            continue
        finding, reading = read[matched[label]]
        name = str(finding.get("id") or "a finding")
        refs = tuple(finding["evidence"])
        made.append(Verdict(f"identified:{label}", 1.0, 1.0, True, f"{name} {reading.reason}", refs))
    return (*own, *made)


def joint_metrics(
    episodes: Sequence[EpisodeResult], judge: str, group: str = "", condition: str = ""
) -> list[Metric]:
    """`all_target_success`, `target_recall` and `report_precision_known` of the episodes with several
    anomalies; [] if there are none.

    Success is over the episodes that count, recall over their targets. Precision is the share of all standing reports that are matched to a target.
    """
    labels = {item.episode_key: [one.label for one in targets_of(item.task)] for item in episodes}
    planned = [item for item in episodes if len(labels[item.episode_key]) > 1]
    if not planned:
        return []
    reason, mine = unsupported(planned), counted_of(planned)
    hits: list[list[bool]] = []
    precision: list[tuple[float, str]] = []
    for item in mine:
        found = [item.verdict(f"identified:{label}") for label in labels[item.episode_key]]
        hits.append([bool(one is not None and one.passed) for one in found])
        reports = len(active_findings(item.outcome.answer)) if item.outcome else 0
        good = min(sum(hits[-1]), reports)
        precision += [(float(number < good), item.task.scene) for number in range(reports)]
    recall = [(float(hit), item.task.scene) for item, row in zip(mine, hits, strict=True) for hit in row]
    given = sum(item.judged for item in mine)
    made = []
    for name, estimate, n, of, undefined in (
        ("all_target_success", wilson(sum(map(all, hits)), len(mine)), given, len(planned), ""),
        ("target_recall", _clustered(recall), len(recall), len(recall), ""),
        (
            "report_precision_known",
            _clustered(precision),
            len(precision),
            len(precision),
            "" if precision else NO_REPORTS,
        ),
    ):
        why = reason or undefined
        value, low, high = (None, None, None) if why else percent(estimate)
        told = why or estimate.reason
        made.append(Metric(name, value, n, low, high, "%", of, group, condition, judge, told))
    return made


def _clustered(values: Sequence[tuple[float, str]]) -> Estimate:
    return bootstrap_mean([value for value, _ in values], [scene for _, scene in values])
