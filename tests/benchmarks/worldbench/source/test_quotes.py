"""Which quotes stand, which are refused and why, and who may use them."""

from __future__ import annotations

import pytest

from benchmarks.worldbench.evidence import Quote
from benchmarks.worldbench.source import quotes
from benchmarks.worldbench.source.quotes import Ledger, Matcher, verify
from benchmarks.worldbench.source.slices import slices
from tests.benchmarks.worldbench.source.kit import ALIASES, source_of

CODE = """
const BIOMES = [
  { id: 'swamp', title: 'Backwater Swamp', note: 'mangrove roots' },
  { id: 'jungle', title: 'Dense Jungle', note: 'warm rain shafts' },
];
function buildSwamp(scene) {
  // lily pads float on the murky water
  const water = new THREE.Mesh(box, murky);
  for (let i = 0; i < 40; i += 1) addMangrove(scene, i * 3, heightAt(i * 3, 12), 'swampwood');
  scene.add(water);
}
function buildJungle(scene) {
  const rain = makeRain(scene, 0x54bce5, 170);
  rain.onFrame = (dt) => { rain.position.y -= dt * 18; };
  scene.add(water);
}
const RIVERS = [[12, 57], [8, 46], [2, 34], [-9, 25]];
RIVERS.forEach(([x, z]) => addWaterCube(x, 22, z));
BIOMES.forEach((b) => { const row = document.createElement('div'); row.textContent = b.title; });
const shader = `uniform float uTime; void main() { gl_FragColor = vec4(fogColour, sin(uTime)); }`;
say('the mangroves stand in murky water');
"""
SOURCE = source_of(CODE)
SLICES = slices(SOURCE, ALIASES)
MATCHER = Matcher(SOURCE)
MANGROVE = "for (let i = 0; i < 40; i += 1) addMangrove(scene, i * 3, heightAt(i * 3, 12), 'swampwood');"


def refused(text: str, biome: str = "") -> str:
    return MATCHER.verify(text, SLICES[biome] if biome else None).refused


def test_verbatim_and_scrambled_whitespace_stand_with_their_lines() -> None:
    for text in (MANGROVE, MANGROVE.replace(" ", "\n   "), "".join(MANGROVE.split(" "))):
        quote = verify(text, SOURCE)
        assert quote.verified
        (span,) = quote.spans
        assert SOURCE.lines[span.first_line - 1].strip() == MANGROVE
        assert span.first_line == span.last_line


def test_a_quote_over_lines_and_past_a_comment_stands() -> None:
    text = "function buildSwamp(scene) {\n  const water = new THREE.Mesh(box, murky);"
    quote = verify(text, SOURCE)
    assert quote.verified
    assert quote.spans[0].last_line - quote.spans[0].first_line == 2
    assert verify(
        "// lily pads float on the murky water\nconst water = new THREE.Mesh(box, murky);", SOURCE
    ).verified


def test_the_first_85_percent_of_a_line_are_enough() -> None:
    line = "".join(MANGROVE.split())[:100].ljust(20)
    whole = source_of(f"{line};\nnext(1);")
    bare = len(line)
    need = -(-bare * 85 // 100)
    assert verify(line[:need] + "@" * (bare - need), whole).verified
    assert verify(line[: need - 1] + "@" * (bare - need + 1), whole).refused == quotes.ABSENT


def test_80_percent_of_the_lines_are_enough() -> None:
    lines = [f"putCube({n}, {n}, stone{n});" for n in range(10)]
    source = source_of("\n".join(lines))
    invented = ["makeVolcano(everything, now);", "makeRiver(somewhere, else_);"]
    assert verify("\n".join([*lines[:4], invented[0]]), source).verified
    assert not verify("\n".join([*lines[:3], invented[0]]), source).verified
    spans = verify("\n".join([*lines[:2], invented[0], *lines[5:8]]), source).spans
    assert sum(one.last_line - one.first_line + 1 for one in spans) == 5
    assert not verify("\n".join([*lines[:7], *invented]), source).verified


def test_79_percent_of_many_lines_are_not() -> None:
    lines = [f"putCube({n}, {n}, stone{n});" for n in range(100)]
    source = source_of("\n".join(lines))
    made = [f"inventedCall(alpha{n});" for n in range(21)]
    assert not verify("\n".join([*lines[:79], *made]), source).verified
    assert verify("\n".join([*lines[:80], *made[:20]]), source).verified


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("makeVolcano(everything, now);", quotes.ABSENT),
        ("// lily pads float on the murky water", quotes.COMMENT),
        ("lily pads float on the murky water", quotes.ABSENT),
        ("a = b();", quotes.TOO_SHORT),
        ("a=b();1", quotes.TOO_SHORT),
        ("buildSwamp", quotes.IDENTIFIER),
        ("rain.position.y", quotes.IDENTIFIER),
        ("[12, 57], [8, 46]", quotes.COORDINATES),
        ("x: 12.5, z: -57", quotes.COORDINATES),
        ("const pts = [[1, 2], [3e2, 0xff]];", quotes.COORDINATES),
        ("not found", quotes.NOT_FOUND),
        ("No such code in the source.", quotes.NOT_FOUND),
        ("N/A - nothing like it here", quotes.NOT_FOUND),
        ("No relevant code found", quotes.NOT_FOUND),
        ("{ id: 'swamp', title: 'Backwater Swamp', note: 'mangrove roots' },", quotes.INTERFACE),
        ("row.textContent = b.title;", quotes.INTERFACE),
        ("'the mangroves stand in murky water'", quotes.INTERFACE),
        ("", quotes.TOO_SHORT),
        ("x" * 9_000, quotes.TOO_LONG),
    ],
)
def test_refusals(text: str, reason: str) -> None:
    assert refused(text) == reason


def test_shader_text_and_plain_constants_are_code() -> None:
    assert not refused("gl_FragColor = vec4(fogColour, sin(uTime));")
    assert verify("const UNIT = 1;", source_of("const UNIT = 1;")).verified
    assert verify("nothing.found(2);", source_of("nothing.found(2);")).verified


def test_a_quote_must_come_from_the_biomes_own_code() -> None:
    assert not refused(MANGROVE, "swamp")
    assert refused(MANGROVE, "jungle") == quotes.ELSEWHERE
    assert refused("RIVERS.forEach(([x, z]) => addWaterCube(x, 22, z));", "jungle") == quotes.ELSEWHERE
    assert refused("makeVolcano(everything, now);", "jungle") == quotes.ABSENT


def test_the_occurrence_in_the_own_code_is_taken() -> None:
    first, second = (MATCHER.verify("scene.add(water);", SLICES[one]).spans[0] for one in ("swamp", "jungle"))
    assert first.first_line < second.first_line


def test_lines_may_not_be_picked_from_here_and_there() -> None:
    source = source_of(
        "function buildSwamp() {\n  pool(1, 2, 3);\n  scene.add(thing);\n}\n"
        "function plain() {\n  river(7, 8, 9);\n  scene.add(thing);\n}"
    )
    own = slices(source, ALIASES)["swamp"]
    assert verify("river(7, 8, 9);\nscene.add(thing);", source, own).refused == quotes.ELSEWHERE
    assert verify("scene.add(thing);", source, own).verified


def ledger(*order: str) -> Ledger:
    return Ledger(SOURCE, SLICES, order)


def test_one_quote_serves_the_earlier_item() -> None:
    book = ledger("C.swamp.1", "C.swamp.2", "C.swamp.3")
    book.offer("C.swamp.3", "swamp", MANGROVE, "scene.add(water);")
    book.offer("C.swamp.2", "swamp", MANGROVE[:-1])
    book.offer("C.swamp.1", "swamp", MANGROVE.replace(" ", ""))
    settled = book.settle()
    assert settled["C.swamp.1", "look"].verified
    assert settled["C.swamp.2", "look"].refused == quotes.USED
    assert settled["C.swamp.3", "look"].text == "scene.add(water);"


def test_look_and_motion_differ_and_order_of_offers_does_not_matter() -> None:
    motion = "rain.onFrame = (dt) => { rain.position.y -= dt * 18; };"

    def settled(flip: bool) -> dict[tuple[str, str], Quote]:
        book = ledger("P.jungle.7", "P.jungle.8")
        offers = [("P.jungle.7", "look"), ("P.jungle.7", "motion"), ("P.jungle.8", "look")]
        for item, kind in reversed(offers) if flip else offers:
            book.offer(item, "jungle", motion, kind=kind)  # type: ignore[arg-type]
        return dict(book.settle())

    assert settled(False) == settled(True)
    assert settled(False)["P.jungle.7", "motion"].refused == quotes.SAME
    assert settled(False)["P.jungle.8", "look"].refused == quotes.USED


def test_an_item_of_no_biome_takes_any_code() -> None:
    book = ledger("V.grid")
    book.offer("V.grid", "", "RIVERS.forEach(([x, z]) => addWaterCube(x, 22, z));")
    assert book.settle()["V.grid", "look"].verified


def test_minified_worlds_are_matched_by_statements() -> None:
    packed = "function buildSwamp(){" + "".join(f"putCube({n},stone{n});" for n in range(40)) + "}"
    source = source_of(packed)
    assert Matcher(source).units.mode == "statement"
    five = "".join(f"putCube({n},stone{n});" for n in (3, 9, 5, 21))
    assert verify(five + "inventedCall(alpha);", source).verified
    assert not verify(five + "inventedCall(alpha);inventedCall(beta);", source).verified
    assert len(verify(five + "inventedCall(alpha);", source).spans) == 4
