"""Requests, replies and errors as JSON and back: what the cache and the cassettes keep."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from embodied_eval import errors
from embodied_eval.errors import ModelError, RateLimited
from embodied_eval.models.accounting import message_json
from embodied_eval.models.guard import Guard
from embodied_eval.models.types import Reply, Request, ToolCall
from embodied_eval.records import Json

SHOWN = 60


def request_json(request: Request) -> dict[str, Json]:
    """All of `request` that a reply may depend on: `model, sampling, schema, tools, messages`; images by
    hash. Holds no key, header or address."""
    made: dict[str, Json] = {
        "model": request.model,
        "sampling": dict(request.sampling),
        "schema": None if request.schema is None else dict(request.schema),
        "tools": [
            {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
            for tool in request.tools
        ],
        "messages": [message_json(message) for message in request.messages],
    }
    # Through JSON once, so that tuples and lists, read or made, are the same.
    plain: dict[str, Json] = json.loads(json.dumps(made))
    return plain


def digest(value: Json) -> str:
    """SHA-256 (hex) of `value` as JSON with sorted keys. Floats count in full."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def reply_of(stored: Mapping[str, Any]) -> Reply:
    """The reply that `accounting.reply_json` made `stored` of, without tokens and cost. Raises KeyError,
    TypeError or ValueError for anything else."""
    calls = tuple(
        ToolCall(
            str(call["id"]),
            str(call["name"]),
            dict(call["arguments"]),
            str(call.get("raw", "")),
            str(call.get("error", "")),
        )
        for call in stored.get("tool_calls", ())
    )
    return Reply(str(stored["text"]), calls, stored.get("parsed"), str(stored["finish"]))


def error_json(error: ModelError, guard: Guard) -> dict[str, Json]:
    """`error` with its kind and what it says, credentials removed."""
    return {
        "kind": error.kind,
        "message": guard.error(error.message),
        "hint": guard.error(error.hint),
        "status": error.status,
        "retry_after_s": error.retry_after_s if isinstance(error, RateLimited) else None,
    }


def error_of(stored: Mapping[str, Any], model: str) -> ModelError:
    """The error that `error_json` made `stored` of. Raises KeyError or ValueError for anything else."""
    kind = getattr(errors, str(stored["kind"]), None)
    if not (isinstance(kind, type) and issubclass(kind, ModelError)):
        raise ValueError(f"{stored['kind']!r} is no error of a model")
    made = kind(str(stored["message"]), model=model, status=stored["status"], hint=str(stored["hint"]))
    if isinstance(made, RateLimited):
        made.retry_after_s = stored["retry_after_s"]
    return made


def difference(there: Json, here: Json, where: str = "") -> tuple[str, str, str] | None:
    """The first place in which two JSON values differ, as (path, what is `there`, what is `here`), each
    value shortened to where it departs; None where they are equal."""
    if there == here:
        return None
    if isinstance(there, Mapping) and isinstance(here, Mapping):
        pairs = [(f"{where}.{key}".lstrip("."), there.get(key), here.get(key)) for key in {**there, **here}]
    elif isinstance(there, list) and isinstance(here, list):
        pairs = [(f"{where}[{n}]", a, b) for n, (a, b) in enumerate(zip(there, here, strict=False))]
    else:
        return (where, *_departing(there, here))
    for path, a, b in pairs:
        found = difference(a, b, path)
        if found is not None:
            return found
    if isinstance(there, list) and len(there) != len(here):
        return where, f"{len(there)} items", f"{len(here)} items"
    return None


def _departing(there: Json, here: Json) -> tuple[str, str]:
    if not (isinstance(there, str) and isinstance(here, str)):
        return _short(json.dumps(there)), _short(json.dumps(here))
    common = next((n for n, (a, b) in enumerate(zip(there, here, strict=False)) if a != b), None)
    start = max(0, (min(len(there), len(here)) if common is None else common) - 20)
    dots = "..." if start else ""
    return repr(_short(dots + there[start:])), repr(_short(dots + here[start:]))


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
