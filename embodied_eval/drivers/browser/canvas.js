// Knows every canvas that a page draws on, keeps its pixels readable after the frame, and reads them.
// A part of the init script (see script.py).
(kit) => {
  "use strict";
  const contexts = new WeakMap(); // canvas -> its context
  const drawing = new Set(); // canvases with a WebGL context
  const asked = { webgl: 0, obtained: 0, lost: 0, contexts: 0 };
  kit.wantedKept = new WeakSet(); // contexts whose page itself asked to keep the drawing buffer
  const native = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function getContext(kind, attributes, ...rest) {
    const isWebgl = /^(?:experimental-)?webgl2?$/.test(String(kind));
    const wanted = isWebgl ? { ...attributes, preserveDrawingBuffer: true } : attributes;
    const context = Reflect.apply(native, this, [kind, wanted, ...rest]);
    if (isWebgl || kind === "webgpu") asked.webgl += 1;
    if (isWebgl && context && !contexts.has(this)) {
      asked.obtained += 1;
      drawing.add(this);
      if (attributes?.preserveDrawingBuffer) kit.wantedKept.add(context);
      this.addEventListener("webglcontextlost", () => { asked.lost += 1; });
    }
    if (context && !contexts.has(this)) {
      asked.contexts += 1;
      contexts.set(this, context);
    }
    return context;
  };

  // Software GL takes minutes over a picture with anisotropic textures, so no page is offered them.
  const slow = (name) => /texture_filter_anisotropic$/i.test(String(name));
  for (const kind of [globalThis.WebGLRenderingContext, globalThis.WebGL2RenderingContext]) {
    if (!kind) continue;
    const { getExtension, getSupportedExtensions } = kind.prototype;
    kind.prototype.getExtension = function (name) {
      return slow(name) ? null : Reflect.apply(getExtension, this, [name]);
    };
    kind.prototype.getSupportedExtensions = function () {
      return Reflect.apply(getSupportedExtensions, this, [])?.filter((name) => !slow(name)) ?? null;
    };
  }

  const isWebgl = (context) => typeof context.readPixels === "function";
  const shown = (canvas) => {
    if (!canvas.isConnected) return false;
    const box = canvas.getBoundingClientRect();
    const properties = { opacityProperty: true, visibilityProperty: true };
    return box.width > 1 && box.height > 1 && canvas.checkVisibility(properties);
  };
  const visible = () => {
    const all = new Set([...document.querySelectorAll("canvas"), ...drawing]);
    return [...all].filter((canvas) => contexts.has(canvas) && shown(canvas));
  };
  const area = (canvas) => { const box = canvas.getBoundingClientRect(); return box.width * box.height; };
  const largest = () => visible().reduce((best, one) => (!best || area(one) > area(best) ? one : best), null);

  // RGBA bytes of the lower left part of what a WebGL context has drawn, the bottom row first.
  const read = (gl, width, height) => {
    const bytes = new Uint8Array(width * height * 4);
    const isNew = typeof WebGL2RenderingContext !== "undefined" && gl instanceof WebGL2RenderingContext;
    const name = isNew ? gl.READ_FRAMEBUFFER : gl.FRAMEBUFFER;
    const bound = gl.getParameter(isNew ? gl.READ_FRAMEBUFFER_BINDING : gl.FRAMEBUFFER_BINDING);
    const buffer = isNew ? gl.getParameter(gl.PIXEL_PACK_BUFFER_BINDING) : null;
    const newer = [gl.PACK_ROW_LENGTH, gl.PACK_SKIP_ROWS, gl.PACK_SKIP_PIXELS];
    const stores = [gl.PACK_ALIGNMENT, ...(isNew ? newer : [])];
    const kept = stores.map((one) => gl.getParameter(one));
    if (bound) gl.bindFramebuffer(name, null);
    if (buffer) gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    stores.forEach((one, at) => gl.pixelStorei(one, at ? 0 : 4));
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    stores.forEach((one, at) => gl.pixelStorei(one, kept[at]));
    if (buffer) gl.bindBuffer(gl.PIXEL_PACK_BUFFER, buffer);
    if (bound) gl.bindFramebuffer(name, bound);
    return bytes;
  };
  const pixels = (canvas) => {
    const context = contexts.get(canvas);
    const { width, height } = canvas;
    if (isWebgl(context)) return read(context, width, height);
    if (typeof context.getImageData !== "function") return null;
    return new Uint8Array(context.getImageData(0, 0, width, height).data.buffer);
  };
  // Drawing is only queued until somebody looks: wait for it where it belongs, in the step that drew.
  kit.drawn = () => {
    for (const canvas of drawing) if (canvas.isConnected) read(contexts.get(canvas), 1, 1);
  };
  // Whether the page's largest canvas shows more than one colour; null when it has none.
  const varied = () => {
    const canvas = largest();
    if (!canvas) return null;
    const bytes = pixels(canvas);
    if (!bytes) return true;
    const words = new Uint32Array(bytes.buffer);
    return words.some((word) => word !== words[0]);
  };
  // A PNG in base64 of the one canvas that fills the view; null where the picture is more than that: several
  // canvases, another size, or (unless the interface is left out) anything else that shows.
  const frame = (withInterface) => {
    kit.api.hold();
    const canvases = visible();
    if (canvases.length !== 1 || !isWebgl(contexts.get(canvases[0]))) return null;
    const canvas = canvases[0];
    const box = canvas.getBoundingClientRect();
    const { width, height } = canvas;
    const fills = width === innerWidth && height === innerHeight && box.width === width && box.height === height;
    if (!fills || box.x || box.y) return null;
    if (withInterface && !isBare(canvas)) return null;
    return canvas.toDataURL("image/png").slice("data:image/png;base64,".length);
  };
  // Whether nothing but this canvas and what it lies in takes up room in the view.
  const isBare = (canvas) => {
    for (const one of document.body.querySelectorAll("*")) {
      if (one === canvas || one.contains(canvas)) continue;
      const { width, height } = one.getBoundingClientRect();
      if ((width > 0 && height > 0 && one.checkVisibility({ visibilityProperty: true })) || one.shadowRoot) return false;
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (parent.contains(canvas) && walker.currentNode.data.trim()) return false;
    }
    return true;
  };
  // Leaves only canvases to be seen, or everything again. A sheet of its own changes no element of the page.
  let sheet = null;
  const bare = (isOn) => {
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync("* { visibility: hidden !important } canvas { visibility: visible !important }");
    }
    const others = document.adoptedStyleSheets.filter((one) => one !== sheet);
    document.adoptedStyleSheets = isOn ? [...others, sheet] : others;
    for (const one of document.getAnimations()) if (one.transitionProperty === "visibility") one.finish();
  };
  kit.base64 = (bytes) => {
    if (bytes.toBase64) return bytes.toBase64();
    let text = "";
    for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
    return btoa(text);
  };
  kit.canvases = { asked, visible, varied };
  kit.api.frame = frame;
  kit.api.bare = bare;
  kit.api.varied = varied;
}
