// The whole rug: edge, border with diamonds, field with a medallion. Fitted to the face.
float diamond(vec2 q, float size) { return 1.0 - smoothstep(size - 0.03, size + 0.03, abs(q.x) + abs(q.y)); }

vec4 pattern(vec2 p) {
    vec2 c = abs(p - 0.5);
    float side = 0.5 - max(c.x, c.y);
    float weave = noise(p * vec2(220, 220), ivec2(220), 81u) - 0.5;
    float r = 0.0, b = 0.0;
    r = mix(r, 1.0, step(side, 0.018));
    b = step(0.024, side) * step(side, 0.034);
    float band = step(0.040, side) * step(side, 0.125);
    vec2 cell = fract(p * 14.0) - 0.5;
    r = max(r, band * 0.75);
    r -= band * 0.75 * diamond(cell, 0.36);
    b = max(b, band * diamond(cell, 0.15));
    float line = step(0.130, side) * step(side, 0.142);
    r = max(r, line);
    vec2 m = (p - 0.5) * vec2(1.0, 1.25);
    float arm = length(m) + 0.020 * cos(8.0 * atan(m.y, m.x));
    float ring = smoothstep(0.215, 0.222, arm);
    r = mix(0.85, r, ring);
    r = mix(0.05, r, smoothstep(0.165, 0.172, arm));
    b = max(b, 1.0 - smoothstep(0.125, 0.132, arm + 0.02 * cos(8.0 * atan(m.y, m.x))));
    b *= smoothstep(0.055, 0.062, arm);
    r = mix(0.9, r, smoothstep(0.055, 0.062, arm));
    float field = step(0.145, side) * ring;
    vec2 small = fract(p * vec2(11.0, 11.0) + vec2(0.5, 0.0)) - 0.5;
    r = max(r, field * 0.7 * diamond(small, 0.13));
    return vec4(r, 0.47 + 0.13 * weave, 0.75 * b, 0.3);
}
