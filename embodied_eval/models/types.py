"""What is said to a model and what it says: one small vocabulary over every provider."""

from __future__ import annotations

import hashlib
import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from embodied_eval.records import Json

Role = Literal["agent", "judge", "generator", "navigator", "vla", "video"]
ROLES: tuple[str, ...] = Role.__args__  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Text:
    """A piece of text in a message."""

    text: str


@dataclass(frozen=True)
class Image:
    """An encoded image (JPEG or PNG bytes) in a message; `ref` is its name in the episode ("" = none)."""

    data: bytes
    media_type: str = "image/jpeg"
    ref: str = ""

    @cached_property
    def sha256(self) -> str:
        """SHA-256 (hex) of the bytes, as the frame store names them."""
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True)
class ToolCall:
    """A call the model wants made. `error` is set where its arguments were not a JSON object; then
    `arguments` is empty and `raw` holds what came."""

    id: str
    name: str
    arguments: Mapping[str, Json]
    raw: str = ""
    error: str = ""


@dataclass(frozen=True)
class Message:
    """One turn. `role` "tool" answers the call `tool_call_id`; images in a tool's answer are allowed here
    and rearranged by the gateway for providers that do not take them."""

    role: Literal["system", "user", "assistant", "tool"]
    parts: tuple[Text | Image, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""

    @property
    def text(self) -> str:
        """All its text parts, joined by newlines."""
        return "\n".join(part.text for part in self.parts if isinstance(part, Text))


def system(text: str) -> Message:
    """A system message."""
    return Message("system", (Text(text),))


def user(*parts: str | Text | Image) -> Message:
    """A user message; strings become text parts."""
    return Message("user", tuple(Text(part) if isinstance(part, str) else part for part in parts))


def tool_result(call: ToolCall, *parts: str | Text | Image) -> Message:
    """The answer to `call`."""
    made = tuple(Text(part) if isinstance(part, str) else part for part in parts)
    return Message("tool", made, tool_call_id=call.id)


@dataclass(frozen=True)
class Tool:
    """A tool a model may call; `parameters` is a JSON schema of type object."""

    name: str
    description: str
    parameters: Mapping[str, Json]


@dataclass(frozen=True)
class Reply:
    """What a model said. `parsed` is the validated object where a schema was asked for. Tokens are None
    where the provider did not say; `cost_usd` is None where no price is known."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    parsed: Json = None
    finish: str = "stop"
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None

    def as_message(self) -> Message:
        """The assistant turn to append to the conversation."""
        parts = (Text(self.text),) if self.text else ()
        return Message("assistant", parts, self.tool_calls)


@dataclass(frozen=True)
class Request:
    """One request as a back end gets it."""

    role: Role
    model: str
    messages: Sequence[Message]
    tools: Sequence[Tool] = ()
    schema: Mapping[str, Json] | None = None
    sampling: Mapping[str, Json] = field(default_factory=dict)
    timeout_s: float = 120.0


class ScriptedModel(ABC):
    """A model written in Python, asked through the gateway like any other: `scripted/NAME`.

    One instance serves one episode. Its randomness comes from `rng` alone. Class attributes: `privileged`
    models get the task's private half as `private` (others get None) and never enter a ranking; `control`
    is "positive" for the one that must succeed everywhere and "negative" for the one that must fail.
    """

    privileged: bool = False
    control: Literal["", "positive", "negative"] = ""
    description: str = ""

    def __init__(self, rng: random.Random, private: Mapping[str, Json] | None = None) -> None:
        self.rng, self.private = rng, private

    @abstractmethod
    def reply(self, request: Request) -> Reply:
        """The next turn of the conversation in `request.messages`."""
