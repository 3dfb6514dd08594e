"""What code is a biome's own."""

from __future__ import annotations

import pytest

from benchmarks.worldbench.source.slices import slices
from tests.benchmarks.worldbench.source.kit import ALIASES, own, source_of


def test_functions_methods_and_classes_by_name() -> None:
    found = own(
        "function buildSwamp(a) { pool(a); }\nconst jungleRain = (t) => { fall(t); };\n"
        "class DuneSea { grow() { cactus(); } }\nconst kit = { blossomFall() { petal(); }, other() { x(); } };"
    )
    assert found["swamp"] == "function buildSwamp(a) { pool(a); }"
    assert "fall(t)" in found["jungle"]
    assert "petal()" in found["grove"]
    assert "x()" not in "".join(found.values())


def test_members_of_a_class_of_another_name() -> None:
    found = own("class World { swampPools() { pool(1); } duneHeights = [1, 2]; rest() { plain(1); } }")
    assert found == {"swamp": "swampPools() { pool(1); }", "desert": "duneHeights = [1, 2]"}


def test_a_name_inside_another_biomes_function_does_not_take_it() -> None:
    found = own("function buildDesert() { peaks.put(1); sand(2); }\nfunction other() { peaks.put(3); }")
    assert "put(1)" not in found["mountains"]
    assert "put(1)" in found["desert"]
    assert "put(3)" in found["mountains"]


def test_branches_of_ifs_switches_and_ternaries() -> None:
    found = own(
        "function top(b) { switch (b) { case 'swamp': return mud(); case 'jungle': case 'coast': { leaf(); break; }\n"
        "default: plain(); }\nif (b === 'volcano') lava(); else if (b === 'desert') { dune1(); } else { grass(); }\n"
        "return b === 'grove' ? pink() : b === 'mountains' ? rock() : green(); }"
    )
    assert found["swamp"] == "case 'swamp': return mud();"
    assert "leaf()" in found["jungle"]
    assert "leaf()" in found["delta"]
    assert found["volcano"] == "if (b === 'volcano') lava();"
    assert "dune1" in found["desert"]
    assert "pink()" in found["grove"]
    assert "rock()" in found["mountains"]
    for nobody in ("plain()", "grass()", "green()"):
        assert nobody not in "".join(found.values())


def test_guards_and_negations() -> None:
    found = own(
        "for (let i = 0; i < 9; i++) { const x = i; if (at(x) !== 'conifers') continue; pine(x); }\n"
        "function f(z) { if (z.biome !== 'swamp' || !z.ok) return; reed(); }\n"
        "if (b !== 'desert') { wet(); } else { dry(); }\nif (!isJungle(x)) { bare(); } else { vine(); }"
    )
    assert "pine(x)" in found["forest"]
    assert "reed()" in found["swamp"]
    assert "dry()" in found["desert"]
    assert "vine()" in found["jungle"]
    assert "wet()" not in "".join(found.values())
    assert "bare()" not in "".join(found.values())


def test_near_a_place_is_its_code_and_far_from_it_is_not() -> None:
    found = own(
        "const VOLCANO = { x: 3, z: 4 };\nfunction sample(x, z) {\n"
        "const d = Math.hypot(x - VOLCANO.x, z - VOLCANO.z);\nif (d < 9) { crater(); }\nif (d > 60) { river(); }\n"
        "if (jungleMask > 0.5) { canopy(); }\nif (jungleMask < 0.2) { bare(); }\nif (dist < 1) { other(); } }"
    )
    assert "crater()" in found["volcano"]
    assert "river()" not in found["volcano"]
    assert found["jungle"] == "if (jungleMask > 0.5) { canopy(); }"


def test_rows_and_properties_of_tables() -> None:
    found = own(
        "const COLOURS = { swamp: 0x112233, jungle: { leaf: 1 }, plain: 2 };\n"
        "const ROWS = [{ id: 'grove', tint: 5 }, { id: 'nothing', tint: 6 }, ['desert', 7]];\n"
        "const LIST = [['volcano', 1, 2], ['other', 3]];"
    )
    assert found["swamp"] == "swamp: 0x112233"
    assert found["jungle"] == "jungle: { leaf: 1 }"
    assert found["grove"] == "{ id: 'grove', tint: 5 }"
    assert found["volcano"] == "['volcano', 1, 2]"
    assert "tint: 6" not in "".join(found.values())


def test_a_row_gives_its_id_to_the_biome() -> None:
    found = own(
        "const T = [{ id: 'k3', title: 'Backwater Swamp' }, { id: 'k4', title: 'Dense Jungle' }];\n"
        "switch (z.k) { case 'k3': mud(); break; case 'k4': leaf(); break; }"
    )
    assert "mud()" in found["swamp"]
    assert "leaf()" in found["jungle"]
    assert "leaf()" not in found["swamp"]


def test_what_only_own_code_uses_is_own() -> None:
    found = own(
        "function reed(x) { put(x); }\nfunction shared(x) { cube(x); }\nconst murk = new Material({ color: 1 });\n"
        "const unit = 4;\nfunction buildSwamp() { reed(1); shared(2); use(murk, unit); }\n"
        "function buildJungle() { shared(3); }"
    )
    assert "put(x)" in found["swamp"]
    assert "new Material" in found["swamp"]
    assert "cube(x)" not in "".join(found.values())
    assert "shared(2)" in found["swamp"]
    assert "unit = 4" not in found["swamp"]


def test_a_stream_from_a_table_that_names_no_biome_is_nobodys() -> None:
    found = own(
        "const RIVERS = [[12, 57], [8, 46], [2, 34]]; // the highland stream into the grove, then jungle and coast\n"
        "for (const p of RIVERS) water(p[0], p[1]);\nfunction buildGrove() { petals(); }"
    )
    assert set(found) == {"grove"}
    assert "RIVERS" not in found["grove"]


@pytest.mark.parametrize(
    "code",
    [
        "// swamp with mangroves\nreed(1);",
        "/* jungle */ leaf();",
        "const words = ['swamp', 'jungle', 'grove', 'desert'];",
        "say('a jungle and a swamp, then the coast and a volcano, all of them named');",
        "const delta = clock.getDelta(); p.x += delta; const deltaTime = delta;",
        "window.onwheel = (e) => zoom(e.deltaY);",
        "if (h < SEA_LEVEL) carve(h, seaLevel);",
        "function buildWorld() { make(swamp, jungle, grove, desert); }",
    ],
)
def test_words_that_make_nothing_own(code: str) -> None:
    assert own(code) == {}


def test_a_name_that_holds_the_whole_world_owns_nothing() -> None:
    inner = "".join(
        f"function build{one}() {{ {one.lower()}Cube(1); }}\n"
        for one in ("Swamp", "Grove", "Desert", "Coast")
    )
    found = own(f"function jungleIsland() {{ {inner} plain(1); }}")
    assert "plain(1)" not in "".join(found.values())
    assert "buildSwamp" in found["swamp"]


def test_a_modified_kind_of_land_is_the_modifiers() -> None:
    found = own("function desertMountains() { mesa(1); }\nfunction rainForest() { vine(1); }")
    assert set(found) == {"desert", "jungle"}


def test_a_torn_file_is_still_sliced() -> None:
    found = own("(function () {\nfunction buildSwamp() { pool(1); }\nif (b === 'jungle') { leaf(")
    assert "pool(1)" in found["swamp"]
    assert "leaf(" in found["jungle"]


@pytest.mark.parametrize(
    "piece",
    ["{", "swamp(", "{swamp:", "if(swamp&&(", "else if(a)b();", "a=/[", "`${", "swamp.", "b==='swamp'&&"],
)
def test_hostile_code_ends(piece: str) -> None:
    own(piece * 5_000)


def test_the_browsers_functions_add_to_those_found() -> None:
    source = source_of("kit['grow'] = make(1, 2);\nfunction buildSwamp() { grow(); }")
    start = source.html.index("make(1")
    found = slices(source, ALIASES, [("grow", start, start + len("make(1, 2)"))])
    assert "make(1, 2)" in "|".join(source.text[one.start : one.end] for one in found["swamp"])
