"""The official runtime folder: which build plays a UE task, and which page a Three.js task (specification, 11.3)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from embodied_eval.errors import DataFileError
from embodied_eval.worlds.bundled import PAGE_PREFIX
from embodied_eval.worlds.ue_service import PREFIX

SHA256 = r"^([0-9a-fA-F]{64})?$"
UNREAL = "unreal-profiles.json"
BROWSER = "browser-profiles"
FOLDERS = ("", "runtime")
OFFICIAL_SEED = "5"
Model = TypeVar("Model", bound=BaseModel)


class UnrealProfile(BaseModel):
    """What is used of a UE task's profile; how the game is launched is its service's business."""

    model_config = ConfigDict(frozen=True)

    build_sha256: str = Field("", pattern=SHA256)


class UnrealProfiles(BaseModel):
    """`unreal-profiles.json`."""

    model_config = ConfigDict(frozen=True)

    tasks: dict[str, UnrealProfile]


class BrowserProfile(BaseModel):
    """`browser-profiles/<id>.json`."""

    model_config = ConfigDict(frozen=True)

    task: str
    browser_root: str
    browser_page: str = Field(min_length=1)
    browser_case: str = Field(pattern=r"^[\w.-]{1,100}$")
    page_sha256: str = Field("", pattern=SHA256)


@dataclass(frozen=True)
class PageOf:
    """A task's page: the `world` that opens it, and its file as seen from the folder that it may ask things of; or
    why there is none."""

    world: str = ""
    entry: str = ""
    missing: str = ""


@dataclass(frozen=True)
class Runtime:
    """A folder's profiles, by task id in upper case; `root` None where there are none."""

    root: Path | None
    unreal: Mapping[str, UnrealProfile]
    browser: Mapping[str, BrowserProfile]

    def service(self, task_id: str) -> str:
        """The world of a UE task."""
        profile = self.unreal.get(task_id.upper())
        pin = f"#sha256={profile.build_sha256.lower()}" if profile and profile.build_sha256 else ""
        return f"{PREFIX}{task_id}{pin}"

    def page(self, task_id: str) -> PageOf:
        """The page of a Three.js task."""
        profile = self.browser.get(task_id.upper())
        if self.root is None or profile is None:
            return PageOf(missing=f"no {BROWSER}/{task_id}.json")
        home = self.root.resolve()
        folder = (home / profile.browser_root).resolve()
        name = profile.browser_page.partition("?")[0].lstrip("/")
        file = (folder / name).resolve()
        if not file.suffix:
            file = file.with_suffix(".html")
        if not (folder.is_relative_to(home) and file.is_relative_to(folder)):
            return PageOf(missing=f"its page {profile.browser_page} lies outside of {home}")
        if not file.is_file():
            return PageOf(missing=f"no page {file}")
        query = urlencode({"bug": profile.browser_case, "seed": OFFICIAL_SEED})
        pin = f"#sha256={profile.page_sha256.lower()}" if profile.page_sha256 else ""
        return PageOf(f"{PAGE_PREFIX}{file}?{query}{pin}", file.relative_to(folder).as_posix())


def read_runtime(folder: Path) -> Runtime:
    """The profiles in `folder` or its `runtime`. Raises DataFileError for one that cannot be read."""
    roots = [folder / place for place in FOLDERS]
    root = next((one for one in roots if (one / UNREAL).is_file() or (one / BROWSER).is_dir()), None)
    if root is None:
        return Runtime(None, {}, {})
    unreal: dict[str, UnrealProfile] = {}
    if (root / UNREAL).is_file():
        found = _read(root / UNREAL, UnrealProfiles)
        unreal = {name.upper(): profile for name, profile in found.tasks.items()}
    browser: dict[str, BrowserProfile] = {}
    for file in sorted((root / BROWSER).glob("*.json")):
        profile = _read(file, BrowserProfile)
        if profile.task.upper() != file.stem.upper():
            raise DataFileError(f"{file} is the profile of task {profile.task}, by its name of another.")
        browser[profile.task.upper()] = profile
    return Runtime(root, unreal, browser)


def _read(file: Path, model: type[Model]) -> Model:
    try:
        return model.model_validate(json.loads(file.read_text("utf-8")))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise DataFileError(f"{file}: {place or 'the file'}: {first['msg']}.") from error
    except (OSError, ValueError, RecursionError) as error:
        raise DataFileError(f"{file} cannot be read: {error}.") from error
