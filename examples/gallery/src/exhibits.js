// What is shown and what stands about: sculptures, paintings, furniture.
import * as THREE from "three";
import { painted } from "./materials.js";

/** A plinth with its top at `height`; stops walkers. */
export function plinth(site, name, x, z, height = 1.0) {
  site.box(name, [0.62, 0.1, 0.62], "black", [x, 0.05, z], { solid: true });
  site.box(name, [0.52, height - 0.1, 0.52], "white", [x, 0.05 + height / 2, z]);
}

/** Head and shoulders on a plinth; returns what stands on it. */
export function bust(site, name, x, z, material) {
  plinth(site, `${name} plinth`, x, z, 1.05);
  const group = new THREE.Group();
  group.name = name;
  group.position.set(x, 1.05, z);
  site.scene.add(group);
  const part = (what, geometry, at) => site.add(`${name} ${what}`, geometry, material, at, group);
  part("foot", new THREE.CylinderGeometry(0.12, 0.16, 0.1, 24), [0, 0.05, 0]);
  part("chest", new THREE.SphereGeometry(0.22, 24, 16), [0, 0.26, 0]).scale.set(1.15, 0.85, 0.7);
  part("neck", new THREE.CylinderGeometry(0.07, 0.09, 0.16, 20), [0, 0.47, 0.01]);
  part("head", new THREE.SphereGeometry(0.14, 24, 18), [0, 0.63, 0.02]).scale.set(0.85, 1.15, 1.0);
  part("nose", new THREE.ConeGeometry(0.03, 0.08, 12), [0, 0.62, 0.16]).rotation.x = 0.25;
  return group;
}

/** A bronze ring sculpture on a low plinth. */
export function rings(site, x, z) {
  site.box("ring sculpture plinth", [1.1, 0.4, 1.1], "white", [x, 0.2, z], { solid: true });
  const knot = new THREE.TorusKnotGeometry(0.42, 0.11, 120, 14, 2, 3);
  site.add("ring sculpture", knot, "bronze", [x, 1.15, z]).rotation.y = 0.4;
  site.add("ring sculpture pin", new THREE.CylinderGeometry(0.04, 0.04, 0.3, 12), "black", [x, 0.5, z]);
}

/** Blocks stacked askew. */
export function stack(site, x, z) {
  plinth(site, "block sculpture plinth", x, z, 0.8);
  [["gold", 0.4, 0.3], ["leather", 0.32, 0.8], ["black", 0.25, 1.3]].forEach(([material, edge, turn], at) => {
    const y = 0.8 + [0.2, 0.56, 0.845][at];
    site.box("block sculpture", [edge, edge, edge], material, [x, y, z]).rotation.y = turn;
  });
}

const PIGMENTS = [8, 24, 40, 52, 95, 165, 190, 210, 222];

function abstract(seed) {
  return painted(seed, (context, size, next) => {
    const pigment = () => PIGMENTS[Math.floor(next() * PIGMENTS.length)];
    context.fillStyle = `hsl(${pigment()} 35% 84%)`;
    context.fillRect(0, 0, size, size);
    for (let i = 0; i < 9; i += 1) {
      context.fillStyle = `hsl(${pigment()} ${30 + next() * 30}% ${30 + next() * 40}%)`;
      if (i % 2) {
        context.fillRect(next() * size, next() * size, 30 + next() * 90, 30 + next() * 90);
      } else {
        context.beginPath();
        context.arc(next() * size, next() * size, 12 + next() * 46, 0, 7);
        context.fill();
      }
    }
  });
}

/** A framed painting of `width` x `height`, its middle at 1.6 m, facing `facing` degrees (0 = +z). */
export function painting(site, seed, x, z, facing, width = 1.1, height = 0.8) {
  const group = new THREE.Group();
  group.name = `painting ${seed}`;
  group.position.set(x, 1.6, z);
  group.rotation.y = (facing * Math.PI) / 180;
  site.scene.add(group);
  const canvas = site.box("canvas", [width, height, 0.02], "white", [0, 0, 0.03], { parent: group });
  canvas.material = new THREE.MeshStandardMaterial({ map: abstract(seed), roughness: 0.9 });
  for (const side of [-1, 1]) {
    site.box("frame", [0.06, height + 0.12, 0.06], "walnut", [(side * (width + 0.06)) / 2, 0, 0.03], { parent: group });
    site.box("frame", [width, 0.06, 0.06], "walnut", [0, (side * (height + 0.06)) / 2, 0.03], { parent: group });
  }
  site.box("label", [0.16, 0.08, 0.01], "white", [width / 2 + 0.2, -height / 2, 0.005], { parent: group });
}

/** A bench along x (or z if `turned`). */
export function bench(site, x, z, turned = false, material = "leather") {
  const size = turned ? [0.5, 0.1, 1.6] : [1.6, 0.1, 0.5];
  site.box("bench", size, material, [x, 0.45, z], { solid: true });
  for (const along of [-0.65, 0.65]) {
    for (const across of [-0.18, 0.18]) {
      const at = turned ? [x + across, 0.2, z + along] : [x + along, 0.2, z + across];
      site.box("bench leg", [0.06, 0.4, 0.06], "black", at);
    }
  }
}

/** Shelves along z with their backs at x, full of books. */
export function bookshelf(site, x, z, next, shelves = 5, width = 1.8) {
  site.box("bookshelf", [0.04, 2.1, width], "walnut", [x + 0.02, 1.05, z]);
  for (const side of [-1, 1]) {
    site.box("bookshelf", [0.34, 2.1, 0.04], "walnut", [x + 0.17, 1.05, z + (side * width) / 2]);
  }
  site.solid(x, z - width / 2, x + 0.34, z + width / 2);
  const books = new Map(["leather", "green", "blue", "gold", "black", "pine"].map((binding) => [binding, []]));
  const bindings = [...books.keys()];
  for (let shelf = 0; shelf <= shelves; shelf += 1) {
    const y = 0.06 + (shelf * 2.0) / shelves;
    site.box("bookshelf", [0.34, 0.04, width], "walnut", [x + 0.17, y, z]);
    if (shelf === shelves) break;
    for (let at = -width / 2 + 0.06; at < width / 2 - 0.12; ) {
      const [thick, high] = [0.05 + next() * 0.05, 0.22 + next() * 0.1];
      const book = new THREE.Matrix4().makeScale(0.22, high, thick);
      book.setPosition(x + 0.16, y + 0.02 + high / 2, z + at + thick / 2);
      books.get(bindings[Math.floor(next() * bindings.length)]).push(book);
      at += thick + (next() < 0.15 ? 0.12 : 0.004);
    }
  }
  for (const [binding, places] of books) {
    const made = new THREE.InstancedMesh(new THREE.BoxGeometry(), site.materials[binding], places.length);
    made.name = "books";
    made.castShadow = made.receiveShadow = true;
    places.forEach((place, number) => made.setMatrixAt(number, place));
    site.scene.add(made);
  }
}

/** A desk with its chair, a lamp and papers. */
export function desk(site, x, z) {
  site.box("desk", [0.8, 0.05, 1.6], "walnut", [x, 0.75, z], { solid: true });
  for (const side of [-1, 1]) site.box("desk side", [0.74, 0.73, 0.05], "walnut", [x, 0.365, z + side * 0.74]);
  site.box("papers", [0.21, 0.02, 0.3], "white", [x + 0.1, 0.785, z - 0.2]).rotation.y = 0.2;
  site.add("desk lamp foot", new THREE.CylinderGeometry(0.08, 0.1, 0.03, 20), "gold", [x - 0.2, 0.79, z + 0.5]);
  site.add("desk lamp stem", new THREE.CylinderGeometry(0.015, 0.015, 0.36, 12), "gold", [x - 0.2, 0.97, z + 0.5]);
  site.add("desk lamp shade", new THREE.ConeGeometry(0.16, 0.2, 24, 1, true), "lamp", [x - 0.2, 1.2, z + 0.5]);
  site.box("chair seat", [0.46, 0.06, 0.46], "leather", [x + 0.75, 0.46, z], { solid: true });
  site.box("chair back", [0.05, 0.5, 0.46], "leather", [x + 0.97, 0.75, z]);
  for (const [dx, dz] of [[-0.2, -0.2], [-0.2, 0.2], [0.2, -0.2], [0.2, 0.2]]) {
    site.box("chair leg", [0.04, 0.44, 0.04], "walnut", [x + 0.75 + dx, 0.22, z + dz]);
  }
}

/** A lamp that hangs from the ceiling. */
export function pendant(site, x, z) {
  site.add("pendant cord", new THREE.CylinderGeometry(0.012, 0.012, 0.9, 8), "black", [x, 3.15, z]);
  site.add("pendant", new THREE.SphereGeometry(0.2, 24, 16), "lamp", [x, 2.6, z]).castShadow = false;
}

/** A plant in a pot. */
export function plant(site, x, z, next) {
  site.add("pot", new THREE.CylinderGeometry(0.26, 0.19, 0.46, 24), "brick", [x, 0.23, z]);
  site.solid(x - 0.22, z - 0.22, x + 0.22, z + 0.22);
  for (let leaf = 0; leaf < 7; leaf += 1) {
    const made = site.add("leaf", new THREE.SphereGeometry(0.16, 10, 8), "leaf", [
      x + (next() - 0.5) * 0.36, 0.62 + next() * 0.45, z + (next() - 0.5) * 0.36,
    ]);
    made.scale.set(0.9, 1.5, 0.9);
  }
}
