"""How a judge model is named: `[POLICY:]MODEL[#VOTES]`, one string that tables, files and flags share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from embodied_eval.errors import ConfigError, UnknownName

HUMAN_LENIENT = "human-lenient"
POLICIES = ("", HUMAN_LENIENT)
"""How strictly a judge model grades: "" as for models, `human-lenient` as for the human baseline."""
MOST_VOTES = 99
_VOTES = re.compile(r"(.+)#(\d{1,4})", re.DOTALL)


@dataclass(frozen=True)
class JudgeName:
    """A judge's name taken apart; `str` puts it together again."""

    model: str
    policy: str = ""
    votes: int = 1

    def __str__(self) -> str:
        head = f"{self.policy}:" if self.policy else ""
        return f"{head}{self.model}{f'#{self.votes}' if self.votes > 1 else ''}"


def parse_judge(name: str) -> JudgeName:
    """`name` taken apart. Raises UnknownName for a policy that does not exist, ConfigError for a number of
    votes that cannot decide."""
    rest, votes = name, 1
    if found := _VOTES.fullmatch(name):
        rest, votes = found[1], int(found[2])
        if votes < 3:
            raise ConfigError(
                f"{name!r}: #{votes} is no vote.", hint="Name an odd number from 3 on, or none."
            )
        check_votes(votes)
    # A provider's name holds no colon; what follows the first slash may (ollama/llama3:8b).
    head, slash, tail = rest.partition("/")
    policy, colon, provider = head.partition(":")
    if not (slash and colon):
        return JudgeName(rest, "", votes)
    if policy not in POLICIES[1:]:
        raise UnknownName("judge policy", policy, POLICIES[1:])
    return JudgeName(f"{provider}/{tail}", policy, votes)


def check_votes(votes: int) -> None:
    """Raise ConfigError for a number of votes that is even, below 1 or above `MOST_VOTES`."""
    if votes < 1 or votes % 2 == 0 or votes > MOST_VOTES:
        raise ConfigError(
            f"{votes} votes cannot decide.", hint=f"Take an odd number of votes, at most {MOST_VOTES}."
        )


def with_votes(names: Sequence[str], votes: int) -> tuple[str, ...]:
    """`names` with `votes` askings for each judge model among them; rules such as `truth` stay as they are.

    Raises ConfigError where no judge is a model, or one names another number of votes.
    """
    check_votes(votes)
    if votes == 1:
        return tuple(names)
    made = []
    for name in names:
        if "/" not in name:
            made.append(name)
            continue
        found = parse_judge(name)
        if found.votes not in (1, votes):
            raise ConfigError(f"The judge {name!r} names {found.votes} votes, but {votes} are asked for.")
        made.append(str(replace(found, votes=votes)))
    if not any("/" in name for name in names):
        raise ConfigError(
            f"{votes} votes need a judge model; {', '.join(names)} always says the same.",
            hint="Name one: --judge-model openai/...",
        )
    return tuple(made)
