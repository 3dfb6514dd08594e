"""Schema 2 of the derived database (`schema.sql`): its tables, and which of their columns are private."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

CORE_TABLES: tuple[str, ...] = (
    "meta",
    "runs",
    "tasks",
    "tasks_private",
    "episodes",
    "attempts",
    "steps",
    "calls",
    "frames",
    "visibility",
    "events",
    "verdicts",
    "judge_calls",
    "metrics",
    "plugin_tables",
)

PRIVATE_TABLES: frozenset[str] = frozenset({"tasks_private", "visibility", "judge_calls"})
"""Tables whose every row tells the truth: a judge is asked by it."""

PRIVATE_COLUMNS: Mapping[str, tuple[str, ...]] = {"verdicts": ("reason", "evidence")}
"""Columns that may quote the truth: a judge explains itself by it."""

TRACE_TABLES: frozenset[str] = frozenset({"steps", "calls", "frames", "events"})
TRACE_COLUMNS: Mapping[str, tuple[str, ...]] = {"episodes": ("reason", "answer", "error")}
"""What a privileged model did and said is the truth itself: all of it is private in its run."""


@cache
def schema_sql() -> str:
    """The statements that make an empty database of schema 2."""
    from importlib.resources import files

    return files("embodied_eval.store").joinpath("schema.sql").read_text(encoding="utf-8")
