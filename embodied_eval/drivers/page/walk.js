// What the page driver does inside a page: reads its camera, holds back drawing, casts rays, and walks a body of
// its own where the page has none. Shares the scope of rays.js and body.js; `stage()` gives the page's
// {scene, camera, renderer} as the hook found them, `token` opens the way to it.

const stage = () => window.__embodied_eval(token, null, "main");
const watched = new WeakSet();
const state = { drawing: true, drawn: 0, body: null, marks: null };
const walk = {};

/** Turn the camera to an eye at `eye` that looks along yaw (about y, 0 = -z) and pitch, in radians. */
function gaze(camera, eye, yaw, pitch) {
  const [cy, sy, cp, sp] = [Math.cos(yaw / 2), Math.sin(yaw / 2), Math.cos(pitch / 2), Math.sin(pitch / 2)];
  camera.position.set(...eye);
  camera.quaternion.set(cy * sp, sy * cp, -sy * sp, cy * cp);
  camera.scale.set(1, 1, 1);
  if (camera.parent && !camera.parent.isScene) {
    camera.parent.updateWorldMatrix(true, false);
    const into = inverse(camera.parent.matrixWorld.elements);
    if (into) {
      camera.updateMatrix();
      const { rows, back } = into;
      const affine = camera.matrix.clone().set(...rows.slice(0, 3), back[0], ...rows.slice(3, 6), back[1], ...rows.slice(6), back[2], 0, 0, 0, 1);
      camera.matrix.premultiply(affine).decompose(camera.position, camera.quaternion, camera.scale);
    }
  }
  camera.updateMatrix();
  camera.updateMatrixWorld(true);
}

function aim() {
  const { feet, eye, yaw, pitch } = state.body;
  gaze(stage().camera, [feet[0], feet[1] + eye, feet[2]], yaw, pitch);
}

function watch(renderer) {
  if (watched.has(renderer)) return;
  watched.add(renderer);
  const below = renderer.render;
  renderer.render = function render(scene, camera, ...rest) {
    if (state.body && camera === stage().camera) aim();
    // Flat passes into textures may carry a simulation's state from frame to frame.
    const isFlat = camera?.isOrthographicCamera && this.getRenderTarget?.();
    if (!state.drawing && !isFlat) {
      // As drawing would have done: the page's own rays and sounds go by these.
      if (scene?.matrixWorldAutoUpdate !== false && scene?.autoUpdate !== false) scene?.updateMatrixWorld?.();
      if (camera?.parent === null) camera.updateMatrixWorld();
      return undefined;
    }
    if (camera === stage().camera) state.drawn += 1;
    return Reflect.apply(below, this, [scene, camera, ...rest]);
  };
}

/** [x, y, z, forward x, y, z, vertical fov in degrees, aspect, whether the context is alive] of the camera. */
walk.eye = () => {
  const { camera, renderer } = stage();
  watch(renderer);
  if (state.body) aim();
  camera.updateWorldMatrix(true, false);
  const m = camera.matrixWorld.elements;
  const length = Math.hypot(m[8], m[9], m[10]) || 1;
  const fov = camera.getEffectiveFOV ? camera.getEffectiveFOV() : camera.fov;
  const lost = Boolean(renderer.getContext?.().isContextLost?.());
  return [m[12], m[13], m[14], -m[8] / length, -m[9] / length, -m[10] / length, fov, camera.aspect, !lost];
};

/** Whether frames are drawn from now on. */
walk.draw = (on) => {
  state.drawing = on;
  state.drawn = 0;
};

/** Draw the scene as it stands if the page has drawn nothing since `draw(true)`: it draws on demand only. */
walk.settle = () => {
  if (state.drawn > 0) return;
  const { scene, camera, renderer } = stage();
  renderer.render(scene, camera);
};

const meshesNow = (solid) => drawnMeshes(stage().scene, stage().camera, solid);

/** {t, name} of what is first on a ray, or null. */
walk.cast = ([o, d, most]) => {
  const hit = cast(meshesNow(false), o, d, most);
  return hit && { t: hit.t, name: nameOf(hit.mesh) };
};

/** The height of the ground below a point, or null. */
walk.ground = ([x, y, z]) => groundAt(meshesNow(true), x, z, y);

/** Walk with a body of our own from where the page's camera is; the feet, or null where one can't stand. */
walk.free = (eye) => {
  const [x, y, z, fx, fy, fz] = walk.eye();
  const feet = standing(meshesNow(true), [x, y, z], [fx, fy, fz]);
  if (!feet) return null;
  state.body = Object.assign(new Body(eye), { feet, yaw: Math.atan2(-fx, -fz) });
  return feet;
};

/** One tick of that body: go (dx, dz) and look along (yaw, pitch). The feet. */
walk.go = ([dx, dz, seconds, jump, yaw, pitch]) => {
  Object.assign(state.body, { yaw, pitch });
  const far = Math.hypot(dx, dz);
  // One who stands still on the ground stays there; no ray is needed.
  if (far > 0 || jump || !state.body.standing) state.body.go(meshesNow(true), dx, dz, seconds, jump);
  return state.body.feet;
};

/** Put that body somewhere. */
walk.put = ([feet, yaw, pitch]) => {
  Object.assign(state.body, { feet, yaw, pitch, rise: 0 });
};

function mark(node) {
  const all = node.material ? [node.material].flat() : [];
  const look = all.map((one) => [one.color?.getHex(), one.emissive?.getHex(), one.emissiveIntensity, one.opacity, one.map?.uuid]);
  const place = Array.from(node.matrixWorld.elements, (value) => Math.round(value * 1e4));
  return JSON.stringify([node.visible, place, look, node.isLight ? node.intensity : 0]);
}

/** Names of what looks or stands otherwise than at the last call, the camera and what it carries aside. */
walk.changes = () => {
  const { scene, camera } = stage();
  scene.updateMatrixWorld();
  const carried = new Set();
  camera.traverse((node) => carried.add(node));
  for (let at = camera; at && at !== scene; at = at.parent) carried.add(at);
  const [before, now, names] = [state.marks ?? new Map(), new Map(), []];
  scene.traverse((node) => {
    if (carried.has(node)) return;
    const text = mark(node);
    now.set(node, text);
    if (state.marks && before.get(node) !== text) names.push(nameOf(node));
  });
  for (const node of before.keys()) if (!now.has(node)) names.push(nameOf(node));
  state.marks = now;
  return [...new Set(names)];
};

watch(stage().renderer);
Object.defineProperty(window, "__walk", { value: Object.freeze(walk) });
