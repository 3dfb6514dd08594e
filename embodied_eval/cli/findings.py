"""What a run found, on the terminal: the galleries of the benchmark's own pages, with the files of their pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from embodied_eval.cli.output import plain

if TYPE_CHECKING:
    from embodied_eval.benchmark import Benchmark, Picture
    from embodied_eval.store import RunDir, Store


def print_galleries(store: Store, run: RunDir, benchmark: Benchmark, judge: str) -> None:
    """Print every gallery of the benchmark's pages over `run`; nothing where it shows none."""
    from embodied_eval.results import results_of

    for page in benchmark.pages([results_of(store, run, judge)]):
        if not page.galleries:
            continue
        click.echo(f"\n{plain(page.title)}")
        for gallery in page.galleries:
            facts = ", ".join(plain(value) for _, value in gallery.facts[:2] if value)
            click.echo(f"  {plain(gallery.title)} ({facts}): {plain(gallery.text)}")
            for picture in gallery.pictures:
                click.echo(f"      {plain(picture.caption)}  {_file(store, run, picture)}")


def _file(store: Store, run: RunDir, picture: Picture) -> str:
    attempts = run.attempts().get(picture.episode_key, [])
    for number in reversed(attempts):
        for step in run.episode(picture.episode_key, number).steps:
            for frame in step.frames:
                if frame.ref == picture.ref:
                    return str(store.frames.path(frame.sha256))
    return "(not stored)"
