// The procedural patterns, each drawn once into its layer of one array texture with mipmaps.
import { LinearFilter, LinearMipmapLinearFilter, RepeatWrapping, WebGLArrayRenderTarget } from "three";

/** Bake `fragments` (one GLSL text a layer) into squares of `side` pixels; returns the target. */
export function bake(passes, fragments, side) {
    const target = new WebGLArrayRenderTarget(side, side, fragments.length, {
        depthBuffer: false,
        wrapS: RepeatWrapping,
        wrapT: RepeatWrapping,
        magFilter: LinearFilter,
        minFilter: LinearMipmapLinearFilter,
        generateMipmaps: true,
    });
    passes.uniforms.inverse_size = { value: [1 / side, 1 / side] };
    target.texture.mipmapsAutoUpdate = false;
    fragments.forEach((fragment, layer) => {
        target.texture.mipmapsAutoUpdate = layer === fragments.length - 1;
        passes.once(`pattern ${layer}`, fragment, target, layer);
    });
    return target;
}
