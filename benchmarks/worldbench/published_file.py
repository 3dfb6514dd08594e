"""published.toml, checked: its counts must follow from each other as the paper says they do."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from benchmarks.worldbench.agreement import Agreement
from benchmarks.worldbench.published import Published, PublishedModel
from benchmarks.worldbench.spec import Test
from embodied_eval.errors import DataFileError, SchemaMismatch

SCHEMA = "embodied-eval/worldbench-published/1"
Counted = Annotated[int, Field(ge=0)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    total: Annotated[str, Field(pattern=r"^\d+\.\d\d$")]
    frames_seen: Counted | None = None


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")
    schema_: str = Field(alias="schema")
    citation: str
    items_per_world: Counted
    agree: Counted
    code_only: Counted
    frames_only: Counted
    code_judge: Counted
    frames_judge: Counted
    disagree_percent_range: tuple[int, int]
    leaders: Mapping[Test, str]
    season_shifts: tuple[float, ...]
    burst_shares: tuple[float, ...]
    models: tuple[_Model, ...]


def read(path: Path) -> Published:
    """The numbers in `path`. Raises DataFileError (SchemaMismatch for another version) naming file and place."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        if raw.get("schema") != SCHEMA:
            raise SchemaMismatch(f"{path} says schema {raw.get('schema')!r}; this version reads {SCHEMA!r}.")
        file = _File.model_validate(raw)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DataFileError(f"{path} cannot be read: {error}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise DataFileError(f"{path}: {place}: {first['msg']}.") from error
    both = file.code_judge - file.code_only
    table = Agreement(both, file.code_only, file.frames_only, file.agree - both)
    if table.items != file.items_per_world * len(file.models):
        raise DataFileError(f"{path}: agree, code_only and frames_only add up to {table.items} items.")
    if table.frames != file.frames_judge or table.neither < 0:
        raise DataFileError(f"{path}: frames_judge says {file.frames_judge}, {table.frames} follows.")
    names = {model.name for model in file.models}
    strangers = sorted(set(file.leaders.values()) - names)
    if strangers:
        raise DataFileError(f"{path}: leaders: {strangers[0]} is none of the models.")
    return Published(
        file.citation,
        tuple(PublishedModel(model.name, Fraction(model.total), model.frames_seen) for model in file.models),
        table,
        {str(test): name for test, name in file.leaders.items()},
        file.disagree_percent_range,
        file.season_shifts,
        file.burst_shares,
    )
