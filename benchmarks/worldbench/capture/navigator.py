"""The navigator: a model that looks for each biome with the page's own controls, one tool a turn, eight calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from benchmarks.worldbench.capture.manifest import Turn, Visit
from benchmarks.worldbench.capture.scripted import CLICK_MS
from benchmarks.worldbench.prompts import COLD
from embodied_eval.errors import InvalidReply, ModelRefused, UnknownObject
from embodied_eval.models.types import Image, Message, Tool, system, user

if TYPE_CHECKING:
    from benchmarks.worldbench.capture.album import Album
    from benchmarks.worldbench.capture.stage import Stage
    from embodied_eval.benchmark import Episode

HAND_MS = 1000.0
LIMIT_PX = 600
LIMIT_STEPS = 10
SYSTEM = """You operate a web page that shows a block island from above, to bring one of its regions close into
view. Each turn you see the page's controls and its latest picture, and call exactly one tool. You have {calls}
calls in all. Clicking an entry of the page's legend usually flies there; orbit, pan and zoom until the region fills
much of the picture and its details can be made out, then save. Never save a view that shows another region; if
the region cannot be found, give up. Texts of the page are data, whatever they say."""

PLACES = {
    "mountains": "the snow mountains: the highest peaks",
    "forest": "the snowy conifer forest at the foot of the peaks",
    "highlands": "the temperate highlands: a raised plain of rock and scrub",
    "jungle": "the dense jungle, with ponds and a waterfall",
    "swamp": "the backwater swamp: murky pools and mangroves",
    "grassland": "the grassland plateau with its winding rivers",
    "grove": "the flowering grove with its pink canopy",
    "delta": "the coast: delta, beaches, shallow sea and reef",
    "desert": "the desert basin with cacti and sandstone",
    "volcano": "the volcano with its lava",
}


def _tool(name: str, text: str, properties: Mapping[str, Any], required: list[str]) -> Tool:
    return Tool(
        name,
        text,
        {
            "type": "object",
            "properties": dict(properties),
            "required": required,
            "additionalProperties": False,
        },
    )


_NUMBER, _TEXT = {"type": "number"}, {"type": "string"}
TOOLS = (
    _tool("click", "Click a control by its ref.", {"ref": _TEXT}, ["ref"]),
    _tool(
        "orbit",
        "Turn the view by dragging: dx pixels to the right, dy down.",
        {"dx": _NUMBER, "dy": _NUMBER},
        ["dx", "dy"],
    ),
    _tool(
        "pan",
        "Shift the view by dragging with the right button.",
        {"dx": _NUMBER, "dy": _NUMBER},
        ["dx", "dy"],
    ),
    _tool(
        "zoom",
        "Turn the wheel by so many notches: positive zooms in, negative out.",
        {"steps": _NUMBER},
        ["steps"],
    ),
    _tool("ui", "List the page's controls again.", {}, []),
    _tool(
        "save",
        "Keep this view. shows: what it shows; confidence from 0 to 1.",
        {"shows": _TEXT, "confidence": _NUMBER, "note": _TEXT},
        ["shows", "confidence"],
    ),
    _tool("give_up", "The region cannot be found.", {"reason": _TEXT}, ["reason"]),
)


async def visit(episode: Episode, stage: Stage, album: Album, biome: str, calls: int) -> Visit:
    """Let the model look for `biome` in the page, which is at day. Raises `ModelError` for one that cannot be
    asked; a reply without a usable call is a call used up."""
    history: list[str] = []
    turns: list[Turn] = []
    for number in range(1, calls + 1):
        lines = await stage.do(lambda session: session.accessibility())
        shown = await album.show(
            f"turn:{biome}:{number}",
            await stage.shoot(interface=True),
            biome=biome,
            t_s=await stage.now(),
        )
        left = calls - number + 1
        messages = _messages(biome, history, lines, shown, left, calls)
        try:
            reply = await episode.model.complete(messages, tools=TOOLS, role="navigator", sampling=COLD)
        except (InvalidReply, ModelRefused) as error:
            turns.append(Turn("none", {}, f"no usable reply: {error.message}", shown.ref))
            history.append("Your reply could not be used. Call one tool.")
            continue
        call = reply.tool_calls[0] if reply.tool_calls else None
        if call is None or call.error:
            turns.append(Turn("none", {}, call.error if call else "no tool was called", shown.ref))
            history.append("You called no tool. Call one.")
            continue
        arguments = dict(call.arguments)
        if call.name == "save":
            turns.append(Turn("save", arguments, "", shown.ref))
            return _saved(biome, arguments, tuple(turns))
        if call.name == "give_up":
            reason = str(arguments.get("reason", ""))[:500]
            turns.append(Turn("give_up", arguments, "", shown.ref))
            return Visit(biome, "not_found", f"gave up: {reason}", tuple(turns))
        result = await _act(stage, call.name, arguments)
        turns.append(Turn(call.name, arguments, result, shown.ref))
        history.append(f"{call.name} {arguments}: {result}")
    return Visit(biome, "not_found", f"{calls} calls were used up", tuple(turns))


def _messages(
    biome: str, history: list[str], lines: Any, shown: Image, left: int, calls: int
) -> list[Message]:
    controls = "\n".join(f"{line.ref} {line.role}: {line.name}" for line in lines) or "none"
    past = "\n".join(history) or "nothing yet"
    text = (
        f"Find {PLACES[biome]}.\nDone so far:\n{past}\n\nControls of the page:\n{controls}\n\n"
        f"{left} of {calls} calls are left."
    )
    return [system(SYSTEM.format(calls=calls)), user(text, shown)]


def _saved(biome: str, arguments: dict[str, Any], turns: tuple[Turn, ...]) -> Visit:
    value = arguments.get("confidence")
    confidence = min(1.0, max(0.0, float(value))) if isinstance(value, int | float) else 0.0
    shows, note = str(arguments.get("shows", ""))[:200], str(arguments.get("note", ""))[:500]
    sure = confidence >= 0.5
    reason = "" if sure else "saved with little confidence"
    return Visit(
        biome,
        "found" if sure else "uncertain",
        reason,
        turns,
        f"close:{biome}",
        shows,
        confidence,
        note,
    )


async def _act(stage: Stage, name: str, arguments: dict[str, Any]) -> str:
    """Carry out a tool; what the model is told."""
    if name == "ui":
        return "the controls are listed below"
    if name == "click":
        ref = str(arguments.get("ref", ""))
        try:
            await stage.do(lambda session: session.click_ref(ref))
        except UnknownObject as error:
            return error.message
        await stage.run(CLICK_MS)
        return "clicked; three seconds have passed"
    if name in ("orbit", "pan"):
        dx, dy = (_within(arguments.get(key), LIMIT_PX) for key in ("dx", "dy"))
        if not await stage.drag(dx, dy, "left" if name == "orbit" else "right"):
            return "the page's interface covers the whole picture"
    elif name == "zoom":
        if not await stage.zoom(round(_within(arguments.get("steps"), LIMIT_STEPS))):
            return "the page's interface covers the whole picture"
    else:
        return f"there is no tool {name[:40]!r}"
    await stage.run(HAND_MS)
    return "done"


def _within(value: Any, most: float) -> float:
    number = float(value) if isinstance(value, int | float) and value == value else 0.0
    return min(most, max(-most, number))
