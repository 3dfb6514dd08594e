// A page: lines of words in the second colour on a fibrous ground.
vec4 pattern(vec2 p) {
    vec2 q = p * vec2(2.0, 36.0);
    int line = int(floor(q.y));
    float x = fract(q.x);
    float fy = fract(q.y);
    float word = noise(vec2(x * 22.0, float(line) * 3.0), ivec2(22, 108), 131u);
    float height = noise(vec2(x * 90.0, float(line) * 5.0), ivec2(90, 180), 132u);
    float text = step(0.34, word) * step(0.30, fy) * step(fy, 0.55 + 0.2 * height);
    text *= step(0.10, x) * step(x, 0.62 + 0.30 * hash(ivec2(line, 1), 133u));
    float fibre = noise(p * 200.0, ivec2(200), 134u);
    return vec4(0.6 * text, 0.5 + 0.02 * (fibre - 0.5), 0.0, 0.8);
}
