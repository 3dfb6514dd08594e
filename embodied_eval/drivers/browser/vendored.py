"""Answers requests for three.js from vendored copies, recognised by the shape of the address, not its host.

The copies are archives under `embodied_eval/drivers/vendor/three`, taken unchanged from the npm package
`three` (MIT). Shapes: npm mirrors (`/npm/three@0.160.0/build/three.module.js`, with or without a version, or
with a range), library mirrors (`/ajax/libs/three.js/r128/three.min.js`), the repository
(`/mrdoob/three.js@r128/build/three.js`, `/r128/build/three.js`, threejs.org itself), and services that make
modules importable without an import map (esm.sh, skypack, `+esm`, `?module`): for these the bare specifiers
inside a module are rewritten, so that a page gets one three.js and not two.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from zipfile import ZipFile

from embodied_eval.drivers.browser.versions import best_version
from embodied_eval.errors import DataFileError, UnknownName

FOLDER = Path(__file__).parents[1] / "vendor" / "three"


@dataclass(frozen=True)
class Answer:
    """A vendored file. `version` is what is served and `asked` what it stands in for: the address's own word
    for another version, otherwise `version` itself. `file` is the path inside the npm package."""

    body: bytes
    media_type: str
    version: str
    asked: str
    file: str

    @property
    def substituted(self) -> bool:
        """Whether another version is served than the one asked for."""
        return self.asked != self.version


@dataclass(frozen=True)
class _Asked:
    """What an address asks for: `path` in the npm package ("" = its main module); `base` and `suffix` make
    the addresses of other modules where bare specifiers are to be rewritten (`base` None: they are not)."""

    version: str
    path: str
    base: str | None = None
    suffix: str = ""


def versions() -> tuple[str, ...]:
    """The vendored versions, oldest first; the last one is the current one."""
    return tuple(sorted(_index()["versions"], key=lambda text: [int(part) for part in text.split(".")]))


def current() -> str:
    """The version served where none is asked for, and the one our own page runtime uses."""
    return versions()[-1]


def vendored_file(version: str, path: str) -> bytes:
    """The file at `path` in the npm package of `version`, e.g. ("0.187.0", "build/three.module.js").

    Raises `UnknownName` for a version or file that is not vendored.
    """
    if version not in versions():
        raise UnknownName("vendored three.js version", version, versions())
    if path not in _names(version):
        raise UnknownName(f"file in the vendored three.js {version}", path, _names(version))
    with ZipFile(FOLDER / f"{version}.zip") as archive:
        return archive.read(path)


@lru_cache(maxsize=512)
def answer(url: str) -> Answer | None:
    """The vendored file for `url`, or None when it asks for nothing of three.js that we have."""
    asked = _parse(url)
    if asked is None:
        return None
    names = {version: _find(version, asked) for version in versions()}
    having = tuple(version for version in versions() if names[version])
    chosen = best_version(asked.version, versions(), having)
    if chosen is None:
        return None
    version, substituted = chosen
    file = names[version]
    if asked.base is not None and asked.path in _MAIN and not _is_plain(asked, file):
        body = f'export * from "{_address(asked, version, _module(version))}";\n'.encode()
    else:
        body = vendored_file(version, file)
        if asked.base is not None and file.startswith("examples/"):
            body = _rewritten(body.decode(), asked, version, file).encode()
    kind = "application/json" if file.endswith(".json") else "text/javascript"
    return Answer(body, f"{kind}; charset=utf-8", version, asked.version if substituted else version, file)


_PACKAGE = re.compile(r"^(?P<base>/(?:.*/)?(?:npm:)?)three(?:@(?P<version>[^/]+))?(?:/(?P<path>.*))?$")
_LIBRARY = re.compile(r"/three(?:\.js|js)/(?P<version>r?\d[^/]*)/(?P<path>[^/]+)$")
_REPOSITORY = re.compile(
    r"(?:/mrdoob/three\.js[@/](?P<ref>[^/]+)|/(?P<revision>r\d+))/(?P<path>(?:build|examples)/.+)$"
)
_HOME = re.compile(r"^(?:/three\.js)?(?:/dev)?/(?P<path>(?:build|examples)/.+)$")
_HOME_HOSTS = frozenset({"threejs.org", "www.threejs.org", "mrdoob.github.io"})
_REWRITING_HOSTS = frozenset({"esm.sh", "esm.run", "cdn.skypack.dev", "cdn.esm.sh"})
_MAIN = ("", "build/three.module.js", "build/three.module.min.js")
_BUILT_MAIN = re.compile(r"(?:es20\d\d|esnext|deno)/three(?:\.\w+)?\.m?js|mode=[^/]+/.*three\.js")


def _parse(url: str) -> _Asked | None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https"):
        return None
    path, host = unquote(parts.path), (parts.hostname or "").lower()
    if found := _LIBRARY.search(path):
        return _Asked(found["version"], f"build/{found['path']}")
    if found := _REPOSITORY.search(path):
        return _Asked(found["ref"] or found["revision"], found["path"])
    if found := _PACKAGE.match(path):
        file, suffix = (found["path"] or "").rstrip("/"), ""
        rewriting, query = host in _REWRITING_HOSTS, parse_qs(parts.query, keep_blank_values=True)
        if file == "+esm" or file.endswith("/+esm"):
            rewriting, suffix, file = True, "/+esm", file[: -len("+esm")].rstrip("/")
        elif "module" in query:
            rewriting, suffix = True, "?module"
        if _BUILT_MAIN.fullmatch(file):
            file = ""
        if file.startswith("addons/"):
            file = "examples/jsm/" + file.removeprefix("addons/")
        base = found["base"] if rewriting and "external" not in query else None
        if base is not None and host in _REWRITING_HOSTS:
            base = "/"
        return _Asked(found["version"] or "", file, base, suffix)
    if host in _HOME_HOSTS and (found := _HOME.match(path)):
        return _Asked("", found["path"])
    return None


# Packages hold either form; behaviour is the same.
_TWINS = {
    "build/three.js": "build/three.min.js",
    "build/three.module.js": "build/three.module.min.js",
    "build/three.module.min.js": "build/three.module.js",
    "build/three.webgpu.min.js": "build/three.webgpu.js",
    "build/three.tsl.min.js": "build/three.tsl.js",
    "build/three.core.min.js": "build/three.core.js",
}


def _find(version: str, asked: _Asked) -> str:
    """The member of `version`'s archive that `asked` means, "" if there is none."""
    names = _names(version)
    path = asked.path
    if not path:
        classic = "build/three.min.js"
        return classic if asked.base is None and classic in names else _module(version)
    if path in names:
        return path
    if _TWINS.get(path, "") in names:
        return _TWINS[path]
    if asked.base is not None and f"{path}.js" in names:
        return f"{path}.js"
    return ""


def _module(version: str) -> str:
    names = _names(version)
    return next(name for name in ("build/three.module.js", "build/three.module.min.js") if name in names)


def _is_plain(asked: _Asked, file: str) -> bool:
    """Whether the address is the one that rewritten modules import: it must serve the module itself."""
    return asked.path == file and not asked.suffix


def _address(asked: _Asked, version: str, file: str) -> str:
    return f"{asked.base}three@{version}/{file}"


_SPECIFIER = re.compile(r"""(\bfrom\s*|\bimport\s*\(?\s*)(["'])(three(?:/[\w./-]+)?|\.{1,2}/[^"'\n]+)\2""")
_BARE = {"three/webgpu": "build/three.webgpu.js", "three/tsl": "build/three.tsl.js"}


def _rewritten(text: str, asked: _Asked, version: str, file: str) -> str:
    def address(found: re.Match[str]) -> str:
        name = found[3]
        if name == "three":
            made = _address(asked, version, _module(version))
        elif name in _BARE:
            made = _address(asked, version, _BARE[name])
        else:
            inside = (
                normpath(join(dirname(file), name))
                if name.startswith(".")
                else "examples/jsm/" + name.removeprefix("three/addons/").removeprefix("three/examples/jsm/")
            )
            made = _address(asked, version, inside) + asked.suffix
        return f'{found[1]}"{made}"'

    return _SPECIFIER.sub(address, text)


@lru_cache(maxsize=1)
def _index() -> dict[str, Any]:
    path = FOLDER / "index.json"
    try:
        made: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataFileError(
            f"The list of vendored three.js versions {path} cannot be read: {error}.",
            hint="Install embodied-eval again.",
        ) from error
    return made


@lru_cache(maxsize=8)
def _names(version: str) -> frozenset[str]:
    with ZipFile(FOLDER / f"{version}.zip") as archive:
        return frozenset(archive.namelist())
