"""Templates of commands, and from a command to its handler, as the public server matches them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from embodied_eval.drivers.unrealcv.game import Game

Handler = Callable[["Game", tuple[str, ...]], "str | bytes"]
_WORDS = {"[str]": r"(\S*)", "[uint]": r"(\d*)", "[float]": r"([+-]?\d*\.?\d+)"}
_PLACEHOLDER = re.compile(r"(\[(?:str|uint|float)\])")
MAX_NUMBER = 1e9
INVALID = "Argument Invalid"


class Refusal(Exception):
    """A command that fails; its text follows `error ` in the reply."""


@dataclass(frozen=True)
class Entry:
    """A template, what `help` says of it, and what runs it."""

    template: str
    help: str
    handler: Handler
    pattern: re.Pattern[str]


class Registry:
    """The commands of a server. Of several templates that fit, the last registered counts."""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}
        self._by_start: dict[tuple[str, str], list[Entry]] = {}

    def add(self, template: str, help: str, handler: Handler) -> None:
        """Have `handler` called with the game and what stands for the template's placeholders: `[str]` no
        spaces, perhaps nothing; `[uint]` digits, perhaps none; `[float]` no exponent, a digit at its end."""
        parts = _PLACEHOLDER.split(template)
        pattern = re.compile("".join(_WORDS.get(part) or re.escape(part) for part in parts) + " *", re.ASCII)
        entry = Entry(template, help, handler, pattern)
        self.entries[template] = entry
        self._by_start.setdefault(_start(template), []).insert(0, entry)

    def find(self, command: str) -> tuple[Handler, tuple[str, ...]] | None:
        """The handler of `command` and its arguments; None if no template fits."""
        verb, family = _start(command)
        for key in ((verb, family), (verb, "")) if family else ((verb, ""),):
            for entry in self._by_start.get(key, ()):
                match = entry.pattern.fullmatch(command)
                if match is not None:
                    return entry.handler, match.groups()
        return None

    def help(self) -> str:
        """Every template on a line and its description on the next."""
        return "\n".join(f"{entry.template}\n{entry.help}" for entry in self.entries.values())

    def templates(self) -> str:
        """Every template on a line."""
        return "\n".join(self.entries)


def _start(command: str) -> tuple[str, str]:
    """The verb and the first part of the path; "" for the latter where an argument comes first."""
    verb, _, rest = command.partition(" ")
    if not rest.startswith("/"):
        return verb, ""
    return verb, rest[1:].partition("/")[0].partition(" ")[0]


def real(text: str) -> float:
    """A number of a command. Raises `Refusal` beyond +-1e9: no distance in a world is that far (ours)."""
    value = float(text)
    if not abs(value) <= MAX_NUMBER or not math.isfinite(value):
        raise Refusal(INVALID)
    return value


def reals(texts: tuple[str, ...]) -> tuple[float, float, float]:
    """Three numbers of a command."""
    x, y, z = (real(text) for text in texts)
    return x, y, z


def natural(text: str) -> int:
    """A whole number of a command. Raises `Refusal` for none, or for more than 9 digits."""
    if not text or len(text) > 9:
        raise Refusal(INVALID)
    return int(text)


def not_implemented(game: Game, arguments: tuple[str, ...]) -> str:
    """The handler of what the server knows of and cannot do."""
    raise Refusal("Not Implemented")
