"""The conversation as it is sent: which pictures stay in it, and how a long one is compacted.

Deterministic, and counted by an estimate of our own, so that every model gets the same (docs/worldaudit.md).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from benchmarks.worldaudit.options import Options
from embodied_eval.models.types import Image, Message, Text, Tool, user

IMAGE_TOKENS = 1200
"""What a picture counts: about what the common providers charge for 960 x 576 (ours)."""
BYTES_A_TOKEN = 4
MESSAGE_TOKENS = 8
LAST_ACTIONS = 3
"""So many of the last actions stay as they were when a conversation is compacted."""


def tokens_of(message: Message) -> int:
    """The estimated tokens of a message (ours): a quarter of its bytes, 1,200 a picture, 8 for its frame."""
    texts = [part.text for part in message.parts if isinstance(part, Text)]
    texts += [call.name + (call.raw or json.dumps(dict(call.arguments))) for call in message.tool_calls]
    images = sum(isinstance(part, Image) for part in message.parts)
    size = sum(len(text.encode(errors="replace")) for text in texts)
    return MESSAGE_TOKENS + math.ceil(size / BYTES_A_TOKEN) + images * IMAGE_TOKENS


@dataclass
class Exchange:
    """One turn of the model and what came back. `actions` is how many it spent."""

    messages: list[Message]
    actions: int

    @property
    def tokens(self) -> int:
        """Its estimated tokens."""
        return sum(map(tokens_of, self.messages))

    @property
    def images(self) -> int:
        """How many pictures it holds."""
        return sum(isinstance(part, Image) for message in self.messages for part in message.parts)


@dataclass
class Conversation:
    """The messages of an episode: the `opening`, a digest once it has been compacted, and the exchanges since."""

    opening: Sequence[Message]
    options: Options
    tools: Sequence[Tool] = ()
    digest: Message | None = None
    exchanges: list[Exchange] = field(default_factory=list)
    compactions: int = 0

    @property
    def messages(self) -> list[Message]:
        """What is sent."""
        middle = [self.digest] if self.digest is not None else []
        return [*self.opening, *middle, *(item for one in self.exchanges for item in one.messages)]

    @property
    def fixed_tokens(self) -> int:
        """The estimate of what is in every request: the opening and the tools."""
        told = json.dumps([[tool.name, tool.description, tool.parameters] for tool in self.tools])
        return sum(map(tokens_of, self.opening)) + math.ceil(len(told) / BYTES_A_TOKEN)

    @property
    def tokens(self) -> int:
        """The estimated tokens of the next request."""
        digest = tokens_of(self.digest) if self.digest is not None else 0
        return self.fixed_tokens + digest + sum(one.tokens for one in self.exchanges)

    def add(self, said: Message, answers: Sequence[Message], actions: int) -> None:
        """Append a turn of the model and its answers."""
        self.exchanges.append(Exchange([said, *answers], actions))

    def fit(self, tell: Callable[[int], str]) -> None:
        """Take out old pictures, and compact the whole if it is estimated above `context_tokens`.

        `tell(tokens)` gives what has to be kept of all that is left out, in at most so many tokens. Each third
        of what the opening leaves free goes to this digest, to the last actions, and to what comes next.
        """
        self._drop_pictures()
        if self.tokens <= self.options.context_tokens or len(self.exchanges) < 2:
            return
        share = max(0, self.options.context_tokens - self.fixed_tokens) // 3
        kept: list[Exchange] = []
        for one in reversed(self.exchanges):
            acted = sum(item.actions for item in kept)
            if kept and (acted >= LAST_ACTIONS or sum(item.tokens for item in (*kept, one)) > share):
                break
            kept.insert(0, one)
        self.digest, self.exchanges = user(tell(share)), kept
        self.compactions += 1

    def _drop_pictures(self) -> None:
        """Leave the newest `keep_images` pictures. That is done only when half as many more have gathered, so
        that the beginning of the conversation stays as it is for a while and providers can cache it."""
        keep = self.options.keep_images
        total = sum(one.images for one in self.exchanges)
        if total <= keep + keep // 2:
            return
        left = total - keep
        for one in self.exchanges:
            for place, message in enumerate(one.messages):
                if left == 0:
                    return
                images = sum(isinstance(part, Image) for part in message.parts)
                if images:
                    dropped = min(left, images)
                    one.messages[place] = without_pictures(message, dropped, self.options.memory_tools)
                    left -= dropped


def without_pictures(message: Message, count: int, inspectable: bool) -> Message:
    """`message` with its first `count` pictures replaced by a line that names them."""
    parts: list[Text | Image] = []
    names: list[str] = []
    for part in message.parts:
        if not isinstance(part, Image) or len(names) == count:
            parts.append(part)
            continue
        names.append(part.ref)
        if parts and parts[-1] == Text(f"Image {part.ref}:"):
            parts.pop()
        if len(names) == count:
            parts.append(Text(f"(No longer shown here: {', '.join(names)}{_again(names[0], inspectable)}.)"))
    return replace(message, parts=tuple(parts))


def _again(ref: str, inspectable: bool) -> str:
    """How to see pictures such as `ref` again."""
    if ref.startswith("ex"):
        return "; `read_example` shows it again"
    return "; `inspect` shows them again" if inspectable else ""
