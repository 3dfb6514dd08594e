// What light reaches a point, at half size: the open share of its near surroundings, and of the sun.
// Occlusion after McGuire et al., "The Alchemy Screen-Space Ambient Obscurance Algorithm" (2011), eq. 10;
// constants, the fade with distance and the sun's two rounds of taps are ours.
uniform sampler2D place;
uniform isampler2D facing;
uniform sampler2D shadow;
uniform vec3 forward;
uniform vec3 right;      // scaled by tan(half the horizontal view)
uniform vec3 up;         // scaled by tan(half the vertical view)
uniform vec3 sun_from;   // unit, towards the sun
uniform mat4 to_shadow;  // shadow map coordinates of a point relative to the eye
uniform vec3 bias;       // normal offset in metres, penumbra and depth slack in map units
uniform int penumbra_taps;
layout(location = 0) out vec4 result;   // open share, 1 / depth, sunlit share

const float RADIUS_M = 0.45;
const int TAPS = 6;
const mat2 GOLDEN_TURN = mat2(-0.73736888, 0.67549029, -0.67549029, -0.73736888);   // by 137.508 degrees

float reaches(vec2 texel, float depth) { return step(depth, texelFetch(shadow, ivec2(texel), 0).r); }

float sunlit(vec3 here, vec3 n) {
    vec3 at = (to_shadow * vec4(here + n * bias.x, 1.0)).xyz;
    float depth = min(at.z, 1.0) - bias.z;
    vec2 size = vec2(textureSize(shadow, 0));
    float r = bias.y * size.x;
    float s = 0.45 * r;
    vec2 texel = clamp(at.xy * size, vec2(r + 1.0), size - r - 1.0);
    float lit = reaches(texel, depth)
              + reaches(texel + vec2(-r, 0.0), depth) + reaches(texel + vec2(r, 0.0), depth)
              + reaches(texel + vec2(0.0, -r), depth) + reaches(texel + vec2(0.0, r), depth)
              + reaches(texel + vec2(-s, -s), depth) + reaches(texel + vec2(s, -s), depth)
              + reaches(texel + vec2(-s, s), depth) + reaches(texel + vec2(s, s), depth);
    // Only points in a penumbra take more taps: a loop is what a software rasteriser can skip.
    int more = lit > 0.5 && lit < 8.5 ? penumbra_taps : 0;
    float rest = 0.0;
    vec2 way = r * inversesqrt(float(penumbra_taps)) * vec2(0.87758256, 0.47942554);
    for (int i = 0; i < more; i++) {
        rest += reaches(texel + sqrt(float(i) + 0.5) * way, depth);
        way = GOLDEN_TURN * way;
    }
    return more > 0 ? rest / float(more) : lit / 9.0;
}

void main() {
    ivec2 size = textureSize(place, 0);
    ivec2 pixel = min(ivec2(gl_FragCoord.xy) * 2, size - 1);
    float near = texelFetch(place, pixel, 0).r;
    float depth = 1.0 / max(near, 1e-6);
    vec2 to_ray = 2.0 / vec2(size);
    vec2 at = (vec2(pixel) + 0.5) * to_ray - 1.0;
    vec3 here = (forward + at.x * right - at.y * up) * depth;
    vec3 n = vec3(texelFetch(facing, pixel, 0).xyz) / 32767.0;
    float reach = clamp(RADIUS_M * near / length(right) * 0.5 * float(size.x), 3.0, 0.25 * float(size.x));
    ivec2 cell = ivec2(gl_FragCoord.xy) & 1;
    float turn = float(cell.x + 2 * (cell.y ^ cell.x)) * 0.7854 + 0.4;
    vec2 way = reach / float(TAPS) * vec2(cos(turn), sin(turn));
    float hidden = 0.0;
    for (int i = 0; i < TAPS; i++) {
        ivec2 other = pixel + ivec2((float(i) + 0.5) * way);
        way = GOLDEN_TURN * way;
        other = clamp(other, ivec2(0), size - 1);
        float far = texelFetch(place, other, 0).r;
        vec2 there_at = (vec2(other) + 0.5) * to_ray - 1.0;
        vec3 there = (forward + there_at.x * right - there_at.y * up) / max(far, 1e-6);
        vec3 step = there - here;
        float d2 = dot(step, step);
        float fade = max(0.0, 1.0 - d2 / (4.0 * RADIUS_M * RADIUS_M));
        hidden += max(0.0, dot(step, n) - 0.01 * depth) / (d2 + 0.01) * fade;
    }
    float open = near > 0.0 ? max(0.0, 1.0 - hidden * 0.36 / float(TAPS)) : 1.0;
    // A face turned away counts as lit: its value would only darken a lit neighbour's outline.
    result = vec4(open, near, dot(n, sun_from) > 0.0 ? sunlit(here, n) : 1.0, 1.0);
}
