// The kind of page that runs on the wall clock: asked for `vclock=1` it puts a clock of its own in its place, and
// steps it and its frames inside actions.
{
  const query = new URLSearchParams(location.search);
  if (query.get("fault") === "own_chance") Math.random = () => 0.5;
  if (query.get("kind") === "keys" && query.get("vclock") === "1") {
    let now = 0;
    let waiting = [];
    performance.now = () => now;
    window.requestAnimationFrame = (callback) => waiting.push(callback);
    window.stepOwnClock = (ms) => {
      now += ms;
      const due = waiting;
      waiting = [];
      for (const callback of due) callback(now);
    };
  }
}
