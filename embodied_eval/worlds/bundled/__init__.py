"""The worlds that come with the toolkit, and the way to any world by name or file."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from embodied_eval.errors import UnknownName
from embodied_eval.worlds.model import World

BUNDLED: tuple[str, ...] = ("indoor", "subway")


@lru_cache(maxsize=16)
def _bundled(name: str) -> World:
    # Imported here: building a world costs tens of milliseconds that `ls` and `--help` need not pay.
    from embodied_eval.worlds.bundled.indoor import build_indoor
    from embodied_eval.worlds.bundled.subway import build_subway

    return {"indoor": build_indoor, "subway": build_subway}[name]()


def load_world(name: str) -> World:
    """The bundled world called `name`, or the world in the file at that path (`.json`).

    Raises `UnknownName` for neither, `DataFileError` or `SchemaMismatch` for a bad file.
    """
    if name in BUNDLED:
        return _bundled(name)
    if name.endswith(".json"):
        from embodied_eval.worlds.files import read_world

        return read_world(Path(name))
    raise UnknownName(
        "world", name, BUNDLED, hint=f"Bundled: {', '.join(BUNDLED)}; or a path to a .json file."
    )
