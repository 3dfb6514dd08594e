// Floors, walls with openings, ceilings, and the list of what stops a walker. Metres; y up.
import * as THREE from "three";

const THICK = 0.24;

/** What everything is built with: `site.add` for any mesh, `site.box` for boxes, `site.solid` to stop walkers. */
export function makeSite(scene, materials) {
  const solids = [];
  const site = {
    scene,
    materials,
    solids,
    /** Stops walkers within [x0, x1] x [z0, z1]; the same list may change later (doors). */
    solid(x0, z0, x1, z1) {
      const made = { x0: Math.min(x0, x1), z0: Math.min(z0, z1), x1: Math.max(x0, x1), z1: Math.max(z0, z1) };
      solids.push(made);
      return made;
    },
    add(name, geometry, material, [x, y, z], parent = scene) {
      const mesh = new THREE.Mesh(geometry, materials[material]);
      mesh.name = name;
      mesh.position.set(x, y, z);
      mesh.castShadow = mesh.receiveShadow = true;
      parent.add(mesh);
      return mesh;
    },
    box(name, [w, h, d], material, at, { solid = false, parent = scene } = {}) {
      const geometry = new THREE.BoxGeometry(w, h, d);
      stretch(geometry, [w, h, d], materials[material].userData.metres);
      const mesh = site.add(name, geometry, material, at, parent);
      if (solid) site.solid(at[0] - w / 2, at[2] - d / 2, at[0] + w / 2, at[2] + d / 2);
      return mesh;
    },
  };
  return site;
}

/** Lay a box's texture in metres on each of its six faces. */
function stretch(geometry, [w, h, d], metres) {
  if (!metres) return;
  const uv = geometry.attributes.uv;
  const faces = [[d, h], [d, h], [w, d], [w, d], [w, h], [w, h]];
  faces.forEach(([across, up], face) => {
    for (let i = face * 4; i < face * 4 + 4; i += 1) {
      uv.setXY(i, (uv.getX(i) * across) / metres, (uv.getY(i) * up) / metres);
    }
  });
}

/**
 * A wall along `axis` ("x" or "z") at `at` on the other axis, from `from` to `to`, with `openings` of
 * {from, to, height}. Each piece has a skirting board on both sides.
 */
export function wall(site, name, { axis, at, from, to, height = 3.6, material = "plaster", openings = [] }) {
  const piece = (start, end, low, high, solid) => {
    const [length, middle] = [end - start, (start + end) / 2];
    const size = axis === "x" ? [length, high - low, THICK] : [THICK, high - low, length];
    const place = axis === "x" ? [middle, (low + high) / 2, at] : [at, (low + high) / 2, middle];
    site.box(name, size, material, place, { solid });
    if (low > 0) return;
    for (const side of [-1, 1]) {
      const offset = at + side * (THICK / 2 + 0.01);
      const board = axis === "x" ? [length, 0.12, 0.02] : [0.02, 0.12, length];
      site.box(`${name} skirting`, board, "white", axis === "x" ? [middle, 0.06, offset] : [offset, 0.06, middle]);
    }
  };
  let start = from;
  for (const opening of [...openings].sort((a, b) => a.from - b.from)) {
    piece(start, opening.from, 0, height, true);
    piece(opening.from, opening.to, opening.height, height, false);
    for (const edge of [opening.from, opening.to]) {
      const size = axis === "x" ? [0.1, opening.height, THICK + 0.06] : [THICK + 0.06, opening.height, 0.1];
      site.box(`${name} frame`, size, "white", axis === "x" ? [edge, opening.height / 2, at] : [at, opening.height / 2, edge]);
    }
    start = opening.to;
  }
  piece(start, to, 0, height, true);
}

/** A floor (y = 0 is its top) over [x0, x1] x [z0, z1]. */
export function floor(site, name, material, x0, z0, x1, z1) {
  site.box(name, [x1 - x0, 0.2, z1 - z0], material, [(x0 + x1) / 2, -0.1, (z0 + z1) / 2]);
}

/** A ceiling at 3.6 m over [x0, x1] x [z0, z1] with an optional skylight {x0, z0, x1, z1}. */
export function ceiling(site, name, x0, z0, x1, z1, hole = null) {
  const strip = (a, b, c, d) =>
    c - a > 0 && d - b > 0 && site.box(name, [c - a, 0.2, d - b], "white", [(a + c) / 2, 3.7, (b + d) / 2]);
  if (!hole) return void strip(x0, z0, x1, z1);
  strip(x0, z0, x1, hole.z0);
  strip(x0, hole.z1, x1, z1);
  strip(x0, hole.z0, hole.x0, hole.z1);
  strip(hole.x1, hole.z0, x1, hole.z1);
  for (let bar = 0; bar <= 4; bar += 1) {
    const z = hole.z0 + ((hole.z1 - hole.z0) * bar) / 4;
    site.box(`${name} bar`, [hole.x1 - hole.x0, 0.08, 0.06], "black", [(hole.x0 + hole.x1) / 2, 3.72, z]);
  }
  for (let bar = 0; bar <= 2; bar += 1) {
    const x = hole.x0 + ((hole.x1 - hole.x0) * bar) / 2;
    site.box(`${name} bar`, [0.06, 0.08, hole.z1 - hole.z0], "black", [x, 3.72, (hole.z0 + hole.z1) / 2]);
  }
}
