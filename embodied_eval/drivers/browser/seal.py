"""Sealing a browser context: every way out of a page that Playwright can see is closed here."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from importlib import resources
from typing import TYPE_CHECKING

from embodied_eval.drivers.browser.site import REPORT_PATH, Request, Site

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Dialog, Download, Page, Route, WebSocketRoute

log = logging.getLogger("embodied_eval")


def seal_script() -> str:
    """The script that runs before all others in every frame."""
    return resources.files(__package__).joinpath("seal.js").read_text(encoding="utf-8")


def seal_context(
    context: BrowserContext, site: Site, fault: Callable[[Exception], None], init_scripts: Sequence[str]
) -> None:
    """Deny by default: `site` answers every request, and nothing else does. `fault` is told what goes
    wrong in a handler, since Playwright has nobody to raise it to."""
    from playwright.sync_api import Error

    context.grant_permissions([])
    for script in (seal_script(), *init_scripts):
        context.add_init_script(script)
    pages: list[Page] = []

    def on_request(route: Route) -> None:
        try:
            _answer(route, site)
        except Error:
            # The page or the browser went away meanwhile; whoever waits for it learns so.
            log.debug("A request was left unanswered: %s", route.request.url)
        except Exception as error:  # noqa: BLE001 - raised by whoever drives the page
            fault(error)

    def on_socket(socket: WebSocketRoute) -> None:
        site.log(Request(socket.url, "refused", "WebSocket"))
        socket.close(code=1008, reason="refused")

    def on_page(page: Page) -> None:
        pages.append(page)
        if len(pages) > 1:
            site.log(Request(page.url, "refused", "a further page"))
            page.close()
            return
        page.on("dialog", on_dialog)
        page.on("download", on_download)

    def on_dialog(dialog: Dialog) -> None:
        dialog.dismiss()

    def on_download(download: Download) -> None:
        site.log(Request(download.url, "refused", "download"))
        download.cancel()

    def quietly(handler: Callable[..., None]) -> Callable[..., None]:
        def handle(event: object) -> None:
            try:
                handler(event)
            except Error:
                log.debug("%s: the page went away meanwhile", handler.__name__)
            except Exception as error:  # noqa: BLE001 - it would end Playwright's connection
                fault(error)

        return handle

    on_dialog, on_download = quietly(on_dialog), quietly(on_download)
    context.route("**/*", on_request)
    context.route_web_socket("**/*", quietly(on_socket))
    context.on("page", quietly(on_page))


def _answer(route: Route, site: Site) -> None:
    request = route.request
    if request.method == "POST" and request.url == site.origin + REPORT_PATH:
        _log_report(request.post_data_buffer or b"", site)
        route.fulfill(status=204)
        return
    answer = site.answer(request.method, request.url)
    if answer.status == 0:
        if request.is_navigation_request():
            route.fulfill(status=204)
        else:
            route.abort("blockedbyclient")
        return
    route.fulfill(status=answer.status, headers=dict(answer.headers), body=answer.body)


def _log_report(body: bytes, site: Site) -> None:
    """Log what the content security policy refused before it became a request."""
    import json

    try:
        report = json.loads(body)["csp-report"]
        url, directive = str(report["blocked-uri"]), str(report.get("effective-directive", ""))
    except (ValueError, KeyError, TypeError):
        return
    site.log(Request(url, "refused", f"content security policy, {directive}"))
