// Surfaces of the gallery: colours, and textures painted on a canvas from a fixed sequence of numbers.
import * as THREE from "three";

/** Numbers in 0..1 that are the same at every visit. */
export function sequence(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4294967296;
  };
}

/** A texture painted by `paint(context, size, next)`, repeated every `metres`. */
export function painted(seed, paint, size = 256) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  paint(canvas.getContext("2d"), size, sequence(seed));
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  return texture;
}

function speckled(color, spread) {
  return (context, size, next) => {
    context.fillStyle = color;
    context.fillRect(0, 0, size, size);
    for (let i = 0; i < 2600; i += 1) {
      context.fillStyle = next() < 0.5 ? `rgb(0 0 0 / ${spread}%)` : `rgb(255 255 255 / ${spread}%)`;
      context.fillRect(next() * size, next() * size, 1 + next() * 2, 1 + next() * 2);
    }
  };
}

function planks(context, size, next) {
  const rows = 8;
  for (let row = 0; row < rows; row += 1) {
    const light = 42 + next() * 5;
    context.fillStyle = `hsl(30 40% ${light}%)`;
    context.fillRect(0, (row * size) / rows, size, size / rows);
    context.fillStyle = "rgb(60 35 15 / 45%)";
    context.fillRect(0, (row * size) / rows, size, 1);
    context.fillRect(next() * size, (row * size) / rows, 1, size / rows);
  }
}

function slabs(context, size, next) {
  speckled("#a8a59c", 5)(context, size, next);
  context.fillStyle = "rgb(70 66 58 / 50%)";
  for (const at of [0, size / 2]) {
    context.fillRect(0, at, size, 2);
    context.fillRect(at, 0, 2, size);
  }
}

const plain = (color, roughness = 0.8, metalness = 0) =>
  new THREE.MeshStandardMaterial({ color, roughness, metalness });

/** Every material by name; `metres` is how far a texture reaches before it repeats. */
export function materials() {
  const textured = (seed, paint, metres, roughness = 0.9) => {
    const made = new THREE.MeshStandardMaterial({ map: painted(seed, paint), roughness });
    made.userData.metres = metres;
    return made;
  };
  return {
    oak: textured(1, planks, 1.6, 0.6),
    plaster: textured(2, speckled("#e9e4d8", 3), 2.0),
    blue: textured(3, speckled("#9fb0bd", 3), 2.0),
    green: textured(4, speckled("#8c9c84", 3), 2.0),
    stone: textured(5, slabs, 1.6),
    brick: textured(6, speckled("#b9856a", 6), 1.2),
    grass: textured(7, speckled("#6f8f4e", 7), 1.5),
    white: plain(0xf3efe6, 0.7),
    marble: plain(0xe6e2da, 0.35),
    bronze: plain(0x7d5a34, 0.35, 0.6),
    walnut: plain(0x5d3d26, 0.55),
    pine: plain(0xb98d57, 0.7),
    black: plain(0x26262a, 0.5),
    gold: plain(0xb8923c, 0.35, 0.7),
    leather: plain(0x7a3d2c, 0.6),
    leaf: plain(0x4f7a3f, 0.9),
    bark: plain(0x6b523c, 0.95),
    water: plain(0x3f6f7d, 0.1, 0.2),
    lamp: new THREE.MeshStandardMaterial({ color: 0xfff1d6, emissive: 0xffe2b0, emissiveIntensity: 0.9 }),
  };
}
