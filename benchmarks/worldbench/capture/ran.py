"""Which code of the page ran while its clock was swept and its controls were tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.worldbench.capture.legend import assigned
from benchmarks.worldbench.capture.manifest import Ran
from embodied_eval.errors import UnknownObject

if TYPE_CHECKING:
    from benchmarks.worldbench.capture.stage import Stage
    from embodied_eval.drivers.browser.coverage import ScriptCoverage
    from embodied_eval.drivers.browser.session import PageSession

TRY_MS = 2000.0


async def collect(stage: Stage) -> tuple[Ran, ...]:
    """Try every entry of the legend, a drag and the wheel in the open page, whose coverage is on; what ran since
    its first script."""
    for line in assigned(await stage.do(lambda session: session.accessibility())).values():
        ref = line.ref

        def click(session: PageSession, ref: str = ref) -> None:
            session.click_ref(ref)

        try:
            await stage.do(click)
        except UnknownObject:
            continue  # an entry that went away ran what it runs
        await stage.run(TRY_MS, drawn=False)
    await stage.drag(80, 40)
    await stage.zoom(1)
    await stage.run(TRY_MS, drawn=False)
    return ranges(await stage.do(lambda session: session.coverage(False)))


def ranges(scripts: tuple[ScriptCoverage, ...]) -> tuple[Ran, ...]:
    """The coverage of the page's own scripts, those in its file, as characters of that file."""
    pages = {script.url for script in scripts if script.start > 0}
    made = []
    for script in scripts:
        if script.url not in pages:
            continue
        functions, idle = [], []
        for function in script.functions:
            whole = function.ranges[0]
            functions.append((function.name, whole.start, whole.end, whole.count))
            idle += [(part.start, part.end) for part in function.ranges if part.count == 0]
        made.append(
            Ran(
                script.start,
                script.start + len(script.text),
                tuple(functions),
                _joined(idle),
            )
        )
    return tuple(made)


def _joined(spans: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    made: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if made and start <= made[-1][1]:
            made[-1] = (made[-1][0], max(end, made[-1][1]))
        else:
            made.append((start, end))
    return tuple(made)
