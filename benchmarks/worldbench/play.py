"""One episode: a world is written and mended, or taken as it is; frozen; and photographed while it runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.worldbench.generate import generate
from benchmarks.worldbench.load_check import Checked, Workshop, encoded
from benchmarks.worldbench.prompts import VERSION, prompt_sha256
from benchmarks.worldbench.repair import repair
from benchmarks.worldbench.seams import capture_world
from benchmarks.worldbench.store_tables import answer_row, capture_rows, repair_row, world_row
from benchmarks.worldbench.suite import SUITE, is_given
from embodied_eval.errors import DataFileError
from embodied_eval.records import Outcome, Step

if TYPE_CHECKING:
    from benchmarks.worldbench.options import Options
    from embodied_eval.benchmark import Episode
    from embodied_eval.records import Json


@dataclass(frozen=True)
class Frozen:
    """A world that is not changed any more."""

    html: str
    checked: Checked
    source: str
    truncated: bool = False
    rounds: int = 0


async def play(episode: Episode) -> Outcome:
    """See `Benchmark.play`. A world that does not load is a completed episode without a capture; an error of the
    simulator propagates."""
    options: Options = episode.options
    with Workshop(episode.driver, seed=episode.seed, size=options.size) as workshop:
        world = await (_given if is_given(episode.task) else _written)(episode, workshop)
        episode.row(
            "worlds", world_row(world.html, world.checked, source=world.source, truncated=world.truncated)
        )
        await _step(episode, "freeze", {}, f"{world.checked.sha256[:12]}, {world.checked.told}")
        if not world.checked.loaded:
            told = f"The world does not load: {world.checked.told}"
            return Outcome("completed", _answer(world, loaded=False), told)
        manifest = await capture_world(episode, encoded(world.html).decode(), options)
    for table, row in capture_rows(manifest):
        episode.row(table, row)
    told = manifest.incomplete if manifest.loaded else f"The world does not load: {manifest.outcome}"
    return Outcome("completed", _answer(world, loaded=manifest.loaded), told)


async def _given(episode: Episode, workshop: Workshop) -> Frozen:
    page = episode.world.page if episode.world is not None else None
    if page is None or not page.folder:
        raise DataFileError(f"{episode.task.world} is no HTML file.", hint="Name a file: --world FILE.html")
    path = Path(page.folder) / page.entry
    try:
        # Bytes that are no UTF-8 are read as a browser reads them.
        html = path.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise DataFileError(f"{path} cannot be read: {error.strerror or error}.") from error
    return Frozen(html, await workshop.check(html), "given")


async def _written(episode: Episode, workshop: Workshop) -> Frozen:
    options: Options = episode.options
    answer = await generate(episode.model, options.continuations)
    for number, part in enumerate(answer.parts, 1):
        episode.row("answers", answer_row(number, part))
    size = len(encoded(answer.html))
    told = f"{size} bytes in {len(answer.parts)} part(s){', cut off' if answer.truncated else ''}"
    await _step(episode, "generate", {"prompt": VERSION}, told)
    repaired = await repair(
        episode.model, answer.html, workshop.check, options.repair_rounds, options.continuations
    )
    for one in repaired.rounds:
        episode.row("repairs", repair_row(one))
        left = f"{len(one.before)} error(s) before, {len(one.after)} after, {one.applied} edit(s)"
        told = f"{left}. {one.ended}".strip()
        await _step(episode, "repair", {"round": one.number, "mode": one.mode}, told)
    return Frozen(repaired.html, repaired.checked, "generated", answer.truncated, len(repaired.rounds))


def _answer(world: Frozen, *, loaded: bool) -> dict[str, Json]:
    return {
        "suite": SUITE,
        "prompt_sha256": prompt_sha256() if world.source == "generated" else "",
        "source": world.source,
        "sha256": world.checked.sha256,
        "bytes": len(encoded(world.html)),
        "outcome": world.checked.outcome,
        "loaded": loaded,
        "clean": world.checked.clean,
        "repair_rounds": world.rounds,
    }


async def _step(episode: Episode, action: str, arguments: dict[str, Json], result: str) -> None:
    await episode.step(Step(0, action, arguments, result))
