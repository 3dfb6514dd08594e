"""The protocol's settings: what `--set` accepts and a condition may change. All are part of the identity."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Options(BaseModel):
    """How a world is made, captured and graded."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    continuations: int = Field(
        3, ge=0, le=10, description="turns in which a truncated answer may be continued"
    )
    repair_rounds: int = Field(5, ge=0, le=5, description="rounds in which the model may mend errors")
    navigator: Literal["scripted", "model"] = Field(
        "scripted", description="who looks for close views; model: --model-for navigator=NAME"
    )
    navigator_calls: int = Field(8, ge=1, le=50, description="tool calls of the navigator for each biome")
    clock: Literal["sweep", "model"] = Field(
        "sweep",
        description="how day and season are set: found by running the world's clock, or a model's patch "
        "(--model-for navigator=NAME) with the sweep as fallback and cross-check",
    )
    masks: bool = Field(True, description="measure motion inside the largest objects too")
    coverage: bool = Field(True, description="record which code ran")
    strict_executed: bool = Field(
        False, description="give no code half to a quote none of whose lines ever ran"
    )
    cpu_s: int = Field(
        600, ge=10, le=7200, description="processor seconds a capture may take; then it is incomplete"
    )
    width: int = Field(1280, ge=320, le=1920, multiple_of=2, description="frame width in pixels")
    height: int = Field(720, ge=180, le=1080, multiple_of=2, description="frame height in pixels")

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of every frame, in pixels."""
        return (self.width, self.height)
