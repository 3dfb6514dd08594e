// The one door of the driver into a page: `window.__embodied_eval(token, document, method, ...)`. The page
// itself does not know the token. A part of the init script (see script.py).
(kit) => {
  "use strict";
  const { api, hook, canvases } = kit;
  api.status = () => {
    hook.settle();
    return {
      nowMs: api.now(), renders: hook.renders, skipped: hook.skipped, scenes: hook.scenes.length,
      renderers: hook.renderers.length, hooked: hook.main !== null, three: hook.revision,
      canvases: document.querySelectorAll("canvas").length, shown: canvases.visible().length,
      webglAsked: canvases.asked.webgl, webglObtained: canvases.asked.obtained, webglLost: canvases.asked.lost,
      contexts: canvases.asked.contexts, workers: kit.workers, stalled: kit.stalled, tampered: kit.tampered,
      initError: window.__initError ? String(window.__initError) : "",
    };
  };
  api.redraw = () => {
    const main = hook.main;
    if (main) main.renderer.render(main.scene, main.camera);
    return main !== null;
  };
  // Scene, camera and renderer of the page's main picture, for scripts that the driver runs in the page.
  api.main = () => hook.main;
  const token = kit.config.token;
  const self = kit.real.id; // this document, and no later one at the same address
  api.place = () => [api.now(), self];
  api.assess = (looks) => ({
    status: api.status(),
    varied: looks && (hook.renders || canvases.asked.contexts) ? canvases.varied() : null,
  });
  const shared = Object.freeze({ ...kit.shared });
  const door = (key, document, method, ...parts) => {
    if (key === "clock") return shared; // frames inside the page
    if (key !== token) throw new TypeError("This function is not for pages.");
    if (document !== null && document !== self) throw new Error("The page's context was destroyed.");
    return api[method](...parts);
  };
  kit.real.defineProperty(window, kit.config.door, { value: door });
}
