// The things of a world: their solids, and Rapier's rigid bodies for what can be pushed or fall.
import { compose, position, poseOf, quaternion } from "./pose.js";
import { hullFor, hullOf, kindOf } from "./hulls.js";
import { Solid } from "./solids.js";

// Rapier's cylinders and capsules stand along y.
const UPRIGHT = [0, 0, 0, Math.SQRT1_2, Math.SQRT1_2, 0, 0];
// Collision classes: member of, and collides with. The agent meets nothing but what it can push.
const [WORLD, PUSHED, AGENT] = [1, 2, 4];
const groups = (member, filter) => (member << 16) | filter;
const NOBODY = groups(0, 0);
// How near something must come to a body that is asleep for it to wake.
const WAKE_M = 0.05;

export class Physics {
    /** `setup`: hulls (of meshes: points in a row, by key), things, numbers (`drivers/body.py`), friction, rolling_m,
     * timestep_s. */
    constructor(rapier, setup) {
        this.rapier = rapier;
        this.setup = setup;
        this.numbers = setup.numbers;
        this.hulls = new Map();
        // The engine asks its hooks only if it may also report events.
        this.events = new rapier.EventQueue(true);
        this.hooks = {
            filterContactPair: (a, b) => (joined(this.owner.get(a), this.owner.get(b)) ? null : 1),
            filterIntersectionPair: () => true,
        };
        this.learn(setup.hulls);
        this.reset();
    }

    /** Give the engine's memory back. */
    free() {
        this.world.free();
        this.events.free();
    }

    /** As loaded. */
    reset() {
        this.world?.free();
        this.world = new this.rapier.World({ x: 0, y: 0, z: -this.numbers.GRAVITY_M_S2 });
        this.things = new Map();
        this.owner = new Map();
        this.agent = this.makeAgent();
        for (const spec of this.setup.things) this.add(spec);
    }

    /** Take in hulls that are not known yet. */
    learn(hulls) {
        const { ColliderDesc, World } = this.rapier;
        const scratch = new World({ x: 0, y: 0, z: 0 });
        for (const [key, points] of Object.entries(hulls)) {
            if (this.hulls.has(key)) continue;
            const made = scratch.createCollider(ColliderDesc.convexHull(Float32Array.from(points)));
            this.hulls.set(key, hullOf(Array.from(made.vertices()), made.indices()));
        }
        scratch.free();
    }

    makeAgent() {
        const { ColliderDesc, RigidBodyDesc, CoefficientCombineRule } = this.rapier;
        const { HEIGHT_M, PUSH_BASE_M, RADIUS_M } = this.numbers;
        const half = (HEIGHT_M - PUSH_BASE_M) / 2;
        const body = this.world.createRigidBody(RigidBodyDesc.kinematicVelocityBased());
        const shape = ColliderDesc.cylinder(half, RADIUS_M)
            .setTranslation(0, 0, PUSH_BASE_M + half)
            .setRotation(quaternion(UPRIGHT))
            .setFriction(0)
            .setFrictionCombineRule(CoefficientCombineRule.Multiply)
            .setCollisionGroups(groups(AGENT, PUSHED));
        this.world.createCollider(shape, body);
        return body;
    }

    /** A thing: id, name, free, light, mass, visible, collides, joined (names), pose, parts (pose each; world, or the
     * body's frame for a free thing), solids [part, shape, half, taper, key of a mesh's hull, local, collides,
     * mass]. */
    add(spec) {
        const still = { pose: null, velocity: [0, 0, 0], drift: [0, 0], pairs: new Set() };
        const thing = { ...spec, ...still, joined: new Set(spec.joined) };
        thing.solids = spec.solids.map(([part, shape, half, taper, key, ...rest]) => {
            const makeHull = () => (key ? this.hulls.get(key) : hullFor(shape, half, taper));
            return new Solid(thing, part, kindOf(shape, half), half, makeHull, ...rest);
        });
        const round = thing.solids.filter(({ kind }) => kind === "ellipsoid");
        thing.round = Math.max(0, ...round.flatMap(({ half }) => half));
        if (thing.free) thing.body = this.world.createRigidBody(this.rapier.RigidBodyDesc.dynamic());
        for (const solid of thing.solids) this.collide(solid);
        this.things.set(thing.id, thing);
        this.all = null;
        this.put(thing, spec.pose, spec.parts);
        this.flag(thing, spec.visible, spec.collides);
        return thing;
    }

    collide(solid) {
        const { ActiveHooks, ColliderDesc } = this.rapier;
        const { thing, half: [x, y, z], kind } = solid;
        let desc;
        if (kind === "box") desc = ColliderDesc.cuboid(x, y, z);
        else if (kind === "cylinder") desc = ColliderDesc.cylinder(z, x);
        else if (kind === "capsule") desc = ColliderDesc.capsule(z - x, x);
        else if (kind === "ellipsoid" && x === y && y === z) desc = ColliderDesc.ball(x);
        else desc = ColliderDesc.convexMesh(Float32Array.from(solid.hull.points), solid.hull.triangles);
        desc.setFriction(this.setup.friction).setMass(solid.mass);
        if (thing.joined.size) desc.setActiveHooks(ActiveHooks.FILTER_CONTACT_PAIRS);
        solid.turn = kind === "cylinder" || kind === "capsule" ? UPRIGHT : [0, 0, 0, 1, 0, 0, 0];
        solid.collider = this.world.createCollider(desc, thing.body);
        this.owner.set(solid.collider.handle, thing);
    }

    remove(id) {
        const thing = this.things.get(id);
        this.wakeNear(thing);
        for (const solid of thing.solids) {
            this.owner.delete(solid.collider.handle);
            this.world.removeCollider(solid.collider, true);
        }
        if (thing.body) this.world.removeRigidBody(thing.body);
        this.things.delete(id);
        for (const other of this.movable()) other.pairs.delete(id);
        this.all = null;
    }

    solids() {
        return (this.all ??= [...this.things.values()].flatMap((thing) => thing.solids));
    }

    flag(thing, visible, collides) {
        Object.assign(thing, { visible, collides });
        for (const solid of thing.solids) {
            // A movable body whose collision is off ignores the agent alone: it would fall through the floor.
            const bumps = solid.collides && (thing.collides || thing.free);
            const felt = solid.solid && thing.light;
            const group = felt ? groups(WORLD | PUSHED, WORLD | AGENT) : groups(WORLD, WORLD);
            solid.collider.setCollisionGroups(bumps ? group : NOBODY);
        }
        this.wakeNear(thing);
    }

    /** Have a thing stand at `pose` with its parts at `parts`, at once. */
    put(thing, pose, parts) {
        if (thing.pose) this.wakeNear(thing);
        if (thing.body && (!thing.pose || pose.some((value, index) => value !== thing.pose[index]))) {
            thing.body.setTranslation(position(pose), true);
            thing.body.setRotation(quaternion(pose), true);
        }
        Object.assign(thing, { pose, parts: [...parts] });
        for (const [index] of parts.entries()) this.putPart(thing, index, parts[index]);
        this.wakeNear(thing);
    }

    putPart(thing, index, part) {
        thing.parts[index] = part;
        for (const solid of thing.solids) {
            if (solid.part !== index) continue;
            solid.put(thing.free ? compose(thing.pose, part) : part);
            const at = compose(thing.free ? compose(part, solid.local) : solid.pose, solid.turn);
            if (thing.free) {
                solid.collider.setTranslationWrtParent(position(at));
                solid.collider.setRotationWrtParent(quaternion(at));
            } else {
                solid.collider.setTranslation(position(at));
                solid.collider.setRotation(quaternion(at));
            }
        }
    }

    /** Set the velocity of a body's origin and its spin; null leaves as it is. */
    setVelocity(thing, linear, spin) {
        const { body } = thing;
        if (linear) thing.velocity = linear;
        if (spin) body.setAngvel({ x: spin[0], y: spin[1], z: spin[2] }, true);
        const [origin, center, w] = [body.translation(), body.worldCom(), body.angvel()];
        const [x, y, z] = [center.x - origin.x, center.y - origin.y, center.z - origin.z];
        const [a, b, c] = thing.velocity;
        // The engine's velocity is that of the centre of mass.
        body.setLinvel({ x: a + w.y * z - w.z * y, y: b + w.z * x - w.x * z, z: c + w.x * y - w.y * x }, true);
    }

    wake(thing) {
        if (thing.body?.isSleeping()) thing.body.wakeUp();
    }

    /** Wake what may rest on a thing, lean against it, or be met by it soon. */
    wakeNear(thing) {
        for (const other of this.movable()) {
            if (!other.body.isSleeping()) continue;
            const close = (a) => (b) =>
                b.meets(a.low.map((value) => value - WAKE_M), a.high.map((value) => value + WAKE_M));
            if (other === thing || thing.solids.some((solid) => other.solids.some(close(solid)))) other.body.wakeUp();
        }
    }

    movable() {
        return [...this.things.values()].filter((thing) => thing.free);
    }

    /** Let physics pass `seconds` in steps of at most `timestep_s`; the agent comes to `feet` at `velocity`. */
    step(seconds, feet, velocity) {
        const free = this.movable();
        if (!free.length) return;
        const count = Math.max(1, Math.ceil(seconds / this.setup.timestep_s - 1e-9));
        this.world.timestep = seconds / count;
        this.agent.setTranslation(position(feet.map((value, axis) => value - velocity[axis] * seconds)), true);
        this.agent.setLinvel({ x: velocity[0], y: velocity[1], z: velocity[2] }, true);
        for (let index = 0; index < count; index++) {
            for (const thing of free) if (thing.round && thing.pairs.size) this.resistRolling(thing, seconds / count);
            this.world.step(this.events, this.hooks);
        }
        for (const thing of free) if (!thing.body.isSleeping()) this.follow(thing);
    }

    /** A rolling body slows down by the torque of its weight at a lever of `rolling_m`. */
    resistRolling(thing, seconds) {
        if (thing.body.isSleeping()) return;
        const spin = thing.body.angvel();
        const rate = Math.hypot(spin.x, spin.y, spin.z);
        if (rate < 1e-9) return;
        const torque = this.setup.rolling_m * thing.mass * this.numbers.GRAVITY_M_S2 * seconds;
        const most = 0.4 * thing.mass * thing.round ** 2 * rate;
        const share = -Math.min(torque, most) / rate;
        thing.body.applyTorqueImpulse({ x: spin.x * share, y: spin.y * share, z: spin.z * share }, false);
    }

    /** Bring a thing up to its body. */
    follow(thing) {
        const [speed, drift] = [thing.body.velocityAtPoint(thing.body.translation()), thing.body.linvel()];
        thing.pose = poseOf(thing.body);
        if (!thing.pose.every(Number.isFinite)) throw new Error(`The engine lost ${thing.name}.`);
        thing.velocity = [speed.x, speed.y, speed.z];
        thing.drift = [drift.x, drift.y];
        thing.moved = true;
        for (const solid of thing.solids) solid.put(compose(thing.pose, thing.parts[solid.part]));
        thing.pairs = this.touching(thing);
    }

    touching(thing) {
        const found = new Set();
        for (const { collider } of thing.solids)
            this.world.contactPairsWith(collider, (other) => {
                const against = this.owner.get(other.handle);
                if (!against || against === thing || found.has(against.id)) return;
                this.world.contactPair(collider, other, (manifold) => {
                    // Not by distance: the engine keeps that of when a contact was found.
                    for (let at = 0; at < manifold.numContacts(); at++)
                        if (manifold.contactImpulse(at) > 0) found.add(against.id);
                });
            });
        return found;
    }

    /** [id, id] of all things in contact, the agent left out. */
    pairs() {
        return this.movable().flatMap((thing) => [...thing.pairs].map((other) => [thing.id, other]));
    }

    /** Pairs that touch within the next 0.2 s if nobody does anything; then all is as loaded. */
    resting() {
        const found = [];
        const far = [0, 0, -1000];
        for (let step = 0; step < 8 && this.movable().length; step++) {
            this.step(0.025, far, [0, 0, 0]);
            found.push(...this.pairs());
        }
        if (this.movable().length) this.reset();
        return found;
    }

    /** The first visible thing from `from` along the unit vector `along`: [metres, id], or null. */
    sight(from, along) {
        let [nearest, seen] = [Infinity, null];
        for (const solid of this.solids()) {
            if (!solid.thing.visible) continue;
            const metres = solid.ray(from, along);
            if (metres < nearest) [nearest, seen] = [metres, solid.thing.id];
        }
        return seen === null ? null : [nearest, seen];
    }
}

const joined = (one, other) => one && other && (one.joined.has(other.name) || other.joined.has(one.name));
