"""The object library: every kind builds, is of plausible size, has words, and stands."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from embodied_eval.errors import DataFileError, UnknownName
from embodied_eval.worlds.build import WorldBuilder, surface_height
from embodied_eval.worlds.bundled import load_world
from embodied_eval.worlds.checks import clean_report
from embodied_eval.worlds.library import KINDS, PALETTE, design, make
from embodied_eval.worlds.library.building import Opening, wall
from embodied_eval.worlds.model import TEXTURES, Bounds, Primitive, Sky, Sun, World

ROOT = Path(__file__).parents[2]
BUILDING = {
    *("floor", "ceiling", "ground", "wall", "wall_band", "stairs", "escalator", "handrail", "platform_edge"),
    *("train_car", "train_door", "track", "tunnel_portal"),
    *("wooden_stairs", "banister", "roof_slope", "roof_beam", "wainscot", "hill"),
}
HUNG = {
    "wall_cabinet",
    "range_hood",
    "wall_shelf",
    "mirror",
    "towel_rail",
    "curtain",
    "ceiling_lamp",
    "pendant_lamp",
    "wall_lamp",
    "wall_clock",
    "painting",
    *("roller_shutter", "strip_light", "bulkhead_light", "security_camera", "fire_extinguisher"),
    *("direction_sign", "station_sign", "line_map", "departure_board", "poster_case", "warning_sign"),
    *("safety_mirror", "cable_tray", "tunnel_fan", "water_heater", "pin_board"),
    "cottage_window",
}
NEEDED = {
    *("sofa", "armchair", "dining_chair", "dining_table", "double_bed", "wardrobe", "bookshelf", "desk"),
    *("counter", "kitchen_island", "sink_unit", "stove", "fridge", "kettle", "mug", "plate", "fruit_bowl"),
    *("toilet", "washbasin", "bathtub", "mirror", "door", "window", "floor_lamp", "ceiling_lamp", "tv"),
    *("laptop", "microwave", "washing_machine", "radio", "wall_clock", "desk_fan", "potted_plant", "vase"),
    *("toy_ball", "toy_train", "teddy_bear", "suitcase", "broom", "guitar", "person", "cat", "dog"),
    *("painting", "rug", "curtain", "cushion", "cannon", "suit_of_armour", "spinning_wheel", "gramophone"),
}


def stage(size_m: float = 12.0) -> WorldBuilder:
    builder = WorldBuilder("stage", 1, "A bare floor.")
    builder.add_region("stage", "Stage", Bounds((0.0, 0.0, 0.0), (size_m, size_m, 5.0)), "A bare floor.")
    builder.fixed("floor", size_m / 2, size_m / 2, size_x_m=size_m + 2.0, size_y_m=size_m + 2.0)
    builder.add_spawn("start", 0.0, 0.0, 0.0)
    return builder


def finished(builder: WorldBuilder) -> World:
    return builder.build(Bounds((-1.0, -1.0, -0.2), (52.0, 52.0, 5.0)), sun=Sun(), sky=Sky())


def test_there_are_many_kinds_and_each_has_words() -> None:
    assert len(KINDS) - len(BUILDING) >= 110
    assert set(KINDS) >= NEEDED
    assert len({kind.label for kind in KINDS.values()}) == len(KINDS)
    for name, kind in KINDS.items():
        assert name == kind.name and re.fullmatch(r"[a-z][a-z_]*", name)
        assert kind.label and kind.synonyms and all(kind.synonyms)
        assert kind.label not in kind.synonyms and len(set(kind.synonyms)) == len(kind.synonyms)
        assert kind.mass_kg > 0.0
        low, high = kind.size_m
        assert all(0.0 < a <= b for a, b in zip(low, high, strict=True))


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_kind_builds_the_same_twice_from_known_materials(name: str) -> None:
    item = make(name, f"{name}_1", (0.0, 0.0, 0.0))
    assert item == make(name, f"{name}_1", (0.0, 0.0, 0.0))
    assert item.primitives and any(part.collides for part in item.primitives)
    parts = {part.part for part in item.primitives}
    for part in item.primitives:
        assert part.material in PALETTE
        assert all(extent > 0.0 for extent in part.size)
        assert part.bevel_m < 0.5 * min(part.size) or part.bevel_m == 0.0
        if part.shape in ("cylinder", "capsule", "cone"):
            assert part.size[0] == part.size[1]
        if part.shape == "capsule":
            assert part.size[2] >= part.size[0]
    if item.interaction is not None:
        assert item.interaction.part in parts
        assert item.interaction.initial in item.interaction.states


def test_every_material_has_a_texture_and_legal_numbers() -> None:
    for name, material in PALETTE.items():
        assert material.texture in TEXTURES, name
        numbers = (*material.color, *material.color2, material.roughness, material.metallic)
        assert all(0.0 <= value <= 1.0 for value in numbers), name
        assert material.scale_m > 0.0 and material.emission >= 0.0


@pytest.mark.parametrize("half", [0, 1])
def test_everything_that_stands_on_floors_stays_put_when_released_and_is_of_plausible_size(half: int) -> None:
    builder = stage(48.0)
    for index, name in enumerate(sorted(set(KINDS) - BUILDING - HUNG)[half::2]):
        options: dict[str, Any] = {"length_m": 3.0} if name == "hedge" else {}
        builder.put(name, 2.0 + 4.0 * (index % 11), 2.0 + 4.0 * (index // 11), 30.0, **options)
    report = clean_report(finished(builder))
    assert not report.problems, report.problems
    assert report.released >= 80


def test_everything_that_hangs_is_of_plausible_size() -> None:
    builder = stage()
    for index, name in enumerate(sorted(HUNG)):
        builder.hang(name, 2.0 + 5.0 * (index % 5), 3.0 + 5.0 * (index // 5), 2.0, 0.0)
    assert not clean_report(finished(builder)).problems


def test_things_rest_on_what_they_are_put_on_also_when_it_is_turned() -> None:
    builder = stage()
    table = builder.put("dining_table", 5.0, 5.0, 37.0)
    mug = builder.on(table, "mug", 0.2, -0.5, 10.0)
    shelf = builder.put("bookshelf", 9.0, 5.0, -90.0)
    low = builder.on(shelf, "mug", 0.09, 0.3, below_m=0.7)
    world = finished(builder)
    turn = math.radians(37.0)
    x, y, z = world.object(mug).position
    assert x == pytest.approx(5.0 + 0.2 * math.cos(turn) + 0.5 * math.sin(turn), abs=1e-6)
    assert y == pytest.approx(5.0 + 0.2 * math.sin(turn) - 0.5 * math.cos(turn), abs=1e-6)
    assert z == pytest.approx(0.745)
    assert world.object(mug).supports == table
    assert world.object(mug).rotation_deg[2] == 47.0
    assert world.object(low).position[2] == pytest.approx(0.465)


def test_no_surface_is_an_error_that_says_where() -> None:
    ball = make("toy_ball", "toy_ball_1", (0.0, 0.0, 0.0))
    with pytest.raises(DataFileError, match="'toy_ball_1' has no level surface"):
        surface_height(ball, 0.0, 0.0)


def test_an_unknown_kind_names_the_nearest() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'sofa'"):
        make("soffa", "x", (0.0, 0.0, 0.0))


def test_a_lamp_switches_its_own_light_and_the_light_is_where_the_shade_is() -> None:
    builder = stage()
    on = builder.put("floor_lamp", 4.0, 4.0)
    off = builder.put("desk_lamp", 6.0, 4.0, 90.0, initial="off")
    world = finished(builder)
    lights = {light.name: light for light in world.lights}
    for name, shines in ((on, True), (off, False)):
        interaction = world.object(name).interaction
        assert interaction is not None and interaction.lights == (f"{name}_light",)
        assert lights[f"{name}_light"].on is shines
    lamp = design("desk_lamp").lamp
    assert lamp is not None
    assert lights[f"{off}_light"].position == pytest.approx((6.0, 4.0 + lamp.position[0], lamp.position[2]))


def _volume(parts: tuple[Primitive, ...]) -> float:
    return sum(p.size[0] * p.size[1] * p.size[2] for p in parts if p.collides)


def test_a_wall_is_its_rectangle_less_its_openings() -> None:
    holes = (Opening(0.5, 1.5, 0.0, 2.1), Opening(2.0, 3.0, 0.9, 2.1))
    solid = 5.0 * 2.6 - 1.0 * 2.1 - 1.0 * 1.2
    plain = wall(5.0, 2.6, 0.12, "plaster_white", "plaster_white", holes)
    layered = wall(5.0, 2.6, 0.12, "plaster_white", "plaster_blue", holes)
    assert _volume(plain.primitives) == pytest.approx(0.12 * solid)
    assert _volume(layered.primitives) == pytest.approx(0.12 * solid)
    assert {p.material for p in layered.primitives if p.collides and p.position[1] > 0} == {"plaster_blue"}


def test_the_guide_names_every_kind_and_its_example_makes_a_clean_world(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "worlds.md").read_text("utf-8")
    table = guide.split("| group | kinds |")[1].split("\n\n")[0]
    assert sorted(re.findall(r"`(\w+)`", table)) == sorted(KINDS)
    example = guide.split("```python\n")[1].split("```")[0]
    (tmp_path / "example.py").write_text(example, "utf-8")
    ran = subprocess.run(
        [sys.executable, "example.py"],
        env={"PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == ""
    assert load_world(str(tmp_path / "study.json")).name == "study"
