"""Load checks in the real sealed browser: what runs, what does not, and what there is to mend."""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence

import pytest

from benchmarks.worldbench.generate import Answer, generate
from benchmarks.worldbench.load_check import Checked, Workshop
from benchmarks.worldbench.repair import Repaired, repair
from benchmarks.worldbench.scripted import BrokenThenFixed, Null, Oracle, Reference, Truncated
from embodied_eval.driver_thread import DriverThread
from embodied_eval.drivers.browser import settings
from embodied_eval.drivers.page.driver import PageDriver
from embodied_eval.models.types import Message, Reply, Request, Role, ScriptedModel, Tool
from embodied_eval.records import Json
from tests.benchmarks.worldbench.writing_kit import GOOD, HEAD, SCENE, THREE, OwnThread, Says, page, replace

pytestmark = [pytest.mark.browser, pytest.mark.gl]
SIZE = (320, 240)
MODULE = f"""{HEAD}<script type="importmap">{{"imports": {{"three": "https://unpkg.com/three@0.160.0/build/three.module.js"}}}}</script>
<script type="module">
import * as THREE from "three";
{SCENE}</script>
</body>
</html>
"""


@pytest.fixture(scope="module")
def workshop() -> Iterator[Workshop]:
    """One browser for the whole file."""
    thread = DriverThread(lambda: PageDriver(SIZE))
    with Workshop(OwnThread(thread), seed=0, size=SIZE) as made:
        yield made
    asyncio.run(thread.close())


def checked(workshop: Workshop, html: str) -> Checked:
    return asyncio.run(workshop.check(html))


def test_a_world_that_runs_is_clean(workshop: Workshop) -> None:
    found = checked(workshop, GOOD)
    assert found.loaded and found.clean and found.three == "128" and found.renderer
    assert found.sha256 == hashlib.sha256(GOOD.encode()).hexdigest()


def test_a_module_that_runs_is_clean(workshop: Workshop) -> None:
    found = checked(workshop, MODULE)
    assert found.loaded and found.clean and found.three == "160"


def test_a_parse_error_is_told_with_its_place_and_only_once(workshop: Workshop) -> None:
    found = checked(workshop, page("const land = ;\n" + SCENE))
    assert not found.loaded and found.outcome == "syntax_error"
    (fault,) = found.faults
    assert (fault.kind, fault.line) == ("syntax_error", 7) and fault.column > 0


def test_a_module_that_does_not_parse_is_told_with_its_place(workshop: Workshop) -> None:
    (fault,) = checked(workshop, page("import 'x';\nlet a = 1;\nlet a = 2;\n", kind="module")).faults
    assert fault.kind == "syntax_error" and fault.line == 9


def test_an_error_in_the_frame_callback_of_a_world_that_draws(workshop: Workshop) -> None:
    found = checked(
        workshop, page(SCENE.replace("cube.rotation.y += 0.01;", "if (performance.now() > 900) rain();"))
    )
    assert found.loaded and not found.clean
    assert "rain is not defined" in found.faults[0].text
    assert (
        "rain()"
        in page(SCENE.replace("cube.rotation.y += 0.01;", "rain();")).split("\n")[found.faults[0].line - 1]
    )


def test_what_is_refused_without_harm_is_not_told(workshop: Workshop) -> None:
    links = '<link rel="stylesheet" href="https://fonts.googleapis.com/css?family=x"><img src="https://other.example/a.png">'
    found = checked(workshop, GOOD.replace("</head>", links + "</head>"))
    assert found.loaded and found.clean


def test_console_errors_and_rejections_are_told(workshop: Workshop) -> None:
    found = checked(
        workshop, page(SCENE + "console.error('no clouds');\nPromise.reject(new Error('no sun'));\n")
    )
    assert sorted(fault.kind for fault in found.faults) == ["console", "rejection"]


@pytest.mark.parametrize(
    ("html", "outcome", "told"),
    [
        (HEAD + "</body></html>", "no_canvas", "made no canvas"),
        (
            page("const scene = new THREE.Scene();\nneverThere();\n"),
            "page_error",
            "neverThere is not defined",
        ),
        (page("location.href = '/elsewhere';\n" + SCENE), "navigated", "The page left"),
        ("", "structure", "holds no HTML document"),
    ],
)
def test_what_does_not_load(workshop: Workshop, html: str, outcome: str, told: str) -> None:
    found = checked(workshop, html)
    if outcome == "navigated":
        assert not found.loaded
        return
    assert (found.outcome, found.loaded) == (outcome, False) and told in found.faults[0].text


def test_a_script_that_never_ends_is_told_and_its_other_scripts_are_parsed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(settings.Deadlines, "__init__", _tight(settings.Deadlines.__init__))
    html = page("for (;;) {}\n").replace("</body>", "<script>let sea = ;</script></body>")
    thread = DriverThread(lambda: PageDriver(SIZE))
    with Workshop(OwnThread(thread), seed=0, size=SIZE) as workshop:
        found = checked(workshop, html)
    asyncio.run(thread.close())
    assert (found.outcome, found.loaded) == ("timeout", False)
    assert "did not answer" in found.faults[0].text
    assert [(fault.kind, fault.line) for fault in found.faults[1:]] == [("syntax_error", 9)]


def _tight(made: Callable[..., None]) -> Callable[..., None]:
    """The first browser gives a page 4 s to load; later ones have their own time."""
    first = [True]

    def init(self: object, **given: float) -> None:
        made(self, **{**given, **({"load_s": 4.0} if first.pop() else {})})
        first.append(False)

    return init


def test_two_errors_are_mended_in_two_rounds_by_errors_alone(workshop: Workshop) -> None:
    bad = page("const land = ;\n" + SCENE + "clouds();\n")
    model = Says(replace("const land = ;\n", ""), replace("clouds();\n", ""))

    async def work() -> Repaired:
        return await repair(model, bad, workshop.check, 5, 3)

    done = asyncio.run(work())
    assert done.html == GOOD and done.checked.clean
    assert [len(one.before) for one in done.rounds] == [1, 1]
    told = [asked[0].text for asked in model.asked]
    assert "parse error: " in told[0] and "clouds is not defined" in told[1]
    assert model.images == 0 and THREE not in told[1].split("\n\n")[1]


class Asks:
    """A `ModelHandle` over a scripted model, as the gateway asks one."""

    def __init__(self, model: ScriptedModel) -> None:
        self._model = model

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Tool] = (),
        schema: Mapping[str, Json] | None = None,
        role: Role = "agent",
        sampling: Mapping[str, Json] | None = None,
    ) -> Reply:
        return self._model.reply(Request(role, "scripted/x", tuple(messages), tools))


@pytest.mark.parametrize(
    ("kind", "parts", "rounds"),
    [(Oracle, 1, 0), (Reference, 1, 0), (Truncated, 3, 0), (BrokenThenFixed, 1, 2)],
)
def test_scripted_generators_end_with_the_fixture(
    workshop: Workshop,
    monkeypatch: pytest.MonkeyPatch,
    kind: type[ScriptedModel],
    parts: int,
    rounds: int,
) -> None:
    monkeypatch.setattr("benchmarks.worldbench.scripted.oracle.fixture_html", lambda fixture: fixture["html"])
    model = Asks(kind(random.Random(0), {"fixture": {"html": MODULE}}))

    async def work() -> tuple[Answer, Repaired]:
        answer = await generate(model, 3)
        return answer, await repair(model, answer.html, workshop.check, 5, 3)

    answer, done = asyncio.run(work())
    assert len(answer.parts) == parts and len(done.rounds) == rounds
    assert done.html == MODULE and done.checked.clean


def test_null_writes_a_page_that_never_becomes_a_world(workshop: Workshop) -> None:
    model = Asks(Null(random.Random(0)))

    async def work() -> Repaired:
        return await repair(model, (await generate(model, 3)).html, workshop.check, 5, 3)

    done = asyncio.run(work())
    assert done.checked.outcome == "no_canvas" and not done.checked.loaded
    assert [one.mode for one in done.rounds] == ["replace", "rewrite", "rewrite", "rewrite", "rewrite"]
