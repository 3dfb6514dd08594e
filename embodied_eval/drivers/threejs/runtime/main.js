// The page runtime: one object, `window.runtime`, that Python talks to. Nothing runs by itself: a world stands still
// between calls. `threejs/scene.py` writes the requests.
import RAPIER from "rapier";
import { Body } from "./body.js";
import { Physics } from "./physics.js";
import { Stage } from "./stage.js";

class Runtime {
    #stage = null;

    /** What draws; made when first asked for. */
    get stage() {
        return (this.#stage ??= new Stage());
    }

    /** A world in place of the one before; returns the pairs that rest on each other. */
    load(setup) {
        this.#stage?.renderer.dispose();
        this.#stage?.renderer.forceContextLoss();
        this.#stage = null;
        this.physics?.free();
        this.physics = new Physics(RAPIER, setup);
        this.rest = this.physics.resting();
        this.body = new Body(this.physics, setup.numbers);
        return this.rest;
    }

    /** The world as it was loaded. */
    reset() {
        this.physics.reset();
        this.body = new Body(this.physics, this.physics.numbers);
        return this.rest;
    }

    edit(edits) {
        for (const [what, ...args] of edits) this[`edit_${what}`](...args);
    }

    edit_add(spec, hulls) {
        this.physics.learn(hulls);
        this.physics.add(spec);
    }

    edit_remove(id) {
        this.physics.remove(id);
    }

    edit_resize(spec, hulls) {
        const { velocity, body } = this.physics.things.get(spec.id);
        const spin = body?.angvel();
        this.physics.remove(spec.id);
        this.physics.learn(hulls);
        const thing = this.physics.add(spec);
        if (body) this.physics.setVelocity(thing, velocity, [spin.x, spin.y, spin.z]);
    }

    edit_flag(id, visible, collides) {
        this.physics.flag(this.physics.things.get(id), visible, collides);
    }

    edit_put(id, pose, parts) {
        this.physics.put(this.physics.things.get(id), pose, parts);
    }

    edit_velocity(id, linear, spin) {
        this.physics.setVelocity(this.physics.things.get(id), linear, spin);
    }

    edit_stand(feet) {
        this.body.place(feet);
    }

    sight({ edits, from, along }) {
        this.edit(edits);
        return this.physics.sight(from, along);
    }

    /** `seconds` in `count` sub-steps: devices along their [id, part, poses], the body by at most `wish`, then bodies.
     * Returns how far each device got, where the body is, what it touched, what was in contact, and what moved. */
    tick({ edits, wish, seconds, count, jump, devices }) {
        this.edit(edits);
        const { body, physics } = this;
        const pairs = new Map();
        const gone = devices.map(() => 0);
        const part = wish.map((value) => value / count);
        body.begin(Math.hypot(...wish));
        for (let index = 0; index < count; index++) {
            devices.forEach((device, at) => (gone[at] += this.operate(device, gone[at])));
            const stood = [...body.feet];
            body.advance(part, seconds / count, jump && index === 0);
            physics.step(seconds / count, body.feet, body.impact(stood, seconds / count));
            for (const pair of physics.pairs()) pairs.set(pair.join(), pair);
        }
        const moved = physics.movable().filter((thing) => thing.moved);
        for (const thing of moved) thing.moved = false;
        return {
            feet: body.feet,
            touched: [...body.touched],
            pairs: [...pairs.values()],
            devices: gone,
            bodies: moved.map((thing) => [thing.id, thing.pose, thing.velocity]),
        };
    }

    /** Move a device's part one sub-step on where there is room for it: 1, or 0. */
    operate([id, index, poses], gone) {
        if (gone >= poses.length) return 0;
        const { body, physics } = this;
        const thing = physics.things.get(id);
        const solids = thing.solids.filter((solid) => solid.part === index && solid.solid);
        const before = thing.parts[index];
        const room = body.overlaps(solids);
        physics.putPart(thing, index, poses[gone]);
        // A part that is too near the agent already may still move away from it.
        if (body.overlaps(solids) >= Math.min(body.numbers.TOUCH_M, room)) {
            physics.wakeNear(thing);
            return 1;
        }
        physics.putPart(thing, index, before);
        return 0;
    }
}

window.ready = RAPIER.init().then(() => {
    const runtime = new Runtime();
    window.runtime = runtime;
    // Texts both ways: far quicker than having each number wrapped.
    window.call = (text) => {
        const [what, request] = JSON.parse(text);
        return JSON.stringify(runtime[what](request) ?? null);
    };
});
