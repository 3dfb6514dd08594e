// Walking: W A S D and arrows, mouse to look, sliding along what is solid.
const EYE = 1.6;
const RADIUS = 0.3;
const SPEED = 3.0;
const LOOK = 0.0022;
const STEEPEST = 1.45;

/** A visitor at (x, z) who looks along -z; `update(seconds)` moves the camera. */
export function visitor(camera, canvas, solids, x, z) {
  const keys = new Set();
  const state = { x, z, yaw: 0, pitch: 0 };
  const start = document.getElementById("start");
  const enter = () => {
    start.classList.add("gone");
    canvas.requestPointerLock();
  };
  start.addEventListener("click", enter);
  canvas.addEventListener("click", () => document.pointerLockElement || canvas.requestPointerLock());
  addEventListener("keydown", (event) => keys.add(event.code));
  addEventListener("keyup", (event) => keys.delete(event.code));
  addEventListener("blur", () => keys.clear());
  addEventListener("mousemove", (event) => {
    if (document.pointerLockElement !== canvas) return;
    state.yaw -= event.movementX * LOOK;
    state.pitch = Math.max(-STEEPEST, Math.min(STEEPEST, state.pitch - event.movementY * LOOK));
  });

  const free = (px, pz) => {
    for (const solid of solids) {
      const dx = px - Math.max(solid.x0, Math.min(solid.x1, px));
      const dz = pz - Math.max(solid.z0, Math.min(solid.z1, pz));
      if (dx * dx + dz * dz < RADIUS * RADIUS) return false;
    }
    return true;
  };
  const down = (...codes) => codes.some((code) => keys.has(code));

  return {
    state,
    free,
    update(seconds) {
      if (start.classList.contains("gone")) {
        const ahead = (down("KeyW", "ArrowUp") ? 1 : 0) - (down("KeyS", "ArrowDown") ? 1 : 0);
        const right = (down("KeyD", "ArrowRight") ? 1 : 0) - (down("KeyA", "ArrowLeft") ? 1 : 0);
        const length = Math.hypot(ahead, right) || 1;
        const [sin, cos] = [Math.sin(state.yaw), Math.cos(state.yaw)];
        const far = (SPEED * seconds) / length;
        const dx = (right * cos - ahead * sin) * far;
        const dz = (-right * sin - ahead * cos) * far;
        if (free(state.x + dx, state.z)) state.x += dx;
        if (free(state.x, state.z + dz)) state.z += dz;
      }
      camera.position.set(state.x, EYE, state.z);
      camera.rotation.set(state.pitch, state.yaw, 0, "YXZ");
    },
  };
}
