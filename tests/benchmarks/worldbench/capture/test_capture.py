"""Whole captures of a small island in a real Chromium."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.worldbench.capture import measure
from benchmarks.worldbench.capture.manifest import Manifest, from_json
from benchmarks.worldbench.evidence import TIMES
from embodied_eval.errors import SchemaMismatch
from embodied_eval.models.types import Image, Message, Reply, Tool, ToolCall
from embodied_eval.records import Json
from tests.benchmarks.worldbench.capture.kit import Options, Studio, captured

pytestmark = pytest.mark.browser
ISLAND = Path(__file__).with_name("island.html").read_text("utf-8")
RAW = Path(__file__).parents[3] / "drivers" / "page" / "pages" / "raw.html"
Made = tuple[Manifest, Studio]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("frames")


@pytest.fixture(scope="module")
def island(folder: Path) -> Made:
    return captured(folder, ISLAND, Options())


def test_day_is_the_brightest_and_the_times_differ(island: Made) -> None:
    manifest, studio = island
    clock = manifest.clock
    assert manifest.loaded
    assert manifest.incomplete == ""
    assert clock.source == "sweep"
    assert clock.day == 2
    assert clock.night in (0, 1, 3)
    assert manifest.swept.period_s == pytest.approx(30.0, abs=2.0)
    luma = [one.luma_all for one in clock.times if one is not None]
    assert max(luma) == measure.luma_all(studio.picture(manifest, f"time:{TIMES[2]:g}"))
    assert max(luma) - min(luma) >= 4.0
    assert max(one or 0.0 for one in clock.differs) >= 8.0


def test_the_seasons_are_drawn_by_day_and_measured_from_spring(island: Made) -> None:
    manifest, _ = island
    assert all(one is not None for one in manifest.clock.seasons)
    assert manifest.clock.season_shift[0] == 0.0
    assert max(one or 0.0 for one in manifest.clock.season_shift) >= 0.015
    assert [error for error in manifest.swept.season_error if error is None or error > 1 / 16] == []


def test_the_wide_views_come_from_five_places(island: Made) -> None:
    manifest, _ = island
    views = ("overview", "orbit:right", "orbit:left", "orbit:top", "orbit:bottom")
    shots = [manifest.shot(view) for view in views]
    places = {shot.camera.position for shot in shots if shot is not None and shot.camera is not None}
    assert len(places) == 5
    assert all(shot is not None and shot.filled >= 0.02 and not shot.note for shot in shots)
    top, overview = shots[3], shots[0]
    assert top is not None and top.camera is not None
    assert overview is not None and overview.camera is not None
    assert top.camera.position[1] > overview.camera.position[1]


def test_the_scripted_navigator_follows_the_legend(island: Made) -> None:
    manifest, _ = island
    found = {visit.biome for visit in manifest.visits if visit.outcome == "found"}
    assert found == {"jungle", "desert"}
    assert len(manifest.visits) == 10
    assert {shot.biome for shot in manifest.close()} == found
    missed = next(visit for visit in manifest.visits if visit.biome == "swamp")
    assert (missed.outcome, missed.ref) == ("not_found", "")


def test_a_burst_has_seven_frames_two_world_seconds_apart(island: Made) -> None:
    manifest, studio = island
    burst = manifest.burst("jungle")
    assert burst is not None
    assert (len(burst.near), len(burst.far)) == (4, 3)
    assert burst.camera_still is True
    assert burst.light == "held"
    for refs in (burst.near, burst.far):
        moments = [shot.t_s for ref in refs for shot in manifest.shots if shot.ref == ref]
        assert np.diff(moments) == pytest.approx([2.0] * (len(refs) - 1))
    frames = [studio.picture(manifest, view) for view in burst.near]
    assert burst.near_share == measure.share(measure.changed(frames))
    assert (burst.near_share or 0.0) > 0.01
    near, far = manifest.shot(burst.near[0]), manifest.shot(burst.far[0])
    assert near is not None and far is not None
    assert near.filled > far.filled


def test_objects_tell_what_moves_and_how(island: Made) -> None:
    burst = island[0].burst("jungle")
    assert burst is not None
    objects = {one.name: one for one in burst.objects}
    rain, floor = objects["jungle rain"], objects["jungle floor"]
    assert rain.changed == ("instances",)
    assert rain.drift == pytest.approx((0.0, -5.0, 0.0), abs=0.3)
    assert rain.share_in_mask is not None
    assert rain.share_in_mask > 0.9
    assert floor.changed == ()
    assert floor.share_in_mask is None


def test_what_comes_round_in_the_bursts_length_has_moved(island: Made) -> None:
    burst = island[0].burst("jungle")
    assert burst is not None
    hopper = next(one for one in burst.objects if one.name == "jungle hopper")
    assert "place" in hopper.changed


def test_held_light_keeps_still_ground_still(island: Made) -> None:
    manifest, studio = island
    first, last = studio.picture(manifest, "close:desert"), studio.picture(manifest, "near:desert:4")
    still = ~measure.changed([first, last])
    assert np.array_equal(first[still & (first.sum(2) > 30)], last[still & (first.sum(2) > 30)])


def test_the_code_that_ran_is_told_from_the_code_that_did_not(island: Made) -> None:
    (script,) = island[0].ran
    assert ISLAND[script.start : script.end].lstrip().startswith("const DAY_S")
    counts = {name: count for name, _, _, count in script.functions}
    assert counts["neverCalled"] == 0
    assert counts["frame"] > 1000
    start = ISLAND.index("return 42")
    assert any(a <= start < b for a, b in script.idle)


def test_the_interface_is_hidden_in_every_saved_frame(island: Made) -> None:
    manifest, studio = island
    for view in ("overview", "close:jungle", "season:0"):
        assert (studio.picture(manifest, view)[:60, :40] == 0).all()


def test_the_manifest_goes_through_the_spool_and_comes_back(island: Made) -> None:
    manifest, studio = island
    stored = json.loads(json.dumps(studio.events["capture"]))
    assert from_json(stored) == manifest
    assert {shot.ref for shot in manifest.shots} == {shot.view for shot in manifest.shots}
    with pytest.raises(SchemaMismatch):
        from_json({**stored, "version": 99})


def test_a_second_capture_gives_the_same_frames(island: Made, folder: Path) -> None:
    again, _ = captured(folder, ISLAND, Options(coverage=False, masks=False))
    assert [(one.view, one.sha256, one.t_s) for one in again.shots] == [
        (one.view, one.sha256, one.t_s) for one in island[0].shots
    ]
    assert again.clock == island[0].clock


PHASE = "let phase = (time / DAY_S + 0.3) % 1;"
SEASON = "let season = Math.floor(time / SEASON_S) % 4;"
EDITS = [
    {"old": PHASE, "new": f"{PHASE[:-1].replace('= ', '= window.__ee_time.timeOfDay ?? ')};"},
    {"old": SEASON, "new": f"{SEASON[:-1].replace('= ', '= window.__ee_time.season ?? ')};"},
]


class Agent:
    """Patches the clock after a refusal, saves the jungle in three calls, and finds nothing else."""

    def __init__(self) -> None:
        self.patches = 0
        self.turns = 0

    def __call__(self, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        if not tools:
            self.patches += 1
            edits = EDITS if self.patches > 1 else [{"old": "scene", "new": "__ee_time"}]
            return Reply(parsed={"edits": edits, "cycle_found": True, "season_found": True})
        text = messages[-1].text
        if "jungle" in text.split("\n", 1)[0]:
            self.turns += 1
            calls: dict[int, tuple[str, dict[str, Json]]] = {
                1: ("click", {"ref": "e1"}),
                2: ("zoom", {"steps": 2}),
            }
            name, arguments = calls.get(self.turns, ("save", {"shows": "jungle", "confidence": 0.9}))
            return Reply(tool_calls=(ToolCall(str(self.turns), name, arguments),))
        if "volcano" in text.split("\n", 1)[0]:
            return Reply(tool_calls=(ToolCall("1", "ui", {}),))
        return Reply(tool_calls=(ToolCall("1", "give_up", {"reason": "no such region"}),))


@pytest.mark.full
def test_a_model_patches_the_clock_and_navigates(folder: Path) -> None:
    agent = Agent()
    options = Options(navigator="model", clock="model", masks=False, coverage=False, navigator_calls=4)
    manifest, studio = captured(folder, ISLAND, options, agent)
    assert manifest.patched.outcome == "applied"
    assert "occurs" in manifest.patched.refusals[0][0]
    assert manifest.clock.source == "patch"
    assert (manifest.clock.day, manifest.clock.night) in ((2, 0), (2, 3), (2, 1))
    assert all(one is not None for one in manifest.clock.seasons)
    visits = {visit.biome: visit for visit in manifest.visits}
    assert [turn.tool for turn in visits["jungle"].turns] == ["click", "zoom", "save"]
    assert visits["jungle"].confidence == 0.9
    assert len(visits["volcano"].turns) == 4
    assert "4 calls" in visits["volcano"].reason
    assert visits["swamp"].reason.startswith("gave up")
    burst = manifest.burst("jungle")
    assert burst is not None
    assert burst.light == "set"
    assert [role for _, _, role in studio.model.asked] == ["navigator"] * len(studio.model.asked)
    for messages, tools, _ in studio.model.asked:
        pictures = [part for message in messages for part in message.parts if isinstance(part, Image)]
        assert len(pictures) == (1 if tools else 0)


def test_a_page_that_draws_nothing_is_not_loaded(folder: Path) -> None:
    manifest, studio = captured(folder, "<!doctype html><p>jungle swamp volcano</p>", Options())
    assert not manifest.loaded
    assert manifest.outcome == "no_canvas"
    assert manifest.shots == ()
    assert "capture" in studio.events


@pytest.mark.full
def test_a_page_without_three_is_captured_by_its_canvas(folder: Path) -> None:
    manifest, _ = captured(folder, RAW.read_text("utf-8"), Options(size=(640, 360)))
    assert manifest.loaded
    assert not manifest.hooked
    assert manifest.shot("overview") is not None
    assert manifest.bursts == ()


def test_a_capture_over_its_budget_keeps_what_it_got(folder: Path) -> None:
    manifest, _ = captured(folder, ISLAND, replace(Options(coverage=False), cpu_s=1))
    assert "processor seconds" in manifest.incomplete
    assert manifest.visits == ()
