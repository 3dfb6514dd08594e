"""The evidence agent: what frames show and the probe did not find is searched in the source, ten calls an item.

It is told that a sighting is a lead and no proof. Its quote passes the same checks as any other.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.worldbench.capture.navigator import PLACES
from benchmarks.worldbench.judges.model_ask import Asker, object_of, prompt
from benchmarks.worldbench.judges.model_claims import RawClaim
from benchmarks.worldbench.judges.model_material import Material
from benchmarks.worldbench.judges.model_probe import AXES, QUOTE
from benchmarks.worldbench.source.tools import CALLS, SourceTools
from benchmarks.worldbench.spec import Item
from embodied_eval.errors import JudgeError
from embodied_eval.models.schema import validate
from embodied_eval.models.types import Message, Tool, ToolCall, system, tool_result, user

if TYPE_CHECKING:
    from embodied_eval.records import Json

ANSWER: Mapping[str, Json] = object_of(
    {
        "found": {"type": "boolean"},
        "quote": QUOTE,
        "motion_quote": QUOTE,
        "axis": {"type": "string", "enum": list(AXES)},
    }
)
_LINE: Mapping[str, Json] = {"type": "integer", "minimum": 1}
TOOLS = (
    Tool(
        "grep",
        "Lines that hold a pattern (plain words, | and .*), with numbers.",
        object_of({"pattern": {"type": "string"}}),
    ),
    Tool(
        "read_lines",
        "The lines from first to last, both included.",
        object_of({"first": _LINE, "last": _LINE}),
    ),
    Tool("list_functions", "The named functions with their lines.", object_of({})),
    Tool("answer", "Report, and end the search.", ANSWER),
)
_MOST_READ = 30_000


@dataclass(frozen=True)
class Search:
    """A call of the agent: what it asked and what it was told (shortened)."""

    item: str
    number: int
    call: str
    told: str


async def search(asker: Asker, world: Material, item: Item) -> tuple[RawClaim, tuple[Search, ...]]:
    """What the agent finds of `item`, and its calls. An agent that fails is an error, not an absence."""
    searches: list[Search] = []
    with tempfile.TemporaryDirectory(prefix="worldbench-agent-") as folder:
        path = Path(folder) / "world.html"
        path.write_text(world.html, encoding="utf-8")
        with SourceTools(path) as tools:
            try:
                said = await _search(asker, tools, item, searches)
            except JudgeError as error:
                return RawClaim(item.id, error=error.message), tuple(searches)
    if not said["found"]:
        return RawClaim(item.id), tuple(searches)
    claim = RawClaim(item.id, 1.0, str(said["quote"]), str(said["motion_quote"]), str(said["axis"]))
    return claim, tuple(searches)


async def _search(asker: Asker, tools: SourceTools, item: Item, searches: list[Search]) -> Mapping[str, Any]:
    about = f"search {item.id}"
    fence = asker.fence(about, tools.sha256)
    task = prompt("agent").format(calls=CALLS, place=PLACES[item.biome], biome=item.biome, text=item.text)
    messages: list[Message] = [system(prompt("setting").format(fence=fence)), user(task)]
    while tools.left > 0:
        reply = await asker.complete(about, messages, tools=TOOLS)
        if not reply.tool_calls:
            break
        messages.append(reply.as_message())
        for call in reply.tool_calls:
            answered = _answered(call)
            if answered is not None:
                return answered
            told = _told(tools, call, item, searches)
            messages.append(tool_result(call, f"{fence}\n{told}\n{fence}"))
    read = "\n\n".join(f"{one.call}\n{one.told}" for one in searches)[:_MOST_READ]
    fence = asker.fence(about, read)
    task = prompt("salvage").format(
        read=f"{fence}\n{read or 'nothing'}\n{fence}",
        place=PLACES[item.biome],
        biome=item.biome,
        text=item.text,
    )
    last = [system(prompt("setting").format(fence=fence)), user(task)]
    reply = await asker.complete(about, last, schema=ANSWER)
    if reply.parsed is None:
        raise JudgeError(
            f"The judge {asker.judge.name} gave no answer on {about}.", hint="Judge again later."
        )
    found: Mapping[str, Any] = reply.parsed
    return found


def _answered(call: ToolCall) -> Mapping[str, Any] | None:
    """The arguments of a valid final answer."""
    if call.name != "answer" or call.error or validate(dict(call.arguments), ANSWER):
        return None
    return call.arguments


def _told(tools: SourceTools, call: ToolCall, item: Item, searches: list[Search]) -> str:
    arguments = ", ".join(f"{name} {value!r}" for name, value in call.arguments.items())
    if call.name == "answer":
        told = "That answer does not have the form that was asked for."
        tools.left -= 1
    else:
        told = tools.call(call.name, call.arguments).text
    searches.append(Search(item.id, len(searches) + 1, f"{call.name}({arguments})"[:400], told))
    return told
