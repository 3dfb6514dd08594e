"""A simulator in its thread, and what `play` is handed: deadlines, crashes, cancellation, repeatability."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from embodied_eval import driver_thread
from embodied_eval.driver_thread import DriverThread
from embodied_eval.drivers.base import Driver
from embodied_eval.errors import ProtocolError, SimulatorCrashed, StepTimeout, UnknownObject
from tests.conftest import Command
from tests.testing_driver import PlaneDriver
from tests.testing_world import box, plane_world

WORLD = plane_world(box("crate_1", (2.0, 0.0, 0.0)))
SOON_S = 0.05


class Held(PlaneDriver):
    """`hold` waits for an interrupt."""

    def __init__(self) -> None:
        super().__init__()
        self.entered, self.released = threading.Event(), threading.Event()
        self.thread = threading.current_thread()

    def hold(self) -> str:
        self.entered.set()
        self.released.wait()
        return "too late"

    def interrupt(self) -> None:
        super().interrupt()
        self.released.set()


@pytest.fixture
def no_thread_left() -> Iterator[None]:
    yield
    assert [thread for thread in threading.enumerate() if thread.name == "driver"] == []


def in_thread(
    work: Callable[[DriverThread], Any], make: Callable[[], Driver], deadline_s: float = 30.0
) -> Any:
    async def main() -> Any:
        thread = DriverThread(make, deadline_s)
        try:
            return await work(thread)
        finally:
            await thread.close()

    return asyncio.run(main())


def test_a_driver_is_made_used_and_closed_in_one_thread(no_thread_left: None) -> None:
    made: list[Held] = []
    closed_in: list[threading.Thread] = []

    class Closing(Held):
        def close(self) -> None:
            super().close()
            closed_in.append(threading.current_thread())

    def make() -> Driver:
        made.append(Closing())
        return made[-1]

    async def work(thread: DriverThread) -> list[threading.Thread]:
        assert made == []  # nothing is started before it is used
        return [await thread.run(lambda driver: threading.current_thread()) for _ in range(3)]

    used_in = in_thread(work, make)
    assert {*used_in, made[0].thread, *closed_in} == {made[0].thread}
    assert made[0].thread is not threading.main_thread() and len(made) == 1


def test_no_answer_in_time_interrupts_the_driver_and_says_how_long_was_waited(no_thread_left: None) -> None:
    made: list[Held] = []

    def hold(driver: Driver) -> str:
        made.append(driver)  # type: ignore[arg-type]
        return driver.hold()  # type: ignore[attr-defined, no-any-return]

    async def work(thread: DriverThread) -> None:
        with pytest.raises(StepTimeout) as caught:
            await thread.run(hold)
        assert (caught.value.command, caught.value.waited_s) == ("hold", SOON_S)
        assert thread.broken

    in_thread(work, Held, SOON_S)
    assert made[0].released.is_set() and made[0].closed


def test_cancellation_does_not_wait_for_a_stuck_call(no_thread_left: None) -> None:
    made: list[Held] = []

    def make() -> Driver:
        made.append(Held())
        return made[-1]

    async def work(thread: DriverThread) -> None:
        asked = asyncio.create_task(thread.run(lambda driver: driver.hold()))  # type: ignore[attr-defined]
        while not (made and made[0].entered.is_set()):
            await asyncio.sleep(0)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        assert thread.broken

    in_thread(work, make, deadline_s=3600.0)
    assert made[0].closed


def test_a_thread_that_ignores_the_interrupt_is_left_behind_with_a_warning(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(driver_thread, "CLOSE_DEADLINE_S", SOON_S)
    let_go = threading.Event()

    async def work(thread: DriverThread) -> None:
        with pytest.raises(StepTimeout):
            await thread.run(lambda driver: let_go.wait())

    in_thread(work, PlaneDriver, SOON_S)
    assert "left behind" in caplog.text
    stuck = [thread for thread in threading.enumerate() if thread.name == "driver"]
    assert [thread.daemon for thread in stuck] == [True]
    let_go.set()
    stuck[0].join()


def test_what_is_not_one_of_our_errors_is_a_crash_and_names_the_cause(no_thread_left: None) -> None:
    async def work(thread: DriverThread) -> None:
        with pytest.raises(SimulatorCrashed, match="BrokenPipeError: broken pipe"):
            await thread.run(lambda driver: (_ for _ in ()).throw(BrokenPipeError("broken pipe")))
        assert thread.broken

    in_thread(work, PlaneDriver)


@pytest.mark.parametrize(
    ("error", "broken"), [(ProtocolError("nonsense"), True), (UnknownObject("no lamp_9"), False)]
)
def test_only_a_failure_of_the_simulator_itself_makes_it_unfit(
    error: Exception, broken: bool, no_thread_left: None
) -> None:
    def fail(driver: Driver) -> None:
        raise error

    async def work(thread: DriverThread) -> bool:
        with pytest.raises(type(error)):
            await thread.run(fail)
        return thread.broken

    assert in_thread(work, PlaneDriver) is broken


def test_a_driver_that_cannot_be_closed_is_told_of_and_stops_nothing(
    caplog: pytest.LogCaptureFixture, no_thread_left: None
) -> None:
    class Unclosable(PlaneDriver):
        def close(self) -> None:
            raise PermissionError("the game does not want to die")

    async def work(thread: DriverThread) -> None:
        await thread.run(lambda driver: driver.load(WORLD))

    in_thread(work, Unclosable)
    assert "PermissionError: the game does not want to die" in caplog.text


ROOMS = ("run", "toy-rooms", "--model", "scripted/walker", "--limit", "3")


def test_four_at_a_time_give_the_same_trajectories_as_one(command: Command) -> None:
    assert command(*ROOMS, "--json") == 0
    one = command.json["run"]
    assert command(*ROOMS, "--concurrency", "4", "--json") == 0
    assert command("compare", one, command.json["run"], "--json") == 0
    document = command.json
    assert document["pairs"] == 3
    assert (document["verdict_differs"], document["trajectory_differs"]) == (0, 0)


def test_repeats_differ_and_each_condition_has_its_own_row(command: Command) -> None:
    given = (*ROOMS, "--repeats", "2", "--condition", "plain", "--condition", "brief")
    assert command(*given, "--json") == 0
    document = command.json
    assert (document["planned"], document["finished"]) == (12, 12)
    assert document["metrics"]["success_rate"]["denominator"] == 6  # the first condition's
    assert [(row["condition"], row["denominator"]) for row in document["groups"]] == [("brief", 6)]
    asked = (
        "SELECT task_id, condition, count(DISTINCT arguments), count(*) FROM (SELECT e.task_id, e.condition, "
        "e.repeat, string_agg(s.arguments, ';' ORDER BY s.step) AS arguments FROM steps s JOIN episodes e "
        "USING (run_id, episode_key) GROUP BY ALL) GROUP BY ALL"
    )
    assert command("query", asked, "--json") == 0
    assert [row[2:] for row in command.json["rows"]] == [[2, 2]] * 6  # chance comes from the key
    assert command("show", document["run"]) == 0
    assert "condition plain" in command.out and "brief" in command.out


def test_frames_of_an_action_belong_to_its_step_and_watched_objects_are_told_privately(
    command: Command,
) -> None:
    assert command(*ROOMS, "--limit", "1") == 0
    asked = "SELECT step, count(*) FROM frames GROUP BY step ORDER BY step"
    assert command("query", asked, "--json") == 0
    assert command.json["rows"][0][1] > 1
    assert command("query", "SELECT DISTINCT object FROM visibility ORDER BY 1", "--json") == 0
    assert command.json["rows"][0] == ["crate_0"]
    assert command("query", "SELECT kind FROM events WHERE private ORDER BY t_s", "--json") == 0
    assert ["plant"] in command.json["rows"]
