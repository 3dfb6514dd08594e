"""The role layout: which regions touch and how high they lie, each edge and rank with a quote that is checked."""

from __future__ import annotations

from benchmarks.worldbench.evidence import BIOMES, Layout
from benchmarks.worldbench.judges.model_ask import Asker, object_of, prompt
from benchmarks.worldbench.judges.model_material import Material
from benchmarks.worldbench.judges.model_probe import QUOTE
from benchmarks.worldbench.source.repair import verified_or_repaired
from embodied_eval.errors import JudgeError

_REGION = {"type": "string", "enum": list(BIOMES)}
SCHEMA = object_of(
    {
        "edges": {
            "type": "array",
            "maxItems": 90,
            "items": object_of({"a": _REGION, "b": _REGION, "quote": QUOTE}),
        },
        "heights": {
            "type": "array",
            "maxItems": 40,
            "items": object_of(
                {"region": _REGION, "rank": {"type": "integer", "minimum": 0, "maximum": 99}, "quote": QUOTE}
            ),
        },
    }
)


async def layout(asker: Asker, world: Material) -> Layout:
    """The graph (made symmetric) and the order, of what has a verified quote; any code may show it. The first rank
    told of a region counts."""
    task = prompt("layout").format(biomes=", ".join(BIOMES))
    try:
        reply = await asker.ask("layout", task, SCHEMA, foreign=world.text())
    except JudgeError as error:
        return Layout(error=error.message)

    def stands(quote: str) -> bool:
        return verified_or_repaired(quote, world.matcher).verified

    edges = {
        (min(one["a"], one["b"]), max(one["a"], one["b"]))
        for one in reply["edges"]
        if one["a"] != one["b"] and stands(one["quote"])
    }
    rank: dict[str, int] = {}
    for one in reply["heights"]:
        if one["region"] not in rank and stands(one["quote"]):
            rank[one["region"]] = int(one["rank"])
    return Layout(frozenset(edges), rank)
