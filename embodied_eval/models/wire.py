"""The project's messages as OpenAI-style chat bodies, and what comes back as replies."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from embodied_eval.models.schema import instruction, parse_arguments, real_text
from embodied_eval.models.types import Image, Message, Text, Tool, ToolCall
from embodied_eval.records import Json


def wire_messages(messages: Sequence[Message], schema: Mapping[str, Json] | None = None) -> list[Json]:
    """`messages` as a provider takes them.

    Tool messages hold text alone: images of a block of tool answers follow it in one user message, each
    under its ref. With `schema`, the words that ask for it are appended to the system message.
    """
    made: list[Json] = []
    pending: list[Json] = []
    for message in messages:
        if message.role != "tool" and pending:
            made.append({"role": "user", "content": pending})
            pending = []
        if message.role == "tool":
            made.append(_tool_message(message, pending))
        elif message.role == "assistant":
            made.append(_assistant_message(message))
        elif message.role == "system":
            made.append({"role": "system", "content": message.text})
        else:
            made.append({"role": "user", "content": _content(message.parts)})
    if pending:
        made.append({"role": "user", "content": pending})
    if schema is not None:
        _append_to_system(made, instruction(schema))
    return made


def _tool_message(message: Message, pending: list[Json]) -> Json:
    images = [part for part in message.parts if isinstance(part, Image)]
    for image in images:
        pending.append({"type": "text", "text": f"Image {image.ref}:" if image.ref else "Image:"})
        pending.append(_image(image))
    text = message.text or ("The image follows." if images else "(no output)")
    return {"role": "tool", "tool_call_id": message.tool_call_id, "content": text}


def _assistant_message(message: Message) -> Json:
    made: dict[str, Json] = {"role": "assistant", "content": message.text or None}
    if message.tool_calls:
        made["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(_sent_arguments(call))},
            }
            for call in message.tool_calls
        ]
    elif not message.text:
        made["content"] = "(empty)"
    return made


def _sent_arguments(call: ToolCall) -> Mapping[str, Json]:
    # Some providers parse a past call's arguments again: what was no JSON object must be one by now.
    return {"invalid_arguments": call.raw} if call.error else dict(call.arguments)


def _content(parts: Sequence[Text | Image]) -> Json:
    if all(isinstance(part, Text) for part in parts):
        return "\n".join(part.text for part in parts if isinstance(part, Text))
    return [{"type": "text", "text": part.text} if isinstance(part, Text) else _image(part) for part in parts]


def _image(image: Image) -> Json:
    data = base64.b64encode(image.data).decode("ascii")
    return {"type": "image_url", "image_url": {"url": f"data:{image.media_type};base64,{data}"}}


def _append_to_system(made: list[Json], text: str) -> None:
    if made and made[0]["role"] == "system":
        made[0] = {"role": "system", "content": f"{made[0]['content']}\n\n{text}"}
    else:
        made.insert(0, {"role": "system", "content": text})


def wire_tools(tools: Sequence[Tool]) -> list[Json]:
    """`tools` as OpenAI functions."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
            },
        }
        for tool in tools
    ]


def read_tool_calls(calls: Iterable[Any] | None) -> tuple[ToolCall, ...]:
    """A provider's tool calls (objects with `id` and `function`); arguments that are no JSON object set
    `error`. Ids are taken as they come, "" where there is none."""
    made = []
    for call in calls or ():
        function = call.function
        raw = function.arguments if isinstance(function.arguments, str) else json.dumps(function.arguments)
        name = real_text(function.name or "")
        arguments, error = parse_arguments(raw)
        if not name:
            error = "The call names no tool."
        made.append(
            ToolCall(
                real_text(call.id or ""),
                name,
                {} if error else arguments,
                real_text(raw) if error else "",
                error,
            )
        )
    return tuple(made)


def with_unique_ids(calls: Sequence[ToolCall], messages: Sequence[Message]) -> tuple[ToolCall, ...]:
    """`calls` with an id of its own for each: one that is missing, or used before in the conversation or
    in the same reply, becomes `call_<turn>_<position>`."""
    used = {call.id for message in messages for call in message.tool_calls}
    made = []
    for position, call in enumerate(calls):
        if not call.id or call.id in used:
            call = replace(call, id=f"call_{len(messages)}_{position}")
        used.add(call.id)
        made.append(call)
    return tuple(made)
