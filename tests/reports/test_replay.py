"""What belongs to which step of a replay, and the moments the slider moves through."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from embodied_eval.benchmark import Trajectory
from embodied_eval.records import FrameRef, Step
from reports.replay import Replay, StepView, clipped, replay_of
from tests.reports.synthetic import FrameFiles, task, walk


@pytest.fixture
def trajectory(tmp_path: Path) -> Trajectory:
    return walk(FrameFiles(tmp_path), task(0), model="m", steps=4)


def _source(frame: FrameRef) -> str | None:
    return None if frame.ref == "a1" else f"frames/{frame.ref}.jpg"


def _step(replay: Replay, index: int) -> StepView:
    return next(step for step in replay.steps if step.index == index)


def test_every_frame_is_a_moment(trajectory: Trajectory) -> None:
    replay = replay_of(trajectory, _source)
    assert len(replay.moments) == 1 + 4 * 3
    assert replay.moments[0]["ref"] == "a0" and replay.moments[0]["at"] == [420, -200, 180.0]
    assert [moment["ref"] for moment in replay.moments[1:4]] == ["a1.f1", "a1.f2", "a1"]
    assert [moment["src"] for moment in replay.moments[2:4]] == ["../frames/a1.f2.jpg", None]
    assert replay.moments[1]["boxes"] == [[100, 60, 140, 110, "seen", "vase"]]
    assert [step.index for step in replay.steps] == [-1, 1, 2, 3, 4]
    assert [replay.moments[step.moment]["step"] for step in replay.steps] == [0, 1, 2, 3, 4]
    assert replay.first_frame is not None and replay.first_frame.ref == "a0"
    found = replay.frame("a2")
    assert found is not None and replay.moments[found.moment]["ref"] == "a2"


def test_thoughts_notes_findings_and_events_stand_at_their_step(trajectory: Trajectory) -> None:
    replay = replay_of(trajectory, _source)
    assert _step(replay, 3).thoughts == ("I will turn to see more of the room, step 3.",)
    assert [note.text for note in _step(replay, 2).notes] == ["Sofa and table look right."]
    (finding,) = _step(replay, 3).findings
    assert finding.title == "bug1 · geometry · confirmed" and finding.evidence == ("a2", "a3.f1")
    assert _step(replay, 2).events == (("trigger: effect vase", True),)
    assert _step(replay, 3).events == (("door: state open", False),)


def test_rows_stand_at_the_call_that_filed_them(trajectory: Trajectory) -> None:
    text = "The vase hangs above the table."
    filed = Step(4, "flag_bug", {"description": text, "status": "suspect"}, "Filed as b1.", 4.0, counts=False)
    row = {"id": "b1", "description": text, "action": 3, "t_s": 4.0, "evidence": "a2, a3.f1"}
    steps = (*trajectory.steps[:3], filed, replace(trajectory.steps[3], index=5))
    replay = replay_of(replace(trajectory, steps=steps, rows={"findings": (row,)}), _source)
    step = _step(replay, 4)
    assert [finding.evidence for finding in step.findings] == [("a2", "a3.f1")]
    assert step.arguments == "status=suspect"
    assert step.frames == () and replay.moments[step.moment] == {"step": 4, "at": replay.moments[-4]["at"]}


def test_findings_of_the_answer_stand_in_for_rows(trajectory: Trajectory) -> None:
    replay = replay_of(replace(trajectory, rows={}), _source)
    assert [finding.text for finding in _step(replay, 3).findings] == ["The vase hangs above the table."]


def test_frames_outside_steps_find_their_place(trajectory: Trajectory) -> None:
    crop = replace(trajectory.frames["a2"], ref="a2#c1")
    other = replace(trajectory.frames["a2"], ref="summary", t_s=4.5, pose=None)
    frames = {**trajectory.frames, crop.ref: crop, other.ref: other}
    replay = replay_of(replace(trajectory, frames=frames), _source)
    assert [frame.ref for frame in _step(replay, 2).frames] == ["a2.f1", "a2.f2", "a2", "a2#c1"]
    assert _step(replay, 3).frames[-1].ref == "summary"


def test_a_hidden_target_is_boxed_where_it_should_be(trajectory: Trajectory) -> None:
    row = replace(trajectory.visibility[0], box=None, pixels=0, twin_box=(1, 2, 3, 4), twin_pixels=9)
    replay = replay_of(replace(trajectory, visibility=(row,)), _source)
    assert replay.moments[1]["boxes"] == [[1, 2, 3, 4, "due", "vase"]]


def test_an_episode_without_frames_or_poses_still_has_steps(trajectory: Trajectory) -> None:
    steps = tuple(replace(step, frames=(), pose=None) for step in trajectory.steps)
    replay = replay_of(replace(trajectory, steps=steps, frames={}), _source)
    assert list(replay.moments) == [{"step": number} for number in range(4)]
    assert replay.poses == () and replay.first_frame is None
    nothing = replay_of(replace(trajectory, steps=(), frames={}, calls=(), rows={}, events=()), _source)
    assert nothing.steps == () and nothing.moments == ()


def test_last_words_go_to_the_last_step(trajectory: Trajectory) -> None:
    calls = (*trajectory.calls, replace(trajectory.calls[-1], reply={"text": "That is all."}))
    replay = replay_of(replace(trajectory, calls=calls), _source)
    assert _step(replay, 4).thoughts[-1] == "That is all."


def test_long_text_says_what_was_cut() -> None:
    assert clipped("x" * 20_010).endswith("… (10 more characters)")
