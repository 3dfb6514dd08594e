"""The named conditions, and what an episode will use."""

from __future__ import annotations

from benchmarks.worldbench.options import Options
from embodied_eval.benchmark import Expected
from embodied_eval.records import Condition

CONDITIONS = (
    Condition("standard", {}, "captured offline: the scripted navigator, the clock found by sweeping"),
    Condition(
        "smoke",
        {"width": 640, "height": 360, "masks": False, "coverage": False, "cpu_s": 100},
        "a quarter of the pixels and no extra columns: under two minutes for a small world",
    ),
    Condition(
        "strict",
        {"strict_executed": True},
        "no code half for code that never ran",
    ),
    Condition(
        "agents",
        {"navigator": "model", "clock": "model"},
        "a model navigates and patches the clock, as in the paper; --model-for navigator=NAME",
    ),
)

WORLD_TOKENS = 40_000
"""Longest answer to expect, in tokens (ours: a large world has some 120 kB)."""
PROMPT_TOKENS = 3_500
TYPICAL_WORLD_TOKENS = 16_000
REPAIR_TOKENS_IN = 12_000
REPAIR_TOKENS_OUT = 1_500
REPAIR_TURNS = 4
NAVIGATOR_TOKENS_IN = 2_500
NAVIGATOR_TOKENS_OUT = 120
BIOMES = 10
PATCH_TRIES = 3


def expected(options: Options, *, generates: bool) -> Expected:
    """Calls and tokens of an episode, at most and typically (ours).

    At most: every continuation, every repair round with all its turns or a rewritten file. Typically: one
    complete answer and one round of two turns.
    """
    calls, tokens_in, tokens_out = 0, 0, 0
    typical = [0, 0, 0]
    if generates:
        turns = 1 + options.continuations
        calls += turns + options.repair_rounds * max(REPAIR_TURNS, turns)
        tokens_in += turns * (PROMPT_TOKENS + WORLD_TOKENS)
        tokens_in += options.repair_rounds * turns * (WORLD_TOKENS + REPAIR_TOKENS_IN)
        tokens_out += turns * WORLD_TOKENS + options.repair_rounds * turns * WORLD_TOKENS
        typical = [3, PROMPT_TOKENS + 2 * REPAIR_TOKENS_IN, TYPICAL_WORLD_TOKENS + REPAIR_TOKENS_OUT]
    if options.navigator == "model":
        turns = BIOMES * options.navigator_calls
        calls, typical[0] = calls + turns, typical[0] + BIOMES * 6
        tokens_in, typical[1] = (
            tokens_in + turns * NAVIGATOR_TOKENS_IN,
            typical[1] + BIOMES * 6 * NAVIGATOR_TOKENS_IN,
        )
        tokens_out, typical[2] = (
            tokens_out + turns * NAVIGATOR_TOKENS_OUT,
            typical[2] + BIOMES * 6 * NAVIGATOR_TOKENS_OUT,
        )
    if options.clock == "model":
        calls, typical[0] = calls + PATCH_TRIES, typical[0] + 1
        tokens_in, typical[1] = tokens_in + PATCH_TRIES * WORLD_TOKENS, typical[1] + TYPICAL_WORLD_TOKENS
        tokens_out, typical[2] = tokens_out + PATCH_TRIES * 2_000, typical[2] + 1_000
    return Expected(calls, tokens_in, tokens_out, Expected(typical[0], typical[1], typical[2]))
