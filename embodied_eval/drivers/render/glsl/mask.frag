flat in uvec4 look;
layout(location = 0) out float id;  // object id + 1

void main() { id = float(look.x); }
