// Cast concrete: clouds, stains, small pores.
vec4 pattern(vec2 p) {
    float broad = clouds(p, ivec2(3, 3), 181u);
    float stain = clouds(p, ivec2(6, 2), 182u);
    float grit = noise(p * 190.0, ivec2(190), 183u);
    float pore = smoothstep(0.86, 0.92, noise(p * 64.0, ivec2(64), 184u));
    float shade = 0.5 + 0.10 * (broad - 0.5) + 0.05 * (grit - 0.5) - 0.14 * pore;
    return vec4(0.8 * smoothstep(0.42, 0.75, stain), shade, 0.0, 0.8);
}
