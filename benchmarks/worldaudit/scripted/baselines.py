"""Models without privilege: nothing, chance, and everything at once."""

from __future__ import annotations

import re
from abc import abstractmethod

from benchmarks.worldaudit.taxonomy import SUBCATEGORIES
from embodied_eval.models.types import Reply, Request, ScriptedModel, ToolCall
from embodied_eval.records import Json

LEFT = re.compile(r"(\d+) actions left")
THINGS = [
    "chair",
    "table",
    "sofa",
    "lamp",
    "door",
    "window",
    "wall",
    "floor",
    "ceiling",
    "bed",
    "cabinet",
    "shelf",
    "plant",
    "picture",
    "clock",
    "television",
    "fridge",
    "sink",
    "mirror",
    "rug",
    "ball",
    "box",
    "cup",
    "bottle",
    "book",
    "bench",
    "train",
    "sign",
    "stairs",
]
CLAIMS = {
    "G1": "is floating in the air",
    "G2": "is stuck inside the wall",
    "G3": "is far too large",
    "C1": "can be walked through",
    "C2": "is blocked by something invisible",
    "C3": "flew away when I touched it",
    "V1": "disappears when seen from one side",
    "V2": "changes its size with the distance",
    "V3": "casts no shadow",
    "V4": "has a missing texture",
    "T1": "vanished while I was looking away",
    "T2": "has moved since I was here before",
    "T3": "switched itself off",
    "S2": "is turned the wrong way round",
    "S3": "belongs to another century",
}
assert set(CLAIMS) == set(SUBCATEGORIES)


def offers_example(request: Request) -> bool:
    """Whether a solved example is to be read: among the tools, or in the prompt that lists them."""
    prompt = "\n".join(message.text for message in request.messages[:2])
    return "`read_example`" in prompt or any(tool.name == "read_example" for tool in request.tools)


class Turns(ScriptedModel):
    """Answers one tool call a turn."""

    _number = 0

    def _call(self, name: str, **arguments: Json) -> Reply:
        self._number += 1
        return Reply(tool_calls=(ToolCall(f"s{self._number}", name, arguments),), finish="tool_calls")


class Opening(Turns):
    """Reads the example where there is one and opens the world; `_next` has the word from then on."""

    _turn = 0

    def reply(self, request: Request) -> Reply:
        """See `ScriptedModel.reply`."""
        if self._number == 0 and offers_example(request):
            return self._call("read_example")
        self._turn += 1
        return self._call("observe") if self._turn == 1 else self._next(request, self._turn - 1)

    @abstractmethod
    def _next(self, request: Request, turn: int) -> Reply:
        """The reply number `turn` after the one that opened the world."""


class Null(Opening):
    """Looks once and reports nothing."""

    control = "negative"
    description = "looks once and reports nothing: must fail everywhere"

    def _next(self, request: Request, turn: int) -> Reply:
        return self._call("done", summary="Nothing to report.")


class Random(Opening):
    """Walks at random to the end of its budget, then reports a random thing with a random fault."""

    description = "acts at random to the end of the budget and reports one random fault"

    def _next(self, request: Request, turn: int) -> Reply:
        left = LEFT.search(request.messages[-1].text)
        if left is not None and int(left.group(1)) > 0:
            return self._action()
        if request.messages[-1].text.startswith("Filed as"):
            return self._call("done", summary="That is all.")
        claim = self.rng.choice(sorted(CLAIMS.values()))
        return self._call(
            "flag_bug",
            description=f"The {self.rng.choice(THINGS)} {claim}.",
            category="other",
            status="suspect",
            evidence=["a0"],
        )

    def _action(self) -> Reply:
        kind = self.rng.choice(("move", "move", "move", "turn", "turn", "look", "interact", "wait"))
        if kind == "move":
            direction = "forward" if self.rng.random() < 0.85 else "back"
            return self._call("move", direction=direction, distance_m=round(self.rng.uniform(0.3, 4.0), 2))
        if kind == "turn":
            return self._call("turn", degrees=round(self.rng.uniform(-180, 180), 1))
        if kind == "look":
            return self._call("look", degrees=round(self.rng.uniform(-30, 30), 1))
        if kind == "wait":
            return self._call("wait", seconds=round(self.rng.uniform(0.5, 3.0), 1))
        return self._call("interact")


class Shotgun(Opening):
    """Reports every fault of every thing, from the first view: what a judge must not reward."""

    description = "reports everything and every kind from the first view: must fail everywhere"

    def _next(self, request: Request, turn: int) -> Reply:
        claims = list(CLAIMS.values())
        if turn <= len(claims):
            things = ", the ".join(THINGS)
            # The first reports, which are the ones read, claim everything at once; the rest one kind each.
            what = " and ".join(claims) if turn <= 2 else claims[turn - 1]
            return self._call(
                "flag_bug",
                description=f"The {things} {what}.",
                category="other",
                status="confirmed",
                evidence=["a0"],
            )
        return self._call("done", summary="Everything is wrong.")
