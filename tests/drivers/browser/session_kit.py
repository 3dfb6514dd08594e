"""Pages for the session tests, and a session over the module's shared browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from embodied_eval.drivers.browser.browser import Browser
from embodied_eval.drivers.browser.outcome import Loaded
from embodied_eval.drivers.browser.session import PageSession
from embodied_eval.drivers.browser.settings import BrowserSettings
from embodied_eval.drivers.browser.site import Site

SIZE = (320, 240)
SETTINGS = BrowserSettings(size=SIZE)

# A canvas of two colours: the smallest page that is ready at once.
DRAWN = """<canvas id=paper width=64 height=64></canvas><script>
{ const brush = paper.getContext("2d"); brush.fillStyle = "red"; brush.fillRect(8, 8, 20, 20); }
</script>"""

# Thirty cubes by chance, turning with time; expects THREE, and `controls` may be made in `extra`.
CUBES = """
const renderer = new THREE.WebGLRenderer();
renderer.setSize(innerWidth, innerHeight);
document.body.appendChild(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x88aaff);
const camera = new THREE.PerspectiveCamera(60, innerWidth / innerHeight, 0.1, 100);
camera.position.set(0, 0, 12);
const sun = new THREE.DirectionalLight(0xffffff, 1);
sun.position.set(1, 2, 3);
scene.add(sun);
const cubes = new THREE.Group();
cubes.name = "cubes";
scene.add(cubes);
for (let n = 0; n < 30; n += 1) {
  const cube = new THREE.Mesh(new THREE.BoxGeometry(1, 1, 1), new THREE.MeshLambertMaterial({ color: 0xcc5533 }));
  cube.name = `cube ${n}`;
  cube.position.set(8 * Math.random() - 4, 8 * Math.random() - 4, 8 * Math.random() - 4);
  cubes.add(cube);
}
//EXTRA
function frame(t) {
  cubes.rotation.y = t / 1000;
  renderer.render(scene, camera);
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
"""
HEAD = "<!doctype html><style>body { margin: 0; overflow: hidden } canvas { display: block }</style>"


def classic(source: str, *, more: str = "", extra: str = "", body: str = "") -> str:
    """The page of cubes with three.js from a classic script, and another script at `more`."""
    scripts = "".join(f'<script src="{one}"></script>' for one in (source, more) if one)
    return f"{HEAD}<body>{body}{scripts}<script>{CUBES.replace('//EXTRA', extra)}</script>"


def module(imports: Mapping[str, str], *, head: str = "", extra: str = "", body: str = "") -> str:
    """The page of cubes as a module, with an import map; `head` holds further imports."""
    import json

    mapped = f'<script type="importmap">{json.dumps({"imports": dict(imports)})}</script>' if imports else ""
    start = head or 'import * as THREE from "three";'
    return (
        f'{HEAD}<body>{body}{mapped}<script type="module">{start}\n{CUBES.replace("//EXTRA", extra)}</script>'
    )


R128 = "https://cdnjs.cloudflare.com/ajax/libs/three.js/r128/three.min.js"


def opened(
    browser: Browser, page: str, files: Mapping[str, bytes] | None = None, *, seed: int = 1, **options: Any
) -> tuple[PageSession, Loaded]:
    """A session with `page` open in it, and how its load ended."""
    session = PageSession(browser, seed=seed, size=SIZE)
    site = Site.from_files({"index.html": page.encode(), **(files or {})})
    return session, session.open(site, **options)
