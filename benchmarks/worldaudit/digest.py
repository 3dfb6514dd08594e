"""What is kept of a conversation that is compacted: every report, notes, an index of the actions, where the
agent stands. Everything in it had been told before."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.worldaudit.context import BYTES_A_TOKEN
from benchmarks.worldaudit.session import Session

SHORTEST_REPORT = 60
"""Characters of a description that are kept whatever happens."""


def digest_of(session: Session, tokens: int) -> str:
    """The digest, in about `tokens` at most: half for the reports, whose descriptions are cut where they are
    too long together, and of the rest half each for the newest notes and the newest actions."""
    room = tokens * BYTES_A_TOKEN
    parts = ["The conversation so far was shortened. This is what it came to.", "", "Your reports:"]
    reports = _reports(session, room // 2)
    parts += [reports]
    left = max(0, room - _size(reports)) // 2
    if session.notes:
        kept = _newest(session.notes, left)
        parts += ["", f"Your notes{_left_out(session.notes, kept, 'observe')}:", *kept]
    if session.index:
        kept = _newest(session.index, left)
        again = "history" if session.options.memory_tools else ""
        parts += ["", f"Your actions{_left_out(session.index, kept, again)}:", *kept]
    parts += ["", f"The last view is {session.last}; {session.left} actions left."]
    return "\n".join(parts)


def _reports(session: Session, room: int) -> str:
    longest: int | None = None
    text = session.ledger()
    while _size(text) > room and (longest is None or longest > SHORTEST_REPORT):
        longest = 1600 if longest is None else max(SHORTEST_REPORT, longest // 2)
        text = session.ledger(longest)
    return text


def _newest(lines: Sequence[str], room: int) -> list[str]:
    kept: list[str] = []
    for line in reversed(lines):
        room -= _size(line) + 1
        if room < 0:
            break
        kept.insert(0, line)
    return kept


def _left_out(lines: Sequence[str], kept: Sequence[str], tool: str) -> str:
    missing = len(lines) - len(kept)
    if not missing:
        return ""
    where = f"; `{tool}` has them" if tool else ""
    return f" ({missing} older ones are left out{where})"


def _size(text: str) -> int:
    return len(text.encode(errors="replace"))
