"""What a run found, on the terminal: the galleries of the benchmark's own pages, with the files of their pictures."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import click

from embodied_eval.cli.output import plain

if TYPE_CHECKING:
    from embodied_eval.benchmark import Benchmark, Picture
    from embodied_eval.store import RunDir, Store

log = logging.getLogger("embodied_eval")


def print_galleries(store: Store, run: RunDir, benchmark: Benchmark, judge: str) -> None:
    """Print every gallery of the benchmark's pages over `run`; nothing where it shows none."""
    from embodied_eval.results import results_of

    results = results_of(store, run, judge)
    try:
        shown = [page for page in benchmark.pages([results]) if page.galleries]
    except Exception:
        # The run is finished and stored; what its plugin cannot show must not undo that.
        log.exception("%s cannot show what run %s found", benchmark.name, run.id)
        return
    files = _Files(store, run)
    for page in shown:
        click.echo(f"\n{plain(page.title)}")
        for gallery in page.galleries:
            facts = ", ".join(plain(value) for _, value in gallery.facts[:2] if value)
            click.echo(f"  {plain(gallery.title)} ({facts}): {plain(gallery.text)}")
            for picture in gallery.pictures:
                click.echo(f"      {plain(picture.caption)}  {files.of(picture)}")


class _Files:
    """Where a run's frames lie; each episode is read once."""

    def __init__(self, store: Store, run: RunDir) -> None:
        self._store, self._run = store, run
        self._known: dict[str, dict[str, str]] = {}

    def of(self, picture: Picture) -> str:
        """The file of a picture."""
        if picture.episode_key not in self._known:
            self._known[picture.episode_key] = self._read(picture.episode_key)
        sha256 = self._known[picture.episode_key].get(picture.ref)
        return str(self._store.frames.path(sha256)) if sha256 else "(not stored)"

    def _read(self, episode_key: str) -> dict[str, str]:
        receipt = self._run.receipts().get(episode_key)
        if receipt is None:
            return {}
        steps = self._run.episode(episode_key, receipt.attempt).steps
        return {frame.ref: frame.sha256 for step in steps for frame in step.frames}
