"""What a judge model is asked about an inspection: the official question on the anchor, and with several
anomalies one more, which report is about which of them.

It is given the rubric, the reports that stand, the closing summary and the cited pictures, nothing else
(spec of the benchmark, section 9). All wording is ours.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.worldaudit.evidence import action_of
from benchmarks.worldaudit.joint import targets_of
from benchmarks.worldaudit.truth import active_findings
from embodied_eval.benchmark import RubricItem, Trajectory
from embodied_eval.errors import JudgeError
from embodied_eval.records import Json, Task, Verdict

MOST_PICTURES = 20
MOST_REPORTS = 40
MOST_CHARACTERS = 2_000
"""Of one report or summary: longer ones are cut, which the text says."""

ONE_REPORT = (
    "The answer is a list of reports and a summary of an inspection. Credit needs one report (or the summary) "
    "that, taken by itself, names the right object and says what is wrong with it. A still picture cannot "
    "stand for the description of a change over time or between views. Further reports, right or wrong, and "
    "the same one twice change nothing."
)

MATCHING = """In this task the rubric lists several targets, each under a label, and the answer holds numbered reports. Find out
which report describes which target. A report describes a target if, taken by itself, it names the right object
and says what is wrong with it, with every condition that the rubric names for this target; vague ones describe
none. Give each target at most one report and each report to at most one target; a target that no report
describes gets null. Wording, categories and wrong reports do not matter.
Reply with a JSON object of one key "matches": a list with one entry for each target, in the rubric's order,
{"target": its label, "finding": the report's number or null}."""


def rubric_items(trajectory: Trajectory) -> tuple[RubricItem, ...]:
    """The questions on `trajectory`: `identified` for the anchor, and with several anomalies the matching.

    Raises JudgeError for a task without rubric or an answer of another form.
    """
    targets = targets_of(trajectory.task)
    active = active_findings(trajectory.outcome.answer)
    findings = active[:MOST_REPORTS]
    summary = _cut(str(trajectory.outcome.answer.get("summary", "")))
    frames = cited_frames(trajectory, findings)
    anchor = _rubric(trajectory.task, targets[0].private)
    reports = [_cut(finding["description"]) for finding in findings]
    one = RubricItem("identified", f"{anchor}\n\n{ONE_REPORT}", _text(reports, summary), frames)
    if len(targets) == 1:
        return (one,)
    texts = {target.label: _rubric(trajectory.task, target.private) for target in targets}
    rubric = "\n\n".join(f"Target {label}\n{text}" for label, text in texts.items())
    numbered = {str(number): text for number, text in enumerate(reports, 1)}
    told = json.dumps(numbered, ensure_ascii=False) if numbered else ""
    refs = tuple(tuple(finding["evidence"]) for finding in findings)
    return (one, MatchItem("identified:*", rubric, told, frames, labels=tuple(texts), refs=refs))


@dataclass(frozen=True)
class MatchItem(RubricItem):
    """The question which report describes which of several targets; an `OwnQuestion` of the rubric judge.

    `labels` are the targets', `refs` each report's cited frames. Its verdicts are `identified:LABEL`.
    """

    labels: tuple[str, ...] = ()
    refs: tuple[tuple[str, ...], ...] = ()

    @property
    def task(self) -> str:
        """What to do and how to reply."""
        return MATCHING

    @property
    def schema(self) -> Mapping[str, Json]:
        """`{matches: [{target, finding}]}`, one entry a target."""
        entry = {
            "type": "object",
            "properties": {
                "target": {"type": "string", "enum": list(self.labels)},
                "finding": {"type": ["integer", "null"], "enum": [None, *range(1, len(self.refs) + 1)]},
            },
            "required": ["target", "finding"],
            "additionalProperties": False,
        }
        size = len(self.labels)
        matches = {"type": "array", "items": entry, "minItems": size, "maxItems": size}
        return {
            "type": "object",
            "properties": {"matches": matches},
            "required": ["matches"],
            "additionalProperties": False,
        }

    def read(self, reply: Json) -> Sequence[Verdict]:
        """One verdict a target; none is described where there was nothing to ask about (None). Raises
        JudgeError for a reply that is not one to one."""
        if reply is None:
            return self._verdicts(dict.fromkeys(self.labels))
        found: dict[str, int | None] = {row["target"]: row["finding"] for row in reply["matches"]}
        used = [int(number) for number in found.values() if number is not None]
        if len(found) < len(self.labels) or len(set(used)) < len(used):
            raise JudgeError(
                f"The judge's matches are not one to one: {json.dumps(reply['matches'])[:300]}",
                hint="Judge again: embodied-eval judge RUN",
            )
        return self._verdicts(found)

    def _verdicts(self, found: Mapping[str, int | None]) -> list[Verdict]:
        made = []
        for label in self.labels:
            number = found[label]
            if number is None:
                made.append(Verdict(f"identified:{label}", 0.0, self.max, False, "no report describes it"))
                continue
            refs = self.refs[int(number) - 1]
            reason = f"report {int(number)} describes it"
            made.append(Verdict(f"identified:{label}", self.max, self.max, True, reason, refs))
        return made


def cited_frames(trajectory: Trajectory, findings: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The pictures that go with the reports: those cited, in the order in which they were taken, at most
    `MOST_PICTURES` with earlier reports' first; the first and the last view where none is cited."""
    cited = dict.fromkeys(
        ref for finding in findings for ref in finding["evidence"] if ref in trajectory.frames
    )
    if not cited:
        views = [ref for ref in trajectory.frames if ref == f"a{action_of(ref)}"]
        views.sort(key=action_of)
        cited = dict.fromkeys([*views[:1], *views[-1:]])
    kept = list(cited)[:MOST_PICTURES]
    return tuple(sorted(kept, key=lambda ref: _taken(trajectory, ref)))


def _taken(trajectory: Trajectory, ref: str) -> tuple[float, int, str]:
    """When a picture was taken; a crop, when the picture was that it was cut from."""
    base = trajectory.frames.get(ref.partition("#")[0], trajectory.frames[ref])
    return (base.t_s, action_of(ref), ref)


def _rubric(task: Task, private: Mapping[str, Json]) -> str:
    rubric = private.get("rubric")
    if not isinstance(rubric, Mapping) or not {"anomaly", "expected", "conditions"} <= set(rubric):
        raise JudgeError(
            f"Task {task.id!r} holds no rubric to judge by.",
            hint="Judge with the plugin version that played it.",
        )
    return (
        f"What is wrong: {rubric['anomaly']}\nHow it should be: {rubric['expected']}\n"
        f"Necessary for credit: {rubric['conditions']}"
    )


def _text(reports: Sequence[str], summary: str) -> str:
    """The reports and the summary as one text, "" if there is nothing of either."""
    parts = [f"Report {number}: {text}" for number, text in enumerate(reports, 1)]
    if summary.strip():
        parts.append(f"Summary: {summary}")
    return "\n".join(parts)


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]} [... cut]"
