"""Replies kept by the content of their requests, one file each: `<folder>/ab/<sha256>.json`.

    {"schema": "embodied-eval/cached-reply/1", "model": ..., "made_at": ..., "reply": {...},
     "tokens_in": ..., "tokens_out": ..., "cost_usd": ...}

The hash is over model, messages (images by SHA-256), tools, schema, sampling, the API base, the episode's
repeat, and how often the same was asked before in the episode: neither repeats nor votes collapse into one. A
file is written whole, so any number of processes may share a folder.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from embodied_eval.models.accounting import reply_json
from embodied_eval.models.files import write_whole
from embodied_eval.models.guard import Guard
from embodied_eval.models.recorded import digest, reply_of, request_json
from embodied_eval.models.types import Reply, Request

SCHEMA = "embodied-eval/cached-reply/1"
Mode = Literal["off", "read-write", "read-only"]
KEPT = frozenset({"stop", "tool_calls", "function_call", "end_turn"})
"""Endings of a whole reply. One that was cut, filtered or refused is asked for again."""
logger = logging.getLogger(__name__)


class ReplyCache:
    """The replies below `folder`. With `read_only` none is added. `endpoint` is the API base asked, "" for
    the providers' own: the same name elsewhere is another model."""

    def __init__(self, folder: Path, *, endpoint: str = "", read_only: bool = False) -> None:
        self._folder, self._endpoint, self._read_only = folder, endpoint, read_only
        self._guard = Guard()

    def key(self, request: Request, repeat: int) -> str:
        """What `request` is kept under in the episodes of number `repeat`: 64 hex digits."""
        return digest({**request_json(request), "endpoint": self._endpoint, "repeat": repeat})

    def get(self, key: str, nth: int) -> Reply | None:
        """What was said when `key` was asked for the `nth` time (from 0), tokens and cost as they were then;
        None where that is not known. A file that cannot be used is named in a warning and asked for again."""
        path = self._path(key, nth)
        try:
            found = json.loads(path.read_bytes())
            return _reply(found)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            logger.warning("The cached reply %s cannot be used (%s); the model is asked.", path, error)
            return None

    def put(self, key: str, nth: int, request: Request, reply: Reply) -> None:
        """Keep `reply`, if it is whole and not empty. One that holds a secret of the environment is not
        kept, and a warning names the variable. Raises DiskFull, StoreError."""
        if self._read_only or reply.finish not in KEPT or not (reply.text or reply.tool_calls):
            return
        said = reply_json(reply)
        variable = self._guard.find(said)
        if variable:
            logger.warning("A reply holds the value of %s; it is not cached.", variable)
            return
        entry = {
            "schema": SCHEMA,
            "model": request.model,
            "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "reply": said,
            "tokens_in": reply.tokens_in,
            "tokens_out": reply.tokens_out,
            "cost_usd": reply.cost_usd,
        }
        write_whole(self._path(key, nth), json.dumps(entry).encode("ascii"))

    def _path(self, key: str, nth: int) -> Path:
        full = digest([key, nth])
        return self._folder / full[:2] / f"{full}.json"


def _reply(found: Mapping[str, Any]) -> Reply:
    if found["schema"] != SCHEMA:
        raise ValueError(f"schema {found['schema']!r}, not {SCHEMA!r}")
    return replace(
        reply_of(found["reply"]),
        tokens_in=found["tokens_in"],
        tokens_out=found["tokens_out"],
        cost_usd=found["cost_usd"],
    )
