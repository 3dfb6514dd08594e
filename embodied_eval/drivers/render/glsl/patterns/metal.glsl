// Brushed along u.
vec4 pattern(vec2 p) {
    float hair = noise(p * vec2(4, 240), ivec2(4, 240), 101u);
    float broad = noise(p * vec2(2, 40), ivec2(2, 40), 102u);
    float shade = 0.5 + 0.045 * (hair - 0.5) + 0.035 * (broad - 0.5);
    return vec4(0.25 * hair + 0.15 * broad, shade, 0.0, 0.93 + 0.07 * hair);
}
