"""A model behind a real HTTP server plays under each switch and each condition: what a switch removes is in
no request, and no truth is in any."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import Any

import pytest

from benchmarks.worldaudit import prompts
from benchmarks.worldaudit.conditions import CONDITIONS
from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.plugin import WorldAudit
from benchmarks.worldaudit.several import compositions
from benchmarks.worldaudit.taxonomy import SUBCATEGORIES
from embodied_eval.benchmark import Trajectory
from embodied_eval.records import Json, Task
from tests.benchmarks.worldaudit.kit import Plane, Table, boxes, indoor, plane_task, script
from tests.loopback import REFUSAL, Body, Fault, LoopbackServer, Say, worldaudit_player

pytestmark = pytest.mark.skipif(find_spec("litellm") is None, reason="needs the extra llm")

MODEL = "openai/gpt-4o-mini"
KIND = SUBCATEGORIES["G1"]
PLAYED = [condition for condition in CONDITIONS if not condition.members]


class Player:
    """The loopback player; for models without tool calling it reads the tools in the prompt."""

    def __init__(self) -> None:
        self._play = worldaudit_player()
        self.instead: dict[int, Say | Fault] = {}

    def __call__(self, body: Body, number: int) -> Say | Fault:
        if number in self.instead:
            return self.instead[number]
        if body.get("tools"):
            return self._play(body, number)
        lines = str(body["messages"][0]["content"]).splitlines()
        told = [json.loads(line) for line in lines if '"description":' in line]
        functions = [{"function": {"name": row["tool"], "parameters": row["arguments"]}} for row in told]
        made = self._play({**body, "tools": functions}, number)
        assert isinstance(made, Say)
        name, arguments = made.calls[0]
        return Say(f"I think so. {json.dumps({'tool': name, 'arguments': arguments})}")


@pytest.fixture
def player() -> Player:
    return Player()


@pytest.fixture
def server(player: Player, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackServer]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback-abcdefgh1234")
    with LoopbackServer(player) as made:
        yield made


class Played:
    """One episode of the loopback model, what was sent to it as text, and how many pictures with the last."""

    def __init__(
        self,
        table: Table,
        server: LoopbackServer,
        *,
        task: Task | None = None,
        condition: str = "",
        benchmark: WorldAudit | None = None,
        **options: Json,
    ) -> None:
        self.trajectory: Trajectory = table.play(
            benchmark or Plane(boxes(), script()),
            task or plane_task(near=[1.5, 0.5, 0.0]),
            MODEL,
            condition=condition,
            options=options if condition else {"icl": True, **options},
            config={"api_base": server.base_url},
        )
        self.bodies = server.requests
        self.text = "\n".join(_text(body) for body in self.bodies)
        self.steps = self.trajectory.steps
        self.pictures = [json.dumps(body["messages"]).count("data:image/jpeg") for body in self.bodies]
        assert self.trajectory.outcome.status == "completed", self.trajectory.outcome
        assert self.trajectory.outcome.answer["findings"]


def _text(body: Mapping[str, Any]) -> str:
    """Everything in a request but the pictures' bytes."""
    sent = json.dumps({key: body.get(key) for key in ("messages", "tools")}, ensure_ascii=False)
    return re.sub(r"data:image/[^\"]*", "", sent)


def test_by_default_everything_is_told(table: Table, server: LoopbackServer) -> None:
    played = Played(table, server)
    assert [step.action for step in played.steps][:2] == ["read_example", "observe"]
    for told in (
        KIND.name,
        KIND.definition,
        "code G1",
        "An open floor with boxes.",
        "heading 0.0",
        "40 actions",
    ):
        assert told in played.text
    for told in ("read_example", "ex1", "inspect", "history", "write_notes", "One thing in it"):
        assert told in played.text
    assert "Something was in the way" not in played.text and "One of the faults" not in played.text
    # Two pictures of the example, the first view, and one after each action.
    assert played.pictures[-1] == 2 + 1 + sum(step.counts for step in played.steps)


REMOVED: list[tuple[dict[str, Json], tuple[str, ...], tuple[str, ...]]] = [
    ({"icl": False}, (r"read_example", r"\bex\d", r"[Ss]olved"), (KIND.name, KIND.definition)),
    (
        {"type_hint": "none"},
        (KIND.name, KIND.definition, r"\bG1\b", r"of this kind"),
        ("read_example", "ex1"),
    ),
    ({"type_hint": "code"}, (KIND.definition,), (KIND.name, "code G1", "ex1")),
    ({"icl": False, "type_hint": "none"}, (r"read_example", r"unsupported", r"\bG1\b"), ("flag_bug",)),
    ({"scene_description": False}, (r"An open floor", r"The place:"), (KIND.name,)),
    ({"memory_tools": False}, (r"inspect`", r"\"inspect\"", r"history", r"write_notes"), ("flag_bug",)),
    ({"proprio": False}, (r"heading", r"at x ", r"moved \d", r"Positions are"), ("actions left",)),
    ({"blocked_hint": False}, (r"Something was in the way",), ("actions left",)),
    ({"obs": "final"}, (r"a\d+\.f\d",), ("picture",)),
    ({"tell_count": False}, (r"One thing", r"Exactly one", r"The fault is"), ("in one place or in several",)),
    ({"start": "near"}, (r"a third",), ("at x 1.50, y -0.50",)),
    ({"budget": 5}, (r"40 actions",), ("5 actions",)),
]


@pytest.mark.parametrize(
    ("options", "absent", "present"), REMOVED, ids=[" ".join(map(str, row[0].items())) for row in REMOVED]
)
def test_what_a_switch_removes_is_in_no_request(
    table: Table,
    server: LoopbackServer,
    options: dict[str, Json],
    absent: tuple[str, ...],
    present: tuple[str, ...],
) -> None:
    played = Played(table, server, **options)
    for pattern in absent:
        assert not re.search(pattern, played.text), pattern
    for told in present:
        assert told in played.text


def test_film_comes_along(table: Table, server: LoopbackServer) -> None:
    played = Played(table, server, obs="film", keep_images=99)
    assert played.pictures[-1] > 3 + sum(step.counts for step in played.steps)
    assert "a3.f1" in played.text


def test_a_blocked_move_is_told_where_the_hint_is_on(table: Table, server: LoopbackServer) -> None:
    """The player walks 1 m twice after turns, towards the near device."""
    task = plane_task(near=[2.6, 0.0, 0.0])
    bodies = Played(
        table, server, task=task, blocked_hint=True, start="near", require_full_budget=True, budget=12
    )
    blocked = [step for step in bodies.steps if step.blocked]
    told = [step for step in bodies.steps if "Something was in the way." in step.result]
    assert told == blocked


def test_only_the_newest_pictures_are_sent(table: Table, server: LoopbackServer) -> None:
    played = Played(table, server, keep_images=2, require_full_budget=True, budget=12)
    assert max(played.pictures) <= 3 and "No longer shown here: ex1" in played.text


def test_a_looker_has_only_so_many_looks_back(table: Table) -> None:
    turns = [[("observe", {})], *[[("inspect", {"refs": ["a0"]})]] * 3]
    made = table.play(
        Plane(boxes(), script(*turns)), plane_task(), "scripted/script", options={"inspect_budget": 2}
    )
    told = [step.result for step in made.steps[1:4]]
    assert told == ["Pictures a0:"] * 2 + ["You may call `inspect` 2 times, and have."]


def test_without_tool_calling_the_steps_are_the_same(table: Table, server: LoopbackServer) -> None:
    native = Played(table, server, budget=6)
    count = len(server.requests)
    spoken = Played(table, server, budget=6, tool_protocol="json")
    assert not any(body.get("tools") for body in server.requests[count:])
    assert all(message["role"] != "tool" for body in server.requests[count:] for message in body["messages"])
    # The player says two calls at once where it may; one an answer is read here.
    mine = [(step.action, step.result) for step in native.steps if step.action != "look"]
    theirs = [step.action for step in spoken.steps]
    assert [action for action, _ in mine] == theirs


@pytest.mark.parametrize(
    "condition", [c for c in PLAYED if not c.name.startswith(("multi", "vla"))], ids=lambda item: item.name
)
def test_each_condition_is_played(table: Table, server: LoopbackServer, condition: Any) -> None:
    task = plane_task(near=[1.5, 0.5, 0.0])
    if condition.name == "single":
        task = Task("indoor/14", task.public, task.private, task.engine, task.scene, "", task.tags)
    played = Played(table, server, task=task, condition=condition.name)
    assert played.trajectory.condition.name == condition.name
    expected = Options(**condition.settings)
    assert f"You may spend {expected.budget} actions" in played.text
    assert ("read_example" in played.text) is expected.icl
    assert (KIND.definition in played.text) is (expected.type_hint == "definition")
    assert ("write_notes" in played.text) is expected.memory_tools


@pytest.mark.gl
@pytest.mark.parametrize(("condition", "count"), [("multi-ab", "Two things"), ("multi-abc", "Three things")])
def test_several_anomalies_are_played_in_the_world(
    mujoco_table: Table, server: LoopbackServer, condition: str, count: str
) -> None:
    played = Played(
        mujoco_table,
        server,
        task=indoor(14),
        condition=condition,
        benchmark=WorldAudit(),
        budget=4,
        obs="final",
    )
    task = played.trajectory.task
    assert task.id.startswith("indoor/14_ab") and count in played.text and "One of the faults" in played.text
    planted = {event.data["effect"] for event in played.trajectory.events if event.kind == "trigger"}
    assert planted == set(range(len(task.private["targets"])))
    secrets = [target["rubric"]["anomaly"] for target in task.private["targets"]]
    secrets += [one.object for one in compositions()["indoor/14"][1]] + [task.id]
    for secret in secrets:
        assert secret not in played.text


def test_an_untold_count_gives_nothing_away() -> None:
    made = [
        prompts.opening(plane_task(), Options(anomalies=anomalies, tell_count=False))  # type: ignore[arg-type]
        for anomalies in ("A", "AB", "ABC")
    ]
    assert made[0] == made[1] == made[2]
    told = [prompts.opening(plane_task(), Options(anomalies=item)) for item in ("A", "AB")]  # type: ignore[arg-type]
    assert told[0] != told[1]


@pytest.mark.parametrize(
    "options", [{}, {"tool_protocol": "json"}, {"start": "near"}, {"obs": "film"}], ids=str
)
def test_no_private_marker_is_sent_or_stored_in_public(
    table: Table, server: LoopbackServer, options: dict[str, Json]
) -> None:
    marker = "quince-7f3a"
    target = {"object": "wall", "label": marker, "synonyms": [marker], "region": marker}
    rubric = dict.fromkeys(("anomaly", "expected", "conditions"), marker)
    anomaly: dict[str, Json] = {
        "subcategory": "G1",
        "target": target,
        "rubric": rubric,
        "solution": {"say": marker, "steps": [marker]},
        "watch": ["wall"],
        "effects": [
            {"trigger": {"kind": "always"}, "change": {"kind": "hide"}, "target": "wall", "once": False}
        ],
    }
    near = [1.234567, 0.765432, 0.0]
    task = plane_task(**anomaly, near=near, targets=[{"label": "A", **anomaly}, {"label": marker, **anomaly}])
    played = Played(table, server, task=task, **options)
    assert played.trajectory.visibility and played.trajectory.events
    public = "".join(
        path.read_text("utf-8", "replace")
        for path in table.run.path.rglob("*")
        if path.is_file() and "private" not in path.relative_to(table.run.path).parts
    )
    assert "picture a0" in public and "picture a0" in played.text
    for secret in (marker, '"hide"', "twin_pixels", "targets", "always"):
        assert secret not in played.text + public, secret
    if not options.get("start"):
        assert "1.234567" not in played.text + public


@pytest.mark.parametrize(("wrong", "status"), [(REFUSAL, "refused")])
def test_a_refusal_in_the_middle_keeps_what_was_reported(
    table: Table, server: LoopbackServer, player: Player, wrong: Say, status: str
) -> None:
    native = Played(table, server, require_full_budget=True, budget=12)
    filed = next(n for n, step in enumerate(native.steps) if step.action == "flag_bug")
    calls = len(server.requests)
    player.instead = {calls + filed + 1: wrong}
    made = table.play(
        Plane(boxes(), script()),
        plane_task(),
        MODEL,
        options={"icl": True, "require_full_budget": True, "budget": 12},
        config={"api_base": server.base_url, "tries": 1},
    )
    assert made.outcome.status == status and made.outcome.counts and made.outcome.reason
    assert [finding["id"] for finding in made.outcome.answer["findings"]] == ["b1"]
