// What capture does inside a page: finds a free point of the canvas, holds back drawing, holds the light, reads
// the season that the page names, compares objects over time, hides one of them. Only plain fields that every
// Three.js since r123 has are used. Leaves `window["__stage_" + token]` behind, which the page does not know.
(token) => {
  "use strict";
  const key = `__stage_${token}`;
  if (Object.hasOwn(window, key)) return;
  const door = window.__embodied_eval;
  const main = () => door(token, null, "main");
  const stage = Object.create(null);

  // The point nearest the middle where nothing lies over a canvas.
  stage.point = () => {
    const [width, height] = [innerWidth, innerHeight];
    const tries = [];
    for (let i = 1; i < 16; i += 1) for (let j = 1; j < 16; j += 1) tries.push([(i / 16) * width, (j / 16) * height]);
    const far = ([x, y]) => Math.hypot(x - width / 2, y - height / 2);
    tries.sort((a, b) => far(a) - far(b));
    const free = ([x, y]) => document.elementFromPoint(x, y) instanceof HTMLCanvasElement;
    return tries.find(free) ?? null;
  };

  const SEASON = /\b(spring|summer|autumn|fall|winter)\b/gi;
  // What visible text names exactly one season, by the place of its element in the document.
  stage.seasons = () => {
    const found = {};
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const names = new Set((walker.currentNode.data.match(SEASON) ?? []).map((one) => one.toLowerCase()));
      const holder = walker.currentNode.parentElement;
      if (names.size !== 1 || !holder || /^(SCRIPT|STYLE)$/.test(holder.tagName)) continue;
      if (!holder.checkVisibility({ visibilityProperty: true })) continue;
      const path = [];
      for (let at = holder; at?.parentElement; at = at.parentElement) path.push([...at.parentElement.children].indexOf(at));
      const [name] = names;
      found[path.reverse().join(".")] = name === "fall" ? "autumn" : name;
    }
    return found;
  };

  stage.time = ({ timeOfDay, season }) => {
    if (!window.__ee_time) return false;
    window.__ee_time.timeOfDay = timeOfDay;
    window.__ee_time.season = season;
    return true;
  };

  // While `drawing` is off, frames are stepped without being drawn; matrices stay up to date.
  const watched = new WeakSet();
  let drawing = true;
  let owed = false; // a picture of the scene was left out, and none was made since
  const watch = (renderer) => {
    if (watched.has(renderer)) return;
    watched.add(renderer);
    const below = renderer.render;
    renderer.render = function (scene, camera, ...rest) {
      if (drawing) {
        if (camera === main()?.camera) owed = false;
        return Reflect.apply(below, this, [scene, camera, ...rest]);
      }
      owed = true;
      if (scene?.matrixWorldAutoUpdate !== false && scene?.autoUpdate !== false) scene?.updateMatrixWorld?.();
      if (camera?.parent === null) camera.updateMatrixWorld?.();
      return undefined;
    };
  };
  stage.draw = (on) => {
    const found = main();
    if (found) watch(found.renderer);
    drawing = on;
    return Boolean(found);
  };
  // Pages that draw on demand only: the scene as it stands, if they drew nothing since.
  stage.settle = () => {
    const found = main();
    if (!owed || !found) return;
    found.renderer.render(found.scene, found.camera);
    owed = false;
  };

  // The light, background and fog of now stay what they are in every picture, whatever the page makes of them.
  const colorOf = (color) => (color?.isColor ? [color.r, color.g, color.b] : null);
  const paint = (color, rgb) => { if (color?.isColor && rgb) [color.r, color.g, color.b] = rgb; };
  const lightOf = (light) => ({
    intensity: light.intensity, color: colorOf(light.color), ground: colorOf(light.groundColor),
    place: [...light.matrixWorld.elements], aim: light.target ? [...light.target.matrixWorld.elements] : null,
  });
  const putLight = (light, state) => {
    light.intensity = state.intensity;
    paint(light.color, state.color);
    paint(light.groundColor, state.ground);
    light.matrixWorld.fromArray(state.place);
    if (state.aim) light.target.matrixWorld.fromArray(state.aim);
  };
  const airOf = (scene, renderer) => ({
    background: colorOf(scene.background), fog: colorOf(scene.fog?.color), near: scene.fog?.near, far: scene.fog?.far,
    density: scene.fog?.density, exposure: renderer.toneMappingExposure,
  });
  const putAir = (scene, renderer, state) => {
    paint(scene.background, state.background);
    if (scene.fog) {
      paint(scene.fog.color, state.fog);
      for (const name of ["near", "far", "density"]) if (state[name] !== undefined) scene.fog[name] = state[name];
    }
    renderer.toneMappingExposure = state.exposure;
  };
  let held = null;
  stage.hold = (on) => {
    if (held) {
      const { scene, before, after } = held;
      scene.onBeforeRender = before;
      scene.onAfterRender = after;
      held = null;
    }
    const found = main();
    if (!on || !found) return false;
    const { scene, renderer } = found;
    scene.updateMatrixWorld();
    const lights = [];
    scene.traverse((node) => { if (node.isLight) lights.push([node, lightOf(node)]); });
    const air = airOf(scene, renderer);
    const [before, after] = [scene.onBeforeRender, scene.onAfterRender];
    held = { scene, before, after };
    let own = null; // what the page made of them, put back after each picture
    scene.onBeforeRender = function (...parts) {
      Reflect.apply(before, this, parts);
      own = { lights: lights.map(([light]) => lightOf(light)), air: airOf(scene, renderer) };
      for (const [light, state] of lights) putLight(light, state);
      putAir(scene, renderer, air);
    };
    scene.onAfterRender = function (...parts) {
      if (own) {
        lights.forEach(([light], at) => putLight(light, own.lights[at]));
        putAir(scene, renderer, own.air);
        own = null;
      }
      Reflect.apply(after, this, parts);
    };
    return true;
  };

  // Objects are numbered as the session's scene graph numbers them: parents first, children in order.
  const numbered = (visit) => {
    const found = main();
    if (!found) return;
    found.scene.updateMatrixWorld();
    let id = 0;
    const walk = (node, isShown) => {
      const shown = isShown && node.visible;
      visit(node, id, shown);
      id += 1;
      for (const child of node.children) walk(child, shown);
    };
    walk(found.scene, true);
  };
  const attribute = (one) => (one ? { version: (one.data ?? one).version ?? 0, array: (one.data ?? one).array } : null);
  const materialsOf = (node) => (Array.isArray(node.material) ? node.material : [node.material]).filter(Boolean);
  const lookOf = (node) => materialsOf(node).map((one) => [
    colorOf(one.color), colorOf(one.emissive), one.emissiveIntensity, one.opacity, one.visible, one.size,
  ]);
  const plain = (value) => (typeof value === "number" || value === null ? value : Object.values(value ?? {}).filter((one) => typeof one === "number"));
  const shaderOf = (node) => materialsOf(node).map((one) => {
    const uniforms = one.uniforms ?? one.userData?.shader?.uniforms ?? {};
    return Object.values(uniforms).map((uniform) => plain(uniform?.value));
  });
  const textureOf = (node) => materialsOf(node).map((one) => [one.map?.offset?.x, one.map?.offset?.y, one.map?.version, one.map?.rotation]);
  const stateOf = (node, shown) => {
    const geometry = node.geometry?.attributes ?? {};
    const copied = (one) => { const now = attribute(one); return now && { version: now.version, array: now.array.slice() }; };
    return {
      shown, place: Float64Array.from(node.matrixWorld.elements), instances: copied(node.instanceMatrix),
      tints: copied(node.instanceColor), points: copied(geometry.position), paint: copied(geometry.color),
      count: node.count, look: JSON.stringify(lookOf(node)), shader: JSON.stringify(shaderOf(node)),
      texture: JSON.stringify(textureOf(node)),
    };
  };
  const drawable = (node) => node.isMesh || node.isPoints || node.isLine || node.isSprite;

  let marked = new Map();
  stage.mark = () => {
    marked = new Map();
    numbered((node, id, shown) => { if (drawable(node)) marked.set(node, { id, state: stateOf(node, shown) }); });
    return marked.size;
  };
  const other = (was, now) => {
    if (!was || !now) return Boolean(was) !== Boolean(now);
    if (was.version === now.version && was.array.length === now.array.length) return false;
    return was.array.length !== now.array.length || was.array.some((value, at) => value !== now.array[at]);
  };
  const SAMPLED = 2000;
  const EPSILON = 1e-7;
  const median = (values) => (values.length ? values.sort((a, b) => a - b)[values.length >> 1] : 0);
  // The median movement of what moved, through the linear part of the node's world matrix.
  const drift = (before, now, stride, at, place) => {
    const rows = [[], [], []];
    const count = Math.min(before.length, now.length) / stride;
    const each = Math.max(1, Math.floor(count / SAMPLED));
    for (let one = 0; one < count; one += each) {
      const delta = [0, 1, 2].map((axis) => now[stride * one + at + axis] - before[stride * one + at + axis]);
      if (Math.hypot(...delta) <= EPSILON) continue;
      for (let row = 0; row < 3; row += 1) rows[row].push(place[row] * delta[0] + place[4 + row] * delta[1] + place[8 + row] * delta[2]);
    }
    return rows.map(median);
  };
  // What is other than at `mark`: [id, kinds of change, movement] of each object that changed, and was or is shown.
  stage.moved = () => {
    const found = [];
    numbered((node, id, shown) => {
      const known = marked.get(node);
      if (!known) {
        if (drawable(node) && shown) found.push([id, ["visible"], [0, 0, 0]]);
        return;
      }
      const { state: was } = known;
      if (!was.shown && !shown) return;
      const place = node.matrixWorld.elements;
      const kinds = [];
      let by = [0, 0, 0];
      if (was.place.some((value, at) => Math.abs(value - place[at]) > EPSILON)) {
        kinds.push("place");
        by = [12, 13, 14].map((at) => place[at] - was.place[at]);
      }
      const instances = attribute(node.instanceMatrix);
      if (node.count !== was.count || other(was.instances, instances)) {
        kinds.push("instances");
        if (was.instances && instances) by = drift(was.instances.array, instances.array, 16, 12, place);
      }
      const points = attribute(node.geometry?.attributes?.position);
      if (other(was.points, points)) {
        kinds.push("geometry");
        if (was.points && points) by = drift(was.points.array, points.array, 3, 0, place);
      }
      const tinted = other(was.tints, attribute(node.instanceColor)) || other(was.paint, attribute(node.geometry?.attributes?.color));
      if (tinted || was.look !== JSON.stringify(lookOf(node))) kinds.push("material");
      if (was.shader !== JSON.stringify(shaderOf(node))) kinds.push("shader");
      if (was.texture !== JSON.stringify(textureOf(node))) kinds.push("texture");
      if (was.shown !== shown) kinds.push("visible");
      if (kinds.length) found.push([id, kinds, by]);
    });
    return JSON.stringify(found);
  };

  // Draws the scene as it stands, without the objects `ids`.
  stage.without = (ids) => {
    const found = main();
    if (!found) return false;
    const wanted = new Set(ids);
    const hidden = [];
    numbered((node, at) => { if (wanted.has(at)) hidden.push([node, node.layers.mask]); });
    // By layers, so that their children stay.
    for (const [node] of hidden) node.layers.mask = 0;
    try {
      found.renderer.render(found.scene, found.camera);
    } finally {
      for (const [node, mask] of hidden) node.layers.mask = mask;
    }
    return true;
  };

  Object.defineProperty(window, key, { value: Object.freeze(stage) });
}
