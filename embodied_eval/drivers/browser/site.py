"""A site: the made-up origin that a page lives at, what it may ask for, and a log of what it asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from embodied_eval.drivers.browser.sources import (
    AddressSource,
    BytesSource,
    Found,
    NotServed,
    Source,
    decoded_path,
    folder_source,
)

# `.invalid` never resolves (RFC 2606); https, so that interfaces kept for secure contexts exist.
ORIGIN = "https://world.invalid"
REPORT_PATH = "/.refused-by-policy"
REQUESTS_KEPT = 2000
URL_KEPT_CHARS = 300

Outcome = Literal["served", "vendored", "substituted", "refused"]


@dataclass(frozen=True)
class Request:
    """One request of a page. `detail` is the vendored version that answered, or why it was refused."""

    url: str
    outcome: Outcome
    detail: str = ""


@dataclass(frozen=True)
class Answer:
    """What the browser is told: an HTTP status (0: the request fails as if there were no network)."""

    status: int
    body: bytes
    headers: Mapping[str, str]


@dataclass
class Site:
    """A made-up origin answered from `source`, and from `mounts` below the path prefixes they name.

    `requests` logs the first `REQUESTS_KEPT` requests; `unlogged` counts the rest.
    """

    source: Source
    mounts: Mapping[str, Source] = field(default_factory=dict)
    origin: str = ORIGIN
    own_address: str = ""
    start_path: str = "/"
    requests: list[Request] = field(default_factory=list)
    unlogged: int = 0

    @classmethod
    def from_folder(cls, folder: Path, *, mounts: Mapping[str, Path] | None = None) -> Site:
        """The files of `folder`, and of each folder of `mounts` below its path prefix ("/runtime/").
        Raises `DataFileError` for what is no folder."""
        return cls(folder_source(folder), _mounted(mounts))

    @classmethod
    def from_files(cls, files: Mapping[str, bytes], *, mounts: Mapping[str, Path] | None = None) -> Site:
        """The given files, by path; the mapping is asked at each request, so it may be changed later."""
        return cls(BytesSource(files), _mounted(mounts))

    @classmethod
    def from_address(cls, url: str) -> Site:
        """A server on this machine; `start_path` is the page that `url` names. Raises `UsageError`."""
        source = AddressSource(url)
        parts = urlsplit(url)
        start = source.path + (f"?{parts.query}" if parts.query else "")
        return cls(source, own_address=source.base, start_path=start)

    @property
    def csp(self) -> str:
        """The content security policy of every answer (`worldbench.md` 6.3). Scripts may name any host,
        since Three.js is recognised by path, and every request is answered or refused here."""
        own = f"'self' {self.own_address} {self.own_address.replace('http:', 'https:', 1)}".strip()
        return "; ".join(
            (
                "default-src 'none'",
                f"script-src {own} 'unsafe-inline' 'unsafe-eval' blob: data: https: http:",
                f"style-src {own} 'unsafe-inline' data: blob:",
                f"img-src {own} data: blob:",
                f"media-src {own} data: blob:",
                f"font-src {own} data: blob:",
                f"connect-src {own} data: blob:",
                f"worker-src {own} blob: data:",
                "frame-src 'none'",
                "object-src 'none'",
                "base-uri 'none'",
                "form-action 'none'",
                # Old pages name http: addresses of Three.js; from a secure origin they would not be asked for.
                "upgrade-insecure-requests",
                f"report-uri {self.origin}{REPORT_PATH}",
            )
        )

    def answer(self, method: str, url: str) -> Answer:
        """What the page gets for `url`; logged."""
        own = self._is_own(url)
        path = decoded_path(url)
        if method not in ("GET", "HEAD"):
            return self._refused(url, f"method {method}")
        reason = "another host"
        if own:
            try:
                found = self._read(path, urlsplit(url).query)
            except NotServed as refusal:
                reason = str(refusal)
                if path == "/favicon.ico":
                    return Answer(200, b"", self._headers("image/x-icon"))
            else:
                self.log(Request(url, "served"))
                return Answer(200, found.body, self._headers(found.media_type))
        if (vendored := self._vendored(url)) is not None:
            return vendored
        return self._refused(url, reason, status=404 if own else 0)

    def log(self, request: Request) -> None:
        """Add to `requests`, with a bounded length of the address and of the list."""
        if len(self.requests) >= REQUESTS_KEPT:
            self.unlogged += 1
            return
        url = request.url[:URL_KEPT_CHARS]
        self.requests.append(Request(url, request.outcome, request.detail))

    def _is_own(self, url: str) -> bool:
        return urlsplit(url).netloc in (urlsplit(self.origin).netloc, urlsplit(self.own_address).netloc)

    def _read(self, path: str, query: str) -> Found:
        for prefix, source in self.mounts.items():
            if path.startswith(prefix):
                return source.read("/" + path[len(prefix) :].lstrip("/"), query)
        return self.source.read(path, query)

    def _vendored(self, url: str) -> Answer | None:
        from embodied_eval.drivers.browser.vendored import answer

        found = answer(url)
        if found is None:
            return None
        if found.substituted:
            self.log(Request(url, "substituted", f"{found.asked} -> {found.version}"))
        else:
            self.log(Request(url, "vendored", found.version))
        return Answer(200, found.body, self._headers(found.media_type))

    def _refused(self, url: str, why: str, *, status: int = 0) -> Answer:
        self.log(Request(url, "refused", why))
        # Chromium takes an empty answer for a failed connection.
        return Answer(status, why.encode(), self._headers("text/plain; charset=utf-8"))

    def _headers(self, kind: str) -> dict[str, str]:
        return {
            "Content-Type": kind,
            # A worker is bound by the policy of its own script, not by its page's.
            "Content-Security-Policy": self.csp,
            "X-Content-Type-Options": "nosniff",
            "Access-Control-Allow-Origin": "*",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
        }


def _mounted(mounts: Mapping[str, Path] | None) -> dict[str, Source]:
    return {f"/{prefix.strip('/')}/": folder_source(folder) for prefix, folder in (mounts or {}).items()}
