"""Keeps credentials out of everything that is stored or shown."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping
from typing import Any

from embodied_eval.records import Json

SUFFIXES = ("KEY", "TOKEN", "SECRET")
SHORTEST = 8
REPLACEMENT = "[secret]"
_USERINFO = re.compile(r"(?<=://)[^/@\s]+@")
logger = logging.getLogger(__name__)


class Guard:
    """Replaces the values of environment variables whose names end in KEY, TOKEN or SECRET.

    Values shorter than 8 characters are left alone: they would match ordinary text. The environment is read
    once, at construction.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        found = os.environ if environment is None else environment
        self._secrets = tuple(
            (name, value)
            for name, value in found.items()
            if len(value) >= SHORTEST and name.upper().endswith(SUFFIXES)
        )

    def text(self, text: str) -> str:
        """`text` with every secret replaced by `[secret]`; warns, naming the variable, when there was one."""
        for name, value in self._secrets:
            if value in text:
                logger.warning("The value of %s stood in text to be stored; it was replaced.", name)
                text = text.replace(value, REPLACEMENT)
        return text

    def error(self, text: str) -> str:
        """`text` of an error: secrets replaced and the user part of every URL removed."""
        return self.text(without_userinfo(text))

    def json(self, value: Json) -> Json:
        """`value` with every string in it cleaned, keys included."""
        return self._clean(value) if self._secrets else value

    def find(self, value: Json) -> str:
        """The name of a variable whose value stands in a string in `value`, "" where there is none."""
        if isinstance(value, str):
            return next((name for name, secret in self._secrets if secret in value), "")
        if isinstance(value, Mapping):
            value = [part for item in value.items() for part in item]
        if isinstance(value, (list, tuple)):
            return next((name for name in map(self.find, value) if name), "")
        return ""

    def _clean(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(str(key)): self._clean(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._clean(item) for item in value]
        return value


def without_userinfo(text: str) -> str:
    """`text` with `user:password@` cut out of every URL in it."""
    return _USERINFO.sub("", text)
