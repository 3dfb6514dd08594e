"""Where every run is kept: spools and frames as files (the truth), a DuckDB database derived from them.

`query`, `export` and `check` are modules with a function of the same name: import them from there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from embodied_eval.store.collect import Collector, rebuild
    from embodied_eval.store.frames import FrameStore
    from embodied_eval.store.query import connect
    from embodied_eval.store.records_io import EpisodeData, Receipt
    from embodied_eval.store.runs import RunDir, Store
    from embodied_eval.store.spool import EpisodeWriter

_HOMES = {
    "Collector": "collect",
    "rebuild": "collect",
    "FrameStore": "frames",
    "connect": "query",
    "EpisodeData": "records_io",
    "Receipt": "records_io",
    "RunDir": "runs",
    "Store": "runs",
    "EpisodeWriter": "spool",
}

__all__ = [
    "Collector",
    "EpisodeData",
    "EpisodeWriter",
    "FrameStore",
    "Receipt",
    "RunDir",
    "Store",
    "connect",
    "rebuild",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
