// glTF models in their own looks: what `worlds/meshes.py` makes of them, with their textures.
import {
    BackSide,
    Box3,
    BufferAttribute,
    DoubleSide,
    Matrix3,
    Matrix4,
    SRGBColorSpace,
    Texture,
    Vector3,
} from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { Shape } from "./meshes.js";
import { material } from "./programs.js";

// Ours from glTF's: +z is +x, +x is +y, +y is +z.
const AXES = new Matrix4().set(0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1);
// A side thinner than this share of the longest is flat.
const FLAT_SHARE = 1e-6;
// `in_map` of a vertex that is stretched like an ellipsoid's.
const STRETCHED = [4, 0, 1];

const VERTEX = `
in vec2 in_uv;
in vec3 in_color;
out vec2 own_uv;
out vec3 own_color;
void main() { placed(); own_uv = in_uv; own_color = in_color; }
`;
// Writes what scene.frag writes. Without a tint a row's colours are white and black.
const FRAGMENT = `
flat in uvec4 look;
in vec3 normal;
in vec2 own_uv;
in vec3 own_color;
uniform sampler2D color_map;
uniform sampler2D finish_map;
uniform sampler2D glow_map;
uniform vec3 color;
uniform vec3 glow;
uniform vec2 finish;
uniform float least_alpha;
uniform bool both_sides;
layout(location = 0) out vec4 surface;
layout(location = 1) out vec2 place;
layout(location = 2) out ivec4 facing;

// Display-coded values of linear ones (IEC 61966-2-1): what a material's colours are.
vec3 coded(vec3 linear) {
    return mix(12.92 * linear, 1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, linear));
}

void main() {
    vec4 texel = texture(color_map, own_uv);
    if (texel.a < least_alpha) discard;
    vec3 first = vec3((look.yyy >> uvec3(0u, 8u, 16u)) & 255u) / 255.0;
    bool tinted = (look.y & 0xffffffu) != 0xffffffu || (look.z & 0xffffffu) != 0u;
    vec3 shown = coded(color * texel.rgb * own_color);
    vec3 light = look.z >> 24 > 0u ? glow * texture(glow_map, own_uv).rgb : vec3(0.0);
    float emission = max(light.r, max(light.g, light.b));
    if (emission > 0.0) shown = coded(light / emission);
    vec2 finished = finish * texture(finish_map, own_uv).gb;
    surface = vec4(tinted ? first : shown, sqrt(min(emission, 16.0) / 16.0));
    place = vec2(gl_FragCoord.w, float(look.x));
    int coded = int((look.w >> 16) & 31u) * 1024 + int(finished.x * 63.0 + 0.5) * 16 + int(finished.y * 15.0 + 0.5);
    // Pictures are drawn upside down, which turns front faces into back faces.
    vec3 n = both_sides && gl_FrontFacing ? -normal : normal;
    facing = ivec4(round(normalize(n) * 32767.0), coded);
}
`;

/** The shapes of the model in `glb` (bytes), in a cube of -1 to 1; `forms` makes a material for a pass and a side. */
export async function modelShapes(glb, sceneVertex, uniforms, forms) {
    const { scene } = await new GLTFLoader().parseAsync(glb.buffer, "");
    scene.updateMatrixWorld(true);
    const parts = [];
    scene.traverse((node) => {
        if (node.isMesh) parts.push({ geometry: placed(node), look: node.material });
    });
    fit(parts.map((part) => part.geometry));
    const vertex = `#define main placed\n${sceneVertex}\n#undef main\n${VERTEX}`;
    return parts.map(({ geometry, look }) => {
        const side = look.side === DoubleSide ? DoubleSide : BackSide;
        const own = ownUniforms(look);
        const values = { ...own, to_clip: uniforms.to_clip };
        const drawn = material("model", vertex, FRAGMENT, values, { define: "GEOMETRY", side });
        const passes = { scene: drawn, mask: forms("mask", side), shadow: forms("shadow", side) };
        const textures = [own.color_map, own.finish_map, own.glow_map].map((uniform) => uniform.value);
        return new Shape(geometry.index, attributes(geometry), passes, [drawn, ...textures]);
    });
}

/** The node's triangles in our axes, indexed, with normals. */
function placed(node) {
    const source = node.geometry;
    // Without normals every face is flat (glTF 2.0, 3.7.2.1).
    const geometry = source.attributes.normal || !source.index ? source.clone() : source.toNonIndexed();
    if (!geometry.attributes.normal) geometry.computeVertexNormals();
    if (!geometry.index) geometry.setIndex([...Array(geometry.attributes.position.count).keys()]);
    const matrix = AXES.clone().multiply(node.matrixWorld);
    geometry.applyMatrix4(matrix);
    if (matrix.determinant() < 0) geometry.index.array.reverse();
    return geometry;
}

/** Stretch the geometries together to the cube of -1 to 1. */
function fit(geometries) {
    const box = new Box3();
    const corner = new Vector3();
    for (const { index, attributes } of geometries) {
        for (const at of index.array) box.expandByPoint(corner.fromBufferAttribute(attributes.position, at));
    }
    const extent = box.getSize(new Vector3());
    const middle = box.getCenter(new Vector3());
    const least = FLAT_SHARE * Math.max(...extent.toArray());
    const width = new Vector3(...extent.toArray().map((side) => (side > least ? side : 1)));
    const flat = new Vector3(...extent.toArray().map((side) => (side > least ? 2 : 0)));
    const stretch = new Matrix3().set(width.x, 0, 0, 0, width.y, 0, 0, 0, width.z);
    for (const { attributes } of geometries) {
        const { position, normal } = attributes;
        for (let at = 0; at < position.count; at++) {
            corner.fromBufferAttribute(position, at).sub(middle).divide(width).multiply(flat);
            position.setXYZ(at, ...corner.toArray());
        }
        normal.applyMatrix3(stretch);
        for (let at = 0; at < normal.count; at++) {
            corner.fromBufferAttribute(normal, at).normalize();
            normal.setXYZ(at, ...corner.toArray());
        }
    }
}

function attributes({ attributes: { position, normal, uv, color } }) {
    const filled = (size, value) =>
        new BufferAttribute(Float32Array.from({ length: size * position.count }, (_, at) => value[at % size]), size);
    return {
        in_corner: position,
        in_normal: normal,
        in_map: filled(3, STRETCHED),
        in_uv: uv ?? filled(2, [0, 0]),
        in_color: color ? rgb(color) : filled(3, [1, 1, 1]),
    };
}

function rgb(color) {
    const values = new Float32Array(3 * color.count);
    for (let at = 0; at < color.count; at++) values.set([color.getX(at), color.getY(at), color.getZ(at)], 3 * at);
    return new BufferAttribute(values, 3);
}

function ownUniforms(look) {
    const strength = look.emissiveIntensity ?? 1;
    const glow = look.emissive?.toArray() ?? [0, 0, 0];
    return {
        color: { value: look.color.toArray() },
        color_map: { value: look.map ?? white() },
        finish: { value: [look.roughness ?? 1, look.metalness ?? 0] },
        finish_map: { value: look.roughnessMap ?? white() },
        glow: { value: glow.map((part) => part * strength) },
        glow_map: { value: look.emissiveMap ?? white() },
        least_alpha: { value: look.alphaTest },
        both_sides: { value: look.side === DoubleSide },
    };
}

function white() {
    const texture = new Texture(new ImageData(Uint8ClampedArray.of(255, 255, 255, 255), 1, 1));
    texture.colorSpace = SRGBColorSpace;
    texture.needsUpdate = true;
    return texture;
}
