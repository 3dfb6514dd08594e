// How much of the near surroundings hides the ambient light, at half size. After McGuire et al.,
// "The Alchemy Screen-Space Ambient Obscurance Algorithm" (2011), eq. 10; constants are ours.
uniform sampler2D place;
uniform isampler2D facing;
uniform vec3 forward;
uniform vec3 right;   // scaled by tan(half the horizontal view)
uniform vec3 up;      // scaled by tan(half the vertical view)
layout(location = 0) out vec2 result;   // open share, 1 / depth

const float RADIUS_M = 0.45;
const int TAPS = 6;

void main() {
    ivec2 size = textureSize(place, 0);
    ivec2 pixel = min(ivec2(gl_FragCoord.xy) * 2, size - 1);
    float near = texelFetch(place, pixel, 0).r;
    result = vec2(1.0, near);
    float depth = 1.0 / max(near, 1e-6);
    vec2 to_ray = 2.0 / vec2(size);
    vec2 at = (vec2(pixel) + 0.5) * to_ray - 1.0;
    vec3 here = (forward + at.x * right - at.y * up) * depth;
    vec3 n = vec3(texelFetch(facing, pixel, 0).xyz) / 32767.0;
    float reach = clamp(RADIUS_M * near / length(right) * 0.5 * float(size.x), 3.0, 0.25 * float(size.x));
    ivec2 cell = ivec2(gl_FragCoord.xy) & 1;
    float turn = float(cell.x + 2 * (cell.y ^ cell.x)) * 0.7854 + 0.4;
    int taps = near > 0.02 ? TAPS : 0;
    float hidden = 0.0;
    for (int i = 0; i < taps; i++) {
        float share = (float(i) + 0.5) / float(TAPS);
        float angle = turn + float(i) * 2.3999632;
        ivec2 other = pixel + ivec2(reach * share * vec2(cos(angle), sin(angle)));
        other = clamp(other, ivec2(0), size - 1);
        float far = texelFetch(place, other, 0).r;
        vec2 there_at = (vec2(other) + 0.5) * to_ray - 1.0;
        vec3 there = (forward + there_at.x * right - there_at.y * up) / max(far, 1e-6);
        vec3 step = there - here;
        float d2 = dot(step, step);
        hidden += max(0.0, dot(step, n) - 0.01 * depth) / (d2 + 0.01) * max(0.0, 1.0 - d2 / (RADIUS_M * RADIUS_M * 4.0));
    }
    result.x = max(0.0, 1.0 - hidden * 0.36 / float(TAPS));
}
