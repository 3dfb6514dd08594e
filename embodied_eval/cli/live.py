"""What a run shows while it lasts: a live panel on a terminal, plain lines elsewhere. All on stderr."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from embodied_eval.cli.output import plain
from embodied_eval.records import COUNTED, Verdict

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from embodied_eval.plan import Planned
    from embodied_eval.store import Receipt


class Tally:
    """The figures of a run so far."""

    def __init__(self) -> None:
        self.run_id, self.model, self.total, self.done, self.resumed = "", "", 0, 0, 0
        self.steps, self.tokens, self.cost_usd = 0, 0, 0.0
        self.cost_known = self.tokens_known = True
        self.judged = self.passed = self.excluded = 0
        self.started = time.monotonic()
        self.note = ""

    def begin(self, run_id: str, model: str, total: int, done: int) -> None:
        """See `Progress.begin`."""
        self.run_id, self.model, self.total, self.done, self.resumed = run_id, model, total, done, done

    def add(self, receipt: Receipt, verdicts: Sequence[Verdict]) -> None:
        """Count an episode."""
        self.done += 1
        if receipt.cost_usd is None:
            self.cost_known = False
        if receipt.tokens_in is None or receipt.tokens_out is None:
            self.tokens_known = False
        self.cost_usd += receipt.cost_usd or 0.0
        self.tokens += (receipt.tokens_in or 0) + (receipt.tokens_out or 0)
        if receipt.status not in COUNTED:
            self.excluded += 1
        elif verdicts and not verdicts[0].error:
            self.judged += 1
            self.passed += bool(verdicts[0].passed)

    @property
    def left_s(self) -> float | None:
        """Seconds left at the pace so far, None before the first episode."""
        played = self.done - self.resumed
        if not played:
            return None
        return (time.monotonic() - self.started) / played * (self.total - self.done)

    def line(self) -> str:
        """All of it in one line."""
        success = f"{self.passed}/{self.judged} passed" if self.judged else "none judged yet"
        cost = f"${self.cost_usd:.4f}" + ("" if self.cost_known else " + unknown")
        tokens = f"{self.tokens:,} tokens" + ("" if self.tokens_known else " + unknown")
        left = "" if self.left_s is None else f", about {_clock(self.left_s)} left"
        excluded = f", {self.excluded} excluded" if self.excluded else ""
        return f"{self.done}/{self.total} episodes, {self.steps} steps, {success}{excluded}, {tokens}, {cost}{left}"


class PlainProgress(Tally):
    """A line for each episode: what a log file gets."""

    def __init__(self, headline: str) -> None:
        super().__init__()
        self.headline = headline

    def begin(self, run_id: str, model: str, total: int, done: int) -> None:
        """See `Progress.begin`."""
        super().begin(run_id, model, total, done)
        again = f", {done} of them finished before" if done else ""
        click.echo(f"run {run_id}: {total} episodes of {plain(model)}{again}", err=True)

    def step(self) -> None:
        """See `Progress.step`."""
        self.steps += 1

    def episode(self, item: Planned, receipt: Receipt, verdicts: Sequence[Verdict]) -> None:
        """See `Progress.episode`."""
        self.add(receipt, verdicts)
        click.echo(f"  {item.task.id}: {result_text(receipt, verdicts)}  [{self.line()}]", err=True)

    def wait(self, seconds: float, why: str) -> None:
        """See `Progress.wait`."""
        click.echo(f"  waiting {seconds:.1f} s: {plain(why)}", err=True)

    def end(self) -> None:
        """See `Progress.end`; nothing to do."""


class LiveProgress(PlainProgress):
    """A bar, the figures and the last results, redrawn in place."""

    def __init__(self, console: Console, headline: str) -> None:
        super().__init__(headline)
        from rich.live import Live

        self._recent: list[str] = []
        self._live = Live(console=console, refresh_per_second=4, get_renderable=self._draw, transient=False)

    def begin(self, run_id: str, model: str, total: int, done: int) -> None:
        """See `Progress.begin`."""
        Tally.begin(self, run_id, model, total, done)
        self._live.start()

    def episode(self, item: Planned, receipt: Receipt, verdicts: Sequence[Verdict]) -> None:
        """See `Progress.episode`."""
        self.add(receipt, verdicts)
        self.note = ""
        self._recent = [*self._recent[-4:], f"{item.task.id}: {result_text(receipt, verdicts)}"]

    def wait(self, seconds: float, why: str) -> None:
        """See `Progress.wait`."""
        self.note = f"waiting {seconds:.1f} s: {plain(why)}"

    def end(self) -> None:
        """See `Progress.end`."""
        self._recent.clear()
        self._live.stop()

    def _draw(self) -> RenderableType:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.text import Text

        parts: list[RenderableType] = [
            Text(f"{plain(self.model)}  {self.run_id}", style="bold"),
            ProgressBar(total=max(1, self.total), completed=self.done, width=60),
            Text(self.line()),
            *(Text(f"  {line}", style="dim") for line in self._recent),
        ]
        if self.note:
            parts.append(Text(self.note, style="yellow"))
        return Group(*parts)


MOST_NAMED = 4
"""Verdicts that are named one by one; of more only the points are told."""


def result_text(receipt: Receipt, verdicts: Sequence[Verdict]) -> str:
    """An episode's result in a few words."""
    if receipt.status not in COUNTED:
        return f"excluded ({receipt.status}: {plain(receipt.error or receipt.reason)[:160]})"
    if not verdicts:
        return "not judged"
    if verdicts[0].error:
        return f"unjudged ({plain(verdicts[0].error)[:160]})"
    # What has a max of 0 (a single vote, a measure) is no part of the result.
    judged = [verdict for verdict in verdicts if verdict.max > 0]
    unjudged = [verdict for verdict in judged if verdict.error]
    if unjudged:
        return f"{len(unjudged)} of {len(judged)} verdicts failed ({plain(unjudged[0].error)[:160]})"
    if len(judged) > MOST_NAMED:
        points = sum(verdict.score or 0.0 for verdict in verdicts)
        return f"{points:g} of {sum(verdict.max for verdict in judged):g} points"
    return ", ".join(f"{verdict.item} {'yes' if verdict.passed else 'no'}" for verdict in judged)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
