"""A small pattern language over a report's words: what phrases.toml is written in.

A pattern is words with spaces between them. `word*` matches a beginning, `a|b` either, `?word` an optional
word, `!word` (only in front) says that this word must not come right before, `~3` up to three words of any kind, `<name>` one word of a named class, `@` a named object, and
`me:word` a word that tells what the agent itself does. A plain word never matches the agent's own motion, so
"I moved" does not say that something else moved. A pattern stays within one sentence, and a gap never swallows
a denial: "has not moved" is not "has ~2 moved", "no missing texture" not "no ~2 texture". (Language: ours.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from embodied_eval.errors import DataFileError

MENTION = "@"
NEVER_SKIPPED = frozenset(
    {
        "not",
        "no",
        "never",
        "neither",
        "nor",
        "without",
        "hardly",
        "missing",
        "absent",
        "lacking",
        "wrong",
        "broken",
    }
)


@dataclass(frozen=True)
class Item:
    """One word of the stream that patterns run over: articles and intensifiers are already left out.

    `mention` is the index of the object mention that this item stands for, or None; `own` is True for the
    agent's own motion; `clause` counts clauses from 0 over the whole report.
    """

    word: str
    sentence: int
    clause: int
    mention: int | None = None
    own: bool = False


@dataclass(frozen=True)
class _Part:
    words: frozenset[str] = frozenset()
    stems: tuple[str, ...] = ()
    gap: int = 0
    optional: bool = False
    own: bool = False

    def fits(self, item: Item, loose: bool) -> bool:
        if not loose and self.own != item.own:
            return False
        return item.word in self.words or (item.mention is None and item.word.startswith(self.stems))


@dataclass(frozen=True)
class Pattern:
    """A compiled pattern. A `loose` one, for ideas and denials rather than claims, matches the agent's own
    motion as well, and its gaps swallow anything."""

    source: str
    parts: tuple[_Part, ...]
    loose: bool = False
    barred: str = ""

    def find(self, items: Sequence[Item]) -> list[tuple[int, int]]:
        """Every match as [start, end) in `items`, the shortest one for each start."""
        found = []
        first = self.parts[0]
        for start, item in enumerate(items):
            # Almost every start fails at its first word; asking here spares the matcher's calls.
            if not first.optional and item.word not in first.words and not item.word.startswith(first.stems):
                continue
            if self.barred and start and items[start - 1].word == self.barred:
                continue
            end = self._match(items, start, 0, items[start].sentence)
            if end is not None and end > start:
                found.append((start, end))
        return found

    def _match(self, items: Sequence[Item], at: int, part: int, sentence: int) -> int | None:
        if part == len(self.parts):
            return at
        this = self.parts[part]
        if this.gap:
            for skipped in range(this.gap + 1):
                end = self._match(items, at + skipped, part + 1, sentence)
                if end is not None:
                    return end
                if at + skipped >= len(items) or items[at + skipped].sentence != sentence:
                    return None
                if items[at + skipped].word in NEVER_SKIPPED and not self.loose:
                    return None
            return None
        if at < len(items) and items[at].sentence == sentence and this.fits(items[at], self.loose):
            end = self._match(items, at + 1, part + 1, sentence)
            if end is not None:
                return end
        return self._match(items, at, part + 1, sentence) if this.optional else None


def compile_pattern(source: str, classes: Mapping[str, Sequence[str]], *, loose: bool = False) -> Pattern:
    """`source` compiled; raises `DataFileError` naming the pattern for a class that is not defined or a
    pattern that could match nothing."""
    barred, _, rest = source.partition(" ") if source.startswith("!") else ("", "", source)
    parts = tuple(_compile_part(text, source, classes) for text in rest.split())
    if not any(not part.gap and not part.optional for part in parts) or parts[0].gap:
        raise DataFileError(f"The pattern {source!r} could match anything.", hint="Begin it with a word.")
    return Pattern(source, parts, loose, barred.removeprefix("!"))


def _compile_part(text: str, source: str, classes: Mapping[str, Sequence[str]]) -> _Part:
    if text.startswith("~"):
        return _Part(gap=int(text[1:]))
    optional = text.startswith("?")
    text = text.removeprefix("?")
    own = text.startswith("me:")
    words: list[str] = []
    for choice in text.removeprefix("me:").split("|"):
        if choice.startswith("<") and choice.endswith(">"):
            name = choice[1:-1]
            if name not in classes:
                raise DataFileError(
                    f"The pattern {source!r} uses the word class {name!r}, which phrases.toml does not define.",
                    hint=f"Defined: {', '.join(sorted(classes))}.",
                )
            words.extend(classes[name])
        else:
            words.append(choice)
    return _Part(
        words=frozenset(word for word in words if not word.endswith("*")),
        stems=tuple(word[:-1] for word in words if word.endswith("*")),
        optional=optional,
        own=own,
    )


def first_found(patterns: Sequence[Pattern], items: Sequence[Item]) -> tuple[Pattern, tuple[int, int]] | None:
    """The first of `patterns` found in `items`, with where; None if none is."""
    for pattern in patterns:
        spans = pattern.find(items)
        if spans:
            return pattern, spans[0]
    return None
