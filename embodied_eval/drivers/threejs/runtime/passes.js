// Passes that cover a whole target: light, outlines, baked patterns. One triangle, one material at a time.
import { AlwaysDepth, BufferAttribute, BufferGeometry, Camera, LessDepth, Mesh, Scene } from "three";
import { material } from "./programs.js";

// How each pass uses the depth buffer of its target: "outline" marks pixels in it, "smooth" runs where it did.
const DEPTH = {
    outline: { depthTest: true, depthWrite: true, depthFunc: AlwaysDepth },
    smooth: { depthTest: true, depthWrite: false, depthFunc: LessDepth },
};
const NONE = { depthTest: false, depthWrite: false };

export class Passes {
    /** `texts` holds screen.vert and the fragments by name. */
    constructor(renderer, texts, uniforms) {
        const geometry = new BufferGeometry();
        // screen.vert makes its corners itself; Three.js only wants to know that there are three.
        geometry.setAttribute("position", new BufferAttribute(new Float32Array(9), 3));
        this.renderer = renderer;
        this.vertex = texts["screen.vert"];
        this.texts = texts;
        this.uniforms = uniforms;
        this.triangle = new Mesh(geometry);
        this.triangle.frustumCulled = false;
        this.scene = new Scene();
        this.scene.matrixWorldAutoUpdate = false;
        this.scene.add(this.triangle);
        this.camera = new Camera();
        this.materials = new Map();
    }

    /** Draw the fragment shader called `name` over `target` (of an array target: its `layer`). */
    run(name, target, layer = 0) {
        if (!this.materials.has(name)) this.materials.set(name, this.made(name, this.texts[`${name}.frag`]));
        this.draw(this.materials.get(name), target, layer);
    }

    /** Draw a fragment shader that is needed once. */
    once(name, fragment, target, layer) {
        const used = this.made(name, fragment);
        this.draw(used, target, layer);
        used.dispose();
    }

    made(name, fragment) {
        return material(name, this.vertex, fragment, this.uniforms, DEPTH[name] ?? NONE);
    }

    dispose() {
        for (const used of this.materials.values()) used.dispose();
        this.triangle.geometry.dispose();
    }

    draw(used, target, layer) {
        this.triangle.material = used;
        this.renderer.setRenderTarget(target, layer);
        this.renderer.render(this.scene, this.camera);
    }
}
