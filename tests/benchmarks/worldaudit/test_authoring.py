"""The authoring guide: its code runs, its names are real, and its figures are the suite's."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.worldaudit.certificate import PLAYED_CHECKS
from benchmarks.worldaudit.suite import bundled_tasks
from benchmarks.worldaudit.taxonomy import SUBCATEGORIES
from embodied_eval.worlds.build import WorldBuilder
from embodied_eval.worlds.checks import clean_report
from embodied_eval.worlds.library import KINDS, PALETTE
from embodied_eval.worlds.library.kinds import Kind
from embodied_eval.worlds.model import Bounds, Sky, Sun, WorldObject

DOCS = Path(__file__).parents[3] / "docs"
GUIDE = (DOCS / "worldaudit-authoring.md").read_text("utf-8")
CODE = re.findall(r"^```python\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)


def test_the_kind_it_shows_stands_and_is_of_its_size() -> None:
    names: dict[str, Any] = {}
    exec(compile(CODE[0], "docs/worldaudit-authoring.md", "exec"), names)  # noqa: S102  (our own page)
    kind: Kind = names["KIND"]
    assert kind.name not in KINDS
    design = kind.maker()
    assert {part.material for part in design.primitives} <= set(PALETTE)
    room = Bounds((0.0, 0.0, 0.0), (4.0, 3.0, 2.6))
    builder = WorldBuilder("room", 1, "A room.")
    builder.add_region("room", "Room", room, "A room.")
    builder.fixed("floor", 2.0, 1.5, size_x_m=4.0, size_y_m=3.0, mat="oak_planks")
    builder.add_spawn("room", 3.0, 1.5, 180.0)
    world = builder.build(room, sun=Sun(), sky=Sky())
    scale = WorldObject(
        "parcel_scale_1", kind.name, kind.label, design.primitives, (1.0, 1.5, 0.0), region="room"
    )
    report = clean_report(replace(world, objects=(*world.objects, scale)), kinds={**KINDS, kind.name: kind})
    assert report.clean, [problem.text for problem in report.problems]


def test_the_world_check_it_shows_holds() -> None:
    exec(compile(CODE[1], "docs/worldaudit-authoring.md", "exec"), {})  # noqa: S102  (our own page)


def test_it_names_every_sub_category_and_only_checks_that_there_are() -> None:
    table = GUIDE.split("| sub-category | cite | mind |")[1].split("\n\n")[0]
    assert set(re.findall(r"\b[GCVTS]\d\b", table)) == set(SUBCATEGORIES)
    named = set(re.findall(r"`(\w+)` failed", GUIDE))
    assert named <= {"clean_world", "effects_fit", *PLAYED_CHECKS}
    taken = {task.id for task in bundled_tasks()}
    assert "subway/29" not in taken, "the guide's example is a task that is still to be written"


def test_the_pages_give_the_number_of_tasks() -> None:
    page = (DOCS / "worldaudit.md").read_text("utf-8")
    assert set(re.findall(r"(\d+) tasks, (?:at least|not 13)", page)) == {str(len(bundled_tasks()))}
