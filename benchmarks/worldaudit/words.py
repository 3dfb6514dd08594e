"""Words of a report: spelling variants, contractions and inflections levelled, sentences kept apart."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

MAX_CHARACTERS = 2000
"""How much of a finding is read. Longer text is cut: a report is a few sentences, not a word list."""

STOPS = frozenset(".!?;\n")
"""Tokens that end a sentence. A colon, dash or bracket only ends a clause (phrases.toml, `clauses`)."""

_TOKEN = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|->|=>|=|[.!?;:,()\n]|--|/")
_CONTRACTED = {"n't": "not", "'re": "are", "'ve": "have", "'ll": "will", "'m": "am", "'d": "would"}
_IS_AFTER = frozenset({"it", "that", "there", "what", "here", "where", "he", "she", "which"})
_IRREGULAR = {
    "shelves": "shelf",
    "knives": "knife",
    "leaves": "leaf",
    "men": "man",
    "women": "woman",
    "feet": "foot",
    "mice": "mouse",
}


@dataclass(frozen=True)
class Token:
    """One word or mark of a report: `word` levelled, `sentence` counted from 0."""

    word: str
    sentence: int


def tokens_of(text: str, spelling: Mapping[str, str]) -> tuple[Token, ...]:
    """The words and marks of `text`, at most `MAX_CHARACTERS` of it, lower case, articles kept.

    Hyphens and dashes between letters become spaces, contractions are written out, `spelling` maps variants
    to one form.
    """
    text = unicodedata.normalize("NFKC", text[:MAX_CHARACTERS])
    text = "".join(c for c in text if c == "\n" or unicodedata.category(c)[0] != "C").lower()
    text = text.replace("’", "'").replace("‘", "'").replace("—", " -- ").replace("–", " -- ")
    text = text.replace("→", "->").replace("cannot", "can not").replace("w/ ", "with ")
    text = re.sub(r"\s-\s", " -- ", text)
    text = re.sub(r"(?<=\w)\.(?=\d|f\d)", "", text)  # "0.2 m" and "a4.f1" end no sentence
    out: list[Token] = []
    sentence = 0
    for match in _TOKEN.finditer(text):
        for word in _written_out(match.group()):
            out.append(Token(spelling.get(word, word), sentence))
        if match.group() in STOPS:
            sentence += 1
    return tuple(out)


def _written_out(word: str) -> tuple[str, ...]:
    if "'" not in word:
        return (word,)
    if word.endswith("n't"):
        stem = {"ca": "can", "wo": "will", "sha": "shall"}.get(word[:-3], word[:-3])
        return (stem, "not")
    stem, _, tail = word.partition("'")
    if tail == "s":
        return (stem, "is") if stem in _IS_AFTER else (stem,)
    written = _CONTRACTED.get("'" + tail)
    return (stem, written) if written else (stem,)


def singular(word: str) -> str:
    """`word` without a plural ending; words that merely look plural come out the same way every time."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def joined(name: str, spelling: Mapping[str, str]) -> str:
    """`name` as it is compared: levelled words, singular, written together ("Book shelves" = "bookshelf")."""
    return "".join(singular(token.word) for token in tokens_of(name, spelling))
