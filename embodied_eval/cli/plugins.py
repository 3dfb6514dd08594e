"""`embodied-eval plugins ls`."""

from __future__ import annotations

import click

from embodied_eval.cli.output import json_option, print_json, print_table


@click.group("plugins", short_help="List the plugins and say which are broken.")
def command() -> None:
    """Benchmarks, runners, reports, drivers and judges, ours and other people's."""


@command.command("ls")
@json_option
def ls_command(as_json: bool) -> int:
    """Load every plugin and list it; a broken one is named with its error and stops nothing."""
    from embodied_eval.plugins import GROUPS, list_plugins

    found = [item for group in GROUPS for item in list_plugins(group, try_load=True)]
    if as_json:
        rows = [
            {
                "group": item.group,
                "name": item.name,
                "target": item.target,
                "from": item.distribution,
                "error": item.error,
            }
            for item in found
        ]
        print_json({"schema": "embodied-eval/plugins/1", "plugins": rows})
    else:
        print_table(
            ("group", "name", "from", "state"),
            [(item.group, item.name, item.distribution, item.error or "ok") for item in found],
        )
    return 3 if any(item.error for item in found) else 0
