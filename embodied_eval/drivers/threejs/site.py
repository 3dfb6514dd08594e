"""The page runtime as a site: our scripts, Three.js and Rapier from their archives, and a strict policy."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import lru_cache
from pathlib import Path
from zipfile import ZipFile

from embodied_eval.drivers.browser.site import Site
from embodied_eval.drivers.browser.sources import BytesSource, FolderSource

FOLDER = Path(__file__).parent / "runtime"
RAPIER = Path(__file__).parents[1] / "vendor" / "rapier" / "0.21.0.zip"
_IMPORT_MAP = re.compile(r'<script type="importmap">(.*?)</script>', re.DOTALL)


class RuntimeSite(Site):
    """What the page runtime may load: no script that is not ours, and no address at all."""

    @property
    def csp(self) -> str:
        """The policy: scripts of this site and WebAssembly; images and data only out of memory."""
        return "; ".join(
            (
                "default-src 'none'",
                f"script-src 'self' 'wasm-unsafe-eval' '{_import_map_hash()}'",
                "img-src blob: data:",
                "connect-src blob: data:",
                "base-uri 'none'",
                "form-action 'none'",
            )
        )


def runtime_site() -> RuntimeSite:
    """A new site with the runtime's page at "/"."""
    return RuntimeSite(FolderSource(FOLDER), {"/rapier/": BytesSource({"rapier.mjs": _rapier()})})


@lru_cache(maxsize=1)
def _rapier() -> bytes:
    with ZipFile(RAPIER) as archive:
        return archive.read("dist/rapier.mjs")


@lru_cache(maxsize=1)
def _import_map_hash() -> str:
    """The CSP source expression of the one inline script, which names modules only."""
    found = _IMPORT_MAP.search((FOLDER / "index.html").read_text(encoding="utf-8"))
    assert found is not None
    return "sha256-" + base64.b64encode(hashlib.sha256(found[1].encode()).digest()).decode()
