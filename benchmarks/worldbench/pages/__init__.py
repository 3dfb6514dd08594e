"""The benchmark's pages of the report: points, code against frames, and each world item by item."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.worldbench.pages.channels import channels_page
from benchmarks.worldbench.pages.items import item_sheets
from benchmarks.worldbench.pages.lines import Line, lines_of
from benchmarks.worldbench.pages.losses import losses_table, margins_table
from benchmarks.worldbench.pages.points import points_tables
from benchmarks.worldbench.pages.queries import query_sheet
from benchmarks.worldbench.pages.regions import regions_table
from benchmarks.worldbench.pages.views import close_sheet, season_gallery, time_gallery, wide_gallery
from benchmarks.worldbench.pages.world import score_table, scored_world
from benchmarks.worldbench.published import load_published
from benchmarks.worldbench.spec import load_spec
from embodied_eval.benchmark import EpisodeResult, Page, Results, Trajectory

NOT_THE_PAPERS = (
    "Items, weights and wording are a reconstruction of our own: totals are not comparable with the paper's."
)
RULE_BASED = (
    "Rule-based: these verdicts come from our own offline analysis of source, scene and pixels, not from a "
    "vision-language model."
)

__all__ = ["episode_pages", "pages"]


def pages(results: Sequence[Results]) -> list[Page]:
    """The pages over `results`, those of each judge apart."""
    made: list[Page] = []
    judges = list(dict.fromkeys(one.judge for one in results))
    for judge in judges:
        mine = [one for one in results if one.judge == judge]
        lines, suffix = lines_of(mine), f", judge {judge or 'none'}" if len(judges) > 1 else ""
        made += _pages(lines, judge, suffix) if lines else []
    return made


def _pages(lines: Sequence[Line], judge: str, suffix: str) -> list[Page]:
    known, spec = load_published(), load_spec()
    said = f"{RULE_BASED} {NOT_THE_PAPERS}" if judge == "rule" else NOT_THE_PAPERS
    margins = margins_table(lines, judge, spec)
    losses = losses_table(lines, judge)
    return [
        Page(
            f"Points{suffix}", said, (*points_tables(lines, judge, known, spec), regions_table(lines, judge))
        ),
        channels_page(lines, judge, known, spec, suffix),
        Page(
            f"Why points were lost{suffix}",
            "Refused claims and missing things, by reason; and the measurements that a slightly different frame "
            "might have turned.",
            tuple(table for table in (losses, margins) if table is not None),
            sheets=(query_sheet(),),
        ),
    ]


def episode_pages(trajectory: Trajectory, result: EpisodeResult) -> list[Page]:
    """One world: its score, its views, every item with its two halves."""
    spec, key = load_spec(), result.episode_key
    made: list[Page] = []
    world = scored_world(result, spec) if result.verdicts else None
    if world is not None:
        made.append(Page("Score", world.totals.reason, (score_table(world),)))
    galleries = [
        gallery
        for gallery in (
            wide_gallery(trajectory, key),
            time_gallery(trajectory, key, spec),
            season_gallery(trajectory, key, spec),
        )
        if gallery.pictures
    ]
    close = close_sheet(trajectory, key, world, spec)
    if galleries or close.entries:
        made.append(
            Page(
                "Views",
                "Taken on the world's own paused clock with its interface hidden. Red marks pixels that changed in "
                "a burst.",
                galleries=tuple(galleries),
                sheets=(close,) if close.entries else (),
            )
        )
    if world is not None:
        intro = "Each item earns half by a quote that the source really holds, half by a frame that really shows it."
        made.append(Page("Items", intro, sheets=item_sheets(world, trajectory, spec)))
    return made
