// Rigid poses in double precision. A pose is [x, y, z, w, qx, qy, qz]; a rotation matrix has 9 numbers by rows.

export function compose(outer, inner) {
    const [x, y, z] = rotate(outer, inner[0], inner[1], inner[2]);
    const [, , , aw, ax, ay, az] = outer;
    const [, , , bw, bx, by, bz] = inner;
    return [
        outer[0] + x,
        outer[1] + y,
        outer[2] + z,
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ];
}

/** The vector (x, y, z) of the pose's frame in the frame around it. */
export function rotate(pose, x, y, z) {
    const m = matrix(pose);
    return [m[0] * x + m[1] * y + m[2] * z, m[3] * x + m[4] * y + m[5] * z, m[6] * x + m[7] * y + m[8] * z];
}

export function matrix(pose) {
    const [, , , w, x, y, z] = pose;
    return [
        1 - 2 * (y * y + z * z),
        2 * (x * y - w * z),
        2 * (x * z + w * y),
        2 * (x * y + w * z),
        1 - 2 * (x * x + z * z),
        2 * (y * z - w * x),
        2 * (x * z - w * y),
        2 * (y * z + w * x),
        1 - 2 * (x * x + y * y),
    ];
}

export const position = (pose) => ({ x: pose[0], y: pose[1], z: pose[2] });
export const quaternion = (pose) => ({ w: pose[3], x: pose[4], y: pose[5], z: pose[6] });

/** The pose of one of the engine's bodies; its quaternion is single precision and normed again. */
export function poseOf(body) {
    const at = body.translation();
    const turn = body.rotation();
    const norm = Math.hypot(turn.w, turn.x, turn.y, turn.z);
    return [at.x, at.y, at.z, turn.w / norm, turn.x / norm, turn.y / norm, turn.z / norm];
}
