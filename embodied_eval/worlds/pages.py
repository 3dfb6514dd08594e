"""An HTML page as a world: found, hashed, and otherwise left as it is."""

from __future__ import annotations

import hashlib
from pathlib import Path
from urllib.parse import urlsplit

from embodied_eval.errors import DataFileError
from embodied_eval.worlds.model import Bounds, Page, Sky, Spawn, Sun, World

PAGE_SUFFIXES = (".html", ".htm")
MOST_BYTES = 2 * 1024 * 1024
REACH_M = 1e4
"""Nothing is known of how far a page reaches: its bounds are this far away."""


def page_world(where: str) -> World:
    """The page in the file `where` (a folder means its `index.html`; `?...` after the name is handed to the page),
    or at an address on this machine.

    Raises DataFileError for a file that is not there, unreadable, too large or no HTML.
    """
    path, _, query = where.partition("?")
    if urlsplit(path).scheme in ("http", "https"):
        # What it answers is fetched by the driver, which refuses other machines.
        page = Page(entry=path, sha256=hashlib.sha256(path.encode()).hexdigest(), query=query)
        return _world(urlsplit(path).path.rpartition("/")[2] or "page", page)
    file = Path(path)
    if file.is_dir():
        file = file / "index.html"
    if file.suffix.lower() not in PAGE_SUFFIXES:
        raise DataFileError(
            f"{file} is no HTML page.", hint="Name the page's .html file, as page:PATH/index.html."
        )
    try:
        size = file.stat().st_size
        if size > MOST_BYTES:
            raise DataFileError(f"The page {file} has {size} bytes; at most {MOST_BYTES} are read.")
        data = file.read_bytes()
    except OSError as error:
        raise DataFileError(f"The page {file} cannot be read: {error.strerror or error}.") from error
    folder = file.resolve().parent
    page = Page(file.name, hashlib.sha256(data).hexdigest(), str(folder), query)
    return _world(file.stem if file.stem != "index" else folder.name, page)


def _world(name: str, page: Page) -> World:
    far = (REACH_M, REACH_M, REACH_M)
    return World(
        name=name,
        version=1,
        description="An HTML page.",
        materials={},
        objects=(),
        lights=(),
        sun=Sun(),
        sky=Sky(),
        bounds=Bounds((-REACH_M, -REACH_M, -REACH_M), far),
        regions=(),
        spawns=(Spawn("start", (0.0, 0.0, 0.0), 0.0),),
        page=page,
    )
