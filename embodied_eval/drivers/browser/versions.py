"""Which vendored three.js version stands for the one that a page asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence

_NUMBERS = re.compile(r"v?(\d+)(?:\.(\d+|x|\*))?(?:\.(\d+|x|\*))?(?:-.*)?")
_NEWEST = frozenset({"", "latest", "next", "dev", "master", "main", "*", "x"})
_Triple = tuple[int, int, int]


def best_version(asked: str, vendored: Sequence[str], having: Sequence[str]) -> tuple[str, bool] | None:
    """(version to serve, whether it stands in for another one), or None when nothing can be served.

    `asked` is an exact version, a revision ("r128"), a range in npm's words, a tag or "" (newest); `vendored`
    are the versions there are, oldest first, `having` those of them that hold the file. A version that is
    vendored is never replaced because it lacks a file: the real mirror has none there either. Others are
    replaced by the one nearest in revisions among those that hold the file, the older of two equally near;
    words that are no version at all by the newest.
    """
    if asked in _NEWEST:
        return (vendored[-1], False) if vendored[-1] in having else None
    span = _range(asked)
    if span is None:
        return (having[-1], True) if having else None
    low, high = span
    inside = [version for version in vendored if low <= _triple(version) < high]
    if inside:
        return (inside[-1], False) if inside[-1] in having else None
    if not having:
        return None
    revision = low[1] if low > (0, 0, 0) else high[1]
    return min(having, key=lambda version: (abs(_triple(version)[1] - revision), _triple(version))), True


def _range(asked: str) -> tuple[_Triple, _Triple] | None:
    """The half-open range of versions that `asked` allows, None for what cannot be read."""
    text = asked.strip().split("||")[-1].strip()
    if found := re.fullmatch(r"r(\d+)(?:\.\d+)?(?:dev)?", text):
        revision = int(found[1])
        return (0, revision, 0), (0, revision + 1, 0)
    low, high = (0, 0, 0), (1 << 30, 0, 0)
    for word in re.sub(r"([<>=^~]+)\s+", r"\1", text).split():
        number = word.lstrip("<>=^~")
        sign, span = word.removesuffix(number), _span(number)
        if span is None:
            return None
        start, end = span
        if sign in (">", ">="):
            low = max(low, start if sign == ">=" else end)
        elif sign in ("<", "<="):
            high = min(high, start if sign == "<" else end)
        elif sign == "^" and start[0] > 0:
            low, high = max(low, start), min(high, (start[0] + 1, 0, 0))
        elif sign in ("^", "~"):
            low, high = max(low, start), min(high, (start[0], start[1] + 1, 0))
        else:
            low, high = max(low, start), min(high, end)
    return low, high


def _span(number: str) -> tuple[_Triple, _Triple] | None:
    """The versions that one number stands for: "0.160" is all of 0.160.x."""
    found = _NUMBERS.fullmatch(number)
    if found is None:
        return None
    major, minor, patch = int(found[1]), found[2], found[3]
    if minor in (None, "x", "*"):
        # A bare "110" is a revision: three.js never had a major version.
        return ((0, major, 0), (0, major + 1, 0)) if major else ((0, 0, 0), (1, 0, 0))
    if patch in (None, "x", "*"):
        return (major, int(minor), 0), (major, int(minor) + 1, 0)
    exact = (major, int(minor), int(patch))
    return exact, (exact[0], exact[1], exact[2] + 1)


def _triple(version: str) -> _Triple:
    major, minor, patch = version.split(".")
    return int(major), int(minor), int(patch)
