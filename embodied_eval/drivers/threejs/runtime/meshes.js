// Instanced solids and models. Every solid at every level of detail is in one vertex and one index array; Python's
// lists (`render/drawlist.py`) say which of them to draw where, so that both renderers draw the same.
import {
    BufferAttribute,
    Camera,
    DynamicDrawUsage,
    InstancedBufferGeometry,
    InstancedInterleavedBuffer,
    InterleavedBuffer,
    InterleavedBufferAttribute,
    Mesh,
    Scene,
} from "three";
import { floats, words } from "./bytes.js";

const VERTEX = { in_corner: [3, 0], in_normal: [3, 3], in_map: [3, 6] };
const VERTEX_WORDS = 9;
// A row of `render/instances.py`: [components, first word]. The packed look is read as integers.
const ROW = {
    i_row0: [4, 0],
    i_row1: [4, 4],
    i_row2: [4, 8],
    i_half: [4, 12],
    i_repeat: [4, 16],
    i_taper: [1, 19],
    i_offset: [4, 20],
    i_look: [4, 24],
};
const ROW_WORDS = 28;
const BATCH_WORDS = 4;
// Where a row's look holds the layer of its pattern: the highest byte of this word.
const LAYER_WORD = 25;

/** A shape with vertices of its own, drawn as often as a list asks for. `forms` is its material in each pass, `owned`
 * what nobody else uses. */
export class Shape {
    constructor(index, attributes, forms, owned = []) {
        this.index = index;
        this.attributes = attributes;
        this.forms = forms;
        this.owned = owned;
        this.meshes = [];
        this.used = 0;
    }

    /** The next mesh of this shape that is not in use. */
    next() {
        if (this.used === this.meshes.length) {
            const geometry = new InstancedBufferGeometry();
            geometry.setIndex(this.index);
            for (const [name, attribute] of Object.entries(this.attributes)) geometry.setAttribute(name, attribute);
            this.meshes.push(new Mesh(geometry));
            this.meshes.at(-1).frustumCulled = false;
        }
        return this.meshes[this.used++];
    }

    /** Let go of the meshes, and with them of their buffers on the GPU, which come back when they are needed. */
    forget() {
        for (const mesh of this.meshes) mesh.geometry.dispose();
        this.meshes = [];
    }

    /** Free what is this shape's alone. */
    dispose() {
        this.forget();
        for (const item of this.owned) item.dispose();
    }
}

export class Instances {
    /** `vertices` float32 (n, 9) and `indices` uint32 of the solids, base64; `models` a Map from a model's first index
     * to the shapes it has in its own looks, which a row asks for by the pattern `ownLayer`. */
    constructor(renderer, { vertices, indices, forms, models, ownLayer }) {
        const buffer = new InterleavedBuffer(floats(vertices), VERTEX_WORDS);
        const corners = Object.entries(VERTEX).map(([name, [size, at]]) => [
            name,
            new InterleavedBufferAttribute(buffer, size, at),
        ]);
        this.renderer = renderer;
        this.solids = new Shape(new BufferAttribute(words(indices), 1), Object.fromEntries(corners), forms);
        this.models = models;
        this.ownLayer = ownLayer;
        this.shapes = [this.solids, ...[...models.values()].flat()];
        this.scene = new Scene();
        this.scene.matrixWorldAutoUpdate = false;
        this.camera = new Camera();
        this.reserve(1024);
    }

    /** Room for `rows` instances. */
    reserve(rows) {
        for (const shape of this.shapes) shape.forget();
        const bytes = new ArrayBuffer(rows * ROW_WORDS * 4);
        this.bytes = new Uint8Array(bytes);
        this.room = rows;
        this.values = new InstancedInterleavedBuffer(new Float32Array(bytes), ROW_WORDS);
        this.looks = new InstancedInterleavedBuffer(new Uint32Array(bytes), ROW_WORDS);
        // Written anew for every pass.
        for (const buffer of [this.values, this.looks]) buffer.setUsage(DynamicDrawUsage);
    }

    dispose() {
        for (const shape of this.shapes) shape.dispose();
    }

    /** Draw `list` ({rows: base64, batches: [indices, instances, first index, first row, ...]}) into `target`. */
    draw(list, form, target) {
        this.upload(Uint8Array.fromBase64(list.rows));
        for (const shape of this.shapes) shape.used = 0;
        this.scene.clear();
        for (let at = 0; at < list.batches.length; at += BATCH_WORDS) {
            this.batch(form, ...list.batches.slice(at, at + BATCH_WORDS));
        }
        this.renderer.setRenderTarget(target);
        this.renderer.render(this.scene, this.camera);
    }

    upload(rows) {
        const count = rows.length / 4 / ROW_WORDS;
        if (count > this.room) this.reserve(2 * count);
        this.bytes.set(rows);
        for (const buffer of [this.values, this.looks]) {
            buffer.clearUpdateRanges();
            buffer.addUpdateRange(0, count * ROW_WORDS);
            buffer.needsUpdate = true;
        }
    }

    batch(form, indices, instances, firstIndex, firstRow) {
        const model = this.models.get(firstIndex);
        const end = firstRow + instances;
        for (let row = firstRow; row < end; ) {
            const start = row;
            const own = model !== undefined && this.isOwn(row);
            while (row < end && (model === undefined || this.isOwn(row) === own)) row++;
            if (own) for (const shape of model) this.place(shape, form, 0, shape.index.count, start, row - start);
            else this.place(this.solids, form, firstIndex, indices, start, row - start);
        }
    }

    isOwn(row) {
        return this.looks.array[row * ROW_WORDS + LAYER_WORD] >>> 24 === this.ownLayer;
    }

    place(shape, form, firstIndex, indices, firstRow, instances) {
        const mesh = shape.next();
        mesh.material = shape.forms[form];
        mesh.geometry.setDrawRange(firstIndex, indices);
        mesh.geometry.instanceCount = instances;
        for (const [name, [size, at]] of Object.entries(ROW)) {
            const buffer = name === "i_look" ? this.looks : this.values;
            // A new attribute each time: Three.js does not notice that one begins elsewhere in its buffer.
            const attribute = new InterleavedBufferAttribute(buffer, size, firstRow * ROW_WORDS + at);
            mesh.geometry.setAttribute(name, attribute);
        }
        this.scene.add(mesh);
    }
}
