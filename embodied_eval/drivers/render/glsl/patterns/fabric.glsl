// Plain weave: warp and weft threads pass over each other in turn, eight threads a period.
vec4 pattern(vec2 p) {
    vec2 q = p * 64.0;
    ivec2 cell = ivec2(floor(q));
    vec2 f = fract(q) - 0.5;
    bool over = ((cell.x + cell.y) & 1) == 0;
    float across = over ? f.x : f.y;
    float along = over ? f.y : f.x;
    float thread = (1.0 - 1.6 * across * across) * (1.0 - 0.8 * along * along);
    float fibre = hash(over ? ivec2(cell.x, 0) : ivec2(1, cell.y), 61u);
    float cloud = clouds(p, ivec2(4, 4), 62u);
    float r = 0.30 * fibre + (over ? 0.0 : 0.22) + 0.2 * (cloud - 0.4);
    return vec4(r, 0.40 + 0.12 * thread + 0.03 * (fibre - 0.5), 0.0, 0.6);
}
