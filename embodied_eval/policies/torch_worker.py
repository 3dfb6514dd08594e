"""The worker's process: `python -m embodied_eval.policies.torch_worker --checkpoint DIR`.

Speaks the lines of `worker` on stdin and stdout. The checkpoint is a local folder (`open_p2p`); nothing is fetched.
"""

from __future__ import annotations

import argparse
import base64
import io
import json
import sys
from pathlib import Path
from typing import Any

MOST_PIXELS = 1 << 20


def main() -> int:
    """Serve until `quit` or the end of stdin."""
    parser = argparse.ArgumentParser(prog="python -m embodied_eval.policies.torch_worker")
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--device", default="", help="torch device; the first GPU if there is one")
    parser.add_argument("--threads", type=int, default=1, help="CPU threads")
    given = parser.parse_args()

    import torch

    from embodied_eval.errors import EmbodiedEvalError
    from embodied_eval.policies.open_p2p import load

    torch.set_num_threads(given.threads)
    device = given.device or ("cuda" if torch.cuda.is_available() else "cpu")
    try:
        player = load(given.checkpoint, device)
    except EmbodiedEvalError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    say(f"#READY {json.dumps({'device': device})}")
    for line in sys.stdin.buffer:
        message: dict[str, Any] = json.loads(line)
        if message.get("cmd") == "quit":
            break
        if message.get("cmd") == "reset":
            player.reset()
            continue
        say(f"#ACT {json.dumps(player.act(picture_of(message['img']), str(message.get('text', ''))))}")
    return 0


def say(line: str) -> None:
    """One line on stdout, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def picture_of(data: str) -> Any:
    """The picture in a message, uint8 (192, 192, 3); ValueError for another size."""
    import numpy as np
    from PIL import Image as Picture

    from embodied_eval.policies.base import VIEW_PX

    with Picture.open(io.BytesIO(base64.b64decode(data, validate=True)), formats=("JPEG",)) as picture:
        if picture.size != (VIEW_PX, VIEW_PX):
            raise ValueError(f"a picture of {picture.size}, not {VIEW_PX} x {VIEW_PX}")
        return np.array(picture.convert("RGB"))


if __name__ == "__main__":
    sys.exit(main())
