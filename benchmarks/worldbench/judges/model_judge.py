"""A vision-language model as judge: every role asked in turn, every claim checked, all of it as evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from benchmarks.worldbench.evidence import BIOMES, CodeClaim, Evidence, FrameClaim, Quote
from benchmarks.worldbench.grade.channels import in_frames
from benchmarks.worldbench.judges.model_agent import Search, search
from benchmarks.worldbench.judges.model_ask import Asker
from benchmarks.worldbench.judges.model_bughunt import Vote, hunt
from benchmarks.worldbench.judges.model_claims import RawCode
from benchmarks.worldbench.judges.model_identify import Identified, identify
from benchmarks.worldbench.judges.model_layout import layout
from benchmarks.worldbench.judges.model_look import looks
from benchmarks.worldbench.judges.model_material import Material, bursts_of, material, named
from benchmarks.worldbench.judges.model_probe import probe
from benchmarks.worldbench.judges.model_quotes import Quotes
from benchmarks.worldbench.spec import Item, load_spec
from embodied_eval.errors import JudgeError
from embodied_eval.records import Verdict

if TYPE_CHECKING:
    from embodied_eval.benchmark import Trajectory
    from embodied_eval.judges.base import Judge

SEARCHED = ("required", "still", "moving")
"""Kinds of items that the evidence agent searches for."""
_MOST_WORDS = 600


@dataclass(frozen=True)
class Found:
    """The evidence, and how it came about as verdicts of max 0, which score nothing: quotes, votes, blind answers and
    the agent's calls, for `embodied-eval query`."""

    evidence: Evidence
    notes: tuple[Verdict, ...]


async def model_findings(trajectory: Trajectory, judge: Judge) -> Found:
    """All roles on one stored world, opening no browser: probe, layout, identify, look, bug hunt, then the evidence
    agent on what frames show and code does not.

    A call that fails makes errors of what it was about; the rest is judged. Raises JudgeError where nothing is
    stored to judge, ConfigError for a judge that asks no model.
    """
    world, asker = material(trajectory, load_spec()), Asker(judge, trajectory)
    raw, quotes = await probe(asker, world), Quotes(asker, world)
    placed = await layout(asker, world)
    errors: tuple[str, ...] = ()
    try:
        blind = await identify(asker, world)
    except JudgeError as error:
        blind, errors = Identified({}, {}), (f"the blind identification failed: {error.message}",)
    seen = await looks(asker, world, blind.confirmed)
    flags, votes = await hunt(asker, world)
    code, layouts = await quotes.settle(raw)
    evidence = Evidence(
        loaded=True,
        code=code,
        frames=seen,
        classified=layouts,
        named_in_source=named(world),
        confirmed=blind.confirmed,
        layout=placed,
        bursts=bursts_of(world.manifest),
        hunt=flags,
        clock=world.manifest.clock,
        errors=errors,
    )
    searches = await _searched(asker, world, raw, evidence)
    if searches:
        code, layouts = await quotes.settle(raw)
    code |= _layout_errors(raw, quotes)
    evidence = replace(evidence, code=code, classified=layouts)
    return Found(evidence, _notes(code, layouts, blind, votes, searches, seen))


async def _searched(asker: Asker, world: Material, raw: RawCode, evidence: Evidence) -> list[Search]:
    """Search for each disagreement of the one kind that may be searched, and put what was found into `raw`."""
    made: list[Search] = []
    for item in world.spec.items.values():
        if _is_lead(item, evidence):
            claim, calls = await search(asker, world, item)
            made += calls
            if claim.probability > 0 or claim.error:
                raw.claims[item.id] = claim
    return made


def _is_lead(item: Item, evidence: Evidence) -> bool:
    """Seen in frames, but not found in the code: the other way round nothing is searched (the paper's rule)."""
    if item.kind not in SEARCHED or not in_frames(item, evidence).found:
        return False
    claim = evidence.code.get(item.id)
    if claim is None:
        return True
    found = claim.probability > 0 and claim.look is not None and claim.look.verified
    return not claim.error and not found


def _layout_errors(raw: RawCode, quotes: Quotes) -> dict[str, CodeClaim]:
    told = {biome: raw.layout_errors.get(biome) or quotes.layout_error(biome) for biome in BIOMES}
    return {f"L.{biome}": CodeClaim(f"L.{biome}", error=error) for biome, error in told.items() if error}


def _notes(
    code: Mapping[str, CodeClaim],
    layouts: Mapping[str, Quote],
    blind: Identified,
    votes: Sequence[Vote],
    searches: Sequence[Search],
    seen: Mapping[str, FrameClaim],
) -> tuple[Verdict, ...]:
    made: list[Verdict] = []
    for name, claim in code.items():
        for kind, quote in (("look", claim.look), ("motion", claim.motion)):
            if quote is not None:
                made.append(_quote_note(f"quote:{name}:{kind}", quote))
    made += [_quote_note(f"quote:L.{biome}:layout", quote) for biome, quote in layouts.items()]
    for ref, answer in blind.answers.items():
        confirmed = any(ref in refs for refs in blind.confirmed.values())
        made.append(_note(f"blind:{ref}", confirmed, f"answered {answer}", (ref,)))
    numbers: dict[str, int] = {}
    for vote in votes:
        numbers[vote.ref] = numbers.get(vote.ref, 0) + 1
        flagged = ", ".join(sorted(vote.flags)) or "no flag"
        told = f"{flagged}: {vote.reason}" if vote.reason else flagged
        made.append(_note(f"vote:{vote.ref}:{numbers[vote.ref]}", not vote.flags, told, (vote.ref,)))
    made += [_note(f"agent:{one.item}:{one.number}", None, f"{one.call} -> {one.told}") for one in searches]
    made += [
        _note(f"look:{name}", claim.seen, claim.reason, claim.refs)
        for name, claim in seen.items()
        if not claim.error
    ]
    return tuple(made)


def _quote_note(item: str, quote: Quote) -> Verdict:
    lines = tuple(f"L{span.first_line}-L{span.last_line}" for span in quote.spans)
    words = [quote.refused] if quote.refused else []
    words += ["mended"] if quote.repaired else []
    words += ["never ran"] if quote.executed is False else []
    return _note(item, quote.verified, f"{', '.join(words)}: {quote.text}" if words else quote.text, lines)


def _note(item: str, passed: bool | None, reason: str, evidence: tuple[str, ...] = ()) -> Verdict:
    return Verdict(item, 0.0, 0.0, passed, reason[:_MOST_WORDS], evidence)
