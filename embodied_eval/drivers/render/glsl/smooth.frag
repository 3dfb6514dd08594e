// Smooths outlines along their own direction: the method of T. Lottes, "FXAA" (2009), written anew and
// shortened. Runs only where outline.frag found two pieces or faces to meet: patterns stay crisp.
uniform sampler2D picture;
layout(location = 0) out vec4 result;

uniform int steps;   // not a constant: an unrolled search could not end early

float luma(vec3 color) { return dot(color, vec3(0.299, 0.587, 0.114)); }
vec4 fetch(int x, int y) { return texelFetch(picture, ivec2(x, y), 0); }
float luma_at(vec2 at) { return luma(textureLod(picture, at, 0.0).rgb); }

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    ivec2 last = textureSize(picture, 0) - 1;
    ivec2 low = max(pixel - 1, ivec2(0));
    ivec2 high = min(pixel + 1, last);
    vec4 center = fetch(pixel.x, pixel.y);
    vec4 north = fetch(pixel.x, low.y);
    vec4 south = fetch(pixel.x, high.y);
    vec4 west = fetch(low.x, pixel.y);
    vec4 east = fetch(high.x, pixel.y);
    float m = luma(center.rgb), n = luma(north.rgb), s = luma(south.rgb), w = luma(west.rgb), e = luma(east.rgb);
    float range = max(m, max(max(n, s), max(w, e))) - min(m, min(min(n, s), min(w, e)));
    float nw = luma(fetch(low.x, low.y).rgb);
    float se = luma(fetch(high.x, high.y).rgb);
    float ne = luma(fetch(high.x, low.y).rgb);
    float sw = luma(fetch(low.x, high.y).rgb);
    float across = abs(nw + ne - 2.0 * n) + 2.0 * abs(w + e - 2.0 * m) + abs(sw + se - 2.0 * s);
    float along = abs(nw + sw - 2.0 * w) + 2.0 * abs(n + s - 2.0 * m) + abs(ne + se - 2.0 * e);
    bool level = along >= across;             // the edge runs left to right
    float before = level ? n : w;
    float after = level ? s : e;
    bool to_before = abs(before - m) >= abs(after - m);
    float side = to_before ? -1.0 : 1.0;
    float other = to_before ? before : after;
    float slope = 0.25 * abs(other - m);
    float middle = 0.5 * (m + other);
    vec2 texel = 1.0 / vec2(textureSize(picture, 0));
    vec2 normal = (level ? vec2(0.0, side) : vec2(side, 0.0)) * texel;
    vec2 tangent = (level ? vec2(1.0, 0.0) : vec2(0.0, 1.0)) * texel;
    vec2 at = gl_FragCoord.xy * texel;
    vec2 on_edge = at + 0.5 * normal;
    float go_back = 0.0, go_on = 0.0, end_back = 0.0, end_on = 0.0;
    bool done_back = false, done_on = false;
    for (int i = 0; i < steps && !(done_back && done_on); i++) {
        float stride = i < 3 ? 1.0 : 0.8 * float(i);
        if (!done_back) {
            go_back += stride;
            end_back = luma_at(on_edge - go_back * tangent) - middle;
            done_back = abs(end_back) >= slope;
        }
        if (!done_on) {
            go_on += stride;
            end_on = luma_at(on_edge + go_on * tangent) - middle;
            done_on = abs(end_on) >= slope;
        }
    }
    float nearest = min(go_back, go_on);
    float end = go_back < go_on ? end_back : end_on;
    float shift = (end < 0.0) != (m - middle < 0.0) ? 0.5 - nearest / (go_back + go_on) : 0.0;
    float mean = (2.0 * (n + s + w + e) + nw + ne + sw + se) / 12.0;
    float speck = clamp(abs(mean - m) / max(range, 1e-4), 0.0, 1.0);
    speck = smoothstep(0.0, 1.0, speck);
    shift = max(shift, 0.6 * speck * speck);
    result = vec4(textureLod(picture, at + shift * normal, 0.0).rgb, 1.0);
}
