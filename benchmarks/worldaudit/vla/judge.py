"""What is special in judging the second arm: nothing is credited that the recording never exposed, and an
exploration by itself has exposure and no success."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from benchmarks.worldaudit.exposure import exposed, exposure_verdicts
from benchmarks.worldaudit.exposure_metrics import exposure_metrics
from benchmarks.worldaudit.joint import for_target, targets_of
from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.summary import metrics_of
from embodied_eval.benchmark import Results, Trajectory
from embodied_eval.errors import ConfigError
from embodied_eval.records import Condition, Metric, Verdict

NO_REPORT = "an exploration reports nothing; exposed_rate tells what its recordings show"
OF_REPORTS = frozenset({"identified_given_exposed"})


def is_exploration(condition: Condition) -> bool:
    """Whether only a policy played."""
    return condition.settings.get("arm") == "vla-explore"


def withheld(trajectory: Trajectory, verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """`verdicts` of the ground-truth judge without credit for what the recording never exposed: an auditor cannot
    have seen it, however well it guesses. As they are in the other arm, and where exposure cannot be measured."""
    if trajectory.condition.settings.get("arm") != "vla-vlm":
        return tuple(verdicts)
    targets = targets_of(trajectory.task)
    unexposed: dict[str, str] = {}
    for number, target in enumerate(targets):
        found = exposed(for_target(trajectory, target))
        if found is not None and found.ref is None:
            items = [f"identified:{target.label}"] + (["identified", "evidenced"] if number == 0 else [])
            unexposed.update(dict.fromkeys(items, found.reason))
    return tuple(
        replace(
            verdict,
            score=0.0,
            passed=False,
            reason=f"the recording never exposed it ({unexposed[verdict.item]}); the report: {verdict.reason}",
        )
        if verdict.passed and verdict.item in unexposed
        else verdict
        for verdict in verdicts
    )


def check_arm(options: Options) -> None:
    """Raise ConfigError for the second arm in a world without truth."""
    if options.arm != "vlm":
        raise ConfigError(
            "The explore-then-audit arm needs a planted anomaly, and nothing is planted in a page of your own.",
            hint="Leave --set arm=... out.",
        )


def explored_verdicts(trajectory: Trajectory, *, measured: bool = True) -> tuple[Verdict, ...]:
    """How many frames were recorded, which scores nothing, and what they expose, where that can be `measured`."""
    frames = {
        frame.ref: replace(frame, pose=frame.pose or step.pose, t_s=step.t_s)
        for step in trajectory.steps
        for frame in step.frames
    }
    counted = Verdict("frames", float(len(frames)), 0.0, None, NO_REPORT)
    return (counted, *exposure_verdicts(replace(trajectory, frames=frames), ())) if measured else (counted,)


def metrics_of_arms(results: Results) -> list[Metric]:
    """`metrics_of` the audits, and of explorations their exposure."""
    alone = [item for item in results.episodes if is_exploration(item.condition)]
    rest = tuple(item for item in results.episodes if not is_exploration(item.condition))
    made = metrics_of(replace(results, episodes=rest)) if rest else []
    if not alone:
        return made
    label = alone[0].condition.name if rest else ""
    made.append(
        Metric("success_rate", None, 0, None, None, "%", len(alone), "", label, results.judge, NO_REPORT)
    )
    measured = exposure_metrics(alone, results.judge, "", label)
    return [*made, *(metric for metric in measured if metric.name not in OF_REPORTS)]
