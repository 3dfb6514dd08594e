"""From a configuration to episodes: which tasks, under which conditions, with which identity."""

from __future__ import annotations

import fnmatch
import logging
import platform
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from embodied_eval.benchmark import Benchmark
from embodied_eval.errors import ConfigError, UnknownName
from embodied_eval.records import Condition, EpisodeKey, Json, Task, content_hash, to_json

if TYPE_CHECKING:
    from embodied_eval.config import Resolved, RunConfig

RUN_SCHEMA = "embodied-eval/run/1"
RECORDED_PACKAGES = (
    "torch",
    "ray",
    "litellm",
    "unrealcv",
    "playwright",
    "mujoco",
    "moderngl",
    "duckdb",
    "numpy",
)

UNRECORDED = {"store", "address", "driver_address", "api_base", "record", "replay", "data"}
"""Places on this machine and in its network: not part of a run's manifest."""

log = logging.getLogger("embodied_eval")


@dataclass(frozen=True)
class Planned:
    """One episode to play: what identifies it and what it is played with."""

    key: EpisodeKey
    task: Task
    condition: Condition
    options: Any
    repeat: int
    seed: int

    @property
    def hex(self) -> str:
        """The episode's key in hex."""
        return self.key.hex


def select_tasks(benchmark: Benchmark, config: RunConfig, engine: str = "") -> list[Task]:
    """The tasks that `--world`, `--tasks`, `--engine` (else `engine`) and `--limit` leave, in the benchmark's
    order.

    Raises UnknownName for a pattern or engine that fits no task.
    """
    tasks = list(benchmark.offer(config.world, config.data).tasks)
    engine = config.engine or engine
    if engine:
        engines = {task.engine for task in tasks}
        if engine not in engines:
            raise UnknownName(f"engine in {benchmark.name}", engine, engines)
        tasks = [task for task in tasks if task.engine == engine]
    if config.tasks:
        for pattern in config.tasks:
            if not any(fnmatch.fnmatchcase(task.id, pattern) for task in tasks):
                raise UnknownName(f"task in {benchmark.name}", pattern, (task.id for task in tasks))
        tasks = [
            task for task in tasks if any(fnmatch.fnmatchcase(task.id, pattern) for pattern in config.tasks)
        ]
    return tasks[: config.limit]


def select_conditions(
    benchmark: Benchmark, names: Sequence[str], world: str = "", data: str = ""
) -> list[Condition]:
    """The conditions named, each once and a set's members in its place, or the first that the benchmark offers
    in `world` and for `data`. A set's `engine` becomes its members'. Raises UnknownName."""
    known = {condition.name: condition for condition in benchmark.offer(world, data).conditions}
    chosen: dict[str, Condition] = {}
    for name in names or list(known)[:1]:
        if name not in known:
            raise UnknownName(f"condition of {benchmark.name}", name, known)
        one = known[name]
        for member in one.members or (name,):
            chosen.setdefault(member, replace(known[member], engine=known[member].engine or one.engine))
    return list(chosen.values())


def driver_of(benchmark: Benchmark, config: RunConfig) -> str:
    """The driver named, or the one that the benchmark plays on in that world; "" for none."""
    return config.driver or benchmark.offer(config.world, config.data).driver


def plan_run(
    benchmark: Benchmark, resolved: Resolved, model: str, *, tasks: Sequence[Task] | None = None
) -> list[Planned]:
    """Every episode of `model`'s run, in order: condition by condition, task by task, repeat by repeat.

    `tasks` stands in for the benchmark's own where given.
    """
    # Here, so that `ls tasks` can hash a suite without pydantic.
    from embodied_eval.config import merged_options

    config = resolved.config
    check_model(benchmark, model)
    driver = driver_of(benchmark, config)
    prompts = content_hash(dict(benchmark.prompts()))
    worlds: dict[str, str] = {}
    planned = []
    for condition in select_conditions(benchmark, config.condition, config.world, config.data):
        options = merged_options(benchmark, condition, resolved.options)
        settings: dict[str, Json] = {"name": condition.name}
        settings |= options.model_dump(mode="json") if options is not None else dict(condition.settings)
        offered = select_tasks(benchmark, config, condition.engine) if tasks is None else tasks
        played = [variant for one in offered for variant in benchmark.variants(one, options)]
        for task in playable(benchmark, played, driver):
            if task.world not in worlds:
                world = benchmark.world(task, options)
                worlds[task.world] = "" if world is None else world.sha256
            for repeat in range(config.repeats):
                key = EpisodeKey(
                    benchmark=benchmark.name,
                    benchmark_version=benchmark.version,
                    task=task.id,
                    task_sha256=task.sha256,
                    condition=settings,
                    driver=driver,
                    world_sha256=worlds[task.world],
                    model=model,
                    sampling=config.sampling,
                    other_models=dict(sorted(config.model_for.items())),
                    prompt_sha256=prompts,
                    seed=config.seed,
                    repeat=repeat,
                )
                planned.append(Planned(key, task, condition, options, repeat, config.seed))
    if not planned:
        raise ConfigError("The configuration leaves no episode to play.", hint="Loosen --tasks or --limit.")
    return planned


def playable(benchmark: Benchmark, tasks: Sequence[Task], driver: str) -> list[Task]:
    """Those of `tasks` that `driver` has the capabilities for: what the task says it needs, and what its
    effects do. The others are not offered there, which is told.

    Raises DataFileError or ConfigError for effects that are not of a known form.
    """
    if not driver:
        return list(tasks)
    from embodied_eval.plugins import load
    from embodied_eval.worlds.effects import parse_effects, required_capabilities

    has = load("drivers", driver).capabilities
    lacking = {}
    for task in tasks:
        effects = parse_effects(benchmark.effects(task), where=f"effects of {task.id}")
        if missing := (required_capabilities(effects) | set(task.needs)) - has:
            lacking[task.id] = missing
    if lacking:
        wanted = ", ".join(sorted(set().union(*lacking.values())))
        log.warning("%d tasks are not offered on driver %s, which lacks: %s", len(lacking), driver, wanted)
    return [task for task in tasks if task.id not in lacking]


def check_model(benchmark: Benchmark, model: str) -> None:
    """Raise UnknownName for a `scripted/NAME` that the benchmark does not have."""
    if model.startswith("scripted/"):
        names = [f"scripted/{name}" for name in benchmark.scripted()]
        if model not in names:
            raise UnknownName(f"scripted model of {benchmark.name}", model, names)
    elif not re.fullmatch(r"[\w.:@+/-]{1,200}", model):
        raise ConfigError(f"{model!r} is not a model's name.", hint="Example: openai/gpt-4o, scripted/null.")


def is_privileged(benchmark: Benchmark, model: str) -> bool:
    """Whether `model` is a scripted one that sees the truth."""
    kind = (
        benchmark.scripted().get(model.removeprefix("scripted/")) if model.startswith("scripted/") else None
    )
    return bool(kind and kind.privileged)


def models_by_role(benchmark: Benchmark, model: str, model_for: Mapping[str, str]) -> dict[str, str]:
    """The model of each role: the run's own for `agent`, `--model-for` or the plugin's default for others."""
    roles = {role: name or model for role, name in benchmark.roles().items()}
    return {"agent": model, **roles, **model_for}


def suite_hash(tasks: Sequence[Task]) -> str:
    """One hash over all tasks' content, in order."""
    return content_hash([[task.id, task.sha256] for task in tasks])


def first_difference(mine: Mapping[str, Json], other: Mapping[str, Json]) -> str:
    """The first field (in declaration order) in which two keys differ, with both values; "" if none."""
    for item in fields(EpisodeKey):
        a, b = mine.get(item.name), other.get(item.name)
        if a == b:
            continue
        if isinstance(a, Mapping) and isinstance(b, Mapping):
            for name in sorted({*a, *b}):
                if a.get(name) != b.get(name):
                    return f"{item.name}.{name}: {b.get(name)!r} -> {a.get(name)!r}"
        return f"{item.name}: {b!r} -> {a!r}"
    return ""


def new_run_id(benchmark: str, model: str) -> str:
    """`<benchmark>-<model slug>-<UTC time>-<4 hex>`."""
    slug = re.sub(r"[^a-z0-9]+", "-", model.lower()).strip("-")[:40]
    return f"{benchmark}-{slug}-{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(2)}"


def manifest(
    benchmark: Benchmark, resolved: Resolved, model: str, judge: str, planned: Sequence[Planned]
) -> tuple[dict[str, Json], dict[str, Json]]:
    """run.json and the private tasks of a new run."""
    config = resolved.config
    tasks = {item.task.id: item.task for item in planned}
    conditions = {item.condition.name: item for item in planned}
    public = {
        "schema": RUN_SCHEMA,
        "run_id": new_run_id(benchmark.name, model),
        "benchmark": benchmark.name,
        "benchmark_version": benchmark.version,
        "suite_hash": suite_hash(list(tasks.values())),
        "model": model,
        "privileged": any(
            is_privileged(benchmark, name)
            for name in models_by_role(benchmark, model, config.model_for).values()
        ),
        "judge": judge,
        "driver": driver_of(benchmark, config),
        "created_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions(),
        "renderer": "",
        "cassette": "replay" if config.replay else "record" if config.record else "",
        "config": config.model_dump(mode="json", exclude=UNRECORDED) | {"options": resolved.options},
        "conditions": [
            {
                "name": name,
                "description": item.condition.description,
                "settings": dict(item.key.condition),
            }
            for name, item in conditions.items()
        ],
        "tasks": [task_row(task) for task in tasks.values()],
        "tables": {
            name: {"columns": dict(spec.columns), "version": spec.version, "private": spec.private}
            for name, spec in benchmark.tables().items()
        },
        "plan": [
            {
                "episode_key": item.hex,
                "key_fields": asdict(item.key),
                "task_id": item.task.id,
                "condition": item.condition.name,
                "repeat": item.repeat,
                "seed": item.seed,
            }
            for item in planned
        ],
    }
    private = {task.id: dict(task.private) for task in tasks.values()}
    return public, private


def task_row(task: Task) -> dict[str, Json]:
    """A task's public half as run.json and `ls` show it."""
    row = to_json(task)
    del row["private"]
    return row | {"sha256": task.sha256}


def versions() -> dict[str, str]:
    """Versions of Python, the system and the packages that results may depend on; nothing is imported."""
    from importlib.metadata import PackageNotFoundError, version

    from embodied_eval import __version__

    found = {
        "embodied-eval": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }
    for name in RECORDED_PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
