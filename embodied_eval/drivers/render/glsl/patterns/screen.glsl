// A broadcast: sky, hills, a low sun, and a banner below. Fitted to the face.
vec4 pattern(vec2 p) {
    vec2 sun = (p - vec2(0.68, 0.64)) * vec2(1.7, 1.0);
    float disc = 1.0 - smoothstep(0.105, 0.115, length(sun));
    float halo = exp(-7.0 * length(sun));
    float far = 0.50 + 0.10 * noise(vec2(p.x * 5.0, 0.0), ivec2(64), 141u) + 0.05 * sin(9.0 * p.x);
    float near = 0.34 + 0.13 * noise(vec2(p.x * 4.0, 0.0), ivec2(64), 142u);
    float hill = step(p.y, far), hill2 = step(p.y, near);
    float r = mix(0.15, 0.75, hill), g = mix(0.42 + 0.12 * p.y + 0.25 * halo, 0.34, hill), b = 0.0;
    r = mix(r, 1.0, hill2);
    g = mix(g, 0.22 + 0.3 * p.y, hill2);
    g = mix(g, 0.9, disc * (1.0 - hill));
    b = 0.35 * (1.0 - hill) * (1.0 - p.y) + 0.3 * disc * (1.0 - hill);
    float banner = step(0.06, p.y) * step(p.y, 0.19) * step(0.06, p.x) * step(p.x, 0.94);
    float word = step(0.35, noise(vec2(p.x * 26.0, floor(p.y * 18.0) * 3.0), ivec2(64), 143u));
    float text = banner * word * step(0.25, fract(p.y * 18.0)) * step(fract(p.y * 18.0), 0.8) * step(0.1, p.x) * step(p.x, 0.86);
    r = mix(r, 0.0, banner);
    b = mix(b, 1.0, banner);
    g = mix(mix(g, 0.28, banner), 0.85, text);
    return vec4(r, g, b, 1.0);
}
