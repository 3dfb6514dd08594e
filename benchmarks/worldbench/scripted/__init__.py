"""Scripted generators: controls of the whole chain that need no key."""

from __future__ import annotations

from benchmarks.worldbench.scripted.broken import BrokenThenFixed
from benchmarks.worldbench.scripted.oracle import Null, Oracle, Reference, Truncated

__all__ = ["BrokenThenFixed", "Null", "Oracle", "Reference", "Truncated"]
