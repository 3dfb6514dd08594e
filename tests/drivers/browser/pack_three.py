"""Packs npm tarballs of three.js into the archives under `embodied_eval/drivers/vendor/three`.

    npm pack three@0.128.0 three@0.134.0 three@0.160.0 three@0.166.1 three@0.187.0
    python -m tests.drivers.browser.pack_three three-*.tgz

Each archive holds the builds, the example modules chosen below with everything they import, and the licence;
`index.json` records where each came from and a hash of its content.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
import tarfile
import zipfile
from pathlib import Path
from posixpath import dirname, join, normpath

FOLDER = Path(__file__).parents[3] / "embodied_eval" / "drivers" / "vendor" / "three"

BUILDS = {
    "0.128.0": ("three.min.js", "three.module.js"),
    "0.134.0": ("three.min.js", "three.module.js"),
    "0.160.0": ("three.min.js", "three.module.min.js"),
    "0.166.1": ("three.module.min.js",),
    "0.187.0": ("three.core.js", "three.module.js", "three.tsl.js", "three.webgpu.js"),
}
FOLDERS = (
    "animation|cameras|capabilities|controls|csm|curves|effects|environments|geometries|helpers|interactive"
    "|lights|lines|math|modifiers|objects|postprocessing|shaders|textures|tsl/display|tsl/math|tsl/utils|utils"
)
LOADERS = "Collada|DRACO|EXR|FBX|Font|GLTF|HDR|HDRCubeTexture|KTX2|MTL|OBJ|PLY|RGBE|STL|SVG|TGA|UltraHDR|VOX"
LIBRARIES = (
    r"dat\.gui\.(?:module|min)|fflate\.(?:module|min)|lil-gui\.module\.min|meshopt_decoder\.module"
    r"|stats\.(?:module|min)|tween\.(?:module|min|module\.min)"
)
CHOSEN = re.compile(
    rf"examples/jsm?/(?:(?:{FOLDERS})/[^/]+|loaders/(?:{LOADERS})Loader|libs/(?:{LIBRARIES})|WebGL"
    r"|misc/(?:ConvexObjectBreaker|GPUComputationRenderer|MorphAnimMesh|Timer)"
    r"|renderers/(?:CSS2DRenderer|CSS3DRenderer|Projector|SVGRenderer)|exporters/(?:GLTF|OBJ)Exporter)\.js"
    r"|examples/fonts/helvetiker_(?:regular|bold)\.typeface\.json"
)
IMPORT = re.compile(r"""(?:\bfrom\s*|\bimport\s*\(?\s*)["'](\.{1,2}/[^"'\n]+)["']""")


def relative_imports(name: str, text: str) -> list[str]:
    """The archive members that the module `name` imports by a relative path."""
    return [normpath(join(dirname(name), found)) for found in IMPORT.findall(_no_comments(text))]


def _no_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/|^\s*//[^\n]*", "", text, flags=re.S | re.M)


def content_hash(members: dict[str, bytes]) -> str:
    """SHA-256 over names, lengths and bytes in name order: independent of how the archive was compressed."""
    digest = hashlib.sha256()
    for name in sorted(members):
        digest.update(f"{name}\0{len(members[name])}\0".encode())
        digest.update(members[name])
    return digest.hexdigest()


def choose(package: dict[str, bytes], version: str) -> dict[str, bytes]:
    """The members of the npm package that go into the archive."""
    wanted = [f"build/{name}" for name in BUILDS[version]]
    wanted += [name for name in package if CHOSEN.fullmatch(name)]
    chosen = {"LICENSE": package["LICENSE"]}
    while wanted:
        name = wanted.pop()
        if name in chosen or name not in package:
            continue
        chosen[name] = package[name]
        if name.endswith(".js"):
            wanted += relative_imports(name, package[name].decode())
    broken = _broken(chosen)
    while broken:
        for name in broken:
            del chosen[name]
        broken = _broken(chosen)
    return chosen


def _broken(chosen: dict[str, bytes]) -> list[str]:
    """Modules that need something the package itself does not hold."""
    return [
        name
        for name, body in chosen.items()
        if name.startswith("examples/") and name.endswith(".js")
        if any(needed not in chosen for needed in relative_imports(name, body.decode()))
    ]


def pack(tarball: Path) -> tuple[str, dict[str, object]]:
    """Writes one archive; returns its version and its row for `index.json`."""
    body = tarball.read_bytes()
    with tarfile.open(tarball) as archive:
        package = {
            member.name.removeprefix("package/"): archive.extractfile(member).read()  # type: ignore[union-attr]
            for member in archive.getmembers()
            if member.isfile()
        }
    version = json.loads(package["package.json"])["version"]
    chosen = choose(package, version)
    with zipfile.ZipFile(FOLDER / f"{version}.zip", "w") as archive:
        for name in sorted(chosen):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.external_attr = 0o644 << 16
            archive.writestr(info, chosen[name], zipfile.ZIP_DEFLATED, 9)
    return version, {
        "source": f"https://registry.npmjs.org/three/-/three-{version}.tgz",
        "integrity": "sha512-" + base64.b64encode(hashlib.sha512(body).digest()).decode(),
        "files": len(chosen),
        "content_sha256": content_hash(chosen),
    }


def main() -> None:
    rows = dict(pack(Path(name)) for name in sys.argv[1:])
    index = FOLDER / "index.json"
    index.write_text(json.dumps({"license": "MIT", "versions": rows}, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
