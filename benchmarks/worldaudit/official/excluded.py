"""Tasks that the official examples were made from: never played for a score (specification of the benchmark, 7)."""

from __future__ import annotations

import json
import re
from pathlib import Path

from embodied_eval.errors import DataFileError
from embodied_eval.records import Json

SOURCES = frozenset(
    {
        "A13", "A21", "CT17", "I01", "I09", "R04", "R09", "S05", "S21", "SP13", "U012", "U013", "U019", "U045", "WL12",
    }
)  # fmt: skip
FILES = ("icl/exclude_from_eval.json", "exclude_from_eval.json")


def alias(task_id: str) -> str:
    """What all spellings of a task's id have in common: upper case, no `JS_`, no leading zeros."""
    name = task_id.strip().upper().removeprefix("JS_")
    found = re.fullmatch(r"([A-Z_]+)0*(\d+)", name)
    return f"{found[1]}{found[2]}" if found else name


def excluded(folder: Path) -> frozenset[str]:
    """The aliases of what is left out: the known sources, and every id in the folder's own list, if it has one.

    Raises DataFileError for a list that is no JSON.
    """
    names = set(SOURCES)
    for file in FILES:
        path = folder / file
        if not path.is_file():
            continue
        try:
            names |= set(_texts(json.loads(path.read_text("utf-8"))))
        except (OSError, ValueError, RecursionError) as error:
            raise DataFileError(f"{path} cannot be read: {error}.") from error
    return frozenset(alias(name) for name in names)


def _texts(value: Json) -> list[str]:
    """Every text in `value`, keys too: the list's form is not published."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [*value, *(text for item in value.values() for text in _texts(item))]
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    return []
