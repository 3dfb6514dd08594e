"""The protocol's settings: what `--set` accepts and a condition may change. All are part of the identity."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Options(BaseModel):
    """Every switch is independent of the others."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    budget: int = Field(40, ge=1, le=400, description="environment actions an episode may spend")
    max_tool_calls: int = Field(400, ge=1, description="tool calls after which only `done` is answered")
    require_full_budget: bool = Field(False, description="refuse `done` while actions are left")
    obs: Literal["on-demand", "film", "final"] = Field(
        "on-demand",
        description="frames during an action: kept for `inspect`, sent along, or not taken",
    )
    type_hint: Literal["none", "code", "definition"] = Field(
        "definition", description="what the model is told of the anomaly's kind"
    )
    scene_description: bool = Field(True, description="tell what the place is and what can be operated")
    memory_tools: bool = Field(True, description="offer inspect, history and write_notes")
    proprio: bool = Field(True, description="tell pose and distance moved after each action")
    blocked_hint: bool = Field(False, description="say outright that a move was blocked")
    width: int = Field(960, ge=160, le=1920, multiple_of=2, description="frame width in pixels")
    height: int = Field(540, ge=90, le=1080, multiple_of=2, description="frame height in pixels")
