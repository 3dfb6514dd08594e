"""The audit of a recording in one pass: read the example, see every frame, report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from benchmarks.worldaudit.audit import MAX_IDLE_TURNS
from benchmarks.worldaudit.example import Example
from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.protocol import protocol_of
from benchmarks.worldaudit.session import Finding, Parts, Refusal, read_example
from benchmarks.worldaudit.vla import prompts, tools
from benchmarks.worldaudit.vla.expect import MOST_CALLS
from benchmarks.worldaudit.vla.pictures import small
from benchmarks.worldaudit.vla.track import Track
from embodied_eval.benchmark import Episode
from embodied_eval.drivers.base import Driver, Motion
from embodied_eval.errors import DataFileError, InvalidReply, ModelRefused
from embodied_eval.models.schema import validate
from embodied_eval.models.types import Image, Text, ToolCall, user
from embodied_eval.records import Json, Outcome, Pose, Step
from embodied_eval.worlds.model import World


async def audit_recording(episode: Episode) -> Outcome:
    """Play one audit to its end: `report`, `MOST_CALLS` tool calls, or a model that stopped calling tools."""
    options: Options = episode.options
    if episode.world is None:
        raise DataFileError(f"Task {episode.task.id} names no world.")
    session = AuditSession(episode, options, episode.world)
    protocol = protocol_of(options.tool_protocol, tools.offered(options))
    messages = protocol.opening(prompts.opening(episode.task, options))
    idle = 0
    while not session.finished and session.calls < MOST_CALLS and idle < MAX_IDLE_TURNS:
        try:
            reply = await episode.model.complete(messages, tools=protocol.offered)
        except ModelRefused as error:
            return Outcome("refused", session.answer(), error.message)
        except InvalidReply as error:
            return Outcome("invalid_reply", session.answer(), error.message)
        turn = protocol.read(reply)
        messages = [*messages, protocol.said(reply)]
        idle = 0 if turn.calls else idle + 1
        if not turn.calls:
            messages.append(user(f"{turn.problem}\n{prompts.NUDGE}" if turn.problem else prompts.NUDGE))
        for number, call in enumerate(turn.calls[: MOST_CALLS - session.calls]):
            parts = await session.call(call)
            messages.append(protocol.answer(call, parts, "" if number else turn.note))
    return _outcome(session)


def _outcome(session: AuditSession) -> Outcome:
    answer = session.answer()
    if session.finished:
        return Outcome("completed", answer)
    if session.calls == 0:
        return Outcome("invalid_reply", answer, "The model never called a tool.")
    if session.calls >= MOST_CALLS:
        return Outcome("budget_exhausted", answer, "The model spent its tool calls without `report`.")
    return Outcome("invalid_reply", answer, "The model stopped calling tools without `report`.")


@dataclass
class AuditSession:
    """The state of an audit. `call` executes one tool call and records it as a step."""

    episode: Episode
    options: Options
    world: World
    calls: int = 0
    finished: bool = False
    summary: str = ""
    findings: list[Finding] = field(default_factory=list)
    refs: list[str] = field(default_factory=list)
    pose: Pose | None = None
    t_s: float = 0.0
    example: Example | None = None

    async def call(self, call: ToolCall) -> Parts:
        """The answer to `call`."""
        self.calls += 1
        try:
            self._check(call)
            answer: Parts = await getattr(self, f"_{call.name}")(call.arguments)
        except Refusal as refusal:
            answer = [Text(str(refusal))]
        await self.episode.step(
            Step(
                index=0,
                action=call.name,
                arguments=dict(call.arguments),
                result="\n".join(part.text for part in answer if isinstance(part, Text)),
                t_s=round(self.t_s, 6),
                pose=self.pose,
                counts=False,
            )
        )
        return answer

    def answer(self) -> dict[str, Json]:
        """The episode's answer: every report, the summary, and how many tool calls it took."""
        return {
            "findings": [finding.to_json() for finding in self.findings],
            "summary": self.summary,
            "actions": 0,
            "tool_calls": self.calls,
        }

    def _check(self, call: ToolCall) -> None:
        offered = {tool.name: tool for tool in tools.offered(self.options)}
        if self.finished:
            raise Refusal("The audit is over; nothing was done.")
        if call.name not in offered:
            raise Refusal(f"There is no tool {call.name!r}. The tools are: {', '.join(offered)}.")
        if call.error:
            raise Refusal(f"The arguments of {call.name} could not be read: {call.error}")
        faults = validate(call.arguments, offered[call.name].parameters, call.name)
        if faults:
            raise Refusal("Not done: " + "; ".join(faults) + ".")

    async def _read_example(self, arguments: Mapping[str, Json]) -> Parts:
        made, parts = read_example(self.episode, self.options, arguments, stored=self.example is not None)
        self.example = made
        return parts

    async def _observe(self, arguments: Mapping[str, Json]) -> Parts:
        if self.options.icl and self.example is None:
            raise Refusal("Read the example first: call `read_example`.")
        if self.refs:
            raise Refusal("You have the recording: all of it is above. Call `report`.")
        lines, images = await self._watch()
        parts: Parts = [Text(f"The recording: {len(images)} pictures, a0 to {self.refs[-1]}.")]
        for line, (image, size) in zip(lines, small(images, self.options.width), strict=True):
            if image.ref.endswith("#small"):
                self.episode.store_frame(image.ref, image.data, image.media_type, size)
            parts += [Text(line), Image(image.data, image.media_type, image.ref.partition("#")[0])]
        return parts

    async def _watch(self) -> tuple[list[str], list[Image]]:
        """Play the recording to its end, a step each view: what it shows is stored with this episode too."""
        episode = self.episode
        pose = await episode.driver.load(self.world, effects=episode.effects, spawn=episode.start)
        times = [float(t_s) for t_s in await episode.driver.call(_times_s)]
        track = Track(self.options.proprio)
        lines: list[str] = []
        images: list[Image] = []
        for number, t_s in enumerate(times):
            ref, moved_m, blocked = f"a{number}", 0.0, False
            if number == 0:
                images.append(await episode.observe(ref))
            else:
                passing = partial(_pass, t_s - self.t_s)
                motion, made = await episode.act(passing, ref=ref, every_s=None, at_most=0)
                images += made
                pose, moved_m, blocked = motion.pose, motion.moved_m, motion.blocked
            held = await episode.driver.call(_arguments)
            lines.append(track.line(ref, t_s, pose, moved_m, held))
            self.refs.append(ref)
            self.pose, self.t_s = pose, t_s
            await episode.step(
                Step(0, "watch", dict(held), lines[-1], t_s, pose, round(moved_m, 6), blocked, counts=False)
            )
        return lines, images

    async def _report(self, arguments: Mapping[str, Json]) -> Parts:
        if not self.refs:
            raise Refusal("You have not seen the recording: call `observe` first.")
        for number, bug in enumerate(arguments["bugs"], 1):
            known = tuple(str(ref) for ref in bug["evidence"] if ref in self.refs)
            finding = Finding(
                f"b{number}",
                str(bug["description"]),
                str(bug["category"]),
                str(bug["status"]),
                known,
                len(self.refs) - 1,
                round(self.t_s, 6),
            )
            self.findings.append(finding)
            row = {**finding.to_json(), "evidence": ", ".join(known), "operation": "flag"}
            self.episode.row("findings", row)
        self.finished, self.summary = True, str(arguments["summary"])
        return [Text("The audit is over.")]


def _pass(seconds: float, driver: Driver) -> Motion:
    """Let `seconds` pass."""
    return driver.advance(seconds)


def _times_s(driver: Any) -> Any:
    """When the recording's views were taken."""
    return driver.times_s


def _arguments(driver: Any) -> Any:
    """What is told of the step that the present view belongs to."""
    return driver.view.arguments
