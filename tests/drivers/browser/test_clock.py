"""The virtual clock: nothing happens by itself, everything in order, the same twice."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from embodied_eval.drivers.browser import script
from embodied_eval.drivers.browser.browser import Browser
from embodied_eval.drivers.browser.script import EPOCH_MS
from embodied_eval.drivers.browser.session import PageSession
from embodied_eval.errors import PageFailed, ProtocolError, StepTimeout
from tests.drivers.browser.conftest import Browsers
from tests.drivers.browser.session_kit import DRAWN, R128, SETTINGS, classic, opened

pytestmark = pytest.mark.browser


@pytest.fixture
def browser(browsers: Browsers) -> Browser:
    return browsers(SETTINGS)


def run(browser: Browser, code: str, **options: Any) -> PageSession:
    session, loaded = opened(browser, f"{DRAWN}<script>{code}</script>", **options)
    assert loaded.outcome == "ready", loaded
    assert session.t_s == 0
    return session


def test_nothing_happens_until_it_is_stepped(browser: Browser) -> None:
    session = run(
        browser, "window.log = []; requestAnimationFrame(() => log.push(1)); setTimeout(() => log.push(2));"
    )
    session.screenshot()
    session.screenshot()
    assert session.evaluate("() => [performance.now(), Date.now(), log.length]") == [0, EPOCH_MS, 0]
    session.step(20)
    assert session.evaluate("() => [performance.now(), Date.now(), log]") == [20, EPOCH_MS + 20, [2, 1]]
    assert session.t_s == pytest.approx(0.02)


def test_timers_run_in_time_order_each_at_its_own_time_and_frames_last(browser: Browser) -> None:
    session = run(
        browser,
        """
        window.log = [];
        const say = (name) => () => log.push(`${name} ${performance.now()}`);
        setTimeout(say("c"), 30); setTimeout(say("a"), 5); setTimeout(say("b"), 5); setTimeout(say("zero"));
        const every = setInterval(say("every"), 20);
        setTimeout(() => clearInterval(every), 90);
        const gone = setTimeout(say("gone"), 10); clearTimeout(gone);
        setTimeout((x, y) => log.push(x + y), 40, "par", "ts");
        setTimeout("log.push('text')", 41);
        requestAnimationFrame(function f(t) { log.push(`frame ${t} ${performance.now()}`); requestAnimationFrame(f); });
        """,
    )
    session.step(50, 2)
    assert session.evaluate("() => log") == [
        *("zero 1", "a 5", "b 5", "every 20", "c 30", "every 40", "parts", "text", "frame 50 50"),
        *("every 60", "every 80", "frame 100 100"),
    ]


def test_microtasks_run_between_callbacks_and_a_fault_stops_nobody(browser: Browser) -> None:
    session = run(
        browser,
        """
        window.log = [];
        const chain = async (name) => { for (let n = 0; n < 20; n += 1) await null; log.push(name); };
        requestAnimationFrame(() => { log.push("one"); chain("after one"); });
        const cancelled = requestAnimationFrame(() => log.push("cancelled"));
        requestAnimationFrame(() => { cancelAnimationFrame(late); throw new RangeError("thrown in a frame"); });
        const late = requestAnimationFrame(() => log.push("late"));
        requestAnimationFrame(() => log.push("two"));
        setTimeout(() => { log.push("timer"); chain("after timer"); }, 1);
        setTimeout(() => log.push("timer two"), 1);
        cancelAnimationFrame(cancelled);
        addEventListener("error", (event) => log.push(event.message));
        """,
    )
    session.step()
    assert session.evaluate("() => log") == [
        *("timer", "after timer", "timer two", "one", "after one"),
        *("Uncaught RangeError: thrown in a frame", "two"),
    ]
    (error,) = session.errors
    assert (error.kind, error.text) == ("exception", "RangeError: thrown in a frame")
    assert error.line > 0


def test_timers_without_delay_cannot_run_for_ever(browser: Browser) -> None:
    session = run(browser, "window.n = 0; (function again() { n += 1; setTimeout(again, 0); })();")
    session.step(50)
    # 1 ms for each of the first five, then 4 ms each.
    assert session.evaluate("() => n") == 1 + 5 + (50 - 5) // 4


def test_waiting_loops_end_and_time_never_goes_back(browser: Browser) -> None:
    session = run(
        browser,
        """
        requestAnimationFrame(() => {
          const start = performance.now();
          window.turns = 0;
          while (performance.now() - start < 8) turns += 1;
          window.end = performance.now();
        });
        requestIdleCallback((deadline) => { window.idle = 0; while (deadline.timeRemaining() > 0) idle += 1; });
        """,
    )
    session.step(4)
    assert session.evaluate("() => [turns, idle]") == [1158, 19]
    assert session.evaluate("() => performance.now() >= end")
    session.step(50)
    assert session.evaluate("() => performance.now()") == 54


def test_chance_and_date_are_the_seeds(browser: Browser) -> None:
    look = """() => [Math.random(), Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint16Array(3))],
      new Date().toISOString(), Date(), new Date(0).getTime(), new Date(2020, 1, 2).getMonth(), Date.UTC(2000, 0),
      new Date() instanceof Date, new (class extends Date {})().getTime(), new Date().constructor === Date,
      performance.timeOrigin, document.timeline.currentTime, new Event("x").timeStamp]"""
    first = run(browser, "", seed=7).evaluate(look)
    assert run(browser, "", seed=7).evaluate(look) == first
    assert run(browser, "", seed=8).evaluate(look)[:4] != first[:4]
    assert 0 <= first[0] < 1 and first[0] != first[1]
    assert first[2][14] == "4" and len(first[2]) == 36
    assert first[4] == "2025-01-01T12:00:00.000Z"
    assert first[5].startswith("Wed Jan 01 2025 12:00:00")
    assert first[6:] == [0, 1, 946684800000, True, EPOCH_MS, True, EPOCH_MS, 0, 0]


def test_overrides_stay_and_attempts_are_recorded(browser: Browser) -> None:
    session = run(
        browser,
        """
        const seven = () => 7;
        performance.now = seven; Math.random = seven; Date.now = seven; window.setTimeout = seven;
        Object.defineProperty(window, "requestAnimationFrame", { value: seven });
        Reflect.defineProperty(Performance.prototype, "now", { value: seven });
        requestIdleCallback = requestIdleCallback;
        delete window.setInterval;
        """,
    )
    assert session.errors == ()
    assert session.evaluate(
        "() => [performance.now(), Math.random() < 1, Date.now() > 7, setTimeout(() => 0) !== 7, typeof setInterval]"
    ) == [0, True, True, True, "function"]
    assert session.tampered == (
        *("Performance.now", "Math.random", "Date.now", "setTimeout", "requestAnimationFrame"),
    )
    session.step()
    assert session.evaluate("() => performance.now()") > 16


def test_real_work_is_waited_for_in_no_virtual_time(browser: Browser) -> None:
    page = f"""{DRAWN}<script>
      window.log = [];
      const at = (name) => log.push(`${{name}} ${{performance.now()}}`);
      requestAnimationFrame(() => {{
        fetch("data.json").then((reply) => reply.json()).then((data) => at(data.name));
        const image = new Image(); image.onload = () => at("image"); image.src = "dot.svg";
        const request = new XMLHttpRequest(); request.open("GET", "data.json"); request.onload = () => at("xhr"); request.send();
        createImageBitmap(paper).then(() => at("bitmap"));
        new Promise((resolve) => {{ const c = new MessageChannel(); c.port1.onmessage = resolve; c.port2.postMessage(1); }})
          .then(() => at("message"));
      }});
    </script>"""
    files = {
        "data.json": b'{"name": "json"}',
        "dot.svg": b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
    }
    session, _ = opened(browser, page, files)
    session.step(10, 3)
    assert sorted(session.evaluate("() => log")) == [
        "bitmap 10",
        "image 10",
        "json 10",
        "message 10",
        "xhr 10",
    ]
    assert session.status().stalled == 0


def test_what_never_comes_is_given_up_once(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script, "QUIET_LIMIT_MS", 50.0)
    session = run(
        browser,
        "window.n = 0; new Response(new ReadableStream({})).text(); setInterval(() => { n += 1; }, 10);",
    )
    session.step(50, 2)
    assert session.status().stalled == 1
    assert session.evaluate("() => n") == 10


def test_style_animations_follow_the_clock(browser: Browser) -> None:
    session, _ = opened(
        browser,
        f"""<style>@keyframes slide {{ from {{ left: 0 }} to {{ left: 100px }} }}
        #moving {{ position: absolute; animation: slide 1s linear forwards }}
        #fading {{ opacity: 1; transition: opacity 1s linear }}</style>
        {DRAWN}<div id=moving>x</div><div id=fading>y</div>""",
    )
    look = (
        "() => [parseFloat(getComputedStyle(moving).left), +(+getComputedStyle(fading).opacity).toFixed(2)]"
    )
    session.step(50)
    left = session.evaluate(look)[0]
    session.seek(500)
    assert session.evaluate(look) == [pytest.approx(left + 50), 1]
    session.evaluate("() => { fading.style.opacity = 0; }")
    session.step(50)
    session.seek(250)
    assert session.evaluate(look)[1] == pytest.approx(0.75, abs=0.06)
    session.seek(1000)
    assert session.evaluate(look) == [100, 0]


def test_frames_inside_the_page_live_by_its_clock(browser: Browser) -> None:
    session = run(
        browser,
        """
        const inner = document.createElement("iframe");
        document.body.append(inner);
        window.log = [];
        inner.contentWindow.setTimeout(() => log.push(inner.contentWindow.performance.now()), 12);
        window.born = inner.contentWindow.Date.now();
        """,
    )
    session.step(50)
    assert session.evaluate("() => [log, born]") == [[12], EPOCH_MS]


def test_seeking_ends_where_stepping_does_and_draws_once(browser: Browser) -> None:
    stepped, _ = opened(browser, classic(R128))
    stepped.step(50, 20)
    picture = stepped.screenshot()
    renders = stepped.status().renders
    sought, _ = opened(browser, classic(R128))
    start = sought.status()
    sought.seek(1000)
    end = sought.status()
    assert sought.t_s == pytest.approx(stepped.t_s)
    assert (sought.screenshot() == picture).all()
    assert end.renders - start.renders == 1
    assert end.skipped - start.skipped == 19
    assert renders == 20 + start.renders


def test_a_frame_is_at_most_fifty_milliseconds(browser: Browser) -> None:
    session = run(browser, "")
    for ms in (50.1, 0, -1):
        with pytest.raises(ValueError, match="at most 50 ms"):
            session.step(ms)
    session.seek(0)
    assert session.t_s == 0
    session.seek(1e-9)
    assert session.t_s == pytest.approx(0, abs=1e-9)


def test_a_function_of_the_page_gets_the_frames_it_waits_for(browser: Browser) -> None:
    session = run(
        browser,
        "window.sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms, performance.now()));",
    )
    assert session.call("async (ms) => { await sleep(ms); return performance.now(); }", 100) == 100
    assert session.t_s == pytest.approx(0.1, abs=0.01)
    with pytest.raises(ProtocolError, match="no such thing"):
        session.call("async () => { throw new Error('no such thing'); }")
    with pytest.raises(StepTimeout, match="within 50 ms"):
        session.call("() => sleep(1000)", limit_ms=50)


def test_a_page_that_leaves_is_told(browser: Browser) -> None:
    session = run(browser, "setTimeout(() => location.reload(), 30);")
    with pytest.raises(PageFailed, match="left, or loaded itself again") as caught:
        for _ in range(100):
            session.step(10)
    assert caught.value.outcome == "navigated"
    assert not caught.value.retriable


def test_the_same_page_seed_and_steps_give_the_same_bytes_in_two_processes(browser: Browser) -> None:
    extra = """
    const stamp = document.createElement("div");
    stamp.style = "position: fixed; left: 4px; top: 4px; color: white; font: 12px sans-serif";
    document.body.append(stamp);
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    (async () => {
      for (;;) {
        await wait(70 * Math.random());
        cubes.children[Math.floor(30 * Math.random())].material.color.setHSL(Math.random(), 1, 0.5);
        stamp.textContent = `${new Date().toISOString()} ${performance.now().toFixed(3)}`;
      }
    })();
    """

    def frames(one: Browser) -> list[str]:
        session, loaded = opened(one, classic(R128, extra=extra), seed=11)
        assert loaded.outcome == "ready"
        made = []
        for _ in range(4):
            session.step(1000 / 60, 5)
            session.seek(700)
            made.append(hashlib.sha256(session.screenshot().tobytes()).hexdigest())
        return made

    first = frames(browser)
    assert len(set(first)) == 4
    assert frames(browser) == first
    with Browser(SETTINGS) as other:
        assert other.info.renderer == browser.info.renderer
        assert frames(other) == first
