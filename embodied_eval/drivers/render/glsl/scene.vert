// One vertex of one primitive. SHADOW and MASK leave out what those passes do not need.
in vec3 in_corner;   // which corner, rim or end of the solid the vertex belongs to, each -1..1
in vec3 in_normal;   // its normal on the unit shape
in vec3 in_map;      // texture mapping (0..5 = +x -x +y -y +z -z plane, 6 = around z), angle, solid
in vec4 i_row0;      // world-from-primitive, rows; the translation is relative to the eye
in vec4 i_row1;
in vec4 i_row2;
in vec4 i_half;      // half extents and bevel, metres
#ifdef GEOMETRY
in vec4 i_repeat;    // pattern repeats per metre along x, y, z; cone taper in w
in vec4 i_offset;    // pattern offset along x, y, z; axis of the grain in w (-1: none)
#else
in float i_taper;
#endif
#ifndef SHADOW
in uvec4 i_look;     // object id + 1, first colour | layer, second colour | flags, surface
flat out uvec4 look;
#endif
#ifdef GEOMETRY
out vec3 normal;
out vec2 uv;
#endif

uniform mat4 to_clip;

void main() {
    vec3 size = max(i_half.xyz, vec3(1e-6));
    vec3 local;
    vec3 n = in_normal;
#ifdef GEOMETRY
    float taper = i_repeat.w;
#else
    float taper = i_taper;
#endif
    if (in_map.z < 0.5) {                 // box, cylinder
        local = in_corner * (size - i_half.w) + i_half.w * in_normal;
    } else if (in_map.z < 1.5) {          // ellipsoid
        local = in_corner * size;
        n /= size;
    } else if (in_map.z < 2.5) {          // capsule
        float radius = min(min(size.x, size.y), size.z);
        vec3 end = vec3(size.xy, radius);
        local = in_corner * vec3(0.0, 0.0, size.z - radius) + in_normal * end;
        n /= end;
    } else {                              // cone
        float width = mix(1.0, taper, 0.5 * in_corner.z + 0.5);
        local = in_corner * size * vec3(width, width, 1.0);
        if (n.z == 0.0) n = vec3(n.xy / size.xy, 0.5 * (1.0 - taper) / size.z);
    }
    vec3 world = vec3(dot(i_row0.xyz, local) + i_row0.w,
                      dot(i_row1.xyz, local) + i_row1.w,
                      dot(i_row2.xyz, local) + i_row2.w);
    gl_Position = to_clip * vec4(world, 1.0);
#ifndef SHADOW
    look = i_look;
#endif
#ifdef GEOMETRY
    vec3 a = vec3(i_row0.x, i_row1.x, i_row2.x);
    vec3 b = vec3(i_row0.y, i_row1.y, i_row2.y);
    vec3 c = vec3(i_row0.z, i_row1.z, i_row2.z);
    normal = normalize(n.x * cross(b, c) + n.y * cross(c, a) + n.z * cross(a, b));

    vec3 p = local * i_repeat.xyz + i_offset.xyz;
    float grain = i_offset.w;
    if (in_map.x > 5.5) {
        float around = max(1.0, round(3.14159265 * (size.x + size.y) * i_repeat.x));
        uv = vec2(in_map.y * around, p.z);
        if (grain >= 0.0) uv = uv.yx;
    } else if (in_map.x > 3.5) {
        uv = vec2(p.x, p.y);
        if (grain == 1.0) uv = uv.yx;
    } else if (in_map.x > 1.5) {
        uv = vec2(in_map.x > 2.5 ? p.x : -p.x, p.z);
        if (grain == 2.0) uv = uv.yx;
    } else {
        uv = vec2(in_map.x < 0.5 ? p.y : -p.y, p.z);
        if (grain == 2.0) uv = uv.yx;
    }
#endif
}
