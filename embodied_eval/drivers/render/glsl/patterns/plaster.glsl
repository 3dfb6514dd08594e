// A trowelled wall: broad clouds and a fine tooth.
vec4 pattern(vec2 p) {
    float broad = clouds(p, ivec2(3, 3), 51u);
    float tooth = noise(p * 170.0, ivec2(170), 52u);
    float stroke = clouds(p.yx, ivec2(10, 4), 53u);
    float shade = 0.5 + 0.020 * (broad - 0.5) + 0.014 * (tooth - 0.5) + 0.016 * (stroke - 0.5);
    return vec4(0.18 * smoothstep(0.45, 0.8, broad), shade, 0.0, 1.0);
}
