"""From claimed quotes to quotes that stand: checked, mended from the real lines, by a model's line numbers where that
does not do, and given to one item each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.worldbench.evidence import BIOMES, CodeClaim, Quote, Span
from benchmarks.worldbench.judges.model_ask import Asker, object_of, prompt
from benchmarks.worldbench.judges.model_claims import RawClaim, RawCode
from benchmarks.worldbench.judges.model_material import Material
from benchmarks.worldbench.source.quotes import ABSENT, Kind, Ledger
from benchmarks.worldbench.source.repair import from_lines, repaired
from embodied_eval.errors import JudgeError

if TYPE_CHECKING:
    from embodied_eval.records import Json

MOST_FAILING = 40
"""Quotes that one question on line numbers may hold; a further question takes the rest."""
_NUMBERS: Mapping[str, Json] = {
    "type": "array",
    "maxItems": 12,
    "items": {"type": "integer", "minimum": 1, "maximum": 10_000_000},
}


@dataclass(frozen=True)
class _Claimed:
    """A quote on its way: for an item's look or motion, or (kind "layout") for where a region lies."""

    item: str
    biome: str
    kind: str
    text: str


class Quotes:
    """Checks claims against one world's source."""

    def __init__(self, asker: Asker, world: Material) -> None:
        self._asker, self._world = asker, world
        self._texts: dict[tuple[str, str], tuple[str, bool]] = {}
        self._errors: dict[tuple[str, str], str] = {}
        self._seen: dict[tuple[str, str], str] = {}

    async def settle(self, raw: RawCode) -> tuple[dict[str, CodeClaim], dict[str, Quote]]:
        """The claims with quotes that stand or are refused, and the layout quotes by region. Quotes that were mended
        once are not asked about again, so this may be called with further claims."""
        await self._prepare(raw)
        return self._claims(raw), self._layouts(raw)

    async def _prepare(self, raw: RawCode) -> None:
        failing: list[_Claimed] = []
        for one in self._claimed(raw):
            key = (one.item, one.kind)
            if not one.text.strip() or self._seen.get(key) == one.text:
                continue
            text, is_repaired, ask = self._mended(one)
            self._texts[key] = (text, is_repaired)
            if ask:
                failing.append(one)
        for start in range(0, len(failing), MOST_FAILING):
            await self._by_lines(failing[start : start + MOST_FAILING])

    def _mended(self, one: _Claimed) -> tuple[str, bool, bool]:
        """The text to offer, whether it was mended, and whether a model may be asked for its lines."""
        self._seen[one.item, one.kind] = one.text
        matcher, own = self._world.matcher, self._own(one)
        first = matcher.verify(one.text, own)
        if first.verified:
            return one.text, False, False
        mended = repaired(one.text, matcher, own)
        if mended.text and matcher.verify(mended.text, own).verified:
            return mended.text, True, False
        return one.text, False, first.refused == ABSENT

    async def _by_lines(self, failing: Sequence[_Claimed]) -> None:
        keys = {f"q{number}": one for number, one in enumerate(failing, 1)}
        shown = "\n\n".join(f"{key}:\n{one.text}" for key, one in keys.items())
        # What the judge itself wrote may repeat the page's words: it stands inside the fence as well.
        foreign = f"{self._world.numbered()}\n\nThe quotes:\n{shown}"
        task = prompt("lines").format(quotes="Keys: " + ", ".join(keys))
        try:
            reply = await self._asker.ask(
                "line numbers", task, object_of(dict.fromkeys(keys, _NUMBERS)), foreign=foreign
            )
        except JudgeError as error:
            self._errors |= {(one.item, one.kind): error.message for one in failing}
            return
        for key, one in keys.items():
            text = from_lines(reply[key], self._world.matcher)
            if text and self._world.matcher.verify(text, self._own(one)).verified:
                self._texts[one.item, one.kind] = (text, True)

    def _claims(self, raw: RawCode) -> dict[str, CodeClaim]:
        items = self._world.spec.items
        ledger = Ledger(self._world.source, self._world.slices, list(items))
        kinds: tuple[tuple[Kind, str], ...] = (("look", "look"), ("motion", "motion"))
        for name, claim in raw.claims.items():
            for kind, field in kinds:
                if claim.probability > 0 and not claim.error and getattr(claim, field).strip():
                    text, is_repaired = self._texts[name, kind]
                    ledger.offer(name, items[name].biome, text, kind=kind, repaired=is_repaired)
        settled = {key: self._world.mark(quote) for key, quote in ledger.settle().items()}
        return {name: self._claim(claim, settled) for name, claim in raw.claims.items()}

    def _claim(self, claim: RawClaim, settled: Mapping[tuple[str, Kind], Quote]) -> CodeClaim:
        judge = self._asker.judge.name
        look, motion = settled.get((claim.item, "look")), settled.get((claim.item, "motion"))
        error = claim.error
        for kind, quote in (("look", look), ("motion", motion)):
            if quote is not None and not quote.verified:
                error = error or self._errors.get((claim.item, kind), "")
        if error:
            return CodeClaim(claim.item, error=error, judge=judge)
        return CodeClaim(claim.item, claim.probability, look, motion, claim.axis, judge=judge)

    def _layouts(self, raw: RawCode) -> dict[str, Quote]:
        made = {}
        for biome in BIOMES:
            if raw.layouts.get(biome, "").strip():
                text, _ = self._texts[f"L.{biome}", "layout"]
                made[biome] = self._world.mark(
                    self._world.matcher.verify(text, self._world.slices.get(biome, ()))
                )
        return made

    def layout_error(self, biome: str) -> str:
        """Why the layout quote of a region could not be settled; "" where it could."""
        return self._errors.get((f"L.{biome}", "layout"), "")

    def _claimed(self, raw: RawCode) -> list[_Claimed]:
        items = self._world.spec.items
        made = [
            _Claimed(name, items[name].biome, kind, text)
            for name, claim in raw.claims.items()
            if claim.probability > 0 and not claim.error
            for kind, text in (("look", claim.look), ("motion", claim.motion))
        ]
        return made + [_Claimed(f"L.{biome}", biome, "layout", text) for biome, text in raw.layouts.items()]

    def _own(self, one: _Claimed) -> tuple[Span, ...] | None:
        return self._world.slices.get(one.biome, ()) if one.biome else None
