"""How official tasks spread over sub-categories, environments and sub-scenes, and how that differs from a table.

`python -m benchmarks.worldaudit.official.counts DIR` shows it, with `--table FILE` what differs from that file.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from benchmarks.worldaudit.official.tasks import read_official
from benchmarks.worldaudit.taxonomy import SUBCATEGORIES
from embodied_eval.errors import EmbodiedEvalError
from embodied_eval.records import Json, Task

ENGINES = ("unreal", "three.js")


def by_kind(tasks: Sequence[Task]) -> dict[str, dict[str, int]]:
    """Tasks by sub-category and engine."""
    found = Counter((str(task.public["subcategory"]), task.engine) for task in tasks)
    return {code: {engine: found[code, engine] for engine in ENGINES} for code in SUBCATEGORIES}


def by_place(tasks: Sequence[Task]) -> dict[tuple[str, str], list[int]]:
    """By engine and environment, the sizes of its sub-scenes in descending order."""
    found = Counter((task.engine, str(task.public["environment"]), task.scene) for task in tasks)
    made: dict[tuple[str, str], list[int]] = {}
    for (engine, environment, _), count in sorted(found.items()):
        made.setdefault((engine, environment), []).append(count)
    return {place: sorted(sizes, reverse=True) for place, sizes in made.items()}


def differences(tasks: Sequence[Task], table: Mapping[str, Json]) -> list[str]:
    """What of `table` (`total`, `sub_categories`, `environments`) the tasks do not reproduce, one line each."""
    told: list[str] = []
    if len(tasks) != table["total"]:
        told.append(f"{len(tasks)} tasks, not {table['total']}")
    kinds = by_kind(tasks)
    for row in table["sub_categories"]:
        mine, theirs = kinds[row["code"]], {engine: row[engine] for engine in ENGINES}
        if mine != theirs:
            told.append(f"{row['code']}: {mine}, not {theirs}")
    places = by_place(tasks)
    wanted = {
        (row["engine"], row["environment"]): sorted(row["sub_scenes"].values(), reverse=True)
        for row in table["environments"]
    }
    for place in sorted({*places, *wanted}):
        if places.get(place) != wanted.get(place):
            told.append(f"{' '.join(place)}: {places.get(place)}, not {wanted.get(place)}")
    return told


@click.command()
@click.argument("data", type=click.Path(exists=True, file_okay=False))
@click.option("--table", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(data: str, table: Path | None) -> None:
    """Show how the official tasks in DATA are distributed."""
    try:
        tasks = read_official(data).tasks
    except EmbodiedEvalError as error:
        raise click.ClickException(str(error)) from error
    for code, engines in by_kind(tasks).items():
        click.echo(f"{code}  {engines['unreal']:3} unreal  {engines['three.js']:3} three.js")
    for (engine, environment), sizes in by_place(tasks).items():
        click.echo(f"{engine:9} {environment:12} {sum(sizes):3}  ({', '.join(map(str, sizes))})")
    if table is not None:
        told = differences(tasks, json.loads(table.read_text("utf-8")))
        click.echo("\n".join(told) or "The same as the table.")
        if told:
            raise SystemExit(1)


if __name__ == "__main__":
    main()
