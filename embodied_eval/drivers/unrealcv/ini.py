"""`unrealcv.ini`, the plugin's settings file: read and changed by key, everything else left as it is."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

FILE = "unrealcv.ini"
SECTION = "UnrealCV.Core"


def values(text: str, section: str = SECTION) -> dict[str, str]:
    """The section's keys and values; a key that occurs twice has its last value. Names are compared without case,
    as the engine does, and kept as written."""
    found: dict[str, str] = {}
    for line, inside in _lines(text, section):
        key, mark, value = line.partition("=")
        if inside and mark and _is_key(key):
            names = {name.lower(): name for name in found}
            found[names.get(key.strip().lower(), key.strip())] = value.strip()
    return found


def with_values(text: str, wanted: Mapping[str, str], section: str = SECTION) -> str:
    """`text` with the section's keys set to `wanted`: changed where they stand, otherwise added at the section's end,
    the section itself at the text's. Raises ValueError for a key or value of more than one line."""
    for key, value in wanted.items():
        if not _is_key(key) or any(mark in key + value for mark in "\r\n") or "=" in key:
            raise ValueError(f"{key}={value!r} is no line of a settings file.")
    left = {key.lower(): f"{key}={value}" for key, value in wanted.items()}
    made: list[str] = []
    end = -1
    for line, inside in _lines(text, section):
        key, mark, _ = line.partition("=")
        low = key.strip().lower()
        known = inside and bool(mark) and low in {name.lower() for name in wanted}
        if not known:
            made.append(line)
        elif low in left:
            made.append(left.pop(low))
        if inside and line.strip():
            end = len(made)
    if end < 0:
        made += [f"[{section}]"]
        end = len(made)
    made[end:end] = left.values()
    return "\n".join(made) + "\n"


def write(path: Path, text: str) -> None:
    """Write the file in one go: whoever reads sees the old one or the new one."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def read(path: Path) -> str:
    """The file's text, "" if there is none. The engine also writes such files as UTF-16."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return ""
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    return data.decode("utf-16" if wide else "utf-8-sig", errors="replace")


def _lines(text: str, section: str) -> list[tuple[str, bool]]:
    """Each line, and whether it belongs to the section, whose own heading does."""
    found, inside = [], False
    for line in text.splitlines():
        bare = line.strip()
        if bare.startswith("[") and bare.endswith("]"):
            inside = bare[1:-1].strip().lower() == section.lower()
        found.append((line, inside))
    return found


def _is_key(key: str) -> bool:
    return bool(key.strip()) and key.strip()[0] not in ";#["
