"""What the explorer does for each kind of fault, and what it makes of what it saw."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Sequence
from random import Random

from benchmarks.worldaudit.scripted.explorer_body import Body, Call, Script, Stand, View
from benchmarks.worldaudit.scripted.explorer_floor import Floors
from benchmarks.worldaudit.scripted.explorer_names import Noun, Shape, nouns_of, ranked
from benchmarks.worldaudit.scripted.explorer_pops import Pop, walk_watching
from benchmarks.worldaudit.scripted.explorer_vision import body_at, changes, placeholder
from benchmarks.worldaudit.scripted.explorer_words import Sighting, category_of, sentence
from benchmarks.worldaudit.scripted.explorer_walks import (
    Passage,
    learn,
    look_at_feet,
    new_way,
    press_on,
    push_through,
)
from embodied_eval.models.types import Message

ROUND_GAZE_DEG = 16.0
NAMES = 3
Found = Generator[Call, Message, list[Sighting]]


def inspect_world(tools: Iterable[str], told: str, code: str, rng: Random) -> Script:
    """The whole inspection of a place of which `told` is known, for a fault of kind `code` ("" = any)."""
    body = Body(tools)
    yield from body.open()
    if code == "C2":
        stops = yield from press_on(body)
        found = [
            Sighting(
                "C2",
                Shape(0.0, 0.1, 0.1),
                0.0,
                True,
                tuple(v.ref for v in (stop.leg.views[0], stop.leg.views[-1])),
            )
            for stop in stops
        ]
    elif code == "C1":
        passages = yield from push_through(body)
        found = [passed(passage) for passage in passages]
    elif code in ("V1", "V2"):
        pops = yield from walk_watching(body)
        found = [jumped(pop, code) for pop in pops]
    elif code in ("V4",):
        found = yield from rounds(body, code)
    else:
        found = yield from rounds(body, code)
    nouns = nouns_of(told)
    reports = [report for sighting in found[:2] for report in told_of(sighting, nouns, code)]
    for words, kind, refs in reports[:NAMES]:
        yield (
            "flag_bug",
            {
                "description": words,
                "category": category_of(kind),
                "status": "confirmed",
                "evidence": list(refs),
            },
        )
    yield "done", {"summary": f"{len(reports)} reports."}


def told_of(sighting: Sighting, nouns: Sequence[Noun], code: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """The reports that a sighting is worth: its likeliest names, most likely first."""
    kind = code or sighting.kind
    if kind == "C2":
        return [(sentence(kind, "", sighting), kind, sighting.refs)]
    fitting = [noun for noun in nouns if could_be(kind, noun)]
    names = [noun.name for _fit, noun in ranked(fitting, sighting.shape, whole=sighting.whole)[:NAMES]]
    return [(sentence(kind, name, sighting), kind, sighting.refs) for name in names]


def could_be(kind: str, noun: Noun) -> bool:
    """Whether a thing can have a fault of this kind: only devices have states, and one walks into what stands
    on the floor."""
    return noun.device if kind == "T3" else noun.base_m < 0.1 if kind in ("C1", "C3") else True


def rounds(body: Body, code: str) -> Found:
    """Look round from one place after the other, from each twice unless a fault of kind `code` shows at once, until something shows."""
    floors = yield from look_at_feet(body)
    yield from body.look(ROUND_GAZE_DEG)
    stood: list[Stand] = []
    while body.left > 0:
        stood.append(body.stand)
        first = [body.last, *(yield from body.circle())]
        found = loud(first)
        if code != "V4" and not found and body.left > 0:
            found = changed(first, (yield from body.circle()), code)
        if found:
            return found
        yield from elsewhere(body, first, floors, stood)
    return []


def elsewhere(body: Body, views: Sequence[View], floors: Floors, stood: Sequence[Stand]) -> Script:
    """Go where the floor looks free and nobody stood yet."""
    heading, far = new_way(views, floors, stood, body.stops)
    if body.left > 0:
        yield from body.head(heading)
    if body.left > 0:
        learn(floors, (yield from body.walk(far)))


def loud(views: Sequence[View]) -> list[Sighting]:
    """Things in the colour of a missing material, the most complete view of each first."""
    found = [
        Sighting.of("V4", region, view, (view.ref,)) for view in views for region in placeholder(view.rgb)[:1]
    ]
    return sorted(found, key=lambda sighting: (not sighting.whole, -sighting.share))[:1]


def changed(before: Sequence[View], after: Sequence[View], code: str) -> list[Sighting]:
    """What differs between views from the same stand: best seen first."""
    found = []
    for one in before:
        for two in after:
            if one.ref != two.ref and same(one.stand, two.stand):
                parts = changes(one.rgb, two.rgb, light=code == "T3")
                for region in parts[:2]:
                    kind = "T2" if len(parts) > 1 else "T1"
                    found.append(Sighting.between(kind, region, one, two))
    return sorted(found, key=lambda sighting: -sighting.share * (1.0 if sighting.whole else 0.5))


def same(one: Stand, two: Stand) -> bool:
    """Whether two pictures were taken from the same place in the same direction."""
    turn = abs((one.heading_deg - two.heading_deg + 180.0) % 360.0 - 180.0)
    near = math.dist((one.x, one.y), (two.x, two.y)) < 0.015
    return near and turn < 0.2 and abs(one.gaze_deg - two.gaze_deg) < 0.2


def passed(passage: Passage) -> Sighting:
    """What was walked through, as it looked from before it."""
    view = passage.view
    height, width = view.rgb.shape[:2]
    row = view.camera.floor_row(passage.far_m) - 5
    region = body_at(view.rgb, width // 2, round(row))
    refs = (view.ref, *(seen.ref for seen in passage.leg.views[1:][-3:]))
    return Sighting.of("C1", region, view, refs)


def jumped(pop: Pop, code: str) -> Sighting:
    """What came up or went as the walker went on."""
    refs = (pop.other.ref, pop.at.ref) if pop.later else (pop.at.ref, pop.other.ref)
    return Sighting.of(code, pop.region, pop.at, refs)
