"""Our motions as actions of the official UE service: whole centimetres, whole degrees, seconds as text."""

from __future__ import annotations

from embodied_eval.errors import CapabilityMissing
from embodied_eval.records import Json

Action = dict[str, Json]
MOST_CM = 2000
MOST_TURN_DEG = 360
MOST_LOOK_DEG = 180
LEAST_IDLE_S, MOST_IDLE_S = 0.034, 10.0
"""The least is a thirtieth of a second, which no decimal fraction is."""


def move_action(distance_m: float) -> Action:
    """Walk `distance_m` (negative = backwards), to the nearest centimetre and at least one."""
    whole = max(1, round(abs(distance_m) * 100.0))
    _within(whole, MOST_CM, f"to walk {distance_m:g} m", "20 m")
    return {"name": "move_up" if distance_m >= 0.0 else "move_down", "distance": whole}


def turn_action(degrees: float) -> Action:
    """Turn by `degrees` (ours, counter-clockwise positive), to the nearest whole degree."""
    whole = round(-degrees)
    _within(abs(whole), MOST_TURN_DEG, f"to turn {degrees:g} degrees", "360 degrees")
    return {"name": "turn", "degree": whole}


def look_action(degrees: float) -> Action:
    """Pitch by `degrees` (ours, up positive), to the nearest whole degree; the service limits where it ends."""
    whole = round(-degrees)
    _within(abs(whole), MOST_LOOK_DEG, f"to look {degrees:g} degrees further", "180 degrees")
    return {"name": "look", "degree": whole}


def idle_action(seconds: float) -> Action:
    """Let `seconds` pass; the service rounds up to its own steps."""
    if seconds > MOST_IDLE_S:
        raise _too_much(f"to wait {seconds:g} s", "10 s")
    return {"name": "idle", "time": f"{max(LEAST_IDLE_S, seconds):.6g}s"}


INTERACT: Action = {"name": "interact"}
DONE: Action = {"name": "done"}


def flag_action(text: str) -> Action:
    """Tell the service of a fault; no time passes."""
    return {"name": "flag", "bug": text}


def _within(value: int, most: int, what: str, limit: str) -> None:
    if value > most:
        raise _too_much(what, limit)


def _too_much(what: str, limit: str) -> CapabilityMissing:
    return CapabilityMissing(f"One action of the UE service is too little {what}.", hint=f"At most {limit}.")
