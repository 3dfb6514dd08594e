// Convex solids in double precision: where they stand, their bounds, what a ray hits. The engine's own queries are
// in single precision, which is too coarse for a body that walks along walls with a gap of a millimetre (ours).
import { compose, matrix } from "./pose.js";

// Solids that need no polyhedron to be bounded or hit.
const FORMS = new Set(["box", "ellipsoid", "cylinder"]);

/** A convex solid: `kind` "box", "ellipsoid", "cylinder" (round), "capsule" (round, upright) or "hull", `half` its half
 * extents, `makeHull` gives its polyhedron (`hulls.js`), `local` is its pose in its part. */
export class Solid {
    constructor(thing, part, kind, half, makeHull, local, collides, mass) {
        Object.assign(this, { thing, part, kind, half, makeHull, local, collides, mass });
        this.low = [0, 0, 0];
        this.high = [0, 0, 0];
    }

    /** Its polyhedron in its own frame, made when something comes near. */
    get hull() {
        return (this.made ??= this.makeHull());
    }

    get solid() {
        return this.collides && this.thing.collides;
    }

    /** Stand where the part's pose in the world puts it. */
    put(part) {
        this.pose = compose(part, this.local);
        this.axes = matrix(this.pose);
        this.upright = Math.abs(this.axes[8]) > 1 - 1e-12;
        this.slice = null;
        const reach = FORMS.has(this.kind) ? this.reach() : null;
        for (let axis = 0; axis < 3; axis++) {
            const [low, high] = reach ? [-reach[axis], reach[axis]] : this.extent(axis);
            this.low[axis] = this.pose[axis] + low;
            this.high[axis] = this.pose[axis] + high;
        }
    }

    /** Support function along the world's axes. */
    reach() {
        const [x, y, z] = this.half;
        return [0, 3, 6].map((row) => {
            const [a, b, c] = [this.axes[row] * x, this.axes[row + 1] * y, this.axes[row + 2] * z];
            if (this.kind === "box") return Math.abs(a) + Math.abs(b) + Math.abs(c);
            return this.kind === "ellipsoid" ? Math.hypot(a, b, c) : Math.hypot(a, b) + Math.abs(c);
        });
    }

    extent(axis) {
        const [a, b, c] = this.axes.slice(3 * axis, 3 * axis + 3);
        const { points } = this.hull;
        let low = Infinity;
        let high = -Infinity;
        for (let at = 0; at < points.length; at += 3) {
            const value = a * points[at] + b * points[at + 1] + c * points[at + 2];
            low = Math.min(low, value);
            high = Math.max(high, value);
        }
        return [low, high];
    }

    /** World positions (x, y, z in a row) of its hull's points. */
    corners() {
        const { points } = this.hull;
        const m = this.axes;
        const found = new Float64Array(points.length);
        for (let at = 0; at < points.length; at += 3) {
            const [x, y, z] = [points[at], points[at + 1], points[at + 2]];
            found[at] = this.pose[0] + m[0] * x + m[1] * y + m[2] * z;
            found[at + 1] = this.pose[1] + m[3] * x + m[4] * y + m[5] * z;
            found[at + 2] = this.pose[2] + m[6] * x + m[7] * y + m[8] * z;
        }
        return found;
    }

    meets(low, high) {
        for (let axis = 0; axis < 3; axis++)
            if (this.low[axis] > high[axis] || this.high[axis] < low[axis]) return false;
        return true;
    }

    /** Metres from `from` along the unit vector `along` to its surface, Infinity where it is not hit. From inside it
     * is the way out. */
    ray(from, along) {
        if (!this.onRay(from, along)) return Infinity;
        const m = this.axes;
        const [x, y, z] = [from[0] - this.pose[0], from[1] - this.pose[1], from[2] - this.pose[2]];
        const origin = [0, 1, 2].map((i) => m[i] * x + m[3 + i] * y + m[6 + i] * z);
        const way = [0, 1, 2].map((i) => m[i] * along[0] + m[3 + i] * along[1] + m[6 + i] * along[2]);
        const [enter, leave] = this.span(origin, way);
        if (!(enter <= leave) || leave < 0) return Infinity;
        return enter >= 0 ? enter : leave;
    }

    onRay(from, along) {
        let [enter, leave] = [0, Infinity];
        for (let axis = 0; axis < 3; axis++) {
            const rate = along[axis];
            if (Math.abs(rate) < 1e-12) {
                if (from[axis] < this.low[axis] || from[axis] > this.high[axis]) return false;
                continue;
            }
            const a = (this.low[axis] - from[axis]) / rate;
            const b = (this.high[axis] - from[axis]) / rate;
            enter = Math.max(enter, Math.min(a, b));
            leave = Math.min(leave, Math.max(a, b));
        }
        return enter <= leave + 1e-9;
    }

    /** Where the line origin + t way is inside: [enter, leave] in its own frame. */
    span(origin, way) {
        if (!FORMS.has(this.kind)) return betweenPlanes(this.hull.planes, origin, way);
        if (this.kind === "ellipsoid") return insideRound(origin, way, this.half, 3);
        if (this.kind === "box") return slabs(origin, way, this.half, 0);
        const round = insideRound(origin, way, this.half, 2);
        const caps = slabs(origin, way, this.half, 2);
        return [Math.max(round[0], caps[0]), Math.min(round[1], caps[1])];
    }
}

function slabs(origin, way, half, first) {
    let [enter, leave] = [-Infinity, Infinity];
    for (let axis = first; axis < 3; axis++) {
        if (Math.abs(way[axis]) < 1e-12) {
            if (Math.abs(origin[axis]) > half[axis]) return [Infinity, -Infinity];
            continue;
        }
        const a = (-half[axis] - origin[axis]) / way[axis];
        const b = (half[axis] - origin[axis]) / way[axis];
        enter = Math.max(enter, Math.min(a, b));
        leave = Math.min(leave, Math.max(a, b));
    }
    return [enter, leave];
}

/** The unit ball (3 axes) or the unit cylinder (2), stretched to `half`. */
function insideRound(origin, way, half, axes) {
    let [a, b, c] = [0, 0, -1];
    for (let axis = 0; axis < axes; axis++) {
        const [o, w] = [origin[axis] / half[axis], way[axis] / half[axis]];
        a += w * w;
        b += o * w;
        c += o * o;
    }
    if (a < 1e-18) return c <= 0 ? [-Infinity, Infinity] : [Infinity, -Infinity];
    const under = b * b - a * c;
    if (under < 0) return [Infinity, -Infinity];
    const root = Math.sqrt(under);
    return [(-b - root) / a, (-b + root) / a];
}

function betweenPlanes(planes, origin, way) {
    let [enter, leave] = [-Infinity, Infinity];
    for (let at = 0; at < planes.length; at += 4) {
        const [a, b, c, d] = [planes[at], planes[at + 1], planes[at + 2], planes[at + 3]];
        const rate = a * way[0] + b * way[1] + c * way[2];
        const room = d - (a * origin[0] + b * origin[1] + c * origin[2]);
        if (Math.abs(rate) < 1e-12) {
            if (room < 0) return [Infinity, -Infinity];
        } else if (rate < 0) enter = Math.max(enter, room / rate);
        else leave = Math.min(leave, room / rate);
    }
    return [enter, leave];
}
