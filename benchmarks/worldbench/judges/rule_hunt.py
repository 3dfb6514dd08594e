"""The rule's bug hunt: the sea's bed and round shapes by the scene graph; nothing else is looked for. Ours.

`afloat` and `hollow` need an eye for what ought to be solid; this rule never raises them, so its hunt is lenient.
"""

from __future__ import annotations

from benchmarks.worldbench.capture.manifest import SceneItem, Shot
from benchmarks.worldbench.capture.objects import box_px
from benchmarks.worldbench.evidence import FrameFlags
from benchmarks.worldbench.judges.rule_frames import WIDE_VIEWS, Frames
from benchmarks.worldbench.judges.rule_scene import SOLID, Box, Thing, shown

SEA = "delta"
SHEET_SHARE = 0.03
"""A sheet of water on the coast that covers at least this share of its ground is part of the sea."""
FLAT = 0.2
"""A sheet is at most so high as a share of its longer side: what falls over the edge is none."""
OPEN_SHARE = 0.5
"""The sea lies over the void when so much of its sheets' area has no bed."""
BED_SHARE = 0.6
"""A bed lies under at least this share of it."""
TOUCH = 0.1
CUBE_TRIANGLES = 12
LARGE = 0.01
"""Something round counts where its box covers this share of the frame."""


def hunt(frames: Frames) -> tuple[FrameFlags, ...]:
    """The flags of the wide and of the confirmed close frames. A frame shows terrain where enough of it is unlike its
    background."""
    least = frames.spec.thresholds.terrain_share
    open_sea = sea_without_bed(frames.things)
    round_things = [item for item in frames.manifest.scene if _is_round(item)]
    wide = [shot for view in WIDE_VIEWS if (shot := frames.manifest.shot(view)) is not None]
    own = {ref for refs in frames.confirmed.values() for ref in refs}
    close = [shot for shot in frames.manifest.close() if shot.ref in own]
    return tuple(
        FrameFlags(
            shot.ref,
            shot.view,
            _flags(frames, shot, open_sea, round_things),
            shows_terrain=shot.filled >= least,
        )
        for shot in (*wide, *close)
    )


def _flags(
    frames: Frames, shot: Shot, open_sea: tuple[Thing, ...], round_things: list[SceneItem]
) -> tuple[str, ...]:
    flags = []
    if shot.camera is None:
        return ()
    for item in round_things:
        box = box_px(item.bounds, shot.camera, shot.size) if item.bounds else None
        if box and (box[2] - box[0]) * (box[3] - box[1]) >= LARGE * shot.size[0] * shot.size[1]:
            flags.append("nonblock")
            break
    picture = frames.read(shot.ref) if open_sea else None
    if picture is not None and any(shown(sheet, shot.camera, picture) > 0 for sheet in open_sea):
        flags.append("sea_over_void")
    return tuple(flags)


def sea_without_bed(things: tuple[Thing, ...]) -> tuple[Thing, ...]:
    """The sheets of the sea under which nothing solid of the coast lies, by the boxes around them; empty where most
    have a bed, or where the scene does not tell what belongs to the coast."""
    coast = [thing for thing in things if thing.biome == SEA]
    ground = max((_area(thing.box) for thing in coast), default=0.0)
    sheets = [
        thing
        for thing in coast
        if thing.opacity < SOLID
        and _is_water(thing)
        and _is_flat(thing.box)
        and _area(thing.box) >= SHEET_SHARE * ground
    ]
    beds = [thing for thing in coast if thing.opacity >= SOLID]
    hanging = [sheet for sheet in sheets if not any(_under(bed.box, sheet.box) for bed in beds)]
    whole = sum(_area(sheet.box) for sheet in sheets)
    return tuple(hanging) if whole and sum(map(_area_of, hanging)) >= OPEN_SHARE * whole else ()


def _area_of(thing: Thing) -> float:
    return _area(thing.box)


def _is_flat(box: Box) -> bool:
    longer = max(box[1][0] - box[0][0], box[1][2] - box[0][2])
    return box[1][1] - box[0][1] <= FLAT * longer


def _is_water(thing: Thing) -> bool:
    red, _, blue = thing.color
    return blue > red + 0.1


def _under(bed: Box, sheet: Box) -> bool:
    over_x = min(bed[1][0], sheet[1][0]) - max(bed[0][0], sheet[0][0])
    over_z = min(bed[1][2], sheet[1][2]) - max(bed[0][2], sheet[0][2])
    covered = max(over_x, 0.0) * max(over_z, 0.0) / max(_area(sheet), 1e-9)
    return covered >= BED_SHARE and bed[1][1] <= sheet[0][1] + TOUCH


def _area(box: Box) -> float:
    return (box[1][0] - box[0][0]) * (box[1][2] - box[0][2])


def _is_round(item: SceneItem) -> bool:
    """Whether each of many equal solids has faces that no box has: merged boxes cannot be told from others."""
    if item.instances < 2 or item.opacity < SOLID:
        return False
    each = item.triangles / item.instances
    return each > CUBE_TRIANGLES and each % CUBE_TRIANGLES != 0
