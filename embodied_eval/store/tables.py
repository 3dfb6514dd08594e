"""A benchmark's own tables: legal names, legal types, and rows checked before they are written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from embodied_eval.errors import PluginError
from embodied_eval.records import Json

TYPES: Mapping[str, tuple[type, ...]] = {
    "VARCHAR": (str,),
    "DOUBLE": (int, float),
    "BIGINT": (int,),
    "BOOLEAN": (bool,),
    "JSON": (object,),
}
"""DuckDB types a column may have, and the Python types of its values (None is legal in all)."""

KEY_COLUMNS: Mapping[str, str] = {"run_id": "VARCHAR", "episode_key": "VARCHAR", "row_index": "BIGINT"}
"""Columns that every plugin table begins with."""

_IDENTIFIER = re.compile(r"[a-z][a-z0-9_]{0,62}")
_INT64 = 2**63


@dataclass(frozen=True)
class PluginTable:
    """A plugin table as a run declares it; `name` is its name in the database."""

    key: str
    name: str
    columns: Mapping[str, str]
    private: bool

    def check(self, row: Mapping[str, Json]) -> None:
        """Raise PluginError unless every value of `row` fits its column; absent columns become NULL."""
        for column, value in row.items():
            kind = self.columns.get(column)
            if kind is None:
                raise PluginError(
                    f"The table {self.key!r} has no column {str(column)[:80]!r}.",
                    hint=f"Declared: {', '.join(self.columns)}.",
                )
            if value is not None and not _fits(value, kind):
                raise PluginError(
                    f"{self.key}.{column} is {kind} and cannot hold {type(value).__name__} {str(value)[:60]!r}."
                )


def _fits(value: Json, kind: str) -> bool:
    if isinstance(value, bool):
        return kind in ("BOOLEAN", "JSON")
    if kind == "BIGINT" and isinstance(value, int):
        return -_INT64 <= value < _INT64
    return isinstance(value, TYPES[kind])


def plugin_tables(benchmark: str, declared: Mapping[str, Json]) -> dict[str, PluginTable]:
    """The tables of a run's manifest, by the plugin's own name for them.

    `declared[key]` is {"columns": {name: type}, "version": n, "private": bool}. In the database a table is
    `<benchmark>_<key>`, from version 2 on with `_v<version>` behind it. Raises PluginError for a name that
    is no lower-case identifier, a type that is not legal, a clash with a core table or column.
    """
    from embodied_eval.store.schema import CORE_TABLES

    tables = {}
    for key, spec in declared.items():
        version = spec.get("version", 1)
        columns = {str(name): str(kind).upper() for name, kind in spec["columns"].items()}
        if not isinstance(version, int) or version < 1:
            raise PluginError(
                f"The table {key!r} of {benchmark} has version {version!r}; a number from 1 on."
            )
        name = f"{benchmark.replace('-', '_')}_{key}" + (f"_v{version}" if version > 1 else "")
        for identifier in (str(key), name, *columns):
            if not _IDENTIFIER.fullmatch(identifier):
                raise PluginError(
                    f"{identifier[:80]!r} cannot name a table or column of {benchmark[:60]}.",
                    hint="Legal: lower-case letters, digits and _, beginning with a letter, at most 63.",
                )
        if name in CORE_TABLES:
            raise PluginError(f"The table {key!r} of {benchmark} would take the core table {name!r}.")
        for column, kind in columns.items():
            if kind not in TYPES:
                raise PluginError(
                    f"{name}.{column} has the type {kind[:40]!r}.", hint=f"Legal: {', '.join(TYPES)}."
                )
            if column in KEY_COLUMNS:
                raise PluginError(f"{name}.{column}: every table has this column already.")
        if not columns:
            raise PluginError(f"The table {key!r} of {benchmark} has no columns.")
        tables[str(key)] = PluginTable(str(key), name, columns, bool(spec.get("private", False)))
    return tables
