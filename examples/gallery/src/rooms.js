// The plan of the house: a hall under a skylight, a room of paintings, a study, a courtyard.
import * as THREE from "three";
import { ceiling, floor, wall } from "./building.js";
import { bench, bookshelf, bust, desk, painting, pendant, plant, rings, stack } from "./exhibits.js";
import { sequence } from "./materials.js";

/** The hall: x -4..4, z -5..5; the visitor starts at its south end. Returns the poet's bust. */
export function hall(site) {
  floor(site, "hall floor", "oak", -4, -5, 4, 5);
  ceiling(site, "hall ceiling", -4, -5, 4, 5, { x0: -1.5, z0: -2.5, x1: 1.5, z1: 1.5 });
  wall(site, "south wall", { axis: "x", at: 5, from: -4.12, to: 4.12 });
  wall(site, "north wall", { axis: "x", at: -5, from: -4.12, to: 4.12, openings: [{ from: -1.2, to: 1.2, height: 2.6 }] });
  wall(site, "east wall", { axis: "z", at: 4, from: -5, to: 5, openings: [{ from: -2.6, to: -0.8, height: 2.4 }] });
  wall(site, "west wall", { axis: "z", at: -4, from: -5, to: 5, openings: [{ from: 1.0, to: 2.0, height: 2.2 }] });
  site.box("entrance door", [1.8, 2.4, 0.06], "walnut", [0, 1.2, 4.86]);
  rings(site, 0, -0.5);
  stack(site, 2.9, 2.4);
  const poet = bust(site, "bust of a poet", -2.7, -2.6, "bronze");
  bust(site, "bust of a smith", 2.7, -3.9, "marble");
  bench(site, 1.9, 4.5);
  painting(site, 11, -3.87, -0.8, 90, 1.3, 0.9);
  painting(site, 12, 3.87, 0.9, -90, 1.0, 0.8);
  painting(site, 13, -2.6, 4.87, 180);
  for (const [x, z] of [[-2.6, 2.6], [2.6, -2.6]]) pendant(site, x, z);
  const next = sequence(21);
  plant(site, -3.5, 4.5, next);
  plant(site, 3.5, 4.5, next);
  return poet;
}

/** The room of paintings: x 4..11, z -5..2. */
export function paintings(site) {
  floor(site, "paintings floor", "oak", 4, -5, 11, 2);
  ceiling(site, "paintings ceiling", 4, -5, 11, 2);
  wall(site, "paintings north wall", { axis: "x", at: -5, from: 4.12, to: 11.12, material: "blue" });
  wall(site, "paintings south wall", { axis: "x", at: 2, from: 4.12, to: 11.12, material: "blue" });
  wall(site, "paintings east wall", { axis: "z", at: 11, from: -4.88, to: 1.88, material: "blue" });
  [5.4, 7.5, 9.6].forEach((x, at) => {
    painting(site, 31 + at, x, -4.87, 0);
    painting(site, 41 + at, x, 1.87, 180);
  });
  painting(site, 51, 10.87, -1.5, -90, 2.0, 1.3);
  bench(site, 7.5, -1.5, true);
  pendant(site, 6.0, -1.5);
  pendant(site, 9.0, -1.5);
  stack(site, 10.3, 1.2);
}

/** The study: x -10..-4, z -2..5. Returns its door, which turns about a hinge. */
export function study(site) {
  floor(site, "study floor", "oak", -10, -2, -4, 5);
  ceiling(site, "study ceiling", -10, -2, -4, 5);
  wall(site, "study north wall", { axis: "x", at: -2, from: -10.12, to: -4.12, material: "green" });
  wall(site, "study south wall", { axis: "x", at: 5, from: -10.12, to: -4.12, material: "green" });
  wall(site, "study west wall", { axis: "z", at: -10, from: -1.88, to: 4.88, material: "green" });
  const next = sequence(61);
  bookshelf(site, -9.88, 0.2, next);
  bookshelf(site, -9.88, 3.0, next);
  desk(site, -8.2, 1.6);
  pendant(site, -7, 1.5);
  painting(site, 71, -7, -1.87, 0, 1.4, 0.9);
  plant(site, -4.6, 4.4, next);
  const hinge = new THREE.Group();
  hinge.name = "study door";
  hinge.position.set(-4, 0, 1.05);
  site.scene.add(hinge);
  site.box("study door leaf", [0.05, 2.15, 0.9], "pine", [0, 1.08, 0.45], { parent: hinge });
  site.add("study door knob", new THREE.SphereGeometry(0.04, 16, 12), "gold", [0.06, 1.0, 0.8], hinge);
  site.add("study door knob", new THREE.SphereGeometry(0.04, 16, 12), "gold", [-0.06, 1.0, 0.8], hinge);
  return { hinge, solid: site.solid(-4.03, 1.05, -3.97, 1.95), open: false, amount: 0 };
}

/** The courtyard: x -7..7, z -17..-5, under the sky. */
export function courtyard(site) {
  floor(site, "courtyard floor", "stone", -7, -17, 7, -5);
  wall(site, "courtyard west wall", { axis: "z", at: -7, from: -17, to: -5.12, height: 2.8, material: "brick" });
  wall(site, "courtyard east wall", { axis: "z", at: 7, from: -17, to: -5.12, height: 2.8, material: "brick" });
  wall(site, "courtyard north wall", { axis: "x", at: -17, from: -7.12, to: 7.12, height: 2.8, material: "brick" });
  wall(site, "house front", { axis: "x", at: -5, from: -7.12, to: -4.12, height: 3.8 });
  wall(site, "house front", { axis: "x", at: -5, from: 11.12, to: 11.3, height: 3.8 });
  site.add("basin", new THREE.CylinderGeometry(1.5, 1.6, 0.5, 40), "stone", [0, 0.25, -11]);
  site.add("water", new THREE.CylinderGeometry(1.3, 1.3, 0.04, 40), "water", [0, 0.49, -11]);
  site.add("fountain", new THREE.CylinderGeometry(0.14, 0.22, 1.1, 20), "stone", [0, 0.8, -11]);
  site.add("fountain bowl", new THREE.CylinderGeometry(0.5, 0.2, 0.2, 28), "stone", [0, 1.4, -11]);
  site.solid(-1.5, -12.5, 1.5, -9.5);
  const next = sequence(81);
  for (const [x, z] of [[-4.6, -8], [4.6, -8], [-4.6, -14], [4.6, -14]]) {
    site.box("lawn", [2.6, 0.06, 2.6], "grass", [x, 0.03, z]);
    tree(site, x, z, next);
  }
  for (const [x, z] of [[-6.2, -5.8], [6.2, -5.8], [-6.2, -16.2], [6.2, -16.2]]) plant(site, x, z, next);
  bench(site, -6.2, -11, true, "pine");
  bench(site, 6.2, -11, true, "pine");
  bench(site, 0, -16.3, false, "pine");
}

function tree(site, x, z, next) {
  site.add("trunk", new THREE.CylinderGeometry(0.12, 0.18, 2.0, 14), "bark", [x, 1.0, z]);
  site.solid(x - 0.16, z - 0.16, x + 0.16, z + 0.16);
  for (let ball = 0; ball < 5; ball += 1) {
    const radius = 0.55 + next() * 0.35;
    site.add("crown", new THREE.IcosahedronGeometry(radius, 2), "leaf", [
      x + (next() - 0.5) * 1.1, 2.3 + next() * 0.9, z + (next() - 0.5) * 1.1,
    ]);
  }
}
