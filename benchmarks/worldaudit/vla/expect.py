"""What an episode of the second arm uses at most, and typically."""

from __future__ import annotations

from benchmarks.worldaudit.options import Options
from embodied_eval.benchmark import Expected

MOST_CALLS = 12
"""Tool calls after which an audit ends; three are needed."""
MOST_TURNS = MOST_CALLS + 6
FRAME_TOKENS = 300
"""A small frame and its line (ours: 480 x 256 pixels cost 85 to 260 tokens at the usual providers)."""
FIXED_TOKENS = 6000
"""Prompt, tools and example."""
REPLY_TOKENS = 600


def expected_of_arm(options: Options) -> Expected:
    """See `Benchmark.expect`: every turn sends the whole recording again; an exploration asks no model."""
    if options.arm == "vla-explore":
        return Expected(0, 0, 0)
    whole = FIXED_TOKENS + (2 * options.explore_s + 1) * FRAME_TOKENS
    calls = 3 if options.icl else 2
    typical = Expected(calls, (calls - 1) * FIXED_TOKENS + whole, calls * REPLY_TOKENS)
    return Expected(MOST_TURNS, MOST_TURNS * whole, MOST_TURNS * 4 * REPLY_TOKENS, typical)
