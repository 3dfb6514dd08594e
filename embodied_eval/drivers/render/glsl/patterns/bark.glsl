// Ridges along v, broken by cracks.
vec4 pattern(vec2 p) {
    float wander = clouds(p, ivec2(3, 4), 121u);
    float ridge = abs(fract(p.x * 9.0 + 1.6 * wander) - 0.5) * 2.0;
    float crack = noise(p * vec2(14, 22), ivec2(14, 22), 122u);
    float grain = noise(p * vec2(120, 30), ivec2(120, 30), 123u);
    float depth = smoothstep(0.15, 0.7, ridge - 0.35 * smoothstep(0.6, 0.8, crack));
    return vec4(0.9 - 0.8 * depth + 0.2 * grain, 0.28 + 0.24 * depth + 0.08 * (grain - 0.5), 0.0, 0.5);
}
