// Short pile: tufts of slightly different tone, sixteen a period, pressed here and there.
vec4 pattern(vec2 p) {
    float tuft = noise(p * 128.0, ivec2(128), 71u);
    float fine = noise(p * 250.0, ivec2(250), 72u);
    float pressed = clouds(p, ivec2(3, 3), 73u);
    float shade = 0.47 + 0.10 * (tuft - 0.5) + 0.07 * (fine - 0.5) + 0.07 * (pressed - 0.5);
    return vec4(0.5 * smoothstep(0.35, 0.8, tuft), shade, 0.0, 0.3);
}
