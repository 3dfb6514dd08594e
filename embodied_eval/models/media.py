"""What kind of file some bytes are, and whether they are all there: checks without a decoder."""

from __future__ import annotations

EBML = b"\x1a\x45\xdf\xa3"


def video_kind(data: bytes) -> tuple[str, str]:
    """The media type of a video and "", or "" and what is wrong with it ("is truncated ...").

    MP4 (ISO/IEC 14496-12): the top-level boxes must begin with `ftyp`, fill the file to the byte and hold
    `moov` and `mdat`. WebM: the EBML magic and "webm" in the header.
    """
    if data[:4] == EBML:
        return ("video/webm", "") if b"webm" in data[:64] else ("", "is Matroska, but not WebM")
    if data[4:8] == b"ftyp":
        return _mp4(data)
    return "", f"is neither MP4 nor WebM: it begins with {data[:8].hex(' ') or 'nothing'}"


def _mp4(data: bytes) -> tuple[str, str]:
    position, kinds = 0, set()
    while position < len(data):
        size = int.from_bytes(data[position : position + 4], "big")
        kind, head = data[position + 4 : position + 8], 8
        if size == 1:
            size, head = int.from_bytes(data[position + 8 : position + 16], "big"), 16
        elif size == 0:
            size = len(data) - position
        if len(kind) < 4 or size < head or position + size > len(data):
            return "", f"is truncated: a box at byte {position:,} goes past the end at {len(data):,}"
        kinds.add(kind)
        position += size
    missing = {b"moov", b"mdat"} - kinds
    if missing:
        return "", f"is incomplete: it has no {sorted(missing)[0].decode()!r} box"
    return "video/mp4", ""
