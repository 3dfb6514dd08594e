"""`embodied-eval status RUN`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from embodied_eval.cli.output import find_run, json_option, print_json, store_option


@click.command("status", short_help="Show how far a run has come.")
@click.argument("run", required=False)
@store_option
@json_option
def command(run: str | None, store_path: Path | None, as_json: bool) -> int:
    """Say how many of RUN's episodes are finished, and how they ended. Reads the spools, locks nothing."""
    _store, found = find_run(run, store_path)
    receipts = found.receipts()
    planned = [row["episode_key"] for row in found.manifest["plan"]]
    by_status = Counter(receipts[key].status for key in planned if key in receipts)
    finished = sum(by_status.values())
    document = {
        "schema": "embodied-eval/status/1",
        "run": found.id,
        "planned": len(planned),
        "finished": finished,
        "by_status": dict(by_status),
    }
    if as_json:
        print_json(document)
    else:
        ends = ", ".join(f"{count} {status}" for status, count in by_status.items()) or "none finished"
        click.echo(f"{found.id}: {finished} of {len(planned)} episodes ({ends})")
    return 0
