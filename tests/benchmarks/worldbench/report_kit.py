"""A store with judged worlds for the report's tests: drawn frames, a file with lines, evidence with known gaps."""

from __future__ import annotations

import io
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.worldbench.evidence import BIOMES, Clock, Evidence, Quote
from benchmarks.worldbench.grade import grade
from benchmarks.worldbench.options import Options
from benchmarks.worldbench.plugin import WorldBench
from benchmarks.worldbench.spec import Spec, load_spec
from benchmarks.worldbench.verdicts import verdicts_of
from embodied_eval.records import FrameRef, Json, Step, Verdict, content_hash, to_json
from embodied_eval.store import Receipt, RunDir, Store
from tests.benchmarks.worldbench.perfect import add, leak, perfect_evidence

SIZE = (320, 180)
COLOURS = {
    "mountains": (222, 228, 236),
    "forest": (58, 92, 74),
    "highlands": (128, 134, 98),
    "jungle": (40, 120, 48),
    "swamp": (84, 92, 52),
    "grassland": (124, 178, 74),
    "grove": (236, 168, 196),
    "delta": (64, 178, 190),
    "desert": (222, 196, 130),
    "volcano": (196, 72, 32),
}


@dataclass(frozen=True)
class Made:
    """One world to store: what its judge said; None = it was not judged."""

    task: str
    evidence: Evidence | None
    loaded: bool = True
    repeat: int = 0


def lossy(spec: Spec, seed: int, code: float = 0.12, frames: float = 0.4) -> Evidence:
    """A perfect world of which a share of the code and of the frames claims is missing, some refused, one leaked."""
    rng, whole = random.Random(seed), perfect_evidence(spec)
    kept = {name: claim for name, claim in whole.code.items() if rng.random() > code}
    for name in list(kept)[:: max(2, 40 - seed)]:
        look = Quote("const invented = true;", (), "the source does not hold it")
        kept[name] = replace(kept[name], look=look)
    seen = {
        name: replace(claim, refs=tuple(_ref(ref) for ref in claim.refs))
        for name, claim in whole.frames.items()
        if rng.random() > frames
    }
    made = replace(
        whole,
        code=kept,
        frames=seen,
        confirmed={biome: (f"close:{biome}",) for biome in BIOMES if biome != BIOMES[seed % 10]},
        hunt=tuple(replace(one, ref=_ref(one.ref)) for one in whole.hunt),
        clock=_clock(whole),
    )
    return add(made, leak("F.forest.2", code=True, frames=False))


def whole(spec: Spec) -> Evidence:
    """The perfect world with the refs of stored frames."""
    made = lossy(spec, 0, 0.0, -1.0)
    perfect = perfect_evidence(spec)
    return replace(
        made, code=perfect.code, frames={k: v for k, v in made.frames.items() if k in perfect.frames},
        confirmed={biome: (f"close:{biome}",) for biome in BIOMES},
    )  # fmt: skip


def _clock(evidence: Evidence) -> Clock:
    clock = evidence.clock
    return replace(
        clock,
        times=tuple(replace(look, ref=f"time:{i / 4:g}") for i, look in enumerate(clock.times) if look),
        seasons=tuple(replace(look, ref=f"season:{i}") for i, look in enumerate(clock.seasons) if look),
    )


def _ref(ref: str) -> str:
    return ref.replace("close.", "close:") if ref.startswith("close.") else ref


def html(lines: int = 420) -> str:
    """A page whose line n says that it is line n; the quotes of `perfect_evidence` count their lines."""
    body = [f"  place(grid[{n}], {n % 7}, 'block-{n}'); // <b>line {n}</b>" for n in range(2, lines)]
    return "\n".join(["<!doctype html><script>", *body, "</script>"])


def drawn(ref: str) -> bytes:
    """A stepped island in the colour of the region that `ref` names, on black."""
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", SIZE, (8, 8, 12))
    pen = ImageDraw.Draw(picture)
    biome = next((name for name in BIOMES if name in ref), "")
    rng = random.Random(ref)
    light = {"time:0": 0.25, "time:0.25": 0.7, "time:0.75": 0.6}.get(ref, 1.0)
    for row in range(9):
        for column in range(22):
            colour = COLOURS[biome] if biome else COLOURS[BIOMES[(column // 3 + row) % 10]]
            shade = light * (0.8 + 0.2 * rng.random())
            left, top = 24 + column * 12 + row, 60 + row * 9 - rng.randint(0, 3) * 4
            pen.rectangle((left, top, left + 11, top + 10), fill=tuple(int(c * shade) for c in colour))
    if ref.startswith("overlay"):
        picture = picture.point([v // 3 for v in range(256)] * 3)
        pen = ImageDraw.Draw(picture)
        for _ in range(150):
            x, y = rng.randint(30, 290), rng.randint(40, 130)
            pen.rectangle((x, y, x + 2, y + 6), fill=(255, 40, 30))
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def refs() -> list[str]:
    """Every frame that a world of this kit has."""
    close = [
        ref for b in BIOMES for ref in (f"turn:{b}:1", f"close:{b}", f"overlay:near:{b}", f"overlay:far:{b}")
    ]
    orbits = [f"orbit:{name}" for name in ("right", "left", "top", "bottom")]
    return [
        "overview",
        *orbits,
        *(f"time:{i / 4:g}" for i in range(4)),
        *(f"season:{i}" for i in range(4)),
        *close,
    ]


def rows(sha256: str) -> list[tuple[str, Mapping[str, Json]]]:
    """The plugin's own rows of a world."""
    text = html()
    made: list[tuple[str, Mapping[str, Json]]] = [
        ("worlds", {"source": "generated", "sha256": sha256, "bytes": len(text), "script_lines": 420,
                    "three_asked": "0.160.0", "three_served": "0.160.0", "outcome": "ready", "loaded": True,
                    "clean": True, "truncated": False, "errors": [], "html": text}),
    ]  # fmt: skip
    for ref in refs():
        if not ref.startswith(("turn", "overlay")):
            biome = ref.partition(":")[2] if ref.startswith("close") else ""
            made.append(("shots", {"ref": ref, "view": ref, "biome": biome, "sha256": "", "t_s": 1.0, "filled": 0.31,
                                   "luma_all": 31.0, "luma_lit": 60.0, "chroma_red": 0.33, "chroma_blue": 0.3,
                                   "note": ""}))  # fmt: skip
    for place in range(4):
        look = {"luma_all": 40.0 - 10 * abs(place - 2), "luma_lit": 70.0, "chroma_red": 0.3, "chroma_blue": 0.3,
                "clock": "patch"}  # fmt: skip
        made.append(("looks", {"kind": "time", "place": place, "ref": f"time:{place / 4:g}", **look, "differs": 9.0,
                               "shift": 0.02, "day": place == 2, "night": place == 0}))  # fmt: skip
        made.append(
            (
                "looks",
                {"kind": "season", "place": place, "ref": f"season:{place}", **look, "shift": 0.01 * place},
            )
        )
    for biome in BIOMES:
        made.append(("visits", {"biome": biome, "outcome": "found", "reason": "", "turns": 1, "ref": f"close:{biome}",
                                "shows": biome, "confidence": 0.9, "note": "legend entry, then closer"}))  # fmt: skip
        made.append(("turns", {"biome": biome, "turn": 1, "tool": "click", "arguments": {"ref": "e7"},
                               "result": "done", "ref": f"turn:{biome}:1"}))  # fmt: skip
        made.append(("bursts", {"biome": biome, "near_share": 0.0 if biome == "swamp" else 0.384,
                                "far_share": 0.0, "camera_still": True, "light": "set"}))  # fmt: skip
    return made


def judged_run(
    store: Store, worlds: Sequence[Made], model: str, judge: str = "rule", number: int = 1
) -> RunDir:
    """A run of `model` with these worlds, played and judged."""
    plugin, spec = WorldBench(), load_spec()
    keys = [content_hash([model, one.task, one.repeat, number])[:32] for one in worlds]
    tasks = {one.task: one for one in worlds}
    manifest = {
        "schema": "embodied-eval/run/1",
        "run_id": f"worldbench-{model.split('/')[-1]}-20300101T000000-{number:04d}",
        "benchmark": "worldbench",
        "benchmark_version": 1,
        "model": model,
        "privileged": False,
        "judge": judge,
        "driver": "page",
        "created_at": "2030-01-01T00:00:00+00:00",
        "versions": {"embodied-eval": "0.1.0"},
        "renderer": "llvmpipe",
        "config": {},
        "conditions": [{"name": "standard", "settings": Options().model_dump()}],
        "tasks": [
            {"id": name, "engine": "three.js", "scene": name, "world": "", "sha256": "0" * 64, "public": {},
             "tags": ["given"] if name.startswith("given/") else []}
            for name in tasks
        ],
        "tables": {key: to_json(table) for key, table in plugin.tables().items()},
        "plan": [
            {"episode_key": key, "key_fields": {}, "task_id": one.task, "condition": "standard",
             "repeat": one.repeat, "seed": 0}
            for key, one in zip(keys, worlds, strict=True)
        ],
    }  # fmt: skip
    run = store.create_run(manifest, {name: {} for name in tasks})
    for key, one in zip(keys, worlds, strict=True):
        sha256 = content_hash([model, one.task, one.repeat])
        _play(store, run, key, sha256, one)
        if one.evidence is not None:
            verdicts = verdicts_of(grade(one.evidence, spec), spec, judge=judge, judge_version="1")
            save(run, key, judge, verdicts)
    return run


def save(run: RunDir, key: str, judge: str, verdicts: Sequence[Verdict]) -> None:
    """Store the verdicts on the episode `key`."""
    run.save_verdicts(content_hash([judge])[:16], {"judge": judge, "version": "1"}, key, tuple(verdicts))


def _play(store: Store, run: RunDir, key: str, sha256: str, one: Made) -> None:
    with run.writer(key, 1) as writer:
        writer.start({"task": one.task})
        frames = []
        for ref in refs() if one.loaded else ():
            data = drawn(ref)
            frame = FrameRef(
                ref, store.frames.put(data, "image/png"), "image/png", *SIZE, len(data), 0.0, None
            )
            writer.frame(frame)
            frames.append(frame)
        writer.step(Step(0, "capture", {}, f"{len(frames)} frames", 0.0, frames=tuple(frames)))
        for table, row in rows(sha256) if one.loaded else ():
            writer.row(table, row)
        answer = {"sha256": sha256, "loaded": one.loaded, "outcome": "ready" if one.loaded else "page_error"}
        writer.receipt(
            Receipt(
                key, 1, status="completed", answer=answer, steps=1, finished_at="2030-01-01T00:01:00+00:00"
            )
        )


def store_at(folder: Path) -> Store:
    """An empty store."""
    return Store.open(folder / "store")
