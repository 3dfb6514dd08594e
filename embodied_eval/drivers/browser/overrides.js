// Puts the virtual clock in place of every source of time and chance that a page can reach.
// A part of the init script (see script.py).
(kit) => {
  "use strict";
  const { define } = kit;
  const { epochMs, frameTime, read, wallMs, word, setTimer, clearTimer } = kit.shared;
  const { requestFrame, cancelFrame, requestIdle, cancelIdle } = kit.shared;

  define(performance, "now", function now() { return read(); });
  define(Performance.prototype, "now", performance.now);
  define(performance, "timeOrigin", epochMs);
  define(AnimationTimeline.prototype, "currentTime", undefined, frameTime);
  const stamps = new WeakMap();
  define(Event.prototype, "timeStamp", undefined, function () {
    if (!stamps.has(this)) stamps.set(this, frameTime());
    return stamps.get(this);
  });

  const RealDate = Date;
  function VirtualDate(...parts) {
    if (new.target === undefined) return new RealDate(wallMs()).toString();
    return Reflect.construct(RealDate, parts.length ? parts : [wallMs()], new.target);
  }
  Object.defineProperties(VirtualDate, {
    name: { value: "Date" },
    length: { value: 7 },
    prototype: { value: RealDate.prototype, writable: false },
    parse: { value: RealDate.parse },
    UTC: { value: RealDate.UTC },
  });
  define(VirtualDate, "now", function now() { return wallMs(); });
  define(RealDate.prototype, "constructor", VirtualDate);
  define(window, "Date", VirtualDate);
  if (window.Temporal?.Now) {
    const { Instant, Now } = Temporal;
    const zoned = (zone) => Instant.fromEpochMilliseconds(wallMs()).toZonedDateTimeISO(zone ?? Now.timeZoneId());
    define(Now, "instant", () => Instant.fromEpochMilliseconds(wallMs()));
    define(Now, "zonedDateTimeISO", zoned);
    define(Now, "plainDateTimeISO", (zone) => zoned(zone).toPlainDateTime());
    define(Now, "plainDateISO", (zone) => zoned(zone).toPlainDate());
    define(Now, "plainTimeISO", (zone) => zoned(zone).toPlainTime());
  }

  define(Math, "random", function random() { return word() / 4294967296; });
  define(Crypto.prototype, "getRandomValues", function getRandomValues(array) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = word() >>> 24;
    return array;
  });
  define(Crypto.prototype, "randomUUID", function randomUUID() {
    const hex = Array.from({ length: 32 }, () => (word() >>> 28).toString(16));
    hex[12] = "4";
    hex[16] = ((parseInt(hex[16], 16) & 3) | 8).toString(16);
    return hex.join("").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  });

  define(window, "setTimeout", function setTimeout(handler, delay, ...rest) {
    return setTimer(handler, delay, rest, false);
  });
  define(window, "setInterval", function setInterval(handler, delay, ...rest) {
    return setTimer(handler, delay, rest, true);
  });
  define(window, "clearTimeout", function clearTimeout(id) { clearTimer(id); });
  define(window, "clearInterval", function clearInterval(id) { clearTimer(id); });
  define(window, "requestAnimationFrame", function requestAnimationFrame(callback) {
    return requestFrame(callback);
  });
  define(window, "cancelAnimationFrame", function cancelAnimationFrame(id) { cancelFrame(id); });
  define(window, "requestIdleCallback", function requestIdleCallback(callback) { return requestIdle(callback); });
  define(window, "cancelIdleCallback", function cancelIdleCallback(id) { cancelIdle(id); });

  // Sound stays silent: a context that is asked to start says so and stays suspended.
  if (window.AudioContext) {
    define(AudioContext.prototype, "resume", async function resume() {});
    define(BaseAudioContext.prototype, "currentTime", undefined, () => 0);
  }
}
