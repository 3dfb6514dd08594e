"""The positive control: it knows the truth, and acts on it through the agent's own tools and budget."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Generator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from benchmarks.worldaudit.scripted.baselines import offers_example
from benchmarks.worldaudit.scripted.planner import Planner, Point, Vec3
from embodied_eval.errors import DataFileError, PluginError
from embodied_eval.models.types import Reply, Request, ScriptedModel, ToolCall
from embodied_eval.records import Json

POSE = re.compile(
    r"at x (-?[\d.]+), y (-?[\d.]+), height (-?[\d.]+) m, heading (-?[\d.]+), gaze (-?[\d.]+) degrees"
)
LAST_REF = re.compile(r"pictures? (?:[\w., ]*, )?(a\d+);")
Call = tuple[str, dict[str, Json]]
Script = Generator[Call, str, None]
NEAR_ENOUGH_M = 0.25


@cache
def paraphrases() -> Mapping[str, Sequence[str]]:
    """The oracle's own words by key; the judge never reads this table."""
    text = files("benchmarks.worldaudit.scripted").joinpath("paraphrases.toml").read_text("utf-8")
    return {key: tuple(value) for key, value in tomllib.loads(text)["say"].items()}


@cache
def planner_of(world: str) -> Planner:
    """One planner a world, shared by all episodes."""
    from embodied_eval.worlds.bundled import load_world

    return Planner(load_world(world))


class Oracle(ScriptedModel):
    """Follows the task's `[solution]`: walk to where the anomaly shows, make it happen, cite the pictures."""

    privileged = True
    control = "positive"
    description = "knows the truth and acts on it within the budget: must pass everywhere"

    def __init__(self, rng: Any, private: Mapping[str, Json] | None = None) -> None:
        super().__init__(rng, private)
        self._script: Script | None = None
        self._number = 0
        self._at: Vec3 = (0.0, 0.0, 0.0)
        self._home: Point = (0.0, 0.0)
        self._yaw_deg = self._pitch_deg = 0.0
        self._ref = "a0"

    def reply(self, request: Request) -> Reply:
        """See `ScriptedModel.reply`."""
        if self._script is None:
            self._script = self._play(offers_example(request))
            name, arguments = next(self._script)
        else:
            name, arguments = self._script.send(request.messages[-1].text)
        self._number += 1
        return Reply(tool_calls=(ToolCall(f"o{self._number}", name, arguments),), finish="tool_calls")

    @property
    def _plan(self) -> Planner:
        assert self.private is not None
        return planner_of(str(self.private["world"]))

    def _play(self, example: bool) -> Script:
        assert self.private is not None
        if example:
            yield "read_example", {}
        self._read((yield "observe", {}))
        self._home = self._at[:2]
        told = []
        for anomaly in self.private.get("targets") or [self.private]:
            told.append((yield from self._solve(anomaly)))
        yield "done", {"summary": " ".join(told)}

    def _solve(self, anomaly: Mapping[str, Any]) -> Generator[Call, str, str]:
        """Follow the solution of one anomaly and report it; returns what was reported."""
        if "solution" not in anomaly:
            raise DataFileError(
                "The oracle needs a task's solution, and this one has none.",
                hint="Write [task.solution] in the task file, or play another model.",
            )
        solution = anomaly["solution"]
        marks: dict[str, str] = {}
        for step in solution["steps"]:
            yield from getattr(self, f"_do_{step['do']}")(step)
            if "mark" in step:
                marks[step["mark"]] = self._ref
        words = self.rng.choice(paraphrases()[solution["say"]])
        description = words.format(label=anomaly["target"]["label"], **solution.get("with", {}))
        yield (
            "flag_bug",
            {
                "description": description,
                "category": solution["category"],
                "status": "confirmed",
                "evidence": [marks[mark] for mark in solution["cite"]],
            },
        )
        return description

    def _do_view(self, step: Mapping[str, Any]) -> Script:
        """Go to where `object` is seen from `from_m`, and face it. `at` = a point in its place, for the
        things that are not where the clean world has them."""
        centre = self._point(step)
        name = step.get("object", "")
        side = tuple(step["side"]) if "side" in step else None
        spot = self._plan.viewpoint(
            self._from(), name, float(step.get("from_m", 2.5)), centre=centre, side=side
        )
        yield from self._walk(spot)
        yield from self._face(centre)

    def _do_go(self, step: Mapping[str, Any]) -> Script:
        """Walk to the floor point `to`."""
        yield from self._walk((float(step["to"][0]), float(step["to"][1])))

    def _do_face(self, step: Mapping[str, Any]) -> Script:
        """Face `object` or the point `at`."""
        yield from self._face(self._point(step))

    def _do_turn(self, step: Mapping[str, Any]) -> Script:
        """Turn by `degrees`, positive to the right."""
        yield from self._send("turn", {"degrees": float(step["degrees"])})

    def _do_push(self, step: Mapping[str, Any]) -> Script:
        """Walk straight at `object` or `at` for `metres`, whatever is there."""
        x, y, _z = self._point(step)
        yield from self._head((x, y))
        yield from self._send("move", {"direction": "forward", "distance_m": float(step["metres"])})

    def _do_back(self, step: Mapping[str, Any]) -> Script:
        """Walk backwards for `metres`."""
        yield from self._send("move", {"direction": "back", "distance_m": float(step["metres"])})

    def _do_wait(self, step: Mapping[str, Any]) -> Script:
        """Let `seconds` pass, in waits of at most 5."""
        left = float(step["seconds"])
        while left > 1e-6:
            part = max(0.5, min(5.0, left))
            yield from self._send("wait", {"seconds": part})
            left -= part

    def _do_interact(self, step: Mapping[str, Any]) -> Script:
        """Operate what is in the middle of the view."""
        yield from self._send("interact", {})

    def _point(self, step: Mapping[str, Any]) -> Vec3:
        if "at" in step:
            x, y, z = (float(value) for value in step["at"])
            return (x, y, z)
        return self._plan.centre(step["object"])

    def _walk(self, goal: Point) -> Script:
        for _attempt in range(4):
            if math.dist(self._at[:2], goal) <= NEAR_ENOUGH_M:
                return
            path = self._plan.grid.path(self._from(), goal)
            if path is None:
                raise PluginError(f"The oracle finds no way from {self._at} to {goal}.")
            for corner in path[1:]:
                expected = yield from self._leg(corner)
                if not expected:
                    break

    def _from(self) -> Point:
        """The free floor point nearest to where it stands: one may end inside what should be solid."""
        return self._plan.grid.nearest_free(*self._at[:2], reachable_from=self._home) or self._at[:2]

    def _leg(self, corner: Point) -> Generator[Call, str, bool]:
        """Straight to `corner`; False if something stopped it."""
        while (left := math.dist(self._at[:2], corner)) > NEAR_ENOUGH_M:
            yield from self._head(corner)
            distance = max(0.3, min(4.0, left))
            before = self._at
            yield from self._send("move", {"direction": "forward", "distance_m": round(distance, 3)})
            if math.dist(before[:2], self._at[:2]) < distance - 0.1:
                return False
        return True

    def _head(self, point: Point) -> Script:
        wanted = math.degrees(math.atan2(point[1] - self._at[1], point[0] - self._at[0]))
        change = (wanted - self._yaw_deg + 180.0) % 360.0 - 180.0
        if abs(change) > 1.0:
            yield from self._send("turn", {"degrees": round(-change, 2)})

    def _face(self, point: Vec3) -> Script:
        yield from self._head((point[0], point[1]))
        flat = math.dist(self._at[:2], point[:2])
        height = point[2] - self._at[2] - self._plan.world.eye_height_m
        change = math.degrees(math.atan2(height, flat)) - self._pitch_deg
        if abs(change) > 4.0:
            yield from self._send("look", {"degrees": round(max(-90.0, min(90.0, -change)), 2)})

    def _send(self, name: str, arguments: dict[str, Json]) -> Script:
        self._read((yield name, arguments))

    def _read(self, text: str) -> None:
        found = POSE.search(text)
        if found:
            x, y, z, heading, gaze = map(float, found.groups())
            self._at, self._yaw_deg, self._pitch_deg = (x, -y, z), -heading, -gaze
        ref = LAST_REF.search(text)
        if ref:
            self._ref = ref.group(1)
