"""The folder in a real browser, from disk: it works, asks for nothing outside itself, and says nothing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from reports.build import write_report
from tests.reports.synthetic import FrameFiles, judged, result_of, source, suite, task, walk

pytestmark = pytest.mark.browser
_ARGS = ("--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking")


@dataclass
class Visit:
    """An open page and all that it said or asked for."""

    page: Any
    folder: Path
    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def open(self, path: Path) -> None:
        self.page.goto(path.as_uri())

    def clean(self) -> None:
        assert self.console == []
        home = self.folder.resolve().as_uri() + "/"
        assert [url for url in self.requests if not url.startswith((home, "data:,"))] == []


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("report")
    (root / "store").mkdir()
    return write_report(suite(FrameFiles(root / "store"), tasks=3, steps=4), root / "out").parent


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(_ARGS))
        yield running
        running.close()


@pytest.fixture
def visit(browser: Any, report: Path) -> Iterator[Visit]:
    page = browser.new_page()
    made = Visit(page, report)
    page.on("console", lambda message: made.console.append(message.text))
    page.on("pageerror", lambda error: made.console.append(str(error)))
    page.on("request", lambda request: made.requests.append(request.url))
    yield made
    page.close()


def _episode(report: Path) -> Path:
    return next(path for path in sorted((report / "episodes").iterdir()) if path.name.startswith("2-"))


def test_from_the_index_to_an_episode(visit: Visit, report: Path) -> None:
    visit.open(report / "index.html")
    assert visit.page.locator("h1").inner_text() == "Synthetic audit"
    font = visit.page.evaluate("getComputedStyle(document.body).fontFamily")
    assert "system-ui" in font, "the style sheet is let through by the page's policy"
    visit.page.locator(".matrix thead a").click()
    visit.page.wait_for_url("**/benchmark-synthetic.html")
    visit.page.locator(".grid tbody tr").first.locator("a.cell").nth(2).click()
    visit.page.wait_for_url("**/episodes/2-*.html")
    assert visit.page.locator("#count").inner_text() == "1 / 13"
    assert visit.page.evaluate("document.getElementById('frame').decode().then(() => true)")
    visit.clean()


def test_the_slider_moves_frame_plan_and_step(visit: Visit, report: Path) -> None:
    visit.open(_episode(report))
    page = visit.page

    def state() -> tuple[str, str, str, str]:
        return (
            page.locator("#frame").get_attribute("src"),
            page.locator("#agent").get_attribute("transform"),
            page.locator("#now b").first.inner_text(),
            page.locator("#where").inner_text(),
        )

    first = state()
    assert first[2] == "Start" and first[3].startswith("frame a0")
    assert page.locator(".findings .later").count() == 1
    page.locator("#slider").fill("10")
    moved = state()
    assert all(one != two for one, two in zip(first, moved, strict=True))
    assert moved[2] == "move" and moved[3] == "frame a4.f1 · 4.33 s"
    assert page.locator(".findings .later").count() == 0
    assert page.locator(".step.current").get_attribute("id") == "step-4"
    assert page.evaluate("document.getElementById('frame').decode().then(() => true)")
    visit.clean()


def test_keys_buttons_and_references(visit: Visit, report: Path) -> None:
    visit.open(_episode(report))
    page, counter = visit.page, visit.page.locator("#count")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert counter.inner_text() == "2 / 13"
    page.locator("#slider").focus()
    page.keyboard.press("End")
    assert counter.inner_text() == "13 / 13"
    page.locator(".verdicts button.ref", has_text="a2").first.click()
    assert page.locator("#where").inner_text().startswith("frame a2 ")
    page.locator("#on").click()
    assert page.locator("#where").inner_text().startswith("frame a3.f1 ")
    page.locator("#play").click()
    assert page.locator("#play").get_attribute("aria-pressed") == "true"
    page.locator("#count", has_text="9 / 13").wait_for()
    page.locator("#play").click()
    assert page.locator("#play").get_attribute("aria-pressed") == "false"
    visit.clean()


def test_the_truth_can_be_hidden(visit: Visit, report: Path) -> None:
    visit.open(_episode(report))
    page = visit.page
    page.keyboard.press("ArrowRight")
    assert page.locator("#boxes rect.seen").count() == 1 and page.locator(".target").is_visible()
    page.locator("#truth").uncheck()
    assert page.locator("#boxes rect").count() == 0 and not page.locator(".target").is_visible()
    visit.clean()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_scrolls_in_one_direction(browser: Any, report: Path, scheme: str) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    for path in (report / "index.html", report / "benchmark-synthetic.html", _episode(report)):
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        # Ink on paper: the sum of the channels tells which one is the lighter.
        ink, paper = page.evaluate(
            "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
            ".map((text) => text.match(/\\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0))"
        )
        assert (ink < paper) == (scheme == "light") and abs(ink - paper) > 450
    page.close()


def test_a_wide_grid_scrolls_by_itself(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    files = FrameFiles(tmp_path / "store")
    walked = walk(files, task(0), model="m", steps=1)
    pair = [(walked, result_of(walked, judged(False, False)))]
    write_report([source(files, f"openai/model-{n}", pair) for n in range(12)], tmp_path / "out")
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto((tmp_path / "out" / "benchmark-synthetic.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()


def test_a_script_that_is_not_ours_does_not_run(visit: Visit, report: Path, tmp_path: Path) -> None:
    text = (report / "index.html").read_text(encoding="utf-8")
    planted = tmp_path / "planted.html"
    planted.write_text(
        text.replace("</main>", "<script>document.title = 'run'</script></main>"), encoding="utf-8"
    )
    visit.open(planted)
    assert visit.page.title() != "run"
    assert any("Content Security Policy" in line for line in visit.console)
