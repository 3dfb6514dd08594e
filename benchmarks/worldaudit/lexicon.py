"""phrases.toml, read and checked once: what the matching rules run on."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.worldaudit.mentions import Grammar
from benchmarks.worldaudit.patterns import Pattern, compile_pattern
from benchmarks.worldaudit.taxonomy import SUBCATEGORIES
from embodied_eval.errors import DataFileError, SchemaMismatch

SCHEMA = "embodied-eval/worldaudit-phrases/1"
PHRASES = Path(__file__).parent / "data" / "phrases.toml"


@dataclass(frozen=True)
class Tolerance:
    """Another kind that a report of this one may hit as well. `needs` (unless empty): only if one of these
    ideas is told too."""

    kind: str
    needs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Kind:
    """How one sub-category is told.

    `phrases` say it outright, for and against a report; `weak` ones only for it. `require` are the ideas
    that must be told too: all groups, one idea of each. `tolerates` as above. `against` say the contrary: after
    the claim they take it back. `places` are the place words
    after which the object itself may stand ("no shadow under the table"). `object_implied`: the object
    cannot be seen, so the phrase names it.
    """

    code: str
    phrases: tuple[Pattern, ...]
    weak: tuple[Pattern, ...]
    require: tuple[tuple[str, ...], ...]
    tolerates: Mapping[str, Tolerance]
    against: tuple[Pattern, ...]
    places: frozenset[str]
    object_implied: bool


@dataclass(frozen=True)
class Lexicon:
    """Everything in phrases.toml."""

    kinds: Mapping[str, Kind]
    ideas: Mapping[str, tuple[Pattern, ...]]
    classes: Mapping[str, tuple[str, ...]]
    grammar: Grammar
    spelling: Mapping[str, str]
    fillers: frozenset[str]
    agent_subjects: frozenset[str]
    agent_helpers: frozenset[str]
    agent_verbs: tuple[str, ...]
    agent_gerund_after: frozenset[str]
    clause_marks: frozenset[str]
    clause_words: frozenset[str]
    clause_openers: frozenset[str]
    deny: tuple[Pattern, ...]
    deny_near: tuple[Pattern, ...]
    deny_sentence: tuple[Pattern, ...]
    expectation: tuple[Pattern, ...]
    near_words: int
    affirm: tuple[Pattern, ...]
    dismiss: tuple[Pattern, ...]
    dismiss_others: frozenset[str]
    structure: tuple[str, ...]
    abstract: tuple[str, ...]
    common: tuple[str, ...]
    rooms: Mapping[str, tuple[str, ...]]
    room_passing: frozenset[str]

    def patterns(self, sources: Sequence[str], *, loose: bool = False) -> tuple[Pattern, ...]:
        """`sources` compiled with this lexicon's word classes."""
        return tuple(compile_pattern(source, self.classes, loose=loose) for source in sources)


@cache
def load_lexicon(path: Path = PHRASES) -> Lexicon:
    """The lexicon in `path`; raises `SchemaMismatch` or `DataFileError`, which name the file."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise DataFileError(f"{path} cannot be read: {error}", hint="Reinstall the package.") from error
    if data.get("schema") != SCHEMA:
        raise SchemaMismatch(
            f"{path} has schema {data.get('schema')!r}; this version reads {SCHEMA!r}.",
            hint="Reinstall the package.",
        )
    try:
        return _build(data)
    except KeyError as error:
        raise DataFileError(f"{path} lacks the entry {error}.", hint="Reinstall the package.") from error


def _build(data: Mapping[str, Any]) -> Lexicon:
    classes = {name: tuple(words) for name, words in data["classes"].items()}
    ideas = {
        name: tuple(compile_pattern(text, classes, loose=True) for text in texts)
        for name, texts in data["ideas"].items()
    }
    kinds = {code: _kind(code, data["kinds"][code], classes, ideas) for code in SUBCATEGORIES}
    agent, clauses, negation, rooms = data["agent"], data["clauses"], data["negation"], data["rooms"]

    def compiled(texts: Sequence[str]) -> tuple[Pattern, ...]:
        return tuple(compile_pattern(text, classes, loose=True) for text in texts)

    return Lexicon(
        kinds=kinds,
        ideas=ideas,
        classes=classes,
        grammar=_grammar(data["grammar"]),
        spelling=data["spelling"],
        fillers=frozenset((*data["grammar"]["articles"], *data["grammar"]["intensifiers"])) - {"same"},
        agent_subjects=frozenset(agent["subjects"]),
        agent_helpers=frozenset(agent["helpers"]),
        agent_verbs=tuple(agent["verbs"]),
        agent_gerund_after=frozenset(agent["gerund_after"]),
        clause_marks=frozenset(clauses["marks"]),
        clause_words=frozenset(clauses["words"]),
        clause_openers=frozenset(clauses["openers"]),
        deny=compiled(negation["deny"]),
        deny_near=compiled(negation["deny_near"]),
        deny_sentence=compiled(negation["deny_sentence"]),
        expectation=compiled(negation["expectation"]),
        near_words=int(negation["near_words"]),
        affirm=compiled(negation["affirm"]),
        dismiss=compiled(negation["dismiss"]),
        dismiss_others=frozenset(negation["dismiss_others"]),
        structure=tuple(data["objects"]["structure"]),
        abstract=tuple(data["objects"]["abstract"]),
        common=tuple(data["objects"]["common"]),
        rooms={name: tuple(words) for name, words in rooms["names"].items()},
        room_passing=frozenset(rooms["passing"]),
    )


def _kind(
    code: str,
    data: Mapping[str, Any],
    classes: Mapping[str, Sequence[str]],
    ideas: Mapping[str, Sequence[Pattern]],
) -> Kind:
    def compiled(texts: Sequence[str]) -> tuple[Pattern, ...]:
        return tuple(compile_pattern(text, classes) for text in texts)

    require = tuple(tuple(group) for group in data.get("require", ()))
    tolerates = {}
    for entry in data.get("tolerates", ()):
        other, _, needs = entry.partition(" if ")
        tolerates[other] = Tolerance(other, tuple(needs.split(" or ")) if needs else ())
    asked = [idea for group in require for idea in group]
    asked += [idea for tolerance in tolerates.values() for idea in tolerance.needs]
    unknown = sorted({idea for idea in asked if idea not in ideas} | (set(tolerates) - set(SUBCATEGORIES)))
    if unknown:
        raise DataFileError(
            f"phrases.toml, kind {code}: {', '.join(unknown)} is neither an idea nor a sub-category.",
            hint=f"Ideas: {', '.join(sorted(ideas))}.",
        )
    return Kind(
        code=code,
        phrases=compiled(data["phrases"]),
        weak=compiled(data.get("weak", ())),
        require=require,
        tolerates=tolerates,
        against=compiled(data.get("against", ())),
        places=frozenset(data.get("places", ())),
        object_implied=bool(data.get("object_implied", False)),
    )


def _grammar(data: Mapping[str, Any]) -> Grammar:
    def table(entries: Sequence[str]) -> dict[str, tuple[str, ...]]:
        return {entry: tuple(entry.split()) for entry in entries}

    return Grammar(
        articles=frozenset(data["articles"]),
        quantifiers=frozenset(data["quantifiers"]),
        breaks=frozenset(data["breaks"]),
        place=table(data["place"]),
        dealt=table(data["dealt"]),
        drop=table(data["drop"]),
        verbs_too={word: frozenset(following) for word, following in data["verbs_too"].items()},
    )
