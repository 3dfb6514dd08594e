"""The judge `rule` from a stored episode to points."""

from __future__ import annotations

from fractions import Fraction

import pytest

from benchmarks.worldbench.capture.manifest import EVENT, Manifest, Ran
from benchmarks.worldbench.fixtures.world import make_world
from benchmarks.worldbench.grade import grade
from benchmarks.worldbench.judges.evidence_of import capture_of, html_of, pictures_of, rule_evidence
from benchmarks.worldbench.judges.rule import analyse, ran
from benchmarks.worldbench.source.sourcemap import from_html
from benchmarks.worldbench.spec import load_spec
from embodied_eval.errors import JudgeError
from tests.benchmarks.worldbench.judges.captured import captured

SPEC = load_spec()
NAMES = "mountains, forest, highlands, jungle, swamp, grassland, grove, delta, desert, volcano"


def score(html: str, manifest: Manifest) -> Fraction:
    return sum(
        (half.earned for half in grade(analyse(html, manifest, lambda ref: None, SPEC), SPEC)), Fraction(0)
    )


@pytest.mark.parametrize(
    "html",
    ["", f"<!doctype html><p>{NAMES}</p>", f"<script>document.title = '{NAMES}';</script>"],
)
@pytest.mark.parametrize("loaded", [False, True])
def test_pages_without_a_world_score_nothing(html: str, loaded: bool) -> None:
    assert score(html, Manifest("0" * 64, loaded, "ready" if loaded else "nothing drawn")) == 0


def test_a_stored_episode_is_judged_from_what_is_stored() -> None:
    trajectory = captured(make_world(1))
    evidence = rule_evidence(trajectory)
    assert evidence.loaded and len(evidence.code) > 180
    assert evidence.clock == capture_of(trajectory).clock
    assert html_of(trajectory) == make_world(1).html
    picture = pictures_of(trajectory)("overview")
    assert picture is not None and picture.shape[2] == 3
    assert pictures_of(trajectory)("no such frame") is None
    assert grade(evidence, SPEC) == grade(rule_evidence(trajectory), SPEC)


def test_what_is_not_stored_is_an_error_and_no_zero() -> None:
    from dataclasses import replace

    trajectory = captured(make_world(1))
    without = tuple(event for event in trajectory.events if event.kind != EVENT)
    with pytest.raises(JudgeError, match="capture"):
        rule_evidence(replace(trajectory, events=without))
    with pytest.raises(JudgeError, match="world file"):
        rule_evidence(replace(trajectory, rows={}))


def test_code_that_never_ran_is_known_by_its_coverage() -> None:
    html = "<script>\nif (false) {\n  own.lava = spot.blocks('lava');\n}\nown.sand = spot.blocks('sand');\n</script>"
    source = from_html(html)
    start = html.index("{\n") + 1
    made = Ran(html.index("\n"), html.index("</script>"), (), ((start, html.index("}")),))
    known = ran(source, Manifest("0" * 64, True, "ready", ran=(made,)))
    at = source.text.index("own.lava")
    assert known(source.span(at, at + 20)) is False
    at = source.text.index("own.sand")
    assert known(source.span(at, at + 20)) is True
    assert ran(source, Manifest("0" * 64, True, "ready"))(source.span(at, at + 20)) is None
