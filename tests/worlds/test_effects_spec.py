"""Effects as data: the schema file, and what is refused with which words."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from embodied_eval.errors import DataFileError
from embodied_eval.records import Json
from embodied_eval.worlds.effects import json_schema, parse_effects
from embodied_eval.worlds.effects.changes import CHANGES, Impulse
from embodied_eval.worlds.effects.standing import Scale
from embodied_eval.worlds.effects.triggers import TRIGGERS, Contact
from embodied_eval.worlds.effects.values import hints

SIGHT = {"seen_dot": 0.8, "unseen_dot": 0.1, "max_m": 6.5, "occlusion": False, "object": "b"}
TRIGGER_DATA: list[dict[str, Json]] = [
    {"kind": "always"},
    {"kind": "after", "t_s": 3},
    {"kind": "distance", "enter_m": 2.6, "exit_m": 5, "when": "far", "object": "b"},
    {"kind": "gaze", "when": "unseen", **SIGHT},
    {"kind": "half_space", "axis": "z", "value": -1, "side": "below"},
    {"kind": "leave_return", "near_m": 2, "far_m": 8, **SIGHT},
    {"kind": "contact", "with": "b", "object": "a"},
    {"kind": "interact", "object": "b"},
    {"kind": "seen_unseen", "seen_s": 0.5, "unseen_s": 2, **SIGHT},
]
CHANGE_DATA: list[dict[str, Json]] = [
    {"kind": "offset", "by_m": [0, 0, 0.6]},
    {"kind": "rotate", "by_deg": [0, 30, 0]},
    {"kind": "scale", "by": 3},
    {"kind": "scale", "by": [1, 1, 2]},
    {"kind": "hide"},
    {"kind": "show"},
    {"kind": "recolour", "rgb": [1, 0, 1]},
    {"kind": "collision", "on": False},
    {"kind": "blocker", "center_m": [0, 0, 1], "size_m": [1, 0.2, 2]},
    {"kind": "duplicate", "offsets_m": [[1, 0, 0], [0, 1, 0]]},
    {"kind": "spawn", "item": "cannon", "position_m": [1, 2, 0], "yaw_deg": 45},
    {"kind": "impulse", "velocity_m_s": [0, 0, 5]},
    {"kind": "impulse", "speed_m_s": 6, "direction": "up"},
    {"kind": "impulse", "gain": 4, "min_speed_m_s": 2},
    {"kind": "state", "to": "open"},
    {"kind": "light", "name": "sun", "on": True, "intensity": 0.2, "color": [1, 0.5, 0.2]},
    {"kind": "shadow", "on": False},
    {"kind": "shadow_offset", "by_m": [1, 0, 0]},
    {"kind": "retexture", "material": "missing"},
    {"kind": "replace", "item": "cannon"},
    {"kind": "replace", "item": "cannon", "yaw_deg": 90, "scale": [1, 1, 2]},
    {"kind": "jitter", "amp_m": 0.05, "hz": 3},
]
HIDE = {"kind": "hide"}
ALWAYS = {"kind": "always"}


def make(trigger: Any = ALWAYS, change: Any = HIDE, **more: Json) -> list[dict[str, Json]]:
    return [{"trigger": trigger, "change": change, "target": "a", **more}]


def accepted_by_schema(data: Json) -> bool:
    return bool(jsonschema.Draft202012Validator(json_schema()).is_valid(data))


def test_the_schema_file_is_what_the_code_reads() -> None:
    text = resources.files("embodied_eval.worlds.effects").joinpath("schema.json").read_text("utf-8")
    assert json.loads(text) == json_schema()
    jsonschema.Draft202012Validator.check_schema(json_schema())


def test_the_examples_name_every_kind() -> None:
    assert {item["kind"] for item in TRIGGER_DATA} == TRIGGERS.keys()
    assert {item["kind"] for item in CHANGE_DATA} == CHANGES.keys()


def test_the_document_explains_every_kind_and_field() -> None:
    text = (Path(__file__).parents[2] / "docs" / "effects.md").read_text("utf-8")
    for kinds in (TRIGGERS, CHANGES):
        for kind, cls in kinds.items():
            assert f"`{kind}`" in text
            assert all(f"`{name.rstrip('_')}`" in text for name in hints(cls)), kind
    for cls in CHANGES.values():
        assert all(f"`{need}`" in text for need in cls.needs)


@pytest.mark.parametrize("trigger", TRIGGER_DATA, ids=lambda item: item["kind"])
def test_triggers_are_read(trigger: dict[str, Json]) -> None:
    (effect,) = parse_effects(make(trigger, once=True))
    assert effect.once and type(effect.trigger) is TRIGGERS[trigger["kind"]]
    for key, value in trigger.items():
        if key != "kind":
            read = getattr(effect.trigger, "with_" if key == "with" else key)
            assert read == value
    assert accepted_by_schema(make(trigger, once=True))


@pytest.mark.parametrize("change", CHANGE_DATA, ids=lambda item: item["kind"])
def test_changes_are_read(change: dict[str, Json]) -> None:
    (effect,) = parse_effects(make(change=change))
    assert type(effect.change) is CHANGES[change["kind"]]
    assert accepted_by_schema(make(change=change))
    assert hash(effect) is not None


def test_numbers_become_floats_and_lists_tuples() -> None:
    (effect,) = parse_effects(make(change={"kind": "scale", "by": 2}))
    assert isinstance(effect.change, Scale) and type(effect.change.by) is float
    (effect,) = parse_effects(make(change={"kind": "impulse", "velocity_m_s": [1, 0, 0]}))
    assert isinstance(effect.change, Impulse) and effect.change.velocity_m_s == (1.0, 0.0, 0.0)
    (effect,) = parse_effects(make({"kind": "contact"}))
    assert isinstance(effect.trigger, Contact) and effect.trigger.with_ == "agent"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (make({"kind": "alway"}), "effects[0].trigger: there is no trigger kind 'alway'. Did you mean"),
        (make(change={"kind": "recolor", "rgb": [0, 0, 0]}), "Did you mean 'recolour'?"),
        (make({"kind": 3}), "there is no trigger kind 3. Legal: after, always"),
        (make({}), "there is no trigger kind None"),
        (make("always"), "trigger must be a table with a kind"),
        (make({"kind": "after", "t": 3}), "there is no key 't'. Did you mean 't_s'?"),
        (make({"kind": "after"}), "the key 't_s' is missing"),
        (make({"kind": "after", "t_s": "3"}), "t_s must be a number of at least 0, not '3'"),
        (make({"kind": "after", "t_s": True}), "t_s must be a number of at least 0, not True"),
        (make({"kind": "after", "t_s": -1}), "t_s must be a number of at least 0, not -1"),
        (make({"kind": "after", "t_s": float("nan")}), "not nan"),
        (make({"kind": "gaze", "seen_dot": 1.5}), "seen_dot must be a number from -1 to 1"),
        (make({"kind": "gaze", "seen_dot": 0.1}), "unseen_dot (0.25) must not be above seen_dot (0.1)"),
        (make({"kind": "gaze", "when": "sen"}), "when must be one of 'seen', 'unseen', not 'sen'"),
        (make({"kind": "gaze", "occlusion": 1}), "occlusion must be true or false, not 1"),
        (make({"kind": "distance", "enter_m": 3, "exit_m": 2}), "must not be above exit_m"),
        (make({"kind": "leave_return", "near_m": 3, "far_m": 3}), "must be below far_m"),
        (make({"kind": "contact", "with": ""}), "with must be a name, not ''"),
        (make(change={"kind": "offset", "by_m": [1, 2]}), "by_m must be a list of 3 numbers, not [1, 2]"),
        (make(change={"kind": "scale", "by": 0}), "by must be a number above 0 or a list of 3 numbers"),
        (make(change={"kind": "recolour", "rgb": [255, 0, 0]}), "a number from 0 to 1"),
        (make(change={"kind": "duplicate", "offsets_m": []}), "a list of one or more"),
        (make(change={"kind": "retexture", "material": ""}), "material must be a name, not ''"),
        (make(change={"kind": "replace", "item": "cannon"}, target=""), "'replace' needs a target"),
        (make(change={"kind": "jitter", "amp_m": 0.1, "hz": 0}), "hz must be a number above 0, not 0"),
        (make(change={"kind": "impulse", "gain": 2, "speed_m_s": 1}), "give exactly one of velocity_m_s"),
        (make(change={"kind": "impulse"}), "give exactly one of velocity_m_s"),
        (make(change={"kind": "light", "name": "sun"}), "needs one of on, intensity, color"),
        (make(targett="a"), "effects[0]: there is no key 'targett'. Did you mean 'target'?"),
        (make(target=3), "target must be an object's name, not 3"),
        (make(target=""), "the change 'hide' needs a target"),
        (make(once=1), "once must be true or false, not 1"),
        ([{"change": HIDE, "target": "a"}], "the key 'trigger' is missing"),
        (["hide"], "effects[0] must be a table, not 'hide'"),
        ({"trigger": ALWAYS}, "the effects must be a list"),
        (
            [{"trigger": {"kind": "gaze"}, "change": {"kind": "light", "name": "sun", "on": False}}],
            "the trigger 'gaze' watches an object. Give the effect a target",
        ),
    ],
)
def test_bad_effects_are_refused(data: Any, text: str) -> None:
    with pytest.raises(DataFileError) as caught:
        parse_effects(data)
    assert text in str(caught.value)
    assert caught.value.exit_code == 2


def test_the_error_names_the_file() -> None:
    with pytest.raises(DataFileError, match=r"^indoor.toml: indoor/3 effects\[1\]\.change"):
        parse_effects([*make(), *make(change={"kind": "hid"})], where="indoor.toml: indoor/3 effects")
