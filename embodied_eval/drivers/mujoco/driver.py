"""The embedded simulator: physics and contacts by MuJoCo, pictures by our own renderer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from embodied_eval.drivers.body import TOUCH_M
from embodied_eval.drivers.character import Character
from embodied_eval.drivers.mujoco.scene import Scene
from embodied_eval.drivers.things import Thing
from embodied_eval.drivers.view import Renderer, materials_of
from embodied_eval.drivers.world_driver import Passed, WorldDriver
from embodied_eval.worlds.devices import Device
from embodied_eval.worlds.geometry import Array
from embodied_eval.worlds.model import World


class WalkedScene(Scene):
    """The MuJoCo model with the agent in it, and time."""

    def __init__(self, name: str, things: Iterable[Thing]) -> None:
        super().__init__(name, things)
        self.character = Character(self)

    def stand(self, feet: Array) -> None:
        """Put the agent at `feet` (3,) at once, at rest."""
        self.character.place(feet)

    def tick(self, wish_m: Array, dt_s: float, count: int, jump: bool, ready: Callable[[], None]) -> Passed:
        """As `world_driver.Scene.tick`."""
        self.character.begin(float((wish_m @ wish_m) ** 0.5))
        pairs: set[tuple[str, str]] = set()
        for index in range(count):
            ready()
            self._advance_devices(dt_s / count)
            stood = self.character.feet.copy()
            self.character.advance(wish_m / count, dt_s / count, jump=jump and index == 0)
            self.step(dt_s / count, self.character.feet - stood)
            pairs |= self.touching()
        return Passed(self.character.touched, pairs)

    def _advance_devices(self, dt_s: float) -> None:
        for thing in self.things.values():
            if thing.device is not None and thing.device.moving:
                self._advance_device(thing, thing.device, dt_s)

    def _advance_device(self, thing: Thing, device: Device, dt_s: float) -> None:
        geoms = self._solid_part(thing)
        before, room = device.amount, self.character.overlaps(geoms)

        def fits(amount: float) -> bool:
            device.amount = amount
            self.place(thing)
            # A part that is too near the agent already may still move away from it.
            if self.character.overlaps(geoms) >= min(TOUCH_M, room):
                return True
            device.amount = before
            self.place(thing)
            return False

        device.advance(dt_s, fits)

    def _solid_part(self, thing: Thing) -> list[int]:
        part = thing.item.interaction.part if thing.item.interaction else ""
        return [geom for geom in self.part_geoms(thing, part) if self.solid[geom]]


class MujocoDriver(WorldDriver):
    """A world in MuJoCo. Physics needs no display: the GL context comes with the first picture."""

    name = "mujoco"

    def _open(self, world: World, things: Sequence[Thing]) -> WalkedScene:
        return WalkedScene(world.name, things)

    def _renderer(self, world: World) -> Renderer:
        from embodied_eval.drivers.render import Renderer as Moderngl

        return Moderngl(
            materials_of(world),
            world.sky,
            world.sun,
            world.lights,
            fov_deg=world.fov_deg,
            meshes=world.meshes,
        )
