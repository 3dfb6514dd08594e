// Rays against the triangles of a page's own scene, whatever its Three.js version: only plain fields of meshes
// are read. Page axes and units. Triangles are kept in runs of consecutive ones, each with its box; meshes and
// instances have boxes in world axes, made again when a matrix or an attribute changes.

const RUN = 64;
const SKY = 100;
const ADDITIVE = 2;
const FRONT = 0;
const BACK = 1;
const shapes = new WeakMap();
const placed = new WeakMap();

function versionOf(geometry) {
  const stamp = (attribute) =>
    attribute ? `${(attribute.data ?? attribute).version}:${attribute.count}` : "";
  const { start, count } = geometry.drawRange ?? { start: 0, count: Infinity };
  return `${stamp(geometry.attributes.position)}/${stamp(geometry.index)}/${start}/${count}`;
}

/** Positions, corner indices and boxes of runs of a geometry's triangles; null where it has none. */
function shapeOf(geometry) {
  const position = geometry?.attributes?.position;
  if (!position) return null;
  const version = versionOf(geometry);
  const known = shapes.get(geometry);
  if (known && known.version === version) return known;
  const points = new Float32Array(position.count * 3);
  for (let i = 0; i < position.count; i += 1) {
    points[3 * i] = position.getX(i);
    points[3 * i + 1] = position.getY(i);
    points[3 * i + 2] = position.getZ(i);
  }
  const all = geometry.index ? geometry.index.count : position.count;
  const first = Math.max(0, geometry.drawRange?.start ?? 0);
  const last = Math.min(all, first + (geometry.drawRange?.count ?? Infinity));
  const corners = new Uint32Array(Math.max(0, Math.floor((last - first) / 3) * 3));
  for (let i = 0; i < corners.length; i += 1) corners[i] = geometry.index ? geometry.index.getX(first + i) : first + i;
  const runs = Math.ceil(corners.length / 3 / RUN);
  const boxes = new Float32Array(runs * 6);
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let run = 0; run < runs; run += 1) {
    const end = Math.min(corners.length, (run + 1) * RUN * 3);
    for (let axis = 0; axis < 3; axis += 1) {
      let [low, high] = [Infinity, -Infinity];
      for (let i = run * RUN * 3; i < end; i += 1) {
        const value = points[3 * corners[i] + axis];
        if (value < low) low = value;
        if (value > high) high = value;
      }
      boxes[6 * run + axis] = low;
      boxes[6 * run + 3 + axis] = high;
      if (low < box[axis]) box[axis] = low;
      if (high > box[3 + axis]) box[3 + axis] = high;
    }
  }
  const made = { version, points, corners, boxes, box };
  shapes.set(geometry, made);
  return made;
}

/** a * b of column-major 4x4 matrices; b begins at `at` in its array. */
function times(a, b, at = 0) {
  const made = new Float64Array(16);
  for (let c = 0; c < 4; c += 1) {
    for (let r = 0; r < 4; r += 1) {
      made[4 * c + r] =
        a[r] * b[at + 4 * c] + a[4 + r] * b[at + 4 * c + 1] + a[8 + r] * b[at + 4 * c + 2] + a[12 + r] * b[at + 4 * c + 3];
    }
  }
  return made;
}

/** The inverse of an affine column-major matrix as rows of 3 + offset; null where it is flat. */
function inverse(m) {
  const [a, b, c, d, e, f, g, h, i] = [m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]];
  const [x, y, z] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const whole = a * x + b * y + c * z;
  if (!(Math.abs(whole) > 1e-12)) return null;
  const s = 1 / whole;
  const rows = [
    x * s, (c * h - b * i) * s, (b * f - c * e) * s,
    y * s, (a * i - c * g) * s, (c * d - a * f) * s,
    z * s, (b * g - a * h) * s, (a * e - b * d) * s,
  ];
  const back = [0, 3, 6].map((row) => -(rows[row] * m[12] + rows[row + 1] * m[13] + rows[row + 2] * m[14]));
  return { rows, back };
}

function boxOf(box, m, into, at) {
  for (let axis = 0; axis < 3; axis += 1) {
    let [low, high] = [m[12 + axis], m[12 + axis]];
    for (let other = 0; other < 3; other += 1) {
      const [p, q] = [m[4 * other + axis] * box[other], m[4 * other + axis] * box[3 + other]];
      low += Math.min(p, q);
      high += Math.max(p, q);
    }
    into[at + axis] = low;
    into[at + 3 + axis] = high;
  }
}

/** Where a mesh stands: its shape, a matrix and a world box for each instance (one for a plain mesh). */
function placeOf(mesh) {
  const shape = shapeOf(mesh.geometry);
  if (!shape || shape.corners.length === 0) return null;
  const world = mesh.matrixWorld.elements;
  const instances = mesh.isInstancedMesh ? mesh.instanceMatrix : null;
  const count = instances ? Math.min(mesh.count, instances.count) : 1;
  const stamp = instances ? `${instances.version}:${count}` : "";
  const known = placed.get(mesh);
  if (known && known.shape === shape && known.stamp === stamp && known.world.every((v, i) => v === world[i])) return known;
  const matrices = [];
  const boxes = new Float32Array(count * 6);
  for (let n = 0; n < count; n += 1) {
    const matrix = instances ? times(world, instances.array, 16 * n) : Float64Array.from(world);
    matrices.push(matrix);
    boxOf(shape.box, matrix, boxes, 6 * n);
  }
  const made = { shape, stamp, world: Float64Array.from(world), matrices, boxes, inverses: [] };
  placed.set(mesh, made);
  return made;
}

/** Where a ray enters a box at `at`: 0 inside, Infinity where it passes by or enters beyond `most`. */
function enters(boxes, at, o, d, most) {
  let [near, far] = [0, most];
  for (let axis = 0; axis < 3; axis += 1) {
    const low = boxes[at + axis] - o[axis];
    const high = boxes[at + 3 + axis] - o[axis];
    if (Math.abs(d[axis]) < 1e-12) {
      if (low > 0 || high < 0) return Infinity;
      continue;
    }
    const [p, q] = [low / d[axis], high / d[axis]];
    near = Math.max(near, Math.min(p, q));
    far = Math.min(far, Math.max(p, q));
    if (near > far) return Infinity;
  }
  return near;
}

/** The nearest triangle of `shape` on a ray in its own axes, before `most` (Möller and Trumbore 1997).
 * `side` 0 meets front faces only, 1 back faces only, others both. */
function strike(shape, o, d, most, side) {
  const { points, corners, boxes } = shape;
  let best = null;
  for (let run = 0; 6 * run < boxes.length; run += 1) {
    if (enters(boxes, 6 * run, o, d, most) === Infinity) continue;
    const end = Math.min(corners.length, (run + 1) * RUN * 3);
    for (let i = run * RUN * 3; i < end; i += 3) {
      const [a, b, c] = [3 * corners[i], 3 * corners[i + 1], 3 * corners[i + 2]];
      const [ax, ay, az] = [points[a], points[a + 1], points[a + 2]];
      const [ux, uy, uz] = [points[b] - ax, points[b + 1] - ay, points[b + 2] - az];
      const [vx, vy, vz] = [points[c] - ax, points[c + 1] - ay, points[c + 2] - az];
      const [px, py, pz] = [d[1] * vz - d[2] * vy, d[2] * vx - d[0] * vz, d[0] * vy - d[1] * vx];
      const whole = ux * px + uy * py + uz * pz;
      if (Math.abs(whole) < 1e-14 || (side === FRONT && whole < 0) || (side === BACK && whole > 0)) continue;
      const [tx, ty, tz] = [o[0] - ax, o[1] - ay, o[2] - az];
      const u = (tx * px + ty * py + tz * pz) / whole;
      if (u < 0 || u > 1) continue;
      const [qx, qy, qz] = [ty * uz - tz * uy, tz * ux - tx * uz, tx * uy - ty * ux];
      const v = (d[0] * qx + d[1] * qy + d[2] * qz) / whole;
      if (v < 0 || u + v > 1) continue;
      const t = (vx * qx + vy * qy + vz * qz) / whole;
      if (t > 1e-9 && t < most) {
        most = t;
        best = { t, normal: [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx] };
      }
    }
  }
  return best;
}

function drawnSide(mesh) {
  const all = Array.isArray(mesh.material) ? mesh.material : [mesh.material];
  const shown = all.filter((one) => one && one.visible !== false && !(one.transparent && one.opacity < 0.05));
  if (shown.length === 0) return null;
  return { side: shown.length > 1 ? 2 : shown[0].side, light: shown.every((one) => one.blending === ADDITIVE) };
}

/** Whether a mesh is a sky: seen from within only, and larger than any room. */
function isSky(place, side) {
  const { boxes } = place;
  return side === BACK && [0, 1, 2].some((axis) => boxes[3 + axis] - boxes[axis] > SKY);
}

/** Every mesh of `scene` that is drawn, with its place. `solid` leaves out what nobody would bump into:
 * light (additive) surfaces and skies. Matrices are brought up to date first: a frame that is not drawn leaves them. */
function drawnMeshes(scene, camera, solid) {
  scene.updateMatrixWorld();
  const found = [];
  scene.traverseVisible((node) => {
    if (!node.isMesh || node.isBatchedMesh || (camera && !node.layers.test(camera.layers))) return;
    const drawn = drawnSide(node);
    if (!drawn || (solid && drawn.light)) return;
    const place = placeOf(node);
    if (place && !(solid && isSky(place, drawn.side))) found.push({ mesh: node, place, side: drawn.side });
  });
  return found;
}

/** The first of `meshes` on the ray from `o` along the unit vector `d` before `most`: {t, mesh, normal} or
 * null. `solid` meets both sides of faces and nothing smaller than `least`. */
function cast(meshes, o, d, most, { solid = false, least = 0 } = {}) {
  let best = null;
  for (const { mesh, place, side } of meshes) {
    const { boxes, matrices, inverses, shape } = place;
    for (let n = 0; n < matrices.length; n += 1) {
      if (enters(boxes, 6 * n, o, d, best ? best.t : most) === Infinity) continue;
      const edges = [0, 1, 2].map((axis) => boxes[6 * n + 3 + axis] - boxes[6 * n + axis]);
      if (solid && Math.max(...edges) < least) continue;
      inverses[n] ??= inverse(matrices[n]);
      if (!inverses[n]) continue;
      const { rows, back } = inverses[n];
      const from = [0, 1, 2].map((r) => rows[3 * r] * o[0] + rows[3 * r + 1] * o[1] + rows[3 * r + 2] * o[2] + back[r]);
      const along = [0, 1, 2].map((r) => rows[3 * r] * d[0] + rows[3 * r + 1] * d[1] + rows[3 * r + 2] * d[2]);
      const hit = strike(shape, from, along, best ? best.t : most, solid ? 2 : side);
      if (!hit) continue;
      const [x, y, z] = hit.normal;
      const normal = [0, 1, 2].map((c) => rows[c] * x + rows[3 + c] * y + rows[6 + c] * z);
      const length = Math.hypot(...normal) || 1;
      best = { t: hit.t, mesh, normal: normal.map((value) => value / length) };
    }
  }
  return best;
}

/** What a mesh is called: its own name, else that of the nearest thing it is part of, else its kind. */
function nameOf(node) {
  for (let at = node; at; at = at.parent) {
    if (at.name && !at.isScene) return at.name;
  }
  return `${node.type} ${node.id}`;
}
