"""RunConfig: what a run is made of, where each value came from, and the episodes that follow from it.

Precedence: command line, environment (`EMBODIED_EVAL_*`), `--config`, `embodied-eval.toml` in the working
folder, the condition, the plugin's defaults.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from embodied_eval.benchmark import Benchmark
from embodied_eval.errors import ConfigError, DataFileError, UnknownName
from embodied_eval.records import Condition, Json

ENV_PREFIX = "EMBODIED_EVAL_"
LOCAL_FILE = "embodied-eval.toml"
DEFAULT_STORE = "embodied-eval-store"


class RunConfig(BaseModel):
    """The core's own keys of `run`. A benchmark's are in `options`, validated by its own model."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: tuple[str, ...] = Field((), description="LiteLLM name or scripted/NAME; several make several runs")
    judge_model: tuple[str, ...] = Field((), description="truth, or [POLICY:]MODEL[#VOTES]")
    votes: int = Field(
        1, ge=1, description="askings of each judge model, an odd number; the majority decides"
    )
    model_for: dict[str, str] = Field({}, description="model for another role, ROLE=NAME")
    driver: str = Field("", description="simulator driver")
    driver_address: str = Field("", description="address of a running simulator")
    tasks: tuple[str, ...] = Field((), description="globs over task ids")
    limit: int | None = Field(None, ge=1, description="at most so many tasks")
    condition: tuple[str, ...] = Field((), description="named protocol settings")
    engine: str = Field("", description="only tasks of this engine")
    world: str = Field("", description="another world than the tasks' own")
    data: str = Field("", description="folder with the official data of a benchmark")
    seed: int = Field(0, ge=0, description="seed of everything random")
    repeats: int = Field(1, ge=1, description="episodes for each task and condition")
    runner: str = Field("inprocess", description="where episodes execute")
    concurrency: int = Field(1, ge=1, description="episodes at the same time")
    address: str = Field("", description="address of a Ray cluster")
    budget_usd: float | None = Field(None, gt=0, description="stop the run at so many dollars")
    budget_tokens: int | None = Field(None, gt=0, description="stop the run at so many tokens")
    temperature: float | None = Field(None, ge=0, description="sampling temperature (none = the provider's)")
    max_tokens: int | None = Field(None, ge=1, description="longest reply, in tokens")
    timeout_s: float = Field(120.0, gt=0, description="deadline of one model call")
    tries: int = Field(3, ge=1, description="tries of one model call")
    model_concurrency: int = Field(32, ge=1, description="most calls to one model at the same time")
    api_base: str = Field("", description="base URL of an OpenAI-compatible server")
    prices: dict[str, tuple[float, float]] = Field(
        {}, description="dollars per million input and output tokens, by model"
    )
    cache: Literal["off", "read-write", "read-only"] = Field("off", description="use of cached replies")
    record: str = Field("", description="folder to record all model traffic in")
    replay: str = Field("", description="recorded folder that answers instead of the models")
    store: str = Field(DEFAULT_STORE, description="folder of the store")

    @property
    def sampling(self) -> dict[str, Json]:
        """The sampling parameters that were set: part of an episode's identity."""
        named = {"temperature": self.temperature, "max_tokens": self.max_tokens}
        return {key: value for key, value in named.items() if value is not None}


OTHER_VARIABLES = frozenset(
    {
        "EMBODIED_EVAL_UE5_ADDRESS",
        "EMBODIED_EVAL_UE5_PACK",
        "EMBODIED_EVAL_CHROMIUM",
        "EMBODIED_EVAL_UNREALCV_TESTS",
    }
)
"""Variables of ours that are no configuration keys: `doctor`, the browser and a test read these."""
TABLES = frozenset({"model_for", "prices"})
REPEATABLE = frozenset({"model", "judge_model", "tasks", "condition"})


class Resolved(BaseModel):
    """A configuration with the plugin's options still unmerged, and each value's source."""

    model_config = ConfigDict(arbitrary_types_allowed=True, frozen=True)

    config: RunConfig
    options: dict[str, Any]
    sources: dict[str, str]


def resolve(
    benchmark: Benchmark,
    *,
    command_line: Mapping[str, Any],
    options: Mapping[str, str],
    config_name: str = "",
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Resolved:
    """Merge every source of configuration into one.

    `command_line` holds the flags that were given, `options` the raw `--set` pairs, `config_name` a TOML
    file's path or the name of one that the benchmark ships. Raises UnknownName for a key nobody knows,
    ConfigError for an illegal value, DataFileError for a broken file.
    """
    environ = os.environ if environ is None else environ
    folder = folder or Path.cwd()
    values: dict[str, Any] = {}
    chosen: dict[str, Any] = {}
    sources: dict[str, str] = {}

    def take(found: Mapping[str, Any], source: str) -> None:
        for key, value in found.items():
            if key == "options":
                if not isinstance(value, Mapping):
                    raise ConfigError(f"[options] in {source} must be a table.")
                for name, option in value.items():
                    chosen[name] = option
                    sources[f"options.{name}"] = source
                continue
            if key not in RunConfig.model_fields:
                raise UnknownName(f"configuration key (in {source})", key, RunConfig.model_fields)
            if key in REPEATABLE and isinstance(value, str):
                value = (value,)
            values[key] = value
            sources[key] = source

    take(benchmark.defaults, benchmark.name)
    local = folder / LOCAL_FILE
    if local.is_file():
        take(read_toml(local), LOCAL_FILE)
    if config_name:
        path = config_file(benchmark, config_name)
        take(read_toml(path), f"--config {config_name}")
    take(_from_environment(environ), "environment")
    take({key: value for key, value in command_line.items() if value not in (None, (), {})}, "command line")
    take({"options": dict(options)}, "command line")
    try:
        config = RunConfig(**values)
    except ValidationError as error:
        raise ConfigError(_first_error(error)) from error
    if config.record and config.replay:
        raise ConfigError("A run records or replays, not both.", hint="Leave out --record or --replay.")
    return Resolved(config=config, options=chosen, sources=sources)


def merged_options(benchmark: Benchmark, condition: Condition, chosen: Mapping[str, Any]) -> Any:
    """The benchmark's validated options under `condition`; None where it has none.

    Raises UnknownName for a key it does not have, ConfigError for an illegal value.
    """
    model = benchmark.options()
    if model is None:
        if chosen:
            raise UnknownName(f"option of {benchmark.name}", next(iter(chosen)), ())
        return None
    for key in chosen:
        if key not in model.model_fields:
            raise UnknownName(f"option of {benchmark.name}", key, model.model_fields)
    try:
        return model(**{**condition.settings, **chosen})
    except ValidationError as error:
        raise ConfigError(f"{benchmark.name}: {_first_error(error)}") from error


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file as a dict; DataFileError names the file and the place of the fault."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise DataFileError(f"There is no file {path}.") from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DataFileError(f"{path} cannot be read as TOML: {error}.") from error


def config_file(benchmark: Benchmark, name: str) -> Path:
    """The file of `--config name`: a path, or a configuration shipped in the benchmark's `configs` folder."""
    if name.endswith(".toml") or "/" in name:
        return Path(name)
    import inspect

    shipped = Path(inspect.getfile(type(benchmark))).parent / "configs"
    path = shipped / f"{name}.toml"
    if not path.is_file():
        legal = sorted(item.stem for item in shipped.glob("*.toml")) if shipped.is_dir() else []
        raise UnknownName(f"configuration of {benchmark.name}", name, legal)
    return path


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for variable, value in environ.items():
        key = variable.removeprefix(ENV_PREFIX).lower()
        if not variable.startswith(ENV_PREFIX) or not value or variable in OTHER_VARIABLES:
            continue
        if key not in RunConfig.model_fields:
            legal = [ENV_PREFIX + name.upper() for name in RunConfig.model_fields]
            raise UnknownName("environment variable", variable, [*legal, *OTHER_VARIABLES])
        if key in TABLES:
            raise ConfigError(
                f"{variable} cannot be set from the environment.", hint=f"Put [{key}] in a file."
            )
        found[key] = tuple(value.split()) if key in REPEATABLE else value
    return found


def _first_error(error: ValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"]) or "configuration"
    return f"{where} = {first.get('input')!r}: {first['msg']}."
