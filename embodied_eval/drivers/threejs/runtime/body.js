// The agent's body: the algorithm of `drivers/character.py` with the numbers of `drivers/body.py`.
import { gapTo } from "./slab.js";

const DOWN = [0, 0, -1];

export class Body {
    /** `numbers` are the constants of `drivers/body.py` by name. */
    constructor(physics, numbers) {
        Object.assign(this, { physics, numbers });
        this.place([0, 0, 0]);
    }

    place(feet) {
        this.feet = [...feet];
        this.fall = 0;
        this.grounded = true;
        this.ahead = [1, 0];
        this.touched = new Set();
        this.near = [];
        this.below = [];
        this.pushed = [];
    }

    /** Start a tick of at most `reach` metres: gather what it could meet. */
    begin(reach) {
        const { RADIUS_M, HEIGHT_M } = this.numbers;
        const [x, y, z] = this.feet;
        const margin = reach + 0.25;
        const side = RADIUS_M + margin;
        this.touched = new Set();
        const low = [x - side, y - side, -Infinity];
        const high = [x + side, y + side, z + HEIGHT_M + margin];
        this.below = this.physics.solids().filter((solid) => solid.solid && solid.meets(low, high));
        this.near = this.below.filter((solid) => solid.high[2] >= z - margin);
        // Before they touch: the engine never looks again at a contact that begins while a body is asleep.
        for (const { thing } of this.near) if (thing.light) this.physics.wake(thing);
    }

    advance(wish, seconds, jump) {
        const length = Math.hypot(wish[0], wish[1]);
        if (length > 1e-9) this.ahead = [wish[0] / length, wish[1] / length];
        this.pushed = [];
        this.slide(wish, length, seconds);
        if (jump && this.grounded) {
            this.grounded = false;
            this.fall = -Math.sqrt(2 * this.numbers.GRAVITY_M_S2 * this.numbers.JUMP_M);
        }
        if (this.grounded) this.followGround(seconds);
        else this.fly(seconds);
    }

    /** Signed gap and horizontal direction between the body beginning `base` above the feet and a solid. */
    gap(base, solid, reach, rise = 0) {
        const [x, y, z] = this.feet;
        const { HEIGHT_M, RADIUS_M } = this.numbers;
        return gapTo(solid, x, y, z + base, z + HEIGHT_M + rise, RADIUS_M, reach);
    }

    /** The smallest gap to the given solids, at most TOUCH_M. */
    overlaps(solids) {
        const { TOUCH_M, PUSH_BASE_M } = this.numbers;
        return Math.min(TOUCH_M, ...solids.map((solid) => this.gap(PUSH_BASE_M, solid, TOUCH_M).gap));
    }

    slide(wish, length, seconds) {
        const { TRIES, MAX_PUSH_OUT_M } = this.numbers;
        const [startX, startY] = this.feet;
        let left = wish;
        for (let attempt = 0; attempt < TRIES; attempt++) {
            const room = Math.hypot(left[0], left[1]);
            const gone = [this.feet[0] - startX, this.feet[1] - startY];
            const step = nearestAllowed(left, this.planes(room, gone, length, seconds), room + MAX_PUSH_OUT_M);
            if (Math.abs(step[0]) + Math.abs(step[1]) < 1e-6) return;
            this.feet[0] += step[0];
            this.feet[1] += step[1];
            left = [left[0] - step[0], left[1] - step[1]];
            if (Math.abs(left[0]) + Math.abs(left[1]) < 1e-6) return;
        }
    }

    /** For each near solid [nx, ny, b]: a motion d must keep n . d <= b. */
    planes(room, gone, length, seconds) {
        const n = this.numbers;
        const base = this.grounded ? n.WALK_BASE_M : n.AIR_BASE_M;
        const reach = room + n.TOUCH_M + n.SKIN_M;
        const planes = [];
        for (const solid of this.near) {
            const { thing } = solid;
            if (!solid.solid) continue;
            const { gap, nx, ny } = this.gap(thing.light ? n.PUSH_BASE_M : base, solid, reach);
            if (gap >= reach || !(nx || ny)) continue;
            if (gap <= n.TOUCH_M) this.touched.add(thing.id);
            let most = Math.max(gap - n.SKIN_M, -n.MAX_PUSH_OUT_M);
            if (thing.light) {
                const leaving = (thing.velocity[0] * nx + thing.velocity[1] * ny) * seconds;
                const slower = Math.max(0, thing.mass - n.FREE_PUSH_KG) / n.SLOW_PUSH_KG;
                most = Math.max(0, gap + n.PRESS_M + Math.max(0, leaving));
                if (gap <= n.TOUCH_M)
                    most = Math.min(most, Math.max(0, length * (1 - slower) - (nx * gone[0] + ny * gone[1])));
                const gained = Math.max(0, thing.drift[0] * nx + thing.drift[1] * ny) + n.PUSH_M_S2 * seconds;
                this.pushed.push([nx, ny, Math.min(gained, (length * (1 - slower)) / seconds)]);
            }
            planes.push([nx, ny, most]);
        }
        return planes;
    }

    /** The velocity with which it meets what it pushes, having come from `stood` in `seconds`. */
    impact(stood, seconds) {
        const velocity = this.feet.map((value, axis) => (value - stood[axis]) / seconds);
        for (const [nx, ny, most] of this.pushed) {
            const over = velocity[0] * nx + velocity[1] * ny - most;
            if (over <= 0) continue;
            velocity[0] -= over * nx;
            velocity[1] -= over * ny;
        }
        return velocity;
    }

    /** Height of the ground within `up` above and `down` below the feet, or null. */
    ground(up, down) {
        const [x, y, z] = this.feet;
        const [cos, sin] = this.ahead;
        let best = null;
        for (const [ahead, left, drop] of this.numbers.FEELERS) {
            const start = [x + cos * ahead - sin * left, y + sin * ahead + cos * left, z + up + drop];
            const gone = this.drop(start, false);
            if (gone === Infinity) continue;
            const height = start[2] - gone - drop;
            if (height >= z - down - 1e-6 && (best === null || height > best)) best = height;
        }
        // Things light enough to be pushed bear the agent only from above: it never steps up on them.
        const gone = this.drop([x, y, z + 0.02], true);
        if (gone === Infinity || 0.02 - gone < -down) return best;
        const top = z + 0.02 - gone;
        return best === null ? top : Math.max(best, top);
    }

    drop(start, light) {
        let nearest = Infinity;
        for (const solid of this.below) {
            const pushed = solid.thing.light && solid.thing.visible;
            if (solid.solid && pushed === light) nearest = Math.min(nearest, solid.ray(start, DOWN));
        }
        return nearest;
    }

    followGround(seconds) {
        const { STEP_M, CLIMB_M_S } = this.numbers;
        const ground = this.ground(STEP_M, STEP_M);
        if (ground === null) {
            this.grounded = false;
            this.fall = 0;
            this.fly(seconds);
            return;
        }
        const most = CLIMB_M_S * seconds;
        this.feet[2] += Math.max(-most, Math.min(most, ground - this.feet[2]));
    }

    fly(seconds) {
        this.fall += this.numbers.GRAVITY_M_S2 * seconds;
        const drop = this.fall * seconds;
        if (drop < 0) {
            this.feet[2] += this.roomAbove(-drop);
            return;
        }
        const ground = this.ground(this.numbers.AIR_STEP_M, drop);
        if (ground === null) {
            this.feet[2] -= drop;
            return;
        }
        this.feet[2] = Math.min(ground, this.feet[2]);
        this.grounded = true;
        this.fall = 0;
    }

    /** How far it can rise, at most `rise`: up to the underside of what is over the head. */
    roomAbove(rise) {
        const { AIR_BASE_M, HEIGHT_M, SKIN_M } = this.numbers;
        const top = this.feet[2] + HEIGHT_M;
        let allowed = rise;
        for (const solid of this.near) {
            if (!solid.solid || solid.high[2] <= top) continue;
            const meets = (height) => {
                const { gap, nx, ny } = this.gap(AIR_BASE_M, solid, 0, height + SKIN_M);
                return gap < 0 && !(nx || ny);
            };
            if (!meets(allowed)) continue;
            let [free, stopped] = [0, allowed];
            while (stopped - free > 1e-4) {
                const half = (free + stopped) / 2;
                if (meets(half)) stopped = half;
                else free = half;
            }
            allowed = free;
        }
        if (allowed < rise) this.fall = 0;
        return allowed;
    }
}

/** The motion nearest to `wish` that crosses no plane; where none, the one that violates them least. */
function nearestAllowed(wish, planes, longest) {
    if (planes.every(([nx, ny, most]) => nx * wish[0] + ny * wish[1] <= most + 1e-12)) return wish;
    const options = [wish, [0, 0]];
    for (const [nx, ny, most] of planes) {
        const over = (nx * wish[0] + ny * wish[1] - most) / (nx * nx + ny * ny);
        options.push([wish[0] - over * nx, wish[1] - over * ny]);
    }
    for (const [i, [ax, ay, a]] of planes.entries())
        for (const [bx, by, b] of planes.slice(i + 1)) {
            const area = ax * by - ay * bx;
            if (Math.abs(area) > 1e-9) options.push([(a * by - b * ay) / area, (ax * b - bx * a) / area]);
        }
    let best = null;
    for (const option of options) {
        if (Math.hypot(...option) > longest) continue;
        const worst = Math.max(...planes.map(([nx, ny, most]) => nx * option[0] + ny * option[1] - most));
        const bad = Math.max(0, Math.round(worst * 1e9));
        const off = (option[0] - wish[0]) ** 2 + (option[1] - wish[1]) ** 2;
        if (!best || bad < best.bad || (bad === best.bad && off < best.off)) best = { option, bad, off };
    }
    return best.option;
}
