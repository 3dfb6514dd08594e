"""The benchmark's pages of the report: its paper's tables from stored verdicts, the published numbers beside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from benchmarks.worldaudit.open_audit import is_open, open_page
from benchmarks.worldaudit.pages.ablation import ablation_table
from benchmarks.worldaudit.pages.exposure import exposure_table
from benchmarks.worldaudit.pages.failures import cause, failure_table
from benchmarks.worldaudit.pages.lines import lines_of
from benchmarks.worldaudit.pages.paradigm import arms_table, usage_table
from benchmarks.worldaudit.pages.published import Published, published
from benchmarks.worldaudit.pages.several import several_table
from benchmarks.worldaudit.pages.success import success_table
from benchmarks.worldaudit.vla.judge import is_exploration
from embodied_eval.benchmark import Page, Results, Table

__all__ = ["cause", "pages"]


def pages(results: Sequence[Results]) -> list[Page]:
    """The pages over `results`, those of each judge apart; what the results do not hold is left out."""
    judges = list(dict.fromkeys(one.judge for one in results))
    made: list[Page] = []
    for judge in judges:
        mine = [one for one in results if one.judge == judge]
        suffix = f", judge {judge or 'none'}" if len(judges) > 1 else ""
        made += [
            replace(page, title=page.title + suffix) for page in _pages_of(mine, judge or "none", published())
        ]
    return made


def _pages_of(results: Sequence[Results], judge: str, known: Published) -> list[Page]:
    opened = open_page(results)
    planted = [
        replace(
            one,
            episodes=tuple(e for e in one.episodes if not (is_open(e.task) or is_exploration(e.condition))),
        )
        for one in results
    ]
    lines = lines_of([one for one in planted if one.episodes])
    if opened is not None and not lines:
        return [opened]
    several = several_table(lines, judge, known)
    # What has a table of its own stays out of the main one.
    main = [line for line in lines if several is None or not line.several]
    drafts: tuple[tuple[str, str, tuple[Table | None, ...]], ...] = (
        (
            "Main results",
            "How often the planted anomaly was identified, by family.",
            (success_table(main, judge, known) if main else None,),
        ),
        (
            "Why it was missed",
            "Measured from what each episode stored: whether the anomaly came into view at all, and at which step "
            "the rest was lost.",
            (exposure_table(lines, judge, known), failure_table(lines, judge)),
        ),
        (
            "Ablations",
            "What each switch of the protocol is worth, pair by pair.",
            (ablation_table(lines, judge, known),),
        ),
        (
            "Several anomalies",
            "Scenes in which more than one thing is wrong.",
            (several,),
        ),
        (
            "Paradigms and cost",
            "What the result costs: calls, tokens, money and time.",
            (usage_table(lines, judge), arms_table(lines, judge, known)),
        ),
    )
    made = [opened] if opened is not None else []
    for title, intro, tables in drafts:
        present = tuple(table for table in tables if table is not None)
        if present:
            made.append(Page(title, intro, present))
    return made
