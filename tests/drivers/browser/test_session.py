"""Operating and looking at a page that stands still."""

from __future__ import annotations

import numpy as np
import pytest

from embodied_eval.drivers.browser.browser import Browser
from embodied_eval.drivers.browser.coverage import characters
from embodied_eval.drivers.browser.site import Site
from embodied_eval.errors import ProtocolError, UnknownObject
from tests.drivers.browser.conftest import Browsers
from tests.drivers.browser.session_kit import DRAWN, HEAD, R128, SETTINGS, classic, opened

pytestmark = pytest.mark.browser
ORBIT = "https://unpkg.com/three@0.134.0/examples/js/controls/OrbitControls.js"
LISTEN = """<script>
window.log = [];
for (const type of ["keydown", "keyup", "mousedown", "mouseup", "click", "contextmenu", "wheel"])
  addEventListener(type, (e) => log.push([type, e.code ?? e.button, e.isTrusted, e.timeStamp]));
</script>"""


@pytest.fixture
def browser(browsers: Browsers) -> Browser:
    return browsers(SETTINGS)


def test_keys_are_held_by_code(browser: Browser) -> None:
    session, _ = opened(browser, LISTEN + DRAWN)
    session.hold({"KeyW", "ShiftLeft"})
    session.step(20)
    session.hold(["KeyW", "Space"])
    session.hold([])
    assert session.evaluate("() => log") == [
        *(["keydown", "KeyW", True, 0], ["keydown", "ShiftLeft", True, 0]),
        *(["keyup", "ShiftLeft", True, 20], ["keydown", "Space", True, 20]),
        *(["keyup", "KeyW", True, 20], ["keyup", "Space", True, 20]),
    ]
    with pytest.raises(ProtocolError, match="NoSuchKey"):
        session.hold(["NoSuchKey"])


def test_buttons_and_wheel(browser: Browser) -> None:
    session, _ = opened(browser, LISTEN + DRAWN)
    session.click(20, 30)
    session.click(button="right")
    session.wheel(100)
    kinds = [(row[0], row[1]) for row in session.evaluate("() => log")]
    assert kinds == [
        *(("mousedown", 0), ("mouseup", 0), ("click", 0)),
        *(("mousedown", 2), ("contextmenu", 2), ("mouseup", 2), ("wheel", 0)),
    ]


def test_a_locked_pointer_moves_exactly(browser: Browser) -> None:
    page = f"""{DRAWN}<script>
      window.log = [];
      paper.onclick = () => paper.requestPointerLock();
      document.addEventListener("pointerlockchange", () => log.push(document.pointerLockElement?.id ?? "free"));
      document.addEventListener("mousemove", (e) => {{ if (document.pointerLockElement) log.push([e.movementX, e.movementY]); }});
    </script>"""
    session, _ = opened(browser, page)
    session.look(5, 5)
    session.click(10, 10)
    session.look(1234, -50.25)
    session.look(-3, -0.5)
    session.hold(["Escape"])
    session.step()
    session.look(7, 7)
    log = session.evaluate("() => log")
    assert log == ["paper", [1234, -50], [-3, -1], "free"]


def test_orbit_controls_by_drag_and_wheel(browser: Browser) -> None:
    page = classic(
        R128, more=ORBIT, extra="const orbit = new THREE.OrbitControls(camera, renderer.domElement);"
    )
    session, _ = opened(browser, page)
    start = session.camera()
    session.drag(160, 120, 220, 120, steps=4)
    session.step(50, 2)
    turned = session.camera()
    session.wheel(300)
    session.step(50, 2)
    far = session.camera()
    assert start and turned and far
    length = [float(np.linalg.norm(one.position)) for one in (start, turned, far)]
    assert length[1] == pytest.approx(length[0])
    # OrbitControls: a drag over the whole height is a full turn.
    angle = np.degrees(np.arccos(np.dot(start.forward, turned.forward)))
    assert angle == pytest.approx(360 * 60 / 240, abs=0.5)
    assert length[2] > 1.04 * length[1]


def test_lines_for_all_that_can_be_operated(browser: Browser) -> None:
    page = f"""{HEAD}{DRAWN}
    <div style="position:fixed;top:0;left:0;font:10px sans-serif">
    <button onclick="hit='button'">Go  <b>now</b></button><button aria-label="Close window">x</button>
    <button style="display:none">Hidden</button><button style="visibility:hidden">Unseen</button><button></button>
    <a href="#there" onclick="hit='link'">Somewhere</a><input type=checkbox id=box><label for=box>Rain</label>
    <input type=range aria-label=Time><p>Plain text</p>
    <div id=legend></div><div style="cursor:pointer" onclick="hit='card'">Card <span>of <i>cards</i></span></div>
    </div><script>
      window.hit = "";
      for (const name of ["Swamp", "Volcano"]) {{
        const row = document.createElement("div");
        row.innerHTML = `<span>${{name}}</span>`;
        row.addEventListener("click", () => {{ hit = name; }});
        legend.append(row);
      }}
      legend.addEventListener("click", () => {{}});
    </script>"""
    session, _ = opened(browser, page)
    lines = session.accessibility()
    assert [(line.role, line.name) for line in lines] == [
        *(("button", "Go now"), ("button", "Close window"), ("link", "Somewhere"), ("checkbox", "Rain")),
        *(
            ("slider", "Time"),
            ("clickable", "Swamp"),
            ("clickable", "Volcano"),
            ("clickable", "Card of cards"),
        ),
    ]
    refs = {line.name: line.ref for line in lines}
    for name, hit in (
        ("Go now", "button"),
        ("Volcano", "Volcano"),
        ("Card of cards", "card"),
        ("Somewhere", "link"),
    ):
        session.click_ref(refs[name])
        assert session.evaluate("() => hit") == hit
    session.click_ref(refs["Rain"])
    assert session.evaluate("() => box.checked")
    with pytest.raises(UnknownObject, match=r"no control 'e99'.*e1, e2"):
        session.click_ref("e99")
    session.evaluate("() => legend.remove()")
    with pytest.raises(UnknownObject, match="no longer on the page"):
        session.click_ref(refs["Swamp"])


def test_at_most_fifty_lines(browser: Browser) -> None:
    page = DRAWN + "".join(f"<button style='font-size:5px;padding:0'>{n}</button>" for n in range(80))
    assert [line.name for line in opened(browser, page)[0].accessibility()] == [str(n) for n in range(50)]


HUD = "<div style='position:fixed;left:0;top:0;width:100px;height:40px;background:lime;transition:all 2s'>HUD</div>"


def test_pictures_with_and_without_the_interface(browser: Browser) -> None:
    session, _ = opened(browser, classic(R128, body=HUD))
    session.step()
    shown, bare = session.screenshot(), session.screenshot(interface=False)
    assert (shown[5, 90] == (0, 255, 0)).all()
    assert not (bare[5, 90] == (0, 255, 0)).all()
    assert (shown[60:, 120:] == bare[60:, 120:]).all()
    again, without = session.screenshot(), opened(browser, classic(R128))[0]
    assert (again == shown).all()
    without.step()
    assert (without.screenshot() == bare).all()


def test_kept_pixels_and_the_put_together_page_are_equal(browser: Browser) -> None:
    # A second, empty canvas makes the browser put the page together; the first is read by itself.
    session, _ = opened(browser, classic(R128))
    session.step(20, 3)
    alone = session.screenshot(interface=False)
    over = "<canvas id=over style='position:fixed;z-index:2'></canvas>"
    session, _ = opened(browser, classic(R128, body=over, extra="over.getContext('2d');"))
    session.step(20, 3)
    assert (session.screenshot(interface=False) == alone).all()
    assert (session.screenshot() == alone).all()


def test_a_page_that_shows_through_its_canvas(browser: Browser) -> None:
    page = classic(
        R128, extra="scene.background = null; document.body.style.background = '#102030';"
    ).replace("WebGLRenderer()", "WebGLRenderer({ alpha: true })")
    session, _ = opened(browser, page)
    session.step()
    assert (session.screenshot(interface=False)[2, 2] == (0x10, 0x20, 0x30)).all()


def test_a_paused_picture_draws_nothing(browser: Browser) -> None:
    session, _ = opened(browser, classic(R128, body=HUD))
    session.step()
    before = session.status()
    session.screenshot()
    session.screenshot(interface=False)
    assert session.status() == before


def test_coverage_counts_from_the_first_script(browser: Browser) -> None:
    page = f"""<p>🌋 é</p>{DRAWN}<script>/* 🌊 */ function never() {{ return 1; }}
function twice(x) {{ if (x) {{ return "🏝"; }} else {{ return "no"; }} }}
twice(1); twice(2);</script><script src="other.js"></script>"""
    session, _ = opened(browser, DRAWN)
    assert session.coverage(True) == ()
    assert (
        session.open(
            Site.from_files({"index.html": page.encode(), "other.js": b"function f() {}\nf();"})
        ).outcome
        == "ready"
    )
    session.step()
    scripts = session.coverage(False)
    assert [one.url.rpartition("/")[2] for one in scripts] == ["", "", "other.js"]
    inline = scripts[1]
    assert page[inline.start : inline.start + len(inline.text)] == inline.text
    found = {function.name: function for function in inline.functions}
    whole = found["never"].ranges[0]
    assert page[whole.start : whole.end] == "function never() { return 1; }"
    assert whole.count == 0
    whole, block = found["twice"].ranges
    assert whole.count == 2
    assert block.count == 0
    assert (
        page[block.start : block.end].strip().startswith("else { return")
        or '"no"' in page[block.start : block.end]
    )
    assert scripts[2].functions[1].ranges[0].count == 1
    # Switched off: the next page is not counted.
    assert session.coverage(False) == ()


def test_characters_from_utf16_units() -> None:
    text = "a🌋b🌊"
    place = characters(text)
    units = len(text.encode("utf-16-le")) // 2
    assert [place(0), place(1), place(3), place(4), place(units)] == [0, 1, 2, 3, 4]
