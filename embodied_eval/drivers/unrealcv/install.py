"""A game's own copy of its installation, made of links: only what the game writes is its own.

The plugin reads and writes its settings beside the binary, so two games from one folder would share them. The binary
is a hard link, since an engine follows a symbolic one to the original's folder; all else is linked symbolically.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from embodied_eval.drivers.unrealcv import ini
from embodied_eval.errors import DataFileError

_BINARIES = "Binaries"
_WRITTEN = "Saved"


def linked_copy(binary: Path, folder: Path) -> Path:
    """The binary within a copy of its installation in `folder`, which must be empty.

    Raises `DataFileError` if `binary` is no program that can be run.
    """
    real = checked(binary)
    levels = _levels(real)
    here, there = folder, levels[0]
    for level in [*levels[1:], real]:
        here.mkdir(parents=True, exist_ok=True)
        _link_all_but({level.name, _WRITTEN, ini.FILE}, there, here)
        here, there = here / level.name, level
    _hard_link(real, here)
    saved = real.parents[2] / _WRITTEN / "Config" if len(levels) > 1 else None
    if saved is not None and saved.is_dir():
        shutil.copytree(saved, here.parents[2] / _WRITTEN / "Config")
    return here


def checked(binary: Path) -> Path:
    """The program's own path. Raises `DataFileError`."""
    try:
        real = binary.resolve(strict=True)
    except OSError as error:
        raise DataFileError(f"The game {binary} cannot be found: {error.strerror or error}.") from error
    if not real.is_file() or not os.access(real, os.X_OK):
        raise DataFileError(
            f"The game {binary} is no program that can be run.", hint=f"Perhaps: chmod +x {binary}"
        )
    return real


def _levels(binary: Path) -> list[Path]:
    """Folders from the installation's top down to the binary's: `ROOT, ROOT/Game, .../Binaries, .../Linux` where it
    is laid out so, otherwise only its own."""
    own = binary.parent
    if own.parent.name != _BINARIES:
        return [own]
    return [own.parents[2], own.parents[1], own.parent, own]


def _link_all_but(names: set[str], there: Path, here: Path) -> None:
    for entry in there.iterdir():
        if entry.name not in names:
            (here / entry.name).symlink_to(entry)


def _hard_link(real: Path, to: Path) -> None:
    try:
        os.link(real, to)
    except OSError:
        # Another file system, or one without hard links: the same bytes do as well.
        shutil.copy2(real, to)
