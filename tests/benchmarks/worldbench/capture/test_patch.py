"""The clock patch's limits: each refused for its reason, nothing applied."""

from __future__ import annotations

import pytest

from benchmarks.worldbench.capture.manifest import Edit
from benchmarks.worldbench.capture.patch import INJECTED, applied, refusals

PAGE = "<!doctype html><p>x</p><SCRIPT>let a = 1; let b = 2; let c = 3; let d = 4; let e = 5; let f = 6; let g = 7;</SCRIPT>"


def edit(name: str, new: str = "__ee_time.timeOfDay", pad: int = 0) -> Edit:
    old = f"let {name} ="
    text = f"let {name} = {new} ?? "
    return Edit(old, text + " " * (pad - (len(text) - len(old))) if pad else text)


def test_six_edits_of_599_added_characters_are_accepted() -> None:
    edits = [edit(name, pad=599) for name in "abcdef"]
    assert all(len(one.new) - len(one.old) == 599 for one in edits)
    assert refusals(PAGE, edits) == ()
    made = applied(PAGE, edits)
    assert made.count("__ee_time.timeOfDay ??") == 6
    assert made.index(INJECTED) < made.index("<SCRIPT>")


@pytest.mark.parametrize(
    ("edits", "why"),
    [
        ([edit(name) for name in "abcdefg"], "at most 6"),
        ([edit("a", pad=600)], "adds 600 characters"),
        ([edit("a", new="Date.now()")], "does not read"),
        ([Edit("let", "let __ee_time")], "occurs 7 times"),
        ([Edit("nowhere", "__ee_time")], "occurs 0 times"),
        ([Edit("", "__ee_time")], "occurs 0 times"),
        ([], "no edit"),
        ([edit("a", new="__ee_time && scene.add(new THREE.PointLight(1))")], "adds a light"),
        ([edit("a", new="__ee_time && new THREE.MeshBasicMaterial()")], "adds a material"),
        ([edit("a", new="__ee_time && new THREE.BoxGeometry(1, 1, 1)")], "adds a geometry"),
        ([edit("a", new="__ee_time && '#ffcc00'")], "adds a colour"),
        ([edit("a", new="__ee_time && 0xffcc00")], "adds a colour"),
        ([edit("a", new="__ee_time && (sun.intensity = 2)")], "adds a change of brightness"),
        ([Edit("let a = 1;", "__ee_time"), Edit("= 1; let b", "__ee_time")], "overlap"),
    ],
)
def test_each_limit_refuses_for_its_reason(edits: list[Edit], why: str) -> None:
    found = refusals(PAGE, edits)
    assert any(why in reason for reason in found), found


def test_what_the_page_already_wrote_may_be_moved_around() -> None:
    page = "<script>sun.intensity = day(t) * 2;</script>"
    kept = Edit("sun.intensity = day(t)", "sun.intensity = day(__ee_time.timeOfDay ?? t)")
    assert refusals(page, [kept]) == ()
