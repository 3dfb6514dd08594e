"""World files: what is written is read back; what is broken is named."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embodied_eval.errors import DataFileError, SchemaMismatch
from embodied_eval.worlds.files import read_world, world_from_json, write_world
from embodied_eval.worlds.model import World
from tests.worlds.small import crate, door, lamp, solid, world

NUMBER = st.floats(-1e3, 1e3)
POINT = st.tuples(NUMBER, NUMBER, NUMBER)


def sample() -> World:
    return world(door(), lamp(), crate("crate", (1.0, 1.0, 0.0)))


def test_round_trip_through_a_file(tmp_path: Path) -> None:
    path = tmp_path / "world.json"
    write_world(sample(), path)
    assert read_world(path) == sample()
    assert path.read_text(encoding="utf-8") == sample().canonical() + "\n"
    assert [file.name for file in tmp_path.iterdir()] == ["world.json"]


@settings(max_examples=40, deadline=None)
@given(
    POINT,
    POINT,
    st.text(max_size=8),
    st.booleans(),
    st.sampled_from(["box", "ellipsoid", "cylinder", "capsule", "cone"]),
)
def test_reading_what_was_written_changes_nothing(
    position: tuple[float, float, float],
    angles: tuple[float, float, float],
    label: str,
    dynamic: bool,
    shape: str,
) -> None:
    item = replace(
        solid("it", (1.0, 2.0, 3.0), position, shape=shape, dynamic=dynamic),  # type: ignore[arg-type]
        rotation_deg=angles,
        label=label,
        synonyms=(label, "thing"),
    )
    once = world_from_json(json.loads(world(item).canonical()), "test")
    assert once.canonical() == world(item).canonical()
    assert once.sha256 == world(item).sha256
    assert world_from_json(json.loads(once.canonical()), "test") == once


def change(path: list[str | int], value: object) -> str:
    data = json.loads(sample().canonical())
    spot = data
    for key in path[:-1]:
        spot = spot[key]
    spot[path[-1]] = value
    return json.dumps(data)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not JSON"),
        ("[]", "no JSON object"),
        ('{"schema": "embodied-eval/world/1", "name": NaN}', "not JSON"),
        (change(["objects", 1, "primitives", 0, "size"], [1, 2]), r"objects\[1\].primitives\[0\].size"),
        (change(["objects", 1, "primitives", 0, "shape"], "torus"), "torus"),
        (change(["objects", 0, "mass_kg"], "heavy"), r"objects\[0\].mass_kg"),
        (change(["objects", 0, "mass_kg"], True), r"objects\[0\].mass_kg"),
        (change(["objects", 0, "colour"], 1), "colour is not a field"),
        (change(["version"], 1.5), "version"),
        (change(["sun"], None), "sun"),
        (change(["materials", "default", "roughness"], []), "materials.default.roughness"),
        (change(["fov_deg"], 10**400), "fov_deg"),
    ],
)
def test_a_broken_file_is_named_with_its_field(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataFileError, match=words) as caught:
        read_world(path)
    assert "broken.json" in caught.value.message


def test_a_missing_field_is_named() -> None:
    data = json.loads(sample().canonical())
    del data["objects"][2]["kind"]
    with pytest.raises(DataFileError, match=r"objects\[2\].kind is missing"):
        world_from_json(data, "test")


def test_another_schema_names_both_versions(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text(change(["schema"], "embodied-eval/world/7"), encoding="utf-8")
    with pytest.raises(SchemaMismatch, match=r"old\.json.*world/7.*world/1"):
        read_world(path)


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="nowhere"):
        read_world(tmp_path / "nowhere.json")
    with pytest.raises(DataFileError, match="cannot be written"):
        write_world(sample(), tmp_path / "no" / "folder.json")
