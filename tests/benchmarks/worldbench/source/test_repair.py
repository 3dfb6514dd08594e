"""Failing quotes put right from their pieces."""

from __future__ import annotations

from benchmarks.worldbench.source.quotes import ABSENT, Matcher
from benchmarks.worldbench.source.repair import from_lines, repaired, verified_or_repaired
from tests.benchmarks.worldbench.source.kit import source_of

LINES = [f"  const cube{n} = putCube(scene, {n}, stone{n}); glow(cube{n});" for n in range(20)]
SOURCE = source_of("function buildSwamp() {\n" + "\n".join(LINES) + "\n}")
MATCHER = Matcher(SOURCE)


def test_pieces_become_the_full_lines() -> None:
    quote = verified_or_repaired("putCube(scene, 3, stone3) ... putCube(scene, 7, stone7)", MATCHER)
    assert quote.verified
    assert quote.repaired
    assert quote.text == f"{LINES[3].strip()}\n{LINES[7].strip()}"


def test_a_good_quote_is_left_alone() -> None:
    quote = verified_or_repaired(LINES[2], MATCHER)
    assert (quote.text, quote.repaired) == (LINES[2], False)


def test_invented_code_is_not_repaired() -> None:
    mixed = "putCube(scene, 3, stone3); erupt(everything, now); freeze(the, river)"
    assert verified_or_repaired(mixed, MATCHER).refused == ABSENT
    found = repaired(mixed, MATCHER)
    assert found.text == ""
    assert found.missing == ("erupt(everything, now)", "freeze(the, river)")


def test_at_most_twelve_lines() -> None:
    pieces = " ... ".join(f"putCube(scene, {n}, stone{n})" for n in range(20))
    assert len(repaired(pieces, MATCHER).text.split("\n")) == 12


def test_lines_named_by_number() -> None:
    first = next(n for n, line in enumerate(SOURCE.lines, 1) if "cube0 " in line)
    assert (
        from_lines([first + 1, first, first, 99_999, -3], MATCHER)
        == f"{LINES[0].strip()}\n{LINES[1].strip()}"
    )
