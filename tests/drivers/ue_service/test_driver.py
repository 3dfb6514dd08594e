"""The `ue-service` driver against a server of ours that implements the official service's description, with faults."""

from __future__ import annotations

import math
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from embodied_eval.drivers.base import Command, TickState
from embodied_eval.drivers.ue_service.actions import idle_action, look_action, move_action, turn_action
from embodied_eval.drivers.ue_service.answers import observation_of
from embodied_eval.drivers.ue_service.driver import EDGE, UeServiceDriver
from embodied_eval.drivers.ue_service.http import Limits, place_of
from embodied_eval.errors import (
    CapabilityMissing,
    CommandFailed,
    ConfigError,
    DataFileError,
    LaunchTimeout,
    ProtocolError,
    SimulatorCrashed,
    SimulatorError,
    StaleFrame,
    StepTimeout,
    UnknownName,
)
from embodied_eval.records import Pose
from embodied_eval.worlds.ue_service import played_in, service_world
from tests.drivers.ue_service.server import Game, UeService

WORLD = service_world("ue-service:S91")
SHORT = Limits(connect_s=5.0, read_s=0.3)


@pytest.fixture
def service() -> Iterator[UeService]:
    with UeService() as made:
        yield made


def loaded(service: UeService, limits: Limits | None = None) -> UeServiceDriver:
    driver = UeServiceDriver(service.address, limits=limits or Limits())
    driver.load(WORLD)
    return driver


def test_an_episode_begins_once_where_the_game_puts_it(service: UeService) -> None:
    driver = UeServiceDriver(service.address)
    state = driver.load(WORLD, seed=0)
    assert state == TickState(0.0, Pose(0.0, 0.0, 0.0), 0.0, False)
    assert [path for path, _ in service.log] == ["/health", "/reset", "/observe"]
    frame = driver.capture(size=(64, 36))
    assert frame.rgb is not None and frame.rgb.shape == (36, 64, 3) and frame.t_s == 0.0
    assert driver.capture(size=(32, 18)).rgb.shape == (18, 32, 3)  # type: ignore[union-attr]
    assert "S91" in driver.renderer() and "ab" * 32 in driver.renderer()
    assert "not reproducible" in driver.renderer()
    assert driver.objects() == {}
    driver.close()


def test_actions_are_mapped_to_the_services_units_and_axes(service: UeService) -> None:
    driver = loaded(service)
    walked = driver.move(2.2)
    assert walked.moved_m == pytest.approx(2.2) and walked.elapsed_s == pytest.approx(1.0)
    assert not walked.blocked and walked.pose.x == pytest.approx(2.2)
    left = driver.turn(90.0)
    assert left.pose.yaw_deg == pytest.approx(90.0) and left.moved_m == 0.0
    assert left.elapsed_s == pytest.approx(1.0 + 1 / 30, abs=1e-6)
    aside = driver.move(-1.0)
    assert aside.pose.y == pytest.approx(-1.0) and aside.pose.x == pytest.approx(2.2)
    up = driver.look(30.0)
    assert up.pose.pitch_deg == pytest.approx(30.0)
    assert driver.look(90.0).pose.pitch_deg == pytest.approx(80.0)
    assert driver.advance(1.0).elapsed_s == pytest.approx(1.0)
    assert driver.flag("It floats.").elapsed_s == driver.done().elapsed_s == 0.0
    assert service.game.actions == [
        {"name": "move_up", "distance": 220},
        {"name": "turn", "degree": -90},
        {"name": "move_down", "distance": 100},
        {"name": "look", "degree": -30},
        {"name": "look", "degree": -90},
        {"name": "idle", "time": "1s"},
        {"name": "flag", "bug": "It floats."},
        {"name": "done"},
    ]
    assert service.game.told == ["It floats.", "done"]
    ids = [request for path, request in service.log if path == "/step"]
    assert len(set(ids)) == len(ids) == 8 and all(ids)


def test_walls_block_and_the_edge_of_the_area_is_touched(service: UeService) -> None:
    driver = loaded(service)
    stopped = driver.move(20.0)
    assert stopped.blocked and stopped.moved_m < 9.8
    assert stopped.contacts == (("agent", EDGE),)
    assert driver.move(-1.0).contacts == () and not driver.move(-1.0).blocked


def test_what_is_in_reach_is_operated(service: UeService) -> None:
    driver = loaded(service)
    assert driver.interact().interacted is None
    driver.move(2.0)
    before = driver.capture(size=(64, 36)).rgb
    done = driver.interact()
    after = driver.capture(size=(64, 36)).rgb
    assert done.interacted == "door" and service.game.open
    assert before is not None and after is not None and not np.array_equal(before, after)


def test_pictures_of_an_action_are_there_each_half_second_with_their_own_time(service: UeService) -> None:
    driver = loaded(service)
    seen: list[tuple[float, float, bytes]] = []

    def watch(state: TickState) -> None:
        rgb = driver.capture(size=(64, 36)).rgb
        assert rgb is not None and driver.state() == state
        seen.append((state.t_s, state.pose.x, rgb.tobytes()))

    done = driver.move(3.3, on_tick=watch)
    assert [round(t, 6) for t, _, _ in seen] == [0.5, 1.0, 1.5]
    assert [round(x, 3) for _, x, _ in seen] == [1.1, 2.2, 3.3]
    assert len({data for _, _, data in seen}) == 3
    assert done.moved_m == pytest.approx(3.3) and driver.state().t_s == pytest.approx(1.5)


def test_limits_of_an_action_and_rounding() -> None:
    assert move_action(0.004) == {"name": "move_up", "distance": 1}
    assert move_action(-4.0) == {"name": "move_down", "distance": 400}
    assert turn_action(-12.6) == {"name": "turn", "degree": 13}
    assert look_action(-12.4) == {"name": "look", "degree": 12}
    assert idle_action(0.5) == {"name": "idle", "time": "0.5s"}
    for action, wrong in (
        (move_action, 20.01),
        (turn_action, 361.0),
        (look_action, 181.0),
        (idle_action, 10.1),
    ):
        with pytest.raises(CapabilityMissing, match="too little"):
            action(wrong)


def test_what_the_game_does_not_offer_is_refused(service: UeService) -> None:
    driver = loaded(service)
    for refused in (
        lambda: driver.tick(Command(forward=1.0)),
        lambda: driver.teleport(Pose(0, 0, 0)),
        lambda: driver.capture(("depth",)),
        lambda: driver.destroy("x"),
        lambda: driver.raycast((0, 0, 0), (1, 0, 0), 1.0),
    ):
        with pytest.raises(CapabilityMissing):
            refused()
    with pytest.raises(UnknownName):
        driver.load(WORLD, spawn="elsewhere")
    with pytest.raises(DataFileError, match="--data"):
        driver.load(replace(WORLD, name="indoor"))
    assert driver.move(1.0).moved_m == pytest.approx(1.0)


def test_a_lost_reply_is_asked_for_again_under_the_same_id_and_nothing_happens_twice() -> None:
    with UeService(faults={("/step", 1): "lost", ("/step", 3): "half"}) as service:
        driver = loaded(service)
        assert driver.move(1.0).pose.x == pytest.approx(1.0)
        assert driver.move(1.0).pose.x == pytest.approx(2.0)
        assert len(service.game.actions) == 2
        ids = [request for path, request in service.log if path == "/step"]
        assert ids[0] == ids[1] != ids[2] == ids[3] and len(ids) == 4


FAULTS: list[tuple[str, type[SimulatorError], str]] = [
    ("409", CommandFailed, "409: on purpose"),
    ("410", CommandFailed, "410: on purpose"),
    ("404", CommandFailed, "404"),
    ("500", SimulatorCrashed, "500: on purpose"),
    ("not_paused", ProtocolError, "not paused"),
    ("paused_missing", ProtocolError, "not paused"),
    ("clock_back", ProtocolError, "backwards"),
    ("frames_backwards", ProtocolError, "backwards"),
    ("early_frame", ProtocolError, "backwards"),
    ("late_frame", ProtocolError, "still to come"),
    ("nan", ProtocolError, "position_cm"),
    ("two_numbers", ProtocolError, "position_cm"),
    ("infinite_yaw", ProtocolError, "yaw_degree"),
    ("truth_for_number", ProtocolError, "look_degree"),
    ("no_picture", ProtocolError, "no PNG"),
    ("broken_base64", ProtocolError, "base64"),
    ("no_json", ProtocolError, "no JSON"),
    ("stale", StaleFrame, "o1"),
]


@pytest.mark.parametrize(("fault", "kind", "words"), FAULTS, ids=[row[0] for row in FAULTS])
def test_a_fault_in_an_action_loses_the_episode(fault: str, kind: type[SimulatorError], words: str) -> None:
    with UeService(faults={("/step", 1): fault}) as service:
        driver = loaded(service)
        with pytest.raises(kind, match=words) as caught:
            driver.turn(40.0)
        assert not caught.value.retriable and "anew" in caught.value.hint
        assert caught.value.endpoint == service.address
        _nothing_more_is_sent(driver, service)


def _nothing_more_is_sent(driver: UeServiceDriver, service: UeService) -> None:
    sent = len(service.log)
    for later in (lambda: driver.move(1.0), driver.state, driver.capture):
        with pytest.raises(SimulatorCrashed, match="lost since"):
            later()
    driver.close()
    assert len(service.log) == sent
    assert not [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]


@pytest.mark.parametrize("fault", ["hang", "drip"])
def test_after_a_timeout_nothing_is_sent_again(fault: str) -> None:
    with UeService(faults={("/step", 1): fault}) as service:
        driver = loaded(service)
        driver._service.limits = SHORT
        with pytest.raises(StepTimeout, match="no whole reply") as caught:
            driver.turn(40.0)
        assert not caught.value.retriable and caught.value.waited_s is not None
        assert [path for path, _ in service.log].count("/step") == 1
        _nothing_more_is_sent(driver, service)


def test_a_reply_that_is_lost_twice_is_a_crash() -> None:
    with UeService(faults={("/step", 0): "lost"}) as service:
        driver = loaded(service)
        with pytest.raises(SimulatorCrashed, match="twice"):
            driver.turn(40.0)
        ids = [request for path, request in service.log if path == "/step"]
        assert len(ids) == 2 and len(set(ids)) == 1 and len(service.game.actions) == 1
        _nothing_more_is_sent(driver, service)


def test_an_interrupt_ends_a_stuck_request_at_once() -> None:
    with UeService(faults={("/step", 1): "hang"}) as service:
        driver = loaded(service)
        caught: list[SimulatorError] = []

        def stuck() -> None:
            with pytest.raises(StepTimeout, match="interrupted") as error:
                driver.turn(40.0)
            caught.append(error.value)

        thread = threading.Thread(target=stuck)
        thread.start()
        assert service.reached.wait(10.0)
        driver.interrupt()
        thread.join(10.0)
        assert not thread.is_alive() and caught
        _nothing_more_is_sent(driver, service)


def test_a_game_that_dies_is_a_crash_and_no_service_is_said_so() -> None:
    service = UeService()
    driver = loaded(service)
    service.stop()
    with pytest.raises(SimulatorCrashed, match="No UE service listens"):
        driver.turn(10.0)
    with pytest.raises(SimulatorCrashed, match="--driver-address") as caught:
        UeServiceDriver(service.address).load(WORLD)
    assert caught.value.retriable


def test_a_service_that_takes_no_connection_is_a_launch_timeout() -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        address = full.getsockname()
        waiting = [socket.socket() for _ in range(3)]
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(address)
        driver = UeServiceDriver(f"127.0.0.1:{address[1]}", limits=Limits(connect_s=0.3, read_s=0.3))
        with pytest.raises(LaunchTimeout, match="no connection"):
            driver.load(WORLD)
        for one in waiting:
            one.close()


@pytest.mark.parametrize(
    ("path", "fault", "kind", "words"),
    [
        ("/reset", "no_episode", ProtocolError, "without an id"),
        ("/reset", "another_task", ProtocolError, "S92"),
        ("/reset", "nan", ProtocolError, "position_cm"),
        ("/observe", "runs_on", ProtocolError, "went on"),
        ("/observe", "409", CommandFailed, "409"),
    ],
)
def test_a_fault_at_the_beginning(path: str, fault: str, kind: type[SimulatorError], words: str) -> None:
    with UeService(faults={(path, 1): fault}) as service:
        driver = UeServiceDriver(service.address)
        with pytest.raises(kind, match=words):
            driver.load(WORLD)
        with pytest.raises(SimulatorError):
            driver.state()


def test_another_task_or_build_is_refused_before_anything_begins() -> None:
    with UeService(Game(task_id="S92")) as service:
        with pytest.raises(CommandFailed, match="plays task S92, not S91"):
            UeServiceDriver(service.address).load(WORLD)
        assert [path for path, _ in service.log] == ["/health"]
        lower = service_world("ue-service:s92#sha256=" + "ab" * 32)
        UeServiceDriver(service.address).load(lower)
        with pytest.raises(CommandFailed, match="runs build"):
            UeServiceDriver(service.address).load(service_world("ue-service:S92#sha256=" + "cd" * 32))


def test_one_process_plays_one_episode_unless_the_build_allows_more() -> None:
    with UeService() as service:
        driver = loaded(service)
        with pytest.raises(CommandFailed, match="the episode has begun"):
            driver.load(WORLD)
        with pytest.raises(CommandFailed, match="not ours"):
            UeServiceDriver(service.address).load(WORLD)
    with UeService(Game(one_reset=False)) as service:
        driver = loaded(service)
        driver.move(1.0)
        assert driver.load(WORLD).pose == Pose(0.0, 0.0, 0.0)
        assert driver.move(1.0).t_s == pytest.approx(100 / 220, abs=1 / 30)


def test_a_picture_that_did_not_change_with_a_turn_is_an_old_one(service: UeService) -> None:
    driver = loaded(service)
    frozen = service.game._rgb()
    service.game._rgb = lambda: frozen  # type: ignore[method-assign]
    driver.advance(0.5)
    with pytest.raises(StaleFrame, match="same before and after"):
        driver.turn(40.0)


def test_the_address_is_this_machines_unless_told_otherwise() -> None:
    assert str(place_of("")) == "127.0.0.1:9100"
    assert str(place_of("localhost:19100")) == "localhost:19100"
    assert str(place_of("127.0.0.1")) == "127.0.0.1:9100"
    assert str(place_of("remote:sim.example:9100")) == "sim.example:9100"
    assert str(place_of("sim.example:9100", remote=True)) == "sim.example:9100"
    with pytest.raises(ConfigError, match=r"remote:sim\.example:9100"):
        place_of("sim.example:9100")
    for wrong in ("127.0.0.1:0", "127.0.0.1:x", "http://127.0.0.1:9100", "127.0.0.1:70000"):
        with pytest.raises(ConfigError):
            place_of(wrong)
    assert UeServiceDriver.takes_address and UeServiceDriver.name == "ue-service"


def test_worlds_of_the_service_have_names_that_tell_task_and_build() -> None:
    assert played_in("ue-service:MV03").task_id == "MV03"
    assert played_in("ue-service:MV03#sha256=" + "0f" * 32).build_sha256 == "0f" * 32
    assert service_world("ue-service:MV03").sha256 != service_world("ue-service:MV04").sha256
    for wrong in ("ue-service:", "ue-service:../x", "indoor", "ue-service:A#sha256=1"):
        with pytest.raises(DataFileError):
            played_in(wrong)


def test_left_handed_centimetres_become_right_handed_metres() -> None:
    game = Game(x=150.0, y=250.0, z=677.9, yaw=-145.0, look=12.0)
    for row in (game.observation([], 12.0, ""), {"observation": game.observation([], 12.0, "")}):
        seen = observation_of(row, "here", "/step")
        assert seen.pose == Pose(1.5, -2.5, 5.879, 145.0, -12.0)
        assert seen.moved_m == pytest.approx(0.12) and math.isfinite(seen.t_s)


@pytest.mark.parametrize(
    ("result", "operated"),
    [
        ("door", "door"),
        ("no_target", None),
        ("No target", None),
        ("", None),
        (None, None),
        (False, None),
        (True, "thing"),
        ({"actor": "Lamp_3"}, "Lamp_3"),
        ({"status": "miss"}, None),
        ({}, None),
    ],
)
def test_what_was_operated_goes_by_the_services_own_words(result: object, operated: str | None) -> None:
    row = {**Game().observation([], 0.0, ""), "result": result}
    assert observation_of(row, "here", "/step").operated == operated
