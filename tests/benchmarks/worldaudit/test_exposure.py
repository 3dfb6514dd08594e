"""Exposure on hand-made trajectories: the cone, the masks, each kind's rule, the causes of failure, the rates."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.worldaudit import causes
from benchmarks.worldaudit.exposure import (
    REACH_M,
    Measured,
    cone,
    exposed,
    exposure_verdicts,
    focus_of,
    traced,
    visible,
)
from benchmarks.worldaudit.plugin import WorldAudit
from benchmarks.worldaudit.taxonomy import SUBCATEGORIES
from embodied_eval.benchmark import EpisodeResult, Results, Trajectory
from embodied_eval.judges.base import TruthJudge, run_judge
from embodied_eval.records import Condition, Event, Metric, Outcome, Pose, Task, Verdict
from tests.benchmarks.worldaudit.test_joint import several
from tests.benchmarks.worldaudit.trajectories import HIDDEN, SHOWN, finding, touch, trajectory, trigger

BOTH, GONE, NEITHER = (SHOWN, SHOWN), (HIDDEN, SHOWN), (HIDDEN, HIDDEN)
ALWAYS = (trigger(0.0, True),)
AT_THREE = (trigger(0.0, False), trigger(3.0, True))
FLOATS = "The vase is floating in the air."


def at(measured: Measured | None) -> str | None:
    """The frame of a measure that must have been possible."""
    assert measured is not None
    return measured.ref


def made(
    code: str,
    pixels: Mapping[str, tuple[int, int]] | None = None,
    events: Sequence[Event] = ALWAYS,
    findings: Sequence[Mapping[str, Any]] = (),
    **more: Any,
) -> Trajectory:
    """A trajectory whose masks were stored: in the start view the object is out of sight."""
    return trajectory(code, findings, pixels={"a0": NEITHER, **(pixels or {})}, events=events, **more)


# -- the official cone ------------------------------------------------------------------------


def looking(pose: Pose, place: Sequence[float] = (3.0, 0.0, 1.6), environment: str = "indoor") -> Trajectory:
    """One frame from `pose`, the target at `place`."""
    one = trajectory("G1", [], target={"place": list(place)}, actions=0)
    frames = {"a0": replace(one.frames["a0"], pose=pose)}
    return replace(one, frames=frames, task=replace(one.task, public={"environment": environment}))


@pytest.mark.parametrize(
    ("pose", "inside"),
    [
        (Pose(0, 0, 0), True),
        (Pose(0, 0, 0, yaw_deg=41), True),
        (Pose(0, 0, 0, yaw_deg=42), False),
        (Pose(0, 0, 0, yaw_deg=360 - 41), True),
        (Pose(0, 0, 0, yaw_deg=180), False),
        (Pose(0, 0, 0, pitch_deg=31.9), True),
        (Pose(0, 0, 0, pitch_deg=-32.1), False),
        (Pose(-3.99, 0, 0), True),
        (Pose(-4.01, 0, 0), False),
    ],
)
def test_the_cone_is_the_official_one(pose: Pose, inside: bool) -> None:
    found = cone(looking(pose))
    assert found is not None and (found.ref == "a0") is inside
    assert "heuristic" in found.reason


def test_the_elevation_is_seen_from_the_eye() -> None:
    rise = 3.0 * math.tan(math.radians(31.0))
    assert at(cone(looking(Pose(0, 0, 0), (3.0, 0.0, 1.6 + rise)))) == "a0"
    assert at(cone(looking(Pose(0, 0, 0), (3.0, 0.0, 1.6 + rise * 1.1)))) is None


def test_each_environment_has_its_reach_and_an_unknown_one_none() -> None:
    assert len(REACH_M) == 13
    far = Pose(-5.0, 0, 0)
    assert at(cone(looking(far, environment="indoor"))) is None
    assert at(cone(looking(far, environment="subway"))) == "a0"
    assert cone(looking(far, environment="elsewhere")) is None


def test_the_place_comes_from_the_target_the_world_or_the_effect() -> None:
    assert focus_of(Task("t/1", {}, {"target": {"place": [1, 2, 3], "object": "x"}})) == (1.0, 2.0, 3.0)
    own = focus_of(Task("t/1", {}, {"target": {"object": "kettle_1"}}, world="indoor"))
    assert own is not None and 0.8 < own[2] < 1.4  # on a counter
    effects = [{"change": {"kind": "spawn", "position_m": [1.0, 2.0, 0.0]}}]
    spawned = Task("t/1", {}, {"target": {"object": "extra_1"}, "effects": effects}, world="indoor")
    assert focus_of(spawned) == (1.0, 2.0, 0.0)
    assert focus_of(Task("t/1", {}, {"target": {"object": "vase_1"}})) is None


# -- masks and the rule of each kind ----------------------------------------------------------


def test_visible_is_the_object_or_the_gap_it_left() -> None:
    assert at(visible(made("G1", {"a4": BOTH}))) == "a4"
    assert at(visible(made("T1", {"a4": GONE}))) == "a4"
    assert at(visible(made("G1", {"a4": (10, 10)}))) is None  # too few pixels
    assert visible(trajectory("G1", [])) is None  # no masks were stored


@pytest.mark.parametrize("code", ["G1", "G2", "G3", "V3", "V4", "S2", "S3"])
def test_a_static_anomaly_is_exposed_once_it_shows(code: str) -> None:
    assert at(exposed(made(code, {"a4": BOTH, "a6": BOTH}))) == "a4"
    assert at(exposed(made(code, {"a4": NEITHER}))) is None
    assert at(exposed(made(code, {"a2": BOTH, "a5": BOTH}, AT_THREE))) == "a5"


def test_a_view_dependent_one_takes_both_views() -> None:
    assert at(exposed(made("V1", {"a2": BOTH, "a5": GONE}))) == "a5"
    assert at(exposed(made("V1", {"a2": GONE, "a6": BOTH}))) == "a6"
    assert at(exposed(made("V1", {"a2": GONE}))) is None
    assert at(exposed(made("V2", {"a2": BOTH, "a5": BOTH}, AT_THREE))) == "a5"
    assert at(exposed(made("V2", {"a2": BOTH}, AT_THREE))) is None


def test_a_change_in_time_takes_before_and_after() -> None:
    assert at(exposed(made("T1", {"a1": BOTH, "a6": GONE}, AT_THREE))) == "a6"
    assert at(exposed(made("T1", {"a6": GONE}, AT_THREE))) is None
    for code in ("T2", "T3"):
        assert at(exposed(made(code, {"a1": BOTH, "a5": BOTH}, AT_THREE))) == "a5"
        assert at(exposed(made(code, {"a1": BOTH}, AT_THREE))) is None


def test_contact_kinds_take_their_event() -> None:
    assert at(exposed(made("C1", events=(*ALWAYS, touch("inside", 4.0))))) == "a4"
    assert at(exposed(made("C1", {"a4": BOTH}))) is None
    stopped = made("C2", events=(*ALWAYS, touch("contact", 6.0)), blocked={6: 0.0})
    assert at(exposed(stopped)) == "a6"
    assert at(exposed(made("C2", blocked={6: 0.0}))) is None
    bounce = (trigger(5.0, True), touch("contact", 5.0))
    assert at(exposed(made("C3", {"a7": BOTH}, bounce))) == "a7"
    assert at(exposed(made("C3", {"a4": BOTH}, bounce))) is None


def test_without_masks_only_events_can_tell() -> None:
    for code in SUBCATEGORIES:
        bare = trajectory(code, [], events=(*ALWAYS, touch("inside", 4.0)))
        assert (exposed(bare) is not None) is (code in ("C1", "C2"))


def test_something_added_has_no_rows_before_it_is_there_and_is_measured_all_the_same() -> None:
    bare = trajectory("T1", [], target={"object": "extra_1"})
    assert visible(replace(bare, task=replace(bare.task, world="indoor"))) == Measured(
        None, "no frame shows the object"
    )


def test_the_first_action_is_found_in_long_episodes() -> None:
    for first in range(1, 41):
        pixels = {f"a{n}": BOTH for n in range(first, 41, 7)}
        assert at(exposed(made("G1", pixels, actions=40))) == f"a{first}"


# -- what is stored ---------------------------------------------------------------------------


def stored(one: Trajectory) -> dict[str, Verdict]:
    """By item, as the benchmark's judging leaves them."""
    verdicts = asyncio.run(run_judge(TruthJudge(), WorldAudit(), one))
    return {verdict.item: verdict for verdict in verdicts}


def test_measures_stand_beside_the_verdicts_and_score_nothing() -> None:
    found = stored(made("G1", {"a3": BOTH}, findings=[finding(FLOATS, ["a3"])]))
    assert list(found)[:2] == ["identified", "evidenced"]
    assert found["exposed"].passed and found["exposed"].evidence == ("a3",)
    assert "from action 3 on" in found["exposed"].reason
    assert {(found[item].score, found[item].max) for item in ("exposed", "coverage_visible")} == {(0.0, 0.0)}
    assert "could_be_seen" not in found  # no environment, no heuristic
    assert "cause" not in found and {verdict.judge for verdict in found.values()} == {"truth"}


def test_with_several_anomalies_the_anchor_is_measured() -> None:
    found = stored(several([finding(FLOATS, ["a3"])]))
    assert found["exposed"].evidence == ("a3",) and "cause" not in found


def test_a_credited_contact_report_without_contact_is_flagged() -> None:
    told = [finding("An invisible wall stopped me.", ["a3"])]
    target = {"object": "extra_1", "label": "invisible wall", "synonyms": ["invisible barrier"]}
    guess = made("C2", findings=told, target=target)
    assert stored(guess)["identified"].passed and stored(guess)["traced"].passed is False
    assert "no matching contact" in stored(guess)["traced"].reason
    events = (*ALWAYS, touch("contact", 3.0, "extra_1"))
    real = made("C2", events=events, findings=told, target=target, blocked={3: 0.0})
    assert stored(real)["traced"].passed is True
    assert "traced" not in stored(made("C2", findings=[], target=target))
    assert "traced" not in stored(made("G1", {"a3": BOTH}, findings=[finding(FLOATS, ["a3"])]))


@pytest.mark.parametrize(
    ("code", "kind", "blocked", "found"),
    [
        ("C1", "inside", {}, True),
        ("C1", "contact", {}, False),
        ("C2", "contact", {4: 0.0}, True),
        ("C2", "contact", {}, False),
        ("C3", "contact", {}, True),
        ("C3", "inside", {}, False),
    ],
)
def test_each_contact_kind_has_its_trace(
    code: str, kind: str, blocked: dict[int, float], found: bool
) -> None:
    one = made(code, events=(*ALWAYS, touch(kind, 4.0)), blocked=blocked)
    assert (traced(one).ref == "a4") is found


# -- causes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cause", "one"),
    [
        (causes.NEVER_REACHED, made("G1")),
        (causes.NEVER_REACHED, made("T1", {"a1": NEITHER}, AT_THREE)),
        (causes.NEVER_TRIGGERED, made("T1", {"a1": BOTH}, (trigger(0.0, False),))),
        (causes.NEVER_TRIGGERED, made("C1", {"a1": BOTH})),
        (causes.NEVER_TRIGGERED, made("C3", {"a1": BOTH}, ())),
        (causes.SEEN_IN_PART, made("T1", {"a1": BOTH}, AT_THREE)),
        (causes.SEEN_IN_PART, made("V1", {"a2": GONE})),
        (causes.NOT_REPORTED, made("G1", {"a3": BOTH})),
        (causes.NOT_REPORTED, made("G1", {"a3": BOTH}, findings=[finding(FLOATS, [], status="retracted")])),
        (causes.WRONG_OBJECT, made("G1", {"a3": BOTH}, findings=[finding("The sofa floats.", ["a3"])])),
        (causes.WRONG_OBJECT, made("G1", {"a3": BOTH}, findings=[finding("Something is off.", ["a3"])])),
        (causes.WRONG_ANOMALY, made("G1", {"a3": BOTH}, findings=[finding("The vase is huge.", ["a3"])])),
        (causes.NO_EVIDENCE, made("G1", {"a3": BOTH}, findings=[finding(FLOATS, ["a5"])])),
        (causes.NO_EVIDENCE, made("G1", findings=[finding(FLOATS, [])])),
        ("", made("G1", {"a3": BOTH}, findings=[finding(FLOATS, ["a3"])])),
    ],
    ids=lambda value: value or "passed" if isinstance(value, str) else "",
)
def test_the_cause_is_the_first_link_that_broke(cause: str, one: Trajectory) -> None:
    found = stored(one)
    assert (found["cause"].reason if "cause" in found else "") == cause
    assert cause in ("", *causes.CAUSES)
    if cause:
        assert (found["cause"].passed, found["cause"].max) == (False, 0.0)


def test_an_unjudged_episode_has_no_cause() -> None:
    one = made("G1", {"a3": BOTH})
    assert causes.cause_of(one, [Verdict("identified", None, 1.0, None, error="JudgeError: late")]) == ""
    assert "cause" not in {verdict.item for verdict in exposure_verdicts(one, [])}


def test_where_exposure_cannot_be_measured_the_reports_decide() -> None:
    found = stored(trajectory("G1", [finding("The sofa floats.", [])], events=ALWAYS))
    assert found["cause"].reason == causes.WRONG_OBJECT and "exposed" not in found


# -- rates ------------------------------------------------------------------------------------


def episode(number: int, exposed_at: int | None, identified: bool, **more: Any) -> EpisodeResult:
    """A judged episode, exposed at an action or never (None)."""
    seen = exposed_at is not None
    refs = (f"a{exposed_at}",) if seen else ()
    verdicts = [
        Verdict("identified", float(identified), 1.0, identified),
        Verdict("could_be_seen", 0.0, 0.0, True, "", ("a0",)),
        Verdict("coverage_visible", 0.0, 0.0, seen, "", refs),
        Verdict("exposed", 0.0, 0.0, seen, "", refs),
    ]
    return EpisodeResult(
        f"{number:032x}",
        Task(f"t/{number}", {}, scene=f"s{number % 3}", tags=("G1", "Static physics")),
        Condition("vlm"),
        "openai/m",
        0,
        False,
        Outcome(more.pop("status", "completed")),
        tuple(more.pop("verdicts", verdicts)),
    )


def rates(*episodes: EpisodeResult, group: str = "") -> dict[str, Metric]:
    results = Results("worldaudit", "r", "openai/m", "truth", episodes)
    return {metric.name: metric for metric in WorldAudit().summarize(results) if metric.group == group}


def test_the_decomposition_has_its_own_denominators() -> None:
    found = rates(episode(0, 3, True), episode(1, 5, True), episode(2, 9, False), episode(3, None, False))
    assert [found[name].value for name in ("coverage_cone_rate", "exposed_rate", "success_rate")] == [
        100.0,
        75.0,
        50.0,
    ]
    given = found["identified_given_exposed"]
    assert (round(given.value or 0, 1), given.n, given.denominator) == (66.7, 3, 3)
    assert given.low is not None and given.low < 66.7 < (given.high or 0)
    time = found["time_to_exposure"]
    assert (time.value, time.unit, time.n) == (5.0, "actions", 3)


def test_by_family_only_what_the_decomposition_needs() -> None:
    found = rates(episode(0, 3, True), episode(1, None, False), group="Static physics")
    assert set(found) == {"success_rate", "exposed_rate", "identified_given_exposed"}


def test_the_published_decomposition_follows_from_its_counts() -> None:
    """Spec, section 2.4: 145 of 213 exposed, 90 of these identified."""
    found = rates(*(episode(n, 1 if n < 145 else None, n < 90) for n in range(213)))
    assert f"{found['exposed_rate'].value:.1f}" == "68.1"
    assert f"{found['identified_given_exposed'].value:.1f}" == "62.1"
    assert f"{found['success_rate'].value:.1f}" == "42.3"


def test_nothing_exposed_is_no_rate_of_zero() -> None:
    found = rates(episode(0, None, False), episode(1, None, False))
    given = found["identified_given_exposed"]
    assert (given.value, given.n, given.reason) == (None, 0, "no anomaly was exposed")
    assert found["time_to_exposure"].value is None and found["exposed_rate"].value == 0.0


def test_excluded_episodes_count_for_nothing_and_unjudged_ones_forbid_a_value() -> None:
    lost = episode(2, None, False, status="simulator_error", verdicts=())
    found = rates(episode(0, 3, True), lost)
    assert (found["exposed_rate"].value, found["exposed_rate"].denominator) == (100.0, 2)
    assert "1 of 2 episodes are excluded" in found["exposed_rate"].reason
    open_one = episode(3, None, False, verdicts=())
    assert rates(episode(0, 3, True), open_one)["exposed_rate"].value is None


def test_what_only_some_episodes_could_measure_has_no_value() -> None:
    blind = episode(1, None, False, verdicts=[Verdict("identified", 0.0, 1.0, False)])
    found = rates(episode(0, 3, True), blind)
    assert found["exposed_rate"].value is None
    assert found["exposed_rate"].reason == "1 of 2 episodes could not be measured"
    assert set(rates(blind)) == {"success_rate"}


def test_credited_contacts_without_a_trace_have_a_rate() -> None:
    traces = [
        episode(
            n,
            1,
            True,
            verdicts=[Verdict("identified", 1.0, 1.0, True), Verdict("traced", 0.0, 0.0, n > 0)],
        )
        for n in range(4)
    ]
    assert rates(*traces)["traced_rate"].value == 75.0
