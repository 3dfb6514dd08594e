"""The agent's tools: what they take, what they cost, what they answer.

The one place where the core's conventions (yaw counter-clockwise, pitch up) become the agent's (right and
down positive, y to the right). Parameters, limits and costs: spec of the benchmark, section 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.worldaudit.options import Options
from embodied_eval.drivers.base import Motion
from embodied_eval.models.types import Tool
from embodied_eval.records import Json, Pose

REF = {"type": "string", "minLength": 2, "maxLength": 24}
CATEGORIES = ["geometry", "collision", "visual", "state", "semantic", "other"]
EVIDENCE = {"type": "array", "items": REF, "maxItems": 20, "description": "names of pictures that show it"}
ENVIRONMENT = ("move", "turn", "look", "interact", "wait")
MEMORY = ("inspect", "history", "write_notes")
MAX_HISTORY = 40
MAX_FILM = 8
FILM_S = 0.5


def _tool(name: str, description: str, required: tuple[str, ...] = (), /, **properties: Json) -> Tool:
    return Tool(
        name,
        description,
        {
            "type": "object",
            "properties": properties,
            "required": list(required),
            "additionalProperties": False,
        },
    )


def _number(low: float, high: float, description: str) -> dict[str, Json]:
    return {"type": "number", "minimum": low, "maximum": high, "description": description}


READ_EXAMPLE = _tool(
    "read_example",
    "Read a solved case, with pictures. Needed before the world opens; can be read again.",
    code={"type": "string", "maxLength": 40, "description": "the kind's code, as you were told it"},
)
READ_EXAMPLE_UNTOLD = _tool("read_example", READ_EXAMPLE.description)
"""Without a hint there is no code to name: a code that is refused would tell which one is not meant."""
TOOLS = (
    READ_EXAMPLE,
    _tool(
        "observe", "Open the world (first call), or see the present view, notes, reports and budget again."
    ),
    _tool(
        "move",
        "Walk straight on or back. Obstacles may shorten it. Costs 1 action.",
        ("direction", "distance_m"),
        direction={"type": "string", "enum": ["forward", "back"]},
        distance_m=_number(0.3, 4.0, "metres"),
    ),
    _tool(
        "turn",
        "Turn on the spot. Costs 1 action.",
        ("degrees",),
        degrees=_number(-180, 180, "degrees, positive to the right"),
    ),
    _tool(
        "look",
        "Raise or lower the gaze. Costs 1 action.",
        ("degrees",),
        degrees=_number(-90, 90, "degrees, positive downwards"),
    ),
    _tool(
        "interact",
        "Operate what is in the middle of the view, within 2.5 m: doors, lamps, devices. Costs 1 action.",
    ),
    _tool(
        "wait",
        "Let time pass. Costs 1 action.",
        ("seconds",),
        seconds=_number(0.5, 5.0, "simulated seconds"),
    ),
    _tool(
        "inspect",
        "See earlier pictures again, or a part of them enlarged.",
        ("refs",),
        refs={"type": "array", "items": REF, "minItems": 1, "maxItems": 4},
        region={
            "type": "array",
            "items": {"type": "number", "minimum": 0, "maximum": 1},
            "minItems": 4,
            "maxItems": 4,
            "description": "x0, y0, x1, y1 as shares of width and height, from the upper left",
        },
    ),
    _tool(
        "history",
        "Read what your actions from_action to to_action (at most 40) did.",
        ("from_action", "to_action"),
        from_action={"type": "integer", "minimum": 0},
        to_action={"type": "integer", "minimum": 0},
    ),
    _tool(
        "write_notes",
        "Keep a remark for later.",
        ("text",),
        text={"type": "string", "minLength": 1, "maxLength": 4000},
    ),
    _tool(
        "flag_bug",
        "Report something that is wrong.",
        ("description", "category", "status"),
        description={"type": "string", "minLength": 1, "maxLength": 2000},
        category={"type": "string", "enum": CATEGORIES},
        status={"type": "string", "enum": ["suspect", "confirmed"]},
        evidence=EVIDENCE,
    ),
    _tool(
        "update_bug",
        "Change a report: its words, its status (retracted is final), its pictures.",
        ("id",),
        id={"type": "string", "minLength": 1, "maxLength": 12},
        description={"type": "string", "minLength": 1, "maxLength": 2000},
        status={"type": "string", "enum": ["suspect", "confirmed", "retracted"]},
        evidence=EVIDENCE,
    ),
    _tool("list_bugs", "Read your reports so far."),
    _tool(
        "done",
        "End the inspection. Your reports count as they stand.",
        ("summary",),
        summary={"type": "string", "maxLength": 4000},
    ),
)


def offered(options: Options) -> tuple[Tool, ...]:
    """The tools an episode offers."""
    left_out = set() if options.memory_tools else set(MEMORY)
    if not options.icl:
        left_out.add(READ_EXAMPLE.name)
    chosen = (tool for tool in TOOLS if tool.name not in left_out)
    if options.type_hint != "none":
        return tuple(chosen)
    return tuple(READ_EXAMPLE_UNTOLD if tool is READ_EXAMPLE else tool for tool in chosen)


def motion_of(name: str, arguments: Mapping[str, Json]) -> Any:
    """The driver call behind an environment tool: `motion(driver) -> Motion`."""
    if name == "move":
        distance = float(arguments["distance_m"]) * (1.0 if arguments["direction"] == "forward" else -1.0)
        return lambda driver: driver.move(distance)
    if name == "turn":
        return lambda driver: driver.turn(-float(arguments["degrees"]))
    if name == "look":
        return lambda driver: driver.look(-float(arguments["degrees"]))
    if name == "wait":
        return lambda driver: driver.advance(float(arguments["seconds"]))
    return lambda driver: driver.interact()


def pose_text(pose: Pose) -> str:
    """A pose in the agent's conventions."""
    return (
        f"at x {_zero(pose.x):.2f}, y {_zero(-pose.y):.2f}, height {_zero(pose.z):.2f} m, "
        f"heading {_zero(-pose.yaw_deg):.1f}, gaze {_zero(-pose.pitch_deg):.1f} degrees"
    )


def index_text(number: int, name: str, arguments: Mapping[str, Json], pose: Pose, options: Options) -> str:
    """An action in the fewest words, for the digest of a compacted conversation."""
    where = f": {pose_text(pose)}" if options.proprio else ""
    return f"a{number} {call_text(name, arguments)}{where}"


def call_text(name: str, arguments: Mapping[str, Json]) -> str:
    """A call in a few words, for the history."""
    return f"{name}({', '.join(f'{key}={value}' for key, value in arguments.items())})"


def action_text(
    number: int,
    name: str,
    arguments: Mapping[str, Json],
    motion: Motion,
    refs: list[str],
    left: int,
    options: Options,
    edge_m: float,
) -> str:
    """The line an agent reads after an environment action."""
    parts = [f"action {number} {call_text(name, arguments)}:"]
    if options.proprio:
        moved = f"moved {motion.moved_m:.2f} m, " if name == "move" else ""
        parts.append(f"{moved}{pose_text(motion.pose)};")
    if name == "interact":
        parts.append("operated." if motion.interacted else "nothing to operate in reach there.")
    if options.blocked_hint and motion.blocked:
        parts.append("Something was in the way.")
    if edge_m < 0.03:
        parts.append("You stand at the edge of the area.")
    parts.append(f"{motion.elapsed_s:.2f} s passed, time {motion.t_s:.2f} s; pictures {', '.join(refs)};")
    parts.append(f"{left} actions left.")
    return " ".join(parts)


def _zero(value: float) -> float:
    """Without a negative zero."""
    return value + 0.0 if abs(value) >= 0.005 else 0.0
