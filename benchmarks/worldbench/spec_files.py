"""The files of `spec/`, checked: no unknown key, no id twice, every sum as the file itself declares it."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TypeVar, get_args

from pydantic import BaseModel, ValidationError

from benchmarks.worldbench.evidence import BIOMES, Axis
from benchmarks.worldbench.spec import TESTS, Item, Kind, Placement, Spec, Test, Thresholds
from benchmarks.worldbench.spec_schema import (
    AliasesFile,
    Axes,
    Entry,
    ItemsFile,
    LooksFile,
    Moving,
    RulesFile,
    Sums,
    ThresholdsFile,
)
from embodied_eval.errors import DataFileError, SchemaMismatch

SCHEMAS = {
    "items.toml": "embodied-eval/worldbench-items/1",
    "looks.toml": "embodied-eval/worldbench-looks/1",
    "rules.toml": "embodied-eval/worldbench-rules/1",
    "thresholds.toml": "embodied-eval/worldbench-thresholds/1",
    "aliases.toml": "embodied-eval/worldbench-aliases/1",
}
POINTS_A_BIOME = Fraction(10)
COVERAGE_POINTS = Fraction(2)
CYCLE_POINTS = Fraction(2)
ModelT = TypeVar("ModelT", bound=BaseModel)


def read_spec(folder: Path) -> Spec:
    """The specification in `folder`. Raises DataFileError (SchemaMismatch for a file of another version) naming
    file and place."""
    items, looks = _read(folder, "items.toml", ItemsFile), _read(folder, "looks.toml", LooksFile)
    rules, limits = _read(folder, "rules.toml", RulesFile), _read(folder, "thresholds.toml", ThresholdsFile)
    aliases = _read(folder, "aliases.toml", AliasesFile)
    _complete(folder / "items.toml", "contents", list(items.contents))
    _complete(folder / "looks.toml", "looks", list(looks.looks))
    _complete(folder / "rules.toml", "placement", list(rules.placement))
    _complete(folder / "aliases.toml", "aliases", list(aliases.aliases))
    listed = list(_items(items, looks))
    _check_sums(folder / "items.toml", items.sums, listed)
    return Spec(
        version=items.version,
        items={item.id: item for item in listed},
        rules={name: Placement(**dict(rules.placement[name])) for name in BIOMES},
        accepts=_accepts(folder / "rules.toml", rules.axes),
        synonyms=_synonyms(folder / "rules.toml", rules.axes),
        driver_words=frozenset(rules.time_drivers.words),
        driver_patterns=_patterns(folder / "rules.toml", rules.time_drivers.patterns),
        thresholds=Thresholds(
            version=limits.version,
            **dict(limits.decide),
            **dict(limits.count),
            **dict(limits.measure),
            **dict(limits.display),
        ),
        aliases=_alone(folder / "aliases.toml", {name: aliases.aliases[name] for name in BIOMES}),
        sha256={name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in SCHEMAS},
    )


def _read(folder: Path, name: str, model: type[ModelT]) -> ModelT:
    path = folder / name
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise DataFileError(f"{path} cannot be read: {error}.") from error
    except tomllib.TOMLDecodeError as error:
        raise DataFileError(f"{path} is no TOML: {error}.") from error
    if raw.get("schema") != SCHEMAS[name]:
        raise SchemaMismatch(
            f"{path} says schema {raw.get('schema')!r}; this version reads {SCHEMAS[name]!r}."
        )
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
        raise DataFileError(f"{path}: {place}: {first['msg']}{more}.") from error


def _complete(path: Path, place: str, named: Sequence[str]) -> None:
    missing = [biome for biome in BIOMES if biome not in named]
    if missing:
        raise DataFileError(f"{path}: {place}: no entry for {', '.join(missing)}.")


def _items(items: ItemsFile, looks: LooksFile) -> Iterator[Item]:
    for row in items.island.source:
        yield Item(row.id, "WC001", "", "source", Fraction(row.points), row.text, keywords=row.keywords)
    hunt = items.island.hunt
    yield Item("V.hunt", "WC001", "", "hunt", Fraction(hunt.points), hunt.text)
    for biome in BIOMES:
        yield Item(f"L.{biome}", "WC002", biome, "place", COVERAGE_POINTS, items.coverage.text)
    for biome in BIOMES:
        contents = items.contents[biome]
        worth = POINTS_A_BIOME / len(contents.required)
        yield from _listed("C", "WC003", biome, "required", worth, contents.required)
        yield from _listed("F", "WC003", biome, "forbidden", worth, contents.forbidden)
    yield Item("F.delta.void", "WC003", "delta", "gate", POINTS_A_BIOME, items.gate.text)
    for biome in BIOMES:
        look = looks.looks[biome]
        yield from _listed("P", "WC004", biome, "still", Fraction(1), look.still)
        yield from _listed("P", "WC004", biome, "moving", Fraction(1), look.moving, len(look.still))
        yield from _listed("G", "WC004", biome, "forbidden_look", Fraction(1), look.forbidden)
    yield Item("G.delta.void", "WC004", "delta", "gate", POINTS_A_BIOME, items.gate.text)
    for time in looks.cycle.items:
        yield Item(
            time.id, "WC005", "", "time", CYCLE_POINTS, time.text, second=time.second, keywords=time.keywords
        )
    stars = looks.cycle.stars
    yield Item(stars.id, "WC005", "", "stars", CYCLE_POINTS, stars.text, keywords=stars.keywords)


def _listed(
    letter: str, test: Test, biome: str, kind: Kind, points: Fraction, rows: Sequence[Entry], after: int = 0
) -> Iterator[Item]:
    for number, row in enumerate(rows, after + 1):
        item = Item(f"{letter}.{biome}.{number}", test, biome, kind, points, row.text, keywords=row.keywords)
        yield replace(item, axis=row.axis, fauna=row.fauna) if isinstance(row, Moving) else item


def _check_sums(path: Path, sums: Sums, items: Sequence[Item]) -> None:
    twice = [name for name, count in Counter(item.id for item in items).items() if count > 1]
    if twice:
        raise DataFileError(
            f"{path}: the id {twice[0]} stands there twice.", hint="Give each item its own id."
        )
    for test in TESTS:
        got = sum((item.points for item in items if item.test == test and not item.forbidden), Fraction(0))
        wanted = sums.points.get(test)  # type: ignore[call-overload]
        if got != wanted:
            raise DataFileError(f"{path}: sums.points.{test} says {wanted}, the items add up to {got}.")
    kinds = Counter(item.kind for item in items)
    found = {
        "source": kinds["source"],
        "required": kinds["required"],
        "forbidden": kinds["forbidden"],
        "still": kinds["still"],
        "moving": kinds["moving"],
        "fauna": sum(item.fauna for item in items),
        "forbidden_look": kinds["forbidden_look"],
        "cycle": kinds["time"],
    }
    for name, got_count in found.items():
        if got_count != getattr(sums, name):
            raise DataFileError(f"{path}: sums.{name} says {getattr(sums, name)}, there are {got_count}.")


def _accepts(path: Path, axes: Axes) -> Mapping[str, frozenset[str]]:
    missing = [axis for axis in get_args(Axis) if axis not in axes.accepts]
    if missing:
        raise DataFileError(f"{path}: axes.accepts: no entry for {', '.join(missing)}.")
    return {axis: frozenset(given) for axis, given in axes.accepts.items()}


def _synonyms(path: Path, axes: Axes) -> Mapping[str, str]:
    known: dict[str, str] = {}
    for axis, words in axes.synonyms.items():
        for word in words:
            if word in known:
                raise DataFileError(f"{path}: axes.synonyms: {word!r} stands for {known[word]} and {axis}.")
            known[word] = axis
    return known


def _patterns(path: Path, texts: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    made = []
    for number, text in enumerate(texts):
        try:
            made.append(re.compile(text))
        except re.error as error:
            raise DataFileError(f"{path}: time_drivers.patterns.{number}: {error}.") from error
    return tuple(made)


def _alone(path: Path, aliases: Mapping[str, tuple[str, ...]]) -> Mapping[str, tuple[str, ...]]:
    owner: dict[str, str] = {}
    for biome, words in aliases.items():
        for word in words:
            if owner.setdefault(word, biome) != biome:
                raise DataFileError(f"{path}: aliases.{biome}: {word!r} already names {owner[word]}.")
    return aliases
