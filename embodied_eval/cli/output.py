"""What commands share: JSON to stdout, people's text kept harmless, the store's place, finding a run."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from embodied_eval.records import Json

if TYPE_CHECKING:
    from rich.console import Console

    from embodied_eval.store import RunDir, Store

F = TypeVar("F", bound=Callable[..., Any])
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")

json_option = click.option("--json", "as_json", is_flag=True, help="Print a JSON document to stdout.")
store_option = click.option(
    "--store",
    "store_path",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="Folder of the store [default: $EMBODIED_EVAL_STORE or ./embodied-eval-store].",
)


def plain(text: str) -> str:
    """`text` without control characters: nothing in it can drive a terminal."""
    return CONTROL.sub("", str(text))


def print_json(document: Json) -> None:
    """The one JSON document a command prints."""
    click.echo(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))


def console(*, err: bool = False) -> Console:
    """A rich console that never interprets markup in what it is given."""
    from rich.console import Console

    return Console(markup=False, highlight=False, emoji=False, stderr=err)


def print_table(columns: Sequence[str], rows: Sequence[Sequence[Json]], title: str = "") -> None:
    """A table for people, on stdout."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(plain(title)) if title else None, title_justify="left", box=None, pad_edge=False)
    for number, name in enumerate(columns):
        table.add_column(Text(name, style="bold"), overflow="fold", no_wrap=number == 0)
    for row in rows:
        table.add_row(*(Text(cell(value)) for value in row))
    console().print(table)


def cell(value: Json) -> str:
    """A value as people read it; None is a dash."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return plain(str(value))


def store_folder(given: Path | None) -> Path:
    """Where the store is: `--store`, the environment, or the default."""
    named = given or os.environ.get("EMBODIED_EVAL_STORE")
    if named:
        return Path(named)
    from embodied_eval.config import DEFAULT_STORE

    return Path(DEFAULT_STORE)


def open_store(given: Path | None, *, create: bool = False) -> Store:
    """The store, opened."""
    from embodied_eval.store import Store

    return Store.open(store_folder(given), create=create)


def find_run(ref: str | None, given: Path | None) -> tuple[Store, RunDir]:
    """The run that `ref` means: an id or its unique beginning, a run's folder, a store with one run."""
    from embodied_eval.store import Store

    return Store.resolve(ref, store_folder(given))


def percent(value: float | None, unit: str = "%") -> str:
    """A metric's value as printed."""
    if value is None:
        return "-"
    return f"{value:.1f} {unit}".strip() if unit == "%" else f"{value:.4g} {unit}".strip()
