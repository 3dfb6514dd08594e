// Calls one function of the page's `window.__env` and copies what it answers, and where the agent is then; runs in
// the page. A field that is not what it should be comes out as null, which Python refuses.
async ([name, parts]) => {
  const FILM_MOST = 32;
  const URL_MOST_CHARS = 8e6;
  const number = (value) => (typeof value === "number" ? value : null);
  const url = (value) => (typeof value === "string" && value.length <= URL_MOST_CHARS ? value : null);
  const list = (value) => (Array.isArray(value) ? value : []);
  const word = (value) => {
    if (typeof value === "string") return value.slice(0, 100);
    if (value && typeof value === "object") return String(value.name ?? value.id ?? "something").slice(0, 100);
    return value ? "something" : "";
  };
  const env = window.__env;
  const value = (await env[name](...parts)) ?? {};
  const state = await env.state();
  const frames = list(value.frames);
  const shots = list(value.film).length
    ? value.film.map((shot) => [number(shot?.t), url(shot?.url)])
    : frames.slice(0, -1).map((frame, at) => [number(list(value.frameT)[at]), url(frame)]);
  return {
    pos: list(state?.pos).slice(0, 3).map(number),
    yaw: number(state?.yaw),
    pitch: number(state?.pitch),
    moved: value.moved === undefined ? "" : number(value.moved),
    elapsed: value.simElapsed === undefined ? "" : number(value.simElapsed),
    interacted: word(value.interacted),
    respawned: Boolean(value.respawned),
    teleported: Boolean(value.teleported),
    film: shots.slice(0, FILM_MOST),
    last: frames.length ? url(frames[frames.length - 1]) : "",
  };
}
