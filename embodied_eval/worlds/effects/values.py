"""Reading the fields of triggers and changes from JSON by their type hints, and their JSON schema.

One source for both: a field's annotation. Ranges are `Annotated[float, Range(...)]`.
"""

from __future__ import annotations

import math
import types
from dataclasses import MISSING, dataclass, fields
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from embodied_eval.records import Json


@dataclass(frozen=True)
class Range:
    """Limits of a number: `minimum` and `maximum` are allowed, `above` is not."""

    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None


NotNegative = Annotated[float, Range(minimum=0.0)]
Metres = NotNegative
Seconds = NotNegative
Dot = Annotated[float, Range(minimum=-1.0, maximum=1.0)]
Factor = Annotated[float, Range(above=0.0)]
Share = Annotated[float, Range(minimum=0.0, maximum=1.0)]
Rgb = tuple[Share, Share, Share]
Factors = tuple[Factor, Factor, Factor]


def hints(cls: type) -> dict[str, Any]:
    """The annotation of each dataclass field of `cls`, ranges included, in order."""
    found = get_type_hints(cls, include_extras=True)
    return {item.name: found[item.name] for item in fields(cls)}


def required(cls: type) -> tuple[str, ...]:
    """The fields of `cls` that have no default."""
    return tuple(
        item.name for item in fields(cls) if item.default is MISSING and item.default_factory is MISSING
    )


def read(hint: Any, value: Json) -> Any:
    """`value` as what `hint` says. Raises ValueError with "must be ..., not ..."."""
    if not _fits(hint, value):
        raise ValueError(f"must be {describe(hint)}, not {value!r}")
    return _converted(hint, value)


def _fits(hint: Any, value: Json) -> bool:
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _fits(args[0], value) and _within(args[1], float(value))
    if origin in (Union, types.UnionType):
        return any(_fits(arm, value) for arm in args if arm is not type(None))
    if origin is Literal:
        return isinstance(value, str) and value in args
    if origin is tuple:
        if not isinstance(value, (list, tuple)):
            return False
        if args[-1] is Ellipsis:
            return len(value) > 0 and all(_fits(args[0], item) for item in value)
        return len(value) == len(args) and all(map(_fits, args, value))
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if hint is str:
        return isinstance(value, str) and value != ""
    return isinstance(value, bool)


def _converted(hint: Any, value: Json) -> Any:
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _converted(args[0], value)
    if origin in (Union, types.UnionType):
        arm = next(arm for arm in args if arm is not type(None) and _fits(arm, value))
        return _converted(arm, value)
    if origin is tuple:
        items = [args[0]] * len(value) if args[-1] is Ellipsis else args
        return tuple(_converted(item, part) for item, part in zip(items, value, strict=True))
    return float(value) if hint is float else value


def _within(limits: Range, value: float) -> bool:
    return (
        (limits.minimum is None or value >= limits.minimum)
        and (limits.maximum is None or value <= limits.maximum)
        and (limits.above is None or value > limits.above)
    )


def describe(hint: Any) -> str:
    """What a value of `hint` looks like, for error messages."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        limits: Range = args[1]
        if limits.minimum is not None and limits.maximum is not None:
            return f"a number from {limits.minimum:g} to {limits.maximum:g}"
        if limits.above is not None:
            return f"a number above {limits.above:g}"
        return f"a number of at least {limits.minimum:g}"
    if origin in (Union, types.UnionType):
        return " or ".join(describe(arm) for arm in args if arm is not type(None))
    if origin is Literal:
        return "one of " + ", ".join(map(repr, args))
    if origin is tuple:
        if args[-1] is Ellipsis:
            return f"a list of one or more, each {describe(args[0])}"
        return f"a list of {len(args)} numbers" + ("" if args[0] is float else f" ({describe(args[0])})")
    return {float: "a number", str: "a name", bool: "true or false"}[hint]


def schema(hint: Any) -> dict[str, Json]:
    """The JSON schema of a value of `hint`."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        limits: Range = args[1]
        bounds = {
            "minimum": limits.minimum,
            "maximum": limits.maximum,
            "exclusiveMinimum": limits.above,
        }
        return {**schema(args[0]), **{key: bound for key, bound in bounds.items() if bound is not None}}
    if origin in (Union, types.UnionType):
        arms = [schema(arm) for arm in args if arm is not type(None)]
        return arms[0] if len(arms) == 1 else {"anyOf": arms}
    if origin is Literal:
        return {"type": "string", "enum": list(args)}
    if origin is tuple:
        if args[-1] is Ellipsis:
            return {"type": "array", "items": schema(args[0]), "minItems": 1}
        return {
            "type": "array",
            "items": schema(args[0]),
            "minItems": len(args),
            "maxItems": len(args),
        }
    if hint is float:
        return {"type": "number"}
    if hint is str:
        return {"type": "string", "minLength": 1}
    return {"type": "boolean"}
