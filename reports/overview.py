"""The index and the page of each benchmark."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

from embodied_eval.benchmark import Benchmark, EpisodeResult, Picture
from embodied_eval.records import Json

from .data import RunSource, state_of, totals
from .episode import Card
from .exhibits import PageView, shown_pages
from .pages import benchmark_href, render
from .replay import FrameView
from .summary import cause_of, grid_of, group_tables, matrix_of, overall_table

Cards = Mapping[tuple[str, str], Card]
Href = Callable[[RunSource, EpisodeResult], str]


def index_page(runs: Sequence[RunSource], missing: int, common: Mapping[str, Any]) -> str:
    """The first page: what was run, the results, what they rest on and cost."""
    by_benchmark: dict[str, list[RunSource]] = {}
    for run in runs:
        by_benchmark.setdefault(run.results.benchmark, []).append(run)
    models = len({run.results.model for run in runs})
    episodes = sum(len(run.results.episodes) for run in runs)
    names = [found[0].benchmark.title or name for name, found in by_benchmark.items()]
    shared = _shared([_facts(run) for run in runs])
    return render(
        "index.html.j2",
        title=", ".join(names) or "Report",
        lead=f"{_many(models, 'model')}, {_many(len(by_benchmark), 'benchmark')}, "
        f"{_many(episodes, 'episode')} in {_many(len(runs), 'run')}.",
        matrix=matrix_of([run for run in runs if run.results.episodes]),
        links={name: benchmark_href(name) for name in by_benchmark},
        missing=missing,
        benchmarks=[
            {
                "href": benchmark_href(name),
                "title": found[0].benchmark.title or name,
                "description": found[0].benchmark.description,
                "words": f"{_many(len({e.task.id for run in found for e in run.results.episodes}), 'task')}, "
                f"{_many(len({run.results.model for run in found}), 'model')}",
            }
            for name, found in by_benchmark.items()
        ],
        shared=shared,
        runs=[_run(number, run, shared) for number, run in enumerate(runs)],
        **common,
    )


def benchmark_page(runs: Sequence[RunSource], cards: Cards, href: Href, common: Mapping[str, Any]) -> str:
    """A benchmark's page: its own tables and the core's, one section a judge, never mixed."""
    benchmark = runs[0].benchmark
    sections = []
    for number, judge in enumerate(dict.fromkeys(run.results.judge for run in runs)):
        found = [run for run in runs if run.results.judge == judge]
        sections.append(
            {
                "id": f"s{number}",
                "judge": judge or "none",
                "pages": _pages(found, cards),
                "overall": overall_table(found, judge or "none"),
                "groups": group_tables(found, judge or "none"),
                "grid": grid_of(found, href),
                "failures": _by_cause(found, cards, {"fail", "partial"}, partial(_cause, benchmark)),
                "excluded": _by_cause(found, cards, {"excluded"}, _exclusion),
            }
        )
    return render(
        "benchmark.html.j2",
        title=benchmark.title or benchmark.name,
        description=benchmark.description,
        sections=sections,
        contents=_contents(sections),
        **common,
    )


def _pages(runs: Sequence[RunSource], cards: Cards) -> list[PageView]:
    """The benchmark's own pages over `runs`, pictures found."""
    mine = [run.run_id for run in runs]

    def find(picture: Picture) -> tuple[str, FrameView | None]:
        places = [(run_id, picture.episode_key) for run_id in ([picture.run_id] if picture.run_id else mine)]
        card = next((cards[place] for place in places if place in cards), None)
        return (card.href, card.frames.get(picture.ref)) if card else ("", None)

    return shown_pages(runs[0].benchmark.pages([run.results for run in runs]), find)


def _contents(sections: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Anchor and words of each heading; where there are several judges, only where each one's part begins."""
    if len(sections) > 1:
        return [(section["id"], f"Judge {section['judge']}") for section in sections]
    made = []
    for section in sections:
        made += [(str(number), page.title) for number, page in enumerate(section["pages"], 1)]
        made += [("metrics", "Metrics"), ("tasks", "Tasks")]
        made += [("failures", "Failures by cause")] if section["failures"] else []
        made += [("excluded", "Excluded")] if section["excluded"] else []
    return [(f"{sections[0]['id']}-{anchor}", words) for anchor, words in made]


def _by_cause(
    runs: Sequence[RunSource], cards: Cards, states: set[str], cause: Callable[[EpisodeResult], str]
) -> list[tuple[str, list[Card]]]:
    """Cards by cause, the most frequent first; within a cause the runs take turns, so that the first few show
    each of them."""
    made: dict[str, dict[str, list[Card]]] = {}
    for run in runs:
        for episode in run.results.episodes:
            if state_of(episode) in states:
                card = cards[(run.run_id, episode.episode_key)]
                made.setdefault(cause(episode), {}).setdefault(run.run_id, []).append(card)
    turns = {
        name: [card for turn in zip_longest(*of_run.values()) for card in turn if card is not None]
        for name, of_run in made.items()
    }
    return sorted(turns.items(), key=lambda entry: -len(entry[1]))


def _cause(benchmark: Benchmark, result: EpisodeResult) -> str:
    return benchmark.cause(result) or cause_of(result)


def _exclusion(result: EpisodeResult) -> str:
    status = result.outcome.status.replace("_", " ") if result.outcome else "unfinished"
    return f"{status}: {result.error_kind}" if result.error_kind else status


def _facts(run: RunSource) -> list[tuple[str, str]]:
    """How the run was made."""
    manifest = run.manifest
    versions = manifest.get("versions") or {}
    facts = [
        ("Run", run.run_id),
        ("Started", str(manifest.get("created_at", "not recorded"))),
        ("Benchmark", f"{run.results.benchmark}, version {manifest.get('benchmark_version', '?')}"),
        ("Model", run.results.model),
        ("Conditions", ", ".join(run.conditions) or "none"),
        ("Judge", run.results.judge or "none"),
        ("Driver", str(manifest.get("driver") or "none")),
        ("Renderer", str(manifest.get("renderer") or "none")),
    ]
    if isinstance(versions, Mapping):
        facts.append(("Versions", ", ".join(f"{name} {value}" for name, value in versions.items())))
    for condition in manifest.get("conditions") or ():
        if isinstance(condition, Mapping) and condition.get("settings"):
            settings = ", ".join(f"{key} {value}" for key, value in condition["settings"].items())
            facts.append((f"Condition {condition.get('name')}", settings))
    return facts


def _shared(facts: Sequence[Sequence[tuple[str, str]]]) -> list[tuple[str, str]]:
    """What holds for every run: said once, at the top."""
    return [fact for fact in facts[0] if all(fact in other for other in facts)] if facts else []


def _run(number: int, run: RunSource, shared: Sequence[tuple[str, str]]) -> dict[str, Json]:
    return {
        "anchor": f"run-{number}",
        "run_id": run.run_id,
        "model": run.results.model,
        "benchmark": run.benchmark.title or run.results.benchmark,
        "judge": run.results.judge,
        "scripted": run.scripted,
        "privileged": run.privileged,
        "totals": totals(run.results),
        "judging": run.judging,
        "facts": [fact for fact in _facts(run) if fact not in shared],
    }


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
