"""Whether quoted code ran, by ranges as the browser gives them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.worldbench.source.executed import Executed, executed
from benchmarks.worldbench.source.quotes import Matcher
from embodied_eval.drivers.browser.browser import Browser
from embodied_eval.drivers.browser.session import PageSession
from embodied_eval.drivers.browser.settings import BrowserSettings
from embodied_eval.drivers.browser.site import Site
from tests.benchmarks.worldbench.source.kit import source_of

CODE = """
const built = [];
function buildSwamp() {
  built.push('mangrove', 12);
  if (false) {
    built.push('lily pads', 13);
  }
}
function buildJungle() {
  built.push('a waterfall', 14);
}
buildSwamp();
"""
SOURCE = source_of(CODE, "<!doctype html><p>🌋</p>\n<canvas></canvas>\n")
MATCHER = Matcher(SOURCE)


def place(text: str, after: int = 0) -> int:
    return SOURCE.html.index(text, after)


def ran(found: Executed, text: str) -> bool | None:
    return found.mark(MATCHER.verify(text)).executed


def by_hand() -> Executed:
    swamp, jungle = place("function buildSwamp"), place("function buildJungle")
    dead = place("{", place("if (false)"))
    whole = [(place("\nconst built"), place("</script>"), 1)]
    return executed(
        MATCHER.units,
        [
            [
                whole,
                [(swamp, jungle - 1, 1), (dead, SOURCE.html.index("}", dead) + 1, 0)],
                [(jungle, jungle + 62, 0)],
            ]
        ],
    )


def check(found: Executed) -> None:
    assert ran(found, "built.push('mangrove', 12);") is True
    assert ran(found, "built.push('lily pads', 13);") is False
    assert ran(found, "if (false) {\n built.push('lily pads', 13);") is False
    assert ran(found, "function buildJungle() {\n built.push('a waterfall', 14);") is False
    assert ran(found, "function buildSwamp() {\n built.push('mangrove', 12);") is True
    never = "".join(SOURCE.text[one.start : one.end] for one in found.never_ran())
    assert "lily pads" in never
    assert "mangrove" not in never


def test_the_innermost_range_decides() -> None:
    check(by_hand())


def test_a_refused_quote_and_unknown_code_are_not_known() -> None:
    assert ran(by_hand(), "inventedCall(everything);") is None
    assert ran(executed(MATCHER.units, []), "built.push('mangrove', 12);") is None


def test_what_ran_in_any_take_ran() -> None:
    jungle = place("function buildJungle")
    later = executed(MATCHER.units, [[[(jungle, jungle + 62, 0)]], [[(jungle, jungle + 62, 4)]]])
    assert ran(later, "built.push('a waterfall', 14);") is True


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser(BrowserSettings(size=(320, 240))) as made:
        yield made


@pytest.mark.browser
def test_ranges_of_a_real_browser(browser: Browser) -> None:
    session = PageSession(browser, size=(320, 240))
    session.coverage(True)
    session.open(Site.from_files({"index.html": SOURCE.html.encode()}), ready_frames=1)
    taken = session.coverage(False)
    ranges = [
        [[(one.start, one.end, one.count) for one in function.ranges] for function in script.functions]
        for script in taken
    ]
    check(executed(MATCHER.units, [[one for script in ranges for one in script]]))
