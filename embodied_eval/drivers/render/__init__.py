"""Pictures of a world: colour, depth, normals and instance masks in one pass, by moderngl on EGL."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from embodied_eval.drivers.render.entity import UNCHANGED, Entity
    from embodied_eval.drivers.render.renderer import Renderer

__all__ = ["UNCHANGED", "Entity", "Renderer"]


def __getattr__(name: str) -> object:
    if name in ("Entity", "UNCHANGED"):
        from embodied_eval.drivers.render import entity

        return getattr(entity, name)
    if name == "Renderer":
        from embodied_eval.drivers.render.renderer import Renderer

        return Renderer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
