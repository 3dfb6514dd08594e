"""`embodied-eval compare A B`."""

from __future__ import annotations

from pathlib import Path

import click

from embodied_eval.cli.output import find_run, json_option, plain, print_json, print_table, store_option


@click.command("compare", short_help="Compare two runs episode by episode.")
@click.argument("a")
@click.argument("b")
@click.option("--judge", help="Verdicts of this judge [default: each run's own, which must be the same].")
@store_option
@json_option
def command(a: str, b: str, judge: str | None, store_path: Path | None, as_json: bool) -> int:
    """Pair the episodes of runs A and B by task, condition and repeat, and test the difference."""
    from embodied_eval.compare import compare_runs
    from embodied_eval.plugins import load_benchmark

    store_a, run_a = find_run(a, store_path)
    store_b, run_b = find_run(b, store_path)
    plugin = load_benchmark(run_a.manifest["benchmark"])
    document = compare_runs(plugin, (store_a, run_a), (store_b, run_b), judge)
    if as_json:
        print_json(document)
        return 0
    click.echo(f"A {document['a']}  ({plain(document['model_a'])})")
    click.echo(f"B {document['b']}  ({plain(document['model_b'])})")
    print_table(
        ("metric", "A", "B", "B - A", "95 % interval", "p", "pairs"),
        [
            (
                name,
                row["a"],
                row["b"],
                row["difference"],
                "-" if row["low"] is None else f"{row['low']:.1f} to {row['high']:.1f}",
                row["p"],
                row["n"],
            )
            for name, row in document["metrics"].items()
        ],
    )
    click.echo(
        f"{document['pairs']} pairs; only in A {document['only_a']}, only in B {document['only_b']}; "
        f"verdicts differ in {document['verdict_differs']}, trajectories in {document['trajectory_differs']}."
    )
    return 0
