"""The rule's code channel on fixture worlds: what is there is found, what was taken is not."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from benchmarks.worldbench.evidence import CodeClaim, Span
from benchmarks.worldbench.fixtures.manifest import Manifest
from benchmarks.worldbench.fixtures.world import make_world
from benchmarks.worldbench.judges.rule_code import Code, claims
from benchmarks.worldbench.judges.rule_layout import layout_of
from benchmarks.worldbench.judges.rule_motion import axis_of
from benchmarks.worldbench.source.slices import slices
from benchmarks.worldbench.source.sourcemap import from_html
from benchmarks.worldbench.spec import load_spec

SPEC = load_spec()
MOST_LOST = 0.02


def unknown(span: Span) -> bool | None:
    return None


def code_of(html: str) -> Code:
    source = from_html(html)
    return Code(source, slices(source, SPEC.aliases), SPEC, unknown)


def found(claims: Mapping[str, CodeClaim]) -> set[tuple[str, str]]:
    out = set()
    for name, claim in claims.items():
        for part, quote in (("code", claim.look), ("motion", claim.motion)):
            if quote is not None and quote.verified:
                out.add((name, part))
    return out


def true(manifest: Manifest) -> set[tuple[str, str]]:
    return {
        (name, part)
        for name, truth in manifest.items.items()
        for part, quote in (("code", truth.look), ("motion", truth.motion))
        if quote is not None
    }


@pytest.mark.parametrize("operator", ["none", "rename"])
def test_what_is_there_is_found_whatever_it_is_called(operator: str) -> None:
    there, lost = 0, []
    for seed in (3, 4, 5):
        fixture = make_world(seed, operator)  # type: ignore[arg-type]
        got, wanted = found(claims(code_of(fixture.html))), true(fixture.manifest)
        there += len(wanted)
        lost += sorted(wanted - got)
        assert not {name for name, _ in got} - fixture.manifest.items.keys()
    assert len(lost) <= MOST_LOST * there, lost


@pytest.mark.parametrize(
    ("operator", "item"),
    [
        ("delete", "C.jungle.2"),
        ("delete", "C.desert.3"),
        ("delete", "P.delta.7"),
        ("promise", "C.swamp.3"),
        ("promise", "C.volcano.3"),
        ("freeze", "P.mountains.9"),
        ("freeze", "P.delta.10"),
        ("drain", ""),
    ],
)
def test_what_was_taken_is_not_found(operator: str, item: str) -> None:
    fixture = make_world(3, operator, item)  # type: ignore[arg-type]
    got = found(claims(code_of(fixture.html)))
    gone = {
        (name, fact) for name, facts in fixture.manifest.lost.items() for fact in facts & {"code", "motion"}
    }
    assert gone and not gone & got


def test_every_quote_serves_one_item() -> None:
    code = code_of(make_world(3).html)
    quotes = [
        quote
        for claim in claims(code).values()
        for quote in (claim.look, claim.motion)
        if quote is not None and quote.verified
    ]
    keys = [code.matcher.key(quote) for quote in quotes]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<!doctype html><p>Snowy mountains, a jungle with vines, a swamp with lily pads, lava in a crater.</p>",
        "<script>const BIOMES = ['mountains','forest','jungle','swamp','desert','volcano','grove'];</script>",
        "<script>// mountains: snow, blizzard; jungle: vines, waterfall; volcano: lava, crater</script>",
        "<script>" + "(" * 5000 + "</script>",
    ],
)
def test_words_alone_are_no_code(html: str) -> None:
    assert not {item for item in claims(code_of(html)) if SPEC.items[item].biome}


def test_forbidden_things_are_found_in_their_region() -> None:
    html = make_world(3).html
    at = html.index("sandstone peak")
    line = html.rindex("\n", 0, at)
    planted = (
        html[:line]
        + html[line : html.index("\n", at)]
        .replace("sandstone peak", "lava stream")
        .replace("peaks", "hotFlow")
        + html[line:]
    )
    got = found(claims(code_of(planted)))
    assert {("F.desert.2", "code"), ("G.desert.3", "code")} & got


def test_the_table_of_regions_is_read() -> None:
    for seed, operator in ((3, "none"), (4, "rename")):
        fixture = make_world(seed, operator)  # type: ignore[arg-type]
        layout, quotes = layout_of(code_of(fixture.html))
        assert layout.edges == fixture.manifest.edges
        assert dict(layout.rank) == dict(fixture.manifest.rank)
        assert len(quotes) == 10


@pytest.mark.parametrize(
    ("text", "item", "axis"),
    [
        ("drop.position.y -= speed * dt;", "P.jungle.7", "falling"),
        ("p.y = 4 + loop(p.y + frame.time * 1.1, 6);", "P.jungle.8", "rising"),
        ("flake.x += wind * dt;", "P.mountains.8", "blowing"),
        ("foam.position.z += dt;", "P.grassland.9", "flowing"),
        ("lava.material.emissiveIntensity = 1 + Math.sin(time);", "P.volcano.7", "pulsing"),
        ("fog.material.opacity = 0.3 + Math.sin(t) * 0.1;", "P.swamp.9", "still"),
        ("goat.position.x += Math.sin(t) * 0.1;", "P.mountains.10", "grounded"),
        ("count = 3;", "P.jungle.7", ""),
    ],
)
def test_axes_follow_what_is_added_to_what(text: str, item: str, axis: str) -> None:
    assert axis_of(text, SPEC.items[item], SPEC) == axis
