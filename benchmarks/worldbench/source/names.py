"""Which biome a name or a string speaks of, by the alias table. Ours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from benchmarks.worldbench.source.tokens import word_set

NOBODY: frozenset[str] = frozenset()
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_MAX_NAME = 60
_MAX_WORDS = 6
# A time step and the height of the water are not the coast.
_TIME = frozenset({"delta"})
_TIME_PARTS = word_set(
    """time t s ms x y z sec secs seconds get clock last frame d dt now tick yaw pitch theta phi angle mouse touch
    wheel"""
)
_LEVEL = frozenset({"sea", "ocean"})
_LEVEL_PARTS = word_set("level lvl y h height top z plane line")
# "Desert mountain" is desert and "jungle forest" jungle: these words only say what kind of land it is.
_KINDS_OF_LAND = ("mountains", "forest")


class Names:
    """Looks names and strings up in the alias table (biome -> words in lower case)."""

    def __init__(self, aliases: Mapping[str, Iterable[str]]) -> None:
        self._phrases: dict[tuple[str, ...], str] = {}
        for biome, words in aliases.items():
            for phrase in (biome, *words):
                parts = tuple(_singular(one) for one in re.findall(r"[a-z]+", phrase.lower()))
                if parts:
                    self._phrases.setdefault(parts, biome)
                    self._phrases.setdefault(("".join(parts),), biome)
        self._longest = max((len(one) for one in self._phrases), default=1)
        self._known: dict[str, frozenset[str]] = {}

    def of_name(self, name: str, member: bool = False) -> frozenset[str]:
        """The biomes an identifier speaks of, by its words (camelCase, snake_case). `member`: it is a key or stands
        behind a dot, where `delta` is no time step and `sea` no height."""
        key = ("." if member else " ") + name
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._biomes(name, member) if len(name) <= _MAX_NAME else NOBODY
        return found

    def of_string(self, text: str) -> frozenset[str]:
        """The biomes a string speaks of, if it is short enough to be an id or a title."""
        if len(text) > _MAX_NAME or "<" in text:
            return NOBODY
        key = '"' + text
        found = self._known.get(key)
        if found is None:
            many = len(_PARTS.findall(text)) > _MAX_WORDS
            found = self._known[key] = NOBODY if many else self._biomes(text, True)
        return found

    def _biomes(self, name: str, member: bool) -> frozenset[str]:
        parts = [one.lower() for one in _PARTS.findall(name)]
        said = set(parts)
        if not member or len(said) > 1:
            if said & _TIME and said <= _TIME | _TIME_PARTS:
                return NOBODY
            if said & _LEVEL and said <= _LEVEL | _LEVEL_PARTS:
                return NOBODY
        parts = [_singular(one) for one in parts]
        found: list[str] = []
        at = 0
        while at < len(parts):
            for length in range(min(self._longest, len(parts) - at), 0, -1):
                biome = self._phrases.get(tuple(parts[at : at + length]))
                if biome is not None:
                    found.append(biome)
                    at += length
                    break
            else:
                at += 1
        if len(set(found)) > 1:
            for kind in _KINDS_OF_LAND:
                found = [one for one in found if one != kind] if set(found) != {kind} else found
        return frozenset(found)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
