"""Pages from views: the template environment, what it escapes, and the policy each page carries."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from embodied_eval.records import Json

from . import figures
from .tables import laid_out

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_HERE = Path(__file__).parent
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_SLUG = re.compile(r"[^a-z0-9]+")


def render(template: str, **context: Any) -> str:
    """The page `template` with `context`, everything in it escaped."""
    return _environment().get_template(template).render(**context)


def script_json(value: Json) -> Markup:
    """`value` as JSON that may stand inside a script element: no `<`, `>`, `&`, and ASCII only, so no
    U+2028 or U+2029 either."""
    from markupsafe import Markup

    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def shown(value: object) -> object:
    """What a template prints for `value`: control characters and lone surrogates become U+FFFD."""
    if type(value) is str:
        return _CONTROL.sub("\ufffd", value.replace("\r\n", "\n"))
    return value


def slug(name: str) -> str:
    """`name` as part of a file name: lower-case letters, digits and single hyphens; a hash breaks ties of
    names that are not so already."""
    made = _SLUG.sub("-", name.lower()).strip("-")[:60]
    return (
        made
        if made == name
        else f"{made or 'x'}-{hashlib.sha256(name.encode(errors='surrogatepass')).hexdigest()[:8]}"
    )


def benchmark_href(name: str) -> str:
    """The file name of a benchmark's page."""
    return f"benchmark-{slug(name)}.html"


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
    )
    style = (_HERE / "assets" / "report.css").read_text(encoding="utf-8")
    script = (_HERE / "assets" / "replay.js").read_text(encoding="utf-8")
    # Inline with hashes: what 'self' means for file:// differs between browsers.
    environment.globals |= {
        "style": Markup(style),
        "script": Markup(script),
        "style_hash": _source_hash(style),
        "script_hash": _source_hash(script),
        "script_json": script_json,
        "bar_width": figures.BAR_WIDTH,
    }
    filters: Mapping[str, Any] = {
        "number": figures.number,
        "count": figures.count,
        "money": figures.money,
        "duration": figures.duration,
        "laid_out": laid_out,
        "plain": _plain,
    }
    environment.filters.update(filters)
    return environment


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2, default=str)


def _source_hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
