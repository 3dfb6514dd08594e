"""`embodied-eval judge RUN`."""

from __future__ import annotations

from pathlib import Path

import click

from embodied_eval.cli.output import find_run, json_option, print_json, store_option


@click.command("judge", short_help="Judge a run again, with another judge, without playing again.")
@click.argument("run", required=False)
@click.option(
    "--judge-model",
    multiple=True,
    help="truth, or [POLICY:]MODEL[#VOTES]; repeatable [default: the run's own].",
)
@click.option("--votes", type=int, help="Ask each judge model so often (odd); the majority decides.")
@click.option("--again", is_flag=True, help="Also episodes that this judge has judged before.")
@click.option("--budget-usd", type=float, help="Stop at so many dollars.")
@click.option("--budget-tokens", type=int, help="Stop at so many tokens.")
@store_option
@json_option
def command(
    run: str | None,
    judge_model: tuple[str, ...],
    votes: int | None,
    again: bool,
    budget_usd: float | None,
    budget_tokens: int | None,
    store_path: Path | None,
    as_json: bool,
) -> int:
    """Judge RUN from what is stored. Only episodes without a sound verdict of that judge are asked for."""
    from embodied_eval.cli.interrupt import run_async
    from embodied_eval.cli.show import print_show
    from embodied_eval.config import RunConfig, resolve
    from embodied_eval.judges.names import with_votes
    from embodied_eval.judging import check_judge, check_offered, judge_run, make_judge
    from embodied_eval.pipeline import exit_code, ingest
    from embodied_eval.plugins import load_benchmark
    from embodied_eval.results import show_document
    from embodied_eval.runner import make_gateway

    store, found = find_run(run, store_path)
    plugin = load_benchmark(found.manifest["benchmark"])
    # The run's own settings, but for what is set here and now: an API base is never stored.
    given = {"budget_usd": budget_usd, "budget_tokens": budget_tokens, "votes": votes}
    now = resolve(plugin, command_line=given, options={})
    stored = {**found.manifest["config"], "budget_usd": None, "budget_tokens": None}
    stored |= {key: value for key, value in now.config.model_dump().items() if key in now.sources}
    stored.pop("options", None)
    names = with_votes(judge_model or (found.manifest["judge"],), now.config.votes)
    for name in names:
        check_judge(name)
        check_offered(plugin, name)

    async def work() -> None:
        gateway = make_gateway(RunConfig(**stored), store_root=store.root)
        try:
            for name in names:
                await judge_run(store, found, plugin, make_judge(name, gateway), only_missing=not again)
        finally:
            await gateway.close()
            ingest(store, found)

    run_async(work())
    documents = [show_document(store, found, plugin, name) for name in names]
    if as_json:
        print_json(documents[0] if len(documents) == 1 else documents)
    else:
        for document in documents:
            print_show(document)
    return max(exit_code(store, found, name) for name in names)
