"""A small open pixels-to-play network: pictures and a text in, keys, buttons and a binned mouse out.

The architecture is ours, in the form that Open-P2P's interface asks for (one 192 x 192 picture and a text a tick,
a history that the policy keeps, keys and buttons as independent yes or no, the mouse in bins): a convolutional
encoder makes one token of each picture, the text is a token in front, a causal transformer looks back over the
last `context` pictures. Needs torch; imported by the worker's process alone.

A checkpoint is a local folder with `config.json` (see `Config`) and `weights.pt` (a state dict, read with
`weights_only=True`).
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from embodied_eval.errors import DataFileError, SchemaMismatch

SCHEMA = "embodied-eval/open-p2p/1"
CONFIG_FILE, WEIGHTS_FILE = "config.json", "weights.pt"
LONGEST_CONFIG = 1 << 16
TEXT_BYTES = 256
CHANNELS = (16, 32, 64, 64)


@dataclass(frozen=True)
class Config:
    """What `config.json` holds beside its schema. `mouse_px` are the pixels that each bin stands for; a key or
    button is held where its probability is above `threshold`."""

    width: int
    layers: int
    heads: int
    context: int
    keys: tuple[str, ...]
    buttons: tuple[str, ...]
    mouse_px: tuple[float, ...]
    threshold: float = 0.5


class OpenP2P(nn.Module):  # type: ignore[misc]
    """See the module. Input: pictures float (B, T, 3, 192, 192) in 0..1 and bytes of text int64 (B, 256), 256 where
    there are none. Output for the last picture: logits of keys (B, K), buttons (B, N) and mouse bins (B, 2, M)."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config
        width, channels = config.width, (3, *CHANNELS)
        layers: list[nn.Module] = []
        for before, after in zip(channels, CHANNELS, strict=False):
            layers += [nn.Conv2d(before, after, 5, stride=3, padding=2), nn.GELU()]
        self.vision = nn.Sequential(*layers, nn.Flatten(), nn.LazyLinear(width))
        self.text = nn.Embedding(257, width, padding_idx=256)
        self.place = nn.Parameter(torch.zeros(config.context + 1, width))
        block = nn.TransformerEncoderLayer(
            width, config.heads, 4 * width, dropout=0.0, batch_first=True, norm_first=True
        )
        self.trunk = nn.TransformerEncoder(block, config.layers, enable_nested_tensor=False)
        self.keys = nn.Linear(width, len(config.keys))
        self.buttons = nn.Linear(width, len(config.buttons))
        self.mouse = nn.Linear(width, 2 * len(config.mouse_px))

    def encode(self, pictures: Tensor) -> Tensor:
        """Tokens (B, width) of pictures (B, 3, 192, 192)."""
        return self.vision(pictures)

    def decide(self, tokens: Tensor, text: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The heads' logits from the tokens (B, T, width) of the last pictures and the text (B, 256)."""
        told = self.text(text)
        head = (told.sum(1) / (text != 256).sum(1, keepdim=True).clamp(min=1)).unsqueeze(1)
        line = torch.cat((head, tokens), 1)
        line = line + self.place[: line.shape[1]]
        mask = nn.Transformer.generate_square_subsequent_mask(line.shape[1], device=line.device)
        last = self.trunk(line, mask=mask, is_causal=True)[:, -1]
        return self.keys(last), self.buttons(last), self.mouse(last).unflatten(1, (2, -1))

    def forward(self, pictures: Tensor, text: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """See the class."""
        return self.decide(self.encode(pictures.flatten(0, 1)).unflatten(0, pictures.shape[:2]), text)


class Player:
    """A network with its history: greedy, so that the same pictures give the same acts on the same machine."""

    def __init__(self, network: OpenP2P, device: str) -> None:
        self._network, self._device = network.to(device).eval(), device
        self._seen: deque[Tensor] = deque(maxlen=network.config.context)

    def reset(self) -> None:
        """Forget the history."""
        self._seen.clear()

    def act(self, rgb: Any, text: str) -> dict[str, Any]:
        """The act for one picture, uint8 (192, 192, 3), as the worker's protocol says it."""
        config = self._network.config
        with torch.inference_mode():
            picture = torch.from_numpy(rgb).to(self._device).permute(2, 0, 1).unsqueeze(0).float() / 255.0
            self._seen.append(self._network.encode(picture))
            tokens = torch.stack(list(self._seen), 1)
            keys, buttons, mouse = self._network.decide(tokens, text_bytes(text).to(self._device))
        held = (keys[0].sigmoid() > config.threshold).tolist()
        pressed = (buttons[0].sigmoid() > config.threshold).tolist()
        dx, dy = (config.mouse_px[int(index)] for index in mouse[0].argmax(-1))
        return {
            "keys": [name for name, on in zip(config.keys, held, strict=True) if on],
            "buttons": [name for name, on in zip(config.buttons, pressed, strict=True) if on],
            "dx": dx,
            "dy": dy,
        }


def text_bytes(text: str) -> Tensor:
    """The first 256 bytes of `text`, int64 (1, 256), 256 where there are none."""
    values = list(text.encode()[:TEXT_BYTES])
    return torch.tensor([values + [256] * (TEXT_BYTES - len(values))], dtype=torch.int64)


def build(config: Config, seed: int = 0) -> OpenP2P:
    """A network with random weights that follow from `seed`."""
    torch.manual_seed(seed)
    network = OpenP2P(config)
    network.vision(torch.zeros(1, 3, 192, 192))
    return network


def save(folder: Path, network: OpenP2P) -> None:
    """Write a checkpoint."""
    config = {"schema": SCHEMA, **asdict(network.config)}
    (folder / CONFIG_FILE).write_text(json.dumps(config, indent=1), encoding="utf-8")
    torch.save(network.state_dict(), folder / WEIGHTS_FILE)


def load(folder: Path, device: str) -> Player:
    """The player in a checkpoint's folder. Raises DataFileError or SchemaMismatch, naming the file."""
    network = build(read_config(folder / CONFIG_FILE))
    path = folder / WEIGHTS_FILE
    try:
        weights = torch.load(path, map_location=device, weights_only=True)
        network.load_state_dict(weights)
    except Exception as error:
        raise DataFileError(
            f"{path} does not hold this network's weights: {type(error).__name__}: {str(error)[:300]}"
        ) from error
    return Player(network, device)


def read_config(path: Path) -> Config:
    """The checked content of a `config.json`."""
    try:
        data = path.read_bytes()
        value = json.loads(data) if len(data) <= LONGEST_CONFIG else None
    except (OSError, ValueError) as error:
        raise DataFileError(f"{path} cannot be read: {error}.") from error
    if not isinstance(value, dict):
        raise DataFileError(f"{path} is no JSON object of at most {LONGEST_CONFIG} bytes.")
    if value.get("schema") != SCHEMA:
        raise SchemaMismatch(f"{path} has schema {value.get('schema')!r}; this version reads {SCHEMA!r}.")
    return _checked(value, path)


def _checked(value: Mapping[str, Any], path: Path) -> Config:
    names = {item.name for item in fields(Config)}
    if set(value) - {"schema"} - names or names - {"threshold"} - set(value):
        raise DataFileError(f"{path} must have the keys {', '.join(sorted(names))}, and no other ones.")
    for name in ("width", "layers", "heads", "context"):
        if not isinstance(value[name], int) or not 1 <= value[name] <= 8192:
            raise DataFileError(f"{path}: {name} must be a whole number from 1 to 8192.")
    for name, kind in (("keys", str), ("buttons", str), ("mouse_px", int | float)):
        listed = value[name]
        if not isinstance(listed, list) or not listed or not all(isinstance(one, kind) for one in listed):
            raise DataFileError(f"{path}: {name} must be a list that is not empty.")
    if value["width"] % value["heads"]:
        raise DataFileError(f"{path}: width must be a multiple of heads.")
    return Config(
        width=value["width"],
        layers=value["layers"],
        heads=value["heads"],
        context=value["context"],
        keys=tuple(value["keys"]),
        buttons=tuple(value["buttons"]),
        mouse_px=tuple(value["mouse_px"]),
        threshold=float(value.get("threshold", 0.5)),
    )
