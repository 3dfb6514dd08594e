"""The role probe: what the source builds, region by region and of the island as a whole, each with a quote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from benchmarks.worldbench.capture.navigator import PLACES
from benchmarks.worldbench.evidence import BIOMES
from benchmarks.worldbench.judges.model_ask import Asker, object_of, prompt
from benchmarks.worldbench.judges.model_claims import RawClaim, RawCode
from benchmarks.worldbench.judges.model_material import Material, listed
from benchmarks.worldbench.spec import Item, Spec
from embodied_eval.errors import JudgeError

if TYPE_CHECKING:
    from embodied_eval.records import Json

AXES = ("falling", "blowing", "rising", "flowing", "pulsing", "still", "grounded", "none")
QUOTE: Mapping[str, Json] = {"type": "string", "maxLength": 4000}
_FOUND: Mapping[str, Json] = object_of({"found": {"type": "boolean"}, "quote": QUOTE, "motion_quote": QUOTE})
_CLAIM: Mapping[str, Json] = object_of(
    {**_FOUND["properties"], "axis": {"type": "string", "enum": list(AXES)}}
)
_SURE: Mapping[str, Json] = object_of(
    {"probability": {"type": "number", "minimum": 0, "maximum": 1}, "quote": QUOTE}
)
KINDS = ("required", "forbidden", "still", "moving", "forbidden_look")


def asked_of(biome: str, spec: Spec) -> list[Item]:
    """The items that code and frames are asked about in a region."""
    return [item for item in spec.of(biome=biome) if item.kind in KINDS]


async def probe(asker: Asker, world: Material) -> RawCode:
    """One question a region, one on the whole. A question that fails makes errors of its items only."""
    found = RawCode()
    for biome in BIOMES:
        await _region(asker, world, biome, found)
    await _whole(asker, world, found)
    return found


async def _region(asker: Asker, world: Material, biome: str, found: RawCode) -> None:
    items = asked_of(biome, world.spec)
    task = prompt("probe").format(place=PLACES[biome], biome=biome, items=listed(items))
    schema = object_of(
        {
            "present": {"type": "boolean"},
            "layout_quote": QUOTE,
            "items": object_of({item.id: _CLAIM for item in items}),
        }
    )
    try:
        reply = await asker.ask(f"probe {biome}", task, schema, foreign=world.text(biome))
    except JudgeError as error:
        found.claims |= _errors(items, error)
        found.layout_errors[biome] = error.message
        return
    found.layouts[biome] = str(reply["layout_quote"]) if reply["present"] else ""
    found.claims |= {item.id: _claim(item.id, reply["items"][item.id]) for item in items}


async def _whole(asker: Asker, world: Material, found: RawCode) -> None:
    source = world.spec.of(kind="source")
    cycle = [*world.spec.of(kind="time"), *world.spec.of(kind="stars")]
    task = prompt("island").format(source_items=listed(source), cycle_items=listed(cycle))
    schema = object_of({**{item.id: _SURE for item in source}, **{item.id: _FOUND for item in cycle}})
    try:
        reply = await asker.ask("probe of the island", task, schema, foreign=world.text())
    except JudgeError as error:
        found.claims |= _errors([*source, *cycle], error)
        return
    for item in source:
        said = reply[item.id]
        found.claims[item.id] = RawClaim(item.id, float(said["probability"]), str(said["quote"]))
    found.claims |= {item.id: _claim(item.id, reply[item.id]) for item in cycle}


def _claim(item: str, said: Mapping[str, Any]) -> RawClaim:
    if not said["found"]:
        return RawClaim(item)
    return RawClaim(item, 1.0, str(said["quote"]), str(said["motion_quote"]), str(said.get("axis", "")))


def _errors(items: Sequence[Item], error: JudgeError) -> dict[str, RawClaim]:
    return {item.id: RawClaim(item.id, error=error.message) for item in items}
