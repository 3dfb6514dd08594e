"""JSON-schema validation of model replies: the subset this project uses, and the words of a repair turn.

Keywords: type, properties, required, additionalProperties (boolean), enum, const, items, minimum, maximum,
minItems, maxItems, minLength, maxLength, anyOf; title and description are notes. Any other is refused.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import NoReturn

from embodied_eval.errors import ConfigError
from embodied_eval.records import Json

KEYWORDS = frozenset(
    {"type", "properties", "required", "additionalProperties", "enum", "const", "items", "minimum", "maximum"}
    | {"minItems", "maxItems", "minLength", "maxLength", "anyOf", "title", "description"}
)
TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})
MOST_ERRORS = 8
DEEPEST = 64
_OUTSIDE = re.compile(r'"(?:[^"\\]|\\.)*"|[^\[\]{}]', re.DOTALL)
_FENCE = re.compile(r"```[A-Za-z0-9_-]*[ \t]*\n(.*?)```", re.DOTALL)


def check_schema(schema: Mapping[str, Json], where: str = "schema") -> None:
    """Raise ConfigError for a keyword or type outside the subset, naming where it stands."""
    if not isinstance(schema, Mapping):
        raise ConfigError(f"{where} is {schema!r}, not a JSON object.")
    unknown = sorted(set(schema) - KEYWORDS)
    if unknown:
        raise ConfigError(
            f"{where} uses {', '.join(map(repr, unknown))}.",
            hint=f"Supported: {', '.join(sorted(KEYWORDS))}.",
        )
    strange = [name for name in _types(schema) if name not in TYPES]
    if strange:
        raise ConfigError(f"{where} has type {strange[0]!r}.", hint=f"Legal: {', '.join(sorted(TYPES))}.")
    if not isinstance(schema.get("additionalProperties", True), bool):
        raise ConfigError(f"{where}.additionalProperties must be true or false.")
    for name, item in schema.get("properties", {}).items():
        check_schema(item, f"{where}.properties.{name}")
    if "items" in schema:
        check_schema(schema["items"], f"{where}.items")
    for index, item in enumerate(schema.get("anyOf", ())):
        check_schema(item, f"{where}.anyOf[{index}]")


def validate(value: Json, schema: Mapping[str, Json], where: str = "answer") -> list[str]:
    """What is wrong with `value` under `schema`, as sentences that a model can act on; [] when valid.

    Keywords mean what JSON Schema 2020-12 says; 1.0 is an integer, true is no number.
    """
    if "anyOf" in schema:
        branches = [validate(value, branch, where) for branch in schema["anyOf"]]
        if all(branches):
            return [f"{where} fits none of the {len(branches)} allowed forms: {min(branches, key=len)[0]}"]
    if "const" in schema and not _same(value, schema["const"]):
        return [f"{where} must be {json.dumps(schema['const'])}"]
    if "enum" in schema and not any(_same(value, legal) for legal in schema["enum"]):
        return [f"{where} is {_shown(value)}; legal: {', '.join(map(json.dumps, schema['enum']))}"]
    types = _types(schema)
    if types and not any(_is(value, name) for name in types):
        return [f"{where} must be of type {' or '.join(types)}, not {_type_name(value)}"]
    errors: list[str] = []
    if isinstance(value, Mapping):
        errors += _object_errors(value, schema, where)
    elif isinstance(value, list):
        errors += _size_errors(len(value), schema, "Items", where, "items")
        for index, item in enumerate(value):
            errors += validate(item, schema.get("items", {}), f"{where}[{index}]")
    elif isinstance(value, str):
        errors += _size_errors(len(value), schema, "Length", where, "characters")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        if "minimum" in schema and value < schema["minimum"]:
            errors.append(f"{where} is {value}; at least {schema['minimum']}")
        if "maximum" in schema and value > schema["maximum"]:
            errors.append(f"{where} is {value}; at most {schema['maximum']}")
    return errors[:MOST_ERRORS]


def _object_errors(value: Mapping[str, Json], schema: Mapping[str, Json], where: str) -> list[str]:
    properties = schema.get("properties", {})
    errors = [f"{where}.{name} is missing" for name in schema.get("required", ()) if name not in value]
    if schema.get("additionalProperties", True) is False:
        errors += [f"{where}.{name} is not allowed" for name in value if name not in properties]
    for name, item in value.items():
        if name in properties:
            errors += validate(item, properties[name], f"{where}.{name}")
    return errors


def _size_errors(size: int, schema: Mapping[str, Json], what: str, where: str, unit: str) -> list[str]:
    low, high = schema.get(f"min{what}"), schema.get(f"max{what}")
    errors = [f"{where} has {size} {unit}; at least {low}"] if low is not None and size < low else []
    return errors + (
        [f"{where} has {size} {unit}; at most {high}"] if high is not None and size > high else []
    )


def parse_reply(text: str) -> tuple[Json, str]:
    """The JSON value in a model's reply and "", or None and why there is none.

    The whole text may be the value, or the text may hold it in its one code fence.
    """
    stripped = text.strip()
    fences = _FENCE.findall(stripped)
    if len(fences) == 1 and not stripped.startswith(("{", "[", '"')):
        stripped = fences[0].strip()
    if not stripped:
        return None, "the answer is empty"
    try:
        return _loads(stripped), ""
    except (ValueError, RecursionError) as error:
        return None, f"the answer is not valid JSON: {error}"


def parse_arguments(text: str) -> tuple[dict[str, Json], str]:
    """A tool call's arguments and "", or {} and why they are not a JSON object. Empty text is {}."""
    if not text.strip():
        return {}, ""
    try:
        value = _loads(text)
    except (ValueError, RecursionError) as error:
        return {}, f"The arguments are not valid JSON: {error}."
    if not isinstance(value, dict):
        return {}, f"The arguments must be a JSON object, not {_type_name(value)}."
    return value, ""


def instruction(schema: Mapping[str, Json]) -> str:
    """The words that ask for `schema` where a provider has no parameter for it."""
    return (
        "Answer with one JSON value and nothing else: no explanation, no code fence. It must match this "
        f"JSON schema: {json.dumps(schema, ensure_ascii=False)}"
    )


def repair_text(errors: Sequence[str], schema: Mapping[str, Json]) -> str:
    """What a model is told after a reply that cannot be used."""
    listed = "\n".join(f"- {error}" for error in errors[:MOST_ERRORS])
    return f"Your answer cannot be used:\n{listed}\n{instruction(schema)}"


def _types(schema: Mapping[str, Json]) -> list[str]:
    named = schema.get("type", [])
    return [named] if isinstance(named, str) else list(named)


def _is(value: Json, name: str) -> bool:
    if name == "integer":
        return not isinstance(value, bool) and (
            isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        )
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return _type_name(value) == name


def _type_name(value: Json) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    return "object" if isinstance(value, Mapping) else "array"


def _same(value: Json, other: Json) -> bool:
    return bool(isinstance(value, bool) == isinstance(other, bool) and value == other)


def _shown(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def _loads(text: str) -> Json:
    """`text` as JSON that can be stored again: finite numbers, real characters, at most 64 levels."""
    if text.count("[") + text.count("{") > DEEPEST and _depth(text) > DEEPEST:
        raise ValueError(f"it is nested more than {DEEPEST} levels deep")
    value = json.loads(text, parse_constant=_no_constant, parse_float=_finite)
    if "\\u" in text:
        # Escapes may name half a character, which no file can hold.
        value = json.loads(real_text(json.dumps(value, ensure_ascii=False)))
    return value


def real_text(text: str) -> str:
    """`text` with halves of surrogate pairs replaced by "?", so that it can be written as UTF-8."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _depth(text: str) -> int:
    deepest = level = 0
    for mark in _OUTSIDE.sub("", text):
        level += (mark in "[{") - (mark in "]}")
        deepest = max(deepest, level)
    return deepest


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is too large")
    return number


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
