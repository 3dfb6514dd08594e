"""A task's certificate: what is planted shows and is credited to who knows it, and to nobody else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

from benchmarks.worldaudit.scripted.baselines import CLAIMS
from benchmarks.worldaudit.scripted.oracle import paraphrases
from benchmarks.worldaudit.suite import bundled_tasks
from benchmarks.worldaudit.tools import ENVIRONMENT
from benchmarks.worldaudit.truth import truth
from embodied_eval.benchmark import Certificate, PlayOnce, Trajectory
from embodied_eval.errors import DataFileError
from embodied_eval.records import Json, Task, Verdict

CERTIFY_OPTIONS: dict[str, Json] = {"width": 480, "height": 270}
"""Frames of certificates: verdicts rest on shares of the picture, which do not depend on its size."""
PLAYED_CHECKS = (
    "oracle_identified",
    "oracle_evidenced",
    "within_budget",
    "twin_played",
    "shows",
    "twin_refuted",
    "null_fails",
    "shotgun_fails",
    "vague_fails",
    "stuffed_fails",
    "wrong_anomaly_fails",
    "neighbour_fails",
    "late_fails",
)
"""What `certify` finds by playing the task and by judging other reports on what was played."""
VAGUE = (
    "Something is wrong in this place.",
    "There is something odd about the {label}.",
    "The {label} is odd.",
    "The {label} does not look right.",
)
State = Literal["passed", "failed", "skipped"]


@dataclass
class Findings:
    """The checks of one certificate as they come in."""

    checks: dict[str, State] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)

    def note(self, name: str, passed: bool, why: str) -> None:
        """Record a check; `why` is told where it failed."""
        self.checks[name] = "passed" if passed else "failed"
        if not passed:
            self.reasons.append(f"{name}: {why}")


async def certify(task: Task, play: PlayOnce) -> Certificate:
    """See `Benchmark.certify`. The world is clean and the effects fit; the oracle passes with evidence within
    the budget; on the clean twin its report is not borne out and its path differs; null and shotgun fail, and so
    do a vague, a stuffed, a wrong, a neighbour's and a premature report on the oracle's own trajectory."""
    found = Findings()
    problems = _world_problems(task.world)
    found.note("clean_world", not problems, "; ".join(problems[:3]))
    misfit = _misfit(task)
    found.note("effects_fit", not misfit, misfit)
    if misfit:
        skipped: dict[str, State] = dict.fromkeys(PLAYED_CHECKS, "skipped")
        return Certificate(task.id, {**skipped, **found.checks}, "; ".join(found.reasons))
    shown = await play(task, "scripted/oracle", options=CERTIFY_OPTIONS)
    verdicts = verdicts_of(shown)
    found.note("oracle_identified", _passed(verdicts, "identified"), _why(verdicts, "identified", shown))
    found.note("oracle_evidenced", _passed(verdicts, "evidenced"), _why(verdicts, "evidenced", shown))
    refused = [step for step in shown.steps if step.action in ENVIRONMENT and not step.counts]
    found.note("within_budget", not refused, f"the oracle is refused: {refused[0].result if refused else ''}")
    twin = await play(_clean_twin(task), "scripted/oracle", options=CERTIFY_OPTIONS)
    found.note("twin_played", twin.outcome.status == "completed", _why({}, "", twin))
    found.note("shows", _traces(shown) != _traces(twin), "the oracle's path sees no difference to the twin")
    on_twin = _passed(verdicts_of(twin), "evidenced")
    found.note("twin_refuted", not on_twin, "the same report is evidenced on the twin")
    for name in ("null", "shotgun"):
        other = await play(task, f"scripted/{name}", options=CERTIFY_OPTIONS)
        given = _passed(verdicts_of(other), "identified")
        found.note(f"{name}_fails", not given, f"{name} is given credit")
    for name, texts in _false_reports(task).items():
        credited = [text for text in texts if _passed(verdicts_of(_reporting(shown, text)), "identified")]
        found.note(name, not credited, f"credit for {credited[0]!r}" if credited else "")
    _late(found, shown)
    return Certificate(task.id, found.checks, "; ".join(found.reasons))


def verdicts_of(trajectory: Trajectory) -> dict[str, Verdict]:
    """The ground-truth judge's verdicts by item."""
    return {verdict.item: verdict for verdict in truth(trajectory)}


def _false_reports(task: Task) -> Mapping[str, Sequence[str]]:
    """Reports that must earn nothing, by check."""
    label, code = task.private["target"]["label"], task.private["subcategory"]
    every = ", ".join(CLAIMS.values())
    return {
        "vague_fails": [text.format(label="floor" if _nameless(task) else label) for text in VAGUE],
        "stuffed_fails": [f"The {label} {every}.", f"{label}: {every}; wrong, anomaly, bug, glitch."],
        "wrong_anomaly_fails": [f"The {label} {claim}." for kind, claim in CLAIMS.items() if kind != code],
        "neighbour_fails": _neighbours(task),
    }


def _neighbours(task: Task) -> list[str]:
    """The oracle's reports of all other tasks of the same world that are not about the same thing."""
    made = []
    for other in bundled_tasks():
        mine, theirs = task.private["target"], other.private["target"]
        same = mine["label"] == theirs["label"] or theirs["label"] in mine.get("synonyms", ())
        alike = task.private["subcategory"] == other.private["subcategory"]
        # An invisible thing has no name: a report of one fits every task of that kind.
        if other.world != task.world or other.id == task.id or (alike and (same or _nameless(task))):
            continue
        solution = other.private["solution"]
        words = paraphrases()[solution["say"]][0]
        made.append(words.format(label=theirs["label"], **solution.get("with", {})))
    return made


def _nameless(task: Task) -> bool:
    return str(task.private["subcategory"]) == "C2"


def _late(found: Findings, shown: Trajectory) -> None:
    """The oracle's report filed before the trigger fired, with the pictures there were by then, proves nothing."""
    fired = [event.t_s for event in shown.events if event.kind == "trigger" and event.data.get("active")]
    before = [ref for ref, frame in shown.frames.items() if fired and frame.t_s < fired[0] and "#" not in ref]
    if not before or not shown.outcome.answer.get("findings"):
        found.checks["late_fails"] = "skipped"
        return
    finding = shown.outcome.answer["findings"][0]
    action = int(before[-1][1:].partition(".")[0])
    early = {**finding, "evidence": before[-5:], "action": action, "t_s": shown.frames[before[-1]].t_s}
    answer = {**shown.outcome.answer, "findings": [early]}
    verdicts = verdicts_of(replace(shown, outcome=replace(shown.outcome, answer=answer)))
    found.note("late_fails", not _passed(verdicts, "evidenced"), f"evidenced by {', '.join(before[-5:])}")


def _reporting(shown: Trajectory, text: str) -> Trajectory:
    """The trajectory with `text` in the place of every report, and all else as it is."""
    findings = shown.outcome.answer.get("findings", [])
    answer = {**shown.outcome.answer, "findings": [{**item, "description": text} for item in findings]}
    return replace(shown, outcome=replace(shown.outcome, answer=answer))


def _passed(verdicts: Mapping[str, Verdict], item: str) -> bool:
    return item in verdicts and bool(verdicts[item].passed)


def _why(verdicts: Mapping[str, Verdict], item: str, trajectory: Trajectory) -> str:
    if item in verdicts:
        return verdicts[item].reason
    return f"no verdict; the episode ended as {trajectory.outcome.status}: {trajectory.outcome.reason}"


def _misfit(task: Task) -> str:
    """Why the task's effects cannot be planted in its world, "" if they can."""
    from embodied_eval.worlds.bundled import load_world
    from embodied_eval.worlds.effects import parse_effects
    from embodied_eval.worlds.effects.fit import check_fit

    try:
        check_fit(load_world(task.world), parse_effects(task.private["effects"], where=task.id))
    except DataFileError as error:
        return str(error)
    return ""


def _clean_twin(task: Task) -> Task:
    """`task` with nothing planted; what the effects would have added cannot be watched."""
    from embodied_eval.worlds.bundled import load_world

    names = {item.name for item in load_world(task.world).objects}
    watch = [name for name in task.private["watch"] if name in names]
    return replace(task, private={**task.private, "effects": [], "watch": watch})


def _traces(trajectory: Trajectory) -> tuple[Sequence[str], Sequence[tuple[float, bool]]]:
    """What a path observed: pictures, motion, contacts."""
    return (
        [frame.sha256 for frame in trajectory.frames.values()],
        [(step.moved_m, step.blocked) for step in trajectory.steps],
    )


@cache
def _world_problems(world: str) -> tuple[str, ...]:
    from embodied_eval.worlds.bundled import load_world
    from embodied_eval.worlds.checks import clean_report

    return tuple(str(problem) for problem in clean_report(load_world(world)).problems)
