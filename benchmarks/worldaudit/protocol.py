"""How tools are called: by the provider's own tool calling, or by JSON objects in plain text for models
without it. Both end in the same calls, and so in the same recorded steps.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from embodied_eval.models.schema import parse_arguments
from embodied_eval.models.types import Image, Message, Reply, Text, Tool, ToolCall, system, tool_result, user
from embodied_eval.records import Json

JSON = """

How to call a tool
Answer each time with one JSON object and nothing else: {"tool": NAME, "arguments": {...}}, for example
{"tool": "turn", "arguments": {"degrees": 45}}. What the tool answers comes back as the next message. The tools,
each with the JSON schema of its arguments:
"""
SURROUNDED = "(Only the JSON object was read, not the text around it.)"
SEVERAL = "(Only the first JSON object was carried out: one call an answer.)"
UNREADABLE = """Nothing happened: {why}. Answer with one JSON object and nothing else, such as
{{"tool": "observe", "arguments": {{}}}}."""
MOST_STARTS = 16
"""So many opening braces are tried as the beginning of a call."""


@dataclass(frozen=True)
class Turn:
    """What a reply asks for: the calls, a `problem` where none could be read although one was meant to be
    there, and a `note` that goes with the first answer."""

    calls: tuple[ToolCall, ...]
    problem: str = ""
    note: str = ""


class Protocol(ABC):
    """One way of calling `tools`."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._tools = tuple(tools)

    @property
    @abstractmethod
    def offered(self) -> tuple[Tool, ...]:
        """The tools that go with each request."""

    @abstractmethod
    def opening(self, messages: Sequence[Message]) -> list[Message]:
        """The first messages, with what this protocol has to say."""

    @abstractmethod
    def read(self, reply: Reply) -> Turn:
        """What `reply` asks for."""

    @abstractmethod
    def said(self, reply: Reply) -> Message:
        """The model's turn as it stands in the conversation."""

    @abstractmethod
    def answer(self, call: ToolCall, parts: Sequence[Text | Image], note: str = "") -> Message:
        """The answer to `call`."""


class NativeProtocol(Protocol):
    """The provider's own tool calling."""

    @property
    def offered(self) -> tuple[Tool, ...]:
        """See `Protocol.offered`."""
        return self._tools

    def opening(self, messages: Sequence[Message]) -> list[Message]:
        """See `Protocol.opening`."""
        return list(messages)

    def read(self, reply: Reply) -> Turn:
        """See `Protocol.read`."""
        return Turn(reply.tool_calls)

    def said(self, reply: Reply) -> Message:
        """See `Protocol.said`."""
        return reply.as_message()

    def answer(self, call: ToolCall, parts: Sequence[Text | Image], note: str = "") -> Message:
        """See `Protocol.answer`."""
        return tool_result(call, *parts, *([note] if note else []))


class JsonProtocol(Protocol):
    """Tools told in the system message; one JSON object a reply; answers as user messages with pictures."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        super().__init__(tools)
        self._number = 0

    @property
    def offered(self) -> tuple[Tool, ...]:
        """See `Protocol.offered`."""
        return ()

    def opening(self, messages: Sequence[Message]) -> list[Message]:
        """See `Protocol.opening`."""
        first, *rest = messages
        listed = [
            json.dumps(
                {"tool": tool.name, "description": tool.description, "arguments": tool.parameters},
                ensure_ascii=False,
            )
            for tool in self._tools
        ]
        return [system(first.text + JSON + "\n".join(listed)), *rest]

    def read(self, reply: Reply) -> Turn:
        """See `Protocol.read`."""
        found = [value for value in _objects(reply.text) if isinstance(value[0].get("tool"), str)]
        if reply.tool_calls:
            # Scripted models call natively whatever they are offered.
            return Turn(reply.tool_calls[:1], note=SEVERAL if len(reply.tool_calls) > 1 else "")
        if not found:
            what = 'holds no JSON object with the key "tool"' if reply.text.strip() else "is empty"
            return Turn((), problem=UNREADABLE.format(why=f"your answer {what}"))
        value, alone = found[0]
        self._number += 1
        note = SEVERAL if len(found) > 1 else "" if alone else SURROUNDED
        return Turn((_call(f"j{self._number}", value),), note=note)

    def said(self, reply: Reply) -> Message:
        """See `Protocol.said`."""
        text = reply.text
        for call in reply.tool_calls[:1]:
            text += json.dumps({"tool": call.name, "arguments": dict(call.arguments)})
        return Message("assistant", (Text(text),) if text else ())

    def answer(self, call: ToolCall, parts: Sequence[Text | Image], note: str = "") -> Message:
        """See `Protocol.answer`."""
        told: list[Text | Image] = []
        for part in parts:
            if isinstance(part, Image):
                told.append(Text(f"Image {part.ref}:"))
            told.append(part)
        return user(*told, *([note] if note else []))


def protocol_of(name: str, tools: Sequence[Tool]) -> Protocol:
    """The protocol `name` ("native" or "json") over `tools`."""
    return JsonProtocol(tools) if name == "json" else NativeProtocol(tools)


def _call(name: str, value: Mapping[str, Json]) -> ToolCall:
    arguments = value.get("arguments", {})
    if not isinstance(arguments, Mapping):
        raw = json.dumps(arguments, ensure_ascii=False)
        return ToolCall(name, value["tool"], {}, raw, "The arguments must be a JSON object.")
    return ToolCall(name, value["tool"], dict(arguments))


def _objects(text: str) -> list[tuple[dict[str, Json], bool]]:
    """The JSON objects in `text`, not those inside others, each with whether it stands alone there, a code
    fence not counted."""
    found: list[tuple[dict[str, Json], bool]] = []
    at = starts = 0
    while (begin := text.find("{", at)) >= 0 and starts < MOST_STARTS:
        starts += 1
        end = _end_of(text, begin)
        value, error = parse_arguments(text[begin:end]) if end else ({}, "it does not end")
        if error:
            at = begin + 1
            continue
        around = (text[:begin] + text[end:]).replace("```json", "").replace("```", "")
        found.append((value, not around.strip()))
        at = end
    return found


def _end_of(text: str, begin: int) -> int:
    """Where the object that begins at `begin` ends, 0 if it does not."""
    depth, quoted, escaped = 0, False, False
    for at in range(begin, len(text)):
        sign = text[at]
        if quoted:
            quoted = escaped or sign != '"'
            escaped = sign == "\\" and not escaped
        elif sign == '"':
            quoted = True
        elif sign in "{[":
            depth += 1
        elif sign in "}]":
            depth -= 1
            if depth == 0:
                return at + 1
    return 0
