// A walker of our own for pages that have none: a person's height on the ground that rays find, stopped by what
// rays find at knee, chest and head. Page axes (y up), metres = the page's units. Shares rays.js's scope.

const RADIUS = 0.3;
const STEP = 0.45;
const HEIGHTS = [0.5, 1.0, 1.5];
const ASIDE = [0, -0.24, 0.24];
const LEAST = 0.3;
const FALL = 9.81;
const JUMP = 3.6;
const DEEP = 1000;
const ABYSS = 60;
const RINGS = 24;
const HEADROOM = 1.7;
const LOOK_FOR = 40;

/** The ground under (x, z), met from `from` down to `deep` below: its height, or null. */
function groundAt(meshes, x, z, from, deep = DEEP) {
  const hit = cast(meshes, [x, from, z], [0, -1, 0], deep, { solid: true, least: LEAST });
  return hit ? from - hit.t : null;
}

/** How far one may go from `feet` along the unit vector (dx, dz), at most `far`, and the normal of what stops. */
function clear(meshes, feet, dx, dz, far) {
  let [free, normal] = [far, null];
  for (const height of HEIGHTS) {
    for (const aside of ASIDE) {
      const from = [feet[0] - dz * aside, feet[1] + height, feet[2] + dx * aside];
      const hit = cast(meshes, from, [dx, 0, dz], free + RADIUS, { solid: true, least: LEAST });
      if (hit && hit.t - RADIUS < free) {
        free = Math.max(0, hit.t - RADIUS);
        normal = hit.normal;
      }
    }
  }
  return { free, normal };
}

class Body {
  constructor(eye) {
    Object.assign(this, { eye, feet: [0, 0, 0], yaw: 0, pitch: 0, rise: 0, standing: true });
  }

  /** Go (dx, dz), sliding along what stops; then the ground: steps, slopes, falling, the edge of the world. */
  go(meshes, dx, dz, seconds, jump) {
    const before = [...this.feet];
    let [wx, wz] = [dx, dz];
    for (let turn = 0; turn < 2; turn += 1) {
      const far = Math.hypot(wx, wz);
      if (far < 1e-6) break;
      const { free, normal } = clear(meshes, this.feet, wx / far, wz / far, far);
      this.feet[0] += (wx / far) * free;
      this.feet[2] += (wz / far) * free;
      const rest = far - free;
      if (rest < 1e-6 || !normal) break;
      const flat = Math.hypot(normal[0], normal[2]);
      if (flat < 1e-3) break;
      const [nx, nz] = [normal[0] / flat, normal[2] / flat];
      const into = ((wx / far) * nx + (wz / far) * nz) * rest;
      [wx, wz] = [(wx / far) * rest - into * nx, (wz / far) * rest - into * nz];
    }
    const ground = groundAt(meshes, this.feet[0], this.feet[2], this.feet[1] + STEP + 0.05, ABYSS);
    if (ground === null) {
      // The edge of the world: nothing to stand on.
      this.feet = before;
      return;
    }
    if (jump && this.standing) this.rise = JUMP;
    if (this.rise > 0 || ground < this.feet[1] - STEP) {
      this.rise -= FALL * seconds;
      this.feet[1] = Math.max(ground, this.feet[1] + this.rise * seconds);
    } else {
      this.feet[1] = ground;
    }
    this.standing = this.feet[1] <= ground + 1e-6;
    if (this.standing) this.rise = 0;
  }
}

/** Whether a person can stand with the feet at `feet`: room all round and overhead. */
function fits(meshes, feet) {
  const up = cast(meshes, [feet[0], feet[1] + 0.1, feet[2]], [0, 1, 0], HEADROOM, { solid: true, least: LEAST });
  if (up) return false;
  for (let turn = 0; turn < 8; turn += 1) {
    const [x, z] = [Math.cos((turn * Math.PI) / 4), Math.sin((turn * Math.PI) / 4)];
    if (clear(meshes, feet, x, z, 0.1).free < 0.1) return false;
  }
  return true;
}

/** Places to try to stand on, nearest to the camera first: on the line to what it looks at, then around that. */
function* places(eye, ahead, seen) {
  const flat = Math.hypot(ahead[0], ahead[2]);
  const [ux, uz] = flat < 1e-3 ? [0, 0] : [ahead[0] / flat, ahead[2] / flat];
  const far = (seen ?? LOOK_FOR) * flat;
  for (let along = 0; along <= far; along += Math.max(0.5, far / 200)) yield [eye[0] + ux * along, eye[2] + uz * along];
  const [x, z] = [eye[0] + ux * far, eye[2] + uz * far];
  for (let ring = 1; ring <= RINGS; ring += 1) {
    for (let turn = 0; turn < 12; turn += 1) {
      const angle = (turn * Math.PI) / 6 + ring;
      yield [x + Math.cos(angle) * ring, z + Math.sin(angle) * ring];
    }
  }
}

/**
 * Where to stand at first: below the page's own camera if there is ground, otherwise on the way to what it
 * looks at or around that, as near to the camera as a person fits; null where nothing can be stood on.
 */
function standing(meshes, eye, ahead) {
  const seen = cast(meshes, eye, ahead, 5000, { solid: true, least: LEAST });
  let cramped = null;
  for (const [x, z] of places(eye, ahead, seen?.t)) {
    const ground = groundAt(meshes, x, z, eye[1]);
    if (ground === null) continue;
    if (fits(meshes, [x, ground, z])) return [x, ground, z];
    cramped ??= [x, ground, z];
  }
  return cramped;
}
