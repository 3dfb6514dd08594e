"""The init script that puts a page on the virtual clock and lets the driver look inside."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources

# In order: each part may use what the ones before it put into the kit.
PARTS = ("kit", "clock", "overrides", "pending", "canvas", "hook", "pointer", "scene", "entry")
DOOR = "__embodied_eval"
# The virtual wall clock at the start of every page: 2025-01-01 12:00:00 UTC.
EPOCH_MS = 1735732800000
QUIET_LIMIT_MS = 5000.0


def init_script(seed: int, token: str) -> str:
    """A script for every frame, before any script of the page. `seed` starts `Math.random` (its low 32
    bits), `token` opens the door that `call` goes through."""
    config = json.dumps(
        {
            "seed": seed & 0xFFFFFFFF,
            "token": token,
            "door": DOOR,
            "epochMs": EPOCH_MS,
            "quietLimitMs": QUIET_LIMIT_MS,
        }
    )
    parts = ",\n".join(part_text(name) for name in PARTS)
    return f"""(() => {{
  "use strict";
  if (Object.hasOwn(window, "{DOOR}")) return;
  const kit = {{ config: {config} }};
  try {{
    kit.shared = window.parent === window ? undefined : window.parent.{DOOR}?.("clock");
  }} catch {{
    kit.shared = undefined; // a frame of another origin stands still on a clock of its own
  }}
  for (const part of [
{parts}
  ]) part(kit);
}})();
"""


def call(method: str) -> str:
    """A JavaScript function that calls `method` of the door with `[token, document, ...arguments]`. A
    `document` (from "place") other than the page's, unless it is null, fails as if the page had left."""
    return f"([token, document, ...parts]) => window.{DOOR}(token, document, {json.dumps(method)}, ...parts)"


def begin(function: str) -> str:
    """A JavaScript function of `[token, document, arg]` that starts `function` of `arg`, to be waited for
    with "until"."""
    return f"([token, document, arg]) => window.{DOOR}(token, document, 'begin', ({function})(arg))"


@lru_cache(maxsize=16)
def part_text(name: str) -> str:
    """The text of one part: comments and one arrow function."""
    return resources.files(__package__).joinpath(f"{name}.js").read_text(encoding="utf-8").strip()
