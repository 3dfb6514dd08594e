"""Images by the SHA-256 of their bytes: written once, shared by all runs of the store."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from embodied_eval.errors import DataFileError, UsageError
from embodied_eval.store.layout import disk_errors, write_whole

EXTENSIONS = {
    "image/jpeg": "jpg",
    "image/png": "png",
    "image/webp": "webp",
    "image/gif": "gif",
    "image/svg+xml": "svg",
    "video/mp4": "mp4",
    "video/webm": "webm",
}
_SHA256 = re.compile(r"[0-9a-f]{64}")


class FrameStore:
    """The files `ab/<sha256>.<extension>` below one folder. Any number of processes may put at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._made: set[str] = set()

    def put(self, data: bytes, media_type: str) -> str:
        """Store `data` unless it is there already; returns its SHA-256 (64 hex digits).

        Raises UsageError for a media type that is no image or video, DiskFull, StoreError.
        """
        if media_type not in EXTENSIONS:
            raise UsageError(
                f"Frames of type {media_type[:60]!r} are not stored.", hint=f"Legal: {', '.join(EXTENSIONS)}."
            )
        sha256 = hashlib.sha256(data).hexdigest()
        path = self.folder / sha256[:2] / f"{sha256}.{EXTENSIONS[media_type]}"
        if not path.exists():
            if sha256[:2] not in self._made:
                with disk_errors(path):
                    path.parent.mkdir(parents=True, exist_ok=True)
                self._made.add(sha256[:2])
            write_whole(path, data)
        return sha256

    def path(self, sha256: str) -> Path:
        """The file with these bytes. Raises DataFileError where there is none."""
        if not _SHA256.fullmatch(sha256):
            raise DataFileError(f"{sha256[:80]!r} is no frame's SHA-256.")
        for extension in EXTENSIONS.values():
            path = self.folder / sha256[:2] / f"{sha256}.{extension}"
            if path.exists():
                return path
        raise DataFileError(
            f"The frame {sha256} is missing from {self.folder}.",
            hint="`embodied-eval db check` lists what a store lacks.",
        )

    def get(self, sha256: str, *, verify: bool = False) -> bytes:
        """The bytes of a frame. Raises DataFileError where they are missing or, with `verify`, not those."""
        path = self.path(sha256)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise DataFileError(f"Cannot read the frame {path}: {error.strerror or error}.") from error
        if verify and hashlib.sha256(data).hexdigest() != sha256:
            raise DataFileError(f"The frame {path} does not have the bytes its name says.")
        return data
