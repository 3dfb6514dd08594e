"""The named conditions (spec of the benchmark, sections 2.2, 2.3 and 7.1), and what an episode will use."""

from __future__ import annotations

import math

from benchmarks.worldaudit.options import Options
from embodied_eval.benchmark import Expected
from embodied_eval.records import Condition

VLA = {"arm": "vla-vlm"}
EXPLORE = "vla-explore"

CONDITIONS = (
    Condition("vlm", {}, "one model sees, thinks and acts; 40 actions"),
    Condition("near", {"start": "near"}, "starts a third of the way to the anomaly"),
    Condition("budget-half", {"budget": 20}, "20 actions"),
    Condition("budget-1.5", {"budget": 60}, "60 actions"),
    Condition("no-icl", {"icl": False}, "without solved example; the hint stays"),
    Condition("no-icl-no-type", {"icl": False, "type_hint": "none"}, "without solved example and hint"),
    Condition("no-memory", {"memory_tools": False}, "without inspect, history and write_notes"),
    Condition("single", {"anchors_only": True}, "the anchors of several anomalies, each by itself"),
    Condition("multi-ab", {"anomalies": "AB"}, "one more anomaly beside each anchor"),
    Condition("multi-abc", {"anomalies": "ABC"}, "two more anomalies beside each anchor"),
    Condition("vla-vlm", VLA, "a policy explores for 60 s, the model audits the recording in one pass"),
    Condition(
        "vla-vlm-near", {**VLA, "start": "near"}, "the policy starts a third of the way to the anomaly"
    ),
    Condition("vla-vlm-budget-half", {**VLA, "explore_s": 30}, "30 s of exploration"),
    Condition("vla-vlm-budget-1.5", {**VLA, "explore_s": 90}, "90 s of exploration"),
    Condition("vla-vlm-no-icl", {**VLA, "icl": False}, "without solved example; the hint stays"),
    Condition(
        "vla-vlm-no-icl-no-type",
        {**VLA, "icl": False, "type_hint": "none"},
        "without solved example and hint",
    ),
    Condition(
        EXPLORE,
        {"arm": EXPLORE},
        "the policy's exploration alone: what the vla-vlm conditions record by themselves",
    ),
    Condition(
        "ablations",
        {},
        "the paper's ablations, by default on the tasks of engine unreal",
        members=("vlm", "near", "budget-half", "budget-1.5", "no-icl", "no-icl-no-type"),
        engine="unreal",
    ),
    Condition(
        "vla-ablations",
        {},
        "the same ablations of the explore-then-audit arm, by default on the tasks of engine unreal",
        members=(
            "vla-vlm",
            "vla-vlm-near",
            "vla-vlm-budget-half",
            "vla-vlm-budget-1.5",
            "vla-vlm-no-icl",
            "vla-vlm-no-icl-no-type",
        ),
        engine="unreal",
    ),
    Condition(
        "several",
        {},
        "one, two and three anomalies at the same anchors, by default on the tasks of engine unreal",
        members=("single", "multi-ab", "multi-abc"),
        engine="unreal",
    ),
)

FREE_CALLS_AN_ACTION = 0.4
"""Calls of free tools beside an action (ours: what the scripted and the first real models did)."""
OPENING_CALLS = 3
REPLY_TOKENS = 200
ANSWER_TOKENS = 80
FIXED_TOKENS = 2500
"""Prompt and tools."""
EXAMPLE_IMAGES = 2
MOST_FILM = 8


def expected(options: Options) -> Expected:
    """Calls and tokens of an episode: at most, and typically.

    At most: every tool call allowed, one a turn, each with the conversation at `context_tokens`. Typically: the
    whole budget and some free calls, the conversation growing with each until it is compacted (ours).
    """
    from benchmarks.worldaudit.audit import LAST_CALLS, MAX_NUDGES
    from benchmarks.worldaudit.vla.expect import expected_of_arm

    if options.arm != "vlm":
        return expected_of_arm(options)
    most = options.max_tool_calls + LAST_CALLS + MAX_NUDGES
    upper_in = most * (options.context_tokens + FIXED_TOKENS)
    calls = min(most, OPENING_CALLS + math.ceil(options.budget * (1.0 + FREE_CALLS_AN_ACTION)))
    typical = Expected(calls, _tokens_in(options, calls), calls * REPLY_TOKENS)
    return Expected(most, upper_in, most * 4 * REPLY_TOKENS, typical)


def _tokens_in(options: Options, calls: int) -> int:
    """The tokens sent over `calls` turns: each turn adds its reply, its answer and its pictures."""
    from benchmarks.worldaudit.context import IMAGE_TOKENS

    per_action = 1 + (MOST_FILM // 2 if options.obs == "film" else 0)
    total, text, images = 0, 0, EXAMPLE_IMAGES if options.icl else 0
    for turn in range(calls):
        shown = min(images, math.ceil(options.keep_images * 1.25))
        room = options.context_tokens - FIXED_TOKENS - shown * IMAGE_TOKENS
        total += FIXED_TOKENS + shown * IMAGE_TOKENS + min(text, max(0, room * 2 // 3))
        text += REPLY_TOKENS + ANSWER_TOKENS
        images += per_action if turn * options.budget < calls * options.budget else 0
    return total
