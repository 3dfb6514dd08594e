// A page that goes on by itself, frame by frame on the wall clock, with an adapter that plays it by its keys.
import { SPEED, TURN_DEG_S } from "./world.js";

export function playByKeys(world, film, shoot) {
  const held = new Set();
  const turning = { yaw: 0, pitch: 0 };
  let before = performance.now();
  const frame = () => {
    requestAnimationFrame(frame);
    const seconds = Math.min(0.05, (performance.now() - before) / 1000);
    before = performance.now();
    world.turnBy(turning.yaw * seconds, turning.pitch * seconds);
    world.stepBody(seconds, (held.has("w") ? 1 : 0) - (held.has("s") ? 1 : 0), 0);
    world.draw();
  };
  requestAnimationFrame(frame);

  const nextFrame = () => {
    if (!window.stepOwnClock) return new Promise((resolve) => { requestAnimationFrame(resolve); });
    window.stepOwnClock(1000 / 60);
    return Promise.resolve();
  };
  const pass = async (seconds) => {
    const begun = performance.now();
    const shots = [];
    for (;;) {
      const at = (performance.now() - begun) / 1000;
      if (film.isOn && at >= (shots.length + 1) * film.everyS - 1e-6 && shots.length < film.most) shots.push({ url: shoot(), t: at });
      if (at >= seconds - 0.004) break;
      await nextFrame();
    }
    return { film: shots, simElapsed: (performance.now() - begun) / 1000 };
  };
  const act = async ({ action, dist = 0, deg = 0, ms = 0 }) => {
    const { body } = world;
    const start = { x: body.x, z: body.z };
    body.respawned = false;
    let interacted = null;
    let seconds = 1 / 60;
    if (action === "forward" || action === "back") {
      held.add(action === "forward" ? "w" : "s");
      seconds = dist / SPEED;
    } else if (action === "turn" || action === "look") {
      turning[action === "turn" ? "yaw" : "pitch"] = (-Math.sign(deg) * TURN_DEG_S * Math.PI) / 180;
      seconds = Math.abs(deg) / TURN_DEG_S;
    } else if (action === "wait") {
      seconds = ms / 1000;
    } else {
      interacted = world.operate();
    }
    const done = await pass(seconds);
    held.clear();
    Object.assign(turning, { yaw: 0, pitch: 0 });
    const moved = Math.hypot(body.x - start.x, body.z - start.z);
    return {
      ...done, ...world.place(), frames: [shoot()], frameT: [done.simElapsed], moved, interacted, respawned: body.respawned, teleported: false,
    };
  };
  const tick = async ({ keys = [], mouseDx = 0, mouseDy = 0, click = false }, dtMs) => {
    world.turnBy(-mouseDx / 600, -mouseDy / 600);
    const interacted = click ? world.operate() : null;
    if (keys.includes("KeyW")) held.add("w");
    if (keys.includes("KeyS")) held.add("s");
    const done = await pass(dtMs / 1000);
    held.clear();
    return { ...done, ...world.place(), interacted };
  };
  return { act, tick };
}
