"""Hostile pages against the sealed browser: a typed error or a calm refusal, in time, and no packet."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import pytest

from embodied_eval.drivers.browser.browser import Browser
from embodied_eval.drivers.browser.launch import QUIET_ARGUMENTS
from embodied_eval.drivers.browser.settings import BrowserSettings
from embodied_eval.drivers.browser.site import Site
from embodied_eval.errors import LoadTimeout, PageFailed, SimulatorCrashed, SimulatorError, StepTimeout
from tests.drivers.browser.conftest import HOSTILE, ROUTE_ONLY, TIGHT, Browsers, living
from tests.listeners import Listeners, addresses

pytestmark = pytest.mark.browser
CALM = Site.from_files({"index.html": b"<title>calm</title>"})
MODES = (TIGHT, pytest.param(ROUTE_ONLY, marks=pytest.mark.full))
NAMES = ("netns", "route-only")
# Ends only when the page's event loop has been free for longer than any deadline here.
SLOW = "() => new Promise((resolve) => setTimeout(resolve, 60000))"
MUST_FAIL = (
    "fetch",
    "fetch https",
    "fetch keepalive",
    "fetch by name",
    "xhr",
    "beacon",
    "image",
    "module",
    "font",
    "socket",
    "socket tls",
    "socket stream",
    "transport",
    "peer",
    "peer of a frame",
    "peer of a srcdoc frame",
    "shared worker",
    "service worker",
    "popup",
)


def hostile(listeners: Listeners | None = None, address: str = "") -> tuple[Site, str]:
    """The folder of hostile pages, and the query that names the listener to reach."""
    return Site.from_folder(HOSTILE), f"?host={address}&port={listeners.port}" if listeners else ""


def end_of(
    browser: Browser, path: str, *calls: str, seconds: float = 20.0, loading: bool = False
) -> SimulatorError:
    """The error that a hostile page ends with: at its load, or in one of the calls."""
    site = Site.from_folder(HOSTILE)
    with pytest.raises(SimulatorError) as caught:
        if loading:
            with browser.within(seconds, f"loading {path}", LoadTimeout):
                browser.open(site, path)
        browser.open(site, path)
        for call in calls:
            browser.evaluate(call, seconds=seconds)
    return caught.value


@pytest.mark.parametrize("settings", [TIGHT, ROUTE_ONLY], ids=NAMES)
def test_no_packet_leaves(browsers: Browsers, listeners: Listeners, settings: BrowserSettings) -> None:
    browser = browsers(settings)
    for address in addresses():
        site, query = hostile(listeners, address)
        page = browser.open(site, f"/network.html{query}")
        with browser.within(15, "waiting for all attempts"):
            page.wait_for_function("() => window.done")
        tried = browser.evaluate("() => window.tried")
        assert len(tried) > 40 and "went through" not in {tried[name] for name in MUST_FAIL}
        assert not [name for name in tried if name.endswith("candidate")]
        # It tried to go elsewhere in several ways, and is still the page it was.
        assert page.url.startswith(f"{site.origin}/network.html")
        assert {one.url for one in site.requests if one.outcome == "served"} == {
            f"{site.origin}/network.html{query}",
            f"{site.origin}/network.js",
        }
        refused = [one for one in site.requests if one.outcome == "refused"]
        assert any(one.detail == "WebSocket" for one in refused)
        assert any(one.detail.startswith("content security policy, connect-src") for one in refused)
        assert any(one.url.endswith("/location") for one in refused)
        assert listeners.heard() == []
    browser.close()
    assert listeners.heard() == []


@pytest.mark.full
@pytest.mark.parametrize(("switches", "silent"), [((), False), (QUIET_ARGUMENTS, True)])
def test_the_page_reaches_out_of_an_unsealed_browser(
    listeners: Listeners, switches: tuple[str, ...], silent: bool
) -> None:
    """The control: without any seal the same page is heard over TCP and UDP. The switches alone, without
    routes, policy, script and namespace, already silence it."""
    from playwright.sync_api import Route, sync_playwright

    def serve(route: Route) -> None:
        name = route.request.url.partition("?")[0].rpartition("/")[2]
        route.fulfill(path=str(HOSTILE / name))

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable(), args=[*switches, "--disable-crash-reporter"]
        )
        page = browser.new_page()
        page.route("https://world.invalid/**", serve)
        _, query = hostile(listeners, addresses()[-1])
        page.goto(f"https://world.invalid/network.html{query}&stay")
        page.wait_for_function("() => window.done")
        browser.close()
    heard = set(listeners.heard())
    assert heard == (set() if silent else {"tcp", "udp"})


def executable() -> str:
    from embodied_eval.drivers.browser.find import find_chromium

    return find_chromium()


@pytest.mark.parametrize("settings", MODES, ids=NAMES)
def test_endless_loop_at_load(browsers: Browsers, settings: BrowserSettings) -> None:
    browser = browsers(settings)
    error = end_of(browser, "/loop.html", seconds=1, loading=True)
    assert isinstance(error, LoadTimeout) and error.waited_s == 1 and "loop.html" in error.command
    gone(browser)


def test_endless_loop_in_a_frame_and_the_deadline_that_passes_first(sealed: Browser) -> None:
    sealed.open(Site.from_folder(HOSTILE), "/loop_later.html")
    with pytest.raises(StepTimeout) as caught, sealed.within(0.5, "the outer"):
        sealed.evaluate("() => window.start()")
        sealed.evaluate(SLOW, seconds=30, doing="the inner")
    assert (caught.value.command, caught.value.waited_s) == ("the outer", 0.5)
    gone(sealed)


@pytest.mark.parametrize("settings", MODES, ids=NAMES)
def test_memory_bomb(browsers: Browsers, settings: BrowserSettings) -> None:
    browser = browsers(settings)
    error = end_of(browser, "/memory.html", "() => window.start()")
    assert isinstance(error, SimulatorCrashed) and "more than 800 MB of memory" in error.message
    gone(browser)


def test_script_heap_bomb_takes_only_its_page(sealed: Browser) -> None:
    error = end_of(sealed, "/heap.html", "() => window.start()")
    assert isinstance(error, SimulatorCrashed) and "heap" in error.message
    assert sealed.open(CALM).title() == "calm"


@pytest.mark.parametrize("settings", MODES, ids=NAMES)
def test_worker_flood(browsers: Browsers, settings: BrowserSettings) -> None:
    browser = browsers(settings)
    error = end_of(browser, "/workers.html", "() => window.flood()", SLOW)
    assert isinstance(error, SimulatorCrashed) and "used more than" in error.message
    gone(browser)


def test_busy_workers_do_not_hold_up_the_next_page(sealed: Browser) -> None:
    sealed.open(Site.from_folder(HOSTILE), "/workers.html")
    assert sealed.evaluate("() => window.busy(8)", seconds=10) == 8
    assert sealed.open(CALM).title() == "calm"


def test_dialogs_are_dismissed(sealed: Browser) -> None:
    # Twice, since the first page also asks whether it may be left.
    for _ in range(2):
        sealed.open(Site.from_folder(HOSTILE), "/dialogs.html")
        assert sealed.evaluate("() => window.answers") == [False, None]


def test_an_endless_row_of_dialogs_ends_in_time(sealed: Browser) -> None:
    assert isinstance(end_of(sealed, "/dialogs.html", "() => window.start()", seconds=0.5), StepTimeout)
    gone(sealed)


def test_large_files(sealed: Browser, tmp_path: Path) -> None:
    (tmp_path / "large.html").write_bytes((HOSTILE / "large.html").read_bytes())
    for name in ("fifty.bin", "fifty.html"):
        with (tmp_path / name).open("wb") as file:
            file.truncate(50 * 2**20)
    site = Site.from_folder(tmp_path)
    sealed.open(site, "/large.html")
    assert sealed.evaluate("() => window.fetched") == [404, len("larger than 32 MB")]
    assert "larger than 32 MB" in [one.detail for one in site.requests]
    with pytest.raises(PageFailed, match="larger than 2 MB") as caught:
        sealed.open(site, "/fifty.html")
    assert caught.value.outcome == "not_served"
    assert sealed.alive


def test_a_download_is_refused_and_leaves_no_file(sealed: Browser) -> None:
    site = Site.from_folder(HOSTILE)
    page = sealed.open(site, "/large.html")
    with sealed.within(10, "a download"), page.expect_download():
        page.evaluate("() => window.save()")
    assert "download" in [one.detail for one in site.requests]
    # What Chromium hands from one process to another is a file for a moment.
    ends = time.monotonic() + 10.0
    while (left := large_files(sealed)) and time.monotonic() < ends:
        sealed.evaluate("() => new Promise((resolve) => setTimeout(resolve, 50))")
    assert not left


def large_files(browser: Browser) -> list[Path]:
    found = []
    for path in browser.folder.rglob("*"):
        with contextlib.suppress(OSError):
            if path.is_file() and path.stat().st_size > 2**24:
                found.append(path)
    return found


@pytest.mark.full
def test_filling_the_disk(sealed: Browser) -> None:
    error = end_of(sealed, "/large.html", "() => window.fill()", seconds=60)
    assert isinstance(error, SimulatorCrashed) and "more than" in error.message
    gone(sealed)


LEAVING = {
    "at once": "<script>location.href = 'https://example.org/'</script>",
    "again and again": "<script>for (let i = 0; i < 20; i++) location.href = 'https://example.org/' + i</script>",
    "by refresh": "<meta http-equiv=refresh content='0;url=https://example.org/'>",
    "to another program": "<script>location.href = 'mailto:someone@example.org'</script>",
    "to the disk": "<script>location.href = 'file:///etc/passwd'</script>",
    "to nothing": "<script>location.href = 'about:blank'</script>",
}


@pytest.mark.parametrize("how", LEAVING)
def test_a_page_that_leaves_while_it_loads_stays(sealed: Browser, how: str) -> None:
    site = Site.from_files({"index.html": f"<body>{LEAVING[how]}<p>still here".encode()})
    page = sealed.open(site)
    assert page.url == f"{site.origin}/" and page.inner_text("p") == "still here"
    if "example.org" in LEAVING[how] and how != "by refresh":
        assert "refused" in {one.outcome for one in site.requests}


def test_further_tabs_are_closed(sealed: Browser) -> None:
    site = Site.from_folder(HOSTILE)
    page = sealed.open(site, "/tabs.html")
    assert sealed.evaluate("() => window.start()") == [None, 4]
    with sealed.within(20, "closing tabs"):
        while len(page.context.pages) > 1 or len(further(site)) < 4:
            page.evaluate("() => 0")


def further(site: Site) -> list[str]:
    """The addresses of refused further pages."""
    return [one.url for one in site.requests if one.detail == "a further page"]


def gone(browser: Browser) -> None:
    """The browser is dead, says so, and nothing of it is left after `close`."""
    folder = browser.folder
    assert not browser.alive
    with pytest.raises(SimulatorCrashed, match="no further use"):
        browser.open(CALM)
    browser.close()
    assert living(folder.name) == [] and not folder.exists()
