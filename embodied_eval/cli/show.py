"""`embodied-eval show RUN [EPISODE]`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from embodied_eval.cli.output import (
    cell,
    find_run,
    json_option,
    percent,
    plain,
    print_json,
    print_table,
    store_option,
)

WHY = {
    "excluded": "SELECT task_id, status, error FROM episodes WHERE NOT counted AND run_id = '{run}'",
    "unjudged": "SELECT DISTINCT judge, error FROM verdicts WHERE error <> '' AND run_id = '{run}'",
}
"""What to ask the store about episodes that count for no metric."""


@click.command("show", short_help="Show a run's results, or one of its episodes.")
@click.argument("run", required=False)
@click.argument("episode", required=False)
@click.option("--judge", help="Verdicts of this judge [default: the run's own].")
@store_option
@json_option
def command(
    run: str | None, episode: str | None, judge: str | None, store_path: Path | None, as_json: bool
) -> int:
    """Show RUN's results (RUN: an id, its beginning, a run's folder, or nothing if the store holds one run).

    EPISODE is a task id or the beginning of an episode's key: then its steps and verdicts are shown.
    """
    from embodied_eval.plugins import load_benchmark
    from embodied_eval.results import show_document

    store, found = find_run(run, store_path)
    plugin = load_benchmark(found.manifest["benchmark"])
    if episode:
        document = episode_document(store, found, plugin, episode, judge)
        if as_json:
            print_json(document)
        else:
            _print_episode(document)
        return 0
    document = show_document(store, found, plugin, judge)
    if as_json:
        print_json(document)
    else:
        print_show(document)
    return 0


def print_show(document: dict[str, Any]) -> None:
    """The `show` document for people."""
    click.echo(
        f"{document['benchmark']}  {plain(document['model'])}  (judge: {plain(document['judge'])}; "
        f"conditions: {', '.join(document['conditions'])})"
    )
    if document["privileged"]:
        click.echo("This model sees the truth: a control, never ranked.")
    several = any(row["condition"] for row in document["groups"])
    if document["metrics"]:
        print_table(
            ("metric", "value", "95 % interval", "n", "of"),
            [
                (
                    name,
                    percent(metric["value"], metric["unit"])
                    if metric["value"] is not None
                    else metric["reason"],
                    "-" if metric["low"] is None else f"{metric['low']:.1f} to {metric['high']:.1f}",
                    metric["n"],
                    metric["denominator"],
                )
                for name, metric in document["metrics"].items()
            ],
            title=f"condition {document['conditions'][0]}" if several else "",
        )
    if document["groups"]:
        _print_groups(document["groups"])
    cost = document["cost_usd"]
    click.echo(
        f"{document['finished']} of {document['planned']} episodes finished; excluded {document['excluded']}, "
        f"unjudged {document['unjudged']}; {cell(document['steps'])} steps, {cell(document['calls'])} calls, "
        f"{'cost unknown' if cost is None else f'${cost:.4f}'}, {document['wall_s'] or 0:.1f} s of episodes."
    )
    judging = document["judging"]
    if judging["calls"]:
        paid = judging["cost_usd"]
        told = "cost unknown" if paid is None else f"${paid:.4f}"
        click.echo(f"Judging took {judging['calls']} calls, {told}.")
    for state, sql in WHY.items():
        if document[state]:
            click.echo(f'Why {state}: embodied-eval query "{sql.format(run=document["run"])}"')
    click.echo(f"run {document['run']}")


def _print_groups(groups: list[dict[str, Any]]) -> None:
    """A line for each group and condition, a column for each metric: value, interval, n/denominator."""
    # The first two metrics fit a terminal; all of them are in --json and in the report.
    names = list(dict.fromkeys(row["name"] for row in groups))[:2]
    places = list(dict.fromkeys((row["group"], row["condition"]) for row in groups))
    found = {(row["group"], row["condition"], row["name"]): row for row in groups}
    several = any(condition for _, condition in places)
    print_table(
        ("group", *(["condition"] if several else []), *names),
        [
            (
                group or "all",
                *([condition] if several else []),
                *(_short(found.get((group, condition, name))) for name in names),
            )
            for group, condition in places
        ],
    )


def _short(metric: dict[str, Any] | None) -> str:
    if metric is None:
        return ""
    share = f"{metric['n']}/{metric['denominator']}"
    if metric["value"] is None:
        return f"- {share}"
    interval = "" if metric["low"] is None else f" [{metric['low']:.0f}, {metric['high']:.0f}]"
    return f"{percent(metric['value'], metric['unit'])}{interval} {share}"


def episode_document(store: Any, run: Any, plugin: Any, ref: str, judge: str | None) -> dict[str, Any]:
    """One episode as JSON: its steps, verdicts and answer."""
    from embodied_eval.errors import UnknownName
    from embodied_eval.records import to_json
    from embodied_eval.results import find_judge_key, trajectory_of

    rows = [
        row for row in run.manifest["plan"] if row["task_id"] == ref or row["episode_key"].startswith(ref)
    ]
    if not rows:
        raise UnknownName(f"episode in {run.id}", ref, {row["task_id"] for row in run.manifest["plan"]})
    key = rows[0]["episode_key"]
    if key not in run.receipts():
        raise UnknownName(
            f"finished episode in {run.id}", ref, (), hint="It is planned but not finished; use run --resume."
        )
    trajectory = trajectory_of(store, run, key, plugin)
    judging = find_judge_key(run, judge)
    verdicts = run.verdicts(judging).get(key, ()) if judging else ()
    return {
        "schema": "embodied-eval/episode/1",
        "run": run.id,
        "episode_key": key,
        "task_id": rows[0]["task_id"],
        "condition": rows[0]["condition"],
        "repeat": rows[0]["repeat"],
        "outcome": to_json(trajectory.outcome),
        "verdicts": [to_json(verdict) for verdict in verdicts],
        "steps": [to_json(step) for step in trajectory.steps],
    }


def _print_episode(document: dict[str, Any]) -> None:
    click.echo(f"{document['task_id']}  {document['outcome']['status']}  ({document['episode_key']})")
    print_table(
        ("#", "action", "arguments", "result"),
        [
            (step["index"], step["action"], str(step["arguments"] or ""), step["result"][:200])
            for step in document["steps"]
        ],
    )
    for verdict in document["verdicts"]:
        state = verdict["error"] or ("yes" if verdict["passed"] else "no")
        click.echo(f"{verdict['item']}: {plain(state)} - {plain(verdict['reason'])}")
