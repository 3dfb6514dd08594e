"""Every change: done, undone, laid over others; and what is refused."""

from __future__ import annotations

import pytest

from embodied_eval.errors import CapabilityMissing, DataFileError, SimulatorError
from embodied_eval.records import Json
from embodied_eval.worlds.effects import parse_effects, required_capabilities
from embodied_eval.worlds.model import Light
from tests.testing_driver import PlaneDriver
from tests.testing_world import box, switch
from tests.worlds.stage import BALL, CRATE, Stage, effect

BARE = {"kind": "retexture", "material": "missing"}
SHAKE = {"kind": "jitter", "amp_m": 0.05, "hz": 4}


@pytest.mark.parametrize(
    ("change", "field", "value"),
    [
        ({"kind": "offset", "by_m": [0, 0, 0.5]}, "position", (6.0, 0.0, 0.5)),
        ({"kind": "rotate", "by_deg": [20, 0, 30]}, "rotation_deg", (20.0, 0.0, 30.0)),
        ({"kind": "scale", "by": 3}, "scale", (3.0, 3.0, 3.0)),
        ({"kind": "scale", "by": [1, 2, 0.5]}, "scale", (1.0, 2.0, 0.5)),
        ({"kind": "hide"}, "visible", False),
        ({"kind": "show"}, "visible", True),
        ({"kind": "recolour", "rgb": [1, 0, 1]}, "color", (1.0, 0.0, 1.0)),
        ({"kind": "collision", "on": False}, "collides", False),
        ({"kind": "shadow", "on": False}, "casts_shadow", False),
        ({"kind": "shadow_offset", "by_m": [1, 0, 0]}, "shadow_offset_m", (1.0, 0.0, 0.0)),
        ({"kind": "retexture", "material": "default"}, "material", "default"),
        ({"kind": "retexture", "material": "missing"}, "material", "missing"),
    ],
)
def test_changes_act_and_are_undone(change: dict[str, Json], field: str, value: object) -> None:
    trigger = {"kind": "half_space", "axis": "x", "value": 1.0, "side": "above"}
    stage = Stage([effect(trigger, change)], CRATE)
    clean = stage["crate_1"]
    stage.driver.move(2.2)
    assert getattr(stage["crate_1"], field) == value
    assert stage.engine.twin() == {"crate_1": clean}
    stage.driver.move(-2.2)
    assert stage["crate_1"] == clean
    assert stage.engine.twin() == {} and stage.engine.touched() == ()


def test_effects_on_one_object_lie_over_each_other() -> None:
    near = {"kind": "half_space", "axis": "x", "value": 1.0, "side": "above"}
    nearer = {"kind": "half_space", "axis": "x", "value": 2.0, "side": "above"}
    up, aside = {"kind": "offset", "by_m": [0, 0, 1]}, {"kind": "offset", "by_m": [0, 2, 0]}
    stage = Stage([effect(near, up, once=True), effect(nearer, aside)], CRATE)
    stage.driver.move(2.2)
    assert stage["crate_1"].position == (6.0, 2.0, 1.0)
    stage.driver.move(-2.2)
    assert stage["crate_1"].position == (6.0, 0.0, 1.0)
    assert stage.engine.twin()["crate_1"].position == (6.0, 0.0, 0.0)
    assert stage.engine.twin()["crate_1"].bounds[0][2] == 0.0


def test_material_and_tint_lie_over_each_other_in_the_order_of_the_list() -> None:
    near = {"kind": "half_space", "axis": "x", "value": 1.0, "side": "above"}
    tint = {"kind": "recolour", "rgb": [1, 0, 0]}
    stage = Stage([effect({"kind": "always"}, tint), effect(near, BARE)], CRATE)
    stage.driver.move(2.2)
    assert (stage["crate_1"].material, stage["crate_1"].color) == ("missing", None)
    stage.driver.move(-2.2)
    assert (stage["crate_1"].material, stage["crate_1"].color) == (None, (1.0, 0.0, 0.0))
    stage = Stage([effect({"kind": "always"}, BARE), effect(near, tint)], CRATE)
    stage.driver.move(2.2)
    assert (stage["crate_1"].material, stage["crate_1"].color) == ("missing", (1.0, 0.0, 0.0))
    stage.driver.move(-2.2)
    assert (stage["crate_1"].material, stage["crate_1"].color) == ("missing", None)


def test_a_pushed_object_keeps_its_place_under_a_tint() -> None:
    trigger = {"kind": "half_space", "axis": "x", "value": 3.0, "side": "above"}
    tint = effect({"kind": "always"}, {"kind": "recolour", "rgb": [1, 0, 0]}, target="ball_1")
    stage = Stage([tint, effect(trigger, target="ball_1")], BALL)
    for _ in range(4):
        stage.driver.move(1.1)
    rolled = stage["ball_1"]
    assert rolled.position[0] > 2.5 and not rolled.visible
    twin = stage.engine.twin()["ball_1"]
    assert (twin.position, twin.color, twin.visible) == (rolled.position, None, True)


def test_blocker_stops_the_agent_unseen() -> None:
    blocker = {"kind": "blocker", "center_m": [2.0, 0.0, 1.0], "size_m": [0.2, 2.0, 2.0]}
    stage = Stage([{"trigger": {"kind": "always"}, "change": blocker}], CRATE)
    assert stage.engine.spawned() == ("extra_1",) == stage.engine.touched()
    assert stage.engine.twin() == {}
    assert stage["extra_1"].bounds == ((1.9, -1.0, 0.0), (2.1, 1.0, 2.0))
    motion = stage.driver.move(4.0)
    assert motion.blocked and motion.pose.x == pytest.approx(1.6)
    assert motion.contacts == (("agent", "extra_1"),)
    assert stage.log[-1][2]["target"] == "extra_1"


def test_duplicates_come_and_go_under_fixed_names() -> None:
    taken = box("extra_1", (0.0, 5.0, 0.0))
    near = {"kind": "half_space", "axis": "x", "value": 1.0, "side": "above"}
    copies = {"kind": "duplicate", "offsets_m": [[0, 2, 0], [0, -2, 0]]}
    stage = Stage([effect(near, copies)], CRATE, taken)
    assert stage.engine.spawned() == ()
    stage.driver.move(2.2)
    assert stage.engine.spawned() == ("extra_2", "extra_3")
    assert stage["extra_3"].position == (6.0, -2.0, 0.0)
    stage.driver.move(-2.2)
    assert stage.engine.spawned() == () and "extra_2" not in stage.driver.objects()


def test_a_copied_lamp_leaves_the_light_alone() -> None:
    lamp = box("lamp_1", (3.0, 0.0, 0.0), (0.4, 0.4, 2.0), device=switch("light_1"))
    copy = {"kind": "duplicate", "offsets_m": [[-1.5, 0, 0]]}
    stage = Stage(
        [effect({"kind": "always"}, copy, target="lamp_1")],
        lamp,
        lights=(Light("light_1", (3.0, 0.0, 2.0), on=False),),
    )
    assert stage.driver.interact().interacted == "extra_1"
    assert stage.driver.lights["light_1"].on is False


def test_spawn_takes_a_kind_of_the_library() -> None:
    from embodied_eval.worlds.library import KINDS

    kind = sorted(KINDS)[0]
    change = {"kind": "spawn", "item": kind, "position_m": [3, 1, 0], "yaw_deg": 90}
    stage = Stage([{"trigger": {"kind": "always"}, "change": change}], CRATE)
    assert stage["extra_1"].position == (3.0, 1.0, 0.0)
    assert stage["extra_1"].rotation_deg[2] == 90.0
    with pytest.raises(DataFileError, match="kind in the object library"):
        Stage([{"trigger": {"kind": "always"}, "change": {**change, "item": "zzz"}}], CRATE)


def test_a_replacement_stands_in_the_targets_place() -> None:
    turned = box("crate_1", (6.0, 0.0, 0.5), yaw_deg=30.0)
    near = {"kind": "half_space", "axis": "x", "value": 1.0, "side": "above"}
    swap = {"kind": "replace", "item": "cannon", "yaw_deg": 90, "scale": 0.5}
    stage = Stage([effect(near, swap), effect({"kind": "always"}, {"kind": "scale", "by": 2})], turned)
    before = stage["crate_1"]
    stage.driver.move(2.2)
    new, old = stage["extra_1"], stage["crate_1"]
    assert new.position == (6.0, 0.0, 0.5) and new.rotation_deg == (0.0, 0.0, 120.0)
    assert new.scale == (0.5, 0.5, 0.5) and (new.visible, new.collides) == (True, True)
    assert (old.visible, old.collides) == (False, False)
    assert stage.engine.spawned() == ("extra_1",)
    assert stage.engine.touched() == ("crate_1", "extra_1")
    twin = stage.engine.twin()
    assert twin.keys() == {"crate_1"} and (twin["crate_1"].visible, twin["crate_1"].collides) == (True, True)
    rows = stage.driver.visibility("a", ("crate_1", "extra_1"), twin, (96, 54))
    assert rows[0].pixels == 0 < rows[0].twin_pixels and rows[1].twin_pixels == 0 < rows[1].pixels
    snapshot = stage.engine.snapshot()
    stage.driver.move(-2.2)
    assert stage["crate_1"] == before and stage.engine.spawned() == ()
    stage.engine.restore(snapshot)
    again = stage["extra_1"]
    assert (again.position, again.bounds, stage["crate_1"]) == (new.position, new.bounds, old)
    assert again.id > new.id
    stage.engine.reset()
    assert "extra_1" not in stage.driver.objects() and stage["crate_1"].visible


def test_a_replacement_does_not_hide_its_target_from_the_trigger() -> None:
    swap = {"kind": "replace", "item": "cannon", "scale": 3}
    stage = Stage([effect({"kind": "gaze"}, swap)], CRATE, box("wall_1", (3.0, 9.0, 0.0)))
    stage.driver.advance(1.0)
    assert stage.fired() == [(0.0, True)]
    stage.driver.turn(90.0)
    assert [active for _, active in stage.fired()] == [True, False]


def test_a_jitter_depends_on_the_time_alone() -> None:
    shake = effect({"kind": "half_space", "axis": "x", "value": 1.0, "side": "below"}, SHAKE)
    lift = effect({"kind": "always"}, {"kind": "offset", "by_m": [0, 0, 1]})
    one, two = Stage([shake, lift], CRATE), Stage([shake, lift], CRATE)
    clean = box("crate_1", (6.0, 0.0, 0.0))
    places = []
    for _ in range(40):
        one.driver.advance(0.05)
        places.append(one["crate_1"].position)
        two.driver.capture(("rgb",), (8, 5))
        two.driver.advance(0.05)
        two.driver.capture(("rgb",), (8, 5))
        assert two["crate_1"] == one["crate_1"]
    assert len(set(places)) == 40 and {z for _, _, z in places} == {1.0}
    for axis in (0, 1):
        spread = [place[axis] - clean.position[axis] for place in places]
        assert -0.05 <= min(spread) < -0.04 and 0.04 < max(spread) <= 0.05
    # Pictures half a second apart, a whole number of periods of 4 Hz, do not show it at rest.
    assert len({place[1] for place in places[9::10]}) == 4
    assert one.engine.twin()["crate_1"].position == clean.position
    snapshot = one.engine.snapshot()
    one.engine.reset()
    assert one["crate_1"].position == clean.position
    one.engine.restore(snapshot)
    assert one["crate_1"] == two["crate_1"]
    one.driver.move(2.2)
    assert one["crate_1"].position == (6.0, 0.0, 1.0)


def test_lights_are_changed_and_undone_by_their_device() -> None:
    lamp = box("lamp_1", (1.5, 0.0, 0.0), (0.4, 0.4, 2.0), device=switch("light_1"))
    light = Light("light_1", (1.5, 0.0, 2.0), on=False)
    window = {"kind": "half_space", "axis": "x", "value": 0.3, "side": "above"}
    dark = {"kind": "light", "name": "light_1", "on": False, "color": [0, 0, 1]}
    dim = {"kind": "light", "name": "sun", "intensity": 0.1}
    stage = Stage(
        [
            {"trigger": window, "change": dark},
            {"trigger": {"kind": "always"}, "change": dim},
        ],
        lamp,
        lights=(light,),
    )
    assert stage.driver.lights["sun"].intensity == 0.1
    assert stage.driver.lights["sun"].on is True
    stage.driver.interact()
    assert stage.driver.lights["light_1"].on is True
    stage.driver.move(0.66)
    assert stage.driver.lights["light_1"].on is False
    assert stage.driver.lights["light_1"].color == (0.0, 0.0, 1.0)
    stage.driver.move(-0.66)
    assert stage.driver.lights["light_1"].on is True
    assert stage.driver.lights["light_1"].color == light.color
    assert stage.fired(0)[0][1] is True and stage.log[1][2]["target"] == "sun"


def test_a_change_the_simulator_ignores_is_an_error() -> None:
    with pytest.raises(SimulatorError, match="did not take visible"):
        Stage([effect({"kind": "always"})], CRATE, driver=PlaneDriver(deaf=["visible"]))
    for change, field in (
        (BARE, "material"),
        ({"kind": "shadow_offset", "by_m": [1, 0, 0]}, "shadow_offset_m"),
    ):
        with pytest.raises(SimulatorError, match=f"did not take {field}"):
            Stage([effect({"kind": "always"}, change)], CRATE, driver=PlaneDriver(deaf=[field]))
    throw = effect({"kind": "contact"}, {"kind": "impulse", "speed_m_s": 3}, target="ball_1")
    stage = Stage([throw], BALL, driver=PlaneDriver(deaf=["velocity_m_s"]))
    with pytest.raises(SimulatorError, match="did not take velocity_m_s"):
        stage.driver.move(2.2)


def test_needs_are_told_and_checked() -> None:
    blocker = {"kind": "blocker", "center_m": [2, 0, 1], "size_m": [1, 1, 1]}
    data = [
        {"trigger": {"kind": "contact"}, "change": blocker, "target": "crate_1"},
        effect({"kind": "gaze"}, {"kind": "shadow", "on": False}),
    ]
    assert required_capabilities(parse_effects(data)) == {"contacts", "spawn", "collision", "shadows"}
    (swap,) = parse_effects([effect({"kind": "always"}, {"kind": "replace", "item": "cannon"})])
    assert required_capabilities([swap]) == {"spawn", "collision"}
    (bare,) = parse_effects([effect({"kind": "always"}, BARE)])
    assert required_capabilities([bare]) == {"materials"}
    with pytest.raises(CapabilityMissing, match="lacks shadows"):
        Stage(data, CRATE, driver=PlaneDriver(lacks=["shadows"]))


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (effect({"kind": "always"}, target="crate_2"), "no object 'crate_2'. Did you mean 'crate_1'"),
        (effect({"kind": "contact", "with": "agnet"}), "Did you mean 'agent'"),
        (effect({"kind": "always"}, {"kind": "state", "to": "on"}), "no device"),
        (effect({"kind": "always"}, {"kind": "impulse", "gain": 2}), "not dynamic"),
        (effect({"kind": "always"}, {"kind": "light", "name": "son", "on": True}), "Did you mean 'sun'"),
        (effect({"kind": "always"}, {"kind": "retexture", "material": "mising"}), "Did you mean 'missing'"),
        (effect({"kind": "always"}, {"kind": "replace", "item": "canon"}), "Did you mean 'cannon'"),
    ],
)
def test_effects_that_do_not_fit_the_world(data: dict[str, Json], text: str) -> None:
    with pytest.raises(DataFileError) as caught:
        Stage([data], CRATE)
    assert text in str(caught.value)


def test_what_moves_by_itself_does_not_jitter() -> None:
    with pytest.raises(DataFileError, match="'ball_1' is dynamic; a jitter would hold it"):
        Stage([effect({"kind": "always"}, SHAKE, target="ball_1")], BALL)


def test_a_change_of_a_millimetre_is_made() -> None:
    stage = Stage([effect({"kind": "always"}, {"kind": "offset", "by_m": [0, 0, 0.001]})], CRATE)
    assert stage["crate_1"].position == (6.0, 0.0, 0.001)
