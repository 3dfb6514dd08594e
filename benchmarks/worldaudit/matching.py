"""What one finding claims: which object, which kind of anomaly, and whether the necessary idea is told.

All words are data (data/phrases.toml); the steps are in docs/worldaudit-judge.md. Rules: ours, after the
official pass criterion (right object, core anomaly, required condition; wording and labels ignored).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.worldaudit.lexicon import Kind, Lexicon
from benchmarks.worldaudit.mentions import TARGET, Mention, Vocabulary, build_vocabulary, find_mentions
from benchmarks.worldaudit.patterns import Item, Pattern, first_found
from benchmarks.worldaudit.stream import build_stream, questions
from benchmarks.worldaudit.words import tokens_of

MOST_TOLERATED = 2
"""How many tolerated kinds a finding may hit beside the right one."""


@dataclass(frozen=True)
class Hit:
    """A phrase of `kind` found at items [start, end)."""

    kind: str
    pattern: str
    start: int
    end: int


@dataclass(frozen=True)
class Reading:
    """What came of reading one finding against one target: `reason` says what matched or what is wanting."""

    identified: bool
    reason: str
    kinds: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()


@dataclass(frozen=True)
class TaskWords:
    """A task's own additions: more `phrases` of the right kind, and `require` groups (one of each)."""

    phrases: tuple[Pattern, ...] = ()
    require: tuple[tuple[Pattern, ...], ...] = ()


def task_words(
    code: str,
    target: Mapping[str, Any],
    match: Mapping[str, Any],
    things: Sequence[tuple[str, Sequence[str], str]],
    rooms: Mapping[str, str],
    lexicon: Lexicon,
) -> tuple[Vocabulary, TaskWords]:
    """What a task's `target` and `match` tables say, in a world of `things` (label, synonyms, region).

    Where the object cannot be seen (C2), those of its names that say so are phrases of the anomaly, and none
    names a thing.
    """
    names = [target["label"], *target.get("synonyms", ()), *target.get("also_ok", ())]
    implied = lexicon.kinds[code].object_implied
    vocabulary = build_vocabulary(
        things,
        () if implied else names,
        spelling=lexicon.spelling,
        surroundings=target.get("surroundings", ()),
        common=lexicon.common,
        structure=lexicon.structure,
        abstract=lexicon.abstract,
        rooms=rooms,
        region=target.get("region", ""),
    )
    unseen = set(lexicon.classes["unseen"])
    said = [name.lower() for name in names if implied and unseen & set(name.lower().split())]
    phrases = [*match.get("phrases", ()), *said]
    require = tuple(lexicon.patterns(group, loose=True) for group in match.get("require", ()))
    return vocabulary, TaskWords(lexicon.patterns(phrases), require)


def read_finding(
    text: str, code: str, vocabulary: Vocabulary, lexicon: Lexicon, extra: TaskWords | None = None
) -> Reading:
    """Whether `text` names the vocabulary's target and the anomaly `code` with its necessary idea."""
    extra = extra or TaskWords()
    tokens = tokens_of(text, lexicon.spelling)
    mentions = find_mentions(tokens, vocabulary, lexicon.grammar)
    items = build_stream(tokens, mentions, lexicon)
    kind = lexicon.kinds[code]

    hits = _all_hits(items, kind, lexicon, extra)
    standing = [hit for hit in hits if not _denied(hit, hits, items, lexicon)]
    standing = [hit for hit in standing if items[hit.start].sentence not in questions(tokens)]
    told = {
        other for other in {hit.kind for hit in standing} if _ideas_told(lexicon.kinds[other], items, lexicon)
    }
    right = [hit for hit in standing if hit.kind == code]
    if not right:
        denied = any(hit.kind == code for hit in hits)
        return Reading(False, "names the anomaly only to deny it" if denied else "does not name the anomaly")
    kinds = tuple(sorted(told | {code}))
    outright = {pattern.source for pattern in (*kind.phrases, *extra.phrases)}
    firm = any(hit.pattern in outright for hit in right)
    wrong = _wrong_kinds(kind, told - {code}, items, lexicon) if firm else sorted(told - {code})
    if wrong:
        return Reading(False, f"claims another kind of anomaly too ({', '.join(wrong)})", kinds)
    if code not in told or not all(first_found(group, items) for group in extra.require):
        return Reading(False, "leaves out the necessary condition", kinds)
    last = _last_dismissal(kind, items, mentions, lexicon)
    if last is not None and not any(hit.start > last for hit in right):
        return Reading(False, "takes the claim back", kinds)

    claims = [hit for hit in standing if hit.kind in told]
    objects = _objects_of(claims, kind, items, mentions, vocabulary)
    shown = tuple(sorted(objects))
    others = objects - {TARGET}
    if others:
        return Reading(False, f"names another object ({', '.join(sorted(others))})", kinds, shown)
    if TARGET not in objects and not kind.object_implied:
        return Reading(False, "does not name the object", kinds, shown)
    if (vocabulary.shared_name or kind.object_implied) and _wrong_room(items, vocabulary, lexicon):
        return Reading(False, "places it in another room", kinds, shown)
    words = " ".join(item.word for item in items[right[0].start : right[0].end] if item.mention is None)
    return Reading(True, f'names the object and the anomaly ("{words}")', kinds, shown)


def _all_hits(items: Sequence[Item], kind: Kind, lexicon: Lexicon, extra: TaskWords) -> list[Hit]:
    """Every phrase hit; one of a wrong kind inside a longer hit of another kind is none. Weak phrases count only for the
    right kind, and only where none of its strong ones is found."""
    hits = [
        Hit(other.code, pattern.source, start, end)
        for other in lexicon.kinds.values()
        for pattern in (*other.phrases, *(extra.phrases if other is kind else ()))
        for start, end in pattern.find(items)
    ]
    if not any(hit.kind == kind.code for hit in hits):
        hits += [
            Hit(kind.code, pattern.source, start, end)
            for pattern in kind.weak
            for start, end in pattern.find(items)
        ]
    return [hit for hit in hits if hit.kind == kind.code or not any(_inside(hit, other) for other in hits)]


def _inside(hit: Hit, other: Hit) -> bool:
    longer = other.end - other.start > hit.end - hit.start
    return other.kind != hit.kind and longer and other.start <= hit.start and hit.end <= other.end


def _denied(hit: Hit, hits: Sequence[Hit], items: Sequence[Item], lexicon: Lexicon) -> bool:
    """Whether a denial stands before the hit in its clause. One that is itself part of a phrase of this kind
    ("no shadow") denies nothing."""
    affirmed = [span for pattern in lexicon.affirm for span in pattern.find(items)]
    phrases = [(other.start, other.end) for other in hits if other.kind == hit.kind]
    for scope, patterns in (
        ("clause", lexicon.deny),
        ("near", lexicon.deny_near),
        ("sentence", lexicon.deny_sentence),
    ):
        for start, end in (span for pattern in patterns for span in pattern.find(items)):
            excused = affirmed if scope == "sentence" else (*phrases, *affirmed)
            if start >= hit.start or any(a <= start < b for a, b in excused):
                continue
            between = items[end : hit.start]
            reaches = {
                "clause": items[start].clause == items[hit.start].clause,
                "sentence": items[start].sentence == items[hit.start].sentence,
                "near": items[start].clause == items[hit.start].clause
                and len(between) <= lexicon.near_words
                and all(item.word != "," for item in between),
            }
            if reaches[scope]:
                return True
    return False


def _ideas_told(kind: Kind, items: Sequence[Item], lexicon: Lexicon) -> bool:
    return all(any(first_found(lexicon.ideas[idea], items) for idea in group) for group in kind.require)


def _wrong_kinds(kind: Kind, others: set[str], items: Sequence[Item], lexicon: Lexicon) -> list[str]:
    """The kinds among `others` that a finding of `kind` must not claim."""
    wrong = []
    for other in sorted(others):
        tolerance = kind.tolerates.get(other)
        if tolerance is None or (
            tolerance.needs and not any(first_found(lexicon.ideas[idea], items) for idea in tolerance.needs)
        ):
            wrong.append(other)
    if not wrong and len(others) > MOST_TOLERATED:
        wrong = sorted(others)
    return wrong


def _last_dismissal(
    kind: Kind, items: Sequence[Item], mentions: Sequence[Mention], lexicon: Lexicon
) -> int | None:
    """Where the report last says that nothing is wrong with the target, or the contrary of the claim; or None."""
    last = None
    affirmed = [span for pattern in lexicon.affirm for span in pattern.find(items)]
    denials = (*lexicon.deny, *lexicon.deny_near, *lexicon.expectation)
    for pattern in (*lexicon.dismiss, *kind.against):
        for start, end in pattern.find(items):
            before = [
                item
                for item in items[max(0, start - lexicon.near_words) : start]
                if item.clause == items[start].clause
            ]
            if any(first < end and start < after for first, after in affirmed):
                continue
            if any(deny.find(before) for deny in denials):
                continue
            clause = [item for item in items if item.clause == items[start].clause]
            others = any(item.word in lexicon.dismiss_others for item in clause)
            named = {
                mentions[item.mention].thing
                for item in clause
                if item.mention is not None and mentions[item.mention].role == "focal"
            }
            if (pattern in kind.against or not others) and (not named or TARGET in named):
                last = max(last or 0, end - 1)
    return last


def _objects_of(
    claims: Sequence[Hit],
    kind: Kind,
    items: Sequence[Item],
    mentions: Sequence[Mention],
    vocabulary: Vocabulary,
) -> set[str]:
    """The things that the claims are about, landmarks left out."""
    things: set[str] = set()
    for hit in claims:
        subject = _subject_of(hit, kind, items, mentions, vocabulary)
        about_target = any(mention.thing == TARGET for mention in subject)
        lists = {mention.list_of for mention in subject if mention.thing == TARGET} - {None}
        for mention in subject:
            landmark = mention.thing in vocabulary.neutral and mention.list_of not in lists
            if not (landmark and (about_target or kind.object_implied)):
                things.add(mention.thing)
    return things


def _subject_of(
    hit: Hit, kind: Kind, items: Sequence[Item], mentions: Sequence[Mention], vocabulary: Vocabulary
) -> list[Mention]:
    """The mentions that a hit is about: those of its clause, else of the nearest one before, else after."""
    within = [mentions[item.mention] for item in items[hit.start : hit.end] if item.mention is not None]
    denied = [mention for mention in within if mention.governor == "no"]
    here = items[hit.start].clause
    own = denied or _named_in(here, kind, items, mentions, vocabulary)
    if own or kind.object_implied:
        return own
    last = items[-1].clause
    for clause in (*range(here - 1, -1, -1), *range(here + 1, last + 1)):
        found = _named_in(clause, kind, items, mentions, vocabulary)
        if found:
            return found
    return []


def _named_in(
    clause: int, kind: Kind, items: Sequence[Item], mentions: Sequence[Mention], vocabulary: Vocabulary
) -> list[Mention]:
    """A clause's focal mentions; where it has none, those that the agent dealt with, or that stand after a
    place word that this kind allows, landmarks excepted."""
    named = [mentions[item.mention] for item in items if item.clause == clause and item.mention is not None]
    focal = [mention for mention in named if mention.role == "focal"]
    if focal or kind.object_implied:
        return focal
    named = [mention for mention in named if mention.thing not in vocabulary.neutral]
    dealt = [mention for mention in named if mention.role == "dealt"]
    return dealt or [
        mention for mention in named if mention.role == "place" and mention.governor in kind.places
    ]


def _wrong_room(items: Sequence[Item], vocabulary: Vocabulary, lexicon: Lexicon) -> bool:
    """Whether the report places things in rooms, none of which is the target's."""
    if vocabulary.region not in vocabulary.rooms:
        return False
    home = f"{vocabulary.region} {vocabulary.rooms[vocabulary.region]}".lower()
    words = [item.word for item in items]
    placed: list[bool] = []
    for room, names in lexicon.rooms.items():
        for name in names:
            parts = name.split()
            for at in range(len(words) - len(parts) + 1):
                passing = at > 0 and words[at - 1] in lexicon.room_passing
                if words[at : at + len(parts)] == parts and not passing:
                    placed.append(room in home or room.replace(" ", "_") in home)
    return bool(placed) and not any(placed)
