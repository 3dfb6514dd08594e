"""Asking a judge model: our prompts, what the page's author wrote between fences, an answer of the form asked for.

A call that fails is an error of its role, never an answer. Where several fail in a row nothing more is asked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from benchmarks.worldbench.prompts import COLD
from embodied_eval.errors import JudgeError, ModelAuthError, ModelError, UnknownModel
from embodied_eval.models.types import Image, Message, Reply, Text, Tool, system, user

if TYPE_CHECKING:
    from embodied_eval.benchmark import Trajectory
    from embodied_eval.judges.base import Judge
    from embodied_eval.records import Json

MOST_FAILURES = 3
"""So many failed calls in a row are an outage (ours)."""
WARM: Mapping[str, Json] = {"temperature": 0.8}
AGAIN = "Judge again later: embodied-eval judge RUN"


@cache
def prompt(name: str) -> str:
    """Our prompt `name`; `templates` holds them all."""
    return (
        files("benchmarks.worldbench").joinpath("judges", "prompts", f"{name}.md").read_text("utf-8").strip()
    )


PROMPTS = (
    "setting",
    "probe",
    "island",
    "cycle",
    "layout",
    "look",
    "bughunt",
    "lines",
    "agent",
    "salvage",
)


def prompts_sha256() -> str:
    """SHA-256 (hex) of all prompts of the model judge, which a change of any of them changes."""
    return hashlib.sha256("\0".join(prompt(name) for name in PROMPTS).encode()).hexdigest()


def fence_of(*texts: str) -> str:
    """The line around what others wrote: 24 hex digits that follow from it, so that no text can hold its own fence
    and the same question is the same request to the byte."""
    return f"=== {hashlib.sha256(chr(0).join(texts).encode('utf-8', 'replace')).hexdigest()[:24]} ==="


@dataclass
class Asker:
    """Puts questions on one trajectory to the model behind `judge`, one after another."""

    judge: Judge
    trajectory: Trajectory
    failed: int = field(default=0, init=False)

    async def ask(
        self,
        about: str,
        task: str,
        schema: Mapping[str, Json],
        *,
        foreign: str = "",
        pictures: Sequence[Image] = (),
        sampling: Mapping[str, Json] = COLD,
    ) -> Any:
        """The model's answer, valid under `schema`; one re-ask on a schema error is the gateway's. `task` is ours,
        `foreign` what the page's author wrote. Raises JudgeError where there is no valid answer."""
        fence = self.fence(about, task, foreign)
        parts: list[str | Text | Image] = [f"{fence}\n{foreign}\n{fence}"] if foreign else []
        for picture in pictures:
            parts += [f"Picture {picture.ref}:", picture]
        messages = [system(prompt("setting").format(fence=fence)), user(*parts, task)]
        reply = await self.complete(about, messages, schema=schema, sampling=sampling)
        if reply.parsed is None:
            raise self._error(about, "it called a tool that nobody offered")
        return reply.parsed

    def fence(self, *texts: str) -> str:
        """As `fence_of`, another one for every asking of a judge with votes."""
        return fence_of(*texts, *((f"asking {self.judge.vote}",) if self.judge.vote > 1 else ()))

    async def complete(
        self,
        about: str,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Json] | None = None,
        tools: Sequence[Tool] = (),
        sampling: Mapping[str, Json] = COLD,
    ) -> Reply:
        """One turn. Raises JudgeError for a call that failed or an answer of another form; what would befall every
        further call too (no key, no such model) is raised as it is."""
        if self.failed >= MOST_FAILURES:
            raise self._error(about, f"{self.failed} calls in a row had failed")
        handle = self.judge.asking(self.trajectory, about, sampling=sampling)
        try:
            reply = await handle.complete(messages, schema=schema, tools=tools, role="judge")
        except (ModelAuthError, UnknownModel):
            raise
        except ModelError as error:
            self.failed += 1
            raise self._error(about, error.message) from error
        self.failed = 0
        return reply

    def _error(self, about: str, why: str) -> JudgeError:
        return JudgeError(f"The judge {self.judge.name} gave no answer on {about}: {why}", hint=AGAIN)


def object_of(properties: Mapping[str, Json]) -> dict[str, Json]:
    """The schema of an object with exactly these properties."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
