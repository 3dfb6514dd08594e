"""The model judge over a loopback server: a truthful model gives 280; what fails is an error; what leaks is nothing."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from statistics import stdev
from typing import Any

import pytest

from benchmarks.worldbench.evidence import BIOMES
from benchmarks.worldbench.fixtures.manifest import Fixture
from benchmarks.worldbench.fixtures.world import make_world
from benchmarks.worldbench.grade import grade
from benchmarks.worldbench.judges.model_judge import Found, model_findings
from benchmarks.worldbench.plugin import WorldBench
from benchmarks.worldbench.spec import load_spec
from benchmarks.worldbench.summary import metrics_of
from benchmarks.worldbench.totals import Totals, totals
from benchmarks.worldbench.verdicts import judged_totals
from embodied_eval.benchmark import EpisodeResult, Results, Trajectory
from embodied_eval.errors import ConfigError, ModelAuthError
from embodied_eval.judges.base import TruthJudge, run_judge
from embodied_eval.judges.rubric import RubricJudge
from embodied_eval.judging import make_judge
from embodied_eval.models.gateway import Gateway
from embodied_eval.records import Verdict
from tests.benchmarks.worldbench.judges.captured import captured, shown_in
from tests.benchmarks.worldbench.judges.player import (
    Alter,
    Player,
    biomes_in,
    schema_of,
    spoken,
    text_of,
    urls_of,
)
from tests.loopback import Body, Fault, LoopbackServer, Say, server_error

World = tuple[Fixture, Trajectory, dict[str, str]]
"""A fixture, its captured episode, and what each picture of the blind request shows."""


@pytest.fixture(scope="module")
def world() -> World:
    """A whole fixture world, captured."""
    fixture = make_world(seed=1)
    trajectory = captured(fixture)
    return fixture, trajectory, shown_in(trajectory)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A key that the loopback server does not look at."""
    monkeypatch.setenv("OPENAI_API_KEY", "loopback")
    yield


@dataclass(frozen=True)
class Judged:
    """What came out, and what was asked."""

    found: Found
    totals: Totals
    player: Player

    @property
    def asked(self) -> list[Body]:
        """Every request."""
        return [body for bodies in self.player.seen.values() for body in bodies]


def judged(world: World, alter: Alter | None = None) -> Judged:
    """Judge `world` with a model that answers as `alter` has it."""
    fixture, trajectory, pictures = world
    player = Player(fixture, pictures, alter) if alter else Player(fixture, pictures)

    async def run(base: str) -> Found:
        gateway = Gateway(api_base=base, tries=1, timeout_s=20)
        try:
            return await model_findings(trajectory, RubricJudge(gateway, "openai/judge"))
        finally:
            await gateway.close()

    with LoopbackServer(player) as server:
        found = asyncio.run(run(server.base_url))
    spec = load_spec()
    return Judged(found, totals(grade(found.evidence, spec), spec), player)


@pytest.fixture(scope="module")
def truthful(world: World) -> Judged:
    """The world under a truthful model."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "loopback")
        return judged(world)


def test_a_truthful_model_earns_a_whole_world_all_its_points(truthful: Judged, world: World) -> None:
    assert truthful.totals.total == 280, [
        (half.item, half.channel, half.reason)
        for half in grade(truthful.found.evidence, load_spec())
        if half.earned < half.of or half.error
    ]
    assert all(
        truthful.totals.tests[test] == most for test, most in (("WC003", 100), ("WC004", 100), ("WC005", 20))
    )


def test_every_role_is_asked_as_often_as_it_must(truthful: Judged) -> None:
    asked = {role: len(bodies) for role, bodies in truthful.player.seen.items()}
    assert asked == {
        "probe": 10,
        "island": 1,
        "layout": 1,
        "identify": 1,
        "look": 10,
        "cycle": 1,
        "bughunt": 15,
    }
    assert {body["temperature"] for body in truthful.asked} == {0}


def test_the_blind_request_tells_no_region_but_in_its_list_of_options(truthful: Judged) -> None:
    (body,) = truthful.player.seen["identify"]
    text = spoken(body)
    options = ", ".join([*BIOMES, "none"])
    assert options in text
    assert not biomes_in(text.replace(options, ""))
    assert re.findall(r"frame_\d\d", text) == [f"frame_{n:02d}" for n in range(1, 11)]
    assert len(urls_of(body)) == 10
    for one in schema_of(body)["properties"].values():
        assert one == {"type": "string", "enum": [*BIOMES, "none"]}
    rest = {name: value for name, value in body.items() if name not in ("messages", "response_format")}
    assert not biomes_in(json.dumps(rest))


def test_no_request_holds_the_author_the_truth_or_a_score(truthful: Judged) -> None:
    for body in truthful.asked:
        text = text_of(body)
        assert "the-author" not in text and "SOLUTION" not in text
        ours = re.sub(r"(=== [0-9a-f]{24} ===)\n.*?\n\1", "", text, flags=re.DOTALL)
        assert not re.search(r"\b(points?|score[sd]?|280|benchmark)\b", ours)


def test_what_the_author_wrote_stands_between_fences_that_follow_from_it(truthful: Judged) -> None:
    fences = set()
    for body in (*truthful.player.seen["probe"], *truthful.player.seen["island"]):
        found = re.findall(r"^=== [0-9a-f]{24} ===$", text_of(body), re.MULTILINE)
        assert len(found) == 2 and len(set(found)) == 1
        assert f"both read {found[0]} " in text_of(body)
        fences.add(found[0])
    assert len(fences) == 11


def test_notes_hold_quotes_votes_and_blind_answers_and_score_nothing(truthful: Judged) -> None:
    notes = truthful.found.notes
    kinds = {note.item.split(":")[0] for note in notes}
    assert kinds == {"quote", "blind", "vote", "look"}
    assert all(note.max == 0 and note.score == 0 and "/" not in note.item for note in notes)
    quote = next(note for note in notes if note.item == "quote:C.swamp.1:look")
    assert quote.passed and re.fullmatch(r"L\d+-L\d+", quote.evidence[0])


def test_a_wrong_save_is_dropped_and_the_region_is_judged_from_afar() -> None:
    fixture = make_world(seed=1)
    swapped = {"swamp": "volcano"}
    trajectory = captured(fixture, shown=swapped)
    made = judged((fixture, trajectory, shown_in(trajectory, swapped)))
    assert "swamp" not in made.found.evidence.confirmed
    swamp = next(body for body in made.player.seen["look"] if "C.swamp.1" in text_of(body))
    assert len(urls_of(swamp)) == 5 and "no close view of the region" in text_of(swamp)


def test_a_failed_call_leaves_its_items_unjudged_and_the_rest_judged(
    world: World,
) -> None:
    def alter(role: str, answer: Any, body: Body) -> Any:
        return server_error(500) if role == "look" and "C.swamp.1" in text_of(body) else answer

    made = judged(world, alter)
    assert made.totals.total is None
    assert {item.split(".")[1] for item in made.totals.unjudged} == {"swamp"}
    assert made.totals.biomes["WC003"]["jungle"] == 10


def test_an_outage_is_no_score_at_all(world: World) -> None:
    made = judged(world, lambda role, answer, body: server_error(503))
    spec = load_spec()
    assert made.totals.total is None
    assert set(made.totals.tests.values()) == {None}
    asked = [half for half in grade(made.found.evidence, spec) if half.channel not in ("measured", "penalty")]
    assert all(half.error and not half.earned for half in asked)
    assert len(made.asked) == 3  # then it is an outage, and nobody is asked any more


def test_a_bad_key_stops_at_once(world: World) -> None:
    with pytest.raises(ModelAuthError):
        judged(world, lambda role, answer, body: Fault("status", 401, "no such key"))


def test_an_answer_of_another_form_is_asked_for_once_more(
    world: World,
) -> None:
    asked: list[str] = []

    def alter(role: str, answer: Any, body: Body) -> Any:
        if role == "layout":
            asked.append(role)
            return Say("no JSON at all") if len(asked) == 1 else answer
        return answer

    made = judged(world, alter)
    assert len(asked) == 2 and made.totals.total == 280


def test_invented_quotes_earn_nothing_and_mended_ones_do(
    world: World,
) -> None:
    fixture, _, _ = world
    truth = fixture.manifest.items["C.swamp.1"].look
    assert truth is not None

    def alter(role: str, answer: Any, body: Body) -> Any:
        if role == "probe" and "C.swamp.1" in answer["items"]:
            answer["items"]["C.swamp.2"]["quote"] = "const inventedRoots = buildMangroves(42);"
            answer["items"]["C.swamp.1"]["quote"] = "murky_standing_water_is_made_here(somehow);"
        if role == "lines":
            keys = list(answer)
            wanted = next(key for key in keys if f"{key}:\nmurky" in text_of(body))
            return {**answer, wanted: list(range(truth.first_line, truth.last_line + 1))}
        return answer

    made = judged(world, alter)
    code = made.found.evidence.code
    assert code["C.swamp.1"].look is not None and code["C.swamp.1"].look.repaired
    look = code["C.swamp.2"].look
    assert look is None or not look.verified
    assert made.totals.biomes["WC003"]["swamp"] == 10 - Fraction(10, 14)
    (request,) = made.player.seen["lines"]
    assert set(urls_of(request)) == set() and "inventedRoots" in text_of(request)


def test_the_agent_searches_what_frames_show_and_code_does_not_within_ten_calls(
    world: World,
) -> None:
    fixture, trajectory, _ = world
    truth = fixture.manifest.items["C.swamp.3"].look
    assert truth is not None
    spec = load_spec()

    def alter(role: str, answer: Any, body: Body) -> Any:
        if role == "probe" and "C.swamp.3" in answer["items"]:
            for name in ("C.swamp.3", "C.swamp.4"):
                answer["items"][name] = {"found": False, "quote": "", "motion_quote": "", "axis": "none"}
        if role == "agent" and spec.items["C.swamp.3"].text in text_of(body):
            if len(body["messages"]) > 2:
                return Say(calls=[("answer", {**answer, "found": True, "quote": truth.text})])
            return Say(calls=[("grep", {"pattern": "lil"})])
        if role == "agent":
            return Say(calls=[("grep", {"pattern": "the same call for ever"})])
        return answer

    before = fixture.html
    made = judged(world, alter)
    assert fixture.html == before == trajectory.rows["worlds"][0]["html"]
    calls = [note for note in made.found.notes if note.item.startswith("agent:C.swamp.4:")]
    assert len(calls) == 10 and "made before" in calls[1].reason
    assert len(made.player.seen["salvage"]) == 1
    claim = made.found.evidence.code["C.swamp.3"]
    assert claim.look is not None and claim.look.verified
    assert made.totals.biomes["WC003"]["swamp"] == 10 - Fraction(10, 14)
    first = text_of(made.player.seen["agent"][0])
    assert "a lead, not proof" in first.replace("\n", " ")


def test_several_judgings_of_a_world_give_one_score_and_their_spread(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "loopback")
    fixture, trajectory, pictures = world
    asked: list[str] = []

    def alter(role: str, answer: Any, body: Body) -> Any:
        if role != "island":
            return answer
        asked.append(json.dumps(body["messages"]))
        # The second asking finds nothing of the island, the others all of it.
        return {name: {**one, "quote": ""} for name, one in answer.items()} if len(asked) == 2 else answer

    async def run(base: str) -> tuple[Verdict, ...]:
        gateway = Gateway(api_base=base, tries=1, timeout_s=20)
        try:
            return await run_judge(make_judge("openai/judge#3", gateway), WorldBench(), trajectory)
        finally:
            await gateway.close()

    with LoopbackServer(Player(fixture, pictures, alter)) as server:
        verdicts = asyncio.run(run(server.base_url))
    assert len(set(asked)) == 3
    first, second, third = judged_totals(verdicts)
    assert first == third == 280 > second
    result = EpisodeResult(
        "k", trajectory.task, trajectory.condition, "m", 0, False, trajectory.outcome, verdicts
    )
    made = {
        one.name: one
        for one in metrics_of(Results("worldbench", "run", "m", "j", (result,)))
        if not one.group
    }
    assert made["score"].value == 280
    expected = stdev(map(float, (first, second, third)))
    assert made["spread_judging"].value == pytest.approx(expected) and made["spread_judging"].n == 1
    assert made["spread_worlds"].value is None


def test_a_flag_stands_on_two_of_three_votes(world: World) -> None:
    votes: list[Body] = []

    def alter(role: str, answer: Any, body: Body) -> Any:
        if role == "bughunt" and (len(made_for(body)) or not votes):
            votes.append(body)
            flags = ["afloat", "hollow"] if len(votes) == 1 else ["afloat"] if len(votes) == 2 else []
            return {**answer, "flags": flags}
        return answer

    def made_for(body: Body) -> list[Body]:
        return [one for one in votes if urls_of(one) == urls_of(body)]

    made = judged(world, alter)
    assert [body["temperature"] for body in votes] == [0, 0.8, 0.8]
    assert made.found.evidence.hunt[0].flags == ("afloat",)
    assert made.totals.tests["WC001"] is not None and made.totals.tests["WC001"] < 40


def test_judging_reads_what_is_stored_and_opens_no_browser(
    world: World, truthful: Judged, monkeypatch: pytest.MonkeyPatch
) -> None:

    def refuse(*args: object, **named: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess.Popen, "__init__", refuse)
    again = judged(world)
    assert again.found.evidence == truthful.found.evidence
    assert again.asked == truthful.asked


def test_a_judge_without_a_model_is_refused(world: World) -> None:
    with pytest.raises(ConfigError, match="no model"):
        asyncio.run(model_findings(world[1], TruthJudge()))
