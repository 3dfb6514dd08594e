// Fourteen rows of boards along u, two boards a row with staggered joints.
vec4 pattern(vec2 p) {
    float y = p.y * 14.0;
    int row = int(floor(y));
    float x = fract(p.x + hash(ivec2(row, 3), 21u));
    float joint = 0.38 + 0.24 * hash(ivec2(row, 5), 22u);
    int board = x < joint ? 0 : 1;
    float along = board == 0 ? x : x - joint;
    float len = board == 0 ? joint : 1.0 - joint;
    float tone = hash(ivec2(row, board), 23u);
    float fy = fract(y);
    float gap = min(min(fy, 1.0 - fy) / 14.0, min(along, len - along));
    float groove = 1.0 - smoothstep(0.0012, 0.0034, gap);
    float lift = smoothstep(0.0, 0.008, gap);
    float streak = noise(vec2(p.x * 10.0 + tone * 7.0, p.y * 200.0), ivec2(64, 200), 24u);
    float wander = noise(vec2(p.x * 4.0, p.y * 12.0 + 31.0 * tone), ivec2(4, 512), 25u);
    float ring = fract(fy * 2.5 + 2.0 * wander + 3.0 * tone);
    ring = smoothstep(0.0, 0.7, ring) * (1.0 - smoothstep(0.85, 1.0, ring));
    float r = 0.55 * tone + 0.25 * ring + 0.25 * streak;
    float shade = mix(0.47, 0.5, lift) + 0.05 * (tone - 0.5);
    return vec4(r, mix(shade, 0.16, groove), 0.0, 1.0 - 0.9 * groove);
}
