"""A world's views: overview and orbits, the four times, the seasons, and the close views with how they were found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from benchmarks.worldbench.evidence import BIOMES
from benchmarks.worldbench.pages.words import TIME_WORDS, view_words
from benchmarks.worldbench.spec import Spec
from benchmarks.worldbench.summary import WorldScore
from embodied_eval.benchmark import Entry, Gallery, Gauge, Part, Picture, Sheet, Trajectory

Row = Mapping[str, Any]


def wide_gallery(trajectory: Trajectory, key: str) -> Gallery:
    """The overview and the orbits."""
    rows = [row for row in _rows(trajectory, "shots") if str(row["view"]).startswith(("overview", "orbit:"))]
    pictures = tuple(
        Picture(key, row["ref"], f"{view_words(row['view'])}, {row['filled']:.0%} filled") for row in rows
    )
    return Gallery("The island", "By day, from afar.", pictures, _world_facts(trajectory))


def time_gallery(trajectory: Trajectory, key: str, spec: Spec) -> Gallery:
    """The four requested times, the one measured as day outlined."""
    rows = sorted(
        (row for row in _rows(trajectory, "looks") if row["kind"] == "time"), key=lambda row: row["place"]
    )
    pictures = []
    for row in rows:
        name = "day" if row.get("day") else "night" if row.get("night") else ""
        words = [view_words(f"time:{_time(row)}"), f"luma {row['luma_all']:.1f} ({row['luma_lit']:.1f} lit)"]
        words += [f"differs by {row['differs']:.1f}"] if row.get("differs") and not row.get("day") else []
        words += [f"shift {row['shift']:.3f}"] if row.get("shift") and not row.get("day") else []
        caption = ", ".join(words)
        pictures.append(Picture(key, row["ref"], f"{name}: {caption}" if name else caption, name == "day"))
    source = str(rows[0]["clock"]) if rows else ""
    facts = (
        (
            "clock",
            {
                "patch": "set by a patch",
                "sweep": "found by running it",
                "given": "set as the page offers",
            }.get(source, source),
        ),
        ("night below day by", f"{spec.thresholds.night_luma:g} luma at least"),
        ("some time differs from day by", f"{spec.thresholds.light_difference:g} at least"),
        ("twilight shifts by", f"{spec.thresholds.dusk_shift:g} at least"),
    )
    return Gallery("Four times", "The brightest is day, whatever was asked for.", tuple(pictures), facts)


def season_gallery(trajectory: Trajectory, key: str, spec: Spec) -> Gallery:
    """The four seasons with their measured shift from spring."""
    rows = sorted(
        (row for row in _rows(trajectory, "looks") if row["kind"] == "season"), key=lambda row: row["place"]
    )
    pictures = tuple(
        Picture(
            key,
            row["ref"],
            view_words(f"season:{row['place']}")
            + (
                f", chromaticity shift {row['shift']:.3f}"
                if row.get("shift") is not None and row["place"]
                else ""
            ),
        )
        for row in rows
    )
    facts = (("credited from a shift of", f"{spec.thresholds.season_shift:g}"),)
    return Gallery("Four seasons", "At day; the measurement decides, not the eye.", pictures, facts)


def close_sheet(trajectory: Trajectory, key: str, world: WorldScore | None, spec: Spec) -> Sheet:
    """One entry a region: the saved view with its changed pixels, and the walk that led there."""
    visits = {row["biome"]: row for row in _rows(trajectory, "visits")}
    bursts = {row["biome"]: row for row in _rows(trajectory, "bursts")}
    confirmed = _confirmed(world)
    entries = tuple(
        _entry(trajectory, key, biome, visits[biome], bursts.get(biome), confirmed, spec)
        for biome in BIOMES
        if biome in visits
    )
    known = confirmed is not None
    kept = sum(visits[biome]["ref"] in (confirmed or ()) for biome in BIOMES if biome in visits)
    score = f"{kept} of {len(entries)} confirmed" if known else f"{len(entries)} looked for"
    return Sheet("Close views", score, kept / len(entries) if known and entries else None, entries, True)


def _entry(
    trajectory: Trajectory,
    key: str,
    biome: str,
    visit: Row,
    burst: Row | None,
    confirmed: frozenset[str] | None,
    spec: Spec,
) -> Entry:
    ref, frames = str(visit.get("ref") or ""), trajectory.frames
    shown = [ref, f"overlay:near:{biome}", f"overlay:far:{biome}"] if ref else []
    pictures = tuple(Picture(key, one, view_words(one)) for one in shown if one in frames)
    state: Literal["pass", "fail", "unscored"] = "fail"
    why = str(visit.get("reason") or "")
    if ref and confirmed is None:
        state = "unscored"
    elif ref and confirmed is not None:
        state = "pass" if ref in confirmed else "fail"
        why = "identified blind" if state == "pass" else "the blind identification did not say so: dropped"
    turns = [row for row in _rows(trajectory, "turns") if row["biome"] == biome]
    walk = tuple(
        Picture(key, str(row["ref"]), f"{row['turn']}. {_call(row)}") for row in turns if row["ref"] in frames
    )
    claim = f"says it shows {visit['shows']}" if visit.get("shows") else ""
    claim += f" (confidence {visit['confidence']:.2f})" if claim and visit.get("confidence") else ""
    told = "; ".join(word for word in (claim, str(visit.get("note") or "")) if word)
    return Entry(
        biome,
        str(visit["outcome"]).replace("_", " "),
        (
            Part("saved view", state, "", why, pictures, gauge=_burst_gauge(burst, spec)),
            Part("navigator", "unscored", f"{len(turns)} turn{'s' * (len(turns) != 1)}", told, walk),
        ),
    )


def _burst_gauge(burst: Row | None, spec: Spec) -> Gauge | None:
    if burst is None:
        return None
    shares = [share for share in (burst.get("near_share"), burst.get("far_share")) if share is not None]
    if not shares:
        return None
    moved = ", but the camera moved by itself" if burst.get("camera_still") is False else ""
    threshold = spec.thresholds.motion_share
    return Gauge(
        max(shares), threshold, f"{max(shares):.1%} of pixels changed; {threshold:.1%} needed{moved}"
    )


def _confirmed(world: WorldScore | None) -> frozenset[str] | None:
    """Close frames that a covered region rests on; None where the verdicts do not tell (the public edition)."""
    if world is None or not any(half.refs or half.lines for half in world.halves):
        return None
    return frozenset(ref for half in world.halves if half.channel == "classify" for ref in half.refs)


def _world_facts(trajectory: Trajectory) -> tuple[tuple[str, str], ...]:
    row = next(iter(_rows(trajectory, "worlds")), None)
    if row is None:
        return ()
    return (
        ("file", f"{row['bytes']:,} bytes, {row['script_lines']:,} script lines"),
        ("Three.js asked for", str(row["three_asked"] or "none")),
        ("served", str(row["three_served"] or "none")),
        ("loaded", str(row["outcome"]).replace("_", " ")),
        ("sha256", str(row["sha256"])[:12]),
    )


def _call(row: Row) -> str:
    arguments = row.get("arguments") or {}
    told = (
        ", ".join(f"{name} {value}" for name, value in arguments.items())
        if isinstance(arguments, Mapping)
        else ""
    )
    return f"{row['tool']} {told}".strip()


def _time(row: Row) -> str:
    return list(TIME_WORDS)[int(row["place"])]


def _rows(trajectory: Trajectory, table: str) -> tuple[Row, ...]:
    return trajectory.rows.get(table, ())
