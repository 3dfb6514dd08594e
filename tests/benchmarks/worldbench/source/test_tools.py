"""The evidence agent's read-only tools and its budget."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.worldbench.source.grep import pattern
from benchmarks.worldbench.source.tools import SourceTools
from embodied_eval.errors import DataFileError, UsageError

PAGE = """<!doctype html>
<script>
function buildSwamp(scene) {
  const lily = makePad(scene, 0x335522); // lily pads
  lily.position.y = 4;
}
const rain = (dt) => { drops.y -= dt * 18; };
</script>
"""


@pytest.fixture
def world(tmp_path: Path) -> Path:
    path = tmp_path / "world.html"
    path.write_text(PAGE, encoding="utf-8")
    return path


def test_grep_read_and_list(world: Path) -> None:
    with SourceTools(world) as tools:
        assert tools.call("grep", {"pattern": "LILY|drops"}).text.split("\n")[0].startswith("4: const lily")
        assert tools.call("grep", {"pattern": "make.*scene"}).text == (
            "4: const lily = makePad(scene, 0x335522); // lily pads"
        )
        assert tools.call("read_lines", {"first": 3, "last": 4}).text.startswith(
            "3: function buildSwamp(scene) {"
        )
        assert tools.call("list_functions", {}).text == "3-6: buildSwamp\n7-7: rain"
        assert tools.call("grep", {"pattern": "palm"}).text == "Nothing matches 'palm'."


def test_ten_calls_and_none_twice(world: Path) -> None:
    with SourceTools(world) as tools:
        first = tools.call("grep", {"pattern": "lily"})
        assert (first.refused, first.left) == (False, 9)
        again = tools.call("grep", {"pattern": "lily"})
        assert (again.refused, again.left, tools.repeated) == (True, 8, 1)
        for n in range(8):
            assert tools.call("read_lines", {"first": 1, "last": n + 1}).left == 7 - n
        last = tools.call("list_functions", {})
        assert (last.refused, last.left) == (True, 0)
        assert "No calls are left" in last.text


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("shell", {"command": "ls"}),
        ("grep", {}),
        ("grep", {"pattern": "(a+)+$"}),
        ("read_lines", {"first": "1", "last": 2}),
        ("read_lines", {"first": 5, "last": 2}),
        ("read_lines", {"first": True, "last": 2}),
    ],
)
def test_bad_calls_are_refused_with_words(world: Path, name: str, arguments: dict[str, object]) -> None:
    with SourceTools(world) as tools:
        reply = tools.call(name, arguments)
        assert reply.refused
        assert reply.text
        assert reply.left == 9


def test_the_file_must_not_change(world: Path) -> None:
    tools = SourceTools(world)
    world.write_text(PAGE + " ", encoding="utf-8")
    with pytest.raises(DataFileError, match="changed"):
        tools.close()
    with pytest.raises(DataFileError, match="cannot be read"):
        SourceTools(world.parent / "absent.html")


def test_packed_worlds_are_numbered_by_statement(tmp_path: Path) -> None:
    path = tmp_path / "packed.html"
    path.write_text(
        "<script>" + "".join(f"put({n},stone{n});" for n in range(60)) + "</script>", encoding="utf-8"
    )
    with SourceTools(path) as tools:
        assert tools.call("grep", {"pattern": "stone41"}).text == "42: put(41,stone41);"
        assert tools.call("read_lines", {"first": 42, "last": 42}).text == "42: put(41,stone41);"


@pytest.mark.parametrize(
    ("wanted", "text", "found"),
    [
        ("a.c", "xabc", True),
        (r"foo\(", "foo(1)", True),
        ("foo(1)", "foo1", True),
        (r"\bpool\b", "pools", False),
        ("colou?r", "color", True),
        ("[xyz]\\s*\\+=", "p.y  += 3", True),
        ("(rain|snow)Fall", "snowfall", True),
        ("^const .*=.*new", "const a = new B", True),
        ("a.*b", "b a", False),
        ("\\d+px", "12px", True),
    ],
)
def test_patterns(wanted: str, text: str, found: bool) -> None:
    assert (pattern(wanted).search(text) is not None) is found


@pytest.mark.parametrize(
    "wanted", ["", "  ", "x" * 201, "(a*)*b", "(a", ".*", "a?" * 9, "(a)(a)(a)(a)", "[z-a]"]
)
def test_patterns_that_are_refused(wanted: str) -> None:
    with pytest.raises(UsageError):
        pattern(wanted)


@pytest.mark.parametrize("wanted", [".*.*.*.*.*a.*b.*c.*d", "a.*a.*a.*a.*a.*a.*a.*!", "(a|a)(a|a)(a|a)x?!"])
def test_no_pattern_runs_away(wanted: str) -> None:
    assert pattern(wanted).search("a" * 200_000) is None
