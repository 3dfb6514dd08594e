"""Vendored three.js: the archives are whole, and addresses of every usual shape find the right file."""

from __future__ import annotations

import json
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embodied_eval.drivers.browser.vendored import FOLDER, answer, current, vendored_file, versions
from embodied_eval.drivers.browser.versions import best_version
from embodied_eval.errors import UnknownName
from tests.drivers.browser.pack_three import content_hash, relative_imports

VERSIONS = ("0.128.0", "0.134.0", "0.160.0", "0.166.1", "0.187.0")
CONTROLS = "examples/jsm/controls/OrbitControls.js"


def test_the_versions() -> None:
    assert versions() == VERSIONS
    assert current() == "0.187.0"


@pytest.mark.parametrize("version", VERSIONS)
def test_an_archive_is_what_the_index_says_and_needs_nothing_else(version: str) -> None:
    with zipfile.ZipFile(FOLDER / f"{version}.zip") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    row = json.loads((FOLDER / "index.json").read_text())["versions"][version]
    assert content_hash(members) == row["content_sha256"]
    assert len(members) == row["files"]
    assert b"MIT License" in members["LICENSE"]
    missing = {
        (name, needed)
        for name, body in members.items()
        if name.endswith(".js")
        for needed in relative_imports(name, body.decode())
        if needed not in members
    }
    assert not missing


@pytest.mark.parametrize("version", VERSIONS)
def test_the_usual_modules_are_there(version: str) -> None:
    for name in (
        *("controls/OrbitControls", "controls/PointerLockControls", "controls/FirstPersonControls"),
        *("loaders/GLTFLoader", "loaders/OBJLoader", "loaders/RGBELoader", "loaders/DRACOLoader"),
        *("postprocessing/EffectComposer", "postprocessing/RenderPass", "postprocessing/UnrealBloomPass"),
        *(
            "math/ImprovedNoise",
            "math/SimplexNoise",
            "math/MeshSurfaceSampler",
            "math/Capsule",
            "math/Octree",
        ),
        *("objects/Sky", "objects/Water", "objects/Reflector", "objects/Lensflare"),
        *("utils/BufferGeometryUtils", "utils/SkeletonUtils", "environments/RoomEnvironment"),
        *("geometries/RoundedBoxGeometry", "libs/stats.module", "shaders/CopyShader"),
    ):
        assert vendored_file(version, f"examples/jsm/{name}.js")


@pytest.mark.parametrize(
    ("url", "version", "file"),
    [
        (
            "https://cdnjs.cloudflare.com/ajax/libs/three.js/r128/three.min.js",
            "0.128.0",
            "build/three.min.js",
        ),
        ("https://cdnjs.cloudflare.com/ajax/libs/three.js/r134/three.js", "0.134.0", "build/three.min.js"),
        (
            "https://cdnjs.cloudflare.com/ajax/libs/three.js/0.160.0/three.module.min.js",
            "0.160.0",
            "build/three.module.min.js",
        ),
        ("https://cdn.jsdelivr.net/npm/three@0.166.1/" + CONTROLS, "0.166.1", CONTROLS),
        (
            "https://cdn.jsdelivr.net/npm/three@0.166/build/three.module.js",
            "0.166.1",
            "build/three.module.min.js",
        ),
        ("https://unpkg.com/three@^0.160.0/addons/controls/OrbitControls.js", "0.160.0", CONTROLS),
        ("https://unpkg.com/three@0.128", "0.128.0", "build/three.min.js"),
        ("https://unpkg.com/three/build/three.module.js", "0.187.0", "build/three.module.js"),
        ("https://unpkg.com/three@latest/build/three.core.js", "0.187.0", "build/three.core.js"),
        ("https://threejs.org/build/three.module.js", "0.187.0", "build/three.module.js"),
        ("https://threejs.org/" + CONTROLS, "0.187.0", CONTROLS),
        ("https://raw.githack.com/mrdoob/three.js/r128/build/three.min.js", "0.128.0", "build/three.min.js"),
        ("https://cdn.jsdelivr.net/gh/mrdoob/three.js@r134/build/three.js", "0.134.0", "build/three.min.js"),
        (
            "https://cdn.jsdelivr.net/npm/three@0.134.0/examples/js/controls/OrbitControls.js",
            "0.134.0",
            "examples/js/controls/OrbitControls.js",
        ),
    ],
)
def test_an_address_finds_its_file(url: str, version: str, file: str) -> None:
    found = answer(url)
    assert found is not None
    assert (found.version, found.file, found.substituted, found.asked) == (version, file, False, version)
    assert found.body == vendored_file(version, file)
    assert found.media_type.startswith("text/javascript")


@pytest.mark.parametrize(
    ("url", "asked", "version"),
    [
        ("https://unpkg.com/three@0.150.1/build/three.module.js", "0.150.1", "0.160.0"),
        ("https://ajax.googleapis.com/ajax/libs/threejs/r84/three.min.js", "r84", "0.128.0"),
        ("https://unpkg.com/three@0.200.0/build/three.module.js", "0.200.0", "0.187.0"),
        ("https://unpkg.com/three@0.166.0/build/three.module.js", "0.166.0", "0.166.1"),
        # Classic examples end with r147; the nearest version that has them answers.
        ("https://unpkg.com/three@0.147.0/examples/js/controls/OrbitControls.js", "0.147.0", "0.134.0"),
        ("https://unpkg.com/three@super/build/three.module.js", "super", "0.187.0"),
    ],
)
def test_an_unknown_version_is_replaced_by_the_nearest_and_says_so(
    url: str, asked: str, version: str
) -> None:
    found = answer(url)
    assert found is not None
    assert (found.asked, found.version, found.substituted) == (asked, version, True)


@pytest.mark.parametrize(
    "url",
    [
        "https://fonts.googleapis.com/css2?family=Silkscreen",
        "https://cdn.jsdelivr.net/npm/cannon-es@0.20.0/dist/cannon-es.js",
        "https://cdn.jsdelivr.net/npm/three-mesh-bvh@0.7.0/build/index.module.js",
        # What the real mirrors do not have either.
        "https://unpkg.com/three@0.187.0/build/three.min.js",
        "https://unpkg.com/three@0.160.0/examples/jsm/controls/NoControls.js",
        "https://example.com/build/three.module.js",
        "https://unpkg.com/three@0.160.0/../../../../etc/passwd",
        "data:text/javascript,three@0.160.0",
    ],
)
def test_anything_else_is_not_answered(url: str) -> None:
    assert answer(url) is None


@pytest.mark.parametrize(
    "host",
    [
        "https://esm.sh/three@0.160.0{}",
        "https://cdn.jsdelivr.net/npm/three@0.160.0{}/+esm",
        "https://unpkg.com/three@0.160.0{}?module",
    ],
)
def test_services_without_import_maps_give_one_three(host: str) -> None:
    main = answer(host.format(""))
    controls = answer(host.format("/" + CONTROLS))
    composer = answer(host.format("/examples/jsm/postprocessing/EffectComposer.js"))
    assert main and controls and composer
    target = main.body.decode().split('"')[1]
    assert main.body.decode().startswith("export * from")
    assert f'from "{target}"'.encode() in controls.body
    origin = "/".join(host.split("/")[:3])
    whole = answer(origin + target)
    assert whole and whole.body == vendored_file("0.160.0", "build/three.module.min.js")
    for line in composer.body.decode().splitlines():
        if "ShaderPass.js" in line:
            inner = answer(origin + line.split('"')[1])
            assert inner and inner.file == "examples/jsm/postprocessing/ShaderPass.js"
            assert b'from "three"' not in inner.body


def test_files_by_version_and_path() -> None:
    assert b"REVISION" in vendored_file(current(), "build/three.core.js")
    with pytest.raises(UnknownName, match="no vendored three"):
        vendored_file("0.1.0", "build/three.js")
    with pytest.raises(UnknownName, match="OrbitControl"):
        vendored_file(current(), "examples/jsm/controls/OrbitControl.js")


@given(st.integers(0, 400), st.integers(0, 9))
def test_the_nearest_version_is_nearest(minor: int, patch: int) -> None:
    found = best_version(f"0.{minor}.{patch}", VERSIONS, VERSIONS)
    assert found is not None
    served, substituted = found
    assert substituted == (f"0.{minor}.{patch}" not in VERSIONS)
    distance = abs(int(served.split(".")[1]) - minor)
    assert distance == min(abs(int(one.split(".")[1]) - minor) for one in VERSIONS)


@given(st.text(max_size=30))
def test_no_version_text_breaks_it(text: str) -> None:
    best_version(text, VERSIONS, VERSIONS)
    answer(f"https://unpkg.com/three@{text}/build/three.module.js")


@pytest.mark.parametrize(
    ("asked", "served"),
    [
        (">=0.150", "0.187.0"),
        ("~0.166.0", "0.166.1"),
        (">0.128.0 <0.160.0", "0.134.0"),
        ("0.160.x", "0.160.0"),
        ("^0.134", "0.134.0"),
        ("0.128.0 || 0.160.0", "0.160.0"),
        ("*", "0.187.0"),
        ("0", "0.187.0"),
        ("<= 0.134.0", "0.134.0"),
        ("v0.160.0-build", "0.160.0"),
    ],
)
def test_ranges(asked: str, served: str) -> None:
    assert best_version(asked, VERSIONS, VERSIONS) == (served, False)
