"""The benchmark's own store tables, and the rows that a world, its repair and its capture leave in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from benchmarks.worldbench.source_check import source_facts
from embodied_eval.benchmark import TableSpec
from embodied_eval.records import Json

if TYPE_CHECKING:
    from benchmarks.worldbench.capture.manifest import Manifest
    from benchmarks.worldbench.evidence import Look
    from benchmarks.worldbench.generate import Part
    from benchmarks.worldbench.load_check import Checked
    from benchmarks.worldbench.repair import Round

Row = Mapping[str, Json]

TABLES: Mapping[str, TableSpec] = {
    "worlds": TableSpec(
        {
            "source": "VARCHAR",
            "sha256": "VARCHAR",
            "bytes": "BIGINT",
            "script_lines": "BIGINT",
            "three_asked": "VARCHAR",
            "three_served": "VARCHAR",
            "outcome": "VARCHAR",
            "loaded": "BOOLEAN",
            "clean": "BOOLEAN",
            "truncated": "BOOLEAN",
            "errors": "JSON",
            "html": "VARCHAR",
        }
    ),
    "answers": TableSpec({"part": "BIGINT", "finish": "VARCHAR", "chars": "BIGINT", "overlap": "BIGINT"}),
    "repairs": TableSpec(
        {
            "round": "BIGINT",
            "mode": "VARCHAR",
            "applied": "BIGINT",
            "refused": "BIGINT",
            "errors_before": "JSON",
            "edits": "JSON",
            "errors_after": "JSON",
            "sha256": "VARCHAR",
            "ended": "VARCHAR",
        }
    ),
    "shots": TableSpec(
        {
            "ref": "VARCHAR",
            "view": "VARCHAR",
            "biome": "VARCHAR",
            "sha256": "VARCHAR",
            **dict.fromkeys(("t_s", "filled", "luma_all", "luma_lit", "chroma_red", "chroma_blue"), "DOUBLE"),
            "note": "VARCHAR",
        }
    ),
    "visits": TableSpec(
        {
            "biome": "VARCHAR",
            "outcome": "VARCHAR",
            "reason": "VARCHAR",
            "turns": "BIGINT",
            "ref": "VARCHAR",
            "shows": "VARCHAR",
            "confidence": "DOUBLE",
            "note": "VARCHAR",
        }
    ),
    "turns": TableSpec(
        {
            "biome": "VARCHAR",
            "turn": "BIGINT",
            "tool": "VARCHAR",
            "arguments": "JSON",
            "result": "VARCHAR",
            "ref": "VARCHAR",
        }
    ),
    "bursts": TableSpec(
        {
            "biome": "VARCHAR",
            "near_share": "DOUBLE",
            "far_share": "DOUBLE",
            "camera_still": "BOOLEAN",
            "light": "VARCHAR",
        }
    ),
    "motions": TableSpec(
        {
            "biome": "VARCHAR",
            "object": "BIGINT",
            "name": "VARCHAR",
            "changed": "VARCHAR",
            **dict.fromkeys(("area", "share_in_box", "visible_share", "share_in_mask"), "DOUBLE"),
        }
    ),
    "looks": TableSpec(
        {
            "kind": "VARCHAR",
            "place": "BIGINT",
            "ref": "VARCHAR",
            **dict.fromkeys(
                ("luma_all", "luma_lit", "chroma_red", "chroma_blue", "differs", "shift"), "DOUBLE"
            ),
            "clock": "VARCHAR",
            "day": "BOOLEAN",
            "night": "BOOLEAN",
        }
    ),
}


def world_row(html: str, checked: Checked, *, source: str, truncated: bool) -> Row:
    """The row of `worlds`: the final file itself and what is known of it. `source` is "generated" or "given"."""
    from benchmarks.worldbench.load_check import encoded

    facts = source_facts(html)
    served = dict(checked.substitutions)
    return {
        "source": source,
        "sha256": checked.sha256,
        "bytes": len(encoded(html)),
        "script_lines": facts.script_lines,
        "three_asked": ", ".join(facts.three_asked),
        "three_served": ", ".join(served.get(one, one) for one in facts.three_asked) if checked.three else "",
        "outcome": checked.outcome,
        "loaded": checked.loaded,
        "clean": checked.clean,
        "truncated": truncated,
        "errors": [fault.to_json() for fault in checked.faults],
        "html": encoded(html).decode(),
    }


def answer_row(number: int, part: Part) -> Row:
    """A row of `answers`: one turn of the model's answer."""
    return {"part": number, "finish": part.finish, "chars": part.chars, "overlap": part.overlap}


def repair_row(one: Round) -> Row:
    """A row of `repairs`."""
    return {
        "round": one.number,
        "mode": one.mode,
        "applied": one.applied,
        "refused": len(one.edits) - one.applied,
        "errors_before": [fault.to_json() for fault in one.before],
        "edits": [edit.to_json() for edit in one.edits],
        "errors_after": [fault.to_json() for fault in one.after],
        "sha256": one.sha256,
        "ended": one.ended,
    }


def capture_rows(manifest: Manifest) -> Iterator[tuple[str, Row]]:
    """(table, row) of everything in a capture that the report's tables speak of."""
    for shot in manifest.shots:
        yield (
            "shots",
            {
                "ref": shot.ref,
                "view": shot.view,
                "biome": shot.biome,
                "sha256": shot.sha256,
                "t_s": shot.t_s,
                "filled": shot.filled,
                "luma_all": shot.luma_all,
                "luma_lit": shot.luma_lit,
                "chroma_red": shot.chroma[0],
                "chroma_blue": shot.chroma[1],
                "note": shot.note,
            },
        )
    yield from _visits(manifest)
    yield from _bursts(manifest)
    yield from _looks(manifest)


def _visits(manifest: Manifest) -> Iterator[tuple[str, Row]]:
    for visit in manifest.visits:
        yield (
            "visits",
            {
                "biome": visit.biome,
                "outcome": visit.outcome,
                "reason": visit.reason,
                "turns": len(visit.turns),
                "ref": visit.ref,
                "shows": visit.shows,
                "confidence": visit.confidence,
                "note": visit.note,
            },
        )
        for number, turn in enumerate(visit.turns, 1):
            yield (
                "turns",
                {
                    "biome": visit.biome,
                    "turn": number,
                    "tool": turn.tool,
                    "arguments": dict(turn.arguments),
                    "result": turn.result,
                    "ref": turn.ref,
                },
            )


def _bursts(manifest: Manifest) -> Iterator[tuple[str, Row]]:
    for burst in manifest.bursts:
        yield (
            "bursts",
            {
                "biome": burst.biome,
                "near_share": burst.near_share,
                "far_share": burst.far_share,
                "camera_still": burst.camera_still,
                "light": burst.light,
            },
        )
        for item in burst.objects:
            yield (
                "motions",
                {
                    "biome": burst.biome,
                    "object": item.id,
                    "name": item.name,
                    "changed": ", ".join(item.changed),
                    "area": item.area,
                    "share_in_box": item.share_in_box,
                    "visible_share": item.visible_share,
                    "share_in_mask": item.share_in_mask,
                },
            )


def _looks(manifest: Manifest) -> Iterator[tuple[str, Row]]:
    clock = manifest.clock
    for place, look in enumerate(clock.times):
        if look is not None:
            yield (
                "looks",
                {
                    **_look("time", place, look, clock.source),
                    "differs": clock.differs[place],
                    "shift": clock.shift[place],
                    "day": place == clock.day,
                    "night": place == clock.night,
                },
            )
    for place, look in enumerate(clock.seasons):
        if look is not None:
            yield (
                "looks",
                {**_look("season", place, look, clock.source), "shift": clock.season_shift[place]},
            )


def _look(kind: str, place: int, look: Look, clock: str) -> dict[str, Json]:
    return {
        "kind": kind,
        "place": place,
        "ref": look.ref,
        "luma_all": look.luma_all,
        "luma_lit": look.luma_lit,
        "chroma_red": look.chroma[0],
        "chroma_blue": look.chroma[1],
        "clock": clock,
    }
