"""The measured simulation: JPEG pictures of 34 KiB. `python -m perf_frames COUNT` makes so many and ends."""

from __future__ import annotations

import io
import random
import sys
from functools import cache

FRAME_BYTES = 34 * 1024
SIZE_PX = (960, 540)
_GRAIN_PX = (32, 18)
_QUALITY = 85


@cache
def _picture() -> bytes:
    """A JPEG of a grainy slope in three colours, a little smaller than FRAME_BYTES; the same every time."""
    from PIL import Image

    rng = random.Random(0)
    slope = Image.linear_gradient("L").resize(SIZE_PX)
    bands = []
    for turn in range(3):
        grain = Image.frombytes("L", _GRAIN_PX, rng.randbytes(_GRAIN_PX[0] * _GRAIN_PX[1]))
        bands.append(
            Image.blend(slope.rotate(90 * turn), grain.resize(SIZE_PX, Image.Resampling.BICUBIC), 0.25)
        )
    out = io.BytesIO()
    Image.merge("RGB", bands).save(out, "JPEG", quality=_QUALITY)
    return out.getvalue()


def frame(number: int) -> bytes:
    """The picture with `number` in a JPEG comment, which also fills it up to FRAME_BYTES."""
    picture = _picture()
    room = FRAME_BYTES - len(picture) - 4
    comment = number.to_bytes(8, "big").ljust(room, b" ")
    # A comment stands behind the start-of-image marker: FF FE, its length with these two bytes, its text.
    return b"".join((picture[:2], b"\xff\xfe", (room + 2).to_bytes(2, "big"), comment, picture[2:]))


def main() -> None:
    """Make the frames, and nothing else: the cost that is not the toolkit's."""
    for number in range(int(sys.argv[1])):
        frame(number)


if __name__ == "__main__":
    main()
