"""The in-context examples: one solved case of our own for each sub-category, in no place that is scored.

Texts and the recipe of the pictures are in `examples/examples.toml`, the pictures in `examples/CODE/N.jpg`;
`python -m benchmarks.worldaudit.make_examples` renders them again.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from benchmarks.worldaudit.taxonomy import SubCategory
from embodied_eval.errors import DataFileError, SchemaMismatch
from embodied_eval.models.types import Image, Text

SCHEMA = "embodied-eval/examples/1"
SIZE_PX = (480, 270)
FOOT = "These pictures belong to the example: they cannot be inspected or cited."


@dataclass(frozen=True)
class Picture:
    """One picture of an example: named `ex1`, `ex2` ..., JPEG of `SIZE_PX`."""

    image: Image
    caption: str

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in pixels."""
        return SIZE_PX


@dataclass(frozen=True)
class Example:
    """A solved case: `report` is what was rightly reported, under `category`."""

    code: str
    title: str
    report: str
    category: str
    pictures: tuple[Picture, ...]

    def parts(self, kind: SubCategory | None, *, defined: bool) -> tuple[Text | Image, ...]:
        """As the agent reads it. `kind` is named, and its definition told where `defined`; with None nothing
        that names the kind is told, the report's category included."""
        head = f"A solved case from another place: {self.title}"
        if kind is not None:
            head += f"\nIts kind: {kind.code} {kind.name}{f' - {kind.definition}' if defined else ''}"
        names = ", ".join(picture.image.ref for picture in self.pictures)
        category = f"category {self.category}, " if kind is not None else ""
        captions = [Text(f"{picture.image.ref}: {picture.caption}") for picture in self.pictures]
        foot = f"What was rightly reported ({category}pictures {names}): {self.report}\n{FOOT}"
        return (Text(head), *captions, Text(foot), *(picture.image for picture in self.pictures))


@cache
def recipes() -> Mapping[str, Mapping[str, Any]]:
    """`examples.toml` by code. Raises SchemaMismatch for a file of another schema."""
    data = tomllib.loads(_folder().joinpath("examples.toml").read_text("utf-8"))
    if data.get("schema") != SCHEMA:
        raise SchemaMismatch(
            f"examples.toml has schema {data.get('schema')!r}; this version reads {SCHEMA!r}."
        )
    return {row["code"]: row for row in data["example"]}


@cache
def example_of(code: str) -> Example:
    """The example of sub-category `code`; raises DataFileError where there is none."""
    row = recipes().get(code)
    if row is None:
        raise DataFileError(f"There is no example for {code}.", hint="Play with --set icl=false.")
    pictures = []
    for number, picture in enumerate(row["picture"], 1):
        data = _folder().joinpath(code, f"{number}.jpg").read_bytes()
        pictures.append(Picture(Image(data, "image/jpeg", f"ex{number}"), picture["caption"]))
    return Example(code, row["title"], row["report"], row["category"], tuple(pictures))


def _folder() -> Any:
    return files("benchmarks.worldaudit").joinpath("examples")
