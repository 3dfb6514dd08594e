// Convex polyhedra: {points (x, y, z in a row), triangles (outward), edges, planes (normal and distance)}. Round solids
// have the facets of `worlds.geometry`: 24 sides, a ring every 15 degrees of a round end.

const SIDES = 24;
const RING_DEG = 15;
const cache = new Map();

/** What a primitive is here, as `worlds.mjcf` has it: "box", "ellipsoid", "cylinder", "capsule" or "hull". */
export function kindOf(shape, [x, y, z]) {
    if (shape === "box" || shape === "ellipsoid") return shape;
    const even = Math.abs(x - y) <= 1e-6 * Math.max(x, y);
    if (shape === "cylinder" && even) return shape;
    if (shape === "capsule" && even) return z > x * (1 + 1e-6) ? "capsule" : "ellipsoid";
    return "hull";
}

/** The polyhedron of a primitive with those half extents; a cone's top is `taper` of its base. */
export function hullFor(shape, half, taper) {
    const key = `${shape}:${half.join(":")}:${taper}`;
    if (!cache.has(key)) cache.set(key, shape === "box" ? box(half) : turned(rings(shape, half, taper), half));
    return cache.get(key);
}

function box([x, y, z]) {
    const points = [];
    for (let i = 0; i < 8; i++) points.push(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    const sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    return hullOf(points, sides.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]));
}

/** [share of the base, height] from the lowest ring up. */
function rings(shape, [x, y, z], taper) {
    if (shape === "cylinder") return [[1, -z], [1, z]];
    if (shape === "cone") return [[1, -z], [taper, z]];
    const end = shape === "ellipsoid" ? z : Math.min(x, y, z);
    const upper = [];
    for (let angle = 0; angle <= 90; angle += RING_DEG) {
        const turn = (angle * Math.PI) / 180;
        upper.push([Math.cos(turn), z - end + Math.sin(turn) * end]);
    }
    const lower = upper.map(([share, height]) => [share, -height]).reverse();
    return z - end > 1e-12 ? [...lower, ...upper] : [...lower, ...upper.slice(1)];
}

function turned(profile, [x, y]) {
    const points = [];
    const starts = [];
    const round = profile.map(([share]) => share > 1e-9);
    profile.forEach(([share, height], index) => {
        starts.push(points.length / 3);
        for (let side = 0; side < (round[index] ? SIDES : 1); side++) {
            const turn = (side * 2 * Math.PI) / SIDES;
            points.push(Math.cos(turn) * x * share, Math.sin(turn) * y * share, height);
        }
    });
    const at = (ring, side) => starts[ring] + (round[ring] ? side % SIDES : 0);
    const triangles = [];
    const last = profile.length - 1;
    for (let side = 0; side < SIDES; side++) {
        for (let ring = 0; ring < last; ring++) {
            if (round[ring]) triangles.push(at(ring, side), at(ring, side + 1), at(ring + 1, side));
            if (round[ring + 1]) triangles.push(at(ring, side + 1), at(ring + 1, side + 1), at(ring + 1, side));
        }
        if (side > 0 && side < SIDES - 1) {
            if (round[0]) triangles.push(at(0, 0), at(0, side + 1), at(0, side));
            if (round[last]) triangles.push(at(last, 0), at(last, side), at(last, side + 1));
        }
    }
    return hullOf(points, triangles);
}

/** The polyhedron with those points and triangles. */
export function hullOf(points, triangles) {
    const edges = new Set();
    const planes = new Float64Array((triangles.length / 3) * 4);
    for (let at = 0, to = 0; at < triangles.length; at += 3, to += 4) {
        for (let side = 0; side < 3; side++) {
            const [a, b] = [triangles[at + side], triangles[at + ((side + 1) % 3)]];
            edges.add(a < b ? a * 65536 + b : b * 65536 + a);
        }
        setPlane(planes, to, points, 3 * triangles[at], 3 * triangles[at + 1], 3 * triangles[at + 2]);
    }
    const flat = new Uint16Array(2 * edges.size);
    let to = 0;
    for (const edge of edges) {
        flat[to++] = Math.floor(edge / 65536);
        flat[to++] = edge % 65536;
    }
    return { points: Float64Array.from(points), triangles: Uint32Array.from(triangles), edges: flat, planes };
}

/** The plane of the triangle at p, q, r; one without area bounds nothing. */
function setPlane(planes, to, points, p, q, r) {
    const [ux, uy, uz] = [points[q] - points[p], points[q + 1] - points[p + 1], points[q + 2] - points[p + 2]];
    const [vx, vy, vz] = [points[r] - points[p], points[r + 1] - points[p + 1], points[r + 2] - points[p + 2]];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const size = Math.hypot(x, y, z);
    const flat = size <= 1e-15;
    const normal = flat ? [0, 0, 0] : [x / size, y / size, z / size];
    planes.set(normal, to);
    planes[to + 3] = normal[0] * points[p] + normal[1] * points[p + 1] + normal[2] * points[p + 2];
    if (flat) planes[to + 3] = Infinity;
}
