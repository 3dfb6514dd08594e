"""The MuJoCo model that the things of a loaded world live in.

Geom groups serve as ray filters: 0 seen and solid, 1 seen only, 2 solid only (invisible), 3 neither, 4 the
agent, 5 seen, solid and light enough for the agent to push.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embodied_eval.drivers.body import AIR_BASE_M, HEIGHT_M, PUSH_BASE_M, RADIUS_M, WALK_BASE_M
from embodied_eval.drivers.things import Thing, pair_of
from embodied_eval.errors import DataFileError
from embodied_eval.worlds import mjcf
from embodied_eval.worlds.geometry import Array, matrix_of, quaternion, vec3
from embodied_eval.worlds.model import Vec3

SIGHT = np.array([1, 1, 0, 0, 0, 1], dtype=np.uint8)
GROUND = np.array([1, 0, 1, 0, 0, 0], dtype=np.uint8)
LIGHT_GROUND = np.array([0, 0, 0, 0, 0, 1], dtype=np.uint8)
_AGENT_GROUP = 4
_AGENT_KG = 1000.0


class Scene:
    """The compiled model of all things and the agent, with the queries that the driver needs."""

    def __init__(self, name: str, things: Iterable[Thing]) -> None:
        self._mj = mjcf.load_mujoco()
        self.name = name
        self.things: dict[str, Thing] = {thing.item.name: thing for thing in things}
        self.feet: Array = np.zeros(3)
        self._from_to: Array = np.zeros(6)
        self._geom: NDArray[np.int32] = np.zeros(1, dtype=np.int32)
        self.rebuild()

    def add(self, thing: Thing) -> None:
        """Take in a new thing. Raises DataFileError for one that MuJoCo refuses, nothing changed."""
        self.things[thing.item.name] = thing
        try:
            self.rebuild()
        except DataFileError:
            del self.things[thing.item.name]
            raise

    def remove(self, name: str) -> None:
        """Forget a thing."""
        del self.things[name]
        self.rebuild()

    def resize(self, thing: Thing, scale: Vec3) -> None:
        """Give a thing another scale. Raises DataFileError, the scale being as before."""
        before, thing.scale = thing.scale, scale
        try:
            self.rebuild()
        except DataFileError:
            thing.scale = before
            raise

    def rebuild(self) -> None:
        """Compile the model again, keeping poses and velocities; after things came, went or were scaled."""
        spec = mjcf.empty_spec(self.name)
        # Joints, not a mocap body: contacts then know how fast the agent comes. It is far too heavy to be
        # turned aside, and is put back after each step in any case.
        agent = spec.worldbody.add_body(name="agent", gravcomp=1.0)
        for axis in np.eye(3):
            agent.add_joint(type=self._mj.mjtJoint.mjJNT_SLIDE, axis=axis)
        for base_m in (PUSH_BASE_M, WALK_BASE_M, AIR_BASE_M):
            half = (HEIGHT_M - base_m) / 2.0
            geom = agent.add_geom(type=self._mj.mjtGeom.mjGEOM_CYLINDER, size=(RADIUS_M, half, 0.0))
            geom.pos = (0.0, 0.0, base_m + half)
            geom.group, geom.priority, geom.contype, geom.conaffinity = _AGENT_GROUP, 1, 0, 0
            geom.friction, geom.mass = (0.0, 0.0, 0.0), _AGENT_KG
        agent.geoms[0].contype = mjcf.AGENT_BIT
        for thing in self.things.values():
            amount = thing.device.amount if thing.device else None
            mjcf.add_object(
                spec,
                mjcf.Placement(
                    thing.item,
                    thing.position,
                    thing.rotation,
                    thing.scale,
                    amount,
                    thing.free,
                    thing.collides,
                    thing.meshes,
                ),
            )
        items = [thing.item for thing in self.things.values()]
        mjcf.add_excludes(spec, items, {item.name for item in items if item.dynamic})
        velocities = self._velocities() if hasattr(self, "model") else {}
        self.spec, self.model = spec, mjcf.compile_spec(spec, f"world {self.name!r}")
        self.data = self._mj.MjData(self.model)
        self._index()
        for name, velocity in velocities.items():
            if name in self.things:
                self.data.qvel[self._dof[name] : self._dof[name] + 6] = velocity
        for thing in self.things.values():
            self._place(thing)
        self.put_agent(self.feet)
        self._mj.mj_forward(self.model, self.data)

    def _velocities(self) -> dict[str, Array]:
        return {name: self.data.qvel[start : start + 6].copy() for name, start in self._dof.items()}

    def _index(self) -> None:
        model = self.model
        self.walk_geom, self.air_geom, self.push_geom = 1, 2, 0
        self.owner: list[Thing | None] = [None] * model.ngeom
        self._may_collide = np.zeros(model.ngeom, dtype=bool)
        self.solid = np.zeros(model.ngeom, dtype=bool)
        self._bodies: dict[str, dict[str, int]] = {}
        self._dof: dict[str, int] = {}
        self._joint: dict[str, int] = {}
        for thing in self.things.values():
            bodies = self._bodies[thing.item.name] = {
                part: model.body(mjcf.body_name(thing.item.name, part)).id
                for part in mjcf.parts_of(thing.item)
            }
            for part, body in bodies.items():
                start, count = int(model.body_geomadr[body]), int(model.body_geomnum[body])
                flags = [shape.collides for shape in thing.item.primitives if shape.part == part]
                self._may_collide[start : start + count] = flags
                for geom in range(start, start + count):
                    self.owner[geom] = thing
            if thing.free:
                body = bodies[""]
                self._dof[thing.item.name] = int(model.body_dofadr[body])
                self._joint[thing.item.name] = int(model.jnt_qposadr[model.body_jntadr[body]])
            self.flag(thing)

    def flag(self, thing: Thing) -> None:
        """Bring ray groups and collision bits up to `thing.visible` and `thing.collides`."""
        for geom in [geom for part in self._bodies[thing.item.name] for geom in self.part_geoms(thing, part)]:
            may = bool(self._may_collide[geom])
            solid = may and thing.collides
            self.solid[geom] = solid
            if thing.visible:
                group = (5 if thing.light else 0) if solid else 1
            else:
                group = 2 if solid else 3
            bits = mjcf.collision_bits(
                solid, pushed=thing.light, ghost=may and thing.free and not thing.collides
            )
            self.model.geom_group[geom] = group
            self.model.geom_contype[geom], self.model.geom_conaffinity[geom] = bits
        # The broad phase looks at the bodies' bits, which are their geoms' together.
        for part, body in self._bodies[thing.item.name].items():
            rows = list(self.part_geoms(thing, part))
            for name in ("contype", "conaffinity"):
                bits_of_geoms = getattr(self.model, f"geom_{name}")[rows]
                getattr(self.model, f"body_{name}")[body] = int(
                    np.bitwise_or.reduce(bits_of_geoms, initial=0)
                )

    def part_geoms(self, thing: Thing, part: str) -> range:
        """The geoms of one of its parts."""
        body = self._bodies[thing.item.name].get(part)
        if body is None or not self.model.body_geomnum[body]:
            return range(0)
        start = int(self.model.body_geomadr[body])
        return range(start, start + int(self.model.body_geomnum[body]))

    def _place(self, thing: Thing) -> None:
        for part, body in self._bodies[thing.item.name].items():
            if thing.free and part:
                rotation, offset = thing.part(part)
                self.model.body_pos[body], self.model.body_quat[body] = offset, quaternion(rotation)
                continue
            position, rotation = thing.part_in_world(part)
            if thing.free:
                start = self._joint[thing.item.name]
                self.data.qpos[start : start + 3] = position
                self.data.qpos[start + 3 : start + 7] = quaternion(rotation)
            else:
                slot = int(self.model.body_mocapid[body])
                self.data.mocap_pos[slot], self.data.mocap_quat[slot] = position, quaternion(rotation)

    def place(self, thing: Thing) -> None:
        """Put a thing where its fields say, at once."""
        thing.stamp += 1
        self._place(thing)
        self._mj.mj_kinematics(self.model, self.data)

    def set_velocity(self, thing: Thing, linear_m_s: Vec3 | None, spin_deg_s: Vec3 | None) -> None:
        """Set a movable body's velocity and spin, both in the world frame; None leaves as it is."""
        start = self._dof[thing.item.name]
        if linear_m_s is not None:
            self.data.qvel[start : start + 3] = linear_m_s
            thing.velocity_m_s = linear_m_s
        if spin_deg_s is not None:
            # A free joint's angular velocity is kept in the body's own frame.
            self.data.qvel[start + 3 : start + 6] = thing.rotation.T @ np.radians(spin_deg_s)

    def put_agent(self, feet: Array) -> None:
        """Have the agent's body stand at `feet` (3,)."""
        self.feet = feet
        self.data.qpos[:3] = feet
        for geom in (0, 1, 2):
            self.data.geom_xpos[geom] = feet + self.model.geom_pos[geom]

    def step(self, dt_s: float, came: Array) -> None:
        """Let physics pass `dt_s` seconds in steps of at most `mjcf.TIMESTEP_S`, in which the agent comes
        the way `came` (3,) in metres to where it stands."""
        if not self._joint:
            return
        self.data.qpos[:3], self.data.qvel[:3] = self.feet - came, came / dt_s
        self._simulate(self.data, dt_s)
        self.data.qpos[:3], self.data.qvel[:3] = self.feet, 0.0
        self._mj.mj_kinematics(self.model, self.data)
        for name, start in self._joint.items():
            thing, dof = self.things[name], self._dof[name]
            pose = self.data.qpos[start : start + 7]
            thing.position, thing.rotation = vec3(pose[:3]), matrix_of(pose[3:])
            thing.velocity_m_s = vec3(self.data.qvel[dof : dof + 3])
            thing.angles_deg = None
            thing.stamp += 1

    def _simulate(self, data: Any, dt_s: float) -> None:
        count = max(1, int(np.ceil(dt_s / mjcf.TIMESTEP_S - 1e-9)))
        self.model.opt.timestep = dt_s / count
        self._mj.mj_step(self.model, data, count)

    def resting(self) -> set[tuple[str, str]]:
        """Pairs that touch within the next 0.2 s if nobody does anything; nothing passes."""
        data = copy.copy(self.data)
        pairs = self.touching(data)
        for _ in range(8 if self._joint else 0):
            self._simulate(data, 0.025)
            pairs |= self.touching(data)
        return pairs

    def touching(self, data: Any = None) -> set[tuple[str, str]]:
        """Sorted pairs of names of the things in contact, the agent left out."""
        pairs: set[tuple[str, str]] = set()
        data = self.data if data is None else data
        if not data.ncon:
            return pairs
        for first, second in {(int(a), int(b)) for a, b in data.contact.geom}:
            one, other = self.owner[first], self.owner[second]
            if one is not None and other is not None and one is not other:
                pairs.add(pair_of(one.item.name, other.item.name))
        return pairs

    def near(self, low: Array, high: Array) -> list[int]:
        """Solid geoms whose axis-aligned box meets the one from `low` to `high`."""
        box = self.model.geom_aabb
        axes = self.data.geom_xmat.reshape(-1, 3, 3)
        center = self.data.geom_xpos + np.einsum("nij,nj->ni", axes, box[:, :3])
        half = np.einsum("nij,nj->ni", np.abs(axes), box[:, 3:])
        meets = self.solid & np.all((center - half <= high) & (center + half >= low), axis=1)
        return [int(geom) for geom in np.nonzero(meets)[0]]

    def gap(self, query: int, geom: int, reach_m: float) -> tuple[float, Array]:
        """Signed distance between two geoms (at most `reach_m`) and the unit vector from the first to the
        second, zeros where there is none."""
        gap = float(self._mj.mj_geomDistance(self.model, self.data, query, geom, reach_m, self._from_to))
        if gap >= reach_m:
            return gap, np.zeros(3)
        if abs(gap) < 1e-9:
            # Exactly touching: no line between them, so look from the body's axis to the point.
            level = self._from_to[3:] - self.data.geom_xpos[query]
            level[2] = 0.0
            return gap, level / max(float(np.linalg.norm(level)), 1e-9)
        normal: Array = (self._from_to[3:] - self._from_to[:3]) / gap
        return gap, normal

    def sight(self, origin: Array, direction: Array) -> tuple[float, Thing | None]:
        """`ray` to what is visible, solid or not."""
        return self.ray(origin, direction, SIGHT)

    def ray(self, origin: Array, direction: Array, groups: NDArray[np.uint8]) -> tuple[float, Thing | None]:
        """Distance along the unit vector `direction` to the first geom of `groups` and its thing; -1 and
        None where there is nothing."""
        found = float(self._mj.mj_ray(self.model, self.data, origin, direction, groups, 1, -1, self._geom))
        return (found, self.owner[int(self._geom[0])]) if found >= 0.0 else (-1.0, None)
