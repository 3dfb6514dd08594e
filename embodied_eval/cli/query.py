"""`embodied-eval query SQL`."""

from __future__ import annotations

from pathlib import Path

import click

from embodied_eval.cli.output import json_option, open_store, print_json, print_table, store_option


@click.command("query", short_help="Ask the store in SQL.")
@click.argument("sql")
@click.option("--max-rows", type=int, default=1000, show_default=True, help="Most rows to print.")
@click.option("--timeout", "timeout_s", type=float, default=60.0, show_default=True, help="Seconds.")
@store_option
@json_option
def command(sql: str, max_rows: int, timeout_s: float, store_path: Path | None, as_json: bool) -> int:
    """Ask every trajectory in SQL, read-only. The schema is in docs/store.md.

    \b
    embodied-eval query "SELECT task_id, status, steps FROM episodes"
    """
    from embodied_eval.store.query import query

    columns, rows = query(open_store(store_path), sql, max_rows=max_rows, timeout_s=timeout_s)
    if as_json:
        print_json(
            {
                "schema": "embodied-eval/query/1",
                "columns": list(columns),
                "rows": [[_json(value) for value in row] for row in rows],
            }
        )
    else:
        print_table(columns, [[_json(value) for value in row] for row in rows])
    return 0


def _json(value: object) -> object:
    import math

    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, (list, tuple)):
        return [_json(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _json(item) for key, item in value.items()}
    return str(value)
