// What a pixel shows, before any light: surface, place and normal, all from the same triangle.
flat in uvec4 look;
in vec3 normal;
in vec2 uv;
uniform sampler2DArray patterns;
layout(location = 0) out vec4 surface;  // albedo, emission (square root of a sixteenth)
layout(location = 1) out vec2 place;    // 1 / planar depth, object id + 1
layout(location = 2) out ivec4 facing;  // world normal in 32767ths; piece, roughness and metal in one number

void main() {
    vec3 first = vec3((look.yyy >> uvec3(0u, 8u, 16u)) & 255u) / 255.0;
    vec3 second = vec3((look.zzz >> uvec3(0u, 8u, 16u)) & 255u) / 255.0;
    vec4 pattern = texture(patterns, vec3(uv, float(look.y >> 24)));
    vec3 color = mix(mix(first, second, pattern.r), 0.5 * (first.yzx + first.zxy), pattern.b) * (pattern.g * 255.0 / 127.0);
    float gloss = (1.0 - float(look.w & 255u) / 255.0) * pattern.a;
    surface = vec4(color, float(look.z >> 24) / 255.0);
    place = vec2(gl_FragCoord.w, float(look.x));
    int coded = int((look.w >> 16) & 31u) * 1024 + int((1.0 - gloss) * 63.0 + 0.5) * 16 + int((look.w >> 12) & 15u);
    facing = ivec4(round(normalize(normal) * 32767.0), coded);
}
