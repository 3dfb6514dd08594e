import pytest
from hypothesis import given
from hypothesis import strategies as st

from embodied_eval.errors import ConfigError
from embodied_eval.models.schema import (
    check_schema,
    instruction,
    parse_arguments,
    parse_reply,
    repair_text,
    validate,
)

VERDICT = {
    "type": "object",
    "properties": {
        "score": {"type": "number", "minimum": 0, "maximum": 1},
        "reason": {"type": "string", "minLength": 1, "maxLength": 20},
        "refs": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2},
        "kind": {"enum": ["a", "b", 1]},
        "note": {"anyOf": [{"type": "null"}, {"type": "string"}]},
        "version": {"const": 1},
    },
    "required": ["score"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        ({"score": 0.5}, ""),
        ({"score": 1, "reason": "x", "refs": ["a0"], "kind": 1, "note": None, "version": 1}, ""),
        ({}, "answer.score is missing"),
        ({"score": "high"}, "answer.score must be of type number, not string"),
        ({"score": True}, "must be of type number, not boolean"),
        ({"score": 2}, "answer.score is 2; at most 1"),
        ({"score": -1}, "at least 0"),
        ({"score": 0, "extra": 1}, "answer.extra is not allowed"),
        ({"score": 0, "refs": []}, "answer.refs has 0 items; at least 1"),
        ({"score": 0, "refs": ["a", "b", "c"]}, "at most 2"),
        ({"score": 0, "refs": ["a", 3]}, "answer.refs[1] must be of type string"),
        ({"score": 0, "reason": ""}, "0 characters"),
        ({"score": 0, "reason": "x" * 21}, "at most 20"),
        ({"score": 0, "kind": True}, 'legal: "a", "b", 1'),
        ({"score": 0, "note": 3}, "none of the 2 allowed forms"),
        ({"score": 0, "version": 2}, "answer.version must be 1"),
        ([], "answer must be of type object, not array"),
        (None, "not null"),
    ],
)
def test_validate(value: object, wrong: str) -> None:
    check_schema(VERDICT)
    errors = validate(value, VERDICT)
    assert (not errors) if not wrong else any(wrong in error for error in errors), errors


def test_integers() -> None:
    assert validate(2.0, {"type": "integer"}) == []
    assert validate(2.5, {"type": "integer"}) and validate(True, {"type": "integer"})
    assert validate(None, {"type": ["string", "null"]}) == []


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "patternProperties": {}},
        {"type": "object", "properties": {"a": {"$ref": "#/x"}}},
        {"type": "array", "items": {"type": "float"}},
        {"anyOf": [{"type": "string"}, {"oneOf": []}]},
        {"additionalProperties": {"type": "string"}},
    ],
)
def test_unknown_keywords_are_refused(schema: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        check_schema(schema)


def test_refusal_names_the_place() -> None:
    with pytest.raises(ConfigError, match=r"schema\.properties\.a uses '\$ref'"):
        check_schema({"properties": {"a": {"$ref": "#/x"}}})


@pytest.mark.parametrize(
    "text",
    ['{"a": 1}', '  {"a": 1}\n', '```json\n{"a": 1}\n```', 'Here it is:\n```\n{"a": 1}\n```\nDone.'],
)
def test_parse_reply(text: str) -> None:
    assert parse_reply(text) == ({"a": 1}, "")


@pytest.mark.parametrize(
    "text", ["", "no", "{'a': 1}", '{"a": NaN}', "[" * 100_000, "```\n1\n```\n```\n2\n```"]
)
def test_parse_reply_says_what_is_wrong(text: str) -> None:
    value, problem = parse_reply(text)
    assert value is None and problem


def test_parse_arguments() -> None:
    assert parse_arguments("") == ({}, "")
    assert parse_arguments('{"x": 1}') == ({"x": 1}, "")
    assert "must be a JSON object, not array" in parse_arguments("[1]")[1]
    assert "not valid JSON" in parse_arguments("{x}")[1]
    assert "Infinity" in parse_arguments('{"x": Infinity}')[1]


def test_arguments_can_be_stored() -> None:
    assert "too large" in parse_arguments('{"x": -1e999}')[1]
    assert parse_arguments('{"x": "a\\ud800b \\u00e4"}')[0] == {"x": "a?b ä"}
    assert parse_arguments('{"x": "\\ud83d\\ude00"}')[0] == {"x": "😀"}
    deep = '{"x": ' + "[" * 64 + "]" * 64 + "}"
    assert "nested more than 64 levels" in parse_arguments(deep)[1]
    assert parse_arguments('{"x": "' + "[" * 200 + '"}')[1] == ""
    assert parse_arguments('{"x": [' + ", ".join(["[]"] * 200) + "]}")[1] == ""


def test_repair_text_shows_errors_and_schema() -> None:
    text = repair_text(["answer.score is missing"], VERDICT)
    assert "answer.score is missing" in text and instruction(VERDICT) in text


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.text(), x),
    )
)
def test_any_value_is_judged_without_failing(value: object) -> None:
    assert isinstance(validate(value, VERDICT), list)
    assert validate(value, {}) == []
