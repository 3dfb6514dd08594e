// Which lamps may reach what a square tile of pixels shows: one bit a lamp, never one too few. All that a tile
// shows lies around its middle ray, between its least and its greatest depth. Ours.
uniform sampler2D place;
uniform vec3 forward;
uniform vec3 right;      // scaled by tan(half the horizontal view)
uniform vec3 up;         // scaled by tan(half the vertical view)
uniform int lamps;
uniform vec4 lamp_at[32];    // relative to the eye, 1 / range
uniform int tile;            // side in pixels; not a constant, or the search would be unrolled
layout(location = 0) out uint result;

void main() {
    ivec2 size = textureSize(place, 0);
    ivec2 first = ivec2(gl_FragCoord.xy) * tile;
    float most = 0.0, least = 1e30;
    for (int y = 0; y < tile; y++) {
        for (int x = 0; x < tile; x++) {
            float near = texelFetch(place, min(first + ivec2(x, y), size - 1), 0).r;
            most = max(most, near);
            least = near > 0.0 ? min(least, near) : least;
        }
    }
    float from = 1.0 / max(most, 1e-6), to = 1.0 / least;
    vec2 middle = (2.0 * vec2(first) + float(tile)) / vec2(size) - 1.0;
    vec3 ray = forward + middle.x * right - middle.y * up;
    float around = (length(right) / float(size.x) + length(up) / float(size.y)) * float(tile) * to + 1e-3;
    uint bits = 0u;
    for (int i = 0; i < lamps; i++) {
        vec3 lamp = lamp_at[i].xyz;
        float along = clamp(dot(lamp, ray) / dot(ray, ray), from, to);
        bool reached = distance(lamp, along * ray) < around + 1.0 / lamp_at[i].w;
        bits |= most > 0.0 && reached ? 1u << uint(i) : 0u;
    }
    result = bits;
}
