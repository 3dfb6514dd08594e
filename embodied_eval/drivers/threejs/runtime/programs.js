// The package's GLSL, written for desktop OpenGL 4.3, as Three.js materials for WebGL 2.
import { GLSL3, RawShaderMaterial } from "three";

// What GLSL ES 3.00 asks for or lacks. `textureGather` returns its four texels in the order of the standard.
const PRELUDE = `
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp sampler2DArray;
precision highp isampler2D;
precision highp usampler2D;
int findLSB(uint bits) { return int(floatBitsToUint(float(bits & (~bits + 1u))) >> 23) - 127; }
vec4 textureGather(sampler2D map, vec2 at, int component) {
    ivec2 last = textureSize(map, 0) - 1;
    ivec2 low = ivec2(floor(at * vec2(last + 1) - 0.5));
    ivec2 high = min(low + 1, last);
    low = max(low, ivec2(0));
    return vec4(texelFetch(map, ivec2(low.x, high.y), 0)[component], texelFetch(map, high, 0)[component],
                texelFetch(map, ivec2(high.x, low.y), 0)[component], texelFetch(map, low, 0)[component]);
}
`;

/** A material of two GLSL texts; `uniforms` ({name: {value}}) may be shared by all: each takes what it declares. */
export function material(name, vertex, fragment, uniforms, options = {}) {
    const { define, ...rest } = options;
    return new RawShaderMaterial({
        name,
        glslVersion: GLSL3,
        defines: define ? { [define]: "" } : {},
        vertexShader: PRELUDE + vertex,
        fragmentShader: PRELUDE + fragment,
        uniforms,
        ...rest,
    });
}

/** Make a renderer throw where a program of its does not compile, instead of drawing nothing. */
export function throwShaderErrors(renderer) {
    renderer.debug.onShaderError = (gl, program, vertex, fragment) => {
        const said = [gl.getProgramInfoLog(program), gl.getShaderInfoLog(vertex), gl.getShaderInfoLog(fragment)];
        throw new Error(`A shader does not compile here: ${said.filter(Boolean).join(" ")}`);
    };
}
