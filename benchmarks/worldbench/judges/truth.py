"""The judge `truth`: exactly what a fixture world's own manifest says, whatever was photographed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from benchmarks.worldbench.evidence import (
    BIOMES,
    TIMES,
    WIDE,
    Burst,
    Clock,
    CodeClaim,
    Evidence,
    FrameClaim,
    FrameFlags,
    Layout,
    Look,
    Quote,
)
from benchmarks.worldbench.source.sourcemap import Source, from_html
from benchmarks.worldbench.spec import Item, Thresholds, load_spec
from embodied_eval.errors import JudgeError

if TYPE_CHECKING:
    from benchmarks.worldbench.fixtures.manifest import Manifest, TrueQuote
    from embodied_eval.benchmark import Trajectory

BY = "truth"
CLEARLY = 4.0
"""A measured value that is true by construction is given as so many thresholds."""
SEA_VIEWS = (*WIDE, "close:delta")
DAY, NIGHT, DUSK = TIMES.index(0.5), TIMES.index(0.0), TIMES.index(0.25)


def truth_evidence(trajectory: Trajectory) -> Evidence:
    """The evidence on the fixture that the task's private `fixture` names. Raises `JudgeError` where there is none,
    or where the stored world is not that fixture to the byte."""
    from benchmarks.worldbench.fixtures.world import make_world
    from benchmarks.worldbench.judges.evidence_of import html_of

    arguments = trajectory.task.private.get("fixture")
    if not isinstance(arguments, Mapping):
        raise JudgeError(
            "Nothing true is known of this world: it is no fixture.", hint="Judge it with rule or a model."
        )
    fixture, html = make_world(**arguments), html_of(trajectory)
    if fixture.html != html:
        raise JudgeError(
            "The stored world is not the fixture that the task names, so nothing true is known of it.",
            hint="Judge it with rule or a model.",
        )
    return evidence_on(fixture.manifest, html)


def evidence_on(manifest: Manifest, html: str) -> Evidence:
    """What `manifest` says of the fixture world `html`. Pure."""
    if not manifest.loads:
        return Evidence(loaded=False)
    spec, source = load_spec(), from_html(html)
    items = {name: truth for name, truth in manifest.items.items() if name in spec.items}
    confirmed = _confirmed(manifest)
    return Evidence(
        loaded=True,
        code={
            name: CodeClaim(
                name,
                1.0,
                _quote(truth.look, source),
                _quote(truth.motion, source),
                truth.axis,
                judge=BY,
            )
            for name, truth in items.items()
            if truth.look is not None
        },
        frames={
            name: FrameClaim(
                name, True, truth.moves, truth.axis, _refs(spec.items[name], confirmed), judge=BY
            )
            for name, truth in items.items()
            if truth.seen
        },
        classified={
            biome: quote
            for biome, row in manifest.classified.items()
            if (quote := _quote(row, source)) is not None
        },
        named_in_source=frozenset(manifest.classified),
        confirmed=confirmed,
        layout=Layout(manifest.edges, manifest.rank),
        bursts={
            biome: Burst(biome, CLEARLY * spec.thresholds.motion_share, camera_still=True)
            for biome in confirmed
            if any(truth.biome == biome and truth.moves for truth in items.values())
        },
        hunt=tuple(_hunted(manifest, confirmed)),
        clock=_clock(manifest, spec.thresholds),
    )


def _quote(true: TrueQuote | None, source: Source) -> Quote | None:
    if true is None:
        return None
    spans = source.of_lines(true.first_line, true.last_line)
    return Quote(true.text, spans, "" if spans else "outside the scripts", executed=true.executed)


def _confirmed(manifest: Manifest) -> dict[str, tuple[str, ...]]:
    """The close views of each biome: what is saved for a legend entry is a view of what the entry really shows."""
    shown: dict[str, tuple[str, ...]] = {}
    for label in BIOMES:
        view = manifest.views.get(label)
        if view is not None and view.shows:
            shown[view.shows] = (*shown.get(view.shows, ()), f"close:{label}")
    return shown


def _refs(item: Item, confirmed: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return (*confirmed.get(item.biome, ()), *WIDE)


def _hunted(manifest: Manifest, confirmed: Mapping[str, tuple[str, ...]]) -> list[FrameFlags]:
    close = [ref for refs in confirmed.values() for ref in refs]
    return [FrameFlags(ref, ref, manifest.flags if ref in SEA_VIEWS else ()) for ref in (*WIDE, *close)]


def _clock(manifest: Manifest, thresholds: Thresholds) -> Clock:
    """Values well above the thresholds for what is true, zero for what is not."""
    if manifest.clock is None:
        return Clock("none")

    def value(item: str, threshold: float) -> float:
        truth = manifest.items.get(item)
        return CLEARLY * threshold if truth is not None and truth.seen else 0.0

    dark = 100.0 - value("T.night", thresholds.night_luma)
    light, dusk = value("T.light", thresholds.light_difference), value("T.dusk", thresholds.dusk_shift)
    tint = value("T.tint", thresholds.season_shift)
    lumas = {DAY: 100.0, NIGHT: dark}
    return Clock(
        "given",
        times=tuple(
            _look(f"time:{at}", lumas.get(index, (100.0 + dark) / 2)) for index, at in enumerate(TIMES)
        ),
        seasons=tuple(_look(f"season:{number}", 100.0) for number in range(4)),
        differs=tuple(0.0 if index == DAY else light for index in range(4)),
        shift=tuple(dusk if index not in (DAY, NIGHT) else 0.0 for index in range(4)),
        season_shift=(0.0, tint, tint, tint),
        day=DAY,
        night=NIGHT,
    )


def _look(ref: str, luma: float) -> Look:
    return Look(ref, luma, luma, (1 / 3, 1 / 3))
