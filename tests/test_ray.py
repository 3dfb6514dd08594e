"""The Ray runner: the same results as in this process, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import TOY, Command

ROOT = Path(__file__).parents[1]
ROOMS = ("run", "toy-rooms", "--model", "scripted/walker", "--limit", "4", "--json")


def of_ray(pid: int) -> list[str]:
    """Command lines of living processes that belong to the Ray instance started by `pid`."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = entry.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it ended while we looked
        if f"ee-ray-{pid}" in line:
            found.append(line)
    return found
