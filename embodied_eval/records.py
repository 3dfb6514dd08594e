"""The records that every part shares: frozen, JSON-able, named as in the store and the CLI."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import Any, Literal

Json = Any
PLAIN_NAME = re.compile(r"[\w-]*")
"""A JSON value: None, bool, int, float, str, list or dict of these."""

EpisodeStatus = Literal[
    "completed",
    "budget_exhausted",
    "invalid_reply",
    "refused",
    "model_error",
    "simulator_error",
    "harness_error",
    "cancelled",
]
COUNTED: frozenset[str] = frozenset({"completed", "budget_exhausted", "invalid_reply", "refused"})
"""Statuses that are the model's own result. Every other one is excluded and shown as such."""


def canonical_json(value: Json) -> str:
    """`value` as canonical JSON: sorted keys, no spaces, floats rounded to 1e-6, no NaN.

    Raises ValueError for a NaN or infinite float.
    """
    return json.dumps(
        _canonical(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def _canonical(value: Json) -> Json:
    if isinstance(value, bool) or value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} has no place in canonical JSON")
        rounded = round(value, 6)
        return int(rounded) if rounded == int(rounded) else rounded
    if isinstance(value, Mapping):
        return {str(key): _canonical(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [_canonical(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no place in canonical JSON")


def content_hash(value: Json) -> str:
    """SHA-256 (hex) of `value`'s canonical JSON."""
    # A provider may send a lone surrogate; it is hashed as it stands.
    return hashlib.sha256(canonical_json(value).encode(errors="surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Task:
    """One problem of a benchmark.

    `public` is all that a prompt, tool result, log shown to a model or file name may contain;
    `private` is the truth (target, anomaly, effects, rubric, solution). `scene` is the cluster that
    intervals resample by; `world` names the bundled world it plays in ("" = none). `needs` are driver
    capabilities without which the task is not offered.
    """

    id: str
    public: Mapping[str, Json]
    private: Mapping[str, Json] = field(default_factory=dict)
    engine: str = ""
    scene: str = ""
    world: str = ""
    tags: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    @cached_property
    def sha256(self) -> str:
        """Content hash of the whole task, both halves; where a world that is a file lies is not in it (the
        file's content is part of the episode's identity)."""
        return content_hash(
            {
                "id": self.id,
                "public": self.public,
                "private": self.private,
                "engine": self.engine,
                "scene": self.scene,
                "world": self.world if PLAIN_NAME.fullmatch(self.world) else "",
                "tags": self.tags,
                "needs": self.needs,
            }
        )

    def without_truth(self) -> Task:
        """The same task with an empty private half: what `play` may see."""
        return Task(
            id=self.id,
            public=self.public,
            engine=self.engine,
            scene=self.scene,
            world=self.world,
            tags=self.tags,
            needs=self.needs,
        )


@dataclass(frozen=True)
class Condition:
    """A named record of protocol settings (budget, hints, arm ...).

    One with `members` is a set: it stands for the conditions of these names, in their order. `engine`: unless
    the configuration names one, only tasks of this engine are played under it.
    """

    name: str
    settings: Mapping[str, Json] = field(default_factory=dict)
    description: str = ""
    members: tuple[str, ...] = ()
    engine: str = ""


@dataclass(frozen=True)
class Pose:
    """Where the agent stands: feet point (metres, z up), yaw (degrees, counter-clockwise from above,
    0 = +x), pitch (degrees, positive up)."""

    x: float
    y: float
    z: float
    yaw_deg: float = 0.0
    pitch_deg: float = 0.0


@dataclass(frozen=True)
class FrameRef:
    """One stored image: `ref` is its name in the episode (`a12`, `a12.f3`), `sha256` its bytes."""

    ref: str
    sha256: str
    media_type: str
    width: int
    height: int
    bytes: int
    t_s: float = 0.0
    pose: Pose | None = None


@dataclass(frozen=True)
class Step:
    """One action and what came back. `t_s` is simulated seconds after the action."""

    index: int
    action: str
    arguments: Mapping[str, Json]
    result: str
    t_s: float = 0.0
    pose: Pose | None = None
    moved_m: float = 0.0
    blocked: bool = False
    counts: bool = True
    frames: tuple[FrameRef, ...] = ()


@dataclass(frozen=True)
class ModelCall:
    """One request to a model as accounted for: tokens, dollars (None = price unknown), tries, errors.

    `messages` are those beyond the first `known_messages`, which equal the previous call's of this role;
    images appear as `{"type": "image", "sha256": ...}`.
    """

    index: int
    role: str
    model: str
    known_messages: int
    messages: tuple[Mapping[str, Json], ...]
    reply: Mapping[str, Json] | None
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None
    tries: int
    wall_s: float
    finish: str = ""
    cached: bool = False
    error: str = ""
    error_kind: str = ""


@dataclass(frozen=True)
class Outcome:
    """What an episode ended with. `answer` is the model's result (a report, a plan, a file hash)."""

    status: EpisodeStatus
    answer: Mapping[str, Json] = field(default_factory=dict)
    reason: str = ""

    @property
    def counts(self) -> bool:
        """Whether this outcome is the model's own result."""
        return self.status in COUNTED


@dataclass(frozen=True)
class VisibilityRow:
    """How one watched object showed in one frame, and how its clean twin would have.

    Pixels are counts in an image of `image_pixels`; `unoccluded` counts the object drawn alone; `box` is
    (x0, y0, x1, y1) in pixels or None. Private: it tells where the truth is.
    """

    ref: str
    object: str
    pixels: int
    unoccluded: int
    box: tuple[int, int, int, int] | None
    twin_pixels: int
    twin_unoccluded: int
    twin_box: tuple[int, int, int, int] | None
    image_pixels: int


@dataclass(frozen=True)
class Event:
    """Something that happened: a trigger fired, a contact, a device switched. `private` = tells the truth."""

    kind: str
    t_s: float
    step: int
    data: Mapping[str, Json] = field(default_factory=dict)
    private: bool = False


@dataclass(frozen=True)
class Verdict:
    """One item judged. `passed` and `score` are None when `error` says why there is no verdict."""

    item: str
    score: float | None
    max: float
    passed: bool | None
    reason: str = ""
    evidence: tuple[str, ...] = ()
    judge: str = ""
    judge_version: str = ""
    error: str = ""


@dataclass(frozen=True)
class Metric:
    """An aggregate: `value` in `unit` with its interval, over `n` results of a fixed `denominator`.

    A value that is not supported is None with a `reason`, never 0. `group` is the subset it is over
    (a family, a condition), "" for all.
    """

    name: str
    value: float | None
    n: int
    low: float | None
    high: float | None
    unit: str
    denominator: int
    group: str = ""
    condition: str = ""
    judge: str = ""
    reason: str = ""


@dataclass(frozen=True)
class EpisodeKey:
    """Identity of an episode, version 1: what is hashed, field by field (`contracts.md`, Identity)."""

    benchmark: str
    benchmark_version: int
    task: str
    task_sha256: str
    condition: Mapping[str, Json]
    driver: str
    world_sha256: str
    model: str
    sampling: Mapping[str, Json]
    other_models: Mapping[str, str]
    prompt_sha256: str
    seed: int
    repeat: int
    version: int = 1

    @cached_property
    def hex(self) -> str:
        """The key as 32 hex digits: file names, rows, the seed of all the episode's randomness."""
        return content_hash(asdict(self))[:32]


def to_json(record: Any) -> dict[str, Json]:
    """A record as a JSON object, nested records included; tuples become lists."""
    return {name: _plain(getattr(record, name)) for name in field_names(record)}


def field_names(record: Any) -> tuple[str, ...]:
    """The names of a record's fields, in order; read once for its class, since every step stored asks."""
    kind = type(record)
    names = _NAMES.get(kind)
    if names is None:
        names = _NAMES[kind] = tuple(item.name for item in fields(record))
    return names


_NAMES: dict[type, tuple[str, ...]] = {}
_SCALARS = frozenset({str, int, float, bool, type(None)})


def _plain(value: Any) -> Json:
    kind = type(value)
    # The exact types come first: every value of every step recorded passes here.
    if kind in _SCALARS:
        return value
    if kind is dict:
        return {key: _plain(item) for key, item in value.items()}
    if kind is list or kind is tuple:
        return [_plain(item) for item in value]
    if hasattr(value, "__dataclass_fields__"):
        return to_json(value)
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
