"""What keys and mouse mean, what the scripted policies do, and how a policy is named."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from embodied_eval.drivers.base import Command
from embodied_eval.errors import ConfigError, DataFileError, ProtocolError, UnknownName
from embodied_eval.policies import POOL, make_policy, parse_policy
from embodied_eval.policies.base import STILL, Act, Hands, mouse_px, read_keys
from embodied_eval.policies.scripted import SAME_TICKS
from tests.testing_driver import PlaneDriver
from tests.testing_world import plane_world

GREY = np.full((192, 192, 3), 90, np.uint8)


def keys(*names: str) -> Act:
    return Act(frozenset(names))


@pytest.mark.parametrize(
    ("act", "command"),
    [
        (STILL, Command()),
        (keys("KeyW"), Command(forward=1.0)),
        (keys("KeyS"), Command(forward=-1.0)),
        (keys("KeyW", "KeyS"), Command()),
        (keys("KeyD"), Command(strafe=1.0)),
        (keys("KeyA"), Command(strafe=-1.0)),
        (keys("Space"), Command(jump=True)),
        (keys("KeyE"), Command(interact=True)),
        (Act(buttons=frozenset({"left"})), Command(interact=True)),
        (keys("ShiftLeft", "KeyQ"), Command()),
    ],
)
def test_keys_mean_what_the_contract_says(act: Act, command: Command) -> None:
    assert Hands().command(act) == command


def test_the_mouse_turns_right_and_down_by_its_pixels_over_600_and_at_most_150() -> None:
    made = Hands().command(Act(dx=60.0, dy=30.0))
    assert made.yaw_deg == pytest.approx(-math.degrees(0.1)) and made.pitch_deg == pytest.approx(
        -math.degrees(0.05)
    )
    assert Hands().command(Act(dx=-9000.0)).yaw_deg == pytest.approx(math.degrees(0.25))
    assert Hands().command(Act(dx=mouse_px(3.0))).yaw_deg == pytest.approx(-3.0)


def test_a_key_that_is_held_operates_once() -> None:
    hands = Hands()
    acts = [keys("KeyE"), keys("KeyE"), STILL, keys("KeyE")]
    assert [hands.command(act).interact for act in acts] == [True, False, False, True]


def test_strafing_by_keys_moves_a_driver_to_its_right() -> None:
    driver, hands = PlaneDriver(), Hands()
    driver.load(plane_world())
    for _ in range(10):
        driver.step(hands.command(keys("KeyD")))
    assert driver.state().pose.y == pytest.approx(-1.1)


def test_key_names_are_read_as_codes() -> None:
    assert read_keys(["w", "KeyA", " ", "Shift"], "x") == {"KeyW", "KeyA", "Space", "Shift"}
    with pytest.raises(ProtocolError):
        read_keys([3], "x")


def test_random_walks_are_the_same_for_the_same_seed() -> None:
    def walk(seed: str) -> list[Act]:
        policy = make_policy(parse_policy("random-walk"), seed)
        return [policy.act(None, "") for _ in range(300)]

    assert walk("a") == walk("a") != walk("b")
    assert {key for act in walk("a") for key in act.keys} >= {"KeyW"}


def test_the_frontier_walks_until_its_picture_stands_still_and_turns_then() -> None:
    policy = make_policy(parse_policy("frontier"), "a")
    noise = np.random.default_rng(0)
    moving = [policy.act(noise.integers(0, 255, GREY.shape, np.uint8), "") for _ in range(20)]
    assert {act.keys for act in moving} == {frozenset({"KeyW"})}
    stuck = [policy.act(GREY, "") for _ in range(SAME_TICKS + 3)]
    assert stuck[-1].dx != 0.0 and not stuck[-1].keys


def test_policies_are_named() -> None:
    assert parse_policy("still").label == "policy/still"
    assert parse_policy('command:["play", "--fast"]').command == ("play", "--fast")
    assert parse_policy('command:["play"]').label.startswith("policy/play@")
    with pytest.raises(UnknownName, match="frontier"):
        parse_policy("frontir")
    for wrong in ("command:play --fast", "command:[]", "open-p2p:https://example.org/weights", "open-p2p:"):
        with pytest.raises(ConfigError):
            parse_policy(wrong)


def test_a_checkpoint_is_told_apart_by_its_content(tmp_path: Path) -> None:
    for name, text in (("a", "1"), ("b", "1"), ("c", "2")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text("{}")
        (tmp_path / name / "weights.pt").write_text(text)
    a, b, c = (parse_policy(f"open-p2p:{tmp_path / name}").identity for name in "abc")
    assert a == b != c and str(tmp_path) not in a
    with pytest.raises(DataFileError, match=r"config\.json"):
        _ = parse_policy(f"open-p2p:{tmp_path}").identity


def test_a_scripted_policy_is_never_kept() -> None:
    spec = parse_policy("still")
    policy = POOL.lease(spec, "a")
    POOL.give_back(spec, policy)
    assert POOL.lease(spec, "a") is not policy
