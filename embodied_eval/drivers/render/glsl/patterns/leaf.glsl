// Overlapping leaves: each cell of a jittered grid holds one, with its own tone, rib and shadow.
vec4 pattern(vec2 p) {
    vec2 q = p * 9.0;
    ivec2 base = ivec2(floor(q));
    float best = -1.0, tone = 0.0, rib = 0.0, inside = 0.0;
    for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++) {
        ivec2 cell = wrap(base + ivec2(i, j), ivec2(9));
        vec2 at = vec2(base + ivec2(i, j)) + 0.2 + 0.6 * vec2(hash(cell, 111u), hash(cell, 112u));
        float angle = 6.2831853 * hash(cell, 113u);
        vec2 d = mat2(cos(angle), sin(angle), -sin(angle), cos(angle)) * (q - at);
        float shape = 1.0 - (abs(d.x) * 1.15 + d.y * d.y * 2.6 + 0.25 * abs(d.y));
        float rank = hash(cell, 114u);
        if (shape > 0.18 && rank > best) {
            best = rank; tone = hash(cell, 115u); inside = shape;
            rib = 1.0 - smoothstep(0.02, 0.05, abs(d.y));
            rib = max(rib, 0.5 * (1.0 - smoothstep(0.03, 0.10, abs(fract(4.0 * (d.x + abs(d.y))) - 0.5))));
        }
    }
    if (best < 0.0) return vec4(0.85, 0.27, 0.0, 0.4);
    float shade = 0.35 + 0.14 * best + 0.08 * smoothstep(0.18, 0.5, inside) + 0.05 * rib;
    return vec4(0.65 * tone, shade, 0.0, 0.9);
}
