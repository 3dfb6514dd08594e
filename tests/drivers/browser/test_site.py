"""What a site hands out, what it refuses, and how it is logged; no browser needed for most of it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embodied_eval.drivers.browser.browser import Browser
from embodied_eval.drivers.browser.site import ORIGIN, REQUESTS_KEPT, Site
from embodied_eval.drivers.browser.sources import FILE_LIMIT_BYTES, HTML_LIMIT_BYTES, NotServed, folder_source
from embodied_eval.errors import DataFileError, UsageError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A site's folder beside a file that is none of its business."""
    (tmp_path / "secret.txt").write_text("secret")
    site = tmp_path / "site"
    (site / "sub").mkdir(parents=True)
    (site / "index.html").write_text("<title>home</title>")
    (site / "sub" / "index.html").write_text("sub")
    (site / "sub" / "model.glb").write_bytes(b"glTF")
    (site / ".env").write_text("KEY=secret")
    return site


def test_own_files_with_their_media_type_and_policy(folder: Path) -> None:
    site = Site.from_folder(folder)
    for path, body, kind in (
        ("/", b"<title>home</title>", "text/html; charset=utf-8"),
        ("/sub/", b"sub", "text/html; charset=utf-8"),
        ("/sub/model.glb?v=2", b"glTF", "model/gltf-binary"),
    ):
        answer = site.answer("GET", ORIGIN + path)
        assert (answer.status, answer.body, answer.headers["Content-Type"]) == (200, body, kind)
        assert answer.headers["Content-Security-Policy"] == site.csp
    assert [one.outcome for one in site.requests] == ["served"] * 3


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/nothing.js", "no such file"),
        ("/sub", "not a regular file"),
        ("/.env", "hidden"),
        ("/../secret.txt", "hidden file, or a path that leaves"),
        ("/%2e%2e/secret.txt", "hidden file, or a path that leaves"),
        ("/sub/..%2f..%2fsecret.txt", "hidden file, or a path that leaves"),
        ("/..%5csecret.txt", "hidden file, or a path that leaves"),
        ("/link.txt", "leads out of the folder"),
        ("/out/secret.txt", "leads out of the folder"),
        ("/pipe", "not a regular file"),
        ("/loop", "no such file"),
        ("/big.bin", "larger than 32 MB"),
        ("/big.html", "larger than 2 MB"),
        ("/index.html%00.png", "path that leaves"),
    ],
)
def test_refused_files(folder: Path, path: str, why: str) -> None:
    (folder / "link.txt").symlink_to(folder.parent / "secret.txt")
    (folder / "out").symlink_to(folder.parent)
    (folder / "loop").symlink_to(folder / "loop")
    os.mkfifo(folder / "pipe")
    for name, size in (("big.bin", FILE_LIMIT_BYTES), ("big.html", HTML_LIMIT_BYTES)):
        with (folder / name).open("wb") as file:
            file.truncate(size + 1)
    site = Site.from_folder(folder)
    answer = site.answer("GET", ORIGIN + path)
    assert answer.status == 404 and b"secret" not in answer.body
    assert site.requests[-1].outcome == "refused" and why in site.requests[-1].detail


@given(path=st.text(max_size=40))
def test_no_path_leaves_the_folder(path: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    root = tmp_path_factory.getbasetemp() / "confined"
    (root / "site").mkdir(parents=True, exist_ok=True)
    (root / "outside").write_text("outside")
    try:
        found = folder_source(root / "site").read("/" + path, "")
    except NotServed:
        return
    assert found.body != b"outside"


def test_links_inside_the_folder_are_followed(folder: Path) -> None:
    (folder / "alias.glb").symlink_to(folder / "sub" / "model.glb")
    assert Site.from_folder(folder).answer("GET", f"{ORIGIN}/alias.glb").body == b"glTF"


def test_mounts_are_confined_too(folder: Path, tmp_path: Path) -> None:
    site = Site.from_files({"index.html": b"x"}, mounts={"assets": folder})
    assert site.answer("GET", f"{ORIGIN}/assets/sub/model.glb").body == b"glTF"
    assert site.answer("GET", f"{ORIGIN}/assets/..%2fsecret.txt").status == 404
    assert site.answer("GET", f"{ORIGIN}/").body == b"x"


def test_other_hosts_and_methods_are_refused(folder: Path) -> None:
    site = Site.from_folder(folder)
    assert site.answer("GET", "https://example.org/index.html").status == 0
    assert site.answer("POST", f"{ORIGIN}/").status == 0
    assert site.answer("GET", f"{ORIGIN}:8443/").status == 0
    assert [one.detail for one in site.requests] == ["another host", "method POST", "another host"]


def test_three_js_is_answered_by_its_path_whatever_the_host(folder: Path) -> None:
    site = Site.from_folder(folder)
    known = site.answer("GET", "https://any.example/npm/three@0.160.0/build/three.module.js")
    near = site.answer("GET", "https://any.example/ajax/libs/three.js/r129/three.min.js")
    assert known.status == near.status == 200
    assert known.headers["Content-Type"].startswith("text/javascript")
    assert [one.outcome for one in site.requests] == ["vendored", "substituted"]
    assert site.requests[0].detail == "0.160.0" and " -> " in site.requests[1].detail


def test_the_icon_nobody_drew_is_empty_and_not_logged(folder: Path) -> None:
    site = Site.from_folder(folder)
    assert site.answer("GET", f"{ORIGIN}/favicon.ico").status == 200
    assert site.requests == []


def test_the_log_is_bounded(folder: Path) -> None:
    site = Site.from_folder(folder)
    for count in range(REQUESTS_KEPT + 5):
        site.answer("GET", f"https://example.org/{count}/" + "x" * 5000)
    assert len(site.requests) == REQUESTS_KEPT and site.unlogged == 5
    assert max(len(one.url) for one in site.requests) <= 300


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="not a folder"):
        Site.from_folder(tmp_path / "nowhere")


class Server(BaseHTTPRequestHandler):
    """A development server on loopback with a few bad habits."""

    def do_GET(self) -> None:
        if self.path == "/away":
            self._answer(302, b"", Location="http://192.0.2.1/")
        elif self.path == "/here":
            self._answer(302, b"", Location="/page.html")
        elif self.path == "/endless.bin":
            self.send_response(200)
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b"x" * 2**20)
            except OSError:
                return
        elif self.path.startswith("/page.html"):
            self._answer(200, f"<title>{self.path}</title>".encode(), **{"Content-Type": "text/html"})
        else:
            self._answer(404, b"")

    def _answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Nothing to the terminal."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a running `Server`."""
    http = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{http.server_address[1]}"
    http.shutdown()
    thread.join()
    http.server_close()


def test_an_address_is_asked_by_this_process(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    site = Site.from_address(f"{server}/page.html?seed=3")
    assert site.start_path == "/page.html?seed=3"
    assert site.answer("GET", ORIGIN + site.start_path).body == b"<title>/page.html?seed=3</title>"
    assert site.answer("GET", f"{server}/page.html").body == b"<title>/page.html</title>"
    assert site.answer("GET", f"{ORIGIN}/here").body == b"<title>/page.html</title>"
    assert {one.outcome for one in site.requests} == {"served"}
    for path, why in (
        ("/away", "redirects to another address"),
        ("/endless.bin", "larger than 32 MB"),
        ("/nothing", "answered 404"),
    ):
        assert site.answer("GET", ORIGIN + path).status == 404
        assert why in site.requests[-1].detail


@pytest.mark.parametrize(
    "url",
    [
        "http://192.0.2.1/",
        "http://0.0.0.0:80/",
        "ftp://127.0.0.1/",
        "file:///etc/passwd",
        "http://user:word@127.0.0.1/",
        "http://127.0.0.1:99999/",
        "http:///x",
        "127.0.0.1:80",
    ],
)
def test_only_loopback_addresses(url: str) -> None:
    with pytest.raises(UsageError):
        Site.from_address(url)


def test_a_server_that_is_gone_is_a_refusal() -> None:
    site = Site.from_address("http://127.0.0.1:9/")
    assert site.answer("GET", f"{ORIGIN}/").status == 404
    assert "did not answer" in site.requests[-1].detail


@pytest.mark.browser
def test_a_page_from_an_address_loads_without_the_network(server: str, sealed: Browser) -> None:
    site = Site.from_address(f"{server}/page.html")
    page = sealed.open(site, site.start_path)
    assert page.title() == "/page.html" and sealed.evaluate("() => isSecureContext")
    own = sealed.evaluate("(url) => fetch(url).then((answer) => answer.text())", f"{server}/page.html?2")
    assert own == "<title>/page.html?2</title>"
    assert {one.outcome for one in site.requests} == {"served"}
