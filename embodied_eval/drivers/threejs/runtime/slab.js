// What an upright cylinder has to do with a convex solid: the solid is cut to the heights of the cylinder and seen from
// above, where it is a convex polygon and the cylinder a disc. Exact for every horizontal motion (ours).

const OVAL_SIDES = 144;
const NONE = { gap: Infinity, nx: 0, ny: 0 };

/** The signed gap in metres between the upright cylinder of `radius` about (x, y) from `bottom` to `top` and `solid`,
 * and the horizontal unit vector towards the solid; zeros where the way out is up or down. Infinity where it is not
 * within `reach` or at other heights. */
export function gapTo(solid, x, y, bottom, top, radius, reach) {
    const overlap = Math.min(top - solid.low[2], solid.high[2] - bottom);
    if (overlap <= 0) return NONE;
    const far = radius + reach;
    if (x + far < solid.low[0] || x - far > solid.high[0] || y + far < solid.low[1] || y - far > solid.high[1])
        return NONE;
    const wide = widest(solid, bottom, top);
    const found = wide ? fromDisc(solid, wide, x, y) : fromPolygon(sliceOf(solid, bottom, top), x, y);
    found.gap -= radius;
    if (found.gap >= reach) return NONE;
    return -found.gap > overlap ? { gap: -overlap, nx: 0, ny: 0 } : found;
}

/** The radius of the disc that a round, upright solid is between two heights; 0 for other solids. */
function widest(solid, bottom, top) {
    const [x, y, z] = solid.half;
    const round = Math.abs(x - y) <= 1e-6 * x;
    if (!round || !(solid.upright || (solid.kind === "ellipsoid" && Math.abs(x - z) <= 1e-6 * x))) return 0;
    if (solid.kind === "cylinder") return x;
    const off = offCentre(solid, bottom, top);
    if (solid.kind === "ellipsoid") return x * Math.sqrt(Math.max(0, 1 - (off / z) ** 2));
    if (solid.kind === "capsule") return Math.sqrt(Math.max(0, x * x - Math.max(0, off - (z - x)) ** 2));
    return 0;
}

/** How far from the height of its centre the nearest height between the two is. */
const offCentre = (solid, bottom, top) => Math.max(0, bottom - solid.pose[2], solid.pose[2] - top);

function fromDisc(solid, wide, x, y) {
    const [dx, dy] = [solid.pose[0] - x, solid.pose[1] - y];
    const distance = Math.hypot(dx, dy);
    const [nx, ny] = distance > 1e-12 ? [dx / distance, dy / distance] : [1, 0];
    return { gap: distance - wide, nx, ny };
}

/** Signed distance of a point to a convex polygon (x, y in a row, counter-clockwise), towards it. */
function fromPolygon(polygon, x, y) {
    const count = polygon.length / 2;
    if (!count) return { ...NONE };
    let deepest = { gap: -Infinity, nx: 0, ny: 0 };
    let nearest = { gap: Infinity, nx: 0, ny: 0 };
    for (let i = 0; i < count; i++) {
        const [ax, ay] = [polygon[2 * i], polygon[2 * i + 1]];
        const next = i + 1 < count ? 2 * i + 2 : 0;
        const [ux, uy] = [polygon[next] - ax, polygon[next + 1] - ay];
        const length = Math.hypot(ux, uy);
        if (length > 1e-12) {
            const outside = ((x - ax) * uy - (y - ay) * ux) / length;
            if (outside > deepest.gap) deepest = { gap: outside, nx: -uy / length, ny: ux / length };
        }
        const share = length > 1e-12 ? ((x - ax) * ux + (y - ay) * uy) / (length * length) : 0;
        const along = Math.max(0, Math.min(1, share));
        const [dx, dy] = [ax + along * ux - x, ay + along * uy - y];
        const distance = Math.hypot(dx, dy);
        if (distance < nearest.gap) nearest = { gap: distance, nx: dx / distance, ny: dy / distance };
    }
    // Inside, and so near its edge that no line leads there, an edge's own normal holds.
    const within = count > 2 && deepest.gap <= 0;
    return within || (nearest.gap < 1e-9 && deepest.gap > -Infinity) ? deepest : nearest;
}

/** The polygon of the solid between two heights seen from above; kept until either changes. */
function sliceOf(solid, bottom, top) {
    const [from, to] = [Math.max(bottom, solid.low[2]), Math.min(top, solid.high[2])];
    if (!solid.slice || solid.slice.from !== from || solid.slice.to !== to)
        solid.slice = { from, to, polygon: outline(oval(solid, from, to) ?? cut(solid, from, to)) };
    return solid.slice.polygon;
}

/** The ellipse that an upright ellipsoid is seen as, finer than its facets; null for other solids. */
function oval(solid, from, to) {
    if (!solid.upright || solid.kind !== "ellipsoid") return null;
    const [x, y, z] = solid.half;
    const share = Math.sqrt(Math.max(0, 1 - (offCentre(solid, from, to) / z) ** 2));
    const [a, b, , c, d] = solid.axes;
    return Array.from({ length: OVAL_SIDES }, (_, index) => {
        const turn = (index * 2 * Math.PI) / OVAL_SIDES;
        const [u, v] = [Math.cos(turn) * x * share, Math.sin(turn) * y * share];
        return [solid.pose[0] + a * u + b * v, solid.pose[1] + c * u + d * v];
    });
}

/** [x, y] of what is left between the heights: corners there, and where edges cross them. */
function cut(solid, from, to) {
    const corners = solid.corners();
    const points = [];
    for (let at = 0; at < corners.length; at += 3)
        if (corners[at + 2] >= from - 1e-12 && corners[at + 2] <= to + 1e-12)
            points.push([corners[at], corners[at + 1]]);
    const { edges } = solid.hull;
    for (let at = 0; at < edges.length; at += 2) {
        const [a, b] = [3 * edges[at], 3 * edges[at + 1]];
        const [low, high] = [corners[a + 2], corners[b + 2]];
        for (const height of [from, to]) {
            if (low < height === high < height) continue;
            const share = (height - low) / (high - low);
            points.push([
                corners[a] + share * (corners[b] - corners[a]),
                corners[a + 1] + share * (corners[b + 1] - corners[a + 1]),
            ]);
        }
    }
    return points;
}

/** Convex outline of points, counter-clockwise (Andrew's monotone chain). */
function outline(points) {
    points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const chain = [];
    for (const row of [points, [...points].reverse()]) {
        const start = chain.length;
        for (const point of row) {
            while (chain.length >= start + 2 && !turnsLeft(chain.at(-2), chain.at(-1), point)) chain.pop();
            chain.push(point);
        }
        chain.pop();
    }
    if (!chain.length && points.length) chain.push(points[0]);
    return Float64Array.from(chain.flat());
}

const turnsLeft = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 1e-15;
