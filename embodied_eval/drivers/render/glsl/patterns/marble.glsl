// Pale stone with broken veins of two widths in the second colour.
vec4 pattern(vec2 p) {
    float bend = clouds(p, ivec2(3, 3), 91u);
    float curl = clouds(p, ivec2(5, 5), 92u);
    float broad = abs(fract(2.0 * p.x + 1.0 * p.y + 1.3 * bend) - 0.5);
    float thin = abs(fract(3.0 * p.y - 2.0 * p.x + 1.9 * curl) - 0.5);
    float vein = (1.0 - smoothstep(0.0, 0.07, broad)) * smoothstep(0.35, 0.6, curl);
    vein += 0.6 * (1.0 - smoothstep(0.0, 0.035, thin)) * smoothstep(0.4, 0.65, bend);
    float cloud = clouds(p, ivec2(4, 4), 93u);
    return vec4(0.75 * vein + 0.22 * smoothstep(0.4, 0.8, cloud), 0.5, 0.0, 1.0);
}
