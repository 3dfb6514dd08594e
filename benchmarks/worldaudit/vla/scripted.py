"""The scripted models as auditors of a recording: the controls of the second arm. Live, they are what they were."""

from __future__ import annotations

import math
import re

from benchmarks.worldaudit.scripted import baselines, explorer, oracle
from benchmarks.worldaudit.scripted.baselines import CLAIMS, THINGS, offers_example
from benchmarks.worldaudit.scripted.oracle import POSE, paraphrases
from embodied_eval.drivers.base import Vec3
from embodied_eval.models.types import Reply, Request, ScriptedModel, ToolCall
from embodied_eval.records import Json

LINE = re.compile(r"^(a\d+): ([\d.]+) s(?:, (at x .*?degrees))?", re.MULTILINE)
HALF_VIEW_DEG = 38.0
FAR_M = 14.0
NEAREST = 3
Bugs = list[dict[str, Json]]


def audits(request: Request) -> bool:
    """Whether a recording is to be audited."""
    told = "\n".join(message.text for message in request.messages[:1])
    return '"tool": "report"' in told or any(tool.name == "report" for tool in request.tools)


class Auditor(ScriptedModel):
    """Reads the example where there is one, sees the recording, and reports what `_bugs` says."""

    _turn = 0

    def reply(self, request: Request) -> Reply:
        """See `ScriptedModel.reply`."""
        if not audits(request):
            return super().reply(request)  # type: ignore[safe-super]
        self._turn += 1
        steps = ["read_example", "observe", "report"] if offers_example(request) else ["observe", "report"]
        name = steps[min(self._turn, len(steps)) - 1]
        arguments: dict[str, Json] = {}
        if name == "report":
            seen = "\n".join(message.text for message in request.messages[-1:])
            arguments = {"bugs": self._bugs(seen), "summary": "That is all."}
        return Reply(tool_calls=(ToolCall(f"v{self._turn}", name, arguments),), finish="tool_calls")

    def _bugs(self, seen: str) -> Bugs:
        """The reports, given the text that came with the recording."""
        return []


class Null(Auditor, baselines.Null):
    """Reports nothing."""


class Explorer(Auditor, explorer.Explorer):
    """Has nothing to explore in a recording: reports nothing there."""


class Random(Auditor, baselines.Random):
    """Reports a random fault of a random thing."""

    def _bugs(self, seen: str) -> Bugs:
        return [_bug(f"The {self.rng.choice(THINGS)} {self.rng.choice(sorted(CLAIMS.values()))}.", ["a0"])]


class Shotgun(Auditor, baselines.Shotgun):
    """Reports everything and every kind."""

    def _bugs(self, seen: str) -> Bugs:
        things = ", the ".join(THINGS)
        claims = [" and ".join(CLAIMS.values()), *CLAIMS.values()]
        return [_bug(f"The {things} {claim}.", ["a0"]) for claim in claims]


class Oracle(Auditor, oracle.Oracle):
    """Reports the truth, and cites the frames whose camera looked at the place: the nearest ones, the first and the
    last. Whether they show anything is for the judge to find: it cannot make the policy go there."""

    def _bugs(self, seen: str) -> Bugs:
        assert self.private is not None
        made = []
        for anomaly in self.private.get("targets") or [self.private]:
            solution = anomaly["solution"]
            words = self.rng.choice(paraphrases()[solution["say"]])
            told = words.format(label=anomaly["target"]["label"], **solution.get("with", {}))
            made.append(_bug(told, self._looking(seen, self._place(anomaly["target"])), solution["category"]))
        return made

    def _place(self, target: dict[str, Json]) -> Vec3:
        if target.get("place"):
            x, y, z = (float(value) for value in target["place"])
            return (x, y, z)
        return self._plan.centre(str(target["object"]))

    def _looking(self, seen: str, place: Vec3) -> list[str]:
        found: list[tuple[float, str]] = []
        for ref, _t_s, pose in LINE.findall(seen):
            numbers = POSE.search(pose)
            if numbers is None:
                continue
            x, right, _height, heading, _gaze = (float(value) for value in numbers.groups())
            away = (place[0] - x, place[1] + right)
            bearing = math.degrees(math.atan2(away[1], away[0])) + heading
            off_deg = abs((bearing + 180.0) % 360.0 - 180.0)
            distance_m = math.hypot(*away)
            if distance_m <= 1.0 or (off_deg <= HALF_VIEW_DEG and distance_m <= FAR_M):
                found.append((distance_m, ref))
        nearest = [ref for _, ref in sorted(found)[:NEAREST]]
        ends = [ref for _, ref in (found[:1] + found[-1:])]
        return list(dict.fromkeys([*nearest, *ends])) or ["a0"]


def _bug(description: str, evidence: list[str], category: str = "other") -> dict[str, Json]:
    return {
        "description": description[:2000],
        "category": category,
        "status": "confirmed",
        "evidence": evidence,
    }
