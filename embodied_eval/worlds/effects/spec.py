"""Effects as data: `{"trigger": {...}, "change": {...}, "target": "object", "once": bool}` and back."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from embodied_eval.errors import DataFileError
from embodied_eval.records import Json
from embodied_eval.worlds.effects import values
from embodied_eval.worlds.effects.changes import CHANGES
from embodied_eval.worlds.effects.standing import Change
from embodied_eval.worlds.effects.triggers import TRIGGERS, Trigger

SCHEMA = "embodied-eval/effects/1"
_KEYS = ("trigger", "change", "target", "once")
Part = TypeVar("Part", Trigger, Change)


@dataclass(frozen=True)
class Effect:
    """While (or when) `trigger`, `change` acts on the object `target` ("" where it needs none). `once`
    keeps the change from the first firing on and ignores the trigger from then."""

    trigger: Trigger
    change: Change
    target: str = ""
    once: bool = False

    @property
    def watched(self) -> str:
        """The object its trigger looks at, "" for none."""
        return self.trigger.subject(self.target)


def parse_effects(items: Sequence[Mapping[str, Json]], *, where: str = "effects") -> tuple[Effect, ...]:
    """The effects that `items` describe; the form is in `schema.json`.

    Raises DataFileError, naming `where` and the place in it, for a kind, key or value that is not legal.
    """
    if isinstance(items, (str, bytes, Mapping)) or not isinstance(items, Sequence):
        raise DataFileError(f"{where}: the effects must be a list, not {items!r}.")
    return tuple(_effect(item, f"{where}[{index}]") for index, item in enumerate(items))


def required_capabilities(effects: Iterable[Effect]) -> frozenset[str]:
    """The driver capabilities without which `effects` cannot be planted. Occlusion is not among them: a
    driver that cannot cast rays goes by the angle alone."""
    found: frozenset[str] = frozenset()
    for effect in effects:
        found |= effect.trigger.needs | effect.change.needs
    return found


def _effect(item: Json, where: str) -> Effect:
    _table(item, where, ("trigger", "change"), _KEYS)
    trigger = _part(TRIGGERS, "trigger", item["trigger"], f"{where}.trigger")
    change = _part(CHANGES, "change", item["change"], f"{where}.change")
    target = item.get("target", "")
    if not isinstance(target, str):
        raise DataFileError(f"{where}.target must be an object's name, not {target!r}.")
    once = item.get("once", False)
    if not isinstance(once, bool):
        raise DataFileError(f"{where}.once must be true or false, not {once!r}.")
    if change.on_target and not target:
        raise DataFileError(f"{where}: the change {change.kind!r} needs a target.")
    if trigger.watches and not trigger.subject(target):
        raise DataFileError(
            f"{where}: the trigger {trigger.kind!r} watches an object.",
            hint="Give the effect a target or the trigger an object.",
        )
    return Effect(trigger, change, target, once)


def _part(kinds: Mapping[str, type[Part]], what: str, item: Json, where: str) -> Part:
    if not isinstance(item, Mapping):
        raise DataFileError(f"{where} must be a table with a kind, not {item!r}.")
    kind = item.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        raise DataFileError(f"{where}: there is no {what} kind {kind!r}.", hint=nearest(kind, kinds))
    cls: type[Part] = kinds[kind]
    hints: dict[str, tuple[str, Any]] = {
        key.rstrip("_"): (key, hint) for key, hint in values.hints(cls).items()
    }
    needed = [name.rstrip("_") for name in values.required(cls)]
    _table(item, f"{where} ({kind})", needed, ("kind", *hints))
    given: dict[str, Any] = {}
    for key, value in item.items():
        if key == "kind":
            continue
        name, hint = hints[key]
        try:
            given[name] = values.read(hint, value)
        except ValueError as error:
            raise DataFileError(f"{where} ({kind}): {key} {error}.") from None
    one_of: tuple[str, ...] = getattr(cls, "one_of", ())
    if one_of and sum(name in given for name in one_of) != 1:
        raise DataFileError(f"{where} ({kind}): give exactly one of {', '.join(one_of)}.")
    try:
        return cls(**given)
    except ValueError as error:
        raise DataFileError(f"{where} ({kind}): {error}.") from None


def _table(item: Json, where: str, needed: Iterable[str], legal: Sequence[str]) -> None:
    if not isinstance(item, Mapping):
        raise DataFileError(f"{where} must be a table, not {item!r}.")
    for key in item:
        if key not in legal:
            raise DataFileError(f"{where}: there is no key {key!r}.", hint=nearest(key, legal))
    for key in needed:
        if key not in item:
            raise DataFileError(f"{where}: the key {key!r} is missing.")


def nearest(name: Json, legal: Iterable[str]) -> str:
    """A hint: the legal name nearest to `name`, or all of them (at most 20)."""
    known = sorted(legal)
    near = difflib.get_close_matches(str(name), known, n=1, cutoff=0.5)
    if near:
        return f"Did you mean {near[0]!r}?"
    return f"Legal: {', '.join(known[:20])}{' ...' if len(known) > 20 else ''}."


def json_schema() -> dict[str, Json]:
    """The JSON schema of a list of effects; `schema.json` beside this file holds it."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA,
        "title": "Planted effects",
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "trigger": {"oneOf": [_part_schema(cls) for cls in TRIGGERS.values()]},
                "change": {"oneOf": [_part_schema(cls) for cls in CHANGES.values()]},
                "target": {"type": "string"},
                "once": {"type": "boolean", "default": False},
            },
            "required": ["trigger", "change"],
            "additionalProperties": False,
        },
    }


def _part_schema(cls: type[Trigger] | type[Change]) -> dict[str, Json]:
    properties = {name.rstrip("_"): values.schema(hint) for name, hint in values.hints(cls).items()}
    made: dict[str, Json] = {
        "title": cls.kind,
        "description": " ".join((cls.__doc__ or "").split()),
        "type": "object",
        "properties": {"kind": {"const": cls.kind}, **properties},
        "required": ["kind", *(name.rstrip("_") for name in values.required(cls))],
        "additionalProperties": False,
    }
    one_of: tuple[str, ...] = getattr(cls, "one_of", ())
    if one_of:
        made["oneOf"] = [{"required": [name]} for name in one_of]
    return made
