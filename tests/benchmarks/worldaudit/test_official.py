"""The import of official data: table, examples' sources, runtime folder, and what becomes of them."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from benchmarks.worldaudit.official.counts import by_kind, differences
from benchmarks.worldaudit.official.counts import main as counts
from benchmarks.worldaudit.official.excluded import alias
from benchmarks.worldaudit.official.runtime import read_runtime
from benchmarks.worldaudit.official.table import find_table, read_table
from benchmarks.worldaudit.official.tasks import read_official
from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.plugin import WorldAudit
from benchmarks.worldaudit.prompts import opening
from embodied_eval.benchmark import Benchmark
from embodied_eval.config import resolve
from embodied_eval.errors import ConfigError, DataFileError, UnknownName
from embodied_eval.plan import driver_of, manifest, plan_run, playable
from embodied_eval.plugins import load
from embodied_eval.records import Task
from tests.benchmarks.worldaudit.official_kit import row, whole_table, write_parquet, write_profile

PLUGIN = WorldAudit()


def tasks_in(folder: Path) -> dict[str, Task]:
    return {task.id: task for task in PLUGIN.offer("", str(folder)).tasks}


def test_the_whole_table_reproduces_the_distribution(shared_data: Path, tmp_path: Path) -> None:
    table = json.loads((shared_data / "worldaudit_distribution.json").read_text())
    rows = whole_table(table)
    write_parquet(tmp_path / "tasks.parquet", rows)
    tasks = read_official(str(tmp_path)).tasks
    assert len(tasks) == 213 and differences(tasks, table) == []
    for family, counted in table["families"].items():
        assert sum(family in task.tags for task in tasks) == counted["total"]
    write_parquet(tmp_path / "tasks.parquet", [{**rows[0], "subcategory": "S3"}, *rows[1:-1]])
    told = differences(read_official(str(tmp_path)).tasks, table)
    assert told[0] == "212 tasks, not 213" and any(line.startswith("S3") for line in told)
    assert any(line.startswith("three.js wilderness") for line in told)


def test_what_an_agent_may_read_is_public_and_the_rubric_is_not(tmp_path: Path) -> None:
    write_parquet(
        tmp_path / "tasks.parquet", [row(), row("JS_AF103", "three.js", subcategory="visual.material")]
    )
    tasks = tasks_in(tmp_path)
    assert list(tasks) == ["S101", "JS_AF103"]
    one, other = tasks.values()
    assert (one.engine, one.scene, one.tags) == (
        "unreal",
        "subway/scene-1",
        ("G1", "Static physics", "official"),
    )
    assert other.public["environment"] == "airfield" and other.tags[0] == "V4"
    assert one.private["rubric"]["anomaly"] == "SECRET bench floats."
    for told in (json.dumps(one.without_truth().public), *(m.text for m in opening(one, Options()))):
        assert "SECRET" not in told and "stands on the floor" not in told and "/Game/" not in told
    assert "A hall with a door." in opening(one, Options())[1].text


@pytest.mark.parametrize("name", ["tasks.json", "tasks.jsonl", "data/tasks.parquet"])
def test_the_table_is_read_in_each_form_and_place(name: str, tmp_path: Path) -> None:
    rows = [row("S101"), row("S102")]
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    if name.endswith("parquet"):
        write_parquet(file, rows)
    else:
        file.write_text(json.dumps(rows) if name.endswith("json") else "\n".join(map(json.dumps, rows)))
    assert [one.task_id for one in read_table(find_table(tmp_path))] == ["S101", "S102"]


def test_a_folder_whose_name_is_a_pattern_is_read(tmp_path: Path) -> None:
    file = write_parquet(tmp_path / "tasks.parquet", [row()])
    odd = tmp_path / "a[1]*?"
    odd.mkdir()
    assert len(read_table(file.rename(odd / "tasks.parquet"))) == 1


BROKEN: list[tuple[Any, str]] = [
    ([], "holds no task"),
    ([row(), row("s101")], "row 2: the task s101 is there twice"),
    ([row(engine="unity")], "row 1: engine"),
    ([row("../S1")], "row 1: task_id"),
    ([row(rubric={"anomaly": "x"})], "row 1: rubric.expected"),
    ([row(input={"scene_description": ""})], "row 1: input.instruction"),
    ([{key: value for key, value in row().items() if key != "map"}], "row 1: map"),
    (["S101"], "row 1"),
    ({"tasks": []}, "must hold a list"),
    ([row(subcategory="Z9")], "sub-category 'Z9'"),
    ([row(subcategory="")], "sub-category ''"),
]


@pytest.mark.parametrize(("rows", "words"), BROKEN, ids=[words for _, words in BROKEN])
def test_what_is_wrong_with_a_table_is_told_with_its_place(rows: Any, words: str, tmp_path: Path) -> None:
    (tmp_path / "tasks.json").write_text(json.dumps(rows))
    with pytest.raises(DataFileError) as caught:
        PLUGIN.offer("", str(tmp_path))
    assert words in str(caught.value)


def test_files_that_are_missing_or_unreadable_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="no official task table"):
        PLUGIN.offer("", str(tmp_path))
    with pytest.raises(DataFileError, match="is no folder"):
        PLUGIN.offer("", str(tmp_path / "nowhere"))
    (tmp_path / "tasks.json").write_text("{")
    with pytest.raises(DataFileError, match="no valid JSON"):
        PLUGIN.offer("", str(tmp_path))
    (tmp_path / "tasks.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(DataFileError, match=r"tasks\.parquet cannot be read"):
        PLUGIN.offer("", str(tmp_path))
    write_parquet(tmp_path / "tasks.parquet", [{"task_id": "S101"}])
    with pytest.raises(DataFileError, match="Its columns are task_id, engine"):
        PLUGIN.offer("", str(tmp_path))


def test_two_reef_tasks_may_lack_a_sub_category(tmp_path: Path) -> None:
    rows = [row("JS_WT16", "three.js", subcategory=""), row("js_wt17", "three.js", subcategory=None)]
    (tmp_path / "tasks.json").write_text(json.dumps(rows))
    assert {task.public["subcategory"] for task in tasks_in(tmp_path).values()} == {"S2"}


def test_the_examples_sources_are_no_scored_tasks_under_any_spelling(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    names = ["S05", "s5", "JS_CT17", "CT17", "U012", "u12", "S205", "JS_CT117", "MV07", "S101"]
    (tmp_path / "tasks.json").write_text(json.dumps([row(name) for name in names]))
    (tmp_path / "icl").mkdir()
    (tmp_path / "icl" / "exclude_from_eval.json").write_text(json.dumps({"G2": ["mv7"], "note": "S05"}))
    with caplog.at_level(logging.WARNING):
        assert list(tasks_in(tmp_path)) == ["S205", "JS_CT117", "S101"]
    assert "S05, s5, JS_CT17, CT17, U012, u12, MV07" in caplog.text
    assert alias("JS_SP013") == alias("sp13") == "SP13"
    resolved = resolve(
        PLUGIN,
        command_line={"data": str(tmp_path), "tasks": ("S05",)},
        options={},
        environ={},
        folder=tmp_path,
    )
    with pytest.raises(UnknownName, match="S05"):
        plan_run(PLUGIN, resolved, "scripted/null")


def runtime(tmp_path: Path) -> Path:
    rows = [
        row("S101"),
        row("JS_AF103", "three.js"),
        row("JS_AF104", "three.js"),
        row("JS_AF105", "three.js"),
    ]
    write_parquet(tmp_path / "tasks.parquet", rows)
    root = tmp_path / "runtime"
    (root / "suite" / "threejs").mkdir(parents=True)
    (root / "suite" / "threejs" / "field.html").write_text("<!doctype html><canvas></canvas>")
    profiles = {"tasks": {"s101": {"binary": "Hall/Hall.sh", "build_sha256": "AB" * 32, "policy": "x"}}}
    (root / "unreal-profiles.json").write_text(json.dumps(profiles))
    write_profile(root, "JS_AF103", "/threejs/field.html", page_sha256="cd" * 32)
    write_profile(root, "JS_AF105", "../../field.html")
    return tmp_path


def test_the_runtime_folder_tells_builds_and_pages(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        tasks = tasks_in(runtime(tmp_path))
        tasks_in(tmp_path)
    assert tasks["S101"].world == "ue-service:S101#sha256=" + "ab" * 32
    page = tasks["JS_AF103"]
    file = tmp_path / "runtime" / "suite" / "threejs" / "field.html"
    assert page.world == f"page:{file}?bug=03&seed=5#sha256={'cd' * 32}"
    world = PLUGIN.world(page, None)
    assert world is not None and world.page is not None
    assert (world.page.folder, world.page.entry) == (str(file.parents[1]), "threejs/field.html")
    assert tasks["JS_AF104"].world == "" and PLUGIN.world(tasks["JS_AF104"], None) is None
    assert caplog.text.count("(JS_AF104): no browser-profiles/ID.json") == 1
    assert caplog.text.count("lies outside") == 1
    ours = PLUGIN.world(tasks["S101"], None)
    assert ours is not None and ours.name == tasks["S101"].world


def test_a_profile_of_another_form_is_named(tmp_path: Path) -> None:
    write_profile(tmp_path, "JS_AF103", "a.html", case="../x")
    with pytest.raises(DataFileError, match=r"JS_AF103\.json: browser_case"):
        read_runtime(tmp_path)
    write_profile(tmp_path, "JS_AF103", "a.html", task="JS_AF104")
    with pytest.raises(DataFileError, match="of task JS_AF104"):
        read_runtime(tmp_path)
    (tmp_path / "unreal-profiles.json").write_text("[]")
    with pytest.raises(DataFileError, match="unreal-profiles"):
        read_runtime(tmp_path)


def test_each_task_is_offered_on_the_driver_that_can_play_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    offer = PLUGIN.offer("", str(runtime(tmp_path)))
    assert offer.driver == "page-env"
    assert [task.id for task in playable(PLUGIN, offer.tasks, "page-env")] == ["JS_AF103"]
    assert (
        "3 tasks are not offered on driver page-env, which lacks: official-runtime, official-ue"
        in caplog.text
    )
    assert not playable(PLUGIN, offer.tasks, "mujoco")
    assert "official-ue" in load("drivers", "ue-service").capabilities
    assert [task.id for task in playable(PLUGIN, offer.tasks, "ue-service")] == ["S101"]


def test_without_a_runtime_the_service_is_the_driver(tmp_path: Path) -> None:
    write_parquet(tmp_path / "tasks.parquet", [row(), row("JS_AF103", "three.js")])
    offer = PLUGIN.offer("", str(tmp_path))
    assert offer.driver == "ue-service" and offer.tasks[1].needs == ("official-page", "official-runtime")


def planned(tmp_path: Path, options: dict[str, str] | None = None, **flags: Any) -> Any:
    write_parquet(tmp_path / "tasks.parquet", [row()])
    resolved = resolve(
        PLUGIN,
        command_line={"data": str(tmp_path), **flags},
        options=options or {},
        environ={},
        folder=tmp_path,
    )
    return resolved, plan_run(PLUGIN, resolved, "scripted/null")


def test_a_run_is_planned_from_the_folder_and_does_not_tell_where_it_lies(tmp_path: Path) -> None:
    resolved, (item,) = planned(tmp_path)
    assert driver_of(PLUGIN, resolved.config) == item.key.driver == "ue-service"
    assert (item.task.id, item.condition.name, PLUGIN.start(item.task, item.options)) == (
        "S101",
        "vlm",
        "start",
    )
    public, private = manifest(PLUGIN, resolved, "scripted/null", "truth", [item])
    assert str(tmp_path) not in json.dumps(public) and "SECRET" not in json.dumps(public)
    assert "SECRET" in json.dumps(private)


@pytest.mark.parametrize("options", [{"start": "near"}, {"anomalies": "AB"}, {"anchors_only": "true"}])
def test_what_the_table_does_not_hold_is_refused(tmp_path: Path, options: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match="own start"):
        planned(tmp_path, options)


def test_data_goes_with_no_other_world_and_with_no_other_benchmark(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="their own worlds"):
        planned(tmp_path, world="subway")

    class Other(WorldAudit):
        name = "other"

    with pytest.raises(ConfigError, match="other reads no official data"):
        Benchmark.offer(Other(), "", str(tmp_path))


def test_the_distribution_can_be_shown(tmp_path: Path) -> None:
    from click.testing import CliRunner

    write_parquet(tmp_path / "tasks.parquet", [row(), row("JS_AF103", "three.js")])
    table = tmp_path / "table.json"
    places = [
        {"engine": "unreal", "environment": "subway", "sub_scenes": {"a": 1}},
        {"engine": "three.js", "environment": "airfield", "sub_scenes": {"main": 1}},
    ]
    kinds = [{"code": "G1", "unreal": 1, "three.js": 1}]
    table.write_text(json.dumps({"total": 2, "sub_categories": kinds, "environments": places}))
    shown = CliRunner().invoke(counts, [str(tmp_path), "--table", str(table)])
    assert shown.exit_code == 0 and "G1    1 unreal    1 three.js" in shown.output
    assert "The same as the table." in shown.output
    table.write_text(json.dumps({"total": 3, "sub_categories": kinds, "environments": places}))
    failed = CliRunner().invoke(counts, [str(tmp_path), "--table", str(table)])
    assert failed.exit_code == 1 and "2 tasks, not 3" in failed.output
    assert by_kind(read_official(str(tmp_path)).tasks)["G1"] == {"unreal": 1, "three.js": 1}
