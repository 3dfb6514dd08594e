// Integer-hash value noise that repeats after `period` cells.
uint scramble(uint x) {
    x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16;
    return x;
}

float hash(ivec2 cell, uint seed) {
    return float(scramble(uint(cell.x) + scramble(uint(cell.y) + scramble(seed))) >> 8) / 16777216.0;
}

ivec2 wrap(ivec2 cell, ivec2 period) { return ((cell % period) + period) % period; }

float noise(vec2 p, ivec2 period, uint seed) {
    ivec2 cell = ivec2(floor(p));
    vec2 f = p - vec2(cell);
    f = f * f * (3.0 - 2.0 * f);
    float a = hash(wrap(cell, period), seed);
    float b = hash(wrap(cell + ivec2(1, 0), period), seed);
    float c = hash(wrap(cell + ivec2(0, 1), period), seed);
    float d = hash(wrap(cell + ivec2(1, 1), period), seed);
    return mix(mix(a, b, f.x), mix(c, d, f.x), f.y);
}

// Four octaves in 0..1 over the unit square, `cells` of the coarsest across it.
float clouds(vec2 p, ivec2 cells, uint seed) {
    float sum = 0.0, weight = 0.5;
    for (int i = 0; i < 4; i++) {
        sum += weight * noise(p * vec2(cells), cells, seed + uint(i));
        cells *= 2;
        weight *= 0.5;
    }
    return sum / 0.9375;
}

// Distance to the nearest side of a unit cell.
float rim(vec2 f) {
    vec2 d = min(f, 1.0 - f);
    return min(d.x, d.y);
}
