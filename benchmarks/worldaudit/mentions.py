"""Which objects a report names, and which of them only to say where something is.

A mention is the longest run of words that is a name in the vocabulary. Its role says whether the report
speaks about the object ("the vase floats": focal) or uses it as a landmark ("the vase next to the sofa":
place), as something the agent dealt with ("when I came closer to the lamp": dealt), or rules it out ("not
the lamp": dropped). Rules: ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from benchmarks.worldaudit.words import Token, joined, singular

if TYPE_CHECKING:
    from embodied_eval.worlds.model import World

TARGET = "the target"
NOTHING = ""
Role = Literal["focal", "dealt", "place", "dropped"]
LONGEST_NAME = 5
BETWEEN_SPAN = 6


@dataclass(frozen=True)
class Vocabulary:
    """What things are called: `names` from a name (as `words.joined` writes it) to the thing it names.

    The target's names lead to `TARGET`, whatever else bears them. `neutral` are things that may stand in a
    report without being a second object. `rooms` are the regions of the world by name, with their title;
    `shared_name` tells that the target shares a name with a thing in another region.
    """

    names: Mapping[str, str]
    neutral: frozenset[str]
    rooms: Mapping[str, str]
    region: str = ""
    shared_name: bool = False


def build_vocabulary(
    things: Iterable[tuple[str, Iterable[str], str]],
    target_names: Iterable[str],
    *,
    spelling: Mapping[str, str],
    surroundings: Iterable[str] = (),
    common: Iterable[str] = (),
    structure: Iterable[str] = (),
    abstract: Iterable[str] = (),
    rooms: Mapping[str, str] | None = None,
    region: str = "",
) -> Vocabulary:
    """A vocabulary from `things` (label, synonyms, region) around one target in `region`.

    `common` are everyday things that the world need not hold: naming one is still naming a second object.
    `structure` (walls, floor ...) never is, and `abstract` names ("collision box") name nothing. `spelling` maps variants to one form (phrases.toml).
    """
    fixed = {joined(name, spelling) for name in structure}
    target = frozenset(joined(name, spelling) for name in target_names)
    names = {joined(name, spelling): joined(name, spelling) for name in common}
    shared = False
    for label, synonyms, where in things:
        key = joined(label, spelling)
        if key in fixed and key not in target:
            continue
        key = TARGET if key in target else key
        for name in (joined(label, spelling), *(joined(synonym, spelling) for synonym in synonyms)):
            shared = shared or (name in target and where != region)
            # A label is a better guide than somebody else's synonym.
            if name == joined(label, spelling) or names.get(name, name) == name:
                names[name] = key
    names = {name: thing for name, thing in names.items() if name and name not in fixed}
    around = (joined(name, spelling) for name in surroundings)
    neutral = {names.get(name, name) for name in around}
    short = {name for name in names if any(own != name and own.endswith(name) for own in target)}
    names.update((name, name) for name in short)
    names.update(dict.fromkeys(target, TARGET))
    names.update((joined(name, spelling), NOTHING) for name in abstract)
    landmarks = frozenset(neutral | short) - {TARGET}
    return Vocabulary(names, landmarks, dict(rooms or {}), region, shared)


def world_things(world: World, target: Mapping[str, Any]) -> list[tuple[str, tuple[str, ...], str]]:
    """(label, synonyms, region) of every object of `world` but the one that `target` names."""
    own = target.get("object")
    return [(item.label, item.synonyms, item.region) for item in world.objects if item.name != own]


@dataclass(frozen=True)
class Mention:
    """One object named: tokens [start, end), what it names, its role, and the place word that governs it.

    `list_of` numbers the and/or list that it is part of, or is None.
    """

    start: int
    end: int
    thing: str
    role: Role = "focal"
    governor: str = ""
    list_of: int | None = None


@dataclass(frozen=True)
class Grammar:
    """The closed word classes that roles are read from (phrases.toml, `grammar`)."""

    articles: frozenset[str]
    quantifiers: frozenset[str]
    breaks: frozenset[str]
    place: Mapping[str, tuple[str, ...]]
    dealt: Mapping[str, tuple[str, ...]]
    drop: Mapping[str, tuple[str, ...]]
    verbs_too: Mapping[str, frozenset[str]]


def find_mentions(tokens: Sequence[Token], vocabulary: Vocabulary, grammar: Grammar) -> tuple[Mention, ...]:
    """Every mention in `tokens`, in order, with its role."""
    bare = _names_in(tokens, vocabulary, grammar)
    bare = _without_modifiers(bare)
    placed = [_with_governor(mention, tokens, bare, grammar) for mention in bare]
    return tuple(_with_lists(placed, tokens, grammar))


def _names_in(tokens: Sequence[Token], vocabulary: Vocabulary, grammar: Grammar) -> list[Mention]:
    found: list[Mention] = []
    at = 0
    while at < len(tokens):
        for length in range(min(LONGEST_NAME, len(tokens) - at), 0, -1):
            words = [token.word for token in tokens[at : at + length]]
            if not all(word[0].isalnum() for word in words):
                continue
            thing = vocabulary.names.get("".join(singular(word) for word in words))
            if thing is not None and not _is_verb(tokens, at, length, grammar):
                if thing != NOTHING:
                    found.append(Mention(at, at + length, thing))
                at += length
                break
        else:
            at += 1
    return found


def _is_verb(tokens: Sequence[Token], at: int, length: int, grammar: Grammar) -> bool:
    """Whether the word is a verb here: "sinks into the wall" names no sink."""
    following = grammar.verbs_too.get(singular(tokens[at].word)) if length == 1 else None
    if following is None or at + 1 >= len(tokens):
        return False
    after_article = at > 0 and tokens[at - 1].word in grammar.articles
    return tokens[at + 1].word in following and not after_article


def _without_modifiers(mentions: list[Mention]) -> list[Mention]:
    """Of two names side by side only the head, the last one, is named ("fridge door"). Three and more in a
    row are a list without commas: all of them are named."""
    kept: list[Mention] = []
    run: list[Mention] = []
    for mention in [*mentions, None]:
        if run and (mention is None or mention.start != run[-1].end):
            kept.extend([replace(run[-1], start=run[0].start)] if len(run) == 2 else run)
            run = []
        if mention is not None:
            run.append(mention)
    return kept


def _with_governor(
    mention: Mention, tokens: Sequence[Token], mentions: Sequence[Mention], grammar: Grammar
) -> Mention:
    """`mention` with the role that the words before it give: back over adjectives, then over articles, to a
    place word, a word of dealing or a word that rules out."""
    taken = {at for other in mentions for at in range(other.start, other.end)}
    at, adjectives, article_seen = mention.start - 1, 0, False
    while at >= 0 and tokens[at].sentence == tokens[mention.start].sentence and at not in taken:
        role, governor = _governor_at(tokens, at, grammar)
        if governor:
            return replace(mention, role=role, governor=governor)
        word = tokens[at].word
        if word == "and" and between_opens(tokens, at):
            return replace(mention, role="place", governor="between")
        if word == "no" and mention.thing != TARGET:
            return replace(mention, role="place", governor="no")
        if word in ("of", "in") and at > 0 and tokens[at - 1].word in grammar.quantifiers:
            at -= 2
            continue
        if word == "of" and any(other.end == at for other in mentions):
            return replace(mention, role="place", governor="of")
        if word in grammar.articles or word in grammar.quantifiers:
            article_seen = True
        elif article_seen or word in grammar.breaks or not word[0].isalnum() or adjectives == 3:
            return mention
        else:
            adjectives += 1
        at -= 1
    if at in taken and at == mention.start - 1:
        return mention
    if at >= 0 and at in taken and tokens[at + 1].word == "of":
        return replace(mention, role="place", governor="of")
    return mention


def between_opens(tokens: Sequence[Token], at: int) -> bool:
    """Whether the "and" at `at` closes a "between ... and"."""
    near = tokens[max(0, at - BETWEEN_SPAN) : at]
    return any(token.word == "between" and token.sentence == tokens[at].sentence for token in near)


def _governor_at(tokens: Sequence[Token], at: int, grammar: Grammar) -> tuple[Role, str]:
    """The longest entry of the tables whose words end at token `at`, with the role it gives; "" for none."""
    role: Role = "focal"
    best: tuple[str, ...] = ()
    tables: tuple[tuple[Role, Mapping[str, tuple[str, ...]]], ...] = (
        ("dropped", grammar.drop),
        ("place", grammar.place),
        ("dealt", grammar.dealt),
    )
    for gives, table in tables:
        for words in table.values():
            start = at + 1 - len(words)
            if start < 0 or len(words) <= len(best):
                continue
            said = [token.word for token in tokens[start : at + 1]]
            if all(_same(word, heard) for word, heard in zip(words, said, strict=True)):
                role, best = gives, words
    return role, " ".join(best)


def _same(word: str, heard: str) -> bool:
    return heard.startswith(word[:-1]) if word.endswith("*") else heard == word


def _with_lists(mentions: list[Mention], tokens: Sequence[Token], grammar: Grammar) -> list[Mention]:
    """Members of an "A, B and C" list share the first one's role. A comma alone makes no list of what follows
    a landmark: "next to the sofa, the vase floats"."""
    out: list[Mention] = []
    lists = 0
    start = 0
    while start < len(mentions):
        links: list[str] = []
        while start + len(links) + 1 < len(mentions):
            link = _link(tokens, mentions[start + len(links)], mentions[start + len(links) + 1], grammar)
            if not link:
                break
            links.append(link)
        ands = [index for index, link in enumerate(links) if link == "and"]
        first = mentions[start]
        if ands or first.role == "focal":
            members = (ands[-1] if ands else len(links) - 1) + 2
        else:
            members = 1
        for offset in range(members):
            mention = mentions[start + offset]
            if members > 1:
                mention = replace(mention, list_of=lists)
                if offset and mention.role == "focal" and first.role != "focal":
                    mention = replace(mention, role=first.role, governor=first.governor)
            out.append(mention)
        lists += members > 1
        start += members
    return out


def _link(tokens: Sequence[Token], one: Mention, two: Mention, grammar: Grammar) -> str:
    """ "and" or "comma" if only that, articles and at most two adjectives stand between; else ""."""
    between = [token.word for token in tokens[one.end : two.start]]
    marks = [word for word in between if word in ("and", "or", "plus", "nor", "as", "well", "/", ",")]
    rest = [
        word
        for word in between
        if word not in ("and", "or", "plus", "nor", "as", "well", "/", ",")
        and word not in grammar.articles
        and word not in grammar.quantifiers
    ]
    if not marks or between[0] not in marks or len(rest) > 2:
        return ""
    if any(word in grammar.breaks or not word[0].isalnum() for word in rest):
        return ""
    return "comma" if set(marks) == {","} else "and"
