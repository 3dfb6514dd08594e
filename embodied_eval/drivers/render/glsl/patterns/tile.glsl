// Two by two tiles, grout in the second colour, a soft rounded edge.
vec4 pattern(vec2 p) {
    vec2 q = p * 2.0;
    ivec2 cell = ivec2(floor(q));
    float d = rim(fract(q));
    float grout = 1.0 - smoothstep(0.012, 0.020, d);
    float edge = smoothstep(0.014, 0.05, d);
    float tone = hash(cell, 31u) - 0.5;
    float cloud = clouds(p, ivec2(6, 6), 32u) - 0.5;
    float shade = 0.49 + 0.03 * tone + 0.035 * cloud + 0.012 * edge;
    float grit = 0.06 * (noise(p * 180.0, ivec2(180), 33u) - 0.5);
    return vec4(grout, mix(shade, 0.47 + grit, grout), 0.0, 1.0 - 0.95 * grout);
}
