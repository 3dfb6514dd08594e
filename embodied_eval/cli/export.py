"""`embodied-eval export RUN`."""

from __future__ import annotations

from pathlib import Path

import click

from embodied_eval.cli.output import find_run, json_option, print_json, store_option


@click.command("export", short_help="Write a run's tables as Parquet, CSV, JSON lines or LaTeX.")
@click.argument("run", required=False)
@click.option(
    "--format",
    "fmt",
    type=click.Choice(["parquet", "csv", "jsonl", "latex"]),
    default="parquet",
    show_default=True,
)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Folder [default: ./RUN-export]."
)
@click.option("--public", is_flag=True, help="Leave the truth out.")
@store_option
@json_option
def command(
    run: str | None, fmt: str, out: Path | None, public: bool, store_path: Path | None, as_json: bool
) -> int:
    """Write one file a table of RUN."""
    from embodied_eval.store.export import export

    store, found = find_run(run, store_path)
    files = export(store, found, fmt, out or Path(f"{found.id}-export"), public=public)
    if as_json:
        print_json(
            {"schema": "embodied-eval/export/1", "run": found.id, "files": [str(path) for path in files]}
        )
    else:
        for path in files:
            click.echo(path)
    return 0
