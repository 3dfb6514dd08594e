// Tells what is in the scene of a Three.js page: nodes, their places and sizes, materials, the camera.
// A part of the init script (see script.py).
(kit) => {
  "use strict";
  const boxes = new WeakMap(); // geometry -> its own box, by the version of its positions
  const boxOf = (geometry) => {
    const positions = geometry?.attributes?.position;
    if (!positions?.count) return null;
    const version = positions.version ?? positions.data?.version ?? 0;
    const known = boxes.get(geometry);
    if (known && known.version === version && known.count === positions.count) return known.box;
    const array = positions.data?.array ?? positions.array;
    const stride = positions.data?.stride ?? positions.itemSize;
    const start = positions.offset ?? 0;
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (let one = 0, at = start; one < positions.count; one += 1, at += stride) {
      for (let axis = 0; axis < 3; axis += 1) {
        const value = array[at + axis];
        if (value < box[axis]) box[axis] = value;
        if (value > box[axis + 3]) box[axis + 3] = value;
      }
    }
    boxes.set(geometry, { version, count: positions.count, box });
    return box;
  };
  // The box around a box moved by a column-major matrix (J. Arvo, "Transforming axis-aligned bounding boxes",
  // Graphics Gems, 1990), joined to `into`.
  const join = (into, box, m) => {
    for (let row = 0; row < 3; row += 1) {
      let low = m[12 + row];
      let high = low;
      for (let column = 0; column < 3; column += 1) {
        const a = m[4 * column + row] * box[column];
        const b = m[4 * column + row] * box[column + 3];
        low += Math.min(a, b);
        high += Math.max(a, b);
      }
      if (low < into[row]) into[row] = low;
      if (high > into[row + 3]) into[row + 3] = high;
    }
  };
  const multiply = (a, b, at) => {
    const made = new Array(16);
    for (let column = 0; column < 4; column += 1) {
      for (let row = 0; row < 4; row += 1) {
        let sum = 0;
        for (let k = 0; k < 4; k += 1) sum += a[4 * k + row] * b[at + 4 * column + k];
        made[4 * column + row] = sum;
      }
    }
    return made;
  };
  const bounds = (node) => {
    const box = boxOf(node.geometry);
    if (!box) return null;
    const into = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    const world = node.matrixWorld.elements;
    if (node.isInstancedMesh) {
      const each = node.instanceMatrix.array;
      for (let one = 0; one < node.count; one += 1) join(into, box, multiply(world, each, 16 * one));
    } else {
      join(into, box, world);
    }
    return into.every(Number.isFinite) ? into : null;
  };
  const trianglesOf = (node) => {
    const geometry = node.geometry;
    if (!node.isMesh || !geometry?.attributes?.position) return 0;
    const all = geometry.index ? geometry.index.count : geometry.attributes.position.count;
    const range = geometry.drawRange ?? { start: 0, count: Infinity };
    return Math.floor(Math.max(0, Math.min(all - range.start, range.count)) / 3);
  };
  const hex = (color) => (color?.getHexString ? `#${color.getHexString()}` : "");
  const materialOf = (node) => {
    const one = Array.isArray(node.material) ? node.material[0] : node.material;
    if (!one) return null;
    return {
      type: one.type ?? "", name: one.name ?? "", color: hex(one.color), emissive: hex(one.emissive),
      map: Boolean(one.map), opacity: one.opacity ?? 1, transparent: Boolean(one.transparent),
      visible: one.visible !== false,
    };
  };

  kit.api.scene = () => {
    const main = kit.hook.main;
    if (!main) return null;
    main.scene.updateMatrixWorld();
    const numbers = new Map();
    const nodes = [];
    const matrices = [];
    const visit = (node, parent, isShown) => {
      const id = nodes.length;
      numbers.set(node, id);
      const drawn = isShown && node.visible;
      for (const value of node.matrixWorld.elements) matrices.push(value);
      nodes.push({
        parent, name: node.name ?? "", type: node.type ?? "", visible: drawn, bounds: bounds(node),
        triangles: trianglesOf(node), instances: node.isInstancedMesh ? node.count : 1,
        material: node.isMesh || node.isPoints || node.isLine || node.isSprite ? materialOf(node) : null,
        castShadow: Boolean(node.castShadow),
      });
      for (const child of node.children) visit(child, id, drawn);
    };
    visit(main.scene, -1, true);
    // As text: the devtools protocol is slow with deep values.
    return JSON.stringify({ nodes, matrices: kit.base64(new Uint8Array(Float64Array.from(matrices).buffer)) });
  };
  kit.api.camera = () => {
    const main = kit.hook.main;
    if (!main) return null;
    const { camera } = main;
    camera.updateWorldMatrix?.(true, false);
    const m = camera.matrixWorld.elements;
    const unit = (...values) => values.map((value) => value / (Math.hypot(...values) || 1));
    const { left, right, top, bottom } = camera;
    return {
      position: [m[12], m[13], m[14]],
      forward: unit(-m[8], -m[9], -m[10]),
      up: unit(m[4], m[5], m[6]),
      fov: camera.isPerspectiveCamera ? camera.getEffectiveFOV?.() ?? camera.fov : 0,
      aspect: camera.isPerspectiveCamera ? camera.aspect : (right - left) / (top - bottom),
      perspective: Boolean(camera.isPerspectiveCamera),
    };
  };
}
