"""What a policy is called: in an episode's identity, and as a run's model."""

from __future__ import annotations

from benchmarks.worldaudit.vla.layout import folder_digest
from embodied_eval.policies import PolicySpec, parse_policy

IMPORT = "import:"


def policy_identity(policy: str) -> str:
    """What stands for `policy` in an episode's identity: content, not a place on this machine."""
    if policy.startswith(IMPORT):
        return f"import@{folder_digest(policy.removeprefix(IMPORT))}"
    return spec_of(policy).identity


def policy_label(policy: str) -> str:
    """A model's name for `policy`."""
    return f"policy/{policy_identity(policy)}" if policy.startswith(IMPORT) else spec_of(policy).label


def spec_of(policy: str) -> PolicySpec:
    """The policy that an option names. Raises UnknownName or ConfigError."""
    return parse_policy(policy)
