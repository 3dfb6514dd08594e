"""The command line. Each command is a small file of its own, imported only when it is called."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

import click

from embodied_eval import __version__
from embodied_eval.errors import EmbodiedEvalError

COMMANDS = {
    "run": "Play a benchmark with a model, judge it, store every step.",
    "judge": "Judge a run again, with another judge, without playing again.",
    "report": "Build an HTML report of one or more runs.",
    "compare": "Compare two runs episode by episode.",
    "ls": "List benchmarks, tasks, conditions, models, drivers, judges or runs.",
    "show": "Show a run's results, or one of its episodes.",
    "status": "Show how far a run has come.",
    "query": "Ask the store in SQL.",
    "export": "Write a run's tables as Parquet, CSV, JSON lines or LaTeX.",
    "verify": "Prove every task sound: the oracle passes, the null agent fails, the clean twin is clean.",
    "db": "Check or rebuild the database.",
    "plugins": "List the plugins and say which are broken.",
    "sim": "Serve a world over the UnrealCV protocol, as a game would.",
    "doctor": "Say what works on this machine, and how to mend the rest.",
}


class LazyGroup(click.Group):
    """Commands by name; a command's module is imported when it is resolved."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, its module imported now."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"embodied_eval.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in `--help`, from `COMMANDS`: nothing is imported for it."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with the nearest legal name in the error."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise click.UsageError(f"No such command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="Exit codes: 0 done; 1 internal error; 2 usage; 3 episodes excluded or not certified; "
    "4 judging incomplete; 5 something is missing here (run doctor); 6 budget reached; 130 interrupted.",
)
@click.version_option(__version__, prog_name="embodied-eval")
def cli() -> None:
    """Evaluate embodied and world-model AI: one toolkit, four benchmarks, every step in DuckDB.

    Start with: embodied-eval run worldaudit --model scripted/oracle
    """


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; errors go to stderr with what to do next."""
    try:
        status = cli.main(args=args, prog_name="embodied-eval", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        error.show(file=sys.stderr)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("Interrupted. What is finished is stored; --resume goes on from there.", err=True)
        return 130
    except EmbodiedEvalError as error:
        show_error(error)
        return error.exit_code
    except BrokenPipeError:
        # The reader of our output went away (`| head`): not an error of ours.
        sys.stderr.close()
        return 0


def show_error(error: EmbodiedEvalError) -> None:
    """An error of ours on stderr: what happened, then what to do next."""
    from embodied_eval.cli.output import plain

    click.echo(f"error: {plain(error.message)}", err=True)
    if error.hint:
        click.echo(f"       {plain(error.hint)}", err=True)


def script() -> None:
    """The console script's entry point."""
    sys.exit(main())
