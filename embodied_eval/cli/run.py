"""`embodied-eval run BENCH`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from embodied_eval.cli.output import json_option, plain, print_json, print_table, store_folder, store_option

FORECAST = (
    "expected_calls",
    "expected_tokens",
    "expected_cost_usd",
    "typical_calls",
    "typical_tokens",
    "typical_cost_usd",
)
"""What a dry run tells of each episode, at most and typically, and sums up."""


@click.command("run", short_help="Play a benchmark with a model, judge it, store every step.")
@click.argument("benchmark")
@click.option("--model", multiple=True, help="LiteLLM name or scripted/NAME; repeat for several runs.")
@click.option("--judge-model", multiple=True, help="truth, or [POLICY:]MODEL[#VOTES]; the first one leads.")
@click.option("--votes", type=int, help="Ask each judge model so often (odd); the majority decides.")
@click.option("--model-for", multiple=True, metavar="ROLE=NAME", help="Model for another role.")
@click.option("--tasks", multiple=True, metavar="GLOB", help="Only tasks whose id fits; repeatable.")
@click.option("--limit", type=int, help="At most so many tasks.")
@click.option("--condition", multiple=True, help="Named protocol settings; repeatable.")
@click.option("--set", "options", multiple=True, metavar="KEY=VALUE", help="An option of the benchmark.")
@click.option(
    "--config", "config_name", default="", help="TOML file, or the name of one that the benchmark ships."
)
@click.option("--engine", help="Only tasks of this engine.")
@click.option("--driver", help="Simulator driver.")
@click.option("--driver-address", help="Address of a running simulator.")
@click.option("--world", help="Another world than the tasks' own.")
@click.option("--data", help="Folder with the benchmark's official data.")
@click.option("--seed", type=int, help="Seed of everything random.")
@click.option("--repeats", type=int, help="Episodes for each task and condition.")
@click.option("--runner", help="inprocess (default) or ray.")
@click.option("--address", help="Address of a Ray cluster.")
@click.option("--concurrency", type=int, help="Episodes at the same time.")
@click.option("--budget-usd", type=float, help="Stop at so many dollars; resumable.")
@click.option("--budget-tokens", type=int, help="Stop at so many tokens; resumable.")
@click.option("--cache", flag_value="read-write", help="Answer what was asked before from the store's cache.")
@click.option("--no-cache", "cache", flag_value="off", help="Ask every time (default).")
@click.option("--record", metavar="DIR", help="Record all model traffic in DIR.")
@click.option("--replay", metavar="DIR", help="Answer from what was recorded in DIR; ask no model.")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Make DIR this command's store."
)
@store_option
@click.option("--resume", is_flag=True, help="Go on with the newest run of the same settings.")
@click.option("--dry-run", is_flag=True, help="Plan only; play nothing.")
@click.option(
    "--explain",
    is_flag=True,
    help="Say where each value came from; with --dry-run also what is reused, and why the rest is not.",
)
@json_option
def command(
    benchmark: str,
    options: Sequence[str],
    config_name: str,
    model_for: Sequence[str],
    out: Path | None,
    store_path: Path | None,
    resume: bool,
    dry_run: bool,
    explain: bool,
    as_json: bool,
    **flags: Any,
) -> int:
    """Play BENCHMARK with a model, judge it and store every step.

    \b
    embodied-eval run worldaudit --model scripted/oracle
    embodied-eval run worldaudit --model openai/gpt-4o --limit 3 --budget-usd 2
    """
    from embodied_eval.config import resolve
    from embodied_eval.errors import ConfigError
    from embodied_eval.judges.names import with_votes
    from embodied_eval.pipeline import check_names
    from embodied_eval.plugins import load_benchmark
    from embodied_eval.store import Store

    plugin = load_benchmark(benchmark)
    given = {key: value for key, value in flags.items() if value not in (None, ())}
    given["model_for"] = dict(pair(text, "--model-for") for text in model_for)
    if out or store_path:
        given["store"] = str(out or store_path)
    resolved = resolve(
        plugin,
        command_line=given,
        options=dict(pair(text, "--set") for text in options),
        config_name=config_name,
    )
    models = resolved.config.model
    if not models:
        scripted = ", ".join(f"scripted/{name}" for name in plugin.scripted())
        raise ConfigError("No model was named.", hint=f"Give --model, for example one of: {scripted}.")
    judges = with_votes(resolved.config.judge_model or (plugin.default_judge,), resolved.config.votes)
    folder = out or (store_path or _configured_store(resolved.config.store))
    if explain and not dry_run:
        _explain_values(resolved.sources, resolved)
    if dry_run:
        return _dry_run(plugin, resolved, models, folder, explain=explain, as_json=as_json)
    check_names(plugin, resolved, models, judges)
    store = Store.open(folder)
    code, documents = 0, []
    for model in models:
        status, document = _one(plugin, resolved, model, judges, store, resume=resume, quiet=as_json)
        documents.append(document)
        code = max(code, status)
    if as_json:
        print_json(documents[0] if len(documents) == 1 else documents)
    return code


def pair(text: str, flag: str) -> tuple[str, str]:
    """`KEY=VALUE` as two strings."""
    key, sign, value = text.partition("=")
    if not sign or not key:
        raise click.UsageError(f"{flag} takes KEY=VALUE, not {text!r}.")
    return key.strip(), value


def _configured_store(name: str) -> Path:
    from embodied_eval.config import DEFAULT_STORE

    return Path(name) if name != DEFAULT_STORE else store_folder(None)


def _one(
    plugin: Any, resolved: Any, model: str, judges: Sequence[str], store: Any, *, resume: bool, quiet: bool
) -> tuple[int, dict[str, Any]]:
    from embodied_eval.cli.findings import print_galleries
    from embodied_eval.cli.interrupt import run_async
    from embodied_eval.cli.live import LiveProgress, PlainProgress
    from embodied_eval.cli.output import console
    from embodied_eval.cli.show import print_show
    from embodied_eval.pipeline import exit_code, run_model
    from embodied_eval.results import show_document

    headline = plugin.headline.metric if plugin.headline else ""
    terminal = console(err=True)
    progress = LiveProgress(terminal, headline) if terminal.is_terminal else PlainProgress(headline)
    run = run_async(run_model(plugin, resolved, model, judges, store, resume=resume, progress=progress))
    document = show_document(store, run, plugin, judges[0])
    if not quiet:
        print_show(document)
        print_galleries(store, run, plugin, judges[0])
        click.echo(f"\nReport:  embodied-eval report {run.id} --store {store.root}", err=True)
    return exit_code(store, run, judges[0]), document


def _explain_values(sources: dict[str, str], resolved: Any) -> None:
    click.echo("Values and their sources:", err=True)
    for name in type(resolved.config).model_fields:
        value = getattr(resolved.config, name)
        click.echo(f"  {name} = {plain(str(value))}  ({sources.get(name, 'default')})", err=True)
    for name, value in resolved.options.items():
        click.echo(f"  options.{name} = {plain(str(value))}  ({sources[f'options.{name}']})", err=True)


def _dry_run(
    plugin: Any, resolved: Any, models: Sequence[str], folder: Path, *, explain: bool, as_json: bool
) -> int:
    from embodied_eval.benchmark import Expected
    from embodied_eval.errors import DataFileError
    from embodied_eval.pipeline import explain_reuse
    from embodied_eval.plan import plan_run
    from embodied_eval.store import Store

    rows = []
    for model in models:
        planned = plan_run(plugin, resolved, model)
        try:
            store = Store.open(folder, create=False)
        except DataFileError:
            store = None
        reuse = {item.item.hex: item for item in explain_reuse(store, planned, model)} if store else {}
        for item in planned:
            found = reuse.get(item.hex)
            expected = plugin.expect(item.task, item.options)
            typical = expected.typical or Expected(None, None, None)
            rows.append(
                {
                    "episode_key": item.hex,
                    "model": model,
                    "task_id": item.task.id,
                    "condition": item.condition.name,
                    "repeat": item.repeat,
                    "action": "reuse" if found and found.reuse else "run",
                    "run": found.run_id if found else "",
                    "differs": found.differs if found else "no store yet",
                    "expected_calls": expected.calls,
                    "expected_tokens": expected.tokens,
                    "expected_cost_usd": _cost(resolved.config, model, expected),
                    "typical_calls": typical.calls,
                    "typical_tokens": typical.tokens,
                    "typical_cost_usd": _cost(resolved.config, model, typical),
                }
            )
    todo = [row for row in rows if row["action"] == "run"]
    document = {
        "schema": "embodied-eval/dry-run/1",
        "benchmark": plugin.name,
        "episodes": rows,
        "to_run": len(todo),
        **{name: _total(row[name] for row in todo) for name in FORECAST},
        "values": {
            name: {
                "value": _plain(getattr(resolved.config, name)),
                "source": resolved.sources.get(name, "default"),
            }
            for name in type(resolved.config).model_fields
        },
    }
    if as_json:
        print_json(document)
        return 0
    if explain:
        _explain_values(resolved.sources, resolved)
        print_table(
            ("task", "condition", "repeat", "model", "action", "why"),
            [
                (row["task_id"], row["condition"], row["repeat"], row["model"], row["action"], row["differs"])
                for row in rows
            ],
        )
    cost = document["expected_cost_usd"]
    click.echo(
        f"{len(rows)} episodes planned, {len(todo)} to run; at most {document['expected_calls']} calls and "
        f"{document['expected_tokens']} tokens; cost {'unknown' if cost is None else f'at most ${cost:.2f}'}."
    )
    usual = document["typical_cost_usd"]
    if document["typical_calls"] is not None:
        click.echo(
            f"Typically {document['typical_calls']} calls and {document['typical_tokens']} tokens; "
            f"cost {'unknown' if usual is None else f'about ${usual:.2f}'}."
        )
    return 0


def _cost(config: Any, model: str, expected: Any) -> float | None:
    if model.startswith("scripted/"):
        return 0.0
    from embodied_eval.models.litellm_backend import LiteLLMBackend
    from embodied_eval.models.prices import given_prices

    given, _video = given_prices(config.prices)
    price = given.get(model) or LiteLLMBackend().price(model)
    if price is None or expected.tokens is None:
        return None
    return price.usd(expected.tokens_in, expected.tokens_out)


def _total(values: Any) -> Any:
    found = list(values)
    return None if None in found else sum(found)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
