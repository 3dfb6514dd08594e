"""Every way a load can end, from real pages."""

from __future__ import annotations

import pytest

from embodied_eval.drivers.browser.browser import Browser
from embodied_eval.drivers.browser.outcome import PageMessage, PageStatus, outcome_of
from embodied_eval.drivers.browser.site import Request
from embodied_eval.errors import PageFailed, ProtocolError
from tests.drivers.browser.conftest import Browsers
from tests.drivers.browser.session_kit import DRAWN, R128, SETTINGS, classic, module, opened

pytestmark = pytest.mark.browser
BLANK_GL = """<canvas id=c></canvas><script>const gl = c.getContext("webgl2"); gl.clearColor(1, 0, 0, 1);
(function f() { gl.clear(gl.COLOR_BUFFER_BIT); requestAnimationFrame(f); })();</script>"""


@pytest.fixture
def browser(browsers: Browsers) -> Browser:
    return browsers(SETTINGS)


@pytest.mark.parametrize(
    ("page", "outcome", "error"),
    [
        pytest.param(DRAWN, "ready", None, id="drawn"),
        pytest.param(
            "<canvas></canvas><script>\n\n let a = ;</script>",
            "syntax_error",
            PageMessage("syntax_error", "SyntaxError: Unexpected token ';'", 3, 10, "https://world.invalid/"),
            id="syntax",
        ),
        pytest.param(
            "<canvas></canvas><script type=module>\nawait 0;\n  missing();</script>",
            "page_error",
            PageMessage(
                "exception", "ReferenceError: missing is not defined", 3, 3, "https://world.invalid/"
            ),
            id="throws",
        ),
        pytest.param(
            "<canvas></canvas><script>Promise.reject(new Error('lost'));</script>",
            "page_error",
            PageMessage("rejection", "Error: lost", 1, 41, "https://world.invalid/"),
            id="rejects",
        ),
        pytest.param("<p>Only text.</p>", "no_canvas", None, id="no canvas"),
        pytest.param(
            "<canvas id=c></canvas><script>c.getContext('2d'); c.getContext('webgl2');</script>",
            "no_webgl",
            None,
            id="no webgl",
        ),
        pytest.param("<canvas></canvas>", "no_webgl", None, id="never asked"),
        pytest.param(BLANK_GL, "blank", None, id="blank"),
        pytest.param(
            classic(R128).replace("requestAnimationFrame(frame);\n</script>", "</script>"),
            "never_ready",
            None,
            id="idle",
        ),
        pytest.param(
            "<canvas></canvas><script>setTimeout(() => { __initError = 'no such case'; }, 20)</script>",
            "init_error",
            PageMessage("init", "no such case"),
            id="init",
        ),
    ],
)
def test_outcomes(browser: Browser, page: str, outcome: str, error: PageMessage | None) -> None:
    session, loaded = opened(browser, page, ready_frames=4)
    assert loaded.outcome == outcome, loaded
    assert loaded.errors[:1] == ((error,) if error else ())
    assert loaded.summary.startswith(outcome)
    # Whatever came of it, the session can be used.
    session.step()
    assert session.screenshot().shape == (240, 320, 3)


def test_a_page_that_throws_and_still_draws_is_ready_and_says_so(browser: Browser) -> None:
    _, loaded = opened(
        browser, classic(R128, extra="setTimeout(() => { null.x; }); console.error('so', 'so');")
    )
    assert loaded.outcome == "ready"
    assert [one.kind for one in loaded.errors] == ["console", "exception"]
    session, loaded = opened(browser, "<script>null.x</script>" + DRAWN)
    assert loaded.outcome == "ready"
    assert [one.kind for one in loaded.errors] == ["exception"]
    session.evaluate("() => setTimeout(() => { undefined.y; }, 5)")
    session.step()
    assert len(session.errors) == 2


def test_refused_fonts_and_icons_are_no_errors(browser: Browser) -> None:
    font = "https://fonts.googleapis.com/css2?family=Silkscreen"
    _, loaded = opened(
        browser, f"<link rel=stylesheet href='{font}'><link rel=icon href=https://example.com/i.ico>{DRAWN}"
    )
    assert loaded.outcome == "ready"
    assert loaded.errors == ()
    assert font in loaded.refused


def test_a_page_that_needs_a_refused_host_names_it(browser: Browser) -> None:
    library = "https://cdn.babylonjs.com/babylon.js"
    _, loaded = opened(
        browser,
        f"<canvas></canvas><script src='{library}'></script><script>new BABYLON.Engine()</script>",
        ready_frames=2,
    )
    assert loaded.outcome == "page_error"
    assert loaded.refused == (library,)
    assert any(one.kind == "refused" and library in one.text for one in loaded.errors)
    other = "https://cdn.jsdelivr.net/npm/cannon-es@0.20.0/dist/cannon-es.js"
    _, loaded = opened(
        browser,
        f"<script type=module>import {{ World }} from '{other}'; new World();</script>",
        ready_frames=2,
    )
    assert loaded.outcome == "page_error"
    assert other in str(loaded.errors[-1])


def test_a_missing_import_map_is_an_error_with_its_place(browser: Browser) -> None:
    _, loaded = opened(browser, module({}), ready_frames=2)
    assert loaded.outcome == "page_error"
    assert "three" in loaded.errors[0].text and loaded.errors[0].line > 0


def test_a_condition_decides_when_it_is_given(browser: Browser) -> None:
    page = (
        f"<p id=state></p>{DRAWN}<script>setTimeout(() => {{ window.game = {{ on: true }}; }}, 100)</script>"
    )
    session, loaded = opened(browser, page, ready="game.on", ready_frames=20)
    assert loaded.outcome == "ready"
    assert session.t_s == pytest.approx(6 / 60)
    _, loaded = opened(browser, page, ready="game.over", ready_frames=2)
    assert loaded.outcome == "never_ready"
    with pytest.raises(ProtocolError):
        opened(browser, page, ready="game..on")
    # What is drawn need not have two colours then.
    assert opened(browser, BLANK_GL, ready="true")[1].outcome == "ready"


def test_a_start_screen_may_be_clicked_away(browser: Browser) -> None:
    page = classic(R128, body="<button id=go style='position:fixed'>Start</button>").replace(
        "requestAnimationFrame(frame);\n</script>",
        "go.onclick = () => requestAnimationFrame(frame);</script>",
    )
    session, loaded = opened(browser, page, ready_frames=2)
    assert loaded.outcome == "never_ready"
    (line,) = session.accessibility()
    session.click_ref(line.ref)
    assert session.wait().outcome == "ready"
    assert session.loaded.hooked


def test_a_page_may_load_itself_again_at_once(browser: Browser) -> None:
    page = f"<script>if (!location.search) location.search = '?seed=4';</script>{DRAWN}"
    session, loaded = opened(browser, page)
    assert loaded.outcome == "ready"
    assert session.evaluate("() => location.search") == "?seed=4"
    session.step()
    assert opened(browser, page, query="seed=1")[0].evaluate("() => location.search") == "?seed=1"


def test_a_page_that_is_not_there(browser: Browser) -> None:
    with pytest.raises(PageFailed) as caught:
        opened(browser, DRAWN, path="/other.html")
    assert caught.value.outcome == "not_served"


def test_workers_are_told(browser: Browser) -> None:
    source = "new Worker(URL.createObjectURL(new Blob(['postMessage(1)'], { type: 'text/javascript' })))"
    _, loaded = opened(browser, f"<script>{source}.onmessage = () => {{}};</script>{DRAWN}")
    assert (loaded.outcome, loaded.workers) == ("ready", 1)


STATUS = PageStatus(0, 0, 0, 0, False, "", 1, 1, 1, 1, 0, 1, 0, 0, (), "")


def test_a_refused_font_does_not_explain_a_blank_page() -> None:
    requests = [
        Request("https://fonts.gstatic.com/s/a", "refused", "another host"),
        Request("https://a/b.css", "refused"),
    ]
    loaded = outcome_of(STATUS, (), requests, ready=None, varied=False)
    assert loaded.outcome == "blank"
    loaded = outcome_of(
        STATUS, (), [*requests, Request("https://a/b.js", "refused", "why")], ready=None, varied=False
    )
    assert loaded.outcome == "page_error"
    assert loaded.errors[-1].text == "https://a/b.js was refused: why."


def test_substitutions_are_pairs() -> None:
    requests = [Request("https://u/three@0.150.0", "substituted", "0.150.0 -> 0.160.0")] * 2
    assert outcome_of(STATUS, (), requests, ready=True, varied=None).substitutions == (
        ("0.150.0", "0.160.0"),
    )
