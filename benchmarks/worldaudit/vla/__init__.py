"""The second arm: a policy explores without instructions, then a model audits the recording in one pass."""

from __future__ import annotations

from embodied_eval.benchmark import Episode
from embodied_eval.records import Outcome


async def play_arm(episode: Episode) -> Outcome:
    """Play one episode under the arm that its options name."""
    arm = episode.options.arm
    if arm == "vla-explore":
        from benchmarks.worldaudit.vla.explore import explore

        return await explore(episode)
    if arm == "vla-vlm":
        from benchmarks.worldaudit.vla.audit import audit_recording

        return await audit_recording(episode)
    from benchmarks.worldaudit.audit import audit

    return await audit(episode)
