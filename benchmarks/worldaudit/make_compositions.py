"""Draw B and C of every anchor: `python -m benchmarks.worldaudit.make_compositions`.

Fixed seeds: the anchor's id and the configuration's number. Of all that could be added, in a random order, the
first is taken that passes every check of `composing`; B first, then C beside it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.worldaudit.composing import candidates, problems, stand_of
from benchmarks.worldaudit.several import SCHEMA, Addition
from benchmarks.worldaudit.suite import bundled_tasks
from embodied_eval.errors import DataFileError
from embodied_eval.records import Task

FILE = Path(__file__).parent / "data" / "compositions.toml"
ANCHORS = (
    "indoor/08",
    "indoor/11",
    "indoor/14",
    "indoor/03",
    "indoor/09",
    "indoor/10",
    "indoor/02",
    "indoor/07",
    "indoor/12",
)
"""Three a sub-scene, as the paper's (spec, section 7.2)."""
CONFIGURATIONS = (1, 2)


def draw(task: Task, configuration: int, taken: Sequence[Addition] = ()) -> tuple[Addition, Addition]:
    """B and C of `task`; objects that an earlier configuration has `taken` are left out.

    Raises DataFileError if nothing fits.
    """
    from embodied_eval.worlds.bundled import load_world

    world = load_world(task.world)
    used = {one.object for one in taken}
    pool = [one for one in candidates(world, task) if one.object not in used]
    random.Random(f"{task.id}/{configuration}").shuffle(pool)
    chosen: list[Addition] = []
    for one in pool:
        if not problems(world, task, [*chosen, one]):
            stand = stand_of(world, task, one) if one.subcategory == "C1" else None
            chosen.append(replace(one, stand=stand) if stand else one)
        if len(chosen) == 2:
            return (chosen[0], chosen[1])
    raise DataFileError(f"{task.id}: nothing can be added beside it.", hint="Choose another anchor.")


def text_of(drawn: Sequence[tuple[str, int, Sequence[Addition]]]) -> str:
    """The file's text."""
    rows = [
        "# B and C beside each anchor. Drawn by: python -m benchmarks.worldaudit.make_compositions",
        f'schema = "{SCHEMA}"',
    ]
    for anchor, configuration, additions in drawn:
        added = ", ".join(map(_row, additions))
        rows += ["", "[[composition]]", f'anchor = "{anchor}"', f"configuration = {configuration}"]
        rows.append(f"add = [{added}]")
    return "\n".join(rows) + "\n"


def _row(one: Addition) -> str:
    stand = f", stand = [{one.stand[0]:g}, {one.stand[1]:g}]" if one.subcategory == "C1" else ""
    return f'{{ object = "{one.object}", subcategory = "{one.subcategory}"{stand} }}'


def main() -> None:
    """Write the file."""
    tasks = {task.id: task for task in bundled_tasks()}
    drawn = []
    for anchor in ANCHORS:
        taken: list[Addition] = []
        for configuration in CONFIGURATIONS:
            additions = draw(tasks[anchor], configuration, taken)
            taken += additions
            drawn.append((anchor, configuration, additions))
    FILE.write_text(text_of(drawn), "utf-8")


if __name__ == "__main__":
    main()
