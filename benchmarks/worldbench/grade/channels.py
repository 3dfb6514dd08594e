"""What counts as found in code and as seen in frames: the checks that all tests share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from benchmarks.worldbench.evidence import Channel, CodeClaim, Evidence, FrameClaim, Half, Quote
from benchmarks.worldbench.spec import Item

ZERO = Fraction(0)
CLOSE = ("close", "near", "far")


@dataclass(frozen=True)
class Found:
    """Whether one channel found something, why not, and what it rests on. `error`: it could not be told."""

    found: bool
    reason: str = ""
    refs: tuple[str, ...] = ()
    lines: tuple[tuple[int, int], ...] = ()
    error: str = ""

    def half(self, item: Item, channel: Channel, of: Fraction) -> Half:
        """The half it makes of `item`: all of `of` or nothing."""
        earned = of if self.found and not self.error else ZERO
        return Half(item.id, channel, earned, of, self.reason, self.refs, self.lines, error=self.error)


def lines_of(*quotes: Quote | None) -> tuple[tuple[int, int], ...]:
    """The source lines (first, last) of the quotes' spans, sorted, each once."""
    spans = [span for quote in quotes if quote is not None for span in quote.spans]
    return tuple(sorted({(span.first_line, span.last_line) for span in spans}))


def quoted(quote: Quote | None, evidence: Evidence, what: str = "quote") -> Found:
    """Whether the source holds `quote` and, in strict mode, some of its lines ran (not known counts as ran)."""
    if quote is None:
        return Found(False, f"no {what} was given")
    if not quote.verified:
        return Found(False, quote.refused or f"the source does not hold the {what}")
    if evidence.strict_executed and quote.executed is False:
        return Found(False, f"no line of the {what} ever ran", lines=lines_of(quote))
    return Found(True, lines=lines_of(quote))


def in_code(item: Item, evidence: Evidence) -> Found:
    """Whether the code channel found `item`, by a quote that stands."""
    claim = evidence.code.get(item.id)
    if claim is None or (not claim.error and claim.probability <= 0):
        return Found(False, "not found in the code")
    if claim.error:
        return Found(False, error=claim.error)
    return quoted(claim.look, evidence)


def moves_in_code(item: Item, evidence: Evidence, claim: CodeClaim | None) -> Found:
    """Whether a quote of its own shows `item` in motion; the axis is not looked at."""
    if claim is None or (not claim.error and claim.probability <= 0):
        return Found(False, "not found in the code")
    if claim.error:
        return Found(False, error=claim.error)
    found = quoted(claim.motion, evidence, "motion quote")
    if found.found and claim.look is not None and _same(claim.look, claim.motion):
        return Found(False, "the motion quote is the look quote again", lines=found.lines)
    return found


def _same(look: Quote, motion: Quote | None) -> bool:
    return motion is not None and look.spans == motion.spans and bool(look.spans)


def in_frames(item: Item, evidence: Evidence) -> Found:
    """Whether the frames channel saw `item`, in a confirmed frame of its region or in one of the wide ones."""
    claim = evidence.frames.get(item.id)
    if claim is None:
        return Found(False, "no frame shows it")
    if claim.error:
        return Found(False, error=claim.error)
    if not claim.seen:
        return Found(False, claim.reason or "no frame shows it")
    refs = admissible(claim, item.biome, evidence)
    if not refs:
        return Found(False, "no confirmed or wide frame was named")
    return Found(True, claim.reason, refs)


def admissible(claim: FrameClaim, biome: str, evidence: Evidence) -> tuple[str, ...]:
    """The claim's frames that may show something of `biome`: not those confirmed as another region, and no close
    view that was not confirmed at all."""
    own = evidence.confirmed.get(biome, ())
    others = {ref for name, refs in evidence.confirmed.items() if name != biome for ref in refs}
    close = {flags.ref for flags in evidence.hunt if flags.view.partition(":")[0] in CLOSE}
    return tuple(ref for ref in claim.refs if ref in own or ref not in others | close)


def penalty(item: Item, evidence: Evidence) -> Half:
    """What a forbidden item costs: all of its points where either channel found it, once, else nothing."""
    code, frames = in_code(item, evidence), in_frames(item, evidence)
    where = [name for name, found in (("the code", code), ("the frames", frames)) if found.found]
    if where:
        reason = f"found in {' and '.join(where)}"
        return Half(
            item.id, "penalty", -item.points, ZERO, reason, frames.refs, code.lines if code.found else ()
        )
    error = _joined((code.error, frames.error))
    return Half(item.id, "penalty", ZERO, ZERO, "" if error else "not found", error=error)


def _joined(errors: Sequence[str]) -> str:
    return "; ".join(dict.fromkeys(error for error in errors if error))
