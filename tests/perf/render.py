"""What a picture costs: `python -m tests.perf.render [--world indoor] [--repeats 9]`.

Prints one JSON line: median milliseconds (also the fastest, and of CPU) of alternating repeats at 960x540 for a still
world of a plane and 1,000 mixed primitives - all four modalities, the same with the shadow map redrawn,
RGB alone, ids alone - and for MuJoCo's own renderer of the same primitives (RGB, depth, segmentation).
`--world` measures a bundled world from its spawns instead.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from embodied_eval.drivers.render import Entity, Renderer
from embodied_eval.drivers.render.instances import rotation_matrix
from embodied_eval.worlds.model import Light, Material, Primitive, Sky, Sun, World

SIZE = (960, 540)
ALL = ("rgb", "depth", "normals", "mask")
VIEW = ((-9.0, -9.0, 2.5), 45.0, -12.0)
TEXTURES = ("plain", "wood", "planks", "tile", "brick", "fabric", "marble", "metal", "concrete", "checker")
SHAPES = ("box", "ellipsoid", "cylinder", "capsule", "box", "cone")


def mixed_world(count: int) -> list[tuple[Entity, np.ndarray, np.ndarray]]:
    """A plane and `count` primitives on 20 x 20 m: entity, position, rotation."""
    rng = np.random.default_rng(5)
    plane = Entity("plane", 0, (Primitive("box", (40.0, 40.0, 0.1), material="tile"),))
    world = [(plane, np.array([0.0, 0.0, -0.05]), np.eye(3))]
    for index in range(1, count + 1):
        shape = SHAPES[index % len(SHAPES)]
        wide = rng.uniform(0.15, 0.7)
        size = (wide, wide, rng.uniform(0.75, 1.2))
        bevel = 0.02 if index % 12 == 0 else 0.0
        primitive = Primitive(shape, size, material=TEXTURES[index % len(TEXTURES)], bevel_m=bevel)  # type: ignore[arg-type]
        position = np.array([*rng.uniform(-10, 10, 2), rng.uniform(0.3, 1.5)])
        rotation = rotation_matrix((0.0, 0.0, float(rng.uniform(-180, 180))))
        world.append((Entity(f"o{index}", index, (primitive,)), position, rotation))
    return world


def our_renderer(world: list[tuple[Entity, np.ndarray, np.ndarray]]) -> Renderer:
    """Our renderer of `mixed_world`."""
    materials = {name: Material(name, (0.8, 0.6, 0.45), (0.5, 0.4, 0.35), 0.6) for name in TEXTURES}  # type: ignore[arg-type]
    lamps = [Light(f"lamp{i}", (4.0 * i - 6.0, 2.0 * i - 3.0, 2.5)) for i in range(4)]
    made = Renderer(materials, Sky(), Sun(), lamps, fov_deg=90.0)
    for entity, position, rotation in world:
        made.add(entity)
        made.update(entity.key, position=position, rotation=rotation)
    return made


def their_renderer(world: list[tuple[Entity, np.ndarray, np.ndarray]]) -> Callable[[], None]:
    """A call that draws the same with MuJoCo: RGB with shadows, depth, segmentation (cones as cylinders)."""
    os.environ.setdefault("MUJOCO_GL", "egl")
    import mujoco

    geoms = []
    for entity, position, rotation in world:
        primitive = entity.primitives[0]
        x, y, z = (side / 2 for side in primitive.size)
        kind, size = {
            "box": ("box", (x, y, z)),
            "ellipsoid": ("ellipsoid", (x, y, z)),
            "capsule": ("capsule", (x, z - x)),
        }.get(primitive.shape, ("cylinder", (x, z)))
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, rotation.ravel())
        text = {"size": size, "pos": position, "quat": quat}
        fields = " ".join(f'{key}="{" ".join(str(float(v)) for v in value)}"' for key, value in text.items())
        geoms.append(f'<geom type="{kind}" {fields} contype="0" conaffinity="0"/>')
    eye, yaw, pitch = VIEW
    yaw, pitch = np.radians(yaw), np.radians(pitch)
    axes = (
        np.sin(yaw),
        -np.cos(yaw),
        0,
        -np.sin(pitch) * np.cos(yaw),
        -np.sin(pitch) * np.sin(yaw),
        np.cos(pitch),
    )
    fovy = np.degrees(2 * np.arctan(SIZE[1] / SIZE[0]))
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><visual><global offwidth="{SIZE[0]}" offheight="{SIZE[1]}"/></visual><worldbody>
        <light directional="true" castshadow="true" dir="0.35 0.25 -0.9" pos="0 0 8"/>{"".join(geoms)}
        <camera name="eye" pos="{" ".join(map(str, eye))}" xyaxes="{" ".join(map(str, axes))}" fovy="{fovy}"/>
        </worldbody></mujoco>"""
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    made = mujoco.Renderer(model, SIZE[1], SIZE[0], max_geom=len(geoms) + 100)

    def draw() -> None:
        made.update_scene(data, "eye")
        made.render()
        made.enable_depth_rendering()
        made.render()
        made.disable_depth_rendering()
        made.enable_segmentation_rendering()
        made.render()
        made.disable_segmentation_rendering()

    return draw


def bundled_renderer(world: World) -> Renderer:
    """Our renderer of a bundled world at rest: one entity an object, moving parts in their resting place."""
    made = Renderer(world.materials, world.sky, world.sun, world.lights, fov_deg=world.fov_deg)
    for index, item in enumerate(world.objects):
        made.add(Entity(item.name, index, item.primitives))
        made.update(
            item.name,
            position=item.position,
            rotation=rotation_matrix(item.rotation_deg),
            scale=item.scale,
            visible=item.visible,
            casts_shadow=item.casts_shadow,
        )
    return made


def median_ms(cases: dict[str, Callable[[], Any]], repeats: int) -> dict[str, dict[str, float]]:
    """Median and fastest wall-clock milliseconds of each case, and median milliseconds of CPU over all its
    threads; the cases are taken in turn, the first turn is not counted."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in cases}
    for turn in range(repeats + 1):
        for name, case in cases.items():
            start, start_cpu = time.perf_counter(), time.process_time()
            case()
            if turn:
                times[name].append((time.perf_counter() - start, time.process_time() - start_cpu))
    found = {name: 1e3 * np.array(values) for name, values in times.items()}
    return {
        name: {
            "median": round(float(np.median(values[:, 0])), 1),
            "fastest": round(float(values[:, 0].min()), 1),
            "cpu": round(float(np.median(values[:, 1])), 1),
        }
        for name, values in found.items()
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--world", default="")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=9)
    arguments = parser.parse_args()
    load = os.getloadavg()[0]
    cases: dict[str, Callable[[], Any]] = {}
    if arguments.world:
        from embodied_eval.worlds.bundled import load_world

        world = load_world(arguments.world)
        ours = bundled_renderer(world)
        count = sum(len(item.primitives) for item in world.objects)
        moved = next(item for item in world.objects if item.casts_shadow and item.supports == "floor")
        key, place = moved.name, np.array(moved.position)
        views = [
            ((*spawn.position[:2], spawn.position[2] + world.eye_height_m), spawn.yaw_deg, -8.0)
            for spawn in world.spawns
        ]
        for number, view in enumerate(views):
            cases[f"all:{world.spawns[number].name}"] = lambda view=view: ours.render(*view, SIZE, ALL)
        view = views[0]
    else:
        scene = mixed_world(arguments.count)
        ours = our_renderer(scene)
        count = len(scene)
        key, place, view = "o1", scene[1][1], VIEW
        cases["all"] = lambda: ours.render(*view, SIZE, ALL)
        cases["mujoco rgb+depth+segmentation"] = their_renderer(scene)
    step = [0]

    def redrawn() -> None:
        step[0] += 1
        ours.update(key, position=place + np.array([0.0, 0.0, 0.001 * (step[0] % 2)]))
        ours.render(*view, SIZE, ALL)

    cases["all, shadow redrawn"] = redrawn
    cases["rgb"] = lambda: ours.render(*view, SIZE, ("rgb",))
    cases["depth+normals+mask"] = lambda: ours.render(*view, SIZE, ("depth", "normals", "mask"))
    cases["ids 480x270"] = lambda: ours.ids(*view, (480, 270))
    result = {
        "world": arguments.world or "mixed",
        "primitives": count,
        "size": SIZE,
        "renderer": ours.name,
        "cpus": len(os.sched_getaffinity(0)),
        "load_at_start": round(load, 2),
        "ms": median_ms(cases, arguments.repeats),
    }
    print(json.dumps(result))
    ours.close()


if __name__ == "__main__":
    main()
