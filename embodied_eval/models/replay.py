"""Plays a cassette: every reply comes from it, and nothing is asked of anybody."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from embodied_eval.errors import DataFileError, ModelError, SchemaMismatch
from embodied_eval.models.accounting import Tally
from embodied_eval.models.cassette import SCHEMA, UNNAMED, tape_path
from embodied_eval.models.recorded import difference, error_of, reply_of, request_json
from embodied_eval.models.types import Reply, Request
from embodied_eval.records import Json


class CassetteMismatch(DataFileError):
    """What is asked is not what was recorded; the message names the first field that differs."""


@dataclass
class _Entry:
    """One recorded request and how it ended."""

    request: dict[str, Json]
    ending: Reply | ModelError
    usage: Tally
    used: bool = False


class Replayer:
    """Plays the cassette in `folder`. Raises DataFileError where there is no such folder."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise DataFileError(f"There is no cassette at {folder}.", hint="Record one: --record DIR.")
        self._folder = folder
        self._judged: dict[Path, ReplayingTape] = {}

    def tape(self, episode: str, role: str, model: str) -> ReplayingTape:
        """The tape of one attempt at `episode`, from its beginning; a judge's goes on where it was."""
        path = tape_path(self._folder, episode, role, model)
        if role != "judge":
            return ReplayingTape(path, episode, role)
        return self._judged.setdefault(path, ReplayingTape(path, episode, role))


class ReplayingTape:
    """One file being played; it is read at the first call."""

    def __init__(self, path: Path, episode: str, role: str) -> None:
        self._path, self._what = path, f"episode {episode or UNNAMED} ({role})"
        self._entries: list[_Entry] | None = None

    def answer(self, request: Request, tally: Tally) -> Reply:
        """How `request` ended when it was recorded, with what it used added to `tally`. Among equal requests
        the earliest not yet played answers.

        Raises the ModelError that was recorded, CassetteMismatch, DataFileError for a broken file,
        SchemaMismatch.
        """
        if self._entries is None:
            self._entries = self._read(request.model)
        asked = request_json(request)
        entry = next((item for item in self._entries if not item.used and item.request == asked), None)
        if entry is None:
            raise self._mismatch(asked)
        entry.used = True
        tally.merge(entry.usage)
        if isinstance(entry.ending, ModelError):
            raise entry.ending
        return entry.ending

    def _mismatch(self, asked: Mapping[str, Json]) -> CassetteMismatch:
        assert self._entries is not None
        hint = "Replay with the settings and the version it was recorded with, or record it anew."
        number = next((n for n, item in enumerate(self._entries) if not item.used), None)
        if number is None:
            return CassetteMismatch(
                f"{self._path} holds {len(self._entries)} replies for {self._what}; one more is asked for.",
                hint=hint,
            )
        found = difference(self._entries[number].request, asked)
        where, there, here = found or ("the request", "one", "another")
        return CassetteMismatch(
            f"Request {number} of {self._what} differs from the cassette in {where}: recorded {there}, "
            f"asked {here}.",
            hint=hint,
        )

    def _read(self, model: str) -> list[_Entry]:
        try:
            lines = self._path.read_bytes().split(b"\n")
        except FileNotFoundError as error:
            raise CassetteMismatch(
                f"The cassette has nothing that {model} said in {self._what}.",
                hint=f"It would be {self._path}: record it, or leave the episode out.",
            ) from error
        except OSError as error:
            raise DataFileError(f"Cannot read {self._path}: {error.strerror or error}.") from error
        # What follows the last line's end is nothing, or a line that was torn when recording was killed.
        rows = [self._parsed(number, line) for number, line in enumerate(lines[:-1], 1)]
        if not rows or rows[0].get("schema") != SCHEMA:
            found = rows[0].get("schema") if rows else None
            raise SchemaMismatch(f"{self._path} has schema {found!r}; this version reads {SCHEMA!r}.")
        entries: list[_Entry] = []
        request: dict[str, Json] = {"messages": []}
        for number, row in enumerate(rows[1:], 2):
            try:
                known = request["messages"][: row["known_messages"]]
                request = {**request, **row["request"], "messages": [*known, *row["messages"]]}
                usage = Tally(**row["usage"])
                ending = (
                    _with_usage(reply_of(row["reply"]), usage)
                    if row["error"] is None
                    else error_of(row["error"], model)
                )
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise DataFileError(f"Line {number} of {self._path} is no recorded call: {error}.") from error
            entries.append(_Entry(request, ending, usage))
        return entries

    def _parsed(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DataFileError(f"Line {number} of {self._path} is not JSON: {error}.") from error
        if not isinstance(row, dict):
            raise DataFileError(f"Line {number} of {self._path} is not a JSON object.")
        return row


def _with_usage(reply: Reply, usage: Tally) -> Reply:
    return replace(reply, tokens_in=usage.tokens_in, tokens_out=usage.tokens_out, cost_usd=usage.cost_usd)
