"""The role look: what confirmed close views and the wide views show, region by region, and what the four times and
seasons show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from benchmarks.worldbench.capture.manifest import Shot
from benchmarks.worldbench.capture.navigator import PLACES
from benchmarks.worldbench.evidence import BIOMES, FrameClaim
from benchmarks.worldbench.judges.model_ask import Asker, object_of, prompt
from benchmarks.worldbench.judges.model_material import Material, listed
from benchmarks.worldbench.judges.model_probe import AXES, asked_of
from benchmarks.worldbench.spec import Item
from embodied_eval.errors import JudgeError
from embodied_eval.models.types import Image

if TYPE_CHECKING:
    from embodied_eval.records import Json

CLOSE = (
    "Pictures {near} are close views of one region, taken two seconds apart from the same place by a camera that "
    "stands still; {far} after it drew back, two seconds apart again. The others show the whole island from afar."
)
NONE = "They show the whole island from afar; no close view of the region could be had."
GROUPS = {
    "T.air": "{times} at four times of day",
    "T.season": "{seasons} at the same time of day in four seasons",
    "T.stars": "{wide} from several sides",
}
_REASON: Mapping[str, Json] = {"type": "string", "maxLength": 600}


async def looks(
    asker: Asker, world: Material, confirmed: Mapping[str, tuple[str, ...]]
) -> dict[str, FrameClaim]:
    """Claims on every item that frames are asked about. A question that fails makes errors of its items only."""
    found: dict[str, FrameClaim] = {}
    for biome in BIOMES:
        found |= await _region(asker, world, biome, confirmed.get(biome, ()))
    return found | await _cycle(asker, world)


async def _region(
    asker: Asker, world: Material, biome: str, confirmed: Sequence[str]
) -> dict[str, FrameClaim]:
    items = asked_of(biome, world.spec)
    shots, close = _shots(world, biome, confirmed)
    pictures, refs = _pictures(world, shots)
    # A burst's frame stands for the close view that it was taken at, which is the one that was confirmed.
    refs = {name: confirmed[0] if ref.startswith(("near:", "far:")) else ref for name, ref in refs.items()}
    task = prompt("look").format(close=close, place=PLACES[biome], biome=biome, items=listed(items))
    one = object_of(
        {
            "seen": {"type": "boolean"},
            "frames": _names(refs),
            "moves": {"type": "boolean"},
            "axis": {"type": "string", "enum": list(AXES)},
            "reason": _REASON,
        }
    )
    return await _asked(asker, f"look at {biome}", task, items, one, pictures, refs)


def _shots(world: Material, biome: str, confirmed: Sequence[str]) -> tuple[list[Shot], str]:
    """The frames to show, and the words on which of them are close views."""
    by_ref = {shot.ref: shot for shot in world.manifest.shots}
    burst = world.manifest.burst(biome)
    near = [by_ref[ref] for ref in (burst.near if burst and confirmed else ()) if ref in by_ref]
    near = near or [by_ref[ref] for ref in confirmed if ref in by_ref]
    far = [by_ref[ref] for ref in (burst.far if burst and confirmed else ()) if ref in by_ref]
    if not near:
        return world.wide(), NONE
    words = CLOSE.format(
        near=_range(1, len(near)), far=_range(len(near) + 1, len(near) + len(far)) if far else "none"
    )
    return [*near, *far, *world.wide()], words


async def _cycle(asker: Asker, world: Material) -> dict[str, FrameClaim]:
    items = {item.id: item for item in world.spec.items.values() if item.id in GROUPS}
    manifest = world.manifest
    by_ref = {shot.ref: shot for shot in manifest.shots}
    groups = {
        "times": [by_ref[look.ref] for look in manifest.clock.times if look and look.ref in by_ref],
        "seasons": [by_ref[look.ref] for look in manifest.clock.seasons if look and look.ref in by_ref],
        "wide": world.wide(),
    }
    of = {"T.air": "times", "T.season": "seasons", "T.stars": "wide"}
    asked = [item for name, item in items.items() if len(groups[of[name]]) > (name != "T.stars")]
    if not asked:
        return {}
    shots = list(dict.fromkeys(shot for item in asked for shot in groups[of[item.id]]))
    pictures, refs = _pictures(world, shots)
    name_of = {ref: name for name, ref in refs.items()}
    words = "; ".join(
        GROUPS[item.id].format_map(
            {of[item.id]: ", ".join(name_of[shot.ref] for shot in groups[of[item.id]])}
        )
        for item in asked
    )
    task = prompt("cycle").format(groups=f"{words}.", items=listed(asked))
    one = object_of({"seen": {"type": "boolean"}, "frames": _names(refs), "reason": _REASON})
    return await _asked(asker, "look at times and seasons", task, asked, one, pictures, refs)


async def _asked(
    asker: Asker,
    about: str,
    task: str,
    items: Sequence[Item],
    one: Mapping[str, Json],
    pictures: Sequence[Image],
    refs: Mapping[str, str],
) -> dict[str, FrameClaim]:
    if not pictures:
        return {}
    try:
        reply = await asker.ask(about, task, object_of({item.id: one for item in items}), pictures=pictures)
    except JudgeError as error:
        return {item.id: FrameClaim(item.id, error=error.message) for item in items}
    return {item.id: _claim(item.id, reply[item.id], refs, asker.judge.name) for item in items}


def _claim(item: str, said: Mapping[str, Any], refs: Mapping[str, str], judge: str) -> FrameClaim:
    if not said["seen"]:
        return FrameClaim(item, reason=str(said["reason"]) or "no frame shows it", judge=judge)
    named = tuple(dict.fromkeys(refs[name] for name in said["frames"]))
    return FrameClaim(
        item,
        True,
        bool(said.get("moves")),
        str(said.get("axis", "")),
        named,
        str(said["reason"]),
        judge=judge,
    )


def _pictures(world: Material, shots: Sequence[Shot]) -> tuple[list[Image], dict[str, str]]:
    """The frames under neutral names, and name -> ref."""
    named = {f"frame_{number:02d}": shot for number, shot in enumerate(shots, 1)}
    return [world.picture(shot, name) for name, shot in named.items()], {n: s.ref for n, s in named.items()}


def _names(refs: Mapping[str, str]) -> dict[str, Json]:
    return {"type": "array", "maxItems": 20, "items": {"type": "string", "enum": list(refs) or ["none"]}}


def _range(first: int, last: int) -> str:
    return f"frame_{first:02d}" if first == last else f"frame_{first:02d} to frame_{last:02d}"
