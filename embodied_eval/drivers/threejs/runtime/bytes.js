// Arrays on their way between the page and Python: base64 of their bytes.

export const floats = (text) => new Float32Array(Uint8Array.fromBase64(text).buffer);
export const words = (text) => new Uint32Array(Uint8Array.fromBase64(text).buffer);
export const text = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength).toBase64();

/** The first `kept` of every four values. */
export function firsts(values, kept) {
    const count = Math.ceil(values.length / 4);
    const packed = new values.constructor(count * kept);
    for (let pixel = 0, to = 0; pixel < count; pixel++) {
        for (let part = 0; part < kept; part++) packed[to++] = values[4 * pixel + part];
    }
    return packed;
}

/** Equal neighbours as (value, length) pairs of uint32: a mask in a few kilobytes. */
export function runs(values) {
    const pairs = [];
    for (let at = 0; at < values.length; ) {
        const start = at;
        while (at < values.length && values[at] === values[start]) at++;
        pairs.push(values[start], at - start);
    }
    return Uint32Array.from(pairs);
}
