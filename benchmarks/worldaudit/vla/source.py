"""Which exploration an audit needs: task, policy, seed and the settings below make it, and nothing of the audit."""

from __future__ import annotations

from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.vla.naming import policy_label
from embodied_eval.benchmark import Source
from embodied_eval.records import Json

EXPLORATION = (
    "policy",
    "explore_s",
    "stuck_recovery",
    "idle_nudge",
    "start",
    "anomalies",
    "width",
    "height",
)
"""The options that shape an exploration."""
CONDITION = "vla-explore"


def source_of(options: Options) -> Source | None:
    """The exploration that an episode under `options` audits; None outside that arm.

    Raises UnknownName, ConfigError or DataFileError for a policy that cannot be had.
    """
    if options.arm != "vla-vlm":
        return None
    shaping: dict[str, Json] = {name: getattr(options, name) for name in EXPLORATION}
    return Source(CONDITION, shaping, policy_label(options.policy), options.recordings)
