"""The report's folder: built beside its place, put there at the end, frames linked in once."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from embodied_eval.errors import DataFileError, EmbodiedEvalError

SCHEMA = "embodied-eval/report/1"
_MARKER = "report.json"
_OURS = re.compile(r"index\.html|report\.json|benchmark-[a-z0-9-]+\.html|episodes|frames")
_SUFFIX = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/gif": "gif"}


class ReportFolder:
    """A report being written; a context manager.

    Everything goes to a hidden sibling of `out`, which takes its place on success and is removed on
    failure, so no page of an earlier edition (a private one, say) stays behind. Files in `out` that are
    not a report's are kept. Raises `DataFileError` for an `out` that is neither empty nor a report.
    """

    def __init__(self, out: Path) -> None:
        self.out = out.resolve()
        if self.out.exists() and not self.out.is_dir():
            raise DataFileError(f"{out} is a file, not a folder.", hint="Name another folder with --out.")
        if self.out.is_dir() and any(self.out.iterdir()) and not _is_report(self.out):
            raise DataFileError(
                f"{out} is not empty and holds no report of ours.", hint="Name another folder with --out."
            )
        self.missing: dict[str, str] = {}
        self._frames: dict[str, str | None] = {}

    def __enter__(self) -> ReportFolder:
        self.out.parent.mkdir(parents=True, exist_ok=True)
        self._stage = Path(tempfile.mkdtemp(prefix=f".{self.out.name}.", dir=self.out.parent))
        self._stage.chmod(0o755)
        for name in ("episodes", "frames"):
            (self._stage / name).mkdir()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._publish()
        shutil.rmtree(self._stage, ignore_errors=True)

    def write(self, name: str, text: str) -> None:
        """Write the page `name` ("index.html", "episodes/....html")."""
        (self._stage / name).write_text(text, encoding="utf-8")

    def frame(self, sha256: str, media_type: str, find: Callable[[str], Path]) -> str | None:
        """The frame's path relative to the folder, put there at its first use; None where the store has
        no such file (kept in `missing` with the reason)."""
        if sha256 not in self._frames:
            self._frames[sha256] = self._take(sha256, media_type, find)
        return self._frames[sha256]

    def _take(self, sha256: str, media_type: str, find: Callable[[str], Path]) -> str | None:
        suffix = _SUFFIX.get(media_type)
        if suffix is None or not re.fullmatch(r"[0-9a-f]{64}", sha256):
            self.missing[sha256] = f"not an image the report can show ({media_type})"
            return None
        try:
            source = find(sha256)
        except EmbodiedEvalError as error:
            self.missing[sha256] = error.message
            return None
        name = f"frames/{sha256}.{suffix}"
        try:
            _link(source, self._stage / name)
        except FileNotFoundError:
            self.missing[sha256] = "not in the store"
            return None
        return name

    def _publish(self) -> None:
        self.write(_MARKER, json.dumps({"schema": SCHEMA}) + "\n")
        old = self._stage.with_name(self._stage.name + ".old")
        if self.out.exists():
            self.out.rename(old)
        self._stage.rename(self.out)
        if old.exists():
            for kept in old.iterdir():
                if not _OURS.fullmatch(kept.name):
                    kept.rename(self.out / kept.name)
            shutil.rmtree(old)


def _is_report(folder: Path) -> bool:
    try:
        found = json.loads((folder / _MARKER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and found.get("schema") == SCHEMA


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except FileNotFoundError:
        raise
    except OSError:
        # Another file system, or one without hard links.
        shutil.copyfile(source, target)
