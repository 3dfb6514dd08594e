// A small painting: land in the first colour, sky in the second, a sun, a path of light on water.
vec4 pattern(vec2 p) {
    float brush = clouds(p, ivec2(9, 14), 151u) - 0.5;
    float ragged = 0.012 * (noise(p * 60.0, ivec2(60), 152u) - 0.5);
    vec2 sun = (p - vec2(0.36, 0.70)) * vec2(1.3, 1.0);
    float disc = 1.0 - smoothstep(0.075, 0.085, length(sun) + ragged);
    float far = 0.47 + 0.16 * noise(vec2(p.x * 4.0 + 1.3, 0.0), ivec2(64), 153u) + ragged;
    float mid = 0.36 + 0.14 * noise(vec2(p.x * 3.0 + 7.7, 0.0), ivec2(64), 154u) + ragged;
    float shore = 0.22 + 0.05 * sin(5.0 * p.x) + ragged;
    float r = 0.0, g = 0.44 + 0.12 * p.y + 0.10 * brush, b = 0.12 * (1.0 - p.y);
    if (p.y < far) { r = 0.50; g = 0.44 + 0.10 * brush; b = 0.15; }
    if (p.y < mid) { r = 1.0; g = 0.42 + 0.5 * (p.y - 0.3) + 0.16 * brush; b = 0.0; }
    if (p.y < shore) {
        float glint = step(0.62, noise(vec2(p.x * 12.0, p.y * 70.0), ivec2(128), 155u));
        r = 0.15; g = 0.34 + 0.10 * brush + 0.22 * glint * (1.0 - smoothstep(0.05, 0.2, abs(p.x - 0.36))); b = 0.1;
    }
    if (p.y >= far) { g = mix(g, 0.88, disc); b = mix(b, 0.15, disc); }
    float tree = length((p - vec2(0.76, 0.50)) * vec2(1.0, 0.75)) + 0.05 * brush;
    if (tree < 0.115 || (abs(p.x - 0.76) < 0.012 && p.y > 0.26 && p.y < 0.5)) { r = 1.0; g = 0.26 + 0.25 * brush; b = 0.0; }
    return vec4(1.0 - r, g, b, 0.5);
}
