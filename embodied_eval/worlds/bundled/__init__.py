"""The worlds that come with the toolkit, and the way to any world by name or file."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from embodied_eval.errors import UnknownName
from embodied_eval.worlds.model import World

PAGE_PREFIX = "page:"
BUNDLED: tuple[str, ...] = ("indoor", "subway", "house", "cottage")


@lru_cache(maxsize=16)
def _bundled(name: str) -> World:
    # Imported here: building a world costs tens of milliseconds that `ls` and `--help` need not pay.
    from embodied_eval.worlds.bundled.cottage import build_cottage
    from embodied_eval.worlds.bundled.house import build_house
    from embodied_eval.worlds.bundled.indoor import build_indoor
    from embodied_eval.worlds.bundled.subway import build_subway

    makers = {"indoor": build_indoor, "subway": build_subway, "house": build_house, "cottage": build_cottage}
    return makers[name]()


def load_world(name: str) -> World:
    """The bundled world called `name`, the world in the file at that path (`.json`), or for `page:PATH` and
    `page:http://localhost...` the HTML page there.

    Raises `UnknownName` for none of these, `DataFileError` or `SchemaMismatch` for a bad file.
    """
    if name in BUNDLED:
        return _bundled(name)
    if name.startswith(PAGE_PREFIX):
        from embodied_eval.worlds.pages import page_world

        return page_world(name.removeprefix(PAGE_PREFIX))
    if name.endswith(".json"):
        from embodied_eval.worlds.files import read_world

        return read_world(Path(name))
    raise UnknownName(
        "world",
        name,
        BUNDLED,
        hint=f"Bundled: {', '.join(BUNDLED)}; or a path to a .json file, or page:PATH for an HTML page.",
    )
