"""Audits of a world of the user's own (`--world page:...`): nothing is planted and no truth is known, so reports
are shown with their pictures and never scored."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.support import counted_of, excluded_note, unsupported
from benchmarks.worldaudit.truth import active_findings
from embodied_eval.benchmark import EpisodeResult, Gallery, Offer, Page, Picture, Results, Trajectory
from embodied_eval.errors import ConfigError
from embodied_eval.records import Condition, Metric, Task, Verdict

TAG = "open"
DRIVER = "page"
INSTRUCTION = (
    "Inspect this world as a tester would. Walk through it, look at its things from several sides, try what stops "
    "you and what does not, and report each fault that its makers can't have meant, with the pictures that show it."
)
OPEN = Condition(
    "open",
    {"icl": False, "type_hint": "none", "tell_count": False, "budget": 60},
    "a world of the user's own: no truth, no rubric; what is reported is shown, not scored",
)
UNSCORED = "nothing was planted in this world, so reports are shown and not scored"
STANDING = ("confirmed", "suspect")


def is_open(task: Task) -> bool:
    """Whether no truth is known of the task's world."""
    return TAG in task.tags


def open_offer(world: str) -> Offer:
    """What is played in the page at `world`: one task, under one condition."""
    name = PurePath(world.partition(":")[2].partition("?")[0])
    stem = name.parent.name if name.stem in ("index", "") and name.parent.name else name.stem
    slug = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")[:60] or "page"
    public = {
        "environment": "page",
        "scene": "page",
        "spawn": "start",
        "instruction": INSTRUCTION,
        "scene_description": "",
    }
    task = Task(f"page/{slug}", public, {}, "three.js", f"page/{slug}", world, (TAG,))
    return Offer((task,), (OPEN,), DRIVER)


def check_open(options: Options) -> None:
    """Raise ConfigError for settings that need a planted anomaly."""
    asked = {
        "icl": options.icl,
        "type_hint": options.type_hint != "none",
        "start": options.start != "default",
        "anomalies": options.anomalies != "A",
    }
    for name, wrong in asked.items():
        if wrong:
            raise ConfigError(
                f"The option {name!r} needs a planted anomaly, and nothing is planted in a page of your own.",
                hint=f"Leave --set {name}=... out.",
            )


def open_verdicts(trajectory: Trajectory) -> tuple[Verdict, ...]:
    """One verdict that can score nothing: how many reports stand."""
    found = active_findings(trajectory.outcome.answer)
    return (Verdict("reports", float(len(found)), 0.0, None, UNSCORED),)


def open_metrics(episodes: Sequence[EpisodeResult], judge: str, condition: str = "") -> list[Metric]:
    """`success_rate`, which has no value here, and `reports`, how many stand in all; [] without open episodes."""
    mine = [item for item in episodes if is_open(item.task)]
    if not mine:
        return []
    counted, reason = counted_of(mine), unsupported(mine)
    total = sum(len(active_findings(item.outcome.answer)) for item in counted if item.outcome)
    told = reason or excluded_note(mine)
    return [
        Metric("success_rate", None, 0, None, None, "%", len(mine), "", condition, judge, UNSCORED),
        Metric(
            "reports",
            None if reason else float(total),
            len(counted),
            None,
            None,
            "reports",
            len(mine),
            "",
            condition,
            judge,
            told,
        ),
    ]


def open_page(results: Sequence[Results]) -> Page | None:
    """Every report that stands, with its pictures, run by run; None where no world was open."""
    galleries: list[Gallery] = []
    opened = 0
    for one in results:
        for item in one.episodes:
            if is_open(item.task) and item.outcome is not None:
                opened += 1
                galleries += [_gallery(one, item, finding) for finding in _sorted(item)]
    if not opened:
        return None
    told = "Nobody scored these: look at the pictures, and play the episode's replay."
    if not galleries:
        told = "No fault was reported. That is no proof that there is none: the episode's replay shows what was seen."
    return Page("Findings", told, (), tuple(galleries))


def _sorted(item: EpisodeResult) -> list[dict[str, object]]:
    found = active_findings(item.outcome.answer) if item.outcome else []
    return sorted(found, key=lambda finding: STANDING.index(str(finding.get("status", "suspect"))))


def _gallery(results: Results, item: EpisodeResult, finding: dict[str, object]) -> Gallery:
    refs = finding.get("evidence", ())
    assert isinstance(refs, (list, tuple))
    facts = (
        ("category", str(finding.get("category", ""))),
        ("status", str(finding.get("status", ""))),
        ("action", str(finding.get("action", ""))),
        ("model", results.model),
        ("world", item.task.id),
    )
    pictures = tuple(Picture(item.episode_key, str(ref), str(ref), run_id=results.run_id) for ref in refs)
    return Gallery(str(finding.get("id", "")), str(finding["description"]), pictures, facts)
