"""Model traffic recorded on the way and played back instead of it: `--record DIR`, `--replay DIR`.

    DIR/play/<episode key>.<role>.<8 hex of the model's name>.jsonl    what an episode asked of one role
    DIR/judge/<episode key>.judge.<8 hex>.jsonl                        judges: these hold rubrics, the truth
    DIR/images/<sha256>.<extension>                                    what was shown, for people to look at

The first line of a file is `{"schema": "embodied-eval/cassette/1", "episode", "role", "model"}`. Every other
one is a request and how it ended, retries already over:

    {"request": {fields of model, sampling, schema, tools that differ from the line before},
     "known_messages": n, "messages": [those after the first n, which the line before has, too],
     "reply": {...} or null, "error": null or {"kind", "message", "hint", "status", "retry_after_s"},
     "usage": {"tries", "tokens_in", "tokens_out", "cost_usd", ...}}

A new attempt at an episode begins its file anew. Scripted models are never recorded: they play again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from embodied_eval.errors import ModelError, UsageError
from embodied_eval.models.accounting import Tally, reply_json
from embodied_eval.models.files import append, write_whole
from embodied_eval.models.guard import Guard
from embodied_eval.models.recorded import digest, error_json, request_json
from embodied_eval.models.types import Image, Reply, Request
from embodied_eval.records import Json

SCHEMA = "embodied-eval/cassette/1"
FIELDS = ("model", "sampling", "schema", "tools")
EXTENSIONS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/gif": "gif"}
UNNAMED = "unnamed"
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")


def tape_path(folder: Path, episode: str, role: str, model: str) -> Path:
    """The file of `model` playing `role` in `episode`."""
    key = episode or UNNAMED
    name = key if _KEY.fullmatch(key) else digest(key)[:32]
    return folder / ("judge" if role == "judge" else "play") / f"{name}.{role}.{digest(model)[:8]}.jsonl"


class Recorder:
    """Records below `folder`, which is made at the first call. Holds no credentials: what contains the value
    of an environment variable ending in KEY, TOKEN or SECRET is refused."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._guard = Guard()
        self._images: set[str] = set()
        self._judged: dict[Path, RecordingTape] = {}

    def tape(self, episode: str, role: str, model: str) -> RecordingTape:
        """A tape for one attempt at `episode`; a judge's goes on where it was, since it judges item by item."""
        path = tape_path(self._folder, episode, role, model)
        head = {"schema": SCHEMA, "episode": episode or UNNAMED, "role": role, "model": model}
        if role != "judge":
            return RecordingTape(self, path, head)
        return self._judged.setdefault(path, RecordingTape(self, path, head))

    def refuse_secrets(self, value: Json, what: str) -> None:
        """Raise UsageError where `value` holds a secret of the environment."""
        variable = self._guard.find(value)
        if variable:
            raise UsageError(
                f"The value of {variable} stands in {what}: it is not recorded.",
                hint=f"Keep it out of what the model sees, unset {variable}, or run without --record.",
            )

    def keep_images(self, request: Request) -> None:
        """Write the images of `request` that are not there yet."""
        for message in request.messages:
            for part in message.parts:
                if isinstance(part, Image) and part.sha256 not in self._images:
                    name = f"{part.sha256}.{EXTENSIONS.get(part.media_type, 'bin')}"
                    path = self._folder / "images" / name
                    if not path.exists():
                        write_whole(path, part.data)
                    self._images.add(part.sha256)

    def error(self, error: ModelError) -> dict[str, Json]:
        """`error` as it is recorded."""
        return error_json(error, self._guard)


class RecordingTape:
    """One file being recorded; it begins with the first call."""

    def __init__(self, recorder: Recorder, path: Path, head: dict[str, Json]) -> None:
        self._recorder, self._path, self._head = recorder, path, head
        self._last: dict[str, Json] | None = None

    def before(self, request: Request) -> None:
        """Refuse a request that could not be recorded before it is sent. Raises UsageError."""
        # A model's name is what was typed on the command line; a key may equal it by chance ("loopback").
        asked = {name: value for name, value in request_json(request).items() if name != "model"}
        self._recorder.refuse_secrets(asked, f"a request to {request.model}")

    def after(
        self, request: Request, tally: Tally, *, reply: Reply | None = None, error: ModelError | None = None
    ) -> None:
        """Record how `request` ended. Raises UsageError for a secret in the reply, DiskFull, StoreError."""
        asked, last = request_json(request), self._last or {}
        said = None if reply is None else reply_json(reply)
        self._recorder.refuse_secrets(said, f"a reply of {request.model}")
        self._recorder.keep_images(request)
        known = same_at_the_start(last.get("messages", []), asked["messages"])
        line = {
            "request": {
                name: asked[name] for name in FIELDS if name not in last or asked[name] != last[name]
            },
            "known_messages": known,
            "messages": asked["messages"][known:],
            "reply": said,
            "error": None if error is None else self._recorder.error(error),
            "usage": asdict(tally),
        }
        if self._last is None:
            write_whole(self._path, _line(self._head))
        append(self._path, _line(line))
        self._last = asked


def same_at_the_start(before: Sequence[Json], now: Sequence[Json]) -> int:
    """How many items at the beginning of both are equal."""
    pairs = zip(before, now, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(before), len(now)))


def _line(value: Json) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii") + b"\n"
