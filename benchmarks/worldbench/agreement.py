"""Code against frames: what each channel says of the required items, and where they disagree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from benchmarks.worldbench.evidence import Half
from benchmarks.worldbench.spec import Spec
from embodied_eval.stats import Estimate, wilson


@dataclass(frozen=True)
class Agreement:
    """How many required items were found by both channels, by one, by neither. `unjudged` items, on which a
    channel could not be had, are in none of the four."""

    both: int = 0
    code_only: int = 0
    frames_only: int = 0
    neither: int = 0
    unjudged: int = 0

    @property
    def items(self) -> int:
        """The items that both channels judged."""
        return self.both + self.code_only + self.frames_only + self.neither

    @property
    def agree(self) -> int:
        """Items on which the channels say the same."""
        return self.both + self.neither

    @property
    def disagree(self) -> int:
        """Items on which they do not."""
        return self.code_only + self.frames_only

    @property
    def code(self) -> int:
        """Items that a judge of the code alone would credit."""
        return self.both + self.code_only

    @property
    def frames(self) -> int:
        """Items that a judge of the frames alone would credit."""
        return self.both + self.frames_only

    def share(self, name: str) -> Estimate:
        """The share of the judged items that `name` (a count of this class) is, with its Wilson interval."""
        return wilson(int(getattr(self, name)), self.items)

    def __add__(self, other: Agreement) -> Agreement:
        return Agreement(
            self.both + other.both,
            self.code_only + other.code_only,
            self.frames_only + other.frames_only,
            self.neither + other.neither,
            self.unjudged + other.unjudged,
        )


def agreement(halves: Iterable[Half], spec: Spec) -> Agreement:
    """The agreement over one world's required items; the gates play no part in it."""
    found: dict[str, dict[str, bool | None]] = {item.id: {} for item in spec.of(kind="required")}
    for half in halves:
        if half.item in found:
            found[half.item][half.channel] = None if half.error else half.earned > 0
    table = Agreement()
    for channels in found.values():
        table += _one(channels.get("code"), channels.get("frames"))
    return table


def _one(code: bool | None, frames: bool | None) -> Agreement:
    if code is None or frames is None:
        return Agreement(unjudged=1)
    return Agreement(
        both=int(code and frames),
        code_only=int(code and not frames),
        frames_only=int(frames and not code),
        neither=int(not code and not frames),
    )


def pooled(tables: Iterable[Agreement]) -> Agreement:
    """All tables together, item by item."""
    return sum(tables, Agreement())


def percent(part: int, whole: int) -> str:
    """`part` of `whole` in whole percent, half up: "32 %"; "-" of nothing."""
    if not whole:
        return "-"
    return f"{int(Fraction(100 * part, whole) + Fraction(1, 2))} %"
