"""The specification's sums, and what its reader refuses."""

from __future__ import annotations

import shutil
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from benchmarks.worldbench.evidence import BIOMES
from benchmarks.worldbench.items_table import items_table
from benchmarks.worldbench.spec import FOLDER, load_spec
from benchmarks.worldbench.spec_files import read_spec
from embodied_eval.errors import DataFileError, SchemaMismatch

SPEC = load_spec()


def test_five_tests_add_up_to_280() -> None:
    sums = {
        test: sum(item.points for item in SPEC.of(test=test) if not item.forbidden)
        for test in ("WC001", "WC002", "WC003", "WC004", "WC005")
    }
    assert sums == {"WC001": 40, "WC002": 20, "WC003": 100, "WC004": 100, "WC005": 20}
    assert sum(sums.values()) == 280
    assert sum(item.points for item in SPEC.of(kind="source")) == 20


def test_counts_of_items() -> None:
    kinds = Counter(item.kind for item in SPEC.items.values())
    assert kinds["required"] == 73
    assert (kinds["forbidden"], kinds["forbidden_look"], kinds["stars"]) == (43, 35, 1)
    assert (kinds["still"], kinds["moving"]) == (65, 35)
    assert sum(item.fauna for item in SPEC.items.values()) == 11
    assert (kinds["source"], kinds["time"], kinds["place"], kinds["hunt"], kinds["gate"]) == (
        11,
        10,
        10,
        1,
        2,
    )


def test_counts_by_region() -> None:
    required = [len(SPEC.of(biome=biome, kind="required")) for biome in BIOMES]
    forbidden = [len(SPEC.of(biome=biome, kind="forbidden")) for biome in BIOMES]
    still = [len(SPEC.of(biome=biome, kind="still")) for biome in BIOMES]
    looks = [len(SPEC.of(biome=biome, kind="forbidden_look")) for biome in BIOMES]
    assert required == [6, 6, 9, 9, 7, 6, 6, 11, 7, 6]
    assert forbidden == [4, 4, 5, 3, 4, 5, 4, 6, 4, 4]
    assert still == [7, 7, 6, 5, 8, 8, 5, 7, 8, 4]
    assert looks == [4, 4, 3, 3, 3, 4, 3, 3, 4, 4]
    for biome in BIOMES:
        assert sum(item.points for item in SPEC.of(biome=biome, kind="required")) == 10
        assert len(SPEC.of(test="WC004", biome=biome)) - len(SPEC.of(biome=biome, kind="forbidden_look")) in (
            10,
            11,
        )


def test_points_are_exact() -> None:
    assert SPEC.items["C.mountains.1"].points == Fraction(10, 6)
    assert SPEC.items["C.delta.11"].points == Fraction(10, 11)
    assert SPEC.items["F.highlands.5"].points == Fraction(10, 9)


def test_axes() -> None:
    axes = {item.id: (item.axis, item.fauna) for item in SPEC.of(kind="moving")}
    assert axes["P.mountains.8"] == ("blowing", False)
    assert axes["P.jungle.10"] == ("pulsing", True)
    assert axes["P.volcano.5"] == ("pulsing", False)
    assert axes["P.volcano.10"] == ("still", False)
    assert all(item.axis in SPEC.accepts for item in SPEC.of(kind="moving"))


@pytest.mark.parametrize(
    ("expected", "given", "fits"),
    [
        ("falling", "down", True),
        ("falling", "flowing", True),
        ("falling", "rising", False),
        ("flowing", "pulsing", True),
        ("flowing", "drift", True),
        ("rising", "glow", True),
        ("rising", "flowing", False),
        ("blowing", "wind", True),
        ("blowing", "falling", False),
        ("pulsing", "rising", False),
        ("still", "", True),
        ("still", "hang", True),
        ("still", "falling", False),
        ("grounded", "Walk", True),
        ("grounded", "still", False),
    ],
)
def test_which_axis_may_stand_for_which(expected: str, given: str, fits: bool) -> None:
    assert SPEC.compatible(expected, given) is fits


@pytest.mark.parametrize(
    ("code", "driven"),
    [
        ("rain.position.y -= 0.2;", True),
        ("const drift = Math.sin(t * 2);", True),
        ("update(deltaTime)", True),
        ("mesh.instanceMatrix.needsUpdate = true;", True),
        ("uniforms.uWave.value = w;", True),
        ("scene.add(makeTree(x, z));", False),
        ("const timber = wood();", False),
    ],
)
def test_signs_of_a_clock(code: str, driven: bool) -> None:
    assert SPEC.driven(code) is driven


def test_every_decidable_item_has_words_to_look_for() -> None:
    for item in SPEC.items.values():
        assert item.text.endswith(".") or item.kind in ("place",)
        if item.kind not in ("hunt", "place", "gate"):
            assert item.keywords, item.id


def test_texts_are_unique_within_a_region_and_kind() -> None:
    for biome in BIOMES:
        texts = [item.text for item in SPEC.of(biome=biome) if item.test in ("WC003", "WC004")]
        by_test = Counter((item.test, item.text) for item in SPEC.of(biome=biome))
        assert max(by_test.values()) == 1, texts


def test_near_is_within_a_fifth_on_either_side() -> None:
    near = SPEC.thresholds.is_near
    assert near(0.018, 0.015) and near(0.012, 0.015) and near(4.0, 4.0)
    assert not near(0.019, 0.015) and not near(0.0, 0.001)


def copied(folder: Path) -> Path:
    return Path(shutil.copytree(FOLDER, folder / "spec"))


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("items.toml", "required = 73", "required = 72", "items.toml: sums.required says 72, there are 73"),
        ("items.toml", "WC001 = 40", "WC001 = 41", "sums.points.WC001 says 41, the items add up to 40"),
        ("items.toml", '"V.bulk", points = 1', '"V.bulk", points = 2', "sums.points.WC001 says 40"),
        ("items.toml", '"V.bulk"', '"V.boxes"', "the id V.boxes stands there twice"),
        ("items.toml", 'text = "Murky', 'colour = 1, text = "Murky', "contents.swamp.required.0.colour"),
        ("items.toml", "[contents.swamp]", "[contents.bog]", "contents.bog"),
        (
            "items.toml",
            'keywords = ["palm", "coconut", "frond"]',
            'keywords = ["Palm"]',
            "contents.delta.required.2",
        ),
        ("looks.toml", 'axis = "blowing"', 'axis = "sideways"', "looks.mountains.moving.0.axis"),
        ("looks.toml", "fauna = true, ", "", "items.toml: sums.fauna says 11, there are 10"),
        (
            "rules.toml",
            'touches_any = ["highlands"',
            'touches_any = ["hills"',
            "placement.grove.touches_any.0",
        ),
        (
            "rules.toml",
            'rising = ["rise",',
            'rising = ["down",',
            "axes.synonyms: 'down' stands for falling and rising",
        ),
        ("rules.toml", r"'\bneedsUpdate\b'", "'('", "time_drivers.patterns"),
        ("thresholds.toml", "motion_share = 0.001", "motion_share = 0", "decide.motion_share"),
        ("thresholds.toml", "near = 0.2", "near = 0.2\nnearer = 1", "decide.nearer"),
        ("aliases.toml", 'volcano = ["volcano",', 'volcano = ["dune",', "'dune' already names desert"),
        ("aliases.toml", "volcano = [", "[", "aliases.toml is no TOML"),
    ],
)
def test_faults_are_told_with_file_and_place(
    tmp_path: Path, file: str, old: str, new: str, told: str
) -> None:
    folder = copied(tmp_path)
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))
    with pytest.raises(DataFileError) as error:
        read_spec(folder)
    assert told in str(error.value)
    assert file in str(error.value) or "items.toml" in str(error.value)


def test_a_missing_region_and_a_missing_file_are_told(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    text = (folder / "rules.toml").read_text()
    start, end = text.index("[placement.desert]"), text.index("[placement.volcano]")
    (folder / "rules.toml").write_text(text[:start] + text[end:])
    with pytest.raises(DataFileError, match=r"rules.toml: placement: no entry for desert"):
        read_spec(folder)
    (folder / "rules.toml").unlink()
    with pytest.raises(DataFileError, match=r"rules.toml cannot be read"):
        read_spec(folder)


def test_another_schema_version_is_told(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    text = (folder / "thresholds.toml").read_text()
    (folder / "thresholds.toml").write_text(text.replace("thresholds/1", "thresholds/2"))
    with pytest.raises(SchemaMismatch, match=r"thresholds.toml"):
        read_spec(folder)


def test_the_documented_table_is_that_of_the_files() -> None:
    page = Path(__file__).parents[3] / "docs" / "worldbench-items.md"
    assert page.read_text(encoding="utf-8") == items_table(SPEC)
