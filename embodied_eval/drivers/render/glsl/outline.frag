// Copies the picture and marks, in depth, the pixels where two pieces or faces meet with some contrast:
// the depth test then keeps smooth.frag to them.
uniform sampler2D picture;
layout(location = 0) out vec4 result;

const float CONTRAST = 0.06;
const float DARKEST = 0.02;

vec4 fetch(int x, int y) { return texelFetch(picture, ivec2(x, y), 0); }

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    ivec2 low = max(pixel - 1, ivec2(0));
    ivec2 high = min(pixel + 1, textureSize(picture, 0) - 1);
    vec4 center = fetch(pixel.x, pixel.y);
    vec4 north = fetch(pixel.x, low.y);
    vec4 south = fetch(pixel.x, high.y);
    vec4 west = fetch(low.x, pixel.y);
    vec4 east = fetch(high.x, pixel.y);
    vec3 weights = vec3(0.299, 0.587, 0.114);
    vec4 luma = vec4(dot(north.rgb, weights), dot(south.rgb, weights), dot(west.rgb, weights), dot(east.rgb, weights));
    float middle = dot(center.rgb, weights);
    float top = max(middle, max(max(luma.x, luma.y), max(luma.z, luma.w)));
    float least = min(middle, min(min(luma.x, luma.y), min(luma.z, luma.w)));
    vec4 key = abs(vec4(north.a, south.a, west.a, east.a) - center.a);
    bool meet = max(max(key.x, key.y), max(key.z, key.w)) > 0.002;
    result = vec4(center.rgb, 1.0);
    gl_FragDepth = meet && top - least > max(DARKEST, CONTRAST * top) ? 1.0 : 0.0;
}
