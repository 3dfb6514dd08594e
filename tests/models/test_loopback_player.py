"""The loopback player plays any set of tools with arguments that their schemas allow."""

import json
from typing import Any

from embodied_eval.models.schema import validate
from tests.loopback import Say, worldaudit_player


def tool(name: str, properties: dict[str, Any], required: list[str] | None = None) -> dict[str, Any]:
    parameters = {
        "type": "object",
        "properties": properties,
        "required": list(properties) if required is None else required,
        "additionalProperties": False,
    }
    return {"type": "function", "function": {"name": name, "description": name, "parameters": parameters}}


REFS = {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 4}
TOOLS = [
    tool("done", {"summary": {"type": "string"}}),
    tool("observe", {}),
    tool("turn", {"degrees": {"type": "number", "minimum": -30, "maximum": 30}}),
    tool(
        "move", {"direction": {"enum": ["forward", "back"]}, "distance_m": {"type": "number", "maximum": 0.5}}
    ),
    tool("look", {"degrees": {"type": "integer"}}),
    tool(
        "flag_bug",
        {"description": {"type": "string"}, "status": {"enum": ["suspect"]}, "evidence": REFS},
        ["description"],
    ),
]


def test_an_episode() -> None:
    play, messages, played = worldaudit_player(), [{"role": "user", "content": "go"}], []
    schemas = {t["function"]["name"]: t["function"]["parameters"] for t in TOOLS}
    for n in range(12):
        say = play({"tools": TOOLS, "messages": messages}, n)
        assert isinstance(say, Say)
        for name, arguments in say.calls:
            assert validate(arguments, schemas[name]) == []
            if name == "flag_bug":
                assert arguments["evidence"] == ["a0"] and "floats" in arguments["description"]
        played.append("+".join(name for name, _ in say.calls))
        messages.append({"role": "assistant", "content": say.text})
    assert played[:7] == ["observe", "turn+look", "move", "turn", "move", "flag_bug", "done"]
    assert played[7:] == ["turn", "done", "turn", "done", "turn"]


def test_an_answer_by_schema() -> None:
    schema = {
        "type": "object",
        "properties": {"score": {"type": "number", "maximum": 0.5}},
        "required": ["score"],
    }
    play = worldaudit_player()
    asked = {"messages": [{"role": "system", "content": f"Judge. JSON schema: {json.dumps(schema)}"}]}
    shaped = {"messages": [], "response_format": {"type": "json_schema", "json_schema": {"schema": schema}}}
    for body in (asked, shaped):
        say = play(body, 0)
        assert isinstance(say, Say) and json.loads(say.text) == {"score": 0.5}
