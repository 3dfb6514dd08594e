"""The rule's frames channel: which frames are of which region, what they show, what moves, what is wrong. Ours.

It goes by the scene graph (what stands where, and what changed) and lets pixels decide: a thing is seen only where a
frame has pixels of its colour inside its projected box. A world whose objects have no names is told by colour alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from benchmarks.worldbench.capture.identify import NONE, identify_request
from benchmarks.worldbench.capture.manifest import Manifest, Shot
from benchmarks.worldbench.evidence import BIOMES, Burst, FrameClaim
from benchmarks.worldbench.judges.rule_colors import RELIEF, SHARES, told_by_color
from benchmarks.worldbench.judges.rule_match import (
    BY,
    LEAST,
    NEARLY,
    NEEDS,
    OTHERS,
    Edges,
    has_all,
    matched,
    moving,
)
from benchmarks.worldbench.judges.rule_scene import Thing, centres, off_axis, shown, things_of, way_of
from benchmarks.worldbench.judges.rule_words import Likeness
from benchmarks.worldbench.spec import Item, Spec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    ReadPicture = Callable[[str], "Picture | None"]

LEAST_NAMED = 20
"""A scene with fewer named things is told by colour."""
WIDEST_DEG = 20.0
"""A frame is of no region whose middle is farther from where the camera looks."""
WIDE_VIEWS = ("overview", "orbit:right", "orbit:left", "orbit:top", "orbit:bottom")


@dataclass(frozen=True)
class Frames:
    """A capture with what the rule knows of it."""

    manifest: Manifest
    read: ReadPicture
    spec: Spec

    @cached_property
    def things(self) -> tuple[Thing, ...]:
        """The named things of the scene."""
        return things_of(self.manifest, self.spec)

    @cached_property
    def named(self) -> bool:
        """Whether the scene's objects say what they are."""
        return sum(bool(thing.biome) for thing in self.things) >= LEAST_NAMED

    @cached_property
    def confirmed(self) -> Mapping[str, tuple[str, ...]]:
        """The close views that show what they were saved as, told without that."""
        request = identify_request(self.manifest)
        return request.confirmed(
            {name: self.region(ref) for name, ref in zip(request.names, request.refs, strict=True)}
        )

    def region(self, ref: str) -> str:
        """The region that a frame mainly shows: that whose middle the camera looks at, else by its colours."""
        shot = next((one for one in self.manifest.shots if one.ref == ref), None)
        if shot is None:
            return NONE
        places = centres(self.things) if self.named and shot.camera is not None else {}
        if places and shot.camera is not None:
            angles = {biome: off_axis(shot.camera, place) for biome, place in places.items()}
            nearest = min(angles, key=lambda one: angles[one])
            return nearest if angles[nearest] <= WIDEST_DEG else NONE
        picture = self.read(ref)
        return NONE if picture is None else told_by_color(picture)

    def views(self, biome: str) -> tuple[Shot, ...]:
        """The frames that may show something of a region: its confirmed close views, then the wide ones."""
        own = set(self.confirmed.get(biome, ()))
        close = [shot for shot in self.manifest.shots if shot.ref in own]
        return (*close, *(shot for view in WIDE_VIEWS if (shot := self.manifest.shot(view)) is not None))


def frame_claims(frames: Frames) -> dict[str, FrameClaim]:
    """What the frames show of the items of WC003 and WC004, and of the two of WC005 that are told by sight."""
    found = _named(frames) if frames.named else _colored(frames)
    return found | _cycle(frames)


def _named(frames: Frames) -> dict[str, FrameClaim]:
    """By things: each serves the item that its name is most like, and counts where pixels show it."""
    spec = frames.spec
    edges: Edges = {}
    for biome in BIOMES:
        asked = [item for item in spec.of(biome=biome) if item.kind in ("required", "still", "moving")]
        likeness = Likeness(asked)
        for at, thing in enumerate(frames.things):
            if thing.biome != biome:
                continue
            ranked = likeness.ranked(thing.said)
            for test in ("WC003", "WC004"):
                scores = {
                    one.item: one.score
                    * moving(spec.items[one.item], _moves(frames, spec.items[one.item], thing))
                    for one in ranked
                    if spec.items[one.item].test == test
                }
                best = max(scores.values(), default=0.0)
                least = max(LEAST, NEARLY * best, OTHERS * max((one.score for one in ranked), default=0.0))
                for name, score in scores.items():
                    if score >= least and has_all(thing.said, NEEDS.get(name, ())):
                        edges.setdefault(name, []).append((score, at))
    made: dict[str, FrameClaim] = {}
    for name, at in matched(edges, list(spec.items)).items():
        made[name] = _claim(frames, spec.items[name], frames.things[at])
    for name, why in RELIEF.items():
        item = spec.items[name]
        own = frames.confirmed.get(item.biome, ())
        if own and name not in made:
            made[name] = FrameClaim(
                name, True, False, "", own, f"{why} (its shape is not measured)", judge=BY
            )
    return made | _forbidden(frames)


def _claim(frames: Frames, item: Item, thing: Thing) -> FrameClaim:
    refs = []
    for shot in frames.views(item.biome):
        picture = frames.read(shot.ref) if shot.camera is not None else None
        if picture is not None and shot.camera is not None and shown(thing, shot.camera, picture) > 0:
            refs.append(shot.ref)
            if len(refs) == 2:
                break
    if not refs:
        return FrameClaim(item.id, False, reason=f"no frame has pixels of {thing.name!r}", judge=BY)
    moves, axis = _movement(frames, item, thing)
    return FrameClaim(
        item.id, True, moves, axis, tuple(refs), f"pixels of {thing.name!r} where it stands", judge=BY
    )


def _moves(frames: Frames, item: Item, thing: Thing) -> bool:
    moves, axis = _movement(frames, item, thing)
    return moves or (item.axis == "still" and axis == "still")


def _movement(frames: Frames, item: Item, thing: Thing) -> tuple[bool, str]:
    """Whether the thing moved in its region's burst, and along which axis: what falls and rises is told by the drift
    of its parts; whether a drift to the side is wind, water or walking by the kind of thing."""
    if not item.axis:
        return False, ""
    bursts = sorted(frames.manifest.bursts, key=lambda one: one.biome != item.biome)
    ways: set[str] = set()
    for burst in bursts:
        # A thing out of its own region's close view may be seen to move in another's.
        ways = {way_of(one) for one in burst.objects if one.name == thing.name and one.changed} - {""}
        if ways or any(one.name == thing.name for one in burst.objects):
            break
    if item.axis == "still":
        return False, "falling" if "falling" in ways else "still"
    if item.fauna:
        return bool(ways), item.axis
    for way, fits in (
        ("falling", {"falling": "falling", "flowing": "falling"}),
        ("rising", {"rising": "rising"}),
        ("sideways", {"blowing": "blowing", "flowing": "flowing"}),
        ("pulsing", {"pulsing": "pulsing"}),
    ):
        if way in ways and item.axis in fits:
            return True, fits[item.axis]
    return False, sorted(ways)[0] if ways else ""


def _forbidden(frames: Frames) -> dict[str, FrameClaim]:
    """Things in a region's group whose name is that of something forbidden there, and of nothing asked for."""
    made: dict[str, FrameClaim] = {}
    for biome in BIOMES:
        items = frames.spec.of(biome=biome)
        asked = Likeness([item for item in items if not item.forbidden and item.keywords])
        for item in (one for one in items if one.forbidden and one.keywords):
            likeness = Likeness((item,))
            for thing in frames.things:
                if thing.biome != biome:
                    continue
                match = likeness.match(item, thing.said)
                best = max((one.score for one in asked.ranked(thing.said)), default=0.0)
                if match.score >= LEAST and not best:
                    claim = _claim(frames, item, thing)
                    if claim.seen:
                        made[item.id] = claim
    return made


def _colored(frames: Frames) -> dict[str, FrameClaim]:
    """By shares of colours in confirmed close views, for worlds whose objects bear no names."""
    made: dict[str, FrameClaim] = {}
    for name, rules in SHARES.items():
        item = frames.spec.items[name]
        for ref in frames.confirmed.get(item.biome, ()):
            picture = frames.read(ref)
            if picture is not None and rules(picture):
                moves, axis = _whole_burst(frames, item)
                made[name] = FrameClaim(
                    name, True, moves, axis, (ref,), "by its share of the frame's colours", judge=BY
                )
    return made


def _whole_burst(frames: Frames, item: Item) -> tuple[bool, str]:
    burst = frames.manifest.burst(item.biome)
    share = max(burst.near_share or 0.0, burst.far_share or 0.0) if burst is not None else 0.0
    return share >= frames.spec.thresholds.motion_share, item.axis if not item.fauna else ""


def _cycle(frames: Frames) -> dict[str, FrameClaim]:
    """T.air: some time frame differs from day as much as `T.light` asks for (air and light are not told apart);
    T.season: some season's frame differs from spring's as much as `T.tint` asks for."""
    clock, limits = frames.manifest.clock, frames.spec.thresholds
    made: dict[str, FrameClaim] = {}
    shifts = [one for one in clock.season_shift if one is not None]
    refs = tuple(look.ref for look in clock.seasons if look is not None)
    if len(refs) > 1 and max(shifts, default=0.0) >= limits.season_shift:
        made["T.season"] = FrameClaim(
            "T.season", True, refs=refs, reason="the seasons' frames differ", judge=BY
        )
    times = tuple(look.ref for look in clock.times if look is not None)
    differs = [one for one in clock.differs if one is not None]
    if len(times) > 1 and max(differs, default=0.0) >= limits.light_difference:
        made["T.air"] = FrameClaim(
            "T.air", True, refs=times, reason="the frames differ by the hour", judge=BY
        )
    return made


def bursts_of(manifest: Manifest) -> dict[str, Burst]:
    """The bursts as evidence."""
    return {
        one.biome: Burst(one.biome, one.near_share, one.far_share, one.camera_still, _in_mask(one.objects))
        for one in manifest.bursts
    }


def _in_mask(objects: Sequence[object]) -> float | None:
    shares = [share for one in objects if (share := getattr(one, "share_in_mask", None)) is not None]
    return max(shares, default=None)
