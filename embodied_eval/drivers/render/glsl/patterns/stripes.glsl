// Two stripes a period, across u.
vec4 pattern(vec2 p) {
    float f = fract(p.x * 2.0);
    float weave = noise(p * 200.0, ivec2(200), 161u) - 0.5;
    float r = smoothstep(0.245, 0.255, f) - smoothstep(0.745, 0.755, f);
    return vec4(r, 0.5 + 0.03 * weave, 0.0, 1.0);
}
