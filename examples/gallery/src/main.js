// A small gallery to walk through: the scene, its light, and what happens each frame.
import * as THREE from "three";
import { makeSite } from "./building.js";
import { materials } from "./materials.js";
import { courtyard, hall, paintings, study } from "./rooms.js";
import { visitor } from "./walk.js";

const REACH = 2.2;

function light(scene) {
  scene.background = new THREE.Color(0x9cc3e6);
  scene.add(new THREE.HemisphereLight(0xf2f4f6, 0xcdbfa8, 2.1));
  const sun = new THREE.DirectionalLight(0xfff0d8, 2.4);
  sun.position.set(9, 22, 7);
  sun.target.position.set(0, 0, -5);
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  Object.assign(sun.shadow.camera, { left: -15, right: 15, top: 15, bottom: -15, near: 2, far: 50 });
  sun.shadow.normalBias = 0.03;
  // Nothing but a door moves here: the shadows are drawn again only when one does.
  sun.shadow.autoUpdate = false;
  sun.shadow.needsUpdate = true;
  scene.add(sun, sun.target);
  return sun;
}

/** Swing the door while it is on its way; true while it moves. */
function swing(door, seconds, walker) {
  const goal = door.open ? 1 : 0;
  if (door.amount === goal) return false;
  const step = Math.sign(goal - door.amount) * Math.min(seconds / 0.8, Math.abs(goal - door.amount));
  door.amount += step;
  door.hinge.rotation.y = -door.amount * 1.7;
  const closed = { x0: -4.03, z0: 1.05, x1: -3.97, z1: 1.95 };
  Object.assign(door.solid, door.amount > 0.1 ? { x0: -4.9, z0: 1.0, x1: -4.1, z1: 1.06 } : closed);
  if (!walker.free(walker.state.x, walker.state.z)) Object.assign(door.solid, { x0: 99, z0: 99, x1: 99, z1: 99 });
  return true;
}

/**
 * What tidies up whatever has left the view, to save memory. The fault: it forgets to fetch it again, so what
 * one has looked at and turned away from is gone.
 */
function forgetful(camera, thing) {
  const frustum = new THREE.Frustum();
  const matrix = new THREE.Matrix4();
  const bounds = new THREE.Box3().setFromObject(thing);
  let seen = false;
  return () => {
    camera.updateMatrixWorld();
    frustum.setFromProjectionMatrix(matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
    const inView = frustum.intersectsBox(bounds);
    if (seen && !inView) thing.visible = false;
    seen = seen || inView;
  };
}

/** Open the gallery. `fault` "forgotten" plants the one fault of faulty.html. */
export function open({ fault = "" } = {}) {
  const renderer = new THREE.WebGLRenderer({ antialias: true });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = THREE.PCFShadowMap;
  renderer.toneMapping = THREE.ACESFilmicToneMapping;
  document.body.append(renderer.domElement);
  const scene = new THREE.Scene();
  const camera = new THREE.PerspectiveCamera(58.7, 16 / 9, 0.05, 80);
  const fit = () => {
    camera.aspect = innerWidth / innerHeight;
    camera.updateProjectionMatrix();
    renderer.setSize(innerWidth, innerHeight);
  };
  addEventListener("resize", fit);
  fit();

  const sun = light(scene);
  const site = makeSite(scene, materials());
  const poet = hall(site);
  paintings(site);
  const door = study(site);
  courtyard(site);

  const walker = visitor(camera, renderer.domElement, site.solids, 0, 3.6);
  const tidy = fault === "forgotten" ? forgetful(camera, poet) : () => {};
  const ray = new THREE.Raycaster(undefined, undefined, 0, REACH);
  addEventListener("keydown", (event) => {
    if (event.code !== "KeyE") return;
    ray.setFromCamera(new THREE.Vector2(), camera);
    if (ray.intersectObject(door.hinge).length) door.open = !door.open;
  });

  let before = performance.now();
  renderer.setAnimationLoop((now) => {
    const seconds = Math.min(0.05, (now - before) / 1000);
    before = now;
    walker.update(seconds);
    if (swing(door, seconds, walker)) sun.shadow.needsUpdate = true;
    tidy();
    renderer.render(scene, camera);
  });
}
