// Light on what scene.frag wrote: sun with soft shadow, lamps, sky; display colour, a key of the piece and its facing in alpha.
uniform sampler2D surface;
uniform sampler2D place;
uniform isampler2D facing;
uniform sampler2D visibility;  // at half size, see visibility.frag
uniform usampler2D reached;    // lamps a tile, see reach.frag
uniform int tile;              // its side in pixels
uniform vec3 forward;
uniform vec3 right;
uniform vec3 up;
uniform vec3 sun_from;       // unit, towards the sun
uniform vec3 sun_color;
uniform vec3 zenith;
uniform vec3 horizon;
uniform vec3 ground;
uniform vec3 ambient_up;
uniform vec3 ambient_down;
uniform vec4 fog;            // colour, share a metre
uniform int lamps;
uniform vec4 lamp_at[32];    // relative to the eye, 1 / range
uniform vec3 lamp_color[32];
layout(location = 0) out vec4 display;

vec3 sky(float z) {
    float rise = sqrt(clamp(z, 0.0, 1.0));
    vec3 below = mix(horizon, ground, clamp(-2.5 * z, 0.0, 1.0));
    return z > 0.0 ? mix(horizon, zenith, rise) : below;
}

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    ivec2 size = textureSize(place, 0);
    vec2 at = 2.0 * gl_FragCoord.xy / vec2(size) - 1.0;
    vec3 ray = forward + at.x * right - at.y * up;
    float near = texelFetch(place, pixel, 0).r;
    float depth = 1.0 / max(near, 1e-6);
    vec4 paint = texelFetch(surface, pixel, 0);
    ivec4 face = texelFetch(facing, pixel, 0);
    vec3 n = vec3(face.xyz) / 32767.0;
    vec3 here = ray * depth;
    vec3 view = normalize(ray);

    float piece = float(face.w >> 10);
    float rough = float((face.w >> 4) & 63) / 63.0;
    float metal = float(face.w & 15) / 15.0;
    vec3 albedo = paint.rgb * paint.rgb;
    float gloss = (1.0 - rough) * (1.0 - rough);
    vec3 mirror = mix(vec3(0.04), albedo, metal);
    vec3 body = albedo * (1.0 - metal);

    vec2 half_at = gl_FragCoord.xy / vec2(size);
    vec4 near4 = textureGather(visibility, half_at, 1);
    vec4 weight = clamp(1.0 - abs(near4 - near) * depth * 12.0, 0.002, 1.0);
    weight /= dot(weight, vec4(1.0));
    float open = dot(textureGather(visibility, half_at, 0), weight);
    float lit = dot(textureGather(visibility, half_at, 2), weight);

    vec3 diffuse = mix(ambient_down, ambient_up, 0.5 * n.z + 0.5) * open;
    vec3 bounce = reflect(view, n);
    float grazing = 1.0 - clamp(-dot(view, n), 0.0, 1.0);
    float fresnel = grazing * grazing * grazing * grazing;
    vec3 around = mix(ambient_down, ambient_up, clamp(1.5 * bounce.z + 0.5, 0.0, 1.0)) * open;
    vec3 shine = around * (mirror + (max(vec3(1.0 - rough), mirror) - mirror) * fresnel) * mix(0.25 + 0.75 * gloss, 1.0, metal);

    vec3 direct_sun = sun_color * (max(dot(n, sun_from), 0.0) * lit);
    diffuse += direct_sun;
    float power = exp2(2.0 + 8.0 * (1.0 - rough));
    float sun_half_way = clamp(dot(n, normalize(sun_from - view)), 0.0, 1.0);
    shine += direct_sun * mirror * (pow(sun_half_way, power) * (power + 8.0) * 0.125);
    uint bits = lamps > 0 ? texelFetch(reached, pixel / tile, 0).r : 0u;
    for (; bits != 0u; bits &= bits - 1u) {
        int i = findLSB(bits);
        vec3 to = lamp_at[i].xyz - here;
        float d2 = dot(to, to);
        float inverse = inversesqrt(d2 + 1e-6);
        float share = clamp(1.0 - d2 * lamp_at[i].w * lamp_at[i].w, 0.0, 1.0);
        float falloff = share * share / (1.0 + d2);
        float direct = clamp((dot(to, n) * inverse + 0.2) / 1.2, 0.0, 1.0) * falloff;
        diffuse += lamp_color[i] * direct;
        float half_way = clamp(dot(bounce, to) * inverse, 0.0, 1.0);
        half_way *= half_way;
        half_way *= half_way;
        half_way *= half_way;
        shine += lamp_color[i] * mirror * (falloff * gloss * half_way * half_way * 4.0);
    }
    float glow = 16.0 * paint.a * paint.a;
    vec3 light = body * diffuse + shine + albedo * glow;

    // Reinhard's extended curve with white at 2.4, then a gamma of 2.
    vec3 shown = sqrt(light * (1.0 + light / 5.76) / (1.0 + light));
    float haze = 1.0 - exp2(-fog.w * depth * length(ray) * 1.442695);
    shown = mix(shown, fog.rgb, haze);
    vec3 sky_shown = mix(sky(view.z), fog.rgb, fog.w > 0.0 ? clamp(1.0 - 3.0 * view.z, 0.0, 0.9) : 0.0);
    float disc = clamp(dot(view, sun_from) * 400.0 - 399.4, 0.0, 1.0);
    sky_shown = mix(sky_shown, vec3(1.0, 0.98, 0.92), disc * disc);
    shown = clamp(near > 0.0 ? shown : sky_shown, 0.0, 1.0);
    // Neighbours with another key lie on another piece or face another way: there smooth.frag looks.
    float key = near > 0.0 ? piece * 0.61803 + dot(floor(3.0 * n + 0.5), vec3(0.371, 0.153, 0.239)) : 0.5;
    display = vec4(shown, fract(key));
}
