// Grain along u: wandering growth rings cut lengthwise, and fine pores.
vec4 pattern(vec2 p) {
    float wander = clouds(p, ivec2(2, 4), 11u);
    float ring = fract(p.y * 11.0 + 3.0 * wander);
    ring = smoothstep(0.0, 0.75, ring) * (1.0 - smoothstep(0.86, 1.0, ring));
    float streak = noise(p * vec2(6, 150), ivec2(6, 150), 12u);
    float pore = smoothstep(0.80, 0.95, noise(p * vec2(14, 220), ivec2(14, 220), 13u));
    float tone = clouds(p, ivec2(1, 3), 14u);
    float r = 0.12 + 0.42 * ring + 0.22 * streak + 0.18 * (tone - 0.5);
    return vec4(r, 0.5 + 0.03 * (streak - 0.5) - 0.045 * pore, 0.0, 1.0 - 0.25 * pore);
}
