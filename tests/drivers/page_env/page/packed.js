// A packed page: its clock runs inside actions only, in steps of at most 50 ms.
import { SPEED, TURN_DEG_S } from "./world.js";

const STEP_S = 0.05;

export function playPacked(world, film, shoot) {
  let now = 0;
  const run = (seconds, each) => {
    const shots = [];
    const begun = now;
    for (let left = seconds; left > 1e-9;) {
      const step = Math.min(STEP_S, left);
      left -= step;
      now += step;
      each(step);
      const isDue = now - begun >= (shots.length + 1) * film.everyS - 1e-9;
      // The times of this kind count from the page's beginning.
      if (film.isOn && isDue && shots.length < film.most) shots.push({ url: shoot(), t: now });
    }
    return { film: shots, simElapsed: now - begun };
  };
  const act = async ({ action, dist = 0, deg = 0, ms = 0 }) => {
    const { body } = world;
    const before = { x: body.x, z: body.z };
    body.respawned = false;
    let interacted = null;
    let done;
    if (action === "forward" || action === "back") {
      const sign = action === "forward" ? 1 : -1;
      done = run(dist / SPEED, (step) => world.stepBody(step, sign, 0));
    } else if (action === "turn" || action === "look") {
      const seconds = Math.abs(deg) / TURN_DEG_S;
      const rate = (-Math.sign(deg) * TURN_DEG_S * Math.PI) / 180;
      done = run(seconds, (step) => {
        world.turnBy(action === "turn" ? rate * step : 0, action === "look" ? rate * step : 0);
        world.stepBody(step, 0, 0);
      });
    } else if (action === "wait") {
      done = run(ms / 1000, (step) => world.stepBody(step, 0, 0));
    } else {
      interacted = world.operate();
      done = run(STEP_S, (step) => world.stepBody(step, 0, 0));
    }
    const url = shoot();
    const moved = Math.hypot(body.x - before.x, body.z - before.z);
    return {
      ...done, ...world.place(), frames: [url], frameT: [now], moved, interacted, respawned: body.respawned, teleported: false,
    };
  };
  const tick = ({ keys = [], mouseDx = 0, mouseDy = 0, click = false }, dtMs) => {
    const held = (code) => (keys.includes(code) ? 1 : 0);
    world.turnBy(-mouseDx / 600, -mouseDy / 600);
    const interacted = click ? world.operate() : null;
    const done = run(dtMs / 1000, (step) => world.stepBody(step, held("KeyW") - held("KeyS"), held("KeyD") - held("KeyA")));
    world.draw();
    return { ...done, ...world.place(), interacted };
  };
  return { act, tick };
}
