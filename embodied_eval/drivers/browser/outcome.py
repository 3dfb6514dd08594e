"""How the load of a page ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from embodied_eval.drivers.browser.site import Request

Outcome = Literal[
    "ready",
    "syntax_error",
    "page_error",
    "no_canvas",
    "no_webgl",
    "blank",
    "never_ready",
    "init_error",
]
Kind = Literal["syntax_error", "exception", "rejection", "console", "init", "refused"]

# What a page can do without: a style, a font, a picture or an icon never keeps it from drawing.
_HARMLESS = (".css", ".woff", ".woff2", ".ttf", ".otf", ".ico", ".svg", ".map", ".webmanifest")
_HARMLESS_HOSTS = ("fonts.googleapis.com", "fonts.gstatic.com")


@dataclass(frozen=True)
class PageMessage:
    """An error that a page reported. `line` and `column` count from 1, 0 where they are not known; `source`
    is the address of the script or page that they lie in."""

    kind: Kind
    text: str
    line: int = 0
    column: int = 0
    source: str = ""

    def __str__(self) -> str:
        place = f" ({self.source or 'page'}:{self.line}:{self.column})" if self.line else ""
        return f"{self.text}{place}"


@dataclass(frozen=True)
class Loaded:
    """The load of a page, as it ended.

    `outcome`: "ready" it draws (it may have `errors` all the same); "syntax_error", "page_error" a script
    failed, or something the page needs was refused, and nothing was drawn; "no_canvas"; "no_webgl" there is a
    canvas, but no WebGL context was obtained; "never_ready" nothing was rendered, or the condition to wait for
    never became true; "blank" what is rendered is all one colour; "init_error" the page says in
    `__initError` that it could not start. `refused` are the addresses it asked for in vain, `substitutions`
    the pairs (asked, served) of three.js versions, `three` the revision it runs ("" where there is none),
    `hooked` whether scene and camera are known, `workers` how many it started: these keep a clock of their own.
    """

    outcome: Outcome
    errors: tuple[PageMessage, ...] = ()
    refused: tuple[str, ...] = ()
    substitutions: tuple[tuple[str, str], ...] = ()
    three: str = ""
    hooked: bool = False
    workers: int = 0

    @property
    def summary(self) -> str:
        """One line for people: the outcome and the first error."""
        first = f": {self.errors[0]}" if self.errors else ""
        return f"{self.outcome}{first}"


@dataclass(frozen=True)
class PageStatus:
    """What the page's own side of the session counts; see `entry.js`."""

    now_ms: float
    renders: int
    skipped: int
    renderers: int
    hooked: bool
    three: str
    canvases: int
    shown: int
    webgl_asked: int
    webgl_obtained: int
    webgl_lost: int
    contexts: int
    workers: int
    stalled: int
    tampered: tuple[str, ...]
    init_error: str


def outcome_of(
    status: PageStatus,
    errors: Sequence[PageMessage],
    requests: Sequence[Request],
    *,
    ready: bool | None,
    varied: bool | None,
) -> Loaded:
    """The outcome of a load. `ready` is the value of the caller's condition, None without one; `varied`
    whether the largest canvas shows more than one colour, None where none shows."""
    needed = [one for one in requests if one.outcome == "refused" and _is_needed(one.url)]
    found: tuple[PageMessage, ...] = tuple(errors)
    outcome: Outcome
    if status.init_error:
        outcome, found = "init_error", (PageMessage("init", status.init_error), *found)
    elif ready or (ready is None and varied):
        outcome = "ready"
    elif status.renders == 0 and any(one.kind == "syntax_error" for one in found):
        outcome = "syntax_error"
        found = tuple(sorted(found, key=lambda one: one.kind != "syntax_error"))
    elif status.webgl_asked and not status.webgl_obtained:
        outcome = "no_webgl"
    elif status.renders == 0 and (needed or any(one.kind != "console" for one in found)):
        outcome = "page_error"
        found += tuple(PageMessage("refused", f"{one.url} was refused: {one.detail}.") for one in needed)
    elif not status.canvases and not status.contexts:
        outcome = "no_canvas"
    elif ready is False:
        outcome = "never_ready"
    elif not status.contexts:
        outcome = "no_webgl"
    elif status.renders == 0 and status.renderers:
        outcome = "never_ready"
    else:
        outcome = "blank"
    return Loaded(
        outcome,
        found,
        tuple(dict.fromkeys(one.url for one in requests if one.outcome == "refused")),
        tuple(dict.fromkeys(_pair(one) for one in requests if one.outcome == "substituted")),
        status.three,
        status.hooked,
        status.workers,
    )


def _is_needed(url: str) -> bool:
    parts = urlsplit(url)
    return not (parts.path.lower().endswith(_HARMLESS) or parts.hostname in _HARMLESS_HOSTS)


def _pair(request: Request) -> tuple[str, str]:
    asked, _, served = request.detail.partition(" -> ")
    return asked, served


def status_of(row: dict[str, Any]) -> PageStatus:
    """The status from what the page's side sends."""
    return PageStatus(
        now_ms=float(row["nowMs"]),
        renders=row["renders"],
        skipped=row["skipped"],
        renderers=row["renderers"],
        hooked=row["hooked"],
        three=row["three"],
        canvases=row["canvases"],
        shown=row["shown"],
        webgl_asked=row["webglAsked"],
        webgl_obtained=row["webglObtained"],
        webgl_lost=row["webglLost"],
        contexts=row["contexts"],
        workers=row["workers"],
        stalled=row["stalled"],
        tampered=tuple(row["tampered"]),
        init_error=row["initError"][:1000],
    )
