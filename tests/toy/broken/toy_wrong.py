"""Plugins that are not what they say."""

from __future__ import annotations

from toy_benchmark import Sums


class NotABenchmark:
    """Nothing of the kind."""


class CannotBeMade(Sums):
    """Its constructor fails."""

    name = "broken-maker"

    def __init__(self) -> None:
        raise OSError("no licence server")


class OtherName(Sums):
    """Bears the name of another entry point."""

    name = "toy-sums"
