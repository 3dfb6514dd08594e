// Mouse look: pointer lock without a real pointer, and exact relative movement.
// A part of the init script (see script.py).
(kit) => {
  "use strict";
  let locked = null;
  let buttons = 0;
  const change = (element) => {
    locked = element;
    kit.hop().then(() => document.dispatchEvent(new Event("pointerlockchange", { bubbles: true })));
  };
  kit.define(Element.prototype, "requestPointerLock", async function requestPointerLock() { change(this); });
  kit.define(Document.prototype, "exitPointerLock", function exitPointerLock() { if (locked) change(null); });
  kit.define(Document.prototype, "pointerLockElement", null, () => locked);
  const listen = (type, handler) => {
    kit.real.addEventListener.call(window, type, handler, { capture: true, passive: true });
  };
  listen("keydown", (event) => { if (event.isTrusted && event.code === "Escape" && locked) change(null); });
  const counts = { wheel: 0 };
  listen("wheel", (event) => { if (event.isTrusted) counts.wheel += 1; });
  for (const type of ["mousedown", "mouseup"]) {
    listen(type, (event) => { if (event.isTrusted) buttons = event.buttons; });
  }

  kit.api.wheels = () => counts.wheel;
  kit.api.locked = () => locked !== null && locked.isConnected;
  // Moves the locked pointer by so many pixels, whole ones as a real mouse does, with what is left kept for
  // the next time; false when nothing is locked.
  const carried = [0, 0];
  kit.api.look = async (dx, dy) => {
    await kit.hop(); // a lock that was just asked for is told before
    if (!locked?.isConnected) return false;
    const [movementX, movementY] = [dx, dy].map((value, axis) => {
      const all = carried[axis] + value;
      carried[axis] = all - Math.round(all);
      return Math.round(all);
    });
    const [clientX, clientY] = [innerWidth / 2, innerHeight / 2];
    const parts = {
      bubbles: true, cancelable: true, composed: true, view: window, buttons, movementX, movementY,
      clientX, clientY, screenX: clientX, screenY: clientY,
    };
    const pointer = { pointerId: 1, pointerType: "mouse", isPrimary: true, button: -1 };
    locked.dispatchEvent(new PointerEvent("pointermove", { ...parts, ...pointer }));
    locked.dispatchEvent(new MouseEvent("mousemove", parts));
    return true;
  };
}
