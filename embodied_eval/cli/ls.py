"""`embodied-eval ls WHAT`."""

from __future__ import annotations

from pathlib import Path

import click

from embodied_eval.cli.output import json_option, open_store, print_json, print_table, store_option
from embodied_eval.errors import UsageError
from embodied_eval.records import Json

WHAT = ("benchmarks", "tasks", "conditions", "models", "drivers", "judges", "runners", "runs")
OF_BENCHMARK = ("tasks", "conditions", "models")


@click.command("ls", short_help="List benchmarks, tasks, conditions, models, drivers, judges or runs.")
@click.argument("what", type=click.Choice(WHAT))
@click.argument("benchmark", required=False)
@click.option("--tasks", "pattern", default="", help="Only tasks whose id fits this glob.")
@store_option
@json_option
def command(what: str, benchmark: str | None, pattern: str, store_path: Path | None, as_json: bool) -> int:
    """List WHAT: benchmarks, drivers, judges, runners, runs; and of a BENCHMARK: tasks, conditions, models."""
    if what in OF_BENCHMARK and not benchmark:
        raise UsageError(
            f"`ls {what}` needs a benchmark.", hint=f"Example: embodied-eval ls {what} worldaudit"
        )
    document, columns, rows = _listing(what, benchmark or "", pattern, store_path)
    if as_json:
        print_json({"schema": f"embodied-eval/ls-{what}/1", **document})
    else:
        print_table(columns, rows)
    return 0


Listing = tuple[dict[str, Json], tuple[str, ...], list[tuple[Json, ...]]]


def _listing(what: str, benchmark: str, pattern: str, store_path: Path | None) -> Listing:
    if what == "tasks":
        return _tasks(benchmark, pattern)
    if what == "conditions":
        from embodied_eval.plugins import load_benchmark

        found = load_benchmark(benchmark).conditions()
        made = [
            {
                "name": item.name,
                "description": item.description,
                "settings": dict(item.settings),
                "members": list(item.members),
            }
            for item in found
        ]
        return (
            {"benchmark": benchmark, "conditions": made},
            ("condition", "what it changes", "settings"),
            [
                (item.name, item.description, ", ".join(item.members) or str(dict(item.settings) or ""))
                for item in found
            ],
        )
    if what == "models":
        return _models(benchmark)
    if what == "runs":
        return _runs(store_path)
    from embodied_eval.plugins import list_plugins

    plugins = list_plugins(what)
    names = [{"name": item.name, "from": item.distribution, "target": item.target} for item in plugins]
    return (
        {what: names},
        ("name", "from", "target"),
        [(item.name, item.distribution, item.target) for item in plugins],
    )


def _tasks(benchmark: str, pattern: str) -> Listing:
    import fnmatch

    from embodied_eval.plan import suite_hash
    from embodied_eval.plugins import load_benchmark

    plugin = load_benchmark(benchmark)
    every = list(plugin.tasks())
    tasks = [task for task in every if not pattern or fnmatch.fnmatchcase(task.id, pattern)]
    document: dict[str, Json] = {
        "benchmark": plugin.name,
        "version": plugin.version,
        "suite_hash": suite_hash(every),
        "tasks": [
            {
                "task_id": task.id,
                "engine": task.engine,
                "scene": task.scene,
                "tags": list(task.tags),
                "sha256": task.sha256,
            }
            for task in tasks
        ],
    }
    return (
        document,
        ("task", "engine", "scene", "tags", "sha256"),
        [(task.id, task.engine, task.scene, ", ".join(task.tags), task.sha256[:12]) for task in tasks],
    )


def _models(benchmark: str) -> Listing:
    from embodied_eval.plugins import load_benchmark

    kinds = load_benchmark(benchmark).scripted()
    rows: list[tuple[Json, ...]] = [
        (f"scripted/{name}", kind.control, kind.privileged, kind.description) for name, kind in kinds.items()
    ]
    made = [
        {"name": name, "control": control, "privileged": privileged, "description": text}
        for name, control, privileged, text in rows
    ]
    note: tuple[Json, ...] = (
        "any LiteLLM name",
        "",
        False,
        "e.g. openai/gpt-4o; the key comes from the environment",
    )
    return (
        {"benchmark": benchmark, "models": made},
        ("model", "control", "privileged", "what it is"),
        [*rows, note],
    )


def _runs(store_path: Path | None) -> Listing:
    store = open_store(store_path)
    rows: list[tuple[Json, ...]] = []
    for run in store.runs():
        plan, receipts = run.manifest["plan"], run.receipts()
        finished = sum(row["episode_key"] in receipts for row in plan)
        rows.append(
            (
                run.id,
                run.manifest["benchmark"],
                run.manifest["model"],
                finished,
                len(plan),
                run.manifest["created_at"],
            )
        )
    names = ("run", "benchmark", "model", "finished", "planned", "created_at")
    return (
        {"store": str(store.root), "runs": [dict(zip(names, row, strict=True)) for row in rows]},
        ("run", "model", "episodes"),
        [(run, model, f"{finished} of {planned}") for run, _, model, finished, planned, _ in rows],
    )
