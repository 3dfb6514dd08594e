"""The official task table: found in a folder, read, and checked row by row (specification of the benchmark, 5.1)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from embodied_eval.errors import DataFileError

NAMES = ("tasks.parquet", "tasks.jsonl", "tasks.json")
FOLDERS = ("", "data")
MOST_ROWS = 10_000
MOST_BYTES = 64 * 1024 * 1024


class Input(BaseModel):
    """All that a model is told of a task, apart from tools and example."""

    model_config = ConfigDict(frozen=True)

    instruction: str = Field(min_length=1)
    scene_description: str


class Rubric(BaseModel):
    """What a judge is told."""

    model_config = ConfigDict(frozen=True)

    anomaly: str = Field(min_length=1)
    expected: str


class Row(BaseModel):
    """One task as the table has it; further columns are passed over."""

    model_config = ConfigDict(frozen=True)

    task_id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")
    engine: Literal["unreal", "three.js"]
    environment: str
    category: str
    subcategory: str | None
    map: str
    input: Input
    rubric: Rubric


def find_table(folder: Path) -> Path:
    """The task table in `folder` or its `data`. Raises DataFileError if there is none."""
    for place in FOLDERS:
        for name in NAMES:
            file = folder / place / name
            if file.is_file():
                return file
    raise DataFileError(
        f"There is no official task table in {folder}.",
        hint=f"--data names the folder that holds {NAMES[0]} (or {', '.join(NAMES[1:])}).",
    )


def read_table(file: Path) -> list[Row]:
    """The rows of the table in `file`, in its order; ids are unique, whatever their case.

    Raises DataFileError, naming the file and the row.
    """
    found = _parquet(file) if file.suffix == ".parquet" else _json(file)
    if not found:
        raise DataFileError(f"{file} holds no task.")
    if len(found) > MOST_ROWS:
        raise DataFileError(f"{file} holds {len(found)} rows; at most {MOST_ROWS} are read.")
    rows: list[Row] = []
    taken: set[str] = set()
    for number, one in enumerate(found, 1):
        try:
            row = Row.model_validate(one)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            raise DataFileError(f"{file}, row {number}: {place or 'the row'}: {first['msg']}.") from error
        if row.task_id.upper() in taken:
            raise DataFileError(f"{file}, row {number}: the task {row.task_id} is there twice.")
        taken.add(row.task_id.upper())
        rows.append(row)
    return rows


def _parquet(file: Path) -> Sequence[dict[str, Any]]:
    import duckdb

    columns = list(Row.model_fields)
    # A path is a pattern there: what has a meaning in patterns is put in brackets.
    path = re.sub(r"([*?\[])", r"[\1]", str(file))
    try:
        with duckdb.connect(config={"threads": 1}) as connection:
            # The columns are ours; the path is a parameter.
            named = ", ".join(f'"{name}"' for name in columns)
            rows = connection.execute(
                f"SELECT {named} FROM read_parquet(?) LIMIT {MOST_ROWS + 1}",
                [path],
            ).fetchall()
    except duckdb.Error as error:
        first = str(error).partition("\n")[0]
        raise DataFileError(
            f"{file} cannot be read as the official task table: {first}",
            hint=f"Its columns are {', '.join(columns)}.",
        ) from error
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _json(file: Path) -> Sequence[Any]:
    """A JSON list of rows, or one row a line."""
    try:
        if file.stat().st_size > MOST_BYTES:
            raise DataFileError(f"{file} is larger than {MOST_BYTES} bytes.")
        text = file.read_text("utf-8")
        if file.suffix == ".jsonl":
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        found = json.loads(text)
    except OSError as error:
        raise DataFileError(f"{file} cannot be read: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        raise DataFileError(f"{file} is no valid JSON: {error}.") from error
    if not isinstance(found, list):
        raise DataFileError(f"{file} must hold a list of tasks.")
    return found
