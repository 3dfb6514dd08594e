"""Folders in the form of the official data, with texts of ours."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

PREFIX = {
    "subway": "S", "indoor": "H", "urban": "U", "ancient": "A", "industrial": "I", "rural": "R", "medieval": "MV",
    "sponza": "JS_SP", "cottage": "JS_CT", "airfield": "JS_AF", "house": "JS_HS", "reef": "JS_WT",
    "wilderness": "JS_WL",
}  # fmt: skip
FIRST = 100
"""Numbers from here on are no source's."""


def row(task_id: str = "S101", engine: str = "unreal", **changes: Any) -> dict[str, Any]:
    """One row of the table."""
    return {
        "task_id": task_id,
        "engine": engine,
        "environment": "Somewhere",
        "category": "A family",
        "subcategory": "G1",
        "map": f"/Game/Auditor/Hall/Hall?Task={task_id}",
        "input": {"instruction": "Look for the fault.", "scene_description": "A hall with a door."},
        "rubric": {"anomaly": "SECRET bench floats.", "expected": "It stands on the floor."},
        **changes,
    }


def write_parquet(file: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """`rows` as the official table has them, with structs."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = file.with_suffix(".rows")
    lines.write_text("\n".join(json.dumps(one) for one in rows))
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute(f"COPY (SELECT * FROM read_json('{lines}')) TO '{file}' (FORMAT parquet)")
    lines.unlink()
    return file


def whole_table(table: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows that are distributed as `table` says: each engine's kinds dealt out over its environments' scenes."""
    made = []
    for engine in ("unreal", "three.js"):
        kinds = [kind["code"] for kind in table["sub_categories"] for _ in range(kind[engine])]
        at = 0
        for place in table["environments"]:
            if place["engine"] != engine:
                continue
            name, number = place["environment"], FIRST
            for scene, count in place["sub_scenes"].items():
                for _ in range(count):
                    number += 1
                    text = {"instruction": "Look.", "scene_description": f"{name}: {scene}"}
                    made.append(
                        row(
                            f"{PREFIX[name]}{number}",
                            engine,
                            input=text,
                            subcategory=kinds[at],
                            environment=name,
                        )
                    )
                    at += 1
    return made


def write_profile(root: Path, task_id: str, page: str, case: str = "03", **changes: Any) -> None:
    """A Three.js task's profile in the runtime folder `root`."""
    folder = root / "browser-profiles"
    folder.mkdir(parents=True, exist_ok=True)
    profile = {
        "task": task_id, "browser_root": "suite", "browser_page": page, "browser_case": case, "page_sha256": "",
        **changes,
    }  # fmt: skip
    (folder / f"{task_id}.json").write_text(json.dumps(profile))
