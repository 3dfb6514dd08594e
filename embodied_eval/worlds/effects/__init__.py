"""Effects: what is planted in a clean world, as data. `docs/effects.md` lists triggers and changes."""

from embodied_eval.worlds.effects.engine import EffectsEngine
from embodied_eval.worlds.effects.spec import (
    SCHEMA,
    Effect,
    json_schema,
    parse_effects,
    required_capabilities,
)

__all__ = [
    "SCHEMA",
    "Effect",
    "EffectsEngine",
    "json_schema",
    "parse_effects",
    "required_capabilities",
]
