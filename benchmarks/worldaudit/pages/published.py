"""The paper's numbers, from the package's data: what reports set beside ours, always apart and with the source."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from embodied_eval.errors import DataFileError, SchemaMismatch

SCHEMA = "embodied-eval/worldaudit-published/1"
NAME = "published.toml"
NOT_COMPARABLE = "These rows come from another harness, other worlds and tasks, and another judge: not comparable one to one."


@dataclass(frozen=True)
class PublishedRun:
    """One model under one arm: passes by family, families in the taxonomy's order."""

    arm: str
    model: str
    passes: tuple[int, ...]


@dataclass(frozen=True)
class PublishedExposure:
    """How many tasks' targets were in view, exposed and identified."""

    arm: str
    model: str
    covered: int
    exposed: int
    identified: int


@dataclass(frozen=True)
class Published:
    """All that reports quote. `ablations` are passes of `ablation_tasks` by arm and condition, the arm's own
    setting as "default"; `several` counts of `several_runs` by condition, "anchor" and "all" as far as printed.
    """

    citation: str
    judge: str
    family_sizes: tuple[int, ...]
    main: tuple[PublishedRun, ...]
    human_percent: tuple[float, ...]
    human_overall: float
    ablation_model: str
    ablation_tasks: int
    ablations: Mapping[str, Mapping[str, int]]
    several_runs: int
    several: Mapping[str, Mapping[str, int]]
    exposure: tuple[PublishedExposure, ...]
    speed_up: tuple[float, float]

    @property
    def tasks(self) -> int:
        """The size of the whole suite."""
        return sum(self.family_sizes)

    @property
    def group_title(self) -> str:
        """What stands over published rows."""
        return f"Published: {self.citation}"


@cache
def published() -> Published:
    """The numbers; raises `DataFileError` or `SchemaMismatch` where the file is not as it was shipped."""
    text = files("benchmarks.worldaudit").joinpath("data", NAME).read_text("utf-8")
    data = tomllib.loads(text)
    if data.get("schema") != SCHEMA:
        raise SchemaMismatch(f"{NAME} is of schema {data.get('schema')!r}; this version reads {SCHEMA!r}.")
    try:
        ablations, several = dict(data["ablations"]), dict(data["several"])
        return Published(
            citation=data["citation"],
            judge=data["judge"],
            family_sizes=tuple(data["family_sizes"]),
            main=tuple(PublishedRun(row["arm"], row["model"], tuple(row["passes"])) for row in data["main"]),
            human_percent=tuple(data["human"]["percent"]),
            human_overall=data["human"]["overall"],
            ablation_model=ablations.pop("model"),
            ablation_tasks=ablations.pop("tasks"),
            ablations=ablations,
            several_runs=several.pop("runs"),
            several=several,
            exposure=tuple(PublishedExposure(**row) for row in data["exposure"]),
            speed_up=(data["speed_up"][0], data["speed_up"][1]),
        )
    except (KeyError, TypeError, IndexError) as error:
        raise DataFileError(
            f"{NAME} lacks what this version reads: {error}", hint="Install again."
        ) from error
