// `window.__env` over the courtyard, in both kinds of runtime, and with one fault where `fault=` names it.
import { playByKeys } from "./keys.js";
import { playPacked } from "./packed.js";
import { makeWorld } from "./world.js";

const query = new URLSearchParams(location.search);
const fault = query.get("fault") ?? "";

const film = {
  isOn: query.get("obs") === "film",
  everyS: Number(query.get("filmDt") ?? 0.5),
  most: Number(query.get("filmMax") ?? 8),
  size: [Number(query.get("filmW") ?? 960), Number(query.get("filmH") ?? 540)],
};

function start() {
  if (fault === "init_error") {
    window.__initError = "The courtyard's stones were not delivered.";
    return;
  }
  const world = makeWorld(query);
  const small = document.createElement("canvas");
  [small.width, small.height] = film.size;
  const brush = small.getContext("2d");
  const shoot = () => {
    world.draw();
    brush.drawImage(world.renderer.domElement, 0, 0, small.width, small.height);
    return small.toDataURL("image/jpeg", 0.9);
  };
  const play = query.get("kind") === "keys" ? playByKeys(world, film, shoot) : playPacked(world, film, shoot);
  const asked = [];
  const privileged = (name, value) => () => { asked.push(name); return value; };
  window.askedForTheTruth = asked;
  window.__env = {
    ready: false,
    meta: { renderer: "courtyard", seed: fault === "other_seed" ? 6 : world.seed },
    enable: () => { world.draw(); },
    state: () => world.place(),
    act: play.act,
    tick: play.tick,
    targets: privileged("targets", [{ name: "lamp", pos: [0, 0, 0] }]),
    flags: privileged("flags", { found: false }),
    probe: privileged("probe", { triggered: [] }),
  };
  // Ready a little later, as pages are that build their world in parts.
  if (fault !== "never_ready") setTimeout(() => { window.__env.ready = true; }, 300);
  spoil(window.__env, world);
}

function spoil(env, world) {
  const { act, state } = env;
  let moved = 0;
  let kept = null;
  env.act = async (action) => {
    const isMove = action.action === "forward" || action.action === "back";
    moved += isMove ? 1 : 0;
    if (isMove && fault === "throws") throw new Error("The courtyard fell in.");
    if (isMove && fault === "endless") await new Promise(() => {});
    if (isMove && fault === "leaves") location.reload();
    if (isMove && fault === "lost") {
      world.renderer.getContext().getExtension("WEBGL_lose_context").loseContext();
      await new Promise((resolve) => { world.renderer.domElement.addEventListener("webglcontextlost", resolve); });
    }
    const answer = await act(action);
    if (fault === "stale") {
      kept ??= answer.frames.at(-1);
      answer.frames = [kept];
    }
    if (fault === "wrong_clock" && action.action === "wait") answer.simElapsed = 60;
    if (fault === "backwards" && isMove) answer.simElapsed = -1;
    if (fault === "no_pictures") answer.frames = [];
    if (fault === "bad_picture" && isMove) answer.frames = ["data:image/jpeg;base64,AAAA"];
    return answer;
  };
  if (fault === "nan") {
    env.state = () => (moved ? { ...state(), pos: [NaN, 0, NaN] } : state());
  }
}

start();
