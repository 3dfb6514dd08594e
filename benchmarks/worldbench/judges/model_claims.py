"""What a model claims of the code, item by item, before anything of it is checked."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class RawClaim:
    """A claim as made: quotes are the model's words. `error`: nothing could be had on this item."""

    item: str
    probability: float = 0.0
    look: str = ""
    motion: str = ""
    axis: str = ""
    error: str = ""


@dataclass
class RawCode:
    """All of the code channel's claims; `layouts` are the classifier's quotes by region, "" where it says that the
    region is not there."""

    claims: dict[str, RawClaim] = field(default_factory=dict)
    layouts: dict[str, str] = field(default_factory=dict)
    layout_errors: dict[str, str] = field(default_factory=dict)
