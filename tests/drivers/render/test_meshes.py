"""The unit meshes are closed, face outwards and keep within their error."""

from __future__ import annotations

import numpy as np
import pytest

from embodied_eval.drivers.render import meshes as m


def _mesh(number: int) -> tuple[np.ndarray, np.ndarray]:
    known = m.mesh_set()
    first, count, base = known.first[number], known.count[number], known.base[number]
    triangles = known.indices[first : first + count].reshape(-1, 3)
    return known.vertices[base : base + triangles.max() + 1], triangles


def _points(number: int, half: np.ndarray, bevel: float) -> np.ndarray:
    """Positions as `glsl/scene.vert` puts them, for an untapered solid."""
    vertices, _ = _mesh(number)
    corner, normal, solid = vertices[:, :3], vertices[:, 3:6], int(vertices[0, 8])
    if solid == m.SOLID["box"]:
        return corner * (half - bevel) + bevel * normal
    if solid == m.SOLID["capsule"]:
        radius = half.min()
        return corner * [0, 0, half[2] - radius] + normal * [half[0], half[1], radius]
    return corner * half


ALL = [coarsest + level for coarsest, levels in m.LEVELS.items() for level in range(levels)]


@pytest.mark.parametrize("number", ALL)
def test_closed_and_facing_outwards(number: int) -> None:
    half = np.array([0.4, 0.4, 0.6])
    bevelled = number in (1, 2, *range(m.CYLINDER_BEVEL, m.ELLIPSOID))
    points = _points(number, half, 0.1 if bevelled else 0.0)
    _, triangles = _mesh(number)
    a, b, c = (points[triangles[:, i]].astype(float) for i in range(3))
    area = np.cross(b - a, c - a) / 2
    assert np.abs(area.sum(axis=0)).max() < 1e-6
    volume = (a * np.cross(b, c)).sum() / 6
    box, solid = 8 * half.prod(), int(_mesh(number)[0][0, 8])
    exact = {0: box if number < 3 else box * np.pi / 4, 1: box * np.pi / 6, 2: 0.469, 3: box * np.pi / 4}[
        solid
    ]
    assert 0.82 * exact < volume < 1.05 * exact
    outward = ((a + b + c) * area).sum(axis=1)
    assert (outward > -1e-9).all()


def test_numbers_match_the_order_of_the_meshes() -> None:
    known = m.mesh_set()
    assert len(known.first) == max(ALL) + 1 == len(ALL)
    for coarsest, levels in m.LEVELS.items():
        counts = known.count[coarsest : coarsest + levels]
        assert (np.diff(counts) > 0).all()


def test_finer_spheres_are_rounder() -> None:
    errors = []
    for level in range(m.LEVELS[m.ELLIPSOID]):
        points = _points(m.ELLIPSOID + level, np.ones(3), 0.0)
        _, triangles = _mesh(m.ELLIPSOID + level)
        middles = np.linalg.norm(points[triangles].mean(axis=1), axis=1)
        errors.append(max(abs(np.linalg.norm(points, axis=1) - 1).max(), abs(middles - 1).max()))
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.004
