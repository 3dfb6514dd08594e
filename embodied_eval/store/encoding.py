"""A record as one line of JSON: always valid, never holding a secret from the environment.

- Lone surrogates become U+FFFD, so that whatever is stored can be written as UTF-8 anywhere.
- Floats that JSON lacks become the strings "NaN", "Infinity" and "-Infinity".
- What is nested deeper than 100 levels becomes "[nested too deep]": a reply may be anything.
- The value of any environment variable whose name ends in KEY, TOKEN or SECRET (8 characters or more)
  becomes "[secret]" wherever it occurs in a string.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from typing import Any

from embodied_eval.errors import PluginError
from embodied_eval.records import Json, field_names

SECRET = "[secret]"
TOO_DEEP = "[nested too deep]"
MAX_DEPTH = 100
_SHORTEST_SECRET = 8
_SURROGATE = re.compile("[\ud800-\udfff]")
# Fields of ours at a line's top level whose values a secret may equal by chance ("completed").
_STRUCTURAL = frozenset({"line", "schema", "episode_key", "attempt", "status", "sha256"})


def _object(value: Any) -> dict[str, Any]:
    """What the encoder makes of a value JSON has no word for: a record or a mapping becomes an object."""
    if is_dataclass(value) and not isinstance(value, type):
        return as_json(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


_encoder = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"), default=_object)


@cache
def secrets() -> tuple[str, ...]:
    """The values that must not be written, longest first; read from the environment once."""
    found = {
        value
        for name, value in os.environ.items()
        if name.upper().endswith(("KEY", "TOKEN", "SECRET")) and len(value) >= _SHORTEST_SECRET
    }
    return tuple(sorted(found, key=lambda value: (-len(value), value)))


def without_secrets(text: str) -> str:
    """`text` with every secret replaced by "[secret]"."""
    for secret in secrets():
        if secret in text:
            text = text.replace(secret, SECRET)
    return text


def encode(value: Any) -> bytes:
    """`value` as JSON in ASCII on one line, without the line's end.

    Raises PluginError for what JSON does not know (a set, an array): whoever recorded it has to mend that.
    """
    try:
        text = _text(value)
        # More brackets than levels allowed: the depth must be looked at. Text may hold brackets too.
        if text.count("[") + text.count("{") > MAX_DEPTH:
            text = _text(_capped(value, MAX_DEPTH))
    except RecursionError:
        text = _text(_capped(value, MAX_DEPTH))
    if "\\ud" in text:
        text = _encoder.encode(_walk(json.loads(text), _without_surrogates))
    if any(part in text for part in _escaped_secrets()):
        text = _encoder.encode(_redacted(json.loads(text)))
    return text.encode("ascii")


def as_json(record: Any) -> dict[str, Any]:
    """A record as an object to `encode`, which does the same to the records in it."""
    return {name: getattr(record, name) for name in field_names(record)}


def _text(value: Any) -> str:
    try:
        try:
            return _encoder.encode(value)
        except ValueError:  # a float that is not finite
            return _encoder.encode(_walk(_capped(value, MAX_DEPTH), lambda item: item))
    except (TypeError, ValueError) as error:
        raise PluginError(f"A value cannot be stored as JSON: {error}.") from error


def _capped(value: Any, levels: int) -> Any:
    """`value` with everything below `levels` levels replaced by a note; records become objects."""
    if is_dataclass(value) and not isinstance(value, type):
        value = as_json(value)
    if isinstance(value, (Mapping, list, tuple)) and not levels:
        return TOO_DEEP
    if isinstance(value, Mapping):
        return {key: _capped(item, levels - 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_capped(item, levels - 1) for item in value]
    return value


def decode(line: bytes) -> Json:
    """The value of a line. Raises ValueError where it is no JSON; surrogates never come back alone."""
    value = json.loads(line.decode("utf-8"))
    return _walk(value, _without_surrogates) if b"\\ud" in line else value


def json_text(value: Json) -> str:
    """`value`, as read from a spool, as JSON for a column: readable, other scripts not escaped."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError:
        return json.dumps(_walk(value, _without_surrogates), ensure_ascii=False, separators=(",", ":"))


@cache
def _escaped_secrets() -> tuple[str, ...]:
    return tuple(_encoder.encode(secret)[1:-1] for secret in secrets())


def _redacted(value: Json) -> Json:
    if not isinstance(value, Mapping):
        return _walk(value, without_secrets)
    return {
        key if key in _STRUCTURAL else without_secrets(key): item
        if key in _STRUCTURAL
        else _walk(item, without_secrets)
        for key, item in value.items()
    }


def _without_surrogates(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text)


def _walk(value: Any, clean: Callable[[str], str]) -> Json:
    """`value` rebuilt with `clean` applied to every string and key, and no float that JSON lacks."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Mapping):
        return {clean(str(key)): _walk(item, clean) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_walk(item, clean) for item in value]
    return value
