// The virtual clock: time, timers, frames and chance of a page, moved by the driver alone.
// A part of the init script (see script.py); overrides.js puts it in place of the browser's own.
(kit) => {
  "use strict";
  if (kit.shared) return; // a frame inside the page lives by the page's clock
  const { hop, report } = kit;
  const EPOCH_MS = kit.config.epochMs; // the virtual wall clock at the page's start
  const FREE_READS = 1000; // reads of the clock inside one callback before it starts to creep
  const CREEP_MS = 0.05;

  let now = 0; // virtual milliseconds since the page's start
  let reads = 0;
  let lastRead = 0;
  // A loop that waits for time to pass would never end on a clock that stands still: past FREE_READS reads
  // in one callback each further one sees a little more time, the same in every run.
  const read = () => {
    reads += 1;
    const seen = reads > FREE_READS ? now + (reads - FREE_READS) * CREEP_MS : now;
    if (seen > lastRead) lastRead = seen;
    return lastRead;
  };
  const wallMs = () => EPOCH_MS + Math.floor(read());

  // Mulberry32 (T. Ettinger, public domain): 32 bits of state, one 32-bit number a call.
  let state = kit.config.seed >>> 0;
  const word = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  // Timers, in a heap ordered by due time and then by number.
  const heap = [];
  const timers = new Map();
  let nextId = 1;
  let nesting = 0; // how deep the timer that runs now was set by timers
  const before = (a, b) => a.due < b.due || (a.due === b.due && a.id < b.id);
  const push = (timer) => {
    let at = heap.length;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (!before(timer, heap[up])) break;
      heap[at] = heap[up];
      at = up;
    }
    heap[at] = timer;
  };
  const pop = () => {
    const first = heap[0];
    const last = heap.length > 1 ? heap.pop() : (heap.length = 0, null);
    if (last) {
      let at = 0;
      for (let down = 1; down < heap.length; down = 2 * at + 1) {
        if (down + 1 < heap.length && before(heap[down + 1], heap[down])) down += 1;
        if (!before(heap[down], last)) break;
        heap[at] = heap[down];
        at = down;
      }
      heap[at] = last;
    }
    return first;
  };
  const setTimer = (handler, delay, rest, repeats) => {
    // At least 1 ms, and 4 ms from the fifth nested timer on, as the HTML standard has it.
    const level = nesting + 1;
    const wait = Math.max(level > 5 ? 4 : 1, Math.min(Number(delay) || 0, 2147483647));
    const timer = { id: nextId++, due: now + wait, wait, handler, rest, repeats, level };
    timers.set(timer.id, timer);
    push(timer);
    return timer.id;
  };
  const clearTimer = (id) => { timers.delete(Number(id)); };
  const callable = (handler) => (typeof handler === "function" ? handler : () => (0, eval)(String(handler)));

  let frames = new Map();
  let running = null;
  let idles = new Map();
  const requestFrame = (callback) => {
    if (typeof callback !== "function") throw new TypeError("requestAnimationFrame needs a function.");
    frames.set(nextId, callback);
    return nextId++;
  };
  const cancelFrame = (id) => {
    frames.delete(Number(id));
    running?.delete(Number(id));
  };
  const requestIdle = (callback) => {
    idles.set(nextId, callback);
    return nextId++;
  };
  const cancelIdle = (id) => { idles.delete(Number(id)); };

  // One callback, alone in its task: what it queued as microtasks is done when this returns.
  const run = async (callback, self, parts) => {
    reads = 0;
    try {
      Reflect.apply(callback, self, parts);
    } catch (error) {
      report(error);
    }
    await hop();
  };
  const runTimers = async (until) => {
    while (heap.length && heap[0].due <= until) {
      const timer = pop();
      if (timers.get(timer.id) !== timer) continue;
      now = Math.max(now, timer.due);
      nesting = timer.level;
      if (timer.repeats) {
        timer.level += 1;
        timer.due += Math.max(timer.wait, timer.level > 5 ? 4 : 1);
        push(timer);
      } else {
        timers.delete(timer.id);
      }
      await run(callable(timer.handler), window, timer.rest);
      nesting = 0;
    }
  };
  const runFrames = async () => {
    running = frames;
    frames = new Map();
    for (const [id, callback] of running) {
      running.delete(id);
      await run(callback, window, [now]);
    }
    running = null;
    const due = idles;
    idles = new Map();
    for (const callback of due.values()) {
      let left = 10; // milliseconds, fewer each time it is asked: a loop over it ends
      await run(callback, window, [{ didTimeout: false, timeRemaining: () => Math.max(0, (left -= 0.5)) }]);
    }
  };

  // CSS animations, transitions and scripted ones are held and put where the virtual clock is.
  const held = new Map();
  const holdAnimations = () => {
    const found = document.getAnimations();
    if (!found.length && !held.size) return;
    for (const animation of found) {
      if (!held.has(animation) && animation.playState === "running") {
        held.set(animation, now);
        animation.pause();
      }
    }
    for (const [animation, since] of held) {
      if (animation.playState !== "paused") { held.delete(animation); continue; }
      const at = (now - since) * animation.playbackRate;
      const end = animation.effect?.getComputedTiming().endTime ?? Infinity;
      if (at >= end) { held.delete(animation); animation.finish(); } else animation.currentTime = at;
    }
  };

  kit.shared = {
    epochMs: EPOCH_MS, frameTime: () => now, read, wallMs, word, setTimer, clearTimer,
    requestFrame, cancelFrame, requestIdle, cancelIdle,
  };
  kit.api.now = () => now;
  kit.api.hold = holdAnimations;
  // Which frames of a row are drawn: "all", the "last" one, "none".
  const frame = async (ms, isDrawn) => {
    await kit.quiet();
    kit.skip = !isDrawn;
    kit.beginFrame();
    const until = now + ms;
    await runTimers(until);
    now = until;
    holdAnimations();
    await runFrames();
    kit.endFrame();
    kit.skip = false;
  };
  kit.api.step = async (ms, count, drawn) => {
    for (let at = 0; at < count; at += 1) {
      await frame(ms, drawn === "all" || (drawn === "last" && at === count - 1));
    }
    await kit.quiet();
    if (drawn !== "none") kit.drawn();
    return now;
  };

  // A promise of the page that needs frames to be kept.
  let job = null;
  kit.api.begin = (value) => {
    const mine = { done: false, value: undefined, error: null };
    job = mine;
    Promise.resolve(value).then(
      (result) => { mine.done = true; mine.value = result; },
      (error) => { mine.done = true; mine.error = String(error?.stack ?? error); },
    );
  };
  kit.api.until = async (ms, count, drawn) => {
    await hop();
    let at = 0;
    for (; at < count && !job.done; at += 1) await frame(ms, drawn === "all");
    await kit.quiet();
    if (drawn !== "none") kit.drawn();
    return { nowMs: now, done: job.done };
  };
  kit.api.ended = () => job;
  // Real time for what no one can track, such as modules that are being compiled.
  kit.api.settle = async () => {
    await kit.quiet();
    for (let at = 0; at < 2; at += 1) await new Promise(kit.real.requestAnimationFrame);
    await hop();
  };
}
