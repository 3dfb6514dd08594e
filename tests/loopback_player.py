"""A model for the loopback server that plays any tool-calling episode by reading the tools' schemas."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.loopback import Body, Say

PLAN: tuple[tuple[tuple[str, ...], ...], ...] = (
    (("read_example", "read"),),
    (("observe",),),
    (("turn", "rotate"), ("look",)),
    (("move", "walk", "go"),),
    (("turn", "rotate"),),
    (("move", "walk", "go"),),
    (("interact",),),
    (("flag_bug", "flag", "report"),),
)
END = ("done", "finish", "submit", "stop")
KEEP_GOING = ("turn", "rotate", "move", "walk", "wait", "observe")

NUMBERS = {"distance": 1.0, "degrees": 45.0, "yaw": 45.0, "pitch": -10.0, "seconds": 1.0, "score": 1.0}
STRINGS = {
    "description": "The chair by the table floats 40 cm above the floor with nothing under it.",
    "summary": "Looked round the room and reported one chair that floats above the floor.",
    "reason": "The cited frame shows it.",
    "title": "Floating chair",
    "text": "The chair by the table seems to float.",
}
REFS = ("evidence", "refs", "frames", "ref")


def player() -> Callable[[Body, int], Say]:
    """Answers by the turn the conversation is in: read, observe, turn and look, move ..., flag, done.

    Where the end is refused (a budget that must be used up) it keeps turning between attempts to end. With
    no tools it answers with a plausible value of the schema asked for, or with a sentence.
    """
    from tests.loopback import Say

    def respond(body: Body, n: int) -> Say:
        tools = {tool["function"]["name"]: tool["function"] for tool in body.get("tools") or ()}
        if not tools:
            schema = _schema(body)
            return Say(json.dumps(plausible(schema)) if schema else "I would need tools to look around.")
        turn = sum(message["role"] == "assistant" for message in body["messages"])
        plan = [slot for slot in (_names(wanted, tools) for wanted in PLAN) if slot]
        if turn < len(plan):
            names = plan[turn]
        else:
            past = turn - len(plan)
            names = _names((END if past % 2 == 0 else KEEP_GOING,), tools) or [next(iter(tools))]
        calls = [(name, plausible(tools[name].get("parameters") or {})) for name in names]
        return Say(f"Turn {turn + 1}: {' and '.join(names)}.", calls)

    return respond


def plausible(schema: Mapping[str, Any], key: str = "") -> Any:
    """A value that `schema` allows: required properties only, words and numbers by the property's name."""
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return plausible(schema["anyOf"][0], key)
    kind = schema.get("type", "object" if "properties" in schema else "string")
    if isinstance(kind, list):
        kind = kind[0]
    if kind == "object":
        wanted = [
            *schema.get("required", ()),
            *(k for k in ("evidence",) if k in schema.get("properties", {})),
        ]
        return {name: plausible(schema["properties"][name], name) for name in dict.fromkeys(wanted)}
    if kind == "array":
        return [plausible(schema.get("items", {}), key)] * max(1, schema.get("minItems", 1))
    if kind in ("number", "integer"):
        number = next((value for word, value in NUMBERS.items() if word in key), 1.0)
        number = min(max(number, schema.get("minimum", number)), schema.get("maximum", number))
        return int(number) if kind == "integer" else number
    if kind == "boolean":
        return True
    if kind == "null":
        return None
    if any(word in key for word in REFS):
        return "a0"
    text = next((value for word, value in STRINGS.items() if word in key), "chair")
    return text[: schema.get("maxLength", len(text))]


def _names(wanted: tuple[tuple[str, ...], ...], tools: Mapping[str, Any]) -> list[str]:
    """For each tuple of alternatives, the first tool offered that has one of these names or begins so."""
    made = []
    for alternatives in wanted:
        found = next(
            (tool for word in alternatives for tool in tools if tool == word or tool.startswith(word + "_")),
            None,
        )
        if found and found not in made:
            made.append(found)
    return made


def _schema(body: Body) -> Mapping[str, Any] | None:
    """The schema asked for, by `response_format` or in the words of a message."""
    shape = body.get("response_format") or {}
    if shape.get("type") == "json_schema":
        return dict(shape["json_schema"]["schema"])
    marker = "JSON schema:"
    for message in body["messages"]:
        content = message.get("content") or ""
        parts = [content] if isinstance(content, str) else [part.get("text", "") for part in content]
        for text in parts:
            if marker in text:
                tail = text.split(marker, 1)[1].lstrip()
                return dict(json.JSONDecoder().raw_decode(tail)[0])
    return None
