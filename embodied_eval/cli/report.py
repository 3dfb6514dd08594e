"""`embodied-eval report RUN...`."""

from __future__ import annotations

from pathlib import Path

import click

from embodied_eval.cli.output import find_run, json_option, open_store, print_json, store_option


@click.command("report", short_help="Build an HTML report of one or more runs.")
@click.argument("runs", nargs=-1)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the report [default: STORE/report, or the run's own for one run].",
)
@click.option("--judge", help="Verdicts of this judge [default: each run's own].")
@click.option("--public", is_flag=True, help="Leave the truth out: no target, rubric or solution.")
@store_option
@json_option
def command(
    runs: tuple[str, ...],
    out: Path | None,
    judge: str | None,
    public: bool,
    store_path: Path | None,
    as_json: bool,
) -> int:
    """Build one folder that opens from disk. Without RUNS: every run of the store."""
    from embodied_eval.errors import UsageError
    from embodied_eval.plugins import load

    if runs:
        pairs = [find_run(ref, store_path) for ref in runs]
        store = pairs[0][0]
        if any(other.root != store.root for other, _ in pairs):
            raise UsageError("The runs stand in different stores; a report is made from one.")
        found = [run for _, run in pairs]
    else:
        store = open_store(store_path)
        found = list(reversed(store.runs()))
        if not found:
            raise UsageError(f"The store {store.root} holds no run.", hint="Begin with: embodied-eval run")
    folder = out or (found[0].path / "report" if len(found) == 1 else store.root / "report")
    index = load("reports", "html")(store, found, folder, public=public, judge=judge)
    if as_json:
        print_json(
            {"schema": "embodied-eval/report/1", "index": str(index), "runs": [run.id for run in found]}
        )
    else:
        click.echo(index)
    return 0
