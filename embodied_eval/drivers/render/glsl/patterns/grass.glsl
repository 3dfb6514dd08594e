// Blades seen from above over darker ground.
vec4 pattern(vec2 p) {
    float blade = noise(p * vec2(170, 70), ivec2(170, 70), 191u);
    float cross = noise(p * vec2(60, 160), ivec2(60, 160), 192u);
    float broad = clouds(p, ivec2(4, 4), 193u);
    float tall = max(blade, cross);
    return vec4(0.9 * broad * (1.0 - 0.5 * tall) + 0.1, 0.28 + 0.28 * tall + 0.08 * (broad - 0.5), 0.0, 0.2);
}
