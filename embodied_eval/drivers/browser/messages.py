"""Errors that a page reports: exceptions, rejections and its console, with line and column."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from embodied_eval.drivers.browser.outcome import Kind, PageMessage

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession

KEPT = 200
TEXT_KEPT_CHARS = 1000
SOURCE_KEPT_CHARS = 300


class Messages:
    """Collects the errors of one page through its devtools session; those from before are replayed by the
    protocol. Only the first `KEPT` are kept; `dropped` counts the rest."""

    def __init__(self, cdp: CDPSession) -> None:
        self._cdp = cdp
        self._errors: list[PageMessage] = []
        self.dropped = 0
        cdp.on("Runtime.exceptionThrown", self._on_exception)
        cdp.on("Runtime.consoleAPICalled", self._on_console)
        cdp.send("Runtime.enable")

    @property
    def errors(self) -> tuple[PageMessage, ...]:
        """The errors so far, in order, each once."""
        return tuple(dict.fromkeys(self._errors))

    def _on_exception(self, event: dict[str, Any]) -> None:
        details = event["exceptionDetails"]
        thrown = details.get("exception", {})
        text = _first_line(
            thrown.get("description") or str(thrown.get("value", "")) or details.get("text", "")
        )
        kind: Kind = "exception"
        if thrown.get("className") == "SyntaxError" and not _was_thrown(details):
            kind = "syntax_error"
        elif "in promise" in details.get("text", ""):
            kind = "rejection"
        frames = details.get("stackTrace", {}).get("callFrames", [])
        url = details.get("url") or (frames[0]["url"] if frames else "")
        self._add(
            PageMessage(
                kind,
                text,
                int(details.get("lineNumber", -1)) + 1,
                int(details.get("columnNumber", -1)) + 1,
                url[:SOURCE_KEPT_CHARS],
            )
        )

    def _on_console(self, event: dict[str, Any]) -> None:
        if event.get("type") not in ("error", "assert"):
            return
        words = [str(one.get("value", one.get("description", ""))) for one in event.get("args", [])]
        frames = event.get("stackTrace", {}).get("callFrames", [])
        place = frames[0] if frames else {}
        self._add(
            PageMessage(
                "console",
                _first_line(re.sub(r"%[csdifoO]", "", " ".join(words))),
                int(place.get("lineNumber", -1)) + 1,
                int(place.get("columnNumber", -1)) + 1,
                str(place.get("url", ""))[:SOURCE_KEPT_CHARS],
            )
        )

    def _add(self, message: PageMessage) -> None:
        if len(self._errors) >= KEPT:
            self.dropped += 1
            return
        self._errors.append(message)


def _was_thrown(details: dict[str, Any]) -> bool:
    """Whether a SyntaxError came from running code (JSON.parse, eval) and not from reading a script."""
    return bool(details.get("stackTrace", {}).get("callFrames"))


def _first_line(text: str) -> str:
    """The message without the stack below it."""
    return text.strip().partition("\n    at ")[0].strip()[:TEXT_KEPT_CHARS]
