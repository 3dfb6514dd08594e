"""The prompt: its length, what it asks for, what it must not say, and that it is the frozen one."""

from __future__ import annotations

import hashlib
import re

import pytest

from benchmarks.worldbench.evidence import SEASONS
from benchmarks.worldbench.frozen import frozen, present
from benchmarks.worldbench.prompts import generation_prompt, prompt_sha256, templates

PROMPT = generation_prompt()
SHA256 = "14c5a3cb4990d0401d19ffbd985bc17260c99569e9f79eee1b5a4d1000334645"
WORDS = """grade graded grader grading score scored scores scoring judge judged judges test tested tests testing evaluate
evaluated evaluation benchmark points"""
REGIONS = (
    "Snow mountains",
    "Snowy conifer forest",
    "Temperate highlands",
    "Dense jungle",
    "Backwater swamp",
    "Grassland plateau",
    "Flowering grove",
    "Coast, delta, ocean and beaches",
    "Desert basin",
    "Volcano",
)


def test_it_has_1800_to_2200_words() -> None:
    assert 1800 <= len(PROMPT.split()) <= 2200


def test_it_is_pinned() -> None:
    assert prompt_sha256() == SHA256 == hashlib.sha256(PROMPT.encode()).hexdigest()
    assert frozen()["prompt/v1.md"] == SHA256


@pytest.mark.parametrize("name", [name for name in frozen() if name.startswith("spec/")])
def test_items_and_thresholds_are_the_frozen_ones(name: str) -> None:
    assert present()[name] == frozen()[name], "run: python -m benchmarks.worldbench.frozen"


def test_every_file_that_counts_is_frozen() -> None:
    assert set(present()) == set(frozen())


@pytest.mark.parametrize("word", WORDS.split())
def test_it_says_nothing_on_the_graders_behalf(word: str) -> None:
    assert not re.search(rf"\b{word}\b", PROMPT, re.IGNORECASE)


def test_it_asks_for_no_interface_and_gives_no_coordinates() -> None:
    assert "window." not in PROMPT and "`" not in PROMPT.replace("`html`", "")
    # The only figures are those of the regions' list.
    assert re.findall(r"\d+", re.sub(r"^\d+\. ", "", PROMPT, flags=re.MULTILINE)) == []


@pytest.mark.parametrize("region", REGIONS)
def test_every_region_has_its_paragraph(region: str) -> None:
    assert re.search(rf"^\d+\. \*\*{region}\.\*\* .{{200,}}$", PROMPT, re.MULTILINE)


def test_it_fixes_what_the_placement_rules_rest_on() -> None:
    for said in (
        "dry rim of rock",
        "No river enters the volcano",
        "nowhere touching the coast",
        "rain-shadow side",
    ):
        assert said in PROMPT
    assert all(season in PROMPT.lower() for season in SEASONS)


def test_no_text_for_the_model_is_about_pictures_or_points() -> None:
    for name, text in templates().items():
        if not name.startswith("generate/"):
            assert not re.search(
                r"\b(points?|scores?|screenshots?|images?|missing feature)\b", text, re.IGNORECASE
            )
