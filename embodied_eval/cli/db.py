"""`embodied-eval db {check,rebuild}`."""

from __future__ import annotations

from pathlib import Path

import click

from embodied_eval.cli.output import json_option, open_store, plain, print_json, store_option


@click.group("db", short_help="Check or rebuild the database.")
def command() -> None:
    """The database is derived from the spools: it can always be made again."""


@command.command("rebuild")
@store_option
@json_option
def rebuild_command(store_path: Path | None, as_json: bool) -> int:
    """Make store.duckdb again from the spools."""
    from embodied_eval.store import rebuild

    counts = rebuild(open_store(store_path))
    if as_json:
        print_json({"schema": "embodied-eval/db-rebuild/1", "rows": dict(counts)})
    else:
        for table, rows in counts.items():
            click.echo(f"{table}: {rows} rows")
    return 0


@command.command("check")
@store_option
@json_option
def check_command(store_path: Path | None, as_json: bool) -> int:
    """Compare frames, spools and database, and name every fault."""
    from embodied_eval.store.check import check

    problems = list(check(open_store(store_path)))
    if as_json:
        print_json({"schema": "embodied-eval/db-check/1", "problems": [str(problem) for problem in problems]})
    else:
        for problem in problems:
            click.echo(plain(str(problem)))
        if not problems:
            click.echo("The store is sound.")
    return 1 if problems else 0
