// Bakes one pattern: r mixes the material's two colours, g is a shade (0.5 = none), b mixes in a third
// colour, a is the share of gloss. `pattern` gets the unit square and must repeat beyond it.
uniform vec2 inverse_size;
layout(location = 0) out vec4 result;
#include "noise.glsl"
#include "PATTERN"

void main() { result = clamp(pattern(gl_FragCoord.xy * inverse_size), 0.0, 1.0); }
