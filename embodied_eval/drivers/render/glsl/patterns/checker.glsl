// Two squares a period each way.
vec4 pattern(vec2 p) {
    vec2 f = fract(p * 2.0);
    bool odd = (f.x < 0.5) != (f.y < 0.5);
    float edge = 1.0 - smoothstep(0.003, 0.010, rim(fract(p * 4.0)));
    float cloud = clouds(p, ivec2(5, 5), 171u) - 0.5;
    return vec4(odd ? 1.0 : 0.0, 0.5 + 0.03 * cloud - 0.04 * edge, 0.0, 1.0 - 0.3 * edge);
}
