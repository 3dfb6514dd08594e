"""Many questions in one frame of the game, and errors that count or do not."""

from __future__ import annotations

from collections.abc import Sequence

from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.errors import CommandFailed

# A batch is held in the server's memory and run in one frame of the game: longer lists are cut.
BATCH = 512


def texts(client: Client, commands: Sequence[str]) -> list[str]:
    """The answers to `commands`, asked in batches. Raises `CommandFailed` for the first that is an error, all of
    its batch having been run."""
    found = []
    for start in range(0, len(commands), BATCH):
        part = commands[start : start + BATCH]
        bodies = client.batch(part)
        found += [client.read_text(command, body) for command, body in zip(part, bodies, strict=True)]
    return found


def tried(client: Client, commands: Sequence[str]) -> list[str | None]:
    """The same, None for each answer that is an error."""
    found: list[str | None] = []
    for start in range(0, len(commands), BATCH):
        part = commands[start : start + BATCH]
        for command, body in zip(part, client.batch(part), strict=True):
            try:
                found.append(client.read_text(command, body))
            except CommandFailed:
                found.append(None)
    return found


def works(client: Client, command: str) -> bool:
    """Whether the server answers `command` without an error."""
    return tried(client, [command])[0] is not None


def unplanted(what: str, wanted: object, got: object, client: Client, command: str) -> CommandFailed:
    """The error for a change that the server answered with `ok` and that is not there when read back."""
    failed = CommandFailed(
        f"The simulator took {command!r} with ok, but {what} reads {got} instead of {wanted}.",
        hint="An actor that is Static cannot be changed while the game runs; plant this in another object.",
    )
    failed.endpoint, failed.command = client.endpoint, command
    return failed
