// A row of spines: widths, heights, colours and label bands differ. u runs along the shelf.
vec4 pattern(vec2 p) {
    float x = p.x * 26.0;
    int slot = int(floor(x));
    float left = float(slot) + (slot == 0 ? 0.0 : 0.55 * hash(ivec2(slot, 0), 211u));
    float next = float(slot + 1) + (slot == 25 ? 0.0 : 0.55 * hash(ivec2(slot + 1, 0), 211u));
    if (x < left) {
        next = left;
        slot -= 1;
        left = float(slot) + (slot == 0 ? 0.0 : 0.55 * hash(ivec2(slot, 0), 211u));
    }
    float across = (x - left) / (next - left);
    float y = fract(p.y);
    float height = 0.76 + 0.20 * hash(ivec2(slot, 1), 212u);
    if (y > height) return vec4(1.0, 0.06, 0.0, 0.0);
    float kind = hash(ivec2(slot, 2), 213u);
    float r = kind < 0.4 ? 0.15 * kind : 1.0 - 0.5 * (kind - 0.4);
    float b = hash(ivec2(slot, 3), 214u) < 0.34 ? 0.9 : 0.12 * kind;
    float tone = hash(ivec2(slot, 4), 215u);
    float round_back = 1.0 - 1.7 * (across - 0.5) * (across - 0.5);
    float shade = (0.32 + 0.22 * tone) * round_back;
    float gap = smoothstep(0.0, 0.05, min(across, 1.0 - across));
    shade *= 0.25 + 0.75 * gap;
    float at = y / height;
    float label = hash(ivec2(slot, 5), 216u);
    float band = label < 0.6 ? step(abs(at - 0.80), 0.015) + step(abs(at - 0.14), 0.015) : step(abs(at - 0.68), 0.09);
    float title = step(abs(across - 0.5), 0.16) * step(abs(at - 0.5), 0.16) * step(0.4, fract(at * 17.0));
    float mark = max(band, (label < 0.6 ? title : 0.0)) * step(0.1, across) * step(across, 0.9);
    return vec4(mix(r, 0.5, mark), mix(shade, 0.78, 0.8 * mark), b * (1.0 - mark), 0.7);
}
