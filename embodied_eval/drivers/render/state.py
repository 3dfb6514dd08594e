"""What a renderer knows before it draws: entities, lamps, sun and sky, whatever it draws them with."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from embodied_eval.drivers.base import MODALITIES, Vec3
from embodied_eval.drivers.render.entity import UNCHANGED, Entity, Unchanged
from embodied_eval.drivers.render.instances import Instances, transform
from embodied_eval.drivers.render.lighting import Lighting
from embodied_eval.drivers.render.looks import check_materials
from embodied_eval.drivers.render.models import Models
from embodied_eval.drivers.render.patterns import layers
from embodied_eval.errors import CapabilityMissing, ConfigError

if TYPE_CHECKING:
    from embodied_eval.worlds.model import Light, Material, Sky, Sun

MAX_SIDE_PX = 8192
OWN = "own"
"""Texture of what a model shows by itself, for renderers that can; its layer is the one behind all patterns."""


class RendererState:
    """Entities with one material table, sky, sun and lamps; `models` are the world's meshes.

    `fov_deg` is horizontal; `closed` renderers draw nothing more. Raises DataFileError for an unknown texture,
    ConfigError for a field of view outside 1 to 170 degrees.
    """

    def __init__(
        self,
        materials: Mapping[str, Material],
        sky: Sky,
        sun: Sun,
        lights: Sequence[Light],
        *,
        fov_deg: float,
        models: Models,
    ) -> None:
        check_materials(materials)
        if not 1.0 <= fov_deg <= 170.0:
            raise ConfigError(f"A field of view of {fov_deg} degrees; legal: 1 to 170.")
        self.fov_deg = fov_deg
        self.closed = False
        self.layer_of = layers(materials)
        self.meshes = models.meshes
        self.instances = Instances(materials, {**self.layer_of, OWN: len(self.layer_of)}, models)
        self.lighting = Lighting(sky, sun, lights)

    def add(self, entity: Entity) -> None:
        """Add `entity` at the origin, visible. Raises UnknownName for a material that the table lacks,
        ConfigError for a key that is taken."""
        self.instances.add(entity)

    def remove(self, key: str) -> None:
        """Remove an entity. Raises UnknownName."""
        self.instances.remove(key)

    def update(
        self,
        key: str,
        *,
        position: Any = None,
        rotation: Any = None,
        scale: Any = None,
        shadow_offset: Any = None,
        visible: bool | None = None,
        casts_shadow: bool | None = None,
        material: str | Literal[Unchanged.UNCHANGED] | None = UNCHANGED,
        tint: Vec3 | Literal[Unchanged.UNCHANGED] | None = UNCHANGED,
        glow: bool | None = None,
    ) -> None:
        """Change what is given. `position` (3,) metres, `rotation` (3, 3) world from part, `scale` (3,);
        `shadow_offset` (3,) metres moves what the sun's shadow map sees of it; `material` replaces all its
        materials and `tint` their colours, None gives them back; `glow` lights emissive materials. Raises
        UnknownName, also for a material that the table lacks, and ConfigError for numbers of another shape
        or not finite."""
        fields: dict[str, Any] = transform(key, position, rotation, scale, shadow_offset)
        for name, value in (("visible", visible), ("casts_shadow", casts_shadow), ("glow", glow)):
            if value is not None:
                fields[name] = bool(value)
        if tint is not UNCHANGED:
            fields["tint"] = tint
        if material is not UNCHANGED:
            fields["material"] = material
        self.instances.change(key, **fields)

    def set_light(
        self,
        name: str,
        *,
        on: bool | None = None,
        intensity: float | None = None,
        color: Vec3 | None = None,
    ) -> None:
        """Change a lamp, or the sun by the name "sun". Raises UnknownName."""
        self.lighting.set(name, on, intensity, color)

    def check(self, size: tuple[int, int], modalities: Collection[str] = ()) -> None:
        """Raise CapabilityMissing for a closed renderer or an unknown modality, ConfigError for an illegal
        size (width, height) in pixels."""
        unknown = set(modalities) - MODALITIES
        if unknown:
            raise CapabilityMissing(f"No modality {sorted(unknown)}; legal: {sorted(MODALITIES)}.")
        if self.closed:
            raise CapabilityMissing("The renderer is closed.", hint="Load a world first.")
        if min(size) < 1 or max(size) > MAX_SIDE_PX:
            raise ConfigError(f"A picture of {size[0]}x{size[1]} pixels; legal: 1 to {MAX_SIDE_PX} each way.")
