"""The code channel on worlds that models wrote, and on one of the largest allowed size."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.worldbench.source import quotes
from benchmarks.worldbench.source.quotes import Matcher
from benchmarks.worldbench.source.slices import slices
from benchmarks.worldbench.source.sourcemap import from_html
from benchmarks.worldbench.spec import load_spec

pytestmark = pytest.mark.full
WORLDS = ("fable", "gpt-5-6-sol", "grok-4-5-fast")


@pytest.mark.parametrize("name", WORLDS)
def test_every_biome_is_named_and_every_line_is_found(name: str, shared_data: Path) -> None:
    source = from_html((shared_data / "worldbench_worlds" / f"{name}.html").read_text(encoding="utf-8"))
    found = slices(source, load_spec().aliases)
    assert all(found.values())
    # No biome owns more than a fifth of the world.
    for spans in found.values():
        assert sum(one.end - one.start for one in spans) < len(source.text) / 5
    matcher = Matcher(source)
    counts = Counter(matcher.verify(source.text[start:end]).refused for start, end in matcher.units.spans)
    assert not counts[quotes.ABSENT]
    assert counts[""] > 0.6 * len(matcher.units.spans)


def test_two_megabytes_are_sliced(shared_data: Path) -> None:
    body = from_html((shared_data / "worldbench_worlds" / "fable.html").read_text(encoding="utf-8")).text
    source = from_html("<script>" + (body * 70)[:2_000_000] + "</script>")
    assert all(slices(source, load_spec().aliases).values())
    assert Matcher(source).verify("var beachM=ss(rmp(r,0.855,0.905))*A*(1-mMt);").verified
