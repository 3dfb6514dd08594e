// What a picture of one size is drawn into; the same layout as `render/targets.py`.
import {
    DepthTexture,
    FloatType,
    LinearFilter,
    NearestFilter,
    RedFormat,
    RedIntegerFormat,
    RGBAFormat,
    RGBAIntegerFormat,
    RGFormat,
    ShortType,
    UnsignedByteType,
    UnsignedIntType,
    WebGLRenderTarget,
} from "three";

function target(width, height, format, type, options = {}) {
    return new WebGLRenderTarget(width, height, {
        format,
        type,
        minFilter: NearestFilter,
        magFilter: NearestFilter,
        generateMipmaps: false,
        depthBuffer: false,
        ...options,
    });
}

/** `scene` holds surface, place and facing (see `glsl/scene.frag`), `half` what light reaches a point, at half size,
 * `tiles` which lamps reach a tile, `lit` the shaded picture, `final` the smoothed one, `mask` ids alone. */
export class Targets {
    constructor(width, height, tile) {
        this.scene = target(width, height, RGBAFormat, UnsignedByteType, { count: 3, depthBuffer: true });
        const [surface, place, facing] = this.scene.textures;
        Object.assign(place, { format: RGFormat, type: FloatType });
        Object.assign(facing, { format: RGBAIntegerFormat, type: ShortType });
        this.half = target((width + 1) >> 1, (height + 1) >> 1, RGBAFormat, FloatType);
        this.tiles = target(Math.ceil(width / tile), Math.ceil(height / tile), RedIntegerFormat, UnsignedIntType);
        this.lit = target(width, height, RGBAFormat, UnsignedByteType, {
            minFilter: LinearFilter,
            magFilter: LinearFilter,
        });
        this.final = target(width, height, RGBAFormat, UnsignedByteType, { depthBuffer: true });
        this.mask = target(width, height, RGBAFormat, UnsignedByteType, { depthBuffer: true });
        this.textures = {
            surface,
            place,
            facing,
            visibility: this.half.texture,
            reached: this.tiles.texture,
            picture: this.lit.texture,
        };
    }

    dispose() {
        for (const item of [this.scene, this.half, this.tiles, this.lit, this.final, this.mask]) item.dispose();
    }
}

/** The sun's depth, `side` pixels square; colour is never written. */
export function shadowTarget(side) {
    const depthTexture = new DepthTexture(side, side, UnsignedIntType);
    depthTexture.minFilter = depthTexture.magFilter = NearestFilter;
    return target(side, side, RedFormat, UnsignedByteType, { depthBuffer: true, depthTexture });
}
