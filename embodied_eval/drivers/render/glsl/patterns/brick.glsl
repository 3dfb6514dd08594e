// Four bricks across, twelve courses, mortar in the second colour, lit a little from above.
vec4 pattern(vec2 p) {
    vec2 q = p * vec2(4.0, 12.0);
    int course = int(floor(q.y));
    q.x += 0.5 * float(course & 1);
    ivec2 cell = ivec2(int(floor(q.x)) % 4, course);
    vec2 f = fract(q);
    vec2 d = min(f, 1.0 - f) * vec2(3.0, 1.0);
    float rough = noise(p * vec2(90, 90), ivec2(90), 41u);
    float side = min(d.x, d.y) + 0.04 * (rough - 0.5);
    float mortar = 1.0 - smoothstep(0.05, 0.085, side);
    float tone = hash(cell, 42u);
    float cloud = clouds(p, ivec2(10, 10), 43u);
    float relief = 0.07 * (smoothstep(0.80, 0.93, f.y) - smoothstep(0.2, 0.07, f.y)) * (1.0 - mortar);
    float shade = 0.5 + 0.16 * (tone - 0.5) + 0.12 * (cloud - 0.5) + relief;
    float joint = 0.45 + 0.08 * (rough - 0.5) - 0.05 * smoothstep(0.9, 1.0, f.y);
    return vec4(mix(0.10 * cloud, 1.0, mortar), mix(shade, joint, mortar), 0.0, 1.0);
}
