"""Faults that a server shows on purpose, so that clients and launchers can be tried against them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from embodied_eval.errors import ConfigError

Fault = Literal["", "hang", "late", "wrong-id", "close", "pieces", "no-greeting"]
KINDS: dict[str, str] = {
    "hang": "no reply",
    "late": "the reply comes just before the next one",
    "wrong-id": "the reply bears the next request's number",
    "close": "the connection is closed instead of a reply",
    "pieces": "the reply comes byte by byte",
    "no-greeting": "the connection is accepted and not greeted",
}
_ONE = re.compile(r"([a-z-]+)(?:@(\d{1,9}))?(?:/(\d{1,9}))?", re.ASCII)


@dataclass(frozen=True)
class Planned:
    """A fault at reply number `reply` (from 0; None = each) of connection number `connection` (from 0; None =
    each)."""

    kind: Fault
    reply: int | None = None
    connection: int | None = None


@dataclass(frozen=True)
class FaultPlan:
    """Which replies and greetings go wrong; the first that fits counts."""

    planned: tuple[Planned, ...] = ()

    @classmethod
    def parse(cls, text: str) -> FaultPlan:
        """Of `KIND[@REPLY][/CONNECTION]`, with commas between: `hang@3` no third reply on any connection,
        `no-greeting/0` no greeting of the first. Raises `ConfigError`."""
        found = []
        for part in filter(None, text.split(",")):
            match = _ONE.fullmatch(part.strip())
            if match is None or match[1] not in KINDS:
                raise ConfigError(
                    f"{part!r} is no fault.",
                    hint=f"Legal: KIND[@REPLY][/CONNECTION], KIND {', '.join(KINDS)}.",
                )
            reply, connection = (int(number) if number else None for number in match.groups()[1:])
            found.append(Planned(match[1], reply, connection))  # type: ignore[arg-type]
        return cls(tuple(found))

    def of_greeting(self, connection: int) -> bool:
        """Whether that connection's greeting is left out."""
        return any(
            item.kind == "no-greeting" and item.connection in (None, connection) for item in self.planned
        )

    def of_reply(self, connection: int, reply: int) -> Fault:
        """What happens to that reply, "" for nothing."""
        for item in self.planned:
            fits = item.reply in (None, reply) and item.connection in (None, connection)
            if fits and item.kind != "no-greeting":
                return item.kind
        return ""
