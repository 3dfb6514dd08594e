// What the parts of the init script share: a private kit, overrides that stay, errors reported as the page's.
(kit) => {
  "use strict";
  kit.real = {
    setTimeout: window.setTimeout.bind(window),
    requestAnimationFrame: window.requestAnimationFrame.bind(window),
    now: performance.now.bind(performance),
    id: crypto.randomUUID?.() ?? String(performance.timeOrigin),
    defineProperty: Object.defineProperty,
    addEventListener: EventTarget.prototype.addEventListener,
  };
  kit.api = Object.create(null);
  kit.tampered = [];
  kit.skip = false; // true while frames are stepped that nobody will see
  kit.beginFrame = () => {};
  kit.endFrame = () => {};

  const overridden = new WeakMap(); // object -> the names on it that are ours
  const note = (target, name) => {
    const owner = typeof target === "function" ? target.name : Object.prototype.toString.call(target).slice(8, -1);
    const label = `${target === window ? "" : `${owner}.`}${String(name)}`;
    if (!kit.tampered.includes(label)) kit.tampered.push(label);
  };
  // Puts an override in place for good. Assigning to it changes nothing and is noted; with `getter` reading
  // calls it instead.
  kit.define = (target, name, value, getter) => {
    const get = getter ?? (() => value);
    const names = overridden.get(target) ?? new Set();
    overridden.set(target, names.add(name));
    kit.real.defineProperty(target, name, {
      get,
      set(other) { if (other !== value) note(target, name); },
      enumerable: true,
      configurable: false,
    });
  };
  const guarded = (native) => function defineProperty(target, name, description) {
    if (overridden.get(target)?.has(name)) {
      note(target, name);
      return native === Reflect.defineProperty ? false : target;
    }
    return native(target, name, description);
  };
  const guardReflect = guarded(Reflect.defineProperty);
  Object.defineProperty = guarded(kit.real.defineProperty);
  Reflect.defineProperty = guardReflect;

  // A turn of the real task queue: every microtask and every message posted before it is done after it.
  const channel = new MessageChannel();
  const waiting = [];
  channel.port1.onmessage = () => waiting.shift()();
  kit.hop = () => new Promise((resolve) => { waiting.push(resolve); channel.port2.postMessage(0); });

  const nativeReport = window.reportError.bind(window);
  kit.report = (error) => nativeReport(error);
}
