"""WC002: coverage by either channel, placement by rule, and no cost of a neighbour that is not there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.worldbench.evidence import BIOMES, CodeClaim, Evidence, Half, Layout, Quote
from benchmarks.worldbench.grade import grade
from benchmarks.worldbench.spec import load_spec
from benchmarks.worldbench.totals import totals
from tests.benchmarks.worldbench.perfect import RANK, all_pairs, perfect_evidence, uncover

SPEC = load_spec()
PERFECT = perfect_evidence(SPEC)


def halves(evidence: Evidence, biome: str) -> dict[str, Half]:
    return {half.channel: half for half in grade(evidence, SPEC) if half.item == f"L.{biome}"}


def placed(evidence: Evidence) -> set[str]:
    return {biome for biome in BIOMES if halves(evidence, biome)["place"].earned}


@pytest.mark.parametrize("gone", BIOMES)
def test_an_uncovered_region_never_costs_its_neighbours(gone: str) -> None:
    evidence = uncover(PERFECT, gone)
    assert placed(evidence) == set(BIOMES) - {gone}
    made = totals(grade(evidence, SPEC), SPEC)
    assert made.tests["WC002"] == 18 and made.biomes["WC002"][gone] == 0


def test_alone_a_region_is_placed() -> None:
    evidence = uncover(PERFECT, *[biome for biome in BIOMES if biome != "jungle"])
    assert placed(evidence) == {"jungle"}
    assert "uncovered" in halves(evidence, "jungle")["place"].reason


def test_either_channel_covers() -> None:
    by_code = replace(PERFECT, confirmed={})
    by_frame = replace(PERFECT, classified={})
    for evidence, reason in (
        (PERFECT, "in the code and in a frame"),
        (by_code, "in the code"),
        (by_frame, "in a frame"),
    ):
        half = halves(evidence, "swamp")["classify"]
        assert (half.earned, half.reason) == (1, reason)
    refused = replace(by_code, classified={**PERFECT.classified, "swamp": Quote("x", refused="invented")})
    assert halves(refused, "swamp")["classify"].reason == "invented"
    assert halves(refused, "swamp")["place"].reason == "not covered"


def test_a_dead_layout_quote_covers_only_outside_strict_mode() -> None:
    quote = replace(PERFECT.classified["swamp"], executed=False)
    evidence = replace(PERFECT, confirmed={}, classified={**PERFECT.classified, "swamp": quote})
    assert halves(evidence, "swamp")["classify"].earned == 1
    assert halves(replace(evidence, strict_executed=True), "swamp")["classify"].earned == 0


def test_where_everything_touches_everything_the_separated_regions_fail() -> None:
    evidence = replace(PERFECT, layout=Layout(all_pairs(), RANK))
    assert placed(evidence) == set(BIOMES) - {"swamp", "desert", "volcano"}
    assert halves(evidence, "swamp")["place"].reason == "touches delta"
    # The desert may touch the volcano, and the volcano the jungle.
    apart = all_pairs() - {("delta", "desert")}
    assert "delta" not in halves(replace(PERFECT, layout=Layout(apart, RANK)), "desert")["place"].reason


def test_edges_count_in_both_directions() -> None:
    turned = frozenset((b, a) for a, b in PERFECT.layout.edges)
    assert placed(replace(PERFECT, layout=Layout(turned, RANK))) == set(BIOMES)


def test_the_grove_needs_one_of_two_neighbours() -> None:
    for edge in (("grove", "highlands"), ("grassland", "grove")):
        edges = frozenset(pair for pair in PERFECT.layout.edges if "grove" not in pair) | {edge}
        assert "grove" in placed(replace(PERFECT, layout=Layout(edges, RANK)))
    edges = frozenset(pair for pair in PERFECT.layout.edges if "grove" not in pair)
    assert halves(replace(PERFECT, layout=Layout(edges, RANK)), "grove")["place"].reason == (
        "touches none of highlands, grassland"
    )


def test_height_decides_and_must_be_known() -> None:
    level = replace(PERFECT, layout=replace(PERFECT.layout, rank={**RANK, "delta": RANK["grassland"]}))
    assert halves(level, "grassland")["place"].reason == "not higher than delta"
    unknown = replace(PERFECT, layout=replace(PERFECT.layout, rank={}))
    assert placed(unknown) == {"swamp", "grove", "delta", "desert", "volcano"}


def test_a_layout_that_could_not_be_had_is_no_failure() -> None:
    made = totals(grade(replace(PERFECT, layout=Layout(error="down")), SPEC), SPEC)
    assert made.tests["WC002"] is None and len(made.unjudged) == 10


def test_a_classifier_that_could_not_be_had_is_no_failure() -> None:
    evidence = uncover(PERFECT, "swamp")
    evidence = replace(evidence, code={**evidence.code, "L.swamp": CodeClaim("L.swamp", error="down")})
    made = totals(grade(evidence, SPEC), SPEC)
    # The jungle must touch the swamp, if there is one; nobody knows.
    assert made.unjudged == ("L.jungle", "L.swamp")
    seen = replace(
        evidence, confirmed={**evidence.confirmed, "swamp": ("close.swamp",)}, layout=PERFECT.layout
    )
    assert totals(grade(seen, SPEC), SPEC).tests["WC002"] == 20
