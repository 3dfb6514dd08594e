"""What the plugin asks of its other parts, each behind one function, imported when it is first called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.worldbench.capture.manifest import Manifest
    from benchmarks.worldbench.capture.stage import CaptureOptions
    from benchmarks.worldbench.evidence import Evidence, Half
    from benchmarks.worldbench.judges.model_judge import Found
    from embodied_eval.benchmark import (
        Certificate,
        Episode,
        EpisodeResult,
        Page,
        PlayOnce,
        Results,
        Trajectory,
    )
    from embodied_eval.judges.base import Judge
    from embodied_eval.records import Json, Metric, Task, Verdict


async def capture_world(episode: Episode, html: str, options: CaptureOptions) -> Manifest:
    """Photograph the running world; every frame and the manifest (as the event "capture") are stored in `episode`.
    `loaded` is False for a page that draws nothing."""
    from benchmarks.worldbench.capture.capture import capture

    return await capture(episode, html, options)


def capture_prompts() -> Mapping[str, str]:
    """What a model that navigates or patches the clock is told, by name."""
    from benchmarks.worldbench.capture import navigator, patch

    return {"navigator": navigator.SYSTEM, "clock": patch.SYSTEM}


def truth_evidence(trajectory: Trajectory) -> Evidence:
    """What a fixture's own manifest says (judge `truth`). The fixture is made again from the task's private
    `fixture`; raises `JudgeError` where the stored world is not that fixture to the byte."""
    from benchmarks.worldbench.judges.truth import truth_evidence as found

    return found(trajectory)


def rule_evidence(trajectory: Trajectory) -> Evidence:
    """What our own analysis of source, scene and pixels says (judge `rule`), from what is stored alone."""
    from benchmarks.worldbench.judges.evidence_of import rule_evidence as found

    return found(trajectory)


async def model_findings(trajectory: Trajectory, judge: Judge) -> Found:
    """What a vision-language model says, role by role, after every check, and how it came about. Raises `JudgeError`
    for an outage that concerns all items; one that concerns some is in those items' claims."""
    from benchmarks.worldbench.judges.model_judge import model_findings as found

    return await found(trajectory, judge)


def graded(evidence: Evidence) -> tuple[Half, ...]:
    """Every item's parts under the bundled item table: a pure function of `evidence`."""
    from benchmarks.worldbench.grade import grade
    from benchmarks.worldbench.spec import load_spec

    return grade(evidence, load_spec())


def verdicts_of(halves: Sequence[Half]) -> tuple[Verdict, ...]:
    """One verdict for each part of an item, which `metrics_of` and the pages read back."""
    from benchmarks.worldbench.spec import load_spec
    from benchmarks.worldbench.verdicts import verdicts_of as made

    return made(halves, load_spec())


def metrics_of(results: Results) -> Sequence[Metric]:
    """The headline, the five tests, the agreement of the channels, with their spreads."""
    from benchmarks.worldbench.summary import metrics_of as made

    return made(results)


def pages_of(results: Sequence[Results]) -> Sequence[Page]:
    """The report's pages."""
    from benchmarks.worldbench.pages import pages

    return pages(results)


def episode_pages_of(trajectory: Trajectory, result: EpisodeResult) -> Sequence[Page]:
    """The pages of one world."""
    from benchmarks.worldbench.pages import episode_pages

    return episode_pages(trajectory, result)


async def certificate_of(task: Task, play: PlayOnce) -> Certificate:
    """The proof of the judge on fixture worlds."""
    from benchmarks.worldbench.certify import certify

    return await certify(task, play)


def fixture_html(fixture: Mapping[str, Json]) -> str:
    """The file of the fixture world that a task's private `fixture` names: the arguments of its generator."""
    from benchmarks.worldbench.fixtures.world import make_world

    return make_world(**fixture).html
