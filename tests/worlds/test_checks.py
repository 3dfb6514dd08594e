"""The clean check finds each planted fault and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import pytest

from embodied_eval.worlds.checks import CleanReport, clean_report
from embodied_eval.worlds.model import Light, PointOfInterest, Vec3, World
from tests.worlds.small import ball, crate, door, lamp, solid, wall, world


@dataclass(frozen=True)
class AnySize:
    size_m: tuple[Vec3, Vec3] = ((0.0, 0.0, 0.0), (99.0, 99.0, 99.0))


class Kinds(Mapping[str, AnySize]):
    """Every kind, of any size, but for a vase."""

    def __getitem__(self, key: str) -> AnySize:
        return AnySize(((0.05, 0.05, 0.1), (0.4, 0.4, 0.6))) if key == "vase" else AnySize()

    def __contains__(self, key: object) -> bool:
        return key != "mystery"

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


TABLE = solid("table", (1.0, 1.0, 0.7), (2.0, 2.0, 0.0))
VASE = solid("vase", (0.12, 0.12, 0.3), (2.0, 2.0, 0.7), shape="cylinder", kind="vase", supports="table")
POINT = PointOfInterest("corner", (3.0, -3.0, 0.0))


def clean_world() -> World:
    return world(
        TABLE,
        VASE,
        crate("crate", (-2.0, -2.0, 0.0)),
        ball("ball", (-2.0, 0.0, 0.0)),
        lamp(),
        door(position=(4.0, 0.0, 0.0)),
        points=(POINT,),
    )


def report(place: World) -> CleanReport:
    return clean_report(place, kinds=Kinds())


def with_object(old: str, **fields: object) -> World:
    place = clean_world()
    changed = tuple(replace(item, **fields) if item.name == old else item for item in place.objects)  # type: ignore[arg-type]
    return replace(place, objects=changed)


def test_a_clean_world_is_clean() -> None:
    found = report(clean_world())
    assert found.clean, found.problems
    assert found.released == 5
    assert found.largest_move_m < 0.005 and found.largest_turn_deg < 0.5
    text = json.dumps(found.to_json())
    assert json.loads(text)["problems"] == []


@pytest.mark.parametrize(
    ("place", "check", "names"),
    [
        (with_object("vase", position=(2.0, 2.0, 0.75)), "release", "vase"),
        (with_object("crate", rotation_deg=(20.0, 0.0, 0.0), position=(-2.0, -2.0, 0.1)), "release", "crate"),
        (with_object("vase", position=(2.51, 2.0, 0.7), scale=(1.5, 1.5, 1.0)), "release", "vase"),
        (with_object("vase", scale=(1.0, 1.0, 2.5)), "size", "vase"),
        (with_object("lamp", kind="mystery"), "size", "lamp"),
        (with_object("vase", position=(2.0, 2.0, 0.69)), "overlap", "table + vase"),
        (with_object("lamp", position=(2.0, 1.46, 0.0)), "overlap", "lamp + table"),
        (
            replace(clean_world(), points_of_interest=(PointOfInterest("inside", (2.0, 2.0, 0.0)),)),
            "reach",
            "inside",
        ),
        (
            replace(clean_world(), points_of_interest=(PointOfInterest("out", (9.0, 0.0, 0.0)),)),
            "reach",
            "out",
        ),
        (
            replace(clean_world(), spawns=(replace(clean_world().spawns[0], position=(0.0, 0.0, 0.4)),)),
            "reach",
            "start",
        ),
        (with_object("lamp", name="table"), "names", "table"),
        (
            replace(clean_world(), lights=(Light("a", (0, 0, 1)), Light("a", (0, 0, 2)))),
            "names",
            "a",
        ),
        (replace(clean_world(), lights=()), "references", "lamp"),
        (with_object("vase", supports="shelf"), "references", "vase"),
        (with_object("vase", joined=("shelf",)), "references", "vase"),
        (with_object("vase", region="attic"), "references", "vase"),
        (replace(clean_world(), materials={}), "references", "lamp"),
        (replace(clean_world(), spawns=()), "names", ""),
    ],
)
def test_each_planted_fault_is_found(place: World, check: str, names: str) -> None:
    found = report(place)
    first, _, second = names.partition(" + ")
    assert any(
        problem.check == check and {first, second or first} == set((problem.object.split(" + ") * 2)[:2])
        for problem in found.problems
    ), found.problems


def test_overlap_on_purpose_is_allowed() -> None:
    sunk = with_object("vase", position=(2.0, 2.0, 0.65), joined=("table",))
    found = report(sunk)
    assert found.clean, found.problems
    assert found.deepest_overlap_m < 0.005


def test_a_walled_off_point_names_the_spawn_and_how_far_one_gets() -> None:
    shut = [
        wall("north", (2.4, 0.1, 2.5), (3.0, -1.9, 0.0)),
        wall("south", (2.4, 0.1, 2.5), (3.0, -4.1, 0.0)),
        wall("west", (0.1, 2.0, 2.5), (1.9, -3.0, 0.0)),
        wall("east", (0.1, 2.0, 2.5), (4.1, -3.0, 0.0)),
    ]
    found = report(replace(clean_world(), objects=(*clean_world().objects, *shut)))
    assert [(problem.check, problem.object) for problem in found.problems] == [("reach", "corner")]
    assert "spawn 'start'" in found.problems[0].text
    assert found.problems[0].measured == pytest.approx(1.4, abs=0.3)
