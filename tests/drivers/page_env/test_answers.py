"""What an official page answers, checked at the edge; its film as ticks; what its address asks of it."""

from __future__ import annotations

import base64
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embodied_eval.drivers.base import TickState
from embodied_eval.drivers.page_env.calls import Answer, answer_of, pixels
from embodied_eval.drivers.page_env.open import asked_of
from embodied_eval.drivers.whole.film import Shot, film_ticks
from embodied_eval.errors import DataFileError, PageFailed
from embodied_eval.records import Pose
from embodied_eval.worlds.model import Page

JPEG = "data:image/jpeg;base64," + base64.b64encode(b"picture").decode()
NAN, INF = float("nan"), float("inf")


def row(**fields: Any) -> dict[str, Any]:
    return {
        "pos": [1, 0.5, -2.0],
        "yaw": 30,
        "pitch": 0,
        "moved": 1.5,
        "elapsed": 0.25,
        "interacted": "",
        "respawned": False,
        "teleported": False,
        "film": [],
        "last": JPEG,
        **fields,
    }


def test_a_sound_answer() -> None:
    made = answer_of(row(film=[[0.5, JPEG]], teleported=True, interacted="door"), "act")
    assert isinstance(made, Answer)
    assert made.place.pos == (1.0, 0.5, -2.0) and made.place.yaw_deg == 30.0
    assert (made.moved_m, made.elapsed_s, made.interacted, made.thrown) == (
        1.5,
        0.25,
        "door",
        ("teleported",),
    )
    assert made.film == (Shot(0.5, b"picture"),) and made.last == b"picture"
    unsaid = answer_of(row(moved="", elapsed="", last=""), "state")
    assert (unsaid.moved_m, unsaid.elapsed_s, unsaid.last) == (None, None, b"")


@pytest.mark.parametrize(
    "fields",
    [
        {"pos": [NAN, 0, 0]},
        {"pos": [0, 0]},
        {"pos": []},
        {"pos": [None, 0, 0]},
        {"yaw": None},
        {"yaw": INF},
        {"pitch": NAN},
        {"moved": NAN},
        {"moved": None},
        {"last": None},
        {"last": "https://elsewhere.example/a.jpg"},
        {"last": "data:image/jpeg;base64,%%%"},
        {"film": [[0.5, None]]},
    ],
)
def test_an_answer_that_the_interface_does_not_allow(fields: dict[str, Any]) -> None:
    with pytest.raises(PageFailed) as caught:
        answer_of(row(**fields), "act")
    assert caught.value.outcome == "bad_answer"


@pytest.mark.parametrize(
    "fields",
    [
        {"elapsed": -0.1},
        {"elapsed": NAN},
        {"elapsed": None},
        {"elapsed": 1e9},
        {"film": [[None, JPEG]]},
        {"film": [[1.0, JPEG], [0.5, JPEG]]},
    ],
)
def test_a_clock_that_cannot_be_right(fields: dict[str, Any]) -> None:
    with pytest.raises(PageFailed) as caught:
        answer_of(row(**fields), "act")
    assert caught.value.outcome == "wrong_clock"


def test_a_picture_that_is_none() -> None:
    with pytest.raises(PageFailed, match="decoded"):
        pixels(b"picture")


START = TickState(10.0, Pose(0.0, 0.0, 0.0, 170.0, 0.0), 0.0, False)


def ending(elapsed_s: float) -> TickState:
    return TickState(10.0 + elapsed_s, Pose(2.0, 0.0, 0.0, -170.0, 0.0), 2.0, True)


@pytest.mark.parametrize("begun", [0.0, 37.25])
def test_film_is_told_when_it_was_taken_but_not_before_it_was_due(begun: float) -> None:
    film = [Shot(begun + t, bytes([n])) for n, t in enumerate((0.5, 1.02, 1.49))]
    ticks = list(film_ticks(START, ending(1.6), film))
    assert [(round(state.t_s, 3), data) for state, data in ticks] == [
        (10.5, b"\0"),
        (11.02, b"\1"),
        (11.5, b"\2"),
    ]
    assert ticks[0][0].pose.x == pytest.approx(2.0 * 0.5 / 1.6)
    assert ticks[1][0].pose.yaw_deg == pytest.approx(-177.25)
    assert sum(state.moved_m for state, _ in ticks) == pytest.approx(2.0 * 1.5 / 1.6)
    assert not any(state.blocked for state, _ in ticks)


def test_film_that_is_missing_or_at_the_end_makes_no_tick() -> None:
    assert list(film_ticks(START, ending(3.0), [])) == []
    assert list(film_ticks(START, ending(0.5), [Shot(0.5, b"a")])) == []
    only = list(film_ticks(START, ending(3.0), [Shot(1.02, b"a")]))
    assert [state.t_s for state, _ in only] == [11.02]


@given(
    st.lists(st.floats(0.0, 6.0), max_size=10).map(sorted), st.floats(0.0, 6.0), st.sampled_from([0.0, 100.0])
)
def test_film_stays_between_start_and_end(times: list[float], elapsed_s: float, begun: float) -> None:
    end = ending(elapsed_s)
    ticks = [state for state, _ in film_ticks(START, end, [Shot(begun + t, b"") for t in times])]
    assert all(START.t_s < state.t_s < end.t_s for state in ticks)
    assert all(a.t_s < b.t_s for a, b in pairwise(ticks))
    assert all(0.0 <= state.pose.x <= 2.0 for state in ticks)


def page(query: str) -> Page:
    return Page("index.html", "", "/somewhere", query)


def test_what_a_page_is_asked_for() -> None:
    asked = asked_of(page("bug=07&filmMax=3&vclock=0&obs=final"), (640, 360))
    assert asked.parameters == {
        "bug": "07",
        "config": "07",
        "noui": "1",
        "harness": "1",
        "seed": "5",
        "obs": "final",
        "filmDt": "0.5",
        "filmMax": "3",
        "filmW": "640",
        "filmH": "360",
        "vclock": "1",
    }
    assert asked.sha256 == "" and asked.seed == "5"
    assert asked_of(page("config=b&bug=a&seed=9"), (640, 360)).parameters["config"] == "b"
    assert "config" not in asked_of(page(""), (640, 360)).parameters


def test_a_pinned_hash() -> None:
    own, other = "A" * 64, "b" * 64
    assert asked_of(page(f"bug=1#sha256={own}"), (4, 3), other).sha256 == own.lower()
    assert asked_of(page("bug=1"), (4, 3), other).sha256 == other
    with pytest.raises(DataFileError, match="#top"):
        asked_of(page("bug=1#top"), (4, 3))
