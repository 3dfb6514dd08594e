"""One inspection from the agent's side: budget, ledger of reports, notes, pictures, and each tool's effect."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from benchmarks.worldaudit import tools
from benchmarks.worldaudit.example import Example, example_of
from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.taxonomy import SUBCATEGORIES
from embodied_eval.benchmark import Episode
from embodied_eval.models.schema import validate
from embodied_eval.models.types import Image, Text, ToolCall
from embodied_eval.records import Json, Pose, Step
from embodied_eval.worlds.model import World

Parts = list[Text | Image]
INSPECT_PX = 960
FILM_PX = 480
CAPSULE_RADIUS_M = 0.3
EDGE_EPSILON = 1e-9


@dataclass(frozen=True)
class Finding:
    """One report in the ledger, stamped with the action and simulated time of its last change."""

    id: str
    description: str
    category: str
    status: str
    evidence: tuple[str, ...]
    action: int
    t_s: float

    def line(self, longest: int | None = None) -> str:
        """As the agent reads it; a description of more than `longest` characters is cut."""
        text = self.description
        if longest is not None and len(text) > longest:
            text = f"{text[:longest]} [... cut, `list_bugs` has all]"
        told = f"{self.id} [{self.status}, {self.category}, action {self.action}] {text}"
        return f"{told} (pictures: {', '.join(self.evidence) or 'none'})"

    def to_json(self) -> dict[str, Json]:
        """As it stands in the answer."""
        return {
            "id": self.id,
            "description": self.description,
            "category": self.category,
            "status": self.status,
            "evidence": list(self.evidence),
            "action": self.action,
            "t_s": self.t_s,
        }


class Refusal(Exception):
    """A call that is answered with a text and has no effect; it costs a tool call and no action."""


@dataclass
class Session:
    """The state of an inspection. `call` executes one tool call and records it as a step."""

    episode: Episode
    options: Options
    world: World
    actions: int = 0
    calls: int = 0
    finished: bool = False
    summary: str = ""
    findings: dict[str, Finding] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    index: list[str] = field(default_factory=list)
    images: dict[str, Image] = field(default_factory=dict)
    pose: Pose | None = None
    t_s: float = 0.0
    last: str = "a0"
    crops: dict[str, int] = field(default_factory=dict)
    inspected: int = 0
    example: Example | None = None

    @property
    def left(self) -> int:
        """Actions left."""
        return self.options.budget - self.actions

    async def call(self, call: ToolCall) -> Parts:
        """The answer to `call`."""
        self.calls += 1
        motion: dict[str, Any] = {}
        counts = False
        try:
            self._check(call)
            if call.name in tools.ENVIRONMENT:
                counts = True
                answer, motion = await self._act(call.name, call.arguments)
            else:
                answer = await getattr(self, f"_{call.name}")(call.arguments)
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
                counts=counts,
                **motion,
            )
        )
        return answer

    def _check(self, call: ToolCall) -> None:
        offered = {tool.name: tool for tool in tools.offered(self.options)}
        if self.finished:
            raise Refusal("The inspection is over; nothing was done.")
        if call.name not in offered:
            raise Refusal(f"There is no tool {call.name!r}. The tools are: {', '.join(offered)}.")
        if call.error:
            raise Refusal(f"The arguments of {call.name} could not be read: {call.error}")
        faults = validate(call.arguments, offered[call.name].parameters, call.name)
        if faults:
            raise Refusal("Not done: " + "; ".join(faults) + ".")
        if self.calls > self.options.max_tool_calls and call.name != "done":
            raise Refusal("You have used all your tool calls. Only `done` is answered now.")
        if self.pose is None and call.name not in ("read_example", "observe", "done"):
            raise Refusal("The world is not open yet: call `observe` first.")
        if call.name in tools.ENVIRONMENT and self.left <= 0:
            raise Refusal("You have spent all your actions. Report what you found and call `done`.")

    async def _act(self, name: str, arguments: Mapping[str, Json]) -> tuple[Parts, dict[str, Any]]:
        self.actions += 1
        ref = f"a{self.actions}"
        motion, images = await self.episode.act(
            tools.motion_of(name, arguments),
            ref=ref,
            every_s=None if self.options.obs == "final" else tools.FILM_S,
            at_most=tools.MAX_FILM,
        )
        self.pose, self.t_s, self.last = motion.pose, motion.t_s, ref
        self.images.update({image.ref: image for image in images})
        refs = [image.ref for image in images]
        text = tools.action_text(
            self.actions, name, arguments, motion, refs, self.left, self.options, self._edge_m()
        )
        self.log.append(text)
        self.index.append(tools.index_text(self.actions, name, arguments, motion.pose, self.options))
        film = [self._small(image) for image in images[:-1]] if self.options.obs == "film" else []
        return [Text(text), *film, images[-1]], {
            "moved_m": round(motion.moved_m, 6),
            "blocked": motion.blocked,
        }

    async def _read_example(self, arguments: Mapping[str, Json]) -> Parts:
        made, parts = read_example(self.episode, self.options, arguments, stored=self.example is not None)
        self.example = made
        return parts

    async def _observe(self, arguments: Mapping[str, Json]) -> Parts:
        if self.options.icl and self.example is None:
            raise Refusal("Read the example first: call `read_example`.")
        if self.pose is None:
            self.pose = await self.episode.driver.load(
                self.world, effects=self.episode.effects, spawn=self.episode.start
            )
            self.images["a0"] = await self.episode.observe("a0")
            where = f" You are {tools.pose_text(self.pose)}." if self.options.proprio else ""
            text = f"action 0: the world is open.{where} time 0.00 s; picture a0; {self.left} actions left."
            self.log.append(text)
            return [Text(text), self.images["a0"]]
        lines = [f"The last view is {self.last}; {self.left} actions left."]
        lines += ["Notes:", *self.notes] if self.notes else []
        return [Text("\n".join([*lines, self.ledger()])), self.images[self.last]]

    async def _inspect(self, arguments: Mapping[str, Json]) -> Parts:
        refs = list(arguments["refs"])
        self._known(refs)
        most = self.options.inspect_budget
        if most is not None and self.inspected >= most:
            raise Refusal(f"You may call `inspect` {most} times, and have.")
        region = arguments.get("region")
        if region is None and self.options.width > INSPECT_PX:
            region = (0.0, 0.0, 1.0, 1.0)
        if region is None:
            self.inspected += 1
            return [Text(f"Pictures {', '.join(refs)}:"), *(self.images[ref] for ref in refs)]
        x0, y0, x1, y1 = (float(value) for value in region)
        if min(x1 - x0, y1 - y0) < 0.02 - EDGE_EPSILON:
            raise Refusal("The region must have x0 < x1 and y0 < y1, each at least 0.02 apart.")
        self.inspected += 1
        made = [self._crop(ref, (x0, y0, x1, y1)) for ref in refs]
        return [Text(f"Parts {', '.join(image.ref for image in made)}:"), *made]

    async def _history(self, arguments: Mapping[str, Json]) -> Parts:
        first, last = int(arguments["from_action"]), int(arguments["to_action"])
        if last < first or last - first >= tools.MAX_HISTORY:
            raise Refusal("from_action must not be after to_action, nor more than 39 before it.")
        return [Text("\n".join(self.log[first : last + 1]) or "There are no such actions.")]

    async def _write_notes(self, arguments: Mapping[str, Json]) -> Parts:
        text = str(arguments["text"])
        self.notes.append(f"(action {self.actions}) {text}")
        self.episode.row("notes", {"action": self.actions, "t_s": self.t_s, "text": text})
        return [Text("Noted.")]

    async def _flag_bug(self, arguments: Mapping[str, Json]) -> Parts:
        refs = list(arguments.get("evidence", []))
        self._known(refs)
        finding = Finding(
            f"b{len(self.findings) + 1}",
            str(arguments["description"]),
            str(arguments["category"]),
            str(arguments["status"]),
            tuple(refs),
            self.actions,
            round(self.t_s, 6),
        )
        self._file(finding, "flag")
        return [Text(f"Filed as {finding.id}.")]

    async def _update_bug(self, arguments: Mapping[str, Json]) -> Parts:
        found = self.findings.get(str(arguments["id"]))
        if found is None:
            known = ", ".join(self.findings) or "none yet"
            raise Refusal(f"There is no report {arguments['id']!r}. Reports: {known}.")
        if found.status == "retracted":
            raise Refusal(f"{found.id} was retracted; that is final.")
        refs = arguments.get("evidence")
        if refs is not None:
            self._known(list(refs))
        changed = replace(
            found,
            description=str(arguments.get("description", found.description)),
            status=str(arguments.get("status", found.status)),
            evidence=found.evidence if refs is None else tuple(refs),
            action=self.actions,
            t_s=round(self.t_s, 6),
        )
        self._file(changed, "update")
        return [Text(f"{changed.id} changed.")]

    async def _list_bugs(self, arguments: Mapping[str, Json]) -> Parts:
        return [Text(self.ledger())]

    async def _done(self, arguments: Mapping[str, Json]) -> Parts:
        if self.options.require_full_budget and self.left > 0 and self.calls <= self.options.max_tool_calls:
            raise Refusal(f"Not yet: {self.left} actions are left. Use them to look further.")
        self.finished, self.summary = True, str(arguments["summary"])
        return [Text("The inspection is over.")]

    def answer(self) -> dict[str, Json]:
        """The episode's answer: every finding and the summary."""
        return {
            "findings": [finding.to_json() for finding in self.findings.values()],
            "summary": self.summary,
            "actions": self.actions,
        }

    def _file(self, finding: Finding, operation: str) -> None:
        self.findings[finding.id] = finding
        row = finding.to_json()
        self.episode.row("findings", {**row, "evidence": ", ".join(finding.evidence), "operation": operation})

    def ledger(self, longest: int | None = None) -> str:
        """All reports, one a line; descriptions of more than `longest` characters are cut."""
        return "\n".join(item.line(longest) for item in self.findings.values()) or "No reports yet."

    def _known(self, refs: list[str]) -> None:
        unknown = [ref for ref in refs if ref not in self.images]
        if unknown:
            raise Refusal(f"There is no picture {', '.join(unknown)}; the last one is {self.last}.")

    def _crop(self, ref: str, region: tuple[float, float, float, float]) -> Image:
        base = ref.partition("#")[0]
        self.crops[base] = self.crops.get(base, 0) + 1
        made, size = _scaled(self.images[ref], region, INSPECT_PX, f"{base}#c{self.crops[base]}")
        self.episode.store_frame(made.ref, made.data, made.media_type, size)
        self.images[made.ref] = made
        return made

    def _small(self, image: Image) -> Image:
        """`image` as it is sent along with the view after an action: stored too, since a model got it."""
        if self.options.width <= FILM_PX:
            return image
        made, size = _scaled(image, (0.0, 0.0, 1.0, 1.0), FILM_PX, f"{image.ref}#small")
        self.episode.store_frame(made.ref, made.data, made.media_type, size)
        return made

    def _edge_m(self) -> float:
        assert self.pose is not None
        low, high = self.world.bounds.low, self.world.bounds.high
        x, y = self.pose.x, self.pose.y
        return min(x - low[0], high[0] - x, y - low[1], high[1] - y) - CAPSULE_RADIUS_M


def read_example(
    episode: Episode, options: Options, arguments: Mapping[str, Json], *, stored: bool
) -> tuple[Example, Parts]:
    """The example of the task's own kind, and the answer that shows it; its pictures are stored unless they are.
    Raises `Refusal` for the code of another kind."""
    kind = SUBCATEGORIES[episode.task.public["subcategory"]]
    asked = str(arguments.get("code", kind.code)).strip().lower()
    if asked not in (kind.code.lower(), kind.name):
        raise Refusal(f"The example for this inspection has the code {kind.code}; there is no other.")
    example = example_of(kind.code)
    for picture in () if stored else example.pictures:
        name = picture.image.ref.replace("ex", "ex#")
        episode.store_frame(name, picture.image.data, picture.image.media_type, picture.size)
    told = kind if options.type_hint != "none" else None
    return example, list(example.parts(told, defined=options.type_hint == "definition"))


def _scaled(
    image: Image, region: tuple[float, float, float, float], longest_px: int, ref: str
) -> tuple[Image, tuple[int, int]]:
    """`region` (shares x0, y0, x1, y1) of `image` with its longer side at `longest_px`, and its size. Both
    sides are multiples of 32, so that no provider rescales the picture once more."""
    from PIL import Image as Picture

    with Picture.open(io.BytesIO(image.data)) as picture:
        width, height = picture.size
        x0, y0, x1, y1 = region
        left, top = min(int(x0 * width), width - 1), min(int(y0 * height), height - 1)
        part = picture.crop((left, top, max(left + 1, round(x1 * width)), max(top + 1, round(y1 * height))))
        scale = longest_px / max(part.size) / 32.0
        size = (max(32, round(part.width * scale) * 32), max(32, round(part.height * scale) * 32))
        out = io.BytesIO()
        part.resize(size, Picture.Resampling.LANCZOS).save(out, "JPEG", quality=85)
    return Image(out.getvalue(), "image/jpeg", ref), size
