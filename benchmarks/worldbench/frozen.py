"""What `worldbench@1.0` is: the hashes of its prompt, items and thresholds, and whether they are still those.

`python -m benchmarks.worldbench.frozen` prints the present ones as `frozen.toml` holds them.
"""

from __future__ import annotations

import hashlib
import sys
import tomllib
from collections.abc import Mapping
from importlib.resources import files

from benchmarks.worldbench.prompts import VERSION
from benchmarks.worldbench.suite import SUITE

NOT_FROZEN = ("published.toml",)
"""Figures of others, which no result depends on."""


def frozen() -> Mapping[str, str]:
    """SHA-256 (hex) of each file as it was frozen, by name."""
    data = tomllib.loads(files("benchmarks.worldbench").joinpath("frozen.toml").read_text("utf-8"))
    found = data[SUITE]
    assert isinstance(found, dict)
    return found


def present() -> Mapping[str, str]:
    """SHA-256 (hex) of each of these files as it is now, by name."""
    package = files("benchmarks.worldbench")
    spec = [one.name for one in package.joinpath("spec").iterdir() if one.name.endswith(".toml")]
    names = [f"prompt/{VERSION}.md", *(f"spec/{name}" for name in sorted(spec) if name not in NOT_FROZEN)]
    return {name: hashlib.sha256(package.joinpath(name).read_bytes()).hexdigest() for name in names}


def main() -> None:
    """Write the present hashes to stdout."""
    rows = [f'"{name}" = "{sha256}"' for name, sha256 in present().items()]
    sys.stdout.write("\n".join((f'["{SUITE}"]', *rows)) + "\n")


if __name__ == "__main__":
    main()
