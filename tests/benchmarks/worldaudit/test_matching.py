"""From a finding's words to what it claims: the rules one by one, on the corpus's small world."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.worldaudit.judge_table import load_reports, words_for
from benchmarks.worldaudit.lexicon import load_lexicon
from benchmarks.worldaudit.matching import Reading, read_finding
from benchmarks.worldaudit.mentions import find_mentions
from benchmarks.worldaudit.patterns import Item, compile_pattern
from benchmarks.worldaudit.stream import build_stream
from benchmarks.worldaudit.taxonomy import FAMILIES, SUBCATEGORIES, subcategory
from benchmarks.worldaudit.words import MAX_CHARACTERS, joined, singular, tokens_of
from embodied_eval.errors import DataFileError, UnknownName

WORLD = load_reports()[1]
DENIALS = (
    "I found no sign that {}.",
    "It is not true that {}.",
    "I checked whether {}.",
    "I cannot confirm that {}.",
    "If {}, I would report it.",
    "Nothing suggests that {}.",
    "The task might be one where {}.",
    "I was told to look for cases where {}.",
    "Is it true that {}?",
    "{} - no, that was a false alarm.",
)
CLAIMS = {
    ("vase", "G1"): "the vase is floating in mid-air",
    ("armchair", "G2"): "the armchair is embedded in the wall",
    ("kettle", "G3"): "the kettle is far too large",
    ("kitchen_island", "C1"): "the kitchen island has no collision",
    ("blocker", "C2"): "an invisible wall blocks the way",
    ("ball", "C3"): "the ball bounces away violently on contact",
    ("bookshelf", "V1"): "the bookshelf vanishes when viewed from the left side",
    ("floor_lamp", "V2"): "the floor lamp changes its shape with distance",
    ("dining_table", "V3"): "the dining table casts no shadow",
    ("dresser", "V4"): "the dresser has a checkerboard texture",
    ("painting", "T1"): "the painting disappeared after a while",
    ("dining_chair", "T2"): "the dining chair moved by itself",
    ("table_lamp", "T3"): "the table lamp switched itself off",
    ("tv", "S2"): "the TV faces the wall",
    ("cannon", "S3"): "the cannon is from the wrong era",
}


def read(text: str, target: str = "vase", code: str = "G1") -> Reading:
    vocabulary, words = words_for(target, code, WORLD)
    return read_finding(text, code, vocabulary, load_lexicon(), words)


def items_of(text: str) -> tuple[Item, ...]:
    lexicon = load_lexicon()
    tokens = tokens_of(text, lexicon.spelling)
    mentions = find_mentions(tokens, words_for("vase", "G1", WORLD)[0], lexicon.grammar)
    return build_stream(tokens, mentions, lexicon)


def test_the_taxonomy_holds_fifteen_kinds_in_five_families() -> None:
    assert len(SUBCATEGORIES) == 15
    assert {kind.family for kind in SUBCATEGORIES.values()} == set(FAMILIES)
    assert set(load_lexicon().kinds) == set(SUBCATEGORIES)
    with pytest.raises(UnknownName):
        subcategory("S1")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It's the vase's base", "it is the vase base"),
        ("can't, won't, isn't", "can not , will not , is not"),
        ("mid-air \u2014 grey", "mid air -- gray"),
        ("0.2 m", "02 m"),
        ("flo\u200bating", "floating"),
        ("\uff46loating", "floating"),
    ],
)
def test_words_are_levelled(text: str, words: str) -> None:
    assert " ".join(token.word for token in tokens_of(text, load_lexicon().spelling)) == words


def test_names_match_in_the_plural_and_written_together() -> None:
    assert joined("Book shelves", {}) == joined("bookshelf", {})
    assert singular("glasses") == "glass"
    assert singular("bus") == "bus"


def test_patterns() -> None:
    items = items_of("the lamp did not move")
    assert not compile_pattern("did ~2 move", {}).find(items)
    assert compile_pattern("did ~2 move", {}, loose=True).find(items)
    assert compile_pattern("did ?not mov*|go*", {}).find(items)
    assert compile_pattern("@ did", {}).find(items)
    assert not compile_pattern("!did not", {}).find(items)
    assert compile_pattern("me:walked through", {}).find(items_of("I then walked through it"))
    assert not compile_pattern("walked through", {}).find(items_of("I then walked through it"))
    with pytest.raises(DataFileError, match="colours"):
        compile_pattern("a <colours>", {})
    with pytest.raises(DataFileError):
        compile_pattern("~3", {})


@pytest.mark.parametrize(
    "text",
    [
        "The vase floats.",
        "VASES ARE FLOATING",
        "Next to the sofa, the vase floats.",
        "On the coffee table, near the TV and the floor lamp, a vase floats.",
        "The vase next to the sofa and the armchair floats.",
        "Unlike the floor lamp, the vase floats.",
        "The sofa is fine, but the vase floats.",
        "There is a vase. It floats.",
        "The vase might be floating.",
        "I am not only sure of a strange pose: the vase floats.",
        "The rest of the room is normal. The vase floats. Nothing else is wrong.",
    ],
)
def test_landmarks_contrasts_and_hedges_do_not_cost_the_credit(text: str) -> None:
    assert read(text).identified, read(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("The sofa floats next to the vase.", "another object"),
        ("The vase and the sofa float.", "another object"),
        ("The vase, the sofa, the lamp and the rug float.", "another object"),
        ("The statue and the vase float.", "another object"),
        ("The vase floats. The sofa floats.", "another object"),
        ("Something floats.", "does not name the object"),
        ("The vase.", "does not name the anomaly"),
        ("The vase is not floating.", "deny"),
        ("No floating, clipping or missing textures at the vase.", "deny"),
        ("The vase floats and has no texture.", "another kind"),
        ("The vase floats, is too large and has a magenta texture.", "another kind"),
        ("The vase seemed to float, but it is fine.", "takes the claim back"),
        ("Does the vase float?", "does not name the anomaly|deny"),
    ],
)
def test_what_earns_no_credit(text: str, why: str) -> None:
    reading = read(text)
    assert not reading.identified
    assert any(part in reading.reason for part in why.split("|")), reading


@pytest.mark.parametrize(("target", "code"), CLAIMS)
def test_a_plain_claim_passes_and_its_denials_fail(target: str, code: str) -> None:
    claim = CLAIMS[target, code]
    assert read(claim.capitalize() + ".", target, code).identified
    for denial in DENIALS:
        text = denial.format(claim)
        assert not read(text[0].upper() + text[1:], target, code).identified, text


@pytest.mark.parametrize(("target", "code"), CLAIMS)
def test_a_plain_claim_passes_for_no_other_kind_of_the_same_object(target: str, code: str) -> None:
    for other in SUBCATEGORIES:
        if other != code and "C2" not in (other, code):
            assert not read(CLAIMS[target, code], target, other).identified, other


def test_the_necessary_condition_is_asked_for() -> None:
    assert not read("The bookshelf is invisible.", "bookshelf", "V1").identified
    assert read("The bookshelf is invisible from behind.", "bookshelf", "V1").identified
    assert not read("The painting is missing.", "painting", "T1").identified
    assert read("The painting is missing now.", "painting", "T1").identified
    assert not read("The ball flies off.", "ball", "C3").identified
    assert read("The ball flies off when touched.", "ball", "C3").identified


def test_the_agents_own_motion_is_no_claim() -> None:
    assert not read(
        "I moved past the dining chair, later I turned and came back.", "dining_chair", "T2"
    ).identified
    assert read("When I came back the dining chair had moved.", "dining_chair", "T2").identified


def test_an_unseen_obstacle_needs_no_name_but_the_right_room() -> None:
    assert read("Blocked by nothing visible in the kitchen.", "blocker", "C2").identified
    assert not read("Blocked by nothing visible in the bathroom.", "blocker", "C2").identified
    assert read("Coming from the bedroom I was blocked by an invisible wall.", "blocker", "C2").identified


def test_a_name_shared_between_rooms_is_told_apart_by_the_room() -> None:
    assert read("In the bedroom the lamp switched itself off.", "table_lamp", "T3").identified
    assert not read("In the living room the lamp switched itself off.", "table_lamp", "T3").identified


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    assert not read("x " * MAX_CHARACTERS + "The vase floats.").identified


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    assert isinstance(read(text), Reading)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(["vase", "sofa", "floats", "not", "and", ",", ".", "the", "next", "to", "no", "it"])
    )
)
def test_a_report_never_passes_without_the_objects_name(words: list[str]) -> None:
    reading = read(" ".join(words))
    assert not reading.identified or ("vase" in words and "floats" in words)
