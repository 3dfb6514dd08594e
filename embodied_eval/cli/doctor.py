"""`embodied-eval doctor`."""

from __future__ import annotations

import logging
import shlex
import subprocess

import click

from embodied_eval.cli.output import json_option, plain, print_json

STDERR = 2
log = logging.getLogger("embodied_eval")
MARKS = {"ok": "ok      ", "missing": "missing ", "broken": "BROKEN  ", "untested": "untested"}


@click.command("doctor", short_help="Say what works on this machine, and how to mend the rest.")
@click.argument("parts", nargs=-1)
@click.option("--fix", is_flag=True, help="Show the commands that mend what is missing, and ask to run them.")
@click.option("--yes", is_flag=True, help="With --fix: do not ask.")
@json_option
def command(parts: tuple[str, ...], fix: bool, yes: bool, as_json: bool) -> int:
    """Try every part (or PARTS): Python, EGL, Chromium, UE5, GPU, Ray, Lean, API keys ...

    Exit code 5 if something that the embedded benchmarks need does not work.
    """
    from embodied_eval.benchmark import Check
    from embodied_eval.doctor.probes import PROBES, REQUIRED
    from embodied_eval.doctor.run import run_probes
    from embodied_eval.errors import EmbodiedEvalError, UnknownName
    from embodied_eval.plugins import list_plugins, load_benchmark

    for part in parts:
        if part not in PROBES:
            raise UnknownName("part", part, PROBES)
    checks = run_probes(parts, on_check=lambda check: None if as_json else show(check))
    if not parts:
        for info in list_plugins("benchmarks"):
            try:
                further = list(load_benchmark(info.name).checks())
            except EmbodiedEvalError as error:
                further = [Check(f"plugin {info.name}", "broken", str(error))]
            except Exception as error:
                log.debug("checks of %s", info.name, exc_info=True)
                further = [Check(f"plugin {info.name}", "broken", f"{type(error).__name__}: {error}")]
            checks += further
            for check in further:
                if not as_json:
                    show(check)
    fixes = list(dict.fromkeys(check.fix for check in checks if check.fix and check.status != "ok"))
    bad = [check.name for check in checks if check.name in REQUIRED and check.status != "ok"]
    if as_json:
        rows = [
            {"name": item.name, "status": item.status, "detail": item.detail, "fix": item.fix}
            for item in checks
        ]
        print_json({"schema": "embodied-eval/doctor/1", "checks": rows, "needed_but_not_ok": bad})
    elif bad:
        click.echo(f"The embedded benchmarks need: {', '.join(bad)}.")
    else:
        click.echo("The embedded benchmarks run here.")
    if fix:
        apply_fixes(fixes, ask=not yes)
    return 5 if bad else 0


def show(check: object) -> None:
    """One check for people."""
    status, name, detail, mend = (getattr(check, field) for field in ("status", "name", "detail", "fix"))
    click.echo(f"{MARKS[status]}  {name:<9} {plain(detail)}")
    if mend and status != "ok":
        click.echo(f"{'':20}mend: {mend}")


def apply_fixes(fixes: list[str], *, ask: bool) -> None:
    """Show each command and run it (after asking); one that sets the environment is only shown."""
    for text in fixes:
        if text.startswith("export "):
            click.echo(f"Set this yourself: {text}", err=True)
            continue
        click.echo(f"$ {text}", err=True)
        if ask and not click.confirm("Run this?", err=True):
            continue
        try:
            # What it prints goes to stderr: stdout is for our one JSON document.
            done = subprocess.run(shlex.split(text), stdout=STDERR)
        except OSError as error:
            click.echo(f"That command cannot be run: {error.strerror or error}.", err=True)
            continue
        if done.returncode:
            click.echo(f"That command failed with exit code {done.returncode}.", err=True)
