"""What the explorer does for each kind of fault, and what it makes of what it saw."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Sequence
from random import Random

from benchmarks.worldaudit.scripted.explorer_body import Body, Call, Script, Stand, View
from benchmarks.worldaudit.scripted.explorer_floor import Floors
from benchmarks.worldaudit.scripted.explorer_names import TOLD, Noun, nouns_of, ranked
from benchmarks.worldaudit.scripted.explorer_pops import Pop, walk_watching
from benchmarks.worldaudit.scripted.explorer_push import Push, push_at_things
from benchmarks.worldaudit.scripted.explorer_vision import body_at, changes, placeholder
from benchmarks.worldaudit.scripted.explorer_walks import Stop, learn, look_at_feet, new_way, press_on
from benchmarks.worldaudit.scripted.explorer_words import CLAIMS, NOTHING, Sighting, category_of, sentence
from embodied_eval.models.types import Message
from embodied_eval.records import Json

ROUND_GAZE_DEG = 16.0
MOST_SIGHTINGS = 3
"""So many things are reported at most where any number may be wrong."""
GLANCES = 3
"""From so many places one looks for what one has no test for."""
NAMES = 3
"""So many reports at most: the likeliest names of what was seen."""
ABOVE_PX = 5
"""So far above where it meets the floor a thing's own colour is looked for."""
Found = Generator[Call, Message, list[Sighting]]


def inspect_world(tools: Iterable[str], told: str, code: str, rng: Random) -> Script:
    """The whole inspection of a place of which `told` is known, for a fault of kind `code` ("" = any)."""
    body = Body(tools)
    yield from body.open()
    found = yield from _search(body, code)
    nouns = nouns_of(told)
    for sighting in found[:1] if code != "C2" else found[:2]:
        kind = code or sighting.kind
        for words in told_of(sighting, nouns, kind):
            yield _report(words, kind, "confirmed", sighting.refs)
    if not found and code != "C2":
        kind = code or rng.choice(sorted(CLAIMS))
        yield _report(guess(nouns, kind, rng), kind, "suspect", body.refs)
    # An option may ask for the whole budget to be spent.
    while (yield "done", {"summary": "That is all."}).text.startswith("Not yet") and body.left > 0:
        yield from body.turn(90.0)


def audit_world(tools: Iterable[str], told: str) -> Script:
    """The whole inspection of a place that may hold several faults or none: what was seen is reported, each thing
    once, and nothing is guessed."""
    body = Body(tools)
    yield from body.open()
    nouns = nouns_of(told)
    for sighting in (yield from _search(body, ""))[:MOST_SIGHTINGS]:
        yield _report(seen_as(sighting, nouns), sighting.kind, "confirmed", sighting.refs)
    yield "done", {"summary": "That is all."}


def seen_as(sighting: Sighting, nouns: Sequence[Noun]) -> str:
    """What a sighting says where its name is not known: with the likeliest names beside."""
    fitting = [noun for noun in nouns if could_be(sighting.kind, noun)]
    names = [noun.name for _fit, noun in ranked(fitting, sighting.shape, whole=sighting.whole)[:NAMES]]
    said = sentence(sighting.kind, "thing shown", sighting)
    return f"{said} To judge by its size it may be: {', '.join(names)}." if names else said


def _report(words: str, kind: str, status: str, refs: Sequence[str]) -> Call:
    evidence: list[Json] = list(dict.fromkeys(refs))
    return "flag_bug", {
        "description": words,
        "category": category_of(kind),
        "status": status,
        "evidence": evidence,
    }


def _search(body: Body, code: str) -> Found:
    """What the plan for faults of kind `code` finds."""
    if code == "C2":
        stops = yield from press_on(body)
        return [stopped(stop) for stop in stops]
    if code in ("C1", "C3"):
        pushes = yield from push_at_things(body, touching=code == "C3")
        return [pushed(push, code) for push in pushes]
    if code in ("V1", "V2"):
        pops = yield from walk_watching(body)
        return [jumped(pop, code) for pop in pops]
    return (yield from rounds(body, code))


def told_of(sighting: Sighting, nouns: Sequence[Noun], kind: str) -> list[str]:
    """What a sighting says, once for each of its likeliest names."""
    if kind == "C2":
        return [sentence(kind, "", sighting)]
    fitting = [noun for noun in nouns if could_be(kind, noun)]
    names = [noun.name for _fit, noun in ranked(fitting, sighting.shape, whole=sighting.whole)[:NAMES]]
    return [sentence(kind, name, sighting) for name in names]


def guess(nouns: Sequence[Noun], kind: str, rng: Random) -> str:
    """Where nothing was found: one of the things that the description names, marked as a guess."""
    fitting = [noun for noun in nouns if could_be(kind, noun)]
    named = [noun.name for noun in fitting if noun.weight == TOLD] or [noun.name for noun in fitting]
    name = rng.choice(sorted(named))
    return f"I found nothing and only guess: {sentence(kind, name, NOTHING)}"


def could_be(kind: str, noun: Noun) -> bool:
    """Whether a thing can have a fault of this kind: only devices have states, one walks into what stands on
    the floor, and what one can push away or what somebody may have moved is loose."""
    if kind == "T3":
        return noun.device
    if kind in ("C3", "T2"):
        return noun.loose and (noun.base_m < 0.1 or kind == "T2")
    return noun.base_m < 0.1 or kind != "C1"


def rounds(body: Body, code: str) -> Found:
    """Look round from one place after the other, from each twice unless a fault of kind `code` shows at once,
    until something shows."""
    floors, stood = Floors(), list[Stand]()
    comparing = code in ("", "T1", "T2", "T3")
    while body.left > 0 and (comparing or code == "V4" or len(stood) < GLANCES):
        stood.append(body.stand)
        first = [body.last, *(yield from body.circle())]
        found = loud(first)
        if comparing and not found and body.left > 0:
            found = changed(first, (yield from body.circle()), code)
        if found:
            return found
        if len(stood) == 1:
            # Not before: what hangs on a moment out of sight must not happen before the first round.
            floors = yield from look_at_feet(body)
            yield from body.look(ROUND_GAZE_DEG)
            first = [body.last, *(yield from body.circle())]
        heading, far = new_way(first, floors, stood, body.stops)
        if body.left > 0:
            yield from body.head(heading)
        if body.left > 0:
            learn(floors, (yield from body.walk(far)))
    return []


def loud(views: Sequence[View]) -> list[Sighting]:
    """The best view of what is in the colour of a missing material."""
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
                kind = "T2" if len(parts) > 1 else "T1"
                found += [Sighting.between(kind, region, one, two) for region in parts[:2]]
    return sorted(found, key=lambda sighting: -sighting.share * (1.0 if sighting.whole else 0.5))


def same(one: Stand, two: Stand) -> bool:
    """Whether two pictures were taken from the same place in the same direction."""
    turn = abs((one.heading_deg - two.heading_deg + 180.0) % 360.0 - 180.0)
    near = math.dist((one.x, one.y), (two.x, two.y)) < 0.015
    return near and turn < 0.2 and abs(one.gaze_deg - two.gaze_deg) < 0.2


def stopped(stop: Stop) -> Sighting:
    """A place where nothing that can be seen stands in the way."""
    return Sighting("C2", NOTHING.shape, 0.0, True, (stop.leg.views[0].ref, stop.leg.views[-1].ref))


def pushed(push: Push, code: str) -> Sighting:
    """What was pushed at, as it looked from before it."""
    if push.moving is not None:
        return Sighting.of(code, push.moving, push.shown[-1], (push.view.ref, push.shown[-1].ref))
    view = push.view
    row = view.camera.floor_row(push.far_m) - ABOVE_PX
    region = body_at(view.rgb, view.rgb.shape[1] // 2, round(row))
    return Sighting.of(code, region, view, (view.ref, *(seen.ref for seen in push.shown[-3:])))


def jumped(pop: Pop, code: str) -> Sighting:
    """What came up or went as the walker turned or went on."""
    refs = (pop.other.ref, pop.at.ref) if pop.later else (pop.at.ref, pop.other.ref)
    return Sighting.of(code, pop.region, pop.at, refs)
