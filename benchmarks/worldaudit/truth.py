"""The ground-truth judge: two verdicts, `identified` and `evidenced`, from what an episode stored.

Only findings that stand are read, the first `MOST_FINDINGS` in the order of filing, and of each the first
`MOST_FRAMES` cited frames. Further findings neither help nor cost anything. Rules: docs/worldaudit-judge.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from benchmarks.worldaudit.evidence import (
    MIN_IMAGE_SHARE,
    MIN_UNOCCLUDED_SHARE,
    Shown,
    check_evidence,
)
from benchmarks.worldaudit.lexicon import load_lexicon
from benchmarks.worldaudit.matching import Reading, TaskWords, read_finding, task_words
from benchmarks.worldaudit.mentions import Vocabulary, world_things
from benchmarks.worldaudit.taxonomy import subcategory
from embodied_eval.benchmark import Trajectory
from embodied_eval.errors import JudgeError
from embodied_eval.records import Json, Task, Verdict, canonical_json

MOST_FINDINGS = 5
MOST_FRAMES = 5


def truth(trajectory: Trajectory) -> tuple[Verdict, Verdict]:
    """The verdicts `identified` and `evidenced`, each of at most 1, on a finished episode.

    Raises `JudgeError` if the task's private half or the answer is not of the form that the benchmark
    writes; such an episode stays unjudged.
    """
    readings = read_findings(trajectory)
    code = str(trajectory.task.private["subcategory"])
    good = [finding for finding, reading in readings if reading.identified]
    shown = [
        (
            finding,
            check_evidence(
                trajectory,
                code,
                finding["evidence"][:MOST_FRAMES],
                int(finding.get("action", 0)),
                float(finding.get("t_s", 0.0)),
            ),
        )
        for finding in good
    ]
    return _identified(readings), _evidenced(shown)


def read_findings(trajectory: Trajectory) -> list[tuple[dict[str, Any], Reading]]:
    """The findings that are read, each with what its words claim. Raises JudgeError as `truth` does."""
    task = trajectory.task
    if not task.private.get("target") or not task.private.get("subcategory"):
        raise JudgeError(
            f"Task {task.id!r} holds no truth to judge by: its target or sub-category is missing.",
            hint="Judge with the plugin version that played it.",
        )
    code = subcategory(str(task.private["subcategory"])).code
    vocabulary, words = words_of(task)
    return [
        (finding, read_finding(finding["description"], code, vocabulary, load_lexicon(), words))
        for finding in standing_findings(trajectory.outcome.answer)
    ]


def active_findings(answer: Mapping[str, Json]) -> list[dict[str, Any]]:
    """The findings that were not retracted, in order of filing. Raises JudgeError for another form."""
    findings = answer.get("findings", [])
    if not isinstance(findings, Sequence) or isinstance(findings, str):
        raise JudgeError(f"The answer's findings are a {type(findings).__name__}, not a list.")
    active = []
    for finding in findings:
        if not isinstance(finding, Mapping) or not isinstance(finding.get("description"), str):
            raise JudgeError(f"A finding has no description: {str(finding)[:200]!r}.")
        if finding.get("status") != "retracted":
            refs = [str(ref) for ref in finding.get("evidence") or ()]
            active.append({**finding, "evidence": refs})
    return active


def standing_findings(answer: Mapping[str, Json]) -> list[dict[str, Any]]:
    """The findings that are read: the first `MOST_FINDINGS` active ones."""
    return active_findings(answer)[:MOST_FINDINGS]


def words_of(task: Task) -> tuple[Vocabulary, TaskWords]:
    """What things are called around the task's target, and the task's own phrases and conditions."""
    keys = ("subcategory", "target", "match")
    naming = {key: task.private[key] for key in keys if key in task.private}
    return _words_of(canonical_json(naming), task.world)


def _identified(readings: Sequence[tuple[dict[str, Any], Reading]]) -> Verdict:
    for finding, reading in readings:
        if reading.identified:
            refs = tuple(finding["evidence"][:MOST_FRAMES])
            return Verdict("identified", 1.0, 1.0, True, f"{_name(finding)} {reading.reason}", refs)
    if not readings:
        return Verdict("identified", 0.0, 1.0, False, "no finding stands")
    why = "; ".join(f"{_name(finding)} {reading.reason}" for finding, reading in readings)
    return Verdict("identified", 0.0, 1.0, False, why)


def _evidenced(shown: Sequence[tuple[dict[str, Any], Shown]]) -> Verdict:
    limits = f"(limits: {MIN_IMAGE_SHARE:.2%} of the image, {MIN_UNOCCLUDED_SHARE:.0%} unoccluded)"
    for finding, result in shown:
        if result.evidenced:
            reason = f"{_name(finding)}: {result.reason} {limits}"
            return Verdict("evidenced", 1.0, 1.0, True, reason, result.frames)
    if not shown:
        return Verdict("evidenced", 0.0, 1.0, False, "no finding identifies the anomaly")
    why = "; ".join(f"{_name(finding)}: {result.reason}" for finding, result in shown)
    return Verdict("evidenced", 0.0, 1.0, False, f"{why} {limits}")


def _name(finding: Mapping[str, Any]) -> str:
    return str(finding.get("id") or "a finding")


@cache
def _words_of(naming_json: str, world_name: str) -> tuple[Vocabulary, TaskWords]:
    """The words of a task, given the naming part of its private half as JSON; one world's tasks repeat."""
    import json

    naming = json.loads(naming_json)
    target = dict(naming["target"])
    things: list[tuple[str, Sequence[str], str]] = []
    rooms: dict[str, str] = {}
    if world_name:
        from embodied_eval.worlds.bundled import load_world

        world = load_world(world_name)
        rooms = {region.name: region.title for region in world.regions}
        own = next((item for item in world.objects if item.name == target.get("object")), None)
        if own is not None:
            target["synonyms"] = [*target.get("synonyms", ()), own.label, *own.synonyms]
        things = [(label, synonyms, region) for label, synonyms, region in world_things(world, target)]
    return task_words(naming["subcategory"], target, naming.get("match", {}), things, rooms, load_lexicon())
