"""The devtools hook in every vendored three.js, through the addresses that pages use."""

from __future__ import annotations

import numpy as np
import pytest

from embodied_eval.drivers.browser.browser import Browser
from tests.drivers.browser.conftest import Browsers
from tests.drivers.browser.session_kit import R128, SETTINGS, classic, module, opened

pytestmark = pytest.mark.browser
JSDELIVR = "https://cdn.jsdelivr.net/npm/three@"
ORBIT = "controls/OrbitControls.js"


@pytest.fixture
def browser(browsers: Browsers) -> Browser:
    return browsers(SETTINGS)


def mapped(version: str) -> dict[str, str]:
    base = f"https://unpkg.com/three{version}/"
    return {"three": f"{base}build/three.module.js", "three/addons/": f"{base}examples/jsm/"}


ADDONS = f'import * as THREE from "three";\nimport {{ OrbitControls }} from "three/addons/{ORBIT}";'
COMPOSER = """
import { EffectComposer } from "three/addons/postprocessing/EffectComposer.js";
import { RenderPass } from "three/addons/postprocessing/RenderPass.js";
import { UnrealBloomPass } from "three/addons/postprocessing/UnrealBloomPass.js";
import { OutputPass } from "three/addons/postprocessing/OutputPass.js";"""
COMPOSE = """
const composer = new EffectComposer(renderer);
composer.addPass(new RenderPass(scene, camera));
composer.addPass(new UnrealBloomPass(new THREE.Vector2(160, 120), 0.5, 0.4, 0.9));
composer.addPass(new OutputPass());
"""
PAGES = {
    "r128 classic": (classic(R128), "128"),
    "r134 classic": (
        classic(
            "https://cdnjs.cloudflare.com/ajax/libs/three.js/r134/three.min.js",
            more=f"{JSDELIVR}0.134.0/examples/js/{ORBIT}",
            extra="new THREE.OrbitControls(camera, renderer.domElement);",
        ),
        "134",
    ),
    "0.160 import map": (
        module(mapped("@0.160.0"), head=ADDONS, extra="new OrbitControls(camera, renderer.domElement);"),
        "160",
    ),
    "0.166 by address": (
        module({}, head=f'import * as THREE from "{JSDELIVR}0.166.1/build/three.module.js";'),
        "166",
    ),
    "current, service": (
        module(
            {},
            head='import * as THREE from "https://esm.sh/three";\n'
            f'import {{ OrbitControls }} from "https://esm.sh/three/addons/{ORBIT}";',
            extra="new OrbitControls(camera, renderer.domElement); if (!(camera instanceof THREE.Camera)) throw 1;",
        ),
        "187",
    ),
    "current, WebGPU renderer on WebGL": (
        module({"three": "https://unpkg.com/three/build/three.webgpu.js"})
        .replace("WebGLRenderer()", "WebGPURenderer()")
        .replace("  requestAnimationFrame(frame);\n", "")
        .replace("requestAnimationFrame(frame);", "renderer.setAnimationLoop(frame);"),
        "187",
    ),
    "current, composer": (
        module(mapped(""), head=ADDONS + COMPOSER, extra=COMPOSE).replace(
            "renderer.render(scene, camera);", "composer.render();"
        ),
        "187",
    ),
}


@pytest.mark.parametrize("name", PAGES)
def test_scene_and_camera_are_found(browser: Browser, name: str) -> None:
    page, revision = PAGES[name]
    session, loaded = opened(browser, page)
    assert loaded.outcome == "ready", loaded
    assert loaded.errors == () and loaded.refused == () and loaded.substitutions == ()
    assert (loaded.three, loaded.hooked) == (revision, True)
    session.step(50, 2)
    graph, camera = session.scene(), session.camera()
    assert graph is not None and camera is not None
    cubes = [node for node in graph.nodes if node.name.startswith("cube ")]
    assert len(cubes) == 30
    assert {node.triangles for node in cubes} == {12}
    assert {node.material.color for node in cubes if node.material} == {"#cc5533"}
    assert camera.fov_deg == pytest.approx(60)
    assert np.allclose(camera.position, (0, 0, 12))
    assert np.allclose(camera.forward, (0, 0, -1)) and np.allclose(camera.up, (0, 1, 0))
    before = session.status()
    session.seek(500)
    after = session.status()
    assert after.skipped > before.skipped
    assert len(np.unique(session.screenshot(interface=False).reshape(-1, 3), axis=0)) > 2


def test_an_unknown_version_is_substituted_and_told(browser: Browser) -> None:
    _, loaded = opened(browser, module(mapped("@0.152.2")))
    assert loaded.outcome == "ready"
    assert loaded.substitutions == (("0.152.2", "0.160.0"),)
    assert loaded.three == "160"


def test_the_main_picture_is_the_perspective_one_with_most_triangles(browser: Browser) -> None:
    extra = """
    const map = new THREE.Scene();
    map.add(new THREE.Mesh(new THREE.SphereGeometry(1, 64, 64), new THREE.MeshBasicMaterial()));
    const flat = new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 10);
    const mirror = new THREE.PerspectiveCamera(90, 1, 0.1, 100);
    const target = new THREE.WebGLRenderTarget(32, 32);
        const all = () => {
      renderer.autoClear = true;
      renderer.setRenderTarget(target); renderer.render(scene, mirror); renderer.setRenderTarget(null);
      renderer.render(scene, camera);
      renderer.autoClear = false; renderer.clearDepth();
      renderer.render(map, flat);
    };
    """
    session, _ = opened(
        browser,
        classic(R128, extra=extra).replace("renderer.render(scene, camera);\n  request", "all();\n  request"),
    )
    session.step()
    camera = session.camera()
    assert camera is not None and camera.fov_deg == pytest.approx(60)
    assert (session.scene() or pytest.fail("no scene")).nodes[1].type == "DirectionalLight"


def test_what_the_scene_graph_tells(browser: Browser) -> None:
    extra = """
    cubes.visible = false;
    const many = new THREE.InstancedMesh(new THREE.BoxGeometry(1, 1, 1), new THREE.MeshStandardMaterial(
      { name: "gold", color: 0x102030, emissive: 0x400000, opacity: 0.5, transparent: true }), 3);
    for (let n = 0; n < 3; n += 1) many.setMatrixAt(n, new THREE.Matrix4().makeTranslation(10 * n, 0, 0));
    many.castShadow = true;
    many.position.set(0, 5, 0);
    many.name = "many";
    scene.add(many);
    const turned = new THREE.Mesh(new THREE.BoxGeometry(2, 2, 2).toNonIndexed(), many.material);
    turned.rotation.y = Math.PI / 4;
    turned.name = "turned";
    scene.add(turned);
    """
    session, _ = opened(browser, classic(R128, extra=extra))
    graph = session.scene()
    assert graph is not None
    named = {node.name: node for node in graph.nodes}
    assert not named["cube 3"].visible and graph.nodes[named["cube 3"].parent].name == "cubes"
    many, turned = named["many"], named["turned"]
    assert (many.instances, many.triangles, many.cast_shadow, many.visible) == (3, 12, True, True)
    assert many.bounds == ((-0.5, 4.5, -0.5), (20.5, 5.5, 0.5))
    assert many.material is not None
    assert (many.material.name, many.material.color, many.material.emissive) == ("gold", "#102030", "#400000")
    assert many.material.opacity == 0.5 and many.material.transparent
    assert turned.bounds is not None
    assert np.allclose(turned.bounds, ((-(2**0.5), -1, -(2**0.5)), (2**0.5, 1, 2**0.5)))
    assert graph.triangles == 36 + 12
    assert graph.matrices.shape == (len(graph.nodes), 16)
    assert graph.matrices[many.id, 12:15].tolist() == [0, 5, 0]


def test_a_page_without_three_shows_nothing_to_the_hook(browser: Browser) -> None:
    page = """<canvas id=c width=64 height=64></canvas><script>
      const gl = c.getContext("webgl"); gl.enable(gl.SCISSOR_TEST); gl.scissor(0, 0, 20, 20);
      gl.clearColor(0, 1, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT);</script>"""
    session, loaded = opened(browser, page)
    assert (loaded.outcome, loaded.hooked, loaded.three) == ("ready", False, "")
    assert session.scene() is None and session.camera() is None
    session.seek(200)


def test_a_page_that_does_not_clear_sees_no_older_frame(browser: Browser) -> None:
    page = classic(R128, extra="renderer.autoClear = false; scene.background = null;")
    session, _ = opened(browser, page)
    session.step(50, 5)
    turning = session.screenshot(interface=False)
    fresh, _ = opened(browser, page.replace("renderer.autoClear = false;", ""))
    fresh.step(50, 5)
    assert (turning == fresh.screenshot(interface=False)).all()
