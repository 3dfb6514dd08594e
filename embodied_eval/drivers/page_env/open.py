"""Opening an official page: what its address asks of it, its hash, and waiting until it is ready."""

from __future__ import annotations

import hashlib
import re
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

from embodied_eval.drivers.page.open import HINTS, REFUSED, SHOWN, site_of
from embodied_eval.drivers.whole.film import EVERY_S
from embodied_eval.errors import DataFileError, PageFailed

if TYPE_CHECKING:
    from embodied_eval.drivers.browser.outcome import Loaded
    from embodied_eval.drivers.browser.session import PageSession
    from embodied_eval.drivers.browser.site import Site
    from embodied_eval.worlds.model import Page

READY = "window.__env?.ready === true"
READY_FRAMES = 60
LOOK_AGAIN_MS = 1000.0
HOPELESS = ("init_error", "syntax_error")
OFFICIAL_SEED = "5"
FILM_MOST = 8
# Whoever replaces more than these puts a clock of its own in the place of ours, which does not yield.
CHANCE = ("Math.random", "Crypto.getRandomValues", "Crypto.randomUUID")
META = (
    "() => { const meta = window.__env.meta ?? {}; "
    "return { renderer: String(meta.renderer ?? '').slice(0, 200), seed: String(meta.seed ?? '').slice(0, 40) }; }"
)
NO_ENV = "The page has no `window.__env`: audit it with `--driver page`."


@dataclass(frozen=True)
class Asked:
    """A page's address taken apart: what is asked of the page, and the hash it must have ("" = any)."""

    parameters: dict[str, str]
    sha256: str

    @property
    def seed(self) -> str:
        """The seed that the page is asked for."""
        return self.parameters["seed"]


@dataclass(frozen=True)
class Opened:
    """A ready page: how its load ended, the renderer it names, and what is not as it should be."""

    loaded: Loaded
    renderer: str
    warnings: tuple[str, ...]


def asked_of(page: Page, size: tuple[int, int], expected_sha256: str = "") -> Asked:
    """What `page` is asked for at a window of `size`. What its address says wins, apart from `vclock`; a
    `#sha256=...` at the end of it wins over `expected_sha256`. Raises `DataFileError` for another ending."""
    query, _, ending = page.query.lstrip("?").partition("#")
    pinned = expected_sha256
    if ending:
        found = re.fullmatch(r"sha256=([0-9a-fA-F]{64})", ending)
        if found is None:
            raise DataFileError(
                f"The address of the page {page.entry} ends in #{ending[:80]}.",
                hint="Only #sha256= and 64 hexadecimal digits may stand there.",
            )
        pinned = found[1]
    given = dict(parse_qsl(query, keep_blank_values=True))
    parameters = {
        **({"config": given["bug"]} if "bug" in given else {}),
        "noui": "1",
        "harness": "1",
        "seed": OFFICIAL_SEED,
        "obs": "film",
        "filmDt": f"{EVERY_S:g}",
        "filmMax": str(FILM_MOST),
        "filmW": str(size[0]),
        "filmH": str(size[1]),
        **given,
        "vclock": "1",
    }
    return Asked(parameters, pinned.lower())


def open_env(session: PageSession, page: Page, asked: Asked, *, wait_s: float, virtual_s: float) -> Opened:
    """Open `page` in `session` and wait until `__env.ready`, for `virtual_s` of its own time and about `wait_s`
    of ours at most.

    A page whose `vclock=1` replaces the clock that is ours already is opened once more without it. Raises
    `PageFailed`: "wrong_hash", "init_error", "never_ready", "no_env" and the other outcomes of a load.
    """
    loaded = _opened(session, page, asked, wait_s, virtual_s)
    if set(session.tampered) - set(CHANCE):
        parameters = {name: value for name, value in asked.parameters.items() if name != "vclock"}
        loaded = _opened(session, page, replace(asked, parameters=parameters), wait_s, virtual_s)
    meta: dict[str, Any] = session.evaluate(META)
    warnings = []
    if asked.seed != OFFICIAL_SEED:
        warnings.append(f"the page was asked for seed {asked.seed}, officially it is {OFFICIAL_SEED}")
    if meta["seed"] not in ("", asked.seed):
        warnings.append(f"the page runs with seed {meta['seed']}, not with {asked.seed}")
    if session.tampered:
        names = ", ".join(session.tampered)
        warnings.append(f"the page tried to replace {names}; it got ours, seeded with {asked.seed}")
    return Opened(loaded, meta["renderer"], tuple(warnings))


def _opened(session: PageSession, page: Page, asked: Asked, wait_s: float, virtual_s: float) -> Loaded:
    started = time.monotonic()
    site, path = site_of(replace(page, query=urlencode(asked.parameters)))
    if asked.sha256:
        _check_hash(site, path, asked.sha256, page)
    loaded = session.open(site, path, ready=READY, ready_frames=READY_FRAMES)
    while (
        loaded.outcome not in ("ready", *HOPELESS)
        and session.t_s < virtual_s
        and time.monotonic() - started < wait_s
    ):
        session.seek(LOOK_AGAIN_MS)
        loaded = session.wait(READY, frames=1)
    if loaded.outcome == "ready":
        return loaded
    raise _failed(session, page, loaded, time.monotonic() - started)


def _check_hash(site: Site, path: str, wanted: str, page: Page) -> None:
    answer = site.answer("GET", site.origin + path)
    found = hashlib.sha256(answer.body).hexdigest()
    if answer.status == 200 and found != wanted:
        raise PageFailed(
            f"The page {page.entry} has the hash {found}, not {wanted}.",
            outcome="wrong_hash",
            endpoint=page.entry,
            hint="Get the page as it was published, or leave its #sha256=... out.",
        )


def _failed(session: PageSession, page: Page, loaded: Loaded, waited_s: float) -> PageFailed:
    outcome: str = loaded.outcome
    hint = HINTS.get(outcome, "")
    if outcome not in (*HOPELESS, "page_error") and not session.evaluate("() => Boolean(window.__env)"):
        outcome, hint = "no_env", NO_ENV
    elif outcome == "never_ready":
        hint = "`__env.ready` must become true, or `__initError` say why not."
    parts = [f"The official page {page.entry} did not get ready: {outcome.replace('_', ' ')}."]
    parts += (
        [f"Its errors: {'; '.join(str(error) for error in loaded.errors[:SHOWN])}."] if loaded.errors else []
    )
    parts += [f"Refused: {', '.join(loaded.refused[:SHOWN])}."] if loaded.refused else []
    return PageFailed(
        " ".join(parts),
        outcome=outcome,
        endpoint=page.entry,
        waited_s=waited_s,
        hint=f"{hint} {REFUSED if loaded.refused else ''}".strip(),
    )
