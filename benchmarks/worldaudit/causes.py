"""Why an inspection failed: the first link of the chain that broke, in one of a few words to group by.

Reaching the place, setting the anomaly off, seeing what it takes to tell, reporting, naming the right object,
naming the right anomaly, citing pictures that show it. The chain is ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.worldaudit.evidence import target_names
from benchmarks.worldaudit.lexicon import load_lexicon
from benchmarks.worldaudit.mentions import TARGET, find_mentions
from benchmarks.worldaudit.truth import read_findings, words_of
from benchmarks.worldaudit.words import tokens_of
from embodied_eval.benchmark import Trajectory
from embodied_eval.records import Verdict

NEVER_REACHED = "never reached"
NEVER_TRIGGERED = "never triggered"
SEEN_IN_PART = "seen in part"
NOT_REPORTED = "seen but not reported"
WRONG_OBJECT = "wrong object"
WRONG_ANOMALY = "wrong anomaly"
NO_EVIDENCE = "no evidence"
CAUSES = (
    NEVER_REACHED,
    NEVER_TRIGGERED,
    SEEN_IN_PART,
    NOT_REPORTED,
    WRONG_OBJECT,
    WRONG_ANOMALY,
    NO_EVIDENCE,
)
"""In the order of the chain."""


def cause_of(trajectory: Trajectory, verdicts: Sequence[Verdict]) -> str:
    """Which of `CAUSES` kept the (anchored) `trajectory` from full credit; "" where it has it or is unjudged.

    `verdicts` are a judge's and the measures of `exposure.exposure_verdicts`; where exposure could not be
    measured, only the reports are looked at. Raises JudgeError as the ground-truth judge does.
    """
    by_item = {verdict.item: verdict for verdict in verdicts}
    identified = by_item.get("identified")
    if identified is None or identified.passed is None:
        return ""
    if identified.passed:
        evidenced = by_item.get("evidenced")
        return NO_EVIDENCE if evidenced is not None and evidenced.passed is False else ""
    exposed = by_item.get("exposed")
    if exposed is not None and not exposed.passed:
        return _unexposed(trajectory, by_item)
    return _misreported(trajectory)


def _unexposed(trajectory: Trajectory, by_item: Mapping[str, Verdict]) -> str:
    code = str(trajectory.task.private["subcategory"])
    # An obstacle that cannot be seen has no pixels; having looked at its place is all there is to go by.
    items = ("could_be_seen",) if code == "C2" else ("coverage_visible", "could_be_seen")
    coverage = next((by_item[item] for item in items if item in by_item), None)
    if coverage is not None and not coverage.passed:
        return NEVER_REACHED
    return SEEN_IN_PART if _triggered(trajectory, code) else NEVER_TRIGGERED


def _triggered(trajectory: Trajectory, code: str) -> bool:
    """Whether the anomaly was ever at work: entered or touched, or some effect's trigger active."""
    if code in ("C1", "C2"):
        names, kind = target_names(trajectory), "inside" if code == "C1" else "contact"
        return any(
            event.kind == kind and names & {str(value) for value in event.data.values()}
            for event in trajectory.events
        )
    return any(event.kind == "trigger" and event.data.get("active") for event in trajectory.events)


def _misreported(trajectory: Trajectory) -> str:
    code = str(trajectory.task.private["subcategory"])
    readings = read_findings(trajectory)
    if not readings:
        return NOT_REPORTED
    lexicon = load_lexicon()
    if lexicon.kinds[code].object_implied:
        told = any(code in reading.kinds for _, reading in readings)
        return WRONG_OBJECT if told else WRONG_ANOMALY
    vocabulary, _ = words_of(trajectory.task)
    for finding, _ in readings:
        tokens = tokens_of(finding["description"], lexicon.spelling)
        mentions = find_mentions(tokens, vocabulary, lexicon.grammar)
        if any(mention.thing == TARGET and mention.role != "dropped" for mention in mentions):
            return WRONG_ANOMALY
    return WRONG_OBJECT
