"""Where a site's bytes come from: a confined folder, given bytes, or an address on this machine."""

from __future__ import annotations

import ipaddress
import socket
import stat
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol
from urllib.parse import quote, unquote, urlsplit

from embodied_eval.errors import DataFileError, UsageError

FILE_LIMIT_BYTES = 32 * 2**20
HTML_LIMIT_BYTES = 2 * 2**20
FETCH_S = 5.0

MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".htm": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".css": "text/css; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".glsl": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".gltf": "model/gltf+json",
    ".glb": "model/gltf-binary",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".gif": "image/gif",
    ".svg": "image/svg+xml",
    ".ico": "image/x-icon",
    ".ktx2": "image/ktx2",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".ttf": "font/ttf",
    ".otf": "font/otf",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".wav": "audio/wav",
    ".mp4": "video/mp4",
    ".webm": "video/webm",
}


@dataclass(frozen=True)
class Found:
    """A file of the site."""

    body: bytes
    media_type: str


class NotServed(Exception):
    """A file the site does not hand out, and why; never leaves this package."""


class Source(Protocol):
    """Answers a site's own requests."""

    def read(self, path: str, query: str) -> Found:
        """The file at `path` (decoded, begins with "/"). Raises `NotServed`."""


@dataclass(frozen=True)
class FolderSource:
    """Regular files below `folder`, wherever links lead; none whose name begins with a dot."""

    folder: Path

    def read(self, path: str, query: str) -> Found:
        """`Source.read`; a path that ends in "/" is its index.html."""
        parts = [part for part in path.split("/") if part]
        if any(part.startswith(".") or "\\" in part or "\0" in part for part in parts):
            raise NotServed("a hidden file, or a path that leaves the folder")
        if path.endswith("/") or not parts:
            parts.append("index.html")
        root = self.folder.resolve()
        try:
            file = root.joinpath(*parts).resolve(strict=True)
            info = file.stat()
        except (OSError, RuntimeError) as error:
            raise NotServed("no such file") from error
        if not file.is_relative_to(root):
            raise NotServed("a link that leads out of the folder")
        if not stat.S_ISREG(info.st_mode):
            raise NotServed("not a regular file")
        kind = media_type(file.name)
        check_size(info.st_size, kind)
        try:
            with file.open("rb") as opened:
                body = opened.read(FILE_LIMIT_BYTES + 1)
        except OSError as error:
            raise NotServed(f"cannot be read: {error.strerror}") from error
        check_size(len(body), kind)
        return Found(body, kind)


@dataclass(frozen=True)
class BytesSource:
    """The given files, by path without the leading slash."""

    files: Mapping[str, bytes]

    def read(self, path: str, query: str) -> Found:
        """`Source.read`."""
        name = path.lstrip("/")
        if name == "" or name.endswith("/"):
            name += "index.html"
        if name not in self.files:
            raise NotServed("no such file")
        body, kind = self.files[name], media_type(name)
        check_size(len(body), kind)
        return Found(body, kind)


class AddressSource:
    """A server on this machine, asked by this process, never by the browser: no proxy, no redirect away
    from it, no body over the limits, `FETCH_S` for an answer."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        host = parts.hostname or ""
        if parts.scheme not in ("http", "https") or not host or parts.username or parts.password:
            raise UsageError(f"{url!r} is not an address of the form http://127.0.0.1:PORT/PATH.")
        try:
            port = parts.port or (443 if parts.scheme == "https" else 80)
            addresses = {str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
        except (OSError, ValueError) as error:
            raise UsageError(f"The address {url!r} cannot be used: {error}.") from error
        if not all(ipaddress.ip_address(address).is_loopback for address in addresses):
            raise UsageError(
                f"{host!r} is not this machine; only loopback addresses are opened.",
                hint="Serve the page on 127.0.0.1, or give the path of its folder.",
            )
        self.base = f"{parts.scheme}://{parts.netloc}"
        self.path = parts.path or "/"
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _SameServer(self.base))

    def read(self, path: str, query: str) -> Found:
        """`Source.read`; the server's media type is kept."""
        quoted = quote(path, safe="/%:@!$&'()*+,;=~-._") + (f"?{query}" if query else "")
        end = time.monotonic() + FETCH_S
        try:
            with self._opener.open(self.base + quoted, timeout=FETCH_S) as answer:
                kind = str(answer.headers.get("Content-Type") or media_type(path))
                body = _read_within(answer, HTML_LIMIT_BYTES if is_html(kind) else FILE_LIMIT_BYTES, end)
        except urllib.error.HTTPError as error:
            raise NotServed(f"the server answered {error.code}") from error
        except (OSError, ValueError) as error:
            raise NotServed(f"the server did not answer: {error}") from error
        return Found(body, kind)


class _SameServer(urllib.request.HTTPRedirectHandler):
    """Follows redirects within one server only."""

    def __init__(self, base: str) -> None:
        self._base = base

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        """As in the standard library. Raises `NotServed` for a redirect to elsewhere."""
        parts = urlsplit(newurl)
        if f"{parts.scheme}://{parts.netloc}" != self._base:
            raise NotServed("the server redirects to another address")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _read_within(answer: Any, limit_bytes: int, end: float) -> bytes:
    """The body, unless it is larger than `limit_bytes` or still comes at `end` (monotonic)."""
    parts, total = [], 0
    while chunk := answer.read1(65536):
        total += len(chunk)
        if total > limit_bytes:
            raise NotServed(f"larger than {limit_bytes // 2**20} MB")
        if time.monotonic() > end:
            raise NotServed(f"the server did not finish within {FETCH_S:g} s")
        parts.append(chunk)
    return b"".join(parts)


def folder_source(folder: Path) -> FolderSource:
    """A source for an existing folder. Raises `DataFileError`."""
    if not folder.is_dir():
        raise DataFileError(f"{folder} is not a folder.", hint="Give the folder that holds the page.")
    return FolderSource(folder)


def media_type(name: str) -> str:
    """The media type for a file name."""
    return MEDIA_TYPES.get(Path(name).suffix.lower(), "application/octet-stream")


def is_html(kind: str) -> bool:
    """Whether a media type is a page's."""
    return kind.partition(";")[0].strip().lower() in ("text/html", "application/xhtml+xml")


def check_size(size_bytes: int, kind: str) -> None:
    """Raises `NotServed` for a file over the limits."""
    limit = HTML_LIMIT_BYTES if is_html(kind) else FILE_LIMIT_BYTES
    if size_bytes > limit:
        raise NotServed(f"larger than {limit // 2**20} MB")


def decoded_path(url: str) -> str:
    """The decoded path of `url`, beginning with "/"."""
    return unquote(urlsplit(url).path, errors="replace") or "/"
