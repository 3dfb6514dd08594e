"""`build_report`: from runs in a store to one folder of pages that opens from disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from embodied_eval.benchmark import Benchmark, EpisodeResult
from embodied_eval.records import Json

from .data import RunSource
from .episode import EpisodePages
from .folder import ReportFolder
from .overview import benchmark_page, index_page
from .pages import benchmark_href
from .privacy import public_results

if TYPE_CHECKING:
    from embodied_eval.store import RunDir, Store

Progress = Callable[[int, int], None]


def build_report(
    store: Store,
    runs: Sequence[RunDir],
    out: Path,
    *,
    public: bool = False,
    judge: str | None = None,
    progress: Progress | None = None,
) -> Path:
    """Write the report over `runs` to the folder `out` and return its `index.html`.

    `judge` chooses whose verdicts are shown (None = each run's own). `public` leaves out everything
    private (see `privacy`). `progress(done, episodes)` is called after every episode's page. An earlier
    report in `out` is replaced whole; raises `DataFileError` where `out` holds something else.
    """
    from embodied_eval.plugins import load_benchmark
    from embodied_eval.results import find_judge_key, judging_usage, results_of, trajectory_of

    benchmarks: dict[str, Benchmark] = {}
    sources = []
    for run in runs:
        results = results_of(store, run, judge)
        if results.benchmark not in benchmarks:
            benchmarks[results.benchmark] = load_benchmark(results.benchmark)
        benchmark = benchmarks[results.benchmark]
        sources.append(
            RunSource(
                run_id=run.id,
                manifest=run.manifest,
                benchmark=benchmark,
                results=results,
                metrics=(),
                load=partial(trajectory_of, store, run, benchmark=benchmark),
                frame_path=store.frames.path,
                judging=judging_usage(run, find_judge_key(run, judge)),
            )
        )
    return write_report(sources, out, public=public, progress=progress)


def write_report(
    sources: Sequence[RunSource], out: Path, *, public: bool = False, progress: Progress | None = None
) -> Path:
    """`build_report` from sources already at hand. Their `metrics` are computed here from what the chosen
    edition may show: in the public one, `summarize` too sees tasks without their private half."""
    shown = [_edition(source, public) for source in sources]
    common = _common(public)
    todo = sum(len(source.results.episodes) for source in shown)
    done = 0
    with ReportFolder(out) as folder:
        pages = EpisodePages(folder, public, common)
        for number, source in enumerate(shown):
            for episode in source.results.episodes:
                pages.write(number, source, episode)
                done += 1
                if progress is not None:
                    progress(done, todo)
        by_benchmark: dict[str, list[RunSource]] = {}
        for source in shown:
            by_benchmark.setdefault(source.results.benchmark, []).append(source)

        def href(source: RunSource, episode: EpisodeResult) -> str:
            return pages.cards[(source.run_id, episode.episode_key)].href

        for name, found in by_benchmark.items():
            folder.write(benchmark_href(name), benchmark_page(found, pages.cards, href, common))
        folder.write("index.html", index_page(shown, len(folder.missing), common))
    return out / "index.html"


def _edition(source: RunSource, public: bool) -> RunSource:
    results = public_results(source.results) if public else source.results
    return replace(source, results=results, metrics=tuple(source.benchmark.summarize(results)))


def _common(public: bool) -> Mapping[str, Any]:
    """What every page says."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        made_by = version("embodied-eval")
    except PackageNotFoundError:
        made_by = "from a checkout"
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    common: dict[str, Json] = {"public": public, "made_by": made_by, "made_at": now}
    return common
