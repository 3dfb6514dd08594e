"""Code against frames, on graded worlds and on the paper's own counts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from benchmarks.worldbench.agreement import Agreement, agreement, percent, pooled
from benchmarks.worldbench.evidence import CodeClaim, FrameFlags
from benchmarks.worldbench.grade import grade
from benchmarks.worldbench.published import load_published, read_published
from benchmarks.worldbench.spec import FOLDER, TESTS, load_spec
from embodied_eval.errors import DataFileError
from tests.benchmarks.worldbench.perfect import perfect_evidence, without

SPEC = load_spec()
PERFECT = perfect_evidence(SPEC)


def test_the_papers_counts_follow_from_each_other() -> None:
    table = load_published().agreement
    assert (table.both, table.neither, table.code_only, table.frames_only) == (184, 66, 105, 10)
    assert (table.agree, table.disagree, table.items) == (250, 115, 365)
    assert (table.code, table.frames) == (289, 194)
    assert 5 * 73 == 365 and 289 - 105 == 184 and 194 - 10 == 184 and 250 - 184 == 66


def test_the_papers_percentages() -> None:
    table = load_published().agreement
    assert percent(table.disagree, table.items) == "32 %"
    assert percent(table.code, table.items) == "79 %"
    assert percent(table.frames, table.items) == "53 %"
    assert percent(0, 0) == "-" and percent(1, 200) == "1 %"
    share = table.share("disagree")
    assert share.value == pytest.approx(115 / 365)
    assert (
        share.low is not None and share.high is not None and 0.26 < share.low < 115 / 365 < share.high < 0.37
    )


def test_the_papers_totals_and_leaders() -> None:
    published = load_published()
    names = [model.name for model in published.models]
    assert names == ["claude-fable-5-1", "gpt-6-astra", "kimi-k-3", "grok-4-7", "gemini-3-1-pro"]
    totals = [model.total for model in published.models]
    assert totals == sorted(totals, reverse=True) and totals[0] == Fraction("210.79")
    assert (published.models[0].frames_seen, published.models[-1].frames_seen) == (47, 24)
    assert set(published.leaders) == set(TESTS)
    assert published.leaders["WC003"] == published.leaders["WC004"] == "claude-fable-5-1"
    assert published.leaders["WC001"] == published.leaders["WC005"] == "kimi-k-3"
    assert published.leaders["WC002"] == "grok-4-7"


def test_published_counts_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    text = (FOLDER / "published.toml").read_text()
    for old, new, told in (
        ("agree = 250", "agree = 251", "add up to 366 items"),
        ("frames_judge = 194", "frames_judge = 195", "194 follows"),
        ('WC002 = "grok-4-7"', 'WC002 = "grok"', "grok is none of the models"),
        ("citation =", "cite =", "citation"),
    ):
        (tmp_path / "published.toml").write_text(text.replace(old, new))
        with pytest.raises(DataFileError, match=told):
            read_published(tmp_path / "published.toml")


def test_a_graded_world_is_counted_item_by_item() -> None:
    evidence = without(PERFECT, "C.swamp.1")
    evidence = replace(
        evidence,
        code={name: claim for name, claim in evidence.code.items() if name != "C.swamp.2"},
        frames={
            name: claim for name, claim in evidence.frames.items() if name not in ("C.swamp.3", "C.delta.1")
        },
    )
    assert agreement(grade(evidence, SPEC), SPEC) == Agreement(69, 2, 1, 1)


def test_an_item_that_a_channel_could_not_judge_is_in_no_cell() -> None:
    evidence = replace(PERFECT, code={**PERFECT.code, "C.swamp.1": CodeClaim("C.swamp.1", error="down")})
    table = agreement(grade(evidence, SPEC), SPEC)
    assert table == Agreement(both=72, unjudged=1)
    assert agreement((), SPEC) == Agreement(unjudged=73)


def test_a_closed_delta_still_counts_as_the_channels_found_it() -> None:
    hunt = (FrameFlags("overview", "overview", ("sea_over_void",)), *PERFECT.hunt[1:])
    assert agreement(grade(replace(PERFECT, hunt=hunt), SPEC), SPEC).both == 73


def test_worlds_are_pooled_item_by_item() -> None:
    assert pooled([Agreement(1, 2, 3, 4, 5), Agreement(10, 20, 30, 40, 50)]) == Agreement(11, 22, 33, 44, 55)
    assert pooled([]).share("both").value is None
