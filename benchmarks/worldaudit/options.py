"""The protocol's settings: what `--set` accepts and a condition may change. All are part of the identity."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_serializer


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
    icl: bool = Field(True, description="show a solved example of the same kind before the world opens")
    type_hint: Literal["none", "code", "definition"] = Field(
        "definition", description="what the model is told of the anomaly's kind"
    )
    scene_description: bool = Field(True, description="tell what the place is and what can be operated")
    about: str = Field(
        "", description="what the place is, told to the model in place of the task's own words"
    )
    start: Literal["default", "near"] = Field(
        "default", description="where the agent starts: near = a third of the way to the anomaly"
    )
    anomalies: Literal["A", "AB", "ABC"] = Field(
        "A", description="what is planted: the task's own anomaly, or one or two more beside it"
    )
    anchors_only: bool = Field(False, description="play only tasks that others can be planted beside")
    tell_count: bool = Field(True, description="tell how many anomalies there are")
    memory_tools: bool = Field(True, description="offer inspect, history and write_notes")
    inspect_budget: int | None = Field(None, ge=0, description="how often `inspect` may be called")
    proprio: bool = Field(True, description="tell pose and distance moved after each action")
    blocked_hint: bool = Field(False, description="say outright that a move was blocked")
    tool_protocol: Literal["native", "json"] = Field(
        "native", description="json: tools told in the prompt, called by a JSON object in plain text"
    )
    context_tokens: int = Field(
        64_000, ge=16_000, description="estimated size at which the conversation is compacted"
    )
    keep_images: int = Field(12, ge=1, description="newest pictures that stay in the conversation")
    width: int = Field(960, ge=160, le=1920, multiple_of=2, description="frame width in pixels")
    height: int = Field(540, ge=90, le=1080, multiple_of=2, description="frame height in pixels")
    arm: Literal["vlm", "vla-vlm", "vla-explore"] = Field(
        "vlm", description="who explores: the model itself, or a policy whose recording it audits"
    )
    policy: str = Field(
        "random-walk",
        description="the exploring policy: random-walk, frontier, still, open-p2p:FOLDER, command:[...], import:FOLDER",
    )
    explore_s: int = Field(60, ge=1, le=600, description="simulated seconds of a policy's exploration")
    stuck_recovery: bool = Field(
        True, description="back off and turn where the policy walks against something"
    )
    idle_nudge: bool = Field(True, description="look round where the policy does nothing")
    recordings: str = Field(
        "", description="run that holds the explorations to audit; else they are recorded"
    )

    @field_serializer("policy")
    def _policy_identity(self, policy: str) -> str:
        from benchmarks.worldaudit.vla.naming import policy_identity

        return policy_identity(policy)
