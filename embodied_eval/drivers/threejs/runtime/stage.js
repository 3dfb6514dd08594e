// The pictures of the page runtime: what `render/renderer.py` does with moderngl, with Three.js and the same GLSL.
// Python keeps the state and says what to draw (`renderer.py`); every call is complete in itself.
import { BackSide, DoubleSide, REVISION, WebGLRenderer } from "three";
import { firsts, runs, text } from "./bytes.js";
import { Instances } from "./meshes.js";
import { modelShapes } from "./models.js";
import { Passes } from "./passes.js";
import { bake } from "./patterns.js";
import { material, throwShaderErrors } from "./programs.js";
import { shadowTarget, Targets } from "./targets.js";

const KEPT_SIZES = 3;
// Object id + 1 in the bytes of a pixel, so that a mask is read back as it is.
const MASK = `
flat in uvec4 look;
layout(location = 0) out vec4 id;
void main() { id = vec4(uvec4(look.x, look.x >> 8, look.x >> 16, 0u) & 255u) / 255.0; }
`;

export class Stage {
    constructor() {
        const canvas = document.createElement("canvas");
        this.renderer = new WebGLRenderer({ canvas, antialias: false, depth: false, stencil: false });
        this.renderer.autoClear = false;
        this.renderer.sortObjects = false;
        this.gl = this.renderer.getContext();
        throwShaderErrors(this.renderer);
    }

    /** Compile, bake, load. `setup`: texts (GLSL by file name), patterns (a GLSL text a layer), pattern_px, vertices,
     * indices (base64), models ([first index, glb base64]), shadow_px, uniforms (values that never change). Returns
     * what draws. */
    async setUp(setup) {
        this.release();
        this.uniforms = {};
        this.bind({ ...setup.uniforms, to_clip: null });
        this.passes = new Passes(this.renderer, setup.texts, this.uniforms);
        this.targets = new Map();
        this.forms = new Map();
        this.texts = setup.texts;
        const form = (name, side) => this.form(name, side);
        const models = new Map();
        for (const [first, glb] of setup.models) {
            const bytes = Uint8Array.fromBase64(glb);
            models.set(first, await modelShapes(bytes, setup.texts["scene.vert"], this.uniforms, form));
        }
        this.instances = new Instances(this.renderer, {
            vertices: setup.vertices,
            indices: setup.indices,
            forms: { scene: form("scene", BackSide), mask: form("mask", BackSide), shadow: form("shadow") },
            models,
            ownLayer: setup.patterns.length,
        });
        this.shadow = shadowTarget(setup.shadow_px);
        this.patterns = bake(this.passes, setup.patterns, setup.pattern_px);
        this.bind({ patterns: this.patterns.texture, shadow: this.shadow.depthTexture });
        this.clearShadow();
        const { gl } = this;
        const info = gl.getExtension("WEBGL_debug_renderer_info");
        return `${gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER)}; three r${REVISION}`;
    }

    /** Free what the last `setUp` made. */
    release() {
        if (!this.instances) return;
        const held = [this.passes, this.instances, this.shadow, this.patterns];
        for (const item of [...held, ...this.targets.values(), ...this.forms.values()]) item.dispose();
        this.instances = null;
    }

    /** The material of a pass over solids; every caster throws its shadow with both sides. */
    form(name, side) {
        const key = name === "shadow" ? name : `${name} ${side}`;
        if (!this.forms.has(key)) {
            const [define, fragment, options] = {
                scene: ["GEOMETRY", this.texts["scene.frag"], { side }],
                mask: ["MASK", MASK, { side }],
                shadow: ["SHADOW", this.texts["shadow.frag"], { side: DoubleSide, colorWrite: false }],
            }[name];
            const vertex = this.texts["scene.vert"];
            this.forms.set(key, material(key, vertex, fragment, this.uniforms, { define, ...options }));
        }
        return this.forms.get(key);
    }

    /** One picture. `request`: size [w, h], scene (a list), shadow (a list, or null to keep the map), light (uniforms,
     * or null for no colours), want (modalities). Returns base64 by modality, row 0 the top: rgb bytes, depth float32
     * (its inverse), mask uint32 (runs of id + 1: value, length) and normals int16 (in 32767ths). */
    render(request) {
        const targets = this.sized(request.size);
        this.bind(targets.textures);
        this.geometry(request.scene, targets.scene);
        if (request.light) this.shade(request, targets);
        return this.read(request.want, targets);
    }

    /** How the objects in `request.ids` show: [id, pixels, x0, y0, x1, y1] of each that does. */
    shown(request) {
        const [width] = request.size;
        const wanted = new Map(request.ids.map((id) => [id + 1, [id, 0, Infinity, Infinity, 0, 0]]));
        const ids = this.masked(request);
        for (let at = 0; at < ids.length; ) {
            const id = ids[at];
            const start = at;
            const end = at - (at % width) + width;
            while (at < end && ids[at] === id) at++;
            const found = wanted.get(id);
            if (!found) continue;
            const left = start % width;
            const row = (start - left) / width;
            found[1] += at - start;
            found[2] = Math.min(found[2], left);
            found[3] = Math.min(found[3], row);
            found[4] = Math.max(found[4], left + at - start);
            found[5] = Math.max(found[5], row + 1);
        }
        return [...wanted.values()].filter(([, pixels]) => pixels > 0);
    }

    /** The mask alone, as `render` gives it. */
    ids(request) {
        return text(runs(this.masked(request)));
    }

    masked(request) {
        const { mask } = this.sized(request.size);
        const { renderer } = this;
        renderer.setRenderTarget(mask);
        renderer.setClearColor(0x000000, 0);
        renderer.clear(true, true, false);
        this.list("mask", request.scene, mask);
        return new Uint32Array(this.pixels(mask, 0, this.gl.RGBA, this.gl.UNSIGNED_BYTE, Uint8Array).buffer);
    }

    geometry(list, target) {
        const { gl, renderer } = this;
        renderer.setRenderTarget(target);
        renderer.clear(false, true, false);
        renderer.state.buffers.color.setMask(true);
        // By hand: Three.js clears all colours of a target in one call, which integers do not allow.
        gl.clearBufferfv(gl.COLOR, 0, [0, 0, 0, 0]);
        gl.clearBufferfv(gl.COLOR, 1, [0, 0, 0, 0]);
        gl.clearBufferiv(gl.COLOR, 2, [0, 0, 0, 0]);
        this.list("scene", list, target);
    }

    shade(request, targets) {
        if (request.shadow) {
            this.clearShadow();
            this.list("shadow", request.shadow, this.shadow);
        }
        this.bind(request.light);
        this.passes.run("visibility", targets.half);
        if (request.light.lamps) this.passes.run("reach", targets.tiles);
        this.passes.run("shade", targets.lit);
        this.passes.run("outline", targets.final);
        this.passes.run("smooth", targets.final);
    }

    clearShadow() {
        this.renderer.setRenderTarget(this.shadow);
        this.renderer.clear(false, true, false);
    }

    list(form, list, target) {
        this.uniforms.to_clip.value = list.to_clip;
        if (list.batches.length) this.instances.draw(list, form, target);
    }

    read(want, targets) {
        const { gl } = this;
        const found = {};
        if (want.includes("rgb")) {
            const colors = this.pixels(targets.final, 0, gl.RGBA, gl.UNSIGNED_BYTE, Uint8Array);
            found.rgb = text(firsts(colors, 3));
        }
        if (want.includes("depth") || want.includes("mask")) {
            const place = this.pixels(targets.scene, 1, gl.RGBA, gl.FLOAT, Float32Array);
            if (want.includes("depth")) found.depth = text(firsts(place, 1));
            if (want.includes("mask")) found.mask = text(runs(firsts(place.subarray(1), 1)));
        }
        if (want.includes("normals")) {
            const facing = this.pixels(targets.scene, 2, gl.RGBA_INTEGER, gl.INT, Int32Array);
            found.normals = text(Int16Array.from(firsts(facing, 3)));
        }
        return found;
    }

    pixels(target, attachment, format, type, Kind) {
        const { gl, renderer } = this;
        renderer.setRenderTarget(target);
        gl.readBuffer(gl.COLOR_ATTACHMENT0 + attachment);
        const pixels = new Kind(target.width * target.height * 4);
        gl.readPixels(0, 0, target.width, target.height, format, type, pixels);
        if (gl.isContextLost()) throw new Error("The page lost its WebGL context.");
        return pixels;
    }

    sized([width, height]) {
        const key = `${width}x${height}`;
        if (!this.targets.has(key)) {
            for (const old of [...this.targets.keys()].slice(0, -(KEPT_SIZES - 1))) {
                this.targets.get(old).dispose();
                this.targets.delete(old);
            }
            const made = new Targets(width, height, this.uniforms.tile.value);
            // Without lamps nothing is drawn into it, but it is bound all the same.
            this.renderer.initRenderTarget(made.tiles);
            this.targets.set(key, made);
        }
        return this.targets.get(key);
    }

    /** Give uniforms these values, by name. */
    bind(values) {
        for (const [name, value] of Object.entries(values)) {
            // Materials share the object of a uniform, so a value is put in and the object stays.
            (this.uniforms[name] ??= { value }).value = value;
        }
    }
}
