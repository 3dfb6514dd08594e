"""A judge model for the loopback server that knows one fixture world and answers every role truthfully, or as told."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.worldbench.evidence import BIOMES
from benchmarks.worldbench.fixtures.manifest import Fixture, ItemTruth
from tests.loopback import Body, Fault, Say

Alter = Callable[[str, Any, Body], Any]
"""Gets the role, the truthful answer and the request; returns what is said instead (an answer, a `Say`, a `Fault`)."""
_FRAME = re.compile(r"frame_\d\d")


@dataclass
class Player:
    """`pictures` tells by a picture's data URL which region it shows. `seen` counts requests by role."""

    fixture: Fixture
    pictures: Mapping[str, str]
    alter: Alter = lambda role, answer, body: answer
    seen: dict[str, list[Body]] = field(default_factory=dict)

    def __call__(self, body: Body, number: int) -> Say | Fault:
        """The reply to one request."""
        role, answer = self._answer(body)
        self.seen.setdefault(role, []).append(body)
        said = self.alter(role, answer, body)
        if isinstance(said, (Say, Fault)):
            return said
        return Say(json.dumps(said))

    def _answer(self, body: Body) -> tuple[str, Any]:
        if body.get("tools"):
            return "agent", {"found": False, "quote": "", "motion_quote": "", "axis": "none"}
        properties = schema_of(body)["properties"]
        names = list(properties)
        if "present" in names:
            return "probe", self._probe(list(properties["items"]["properties"]))
        if "V.boxes" in names:
            return "island", {name: self._island(name) for name in names}
        if "edges" in names:
            return "layout", self._layout()
        if "entities" in names:
            return "bughunt", {"entities": ["land"], "shows_terrain": True, "flags": [], "reason": ""}
        if all(_FRAME.fullmatch(name) for name in names):
            return "identify", dict(zip(names, map(self.pictures.__getitem__, urls_of(body)), strict=True))
        if names[0] == "q1":
            return "lines", {name: [] for name in names}
        if names == ["found", "quote", "motion_quote", "axis"]:
            return "salvage", {"found": False, "quote": "", "motion_quote": "", "axis": "none"}
        role = "cycle" if names[0].startswith("T.") else "look"
        return role, {name: self._look(name, properties[name]) for name in names}

    def _truth(self, item: str) -> ItemTruth | None:
        return self.fixture.manifest.items.get(item)

    def _probe(self, items: list[str]) -> Any:
        biome = items[0].split(".")[1]
        row = self.fixture.manifest.classified.get(biome)
        claims = {name: {**self._claim(name), "axis": self._axis(name)} for name in items}
        return {"present": row is not None, "layout_quote": row.text if row else "", "items": claims}

    def _claim(self, item: str) -> dict[str, Any]:
        truth = self._truth(item)
        look, motion = (truth.look, truth.motion) if truth else (None, None)
        return {
            "found": look is not None,
            "quote": look.text if look else "",
            "motion_quote": motion.text if motion else "",
        }

    def _axis(self, item: str) -> str:
        truth = self._truth(item)
        return (truth.axis or "none") if truth else "none"

    def _island(self, item: str) -> Any:
        claim = self._claim(item)
        if item.startswith("V."):
            return {"probability": float(claim["found"]), "quote": claim["quote"]}
        return claim

    def _layout(self) -> Any:
        manifest = self.fixture.manifest
        rows = {biome: quote.text for biome, quote in manifest.classified.items()}
        return {
            "edges": [{"a": a, "b": b, "quote": rows[a]} for a, b in sorted(manifest.edges)],
            "heights": [{"region": b, "rank": rank, "quote": rows[b]} for b, rank in manifest.rank.items()],
        }

    def _look(self, item: str, schema: Mapping[str, Any]) -> Any:
        truth = self._truth(item)
        seen = truth is not None and truth.seen
        names = schema["properties"]["frames"]["items"]["enum"]
        said = {"seen": seen, "frames": names[:1] if seen else [], "reason": "plain to see" if seen else ""}
        if "moves" in schema["properties"]:
            said |= {"moves": bool(truth and truth.moves), "axis": self._axis(item)}
        return said


def schema_of(body: Body) -> Any:
    """The schema that a request asks for, by `response_format` or in the words of a message."""
    if "response_format" in body:
        return body["response_format"]["json_schema"]["schema"]
    tail = text_of(body).split("JSON schema:", 1)[1].lstrip()
    return json.JSONDecoder().raw_decode(tail)[0]


def spoken(body: Body) -> str:
    """The text of a request without the schema that may stand in its words."""
    text = text_of(body)
    head, marker, tail = text.partition("JSON schema:")
    if not marker:
        return text
    tail = tail.lstrip()
    return head + tail[json.JSONDecoder().raw_decode(tail)[1] :]


def urls_of(body: Body) -> list[str]:
    """The pictures of a request, as data URLs in order."""
    parts = [
        part
        for message in body["messages"]
        for part in message.get("content") or ()
        if isinstance(part, dict)
    ]
    return [part["image_url"]["url"] for part in parts if part.get("type") == "image_url"]


def text_of(body: Body) -> str:
    """All text of a request."""
    texts: list[str] = []
    for message in body["messages"]:
        content = message.get("content") or ""
        if isinstance(content, str):
            texts.append(content)
        else:
            texts += [part["text"] for part in content if part.get("type") == "text"]
    return "\n".join(texts)


def biomes_in(text: str) -> set[str]:
    """The regions whose id stands in `text`."""
    return {biome for biome in BIOMES if re.search(rf"\b{biome}\b", text)}
