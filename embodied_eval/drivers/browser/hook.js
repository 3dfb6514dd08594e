// Finds the scene, camera and renderer of a Three.js page, and skips drawing where nobody looks.
// Three.js tells every scene and renderer to a `__THREE_DEVTOOLS__` event target if there is one.
// A part of the init script (see script.py).
(kit) => {
  "use strict";
  const target = new EventTarget();
  const hook = { revision: "", scenes: [], renderers: [], main: null, renders: 0, skipped: 0 };
  kit.hook = hook;
  kit.real.defineProperty(window, "__THREE_DEVTOOLS__", { value: target, enumerable: true });

  let depth = 0; // of render calls inside render calls: mirrors, shadows, portals
  let seen = []; // what was rendered in this frame
  let cleared = new WeakSet(); // renderers whose drawing buffer was cleared in this frame

  // Drawing buffers are kept for reading. A page that does not clear by itself would see the last frame
  // again, so it is cleared here as the browser would have done.
  const clearKept = (renderer) => {
    if (cleared.has(renderer) || renderer.autoClear !== false) return;
    cleared.add(renderer);
    const gl = renderer.getContext?.();
    if (!gl || kit.wantedKept?.has(gl)) return;
    const color = gl.getParameter(gl.COLOR_CLEAR_VALUE);
    const scissor = gl.isEnabled(gl.SCISSOR_TEST);
    const masks = [gl.getParameter(gl.COLOR_WRITEMASK), gl.getParameter(gl.DEPTH_WRITEMASK)];
    const bound = gl.getParameter(gl.FRAMEBUFFER_BINDING);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.disable(gl.SCISSOR_TEST);
    gl.colorMask(true, true, true, true);
    gl.depthMask(true);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.clearColor(...color);
    gl.colorMask(...masks[0]);
    gl.depthMask(masks[1]);
    if (scissor) gl.enable(gl.SCISSOR_TEST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, bound);
  };

  const triangles = (renderer) => renderer.info?.render?.triangles ?? 0;
  const wrap = (renderer, name) => {
    const native = renderer[name];
    if (typeof native !== "function") return;
    renderer[name] = function (scene, camera, ...rest) {
      const toTexture = renderer.getRenderTarget?.() ?? null;
      // Flat passes into textures may carry state from frame to frame; pictures of a scene do not.
      if (kit.skip && !(toTexture && camera?.isOrthographicCamera)) {
        hook.skipped += 1;
        if (scene?.matrixWorldAutoUpdate !== false && scene?.autoUpdate !== false) scene?.updateMatrixWorld?.();
        if (camera?.parent === null) camera.updateMatrixWorld?.();
        return undefined;
      }
      if (!toTexture && depth === 0) clearKept(renderer);
      const before = renderer.info?.autoReset === false ? triangles(renderer) : 0;
      depth += 1;
      try {
        return Reflect.apply(native, renderer, [scene, camera, ...rest]);
      } finally {
        depth -= 1;
        hook.renders += 1;
        if (depth === 0 && scene?.isScene && camera) {
          seen.push({ renderer, scene, camera, toTexture, triangles: triangles(renderer) - before });
        }
      }
    };
  };
  // The main picture: in perspective rather than flat, on the screen rather than in a texture, with the most
  // triangles. Where none is in perspective, the flat one with the most triangles.
  const rank = (one) => [
    one.camera.isPerspectiveCamera && !one.toTexture?.isWebGLCubeRenderTarget ? 1 : 0,
    one.toTexture && one.camera.isPerspectiveCamera ? 0 : 1,
    one.triangles,
  ];
  const above = (a, b) => {
    const [left, right] = [rank(a), rank(b)];
    const at = left.findIndex((value, index) => value !== right[index]);
    return at >= 0 && left[at] > right[at];
  };
  const settle = () => {
    if (!seen.length) return;
    const best = seen.reduce((a, b) => (above(b, a) ? b : a));
    hook.main = { renderer: best.renderer, scene: best.scene, camera: best.camera };
    seen = [];
  };

  target.addEventListener("register", (event) => { hook.revision = String(event.detail?.revision ?? ""); });
  target.addEventListener("observe", (event) => {
    const one = event.detail;
    if (one?.isScene) {
      hook.scenes.push(new WeakRef(one));
    } else if (one?.domElement && typeof one.render === "function" && !hook.renderers.includes(one)) {
      hook.renderers.push(one);
      wrap(one, "render");
      wrap(one, "renderAsync");
    }
  });

  const { beginFrame, endFrame } = kit;
  kit.beginFrame = () => { beginFrame(); cleared = new WeakSet(); };
  kit.endFrame = () => { endFrame(); settle(); };
  hook.settle = settle;
}
