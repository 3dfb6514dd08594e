"""The commands that mend a machine, as `doctor` prints them."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

from embodied_eval.benchmark import Check
from embodied_eval.errors import EmbodiedEvalError, MissingPart

GRAPHICS = "apt-get install -y --no-install-recommends libegl1 libgl1-mesa-dri libgles2"
SYSCTL = Path("/proc/sys")
# Settings of some kernels that keep programs from making a namespace: name, the value that does, one that does not.
NAMESPACES = (
    ("kernel.apparmor_restrict_unprivileged_userns", "1", "0"),
    ("kernel.unprivileged_userns_clone", "0", "1"),
    ("user.max_user_namespaces", "0", "15000"),
)


def pip(extra: str) -> str:
    """The command that installs one of our extras into this Python."""
    return f"{shlex.quote(sys.executable)} -m pip install 'embodied-eval[{extra}]'"


def missing(name: str, package: str, extra: str) -> Check:
    """The check of a part whose package is not installed."""
    return Check(name, "missing", f"the package {package!r} is not installed", pip(extra))


def failed(name: str, error: EmbodiedEvalError) -> Check:
    """The check of a part that one of our errors kept from working."""
    if isinstance(error, MissingPart):
        # For this Python, whatever else the path holds.
        here = error.fix.startswith(("pip ", "playwright "))
        mend = f"{shlex.quote(sys.executable)} -m {error.fix}" if here else error.fix
        return Check(name, "missing", error.message, mend)
    return Check(name, "broken", str(error))


def namespaces() -> str:
    """The command that lets a browser have namespaces of its own; "" where none is known."""
    if not all(map(shutil.which, ("unshare", "setpriv"))):
        return "apt-get install -y util-linux"
    for name, forbids, allows in NAMESPACES:
        path = SYSCTL / name.replace(".", "/")
        if path.is_file() and path.read_text(encoding="ascii").strip() == forbids:
            return f"sysctl -w {name}={allows}"
    return ""
