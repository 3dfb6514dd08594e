"""Opening a page that is a world: from which site, and what is said when it does not get ready."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from embodied_eval.errors import DataFileError, PageFailed
from embodied_eval.worlds.model import Page

if TYPE_CHECKING:
    from embodied_eval.drivers.browser.outcome import Loaded
    from embodied_eval.drivers.browser.session import PageSession
    from embodied_eval.drivers.browser.site import Site

SHOWN = 3
READY_FRAMES = 60
HINTS = {
    "syntax_error": "Mend the script; the line and column are those of the page's own file.",
    "page_error": "Open the page in a browser of your own and mend what its console says.",
    "init_error": "Open the page in a browser of your own and mend what its console says.",
    "no_canvas": "A world is drawn on a <canvas>; this page has none.",
    "no_webgl": "The page must draw with WebGL; `embodied-eval doctor` tells what the browser here offers.",
    "blank": "The page draws one colour only: check its camera, lights and files.",
    "never_ready": "Check that the page draws without being touched, and that its files are beside it.",
    "not_three": "Pages are walked through Three.js (r123 or newer), which tells its scene and camera.",
}
REFUSED = "What a page needs must lie in its own folder; of other hosts only Three.js itself is answered."


def site_of(page: Page) -> tuple[Site, str]:
    """The site that answers for `page`, and the path of the page in it. Raises `DataFileError` for a file
    that cannot be read or has changed since its hash was taken."""
    from embodied_eval.drivers.browser.site import Site

    query = f"?{page.query.lstrip('?')}" if page.query else ""
    if not page.folder:
        site = Site.from_address(page.entry)
        joint = "&" if "?" in site.start_path else "?"
        return site, site.start_path + (joint + query[1:] if query else "")
    file = Path(page.folder) / page.entry
    try:
        found = hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        raise DataFileError(f"The page {file} cannot be read: {error.strerror or error}.") from None
    if page.sha256 and found != page.sha256:
        raise DataFileError(f"The page {file} changed since the run began.", hint="Start the run again.")
    return Site.from_folder(Path(page.folder)), f"/{quote(page.entry)}{query}"


def open_page(session: PageSession, page: Page) -> Loaded:
    """Open `page` in `session`, ready to be walked. Raises `PageFailed` that says how it ended otherwise, the
    first errors with their lines, and what was refused."""
    site, path = site_of(page)
    loaded = session.open(site, path, ready_frames=READY_FRAMES)
    outcome = loaded.outcome
    if outcome == "ready" and not loaded.hooked:
        outcome = "not_three"  # type: ignore[assignment]
    if outcome == "ready":
        return loaded
    errors = [f"{error.text} (line {error.line}, column {error.column})" for error in loaded.errors]
    parts = [f"The page {page.entry} did not become a world: {outcome.replace('_', ' ')}."]
    if errors:
        more = f" and {len(errors) - SHOWN} more" if len(errors) > SHOWN else ""
        parts.append(f"Its errors: {'; '.join(errors[:SHOWN])}{more}.")
    if loaded.refused:
        parts.append(f"Refused: {', '.join(loaded.refused[:SHOWN])}.")
    hint = f"{HINTS.get(outcome, '')} {REFUSED if loaded.refused else ''}".strip()
    raise PageFailed(" ".join(parts), outcome=outcome, endpoint=page.entry, hint=hint)
