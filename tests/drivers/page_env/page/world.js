// A courtyard between four walls of different colours, with pillars where the seed puts them, a lamp that can be
// switched, a pit, and somebody of 0.32 m around and 1.7 m high who walks in it.
import * as THREE from "three";

const RADIUS = 0.32;
const HALF = 9;
const EYE = 1.7;
const START = { x: 0, y: 0, z: 6 };
const PIT = { x: 5, z: -5, half: 1 };
export const SPEED = 5.2;
export const TURN_DEG_S = 120;

export function makeWorld(query) {
  const renderer = new THREE.WebGLRenderer({ antialias: false });
  renderer.setSize(innerWidth, innerHeight);
  document.body.append(renderer.domElement);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0xa8c8e8);
  scene.add(new THREE.HemisphereLight(0xffffff, 0x777777, 2));
  const camera = cameraFor(query);
  camera.rotation.order = "YXZ";

  const solids = [];
  const block = (name, color, x, z, wide, high, deep) => {
    const mesh = new THREE.Mesh(new THREE.BoxGeometry(wide, high, deep), new THREE.MeshLambertMaterial({ color }));
    mesh.position.set(x, high / 2, z);
    mesh.name = name;
    scene.add(mesh);
    solids.push({ x, z, halfX: wide / 2, halfZ: deep / 2 });
    return mesh;
  };
  const ground = new THREE.Mesh(new THREE.PlaneGeometry(2 * HALF, 2 * HALF), new THREE.MeshLambertMaterial({ color: 0x8a8f7a }));
  ground.rotation.x = -Math.PI / 2;
  const pit = new THREE.Mesh(new THREE.PlaneGeometry(2 * PIT.half, 2 * PIT.half), new THREE.MeshBasicMaterial({ color: 0x111111 }));
  pit.rotation.x = -Math.PI / 2;
  pit.position.set(PIT.x, 0.01, PIT.z);
  scene.add(ground, pit);
  block("north wall", 0xb04030, 0, -HALF, 2 * HALF, 3, 0.4);
  block("south wall", 0x30608f, 0, HALF, 2 * HALF, 3, 0.4);
  block("east wall", 0xc0a030, HALF, 0, 0.4, 3, 2 * HALF);
  block("west wall", 0x408040, -HALF, 0, 0.4, 3, 2 * HALF);
  const lamp = block("lamp", 0x333333, 0, 0, 0.6, 2.2, 0.6);

  // Only the seed decides; where chance is left to Math.random, that one does.
  const seed = Number(query.get("seed"));
  let state = seed;
  const chance = () => { state = (state * 1103515245 + 12345) % 2147483648; return state / 2147483648; };
  for (let n = 0; n < 6; n += 1) {
    const [x, z] = [n < 3 ? -4 - 3 * chance() : 4 + 3 * chance(), -1 + 2 * (n % 3) + chance()];
    block(`pillar ${n}`, new THREE.Color().setHSL(Math.random(), 0.5, 0.5), x, z, 0.7, 1 + 2 * chance(), 0.7);
  }

  const body = { ...START, yaw: 0, pitch: 0, fall: 0, respawned: false };
  const isFree = (x, z) => solids.every((one) => Math.abs(x - one.x) > one.halfX + RADIUS || Math.abs(z - one.z) > one.halfZ + RADIUS);
  const stepBody = (seconds, ahead, side) => {
    const parts = 3;
    for (let part = 0; part < parts; part += 1) {
      const length = Math.hypot(ahead, side) || 1;
      const far = (SPEED * seconds) / parts / length;
      const [sin, cos] = [Math.sin(body.yaw), Math.cos(body.yaw)];
      const x = body.x + (-sin * ahead + cos * side) * far;
      const z = body.z + (-cos * ahead - sin * side) * far;
      if (isFree(x, body.z)) body.x = x;
      if (isFree(body.x, z)) body.z = z;
    }
    const isOver = Math.abs(body.x - PIT.x) < PIT.half && Math.abs(body.z - PIT.z) < PIT.half;
    body.fall = isOver || body.y < 0 ? body.fall + 28 * seconds : 0;
    body.y -= body.fall * seconds;
    if (body.y < -3) Object.assign(body, START, { fall: 0, respawned: true });
  };
  const turnBy = (yaw, pitch) => {
    body.yaw += yaw;
    body.pitch = Math.max(-1.3, Math.min(1.3, body.pitch + pitch));
  };
  const operate = () => {
    const isNear = Math.hypot(body.x, body.z) < 3.6;
    if (isNear) lamp.material.color.set(lamp.material.color.getHex() === 0x333333 ? 0xffee99 : 0x333333);
    return isNear ? "lamp" : null;
  };
  const draw = () => {
    camera.position.set(body.x, body.y + EYE, body.z);
    camera.rotation.set(body.pitch, body.yaw, 0);
    renderer.render(scene, camera);
  };
  // Pages differ in where their yaw begins and which way it grows.
  const yawOut = query.get("axes") === "compass" ? (yaw) => 30 - (yaw * 180) / Math.PI : (yaw) => (yaw * 180) / Math.PI;
  const place = () => ({
    pos: [body.x, query.get("pos") === "eye" ? body.y + EYE : body.y, body.z],
    yaw: yawOut(body.yaw),
    pitch: query.get("axes") === "compass" ? (-body.pitch * 180) / Math.PI : (body.pitch * 180) / Math.PI,
  });
  return { body, stepBody, turnBy, operate, draw, place, renderer, seed };
}

// Some pages make their camera's projection themselves: nobody can tell then how it sees.
function cameraFor(query) {
  const usual = new THREE.PerspectiveCamera(72, innerWidth / innerHeight, 0.05, 60);
  if (query.get("camera") !== "own") return usual;
  const own = new THREE.Camera();
  own.projectionMatrix.copy(usual.projectionMatrix);
  own.projectionMatrixInverse.copy(usual.projectionMatrixInverse);
  return own;
}
