// Ripples: a net of bright lines where waves meet.
vec4 pattern(vec2 p) {
    float bend = clouds(p, ivec2(3, 3), 201u);
    float curl = clouds(p.yx, ivec2(4, 4), 202u);
    float a = abs(fract(3.0 * p.x + p.y + 1.4 * bend) - 0.5);
    float b = abs(fract(3.0 * p.y - p.x + 1.4 * curl) - 0.5);
    float net = max(1.0 - 4.0 * a, 1.0 - 4.0 * b);
    net = net > 0.0 ? net * net : 0.0;
    return vec4(0.65 * bend, 0.47 + 0.10 * net + 0.06 * (curl - 0.5), 0.0, 1.0);
}
